package forms

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// LocationInvalid says what is wrong with a mean p[0] and a precision matrix p[1], "" for
// nothing.
func LocationInvalid(p []family.Array) string {
	for _, m := range p[0].V {
		if math.IsInf(m, 0) {
			return "the mean must be finite"
		}
	}
	if why := kit.Definite(p[1].V, len(p[0].V)); why != "" {
		return "the precision matrix is " + why
	}
	return ""
}

// Location is what dmnorm and dmt share: the squared distance of x from mu in the metric
// of the precision matrix, parameter number param, of which f is the factor, and validity.
// Row j of the transposed triangle times x - mu, squared, never gives less than 0.
func Location[T, B, I any](k kit.Arrays[T, B, I], f kit.Factored[T, B, I], x, mu kit.Part[T, I], n I) (q T, ok B) {
	z := func(i I) T { return k.Sub(x.Load(i), mu.Load(i)) }
	out := k.Fold(n, []T{k.Num(0), k.Num(1)}, func(j I, acc []T) []T {
		next := k.IndexAdd(j, k.Index(1))
		s := k.Fold(k.IndexSub(n, next), []T{z(j)}, func(m I, acc []T) []T {
			i := k.IndexAdd(next, m)
			return []T{k.Add(acc[0], k.Mul(f.Lower(i, j), z(i)))}
		})[0]
		finite := kit.Flag(k, kit.IsFinite(k, mu.Load(j)))
		return []T{k.Add(acc[0], kit.Quadratic(k, f.Pivot(j), s)), k.Least(acc[1], finite)}
	})
	return out[0], k.And(f.OK, kit.Positive(k, out[1]))
}

// LocationWithin is Location with the factor of a matrix whose row i begins at first[i]; sums
// is a work vector.
func LocationWithin[T, B, I any](k kit.Arrays[T, B, I], f kit.Factored[T, B, I], x, mu, first, sums kit.Part[T, I]) (q T, ok B) {
	n := mu.Len()
	finite := k.Fold(n, []T{k.Num(1)}, func(i I, acc []T) []T {
		z := k.Sub(x.Load(i), mu.Load(i))
		sums.Store(z, i)
		k.Each(k.ToIndex(first.Load(i)), i, func(j I) { sums.Store(k.Add(sums.Load(j), k.Mul(f.Lower(i, j), z)), j) })
		return []T{k.Least(acc[0], kit.Flag(k, kit.IsFinite(k, mu.Load(i))))}
	})[0]
	q = k.Fold(n, []T{k.Num(0)}, func(j I, acc []T) []T {
		return []T{k.Add(acc[0], kit.Quadratic(k, f.Pivot(j), sums.Load(j)))}
	})[0]
	return q, k.And(f.OK, kit.Positive(k, finite))
}

// NormalDeviate stores in x a normal vector with mean 0 and the precision matrix that f is
// the factor of: from the last element to the first, x solves L' x = z/sqrt(D).
func NormalDeviate[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], f kit.Factored[T, B, I], x kit.Part[T, I], n I) {
	Descending(k, n, func(i I) {
		next := k.IndexAdd(i, k.Index(1))
		at := func(m I) I { return k.IndexAdd(next, m) }
		z := k.Div(d.Normal(i), k.Sqrt(f.Pivot(i)))
		x.Store(k.LessProducts(z, k.IndexSub(n, next), func(m I) T { return f.Lower(at(m), i) }, func(m I) T { return x.Load(at(m)) }), i)
	})
}

// Descending runs body from n-1 down to 0.
func Descending[T, B, I any](k kit.Arrays[T, B, I], n I, body func(i I)) {
	k.Each(k.Index(0), n, func(m I) { body(k.IndexSub(k.IndexSub(n, k.Index(1)), m)) })
}

// MeanOf is the first parameter.
func MeanOf(p []family.Array, _ int) []float64 { return p[0].V }

// ConditionalNormal draws the rest of x: with m what is drawn and o what is not, its
// precision is Omega[m,m] and its mean mu[m] - inverse(Omega[m,m]) Omega[m,o] (x[o] - mu[o]).
func ConditionalNormal(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	mean, f, rest, err := conditionalLaw(x, keep, p)
	if err != nil {
		return err
	}
	z := make([]float64, len(rest))
	NormalDeviate(kit.Floats{}, draw.Sequence{Rand: r}, f, kit.Grid{V: z}, len(z))
	for a, i := range rest {
		x[i] = mean[i] + z[a]
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
func conditionalLaw(x []float64, keep []bool, p []family.Array) (mean []float64, f kit.Factored[float64, bool, int], at []int, err error) {
	n := len(x)
	var rest []int
	for i, k := range keep {
		if !k {
			rest = append(rest, i)
		}
	}
	sub, shift := make([]float64, len(rest)*len(rest)), make([]float64, len(rest))
	for a, i := range rest {
		for b, j := range rest {
			sub[a*len(rest)+b] = p[1].V[i*n+j]
		}
		for j := range n {
			if keep[j] {
				shift[a] += p[1].V[i*n+j] * (x[j] - p[0].V[j])
			}
		}
	}
	if why := kit.Definite(sub, len(rest)); why != "" {
		return nil, f, nil, errors.New("the precision matrix of the part to draw is " + why)
	}
	f = kit.FactorOf(sub, len(rest))
	kit.Solve(f, shift)
	mean = make([]float64, n)
	for a, i := range rest {
		mean[i] = p[0].V[i] - shift[a]
	}
	return mean, f, rest, nil
}
