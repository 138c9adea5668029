package affine

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Decide reports what comes of a comparison wherever it is made, if that is known: of
// ranges that do not meet, or of a value and one of its Uppers.
func (a Analysis) Decide(p Predicate, x, y ir.Value) (holds, known bool) {
	if p == EQ || p == NE {
		apart := a.Differ(x, y) || a.apart(x, y) || a.below(x, y, 0) || a.below(y, x, 0)
		return p == NE, apart
	}
	if p >= ULT {
		if a.Number(x).Low < 0 || a.Number(y).Low < 0 {
			return false, false
		}
		p -= ULT - LT
	}
	switch p {
	case LT:
		return a.order(x, y)
	case GE:
		holds, known = a.order(x, y)
		return !holds, known
	case GT:
		return a.order(y, x)
	default:
		holds, known = a.order(y, x)
		return !holds, known
	}
}

// apart reports that a condition around says that x and y differ, or that one is less.
func (a Analysis) apart(x, y ir.Value) (yes bool) {
	a.about(x, func(p Predicate, w ir.Bound, off int64) {
		yes = yes || w.Value == y && off == 0 && (p == NE || p == LT || p == GT || p == ULT || p == UGT)
	})
	return yes
}

// order decides x < y.
func (a Analysis) order(x, y ir.Value) (less, known bool) {
	if a.below(x, y, 0) {
		return true, true
	}
	return false, a.below(y, x, 1)
}

// below reports x < y + slack, slack being 0 or 1.
func (a Analysis) below(x, y ir.Value, slack int64) bool {
	n, m := a.Number(x), a.Number(y)
	if n.Width == 0 || n.Width != m.Width {
		return false
	}
	if n.High < m.Low || slack == 1 && n.High == m.Low {
		return true
	}
	return slices.ContainsFunc(a.Uppers(x), func(u Upper) bool { return u.Value == y && u.Off < slack })
}
