package bugs

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// A TransformKind is a map from the real line, or from vectors of reals, onto the
// support of a node. They are those of the reference manual of Stan, chapter
// "Constraint transforms".
type TransformKind uint8

// The kinds. u is the unconstrained number, x the node.
const (
	Identity    TransformKind = iota // x = u
	LowerBound                       // x = lo + exp(u)
	UpperBound                       // x = hi - exp(u)
	BothBounds                       // x = lo + (hi - lo) ilogit(u)
	AnyBounds                        // one of these, by which of lo and hi are finite at the point
	Ordered                          // x = lo + exp(u), with lo the node before in a chain a[1] < a[2] < ...
	Simplex                          // stick-breaking, one coordinate less than elements
	Cholesky                         // of a symmetric positive definite matrix: the factor by rows, with log diagonal
	NoTransform                      // the node takes part as data
)

func (t TransformKind) String() string {
	return [...]string{"identity", "lower", "upper", "interval", "bounds", "ordered", "simplex", "cholesky", "none"}[t]
}

// constrained is x and the logarithm of |dx/du| for a transform of numbers. Limits that
// the kind does not have are not used.
func constrained[T, B any](k calc[T, B], kind TransformKind, u, lo, hi T) (x, logJ T) {
	switch kind {
	case Identity:
		return u, k.num(0)
	case LowerBound, Ordered:
		return k.add(lo, k.exp(u)), u
	case UpperBound:
		return k.sub(hi, k.exp(u)), u
	case BothBounds:
		return interval(k, u, lo, hi)
	case AnyBounds:
		below := k.holds(arith.OGT, lo, k.num(math.Inf(-1)))
		above := k.holds(arith.OLT, hi, k.num(inf))
		l, h := orElse(k, below, lo, 0), orElse(k, above, hi, 1)
		both, logBoth := interval(k, u, l, h)
		one := k.pick(below, k.add(l, k.exp(u)), k.pick(above, k.sub(h, k.exp(u)), u))
		bounded := k.or(below, above)
		all := k.and(below, above)
		return k.pick(all, both, one), k.pick(all, logBoth, k.pick(bounded, u, k.num(0)))
	}
	panic("bugs: " + kind.String() + " is no transform of numbers")
}

// interval is the scaled logit. Where lo > hi the node has no meaning, which its own
// factor says.
func interval[T, B any](k calc[T, B], u, lo, hi T) (x, logJ T) {
	n := k.sub(hi, lo)
	// exp of a non-positive number: neither end loses digits.
	right := k.holds(arith.OGT, u, k.num(0))
	far := k.exp(k.neg(k.abs(u)))
	part := k.div(far, k.add(k.num(1), far))
	x = k.pick(right, k.sub(hi, k.mul(n, part)), k.add(lo, k.mul(n, part)))
	some := k.holds(arith.OGT, n, k.num(0))
	width := k.log(orElse(k, some, n, 1))
	return x, k.sub(k.sub(width, k.abs(u)), k.mul(k.num(2), k.log1p(far)))
}

// unconstrain is the inverse of constrained; ok says that x is inside of the support.
func unconstrain(kind TransformKind, x, lo, hi float64) (u float64, ok bool) {
	switch kind {
	case AnyBounds:
		switch {
		case !math.IsInf(lo, -1) && !math.IsInf(hi, 1):
			return unconstrain(BothBounds, x, lo, hi)
		case !math.IsInf(lo, -1):
			return unconstrain(LowerBound, x, lo, hi)
		case !math.IsInf(hi, 1):
			return unconstrain(UpperBound, x, lo, hi)
		}
		u = x
	case Identity:
		u = x
	case LowerBound, Ordered:
		u = math.Log(x - lo)
	case UpperBound:
		u = math.Log(hi - x)
	case BothBounds:
		u = math.Log(x-lo) - math.Log(hi-x)
	default:
		panic("bugs: " + kind.String() + " is no transform of numbers")
	}
	return u, !math.IsNaN(u) && !math.IsInf(u, 0)
}

// simplexOf writes the n probabilities of n-1 numbers: of the stick that is left each
// takes ilogit(u - log(number left)), so that u = 0 gives equal parts.
func simplexOf(u, x []float64) (logJ float64) {
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

// breaksOf is the inverse.
func breaksOf(x, u []float64) bool {
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
	return math.Abs(rest-1) <= simplexSlack
}

// definiteOf writes the n by n matrix x = L L' of the n(n+1)/2 numbers of L by rows,
// its diagonal as logarithms; the Jacobian is that of the lower triangle of x.
func definiteOf(u, x []float64, n int) (logJ float64) {
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

// factorRows is the inverse; why says what x is instead of positive definite.
func factorRows(x, u []float64, n int) (why string) {
	ch, why := definite(x, n)
	if why != "" {
		return why
	}
	l := lowerRows(ch)
	m := 0
	for i := range n {
		for j := range i + 1 {
			u[m] = l[i*n+j]
			if i == j {
				u[m] = math.Log(u[m])
			}
			m++
		}
	}
	return ""
}
