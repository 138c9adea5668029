package support

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// A Transform is a map from the real line, or from vectors of reals, onto the
// support of a node. They are those of the reference manual of Stan, chapter
// "Constraint transforms".
type Transform uint8

// The kinds. u is the unconstrained number, x the node.
const (
	Identity    Transform = iota // x = u
	LowerBound                   // x = lo + exp(u)
	UpperBound                   // x = hi - exp(u)
	BothBounds                   // x = lo + (hi - lo) ilogit(u)
	AnyBounds                    // one of these, by which of lo and hi are finite at the point
	Ordered                      // x = lo + exp(u), with lo the node before in a chain a[1] < a[2] < ...
	Simplex                      // stick-breaking, one coordinate less than elements
	Cholesky                     // of a symmetric positive definite matrix: the factor by rows, with log diagonal
	NoTransform                  // the node takes part as data
)

func (t Transform) String() string {
	return [...]string{"identity", "lower", "upper", "interval", "bounds", "ordered", "simplex", "cholesky", "none"}[t]
}

// Constrained is x and the logarithm of |dx/du| for a transform of numbers. Limits that
// the kind does not have are not used.
func Constrained[T, B any](k kit.Calc[T, B], kind Transform, u, lo, hi T) (x, logJ T) {
	switch kind {
	case Identity:
		return u, k.Num(0)
	case LowerBound, Ordered:
		return k.Add(lo, k.Exp(u)), u
	case UpperBound:
		return k.Sub(hi, k.Exp(u)), u
	case BothBounds:
		return interval(k, u, lo, hi)
	case AnyBounds:
		below := k.Holds(arith.OGT, lo, k.Num(math.Inf(-1)))
		above := k.Holds(arith.OLT, hi, k.Num(kit.Inf))
		l, h := kit.OrElse(k, below, lo, 0), kit.OrElse(k, above, hi, 1)
		both, logBoth := interval(k, u, l, h)
		one := k.Pick(below, k.Add(l, k.Exp(u)), k.Pick(above, k.Sub(h, k.Exp(u)), u))
		bounded := k.Or(below, above)
		all := k.And(below, above)
		return k.Pick(all, both, one), k.Pick(all, logBoth, k.Pick(bounded, u, k.Num(0)))
	}
	panic("prob: " + kind.String() + " is no transform of numbers")
}

// interval is the scaled logit. Where lo > hi the node has no meaning, which its own
// factor says.
func interval[T, B any](k kit.Calc[T, B], u, lo, hi T) (x, logJ T) {
	n := k.Sub(hi, lo)
	// exp of a non-positive number: neither end loses digits.
	right := k.Holds(arith.OGE, u, k.Num(0)) // at 0 too, as the slope of |u| there is that from above
	far := k.Exp(k.Neg(k.Abs(u)))
	part := k.Div(far, k.Add(k.Num(1), far))
	x = k.Pick(right, k.Sub(hi, k.Mul(n, part)), k.Add(lo, k.Mul(n, part)))
	some := k.Holds(arith.OGT, n, k.Num(0))
	width := k.Log(kit.OrElse(k, some, n, 1))
	return x, k.Sub(k.Sub(width, k.Abs(u)), k.Mul(k.Num(2), k.Log1p(far)))
}

// Inverse is u for a transform of numbers; it is not finite for x outside of the support, or on its edge.
func Inverse[T, B any](k kit.Calc[T, B], kind Transform, x, lo, hi T) T {
	switch kind {
	case Identity:
		return x
	case LowerBound, Ordered:
		return k.Log(k.Sub(x, lo))
	case UpperBound:
		return k.Log(k.Sub(hi, x))
	case BothBounds:
		return k.Sub(k.Log(k.Sub(x, lo)), k.Log(k.Sub(hi, x)))
	case AnyBounds:
		below := k.Holds(arith.OGT, lo, k.Num(math.Inf(-1)))
		above := k.Holds(arith.OLT, hi, k.Num(kit.Inf))
		from, to := k.Log(k.Sub(x, lo)), k.Log(k.Sub(hi, x))
		return k.Pick(below, k.Pick(above, k.Sub(from, to), from), k.Pick(above, to, x))
	}
	panic("prob: " + kind.String() + " is no transform of numbers")
}

// Unconstrain is the inverse of Constrained; ok says that x is inside of the support.
func Unconstrain(kind Transform, x, lo, hi float64) (u float64, ok bool) {
	u = Inverse(kit.Float{}, kind, x, lo, hi)
	return u, !math.IsNaN(u) && !math.IsInf(u, 0)
}

// UnconstrainAll writes the inverse of each of x, all with the same limits, to u; bad is the
// first that is not inside of the support, or -1.
func UnconstrainAll(kind Transform, x, u []float64, lo, hi float64) (bad int) {
	for i, y := range x {
		ok := y-y == 0 // neither infinite nor NaN
		if kind == Identity {
			u[i] = y
		} else {
			u[i], ok = Unconstrain(kind, y, lo, hi)
		}
		if !ok {
			return i
		}
	}
	return -1
}

// StickBreaking writes the n probabilities of n-1 numbers: of the stick that is left each
// takes ilogit(u - log(number left)), so that u = 0 gives equal parts.
func StickBreaking(u, x []float64) (logJ float64) {
	n, left := len(x), 0.0 // left is the logarithm of the rest of the stick
	for i, y := range u {
		y -= math.Log(float64(n - 1 - i))
		take, keep := -special.Value(special.Log1pexp, -y), -special.Value(special.Log1pexp, y)
		x[i] = math.Exp(left + take)
		logJ += left + take + keep
		left += keep
	}
	x[n-1] = math.Exp(left)
	return logJ
}

// StickBreaks is the inverse.
func StickBreaks(x, u []float64) bool {
	rest := 0.0 // of the elements from i on, summed from the small end: no cancellation
	for i := len(x) - 1; i >= 0; i-- {
		if !(x[i] > 0) || math.IsInf(x[i], 1) {
			return false
		}
		if i < len(u) {
			u[i] = math.Log(x[i]) - math.Log(rest) + math.Log(float64(len(x)-1-i))
		}
		rest += x[i]
	}
	return math.Abs(rest-1) <= SimplexSlack
}

// FromFactor writes the n by n matrix x = L L' of the n(n+1)/2 numbers of L by rows,
// its diagonal as logarithms; the Jacobian is that of the lower triangle of x.
func FromFactor(u, x []float64, n int) (logJ float64) {
	l := make([]float64, n*n)
	m := 0
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = u[m]
			if i == j {
				l[i*n+j] = math.Exp(u[m])
				logJ += float64(n-i+1) * u[m]
			}
			m++
		}
	}
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for k := range j + 1 {
				s += l[i*n+k] * l[j*n+k]
			}
			x[i*n+j], x[j*n+i] = s, s
		}
	}
	return logJ + float64(n)*math.Ln2
}

// FactorRows is the inverse; why says what x is instead of positive definite.
func FactorRows(x, u []float64, n int) (why string) {
	if why := kit.Definite(x, n); why != "" {
		return why
	}
	f := kit.FactorOf(x, n)
	m := 0
	for i := range n {
		for j := range i + 1 {
			if i == j {
				u[m] = 0.5 * math.Log(f.Pivot(i))
			} else {
				u[m] = f.Lower(i, j) * math.Sqrt(f.Pivot(j))
			}
			m++
		}
	}
	return ""
}

// SimplexSlack is how far from 1 the sum of a vector of probabilities may be, which
// files give with few digits.
const SimplexSlack = 1e-6
