package function

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

// neighbourBound is min.bound and max.bound(C[], adj[], num[], M[]) of GeoBUGS: between
// the two gamma makes car.proper(mu[], C[], adj[], num[], M[], tau, gamma) positive definite.
// They are the inverses of the least and the greatest eigenvalue of M^-1/2 C M^1/2, which is
// symmetric where C[i,j] M[j] = C[j,i] M[i] (GeoBUGS user manual, appendix 1).
func neighbourBound(least bool) *ArrayOp {
	return &ArrayOp{Args: []int{1, 1, 1, 1}, InGo: func(x []Value) (Value, error) { return boundOf(x, least) },
		Lower: func(k kit.Ops, w kit.Workspace, _ kit.View, p []kit.View) ir.Value { return lowerBound(k, w, p, least) }}
}

func boundOf(x []Value, least bool) (Value, error) {
	c, adj, num, m := x[0].V, x[1].V, x[2].V, x[3].V
	n := len(num)
	switch {
	case n == 0 || len(m) != n:
		return Value{}, Misshapen(fmt.Sprintf("num[] and M[] must have an element for each area, and have %d and %d", n, len(m)))
	case len(c) != len(adj):
		return Value{}, Misshapen(fmt.Sprintf("adj[] and C[] must have as many elements, and have %d and %d", len(adj), len(c)))
	}
	if why := forms.NeighboursInvalid(adj, num); why != "" {
		return Value{}, errors.New(why)
	}
	for _, x := range m {
		if !(x > 0) {
			return Value{}, fmt.Errorf("an element of M[] is %v, and they must be positive", x)
		}
	}
	a := mat.NewDense(n, n, nil)
	forms.EachNeighbour(adj, num, func(i, j, k int) { a.Set(i, j, a.At(i, j)+c[k]*math.Sqrt(m[j]/m[i])) })
	v := eigenValues(a, n).V
	at := 0
	if least {
		at = n - 1
	}
	if math.IsNaN(v[at]) {
		return Value{}, errors.New("for neighbours i and j C[i,j] M[j] must be C[j,i] M[i]")
	}
	return Value{V: []float64{1 / v[at]}}, nil
}

// lowerBound is NaN where the map, C or M is invalid.
func lowerBound(k kit.Ops, w kit.Workspace, p []kit.View, least bool) ir.Value {
	c, m, n := p[0], p[3], p[2].N
	arrays := kit.ArrayOps{Ops: k, Work: w}
	g, ok := forms.Neighbours[ir.Value, ir.Value, ir.Value](arrays, k.PartOf(p[1]), k.PartOf(p[2]), arrays.Vector(n))
	return k.Branch(ok, func() ir.Value {
		a, out := w.Matrix(k, n), w.Vector(k, n)
		k.Each(k.B.Index(0), n, func(i ir.Value) {
			k.Each(k.B.Index(0), n, func(j ir.Value) { a.Store(k, k.Num(0), i, j) })
		})
		positive := g.Each([]ir.Value{k.Num(1)}, func(i, j, at ir.Value, acc []ir.Value) []ir.Value {
			from, to := m.Load(k, i), m.Load(k, j)
			part := k.Mul(c.Load(k, at), k.Sqrt(k.Div(to, from)))
			a.Store(k, k.Add(a.Load(k, i, j), part), i, j)
			return []ir.Value{k.Least(acc[0], k.Flag(k.And(k.Positive(from), k.Positive(to))))}
		})[0]
		lowerEigenValues(k, w, out, []kit.View{a})
		at := k.B.Index(0)
		if least {
			at = arith.SubI(k.B, n, k.B.Index(1))
		}
		return k.Valid(k.Positive(positive), k.Div(k.Num(1), out.Load(k, at)))
	}, func() ir.Value { return k.Num(math.NaN()) })
}
