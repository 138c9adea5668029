package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// View is an operand of a joint law as ops: a number, or a
// vector or matrix in memory. Its indices count from 0.
type View struct {
	Scalar ir.Value // or the following
	Mem    ir.Value
	At     []ir.Value // an index for each dimension of mem: where the part starts
	Ranged []int      // dimensions of mem that the part has
	Ext    []ir.Value // the extents of these
	N      ir.Value   // the first of them, which is that of all in a bugs.multivariate
}

// Load reads an element.
func (w View) Load(k Ops, idx ...ir.Value) ir.Value {
	at := append([]ir.Value{w.Mem}, w.At...)
	for i, d := range w.Ranged {
		at[1+d] = arith.AddI(k.B, w.At[d], idx[i])
	}
	return k.B.Op(memref.Load, at...)
}

// Store writes an element.
func (w View) Store(k Ops, x ir.Value, idx ...ir.Value) {
	at := append([]ir.Value{x, w.Mem}, w.At...)
	for i, d := range w.Ranged {
		at[2+d] = arith.AddI(k.B, w.At[d], idx[i])
	}
	k.B.Op(memref.Store, at...)
}

// Straight says that a loop of n rounds over the parts of a node becomes straight code,
// in which the factor of its matrix is values, not memory.
func (k Ops) Straight(n int64) bool { return n < 1 || n <= int64(k.Split)/n }

// Fold runs body for i from 0 up to n, n excluded, over values that it carries on.
func (k Ops) Fold(n ir.Value, inits []ir.Value, body func(i ir.Value, acc []ir.Value) []ir.Value) []ir.Value {
	if c, ok := k.B.Graph().Const(n); ok && k.Straight(int64(c.Bits)) {
		for i := range int64(c.Bits) {
			inits = body(k.B.Index(i), inits)
		}
		return inits
	}
	loop := scf.BuildFor(k.B, k.B.Index(0), n, k.B.Index(1), inits, body)
	out := make([]ir.Value, len(inits))
	for i := range out {
		out[i] = k.B.Result(loop, i)
	}
	return out
}

// Conditions are carried through loops as numbers, 1 and 0: the least of all tells
// whether each held. NaN is no condition's number, and least keeps it.
func (k Ops) Flag(cond ir.Value) ir.Value { return arith.Choose(k.B, cond, k.Num(1), k.Num(0)) }

func (k Ops) Least(x, y ir.Value) ir.Value { return arith.Float(k.B, arith.Minimumf, 0, x, y) }

func (k Ops) Each(lo, hi ir.Value, body func(i ir.Value)) {
	scf.BuildFor(k.B, lo, hi, k.B.Index(1), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		body(i)
		return nil
	})
}

func (k Ops) EachOf(w View, body func(i []ir.Value)) {
	var dim func(idx []ir.Value)
	dim = func(idx []ir.Value) {
		if len(idx) == len(w.Ext) {
			body(idx)
			return
		}
		k.Each(k.B.Index(0), w.Ext[len(idx)], func(i ir.Value) { dim(append(idx[:len(idx):len(idx)], i)) })
	}
	dim(nil)
}

// Copy writes the elements of from to w.
func (k Ops) Copy(w, from View) {
	k.EachOf(w, func(i []ir.Value) { w.Store(k, from.Load(k, i...), i...) })
}

// A workspace is memory that functions of arrays use, one after the other.
type Workspace struct {
	Matrices ir.Value // [k, rows, columns]
	Vectors  ir.Value // [k, elements]
	Factor   ir.Value // [rows, columns], for that of a matrix
	// factored are the parameters of a node that have their factor already.
	Factored map[int]Factored[ir.Value, ir.Value, ir.Value]
}

// Matrix is work matrix i with n rows.
func (w Workspace) Matrix(k Ops, i int64, n ir.Value) View {
	zero := k.B.Index(0)
	return View{Mem: w.Matrices, At: []ir.Value{k.B.Index(i), zero, zero}, Ranged: []int{1, 2}, Ext: []ir.Value{n, n}, N: n}
}

// Vector is work vector i with n elements.
func (w Workspace) Vector(k Ops, i int64, n ir.Value) View {
	return View{Mem: w.Vectors, At: []ir.Value{k.B.Index(i), k.B.Index(0)}, Ranged: []int{1}, Ext: []ir.Value{n}, N: n}
}
