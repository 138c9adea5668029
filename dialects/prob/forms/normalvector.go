package forms

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

func LocationInvalid(p []family.Array) string {
	for _, m := range p[0].V {
		if math.IsInf(m, 0) {
			return "the mean must be finite"
		}
	}
	if _, why := kit.Definite(p[1].V, len(p[0].V)); why != "" {
		return "the precision matrix is " + why
	}
	return ""
}

// Distance is (x - mu)' Omega (x - mu) by the factor of Omega, so never negative,
// and half the logarithm of the determinant of Omega.
func Distance(x []float64, p []family.Array) (q, halfLogDet float64) {
	n := len(x)
	var u mat.TriDense
	ch := kit.FactorOf(p[1].V, n)
	ch.UTo(&u)
	for i := range n {
		s := 0.0
		for j := i; j < n; j++ {
			s += u.At(i, j) * (x[j] - p[0].V[j])
		}
		q += s * s
	}
	return q, 0.5 * ch.LogDet()
}

// NormalDeviate draws a normal vector with mean 0 and the precision matrix of ch.
func NormalDeviate(r *rand.Rand, ch *mat.Cholesky) []float64 {
	n := ch.SymmetricDim()
	var u mat.TriDense
	ch.UTo(&u)
	out := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = r.NormFloat64()
		for j := i + 1; j < n; j++ {
			out[i] -= u.At(i, j) * out[j]
		}
		out[i] /= u.At(i, i)
	}
	return out
}

func MeanOf(p []family.Array, _ int) []float64 { return p[0].V }

// ConditionalNormal draws the rest of x: with m what is drawn and o what is not, its
// precision is Omega[m,m] and its mean mu[m] - inverse(Omega[m,m]) Omega[m,o] (x[o] - mu[o]).
func ConditionalNormal(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	mean, ch, rest, err := conditionalLaw(x, keep, p)
	if err != nil {
		return err
	}
	for a, z := range NormalDeviate(r, ch) {
		x[rest[a]] = mean[rest[a]] + z
	}
	return nil
}

// ConditionalMean is the mean of the elements that are not known.
func ConditionalMean(x []float64, keep []bool, p []family.Array) ([]float64, error) {
	mean, _, _, err := conditionalLaw(x, keep, p)
	return mean, err
}

// conditionalLaw is the mean of the rest, by position in x, the factor of its precision,
// and which they are.
func conditionalLaw(x []float64, keep []bool, p []family.Array) (mean []float64, ch *mat.Cholesky, at []int, err error) {
	n := len(x)
	var rest []int
	for i, k := range keep {
		if !k {
			rest = append(rest, i)
		}
	}
	sub, rhs := make([]float64, len(rest)*len(rest)), mat.NewVecDense(len(rest), nil)
	for a, i := range rest {
		for b, j := range rest {
			sub[a*len(rest)+b] = p[1].V[i*n+j]
		}
		for j := range n {
			if keep[j] {
				rhs.SetVec(a, rhs.AtVec(a)+p[1].V[i*n+j]*(x[j]-p[0].V[j]))
			}
		}
	}
	ch, why := kit.Definite(sub, len(rest))
	if why != "" {
		return nil, nil, nil, errors.New("the precision matrix of the part to draw is " + why)
	}
	shift := mat.NewVecDense(len(rest), nil)
	_ = ch.SolveVecTo(shift, rhs) // a bad condition only costs digits
	mean = make([]float64, n)
	for a, i := range rest {
		mean[i] = p[0].V[i] - shift.AtVec(a)
	}
	return mean, ch, rest, nil
}

// location is what dmnorm and dmt share: the squared distance of x from p[0] in the
// metric of p[1], half the logarithm of its determinant, and validity.
func Location(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) (q, half, ok ir.Value) {
	b := k.B
	f := w.Cholesky(k, 1, p[1])
	n := p[1].N // as the factor has; the node has as many elements
	zero, one := k.Num(0), k.Num(1)
	// Row j of the transposed triangle times x - mu, squared, never gives less than 0.
	out := k.Fold(n, []ir.Value{zero, one}, func(j ir.Value, acc []ir.Value) []ir.Value {
		z := func(i ir.Value) ir.Value { return k.Sub(x.Load(k, i), p[0].Load(k, i)) }
		next := arith.AddI(b, j, b.Index(1))
		s := k.Fold(arith.SubI(b, n, next), []ir.Value{z(j)}, func(m ir.Value, acc []ir.Value) []ir.Value {
			i := arith.AddI(b, next, m)
			return []ir.Value{k.Add(acc[0], k.Mul(f.Lower(k, i, j), z(i)))}
		})[0]
		finite := k.Flag(k.IsFinite(p[0].Load(k, j)))
		return []ir.Value{k.Add(acc[0], k.Quadratic(f.Pivot(k, j), s)), k.Least(acc[1], finite)}
	})
	return out[0], k.Half(f.LogDet), k.And(f.OK, k.Positive(out[1]))
}
