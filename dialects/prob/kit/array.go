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

// StraightLine says that a loop of n iterations over the parts of a node becomes straight-line code. In it
// the factor of its matrix, with n(n-1)/2 elements beside the diagonal, is values, not memory.
func (k Ops) StraightLine(n int64) bool { return n < 1 || k.Split > 0 && n-1 <= 2*int64(k.Split)/n }

// Fold runs body for i from 0 up to n, n excluded, over values that it carries on.
func (k Ops) Fold(n ir.Value, inits []ir.Value, body func(i ir.Value, acc []ir.Value) []ir.Value) []ir.Value {
	if c, ok := k.B.Graph().Const(n); ok && k.StraightLine(int64(c.Bits)) {
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

// A Workspace bounds the memory that a function of arrays works with; 0 is no bound. It is allocated where it
// is used and owned by nobody (memref.OwnedAttr). So licm takes what fills it the same in each iteration out
// of loops, and reuse-buffers lets functions share what remains.
type Workspace struct {
	Rows     int64 // of a matrix
	Elements int64 // of a vector
}

// Matrix is memory for a square matrix of n rows.
func (w Workspace) Matrix(k Ops, n ir.Value) View { return k.memory(w.Rows, n, n) }

// Vector is memory for n elements.
func (w Workspace) Vector(k Ops, n ir.Value) View { return k.memory(w.Elements, n) }

// Memory is memory of some extents.
func (k Ops) Memory(ext ...ir.Value) View { return k.memory(0, ext...) }

// memory has room for its extents, or for as many elements of each as there are at most.
func (k Ops) memory(most int64, ext ...ir.Value) View {
	w := View{Ext: ext, N: ext[0]}
	shape, sizes := make([]int64, len(ext)), []ir.Value(nil)
	for d, n := range ext {
		w.At, w.Ranged = append(w.At, k.B.Index(0)), append(w.Ranged, d)
		c, constant := k.B.Graph().Const(n)
		switch {
		case constant:
			shape[d] = max(int64(c.Bits), 1)
		case most > 0:
			shape[d] = most
		default:
			shape[d], sizes = ir.Dynamic, append(sizes, n)
		}
	}
	w.Mem = k.Alloc(shape, sizes...)
	return w
}

// Alloc makes memory whose end is decided by how it is used.
func (k Ops) Alloc(shape []int64, sizes ...ir.Value) ir.Value {
	c := k.B.Ctx()
	owned := c.WithDiscardable(0, memref.OwnedAttr, c.UnitAttr())
	return k.B.Must(ir.Call{Def: memref.Alloc, Type: c.MemRef(shape, ir.F64), Args: sizes, Attr: owned})
}
