package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// ArrayOps makes ops of formulas of arrays.
type ArrayOps struct {
	Ops
	Work Workspace
}

// viewed is a View with the kit that reads it.
type viewed struct {
	k Ops
	View
}

// PartOf is a view as formulas read it.
func (k Ops) PartOf(w View) Part[ir.Value, ir.Value] { return viewed{k, w} }

func (w viewed) Number() ir.Value                  { return w.Scalar }
func (w viewed) Len() ir.Value                     { return w.N }
func (w viewed) Load(at ...ir.Value) ir.Value      { return w.View.Load(w.k, at...) }
func (w viewed) Store(x ir.Value, at ...ir.Value)  { w.View.Store(w.k, x, at...) }
func (k ArrayOps) Index(n int64) ir.Value          { return k.B.Index(n) }
func (k ArrayOps) IndexAdd(i, j ir.Value) ir.Value { return arith.AddI(k.B, i, j) }
func (k ArrayOps) IndexSub(i, j ir.Value) ir.Value { return arith.SubI(k.B, i, j) }
func (k ArrayOps) IndexMin(i, j ir.Value) ir.Value { return k.B.Op(arith.Minsi, i, j) }
func (k ArrayOps) IndexMax(i, j ir.Value) ir.Value { return k.B.Op(arith.Maxsi, i, j) }
func (k ArrayOps) Equal(i, j ir.Value) ir.Value    { return arith.CmpI(k.B, arith.EQ, i, j) }
func (k ArrayOps) Most(x, y ir.Value) ir.Value     { return arith.Float(k.B, arith.Maximumf, 0, x, y) }
func (k ArrayOps) Matrix(n ir.Value) Part[ir.Value, ir.Value] {
	return k.PartOf(k.Work.Matrix(k.Ops, n))
}
func (k ArrayOps) Vector(n ir.Value) Part[ir.Value, ir.Value] {
	return k.PartOf(k.Work.Vector(k.Ops, n))
}

// LessProducts is a loop.
func (k ArrayOps) LessProducts(x, n ir.Value, a, b func(m ir.Value) ir.Value) ir.Value {
	return k.Fold(n, []ir.Value{x}, func(m ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{k.Sub(acc[0], k.Mul(a(m), b(m)))}
	})[0]
}

// PlusProducts is a loop.
func (k ArrayOps) PlusProducts(x, n ir.Value, a, b func(m ir.Value) ir.Value) ir.Value {
	return k.Fold(n, []ir.Value{x}, func(m ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{arith.Float(k.B, arith.Addf, Fused|arith.Reassoc, acc[0], k.Mul(a(m), b(m)))}
	})[0]
}

// Factor makes it in memory of its own, or as values if the matrix is small.
func (k ArrayOps) Factor(a Part[ir.Value, ir.Value]) Factored[ir.Value, ir.Value, ir.Value] {
	if n, ok := k.B.Graph().Const(a.Len()); ok && k.StraightLine(int64(n.Bits)) {
		return Cholesky[ir.Value, ir.Value, ir.Value](k, cells{}, a)
	}
	return Cholesky[ir.Value, ir.Value, ir.Value](k, k.Matrix(a.Len()), a)
}

// cells are a matrix of values, by indices that are constants.
type cells map[[2]ir.Value]ir.Value

func (c cells) Number() ir.Value             { panic("kit: a matrix is no number") }
func (c cells) Len() ir.Value                { panic("kit: scratch values have no extent") }
func (c cells) Load(at ...ir.Value) ir.Value { return c[[2]ir.Value{at[0], at[1]}] }
func (c cells) Store(x ir.Value, at ...ir.Value) {
	c[[2]ir.Value{at[0], at[1]}] = x
}
