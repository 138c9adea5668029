package kit

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

// symmetrySlack is how much mirrored elements of a symmetric matrix may differ, in
// parts of the geometric mean of their diagonal elements: computed matrices are not
// symmetric to the last digit. Their mean is taken.
const SymmetrySlack = 1e-8

// pivotSlack is the least pivot of a definite matrix, in parts of its diagonal element.
// One below has lost all of its digits: the matrix counts as singular.
const PivotSlack = 1e-14

// Definite factors a symmetric positive definite matrix; why says what it is instead.
func Definite(x []float64, n int) (ch *mat.Cholesky, why string) {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a, b := x[i*n+j], x[j*n+i]
			if !(math.Abs(a-b) <= SymmetrySlack*math.Sqrt(x[i*n+i])*math.Sqrt(x[j*n+j])) {
				if x[i*n+i] >= 0 && x[j*n+j] >= 0 {
					return nil, "not symmetric"
				}
				return nil, "not positive definite"
			}
			s.SetSym(i, j, 0.5*a+0.5*b)
		}
	}
	ch = &mat.Cholesky{}
	if !ch.Factorize(s) {
		return nil, "not positive definite"
	}
	var u mat.TriDense
	ch.UTo(&u)
	for i := range n {
		if r := u.At(i, i) / math.Sqrt(s.At(i, i)); !(r*r > PivotSlack) {
			return nil, "not positive definite"
		}
	}
	if d := ch.LogDet(); math.IsNaN(d) || math.IsInf(d, 0) {
		return nil, "not positive definite"
	}
	return ch, ""
}

// FactorOf is definite for a matrix that is known to be so.
func FactorOf(x []float64, n int) *mat.Cholesky {
	ch, why := Definite(x, n)
	if why != "" {
		panic("bugs: a parameter that is " + why)
	}
	return ch
}

func InverseOf(x []float64, n int) *mat.SymDense {
	var s mat.SymDense
	_ = FactorOf(x, n).InverseTo(&s) // a bad condition only costs digits
	return &s
}

func RowsOf(s *mat.SymDense) []float64 {
	n := s.SymmetricDim()
	out := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			out = append(out, s.At(i, j))
		}
	}
	return out
}

// LowerRows is the lower factor, row by row.
func LowerRows(ch *mat.Cholesky) []float64 {
	var l mat.TriDense
	ch.LTo(&l)
	n := ch.SymmetricDim()
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			out[i*n+j] = l.At(i, j)
		}
	}
	return out
}

// A factor is that of a symmetric matrix (see cholesky), the logarithm of its
// determinant, and whether it is positive definite.
type Factored struct {
	Cells
	LogDet, OK ir.Value
}

// cells are where a factor is: in memory, or values if the matrix is small.
type Cells struct {
	Mem  ir.Value
	Vals map[[2]ir.Value]ir.Value // by indices, which are constants
}

func (c Cells) Load(k Ops, i, j ir.Value) ir.Value {
	if c.Vals != nil {
		return c.Vals[[2]ir.Value{i, j}]
	}
	return k.B.Op(memref.Load, c.Mem, i, j)
}

func (c Cells) Store(k Ops, x, i, j ir.Value) {
	if c.Vals != nil {
		c.Vals[[2]ir.Value{i, j}] = x
		return
	}
	k.B.Op(memref.Store, x, c.Mem, i, j)
}

// lower is an element of L below the diagonal, pivot one of D.
func (f Factored) Lower(k Ops, i, j ir.Value) ir.Value { return f.Load(k, j, i) }

func (f Factored) Pivot(k Ops, i ir.Value) ir.Value { return f.Load(k, i, i) }

// nodeItself stands for the node where parameters are counted from 0.
const NodeItself = -1

// cholesky factors a parameter of the node at hand, unless that was done before.
func (w Workspace) Cholesky(k Ops, param int, a View) Factored {
	if f, ok := w.Factored[param]; ok {
		return f
	}
	c := Cells{Mem: w.Factor}
	if n, ok := k.B.Graph().Const(a.N); ok && k.Straight(int64(n.Bits)) {
		c = Cells{Vals: map[[2]ir.Value]ir.Value{}}
	}
	logDet, ok := k.Cholesky(c, a)
	return Factored{c, logDet, ok}
}

// cholesky factors a symmetric matrix as L D L', without roots, row by row (Golub and
// Van Loan, Matrix Computations, section 4.1): scratch gets D on the diagonal, the unit
// lower triangle L above it, transposed, and L D below. It gives the logarithm of the
// determinant; ok says whether the matrix is symmetric and positive definite.
func (k Ops) Cholesky(scratch Cells, a View) (logDet, ok ir.Value) {
	b := k.B
	at := func(i, j ir.Value) ir.Value { return scratch.Load(k, i, j) }
	// less is x minus the inner product of the first n elements of row r below and of
	// column s above the diagonal.
	less := func(x, r, s, n ir.Value) ir.Value {
		return k.Fold(n, []ir.Value{x}, func(m ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Sub(acc[0], k.Mul(at(r, m), at(m, s)))}
		})[0]
	}
	out := k.Fold(a.N, []ir.Value{k.Num(0), k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		diag := a.Load(k, i, i)
		sym := k.Fold(i, []ir.Value{acc[1]}, func(j ir.Value, acc []ir.Value) []ir.Value {
			x, y := a.Load(k, i, j), a.Load(k, j, i)
			slack := k.Mul(k.Mul(k.Num(SymmetrySlack), k.Sqrt(diag)), k.Sqrt(a.Load(k, j, j)))
			near := k.Cmp(arith.OLE, k.Abs(arith.SubF(b, x, y)), slack)
			c := less(k.Add(k.Half(x), k.Half(y)), i, j, j)
			scratch.Store(k, c, i, j)
			scratch.Store(k, k.Div(c, at(j, j)), j, i)
			return []ir.Value{k.Least(acc[0], k.Flag(near))}
		})[0]
		pivot := less(diag, i, i, i)
		scratch.Store(k, pivot, i, i)
		return []ir.Value{k.Plus(acc[0], k.Log(pivot)), k.Least(sym, k.Flag(k.Cmp(arith.OGT, pivot, k.Mul(k.Num(PivotSlack), diag))))}
	})
	return out[0], k.And(k.Positive(out[1]), k.IsFinite(out[0]))
}
