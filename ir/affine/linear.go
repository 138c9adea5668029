package affine

import (
	"github.com/irc-lang/irc/ir"
)

// A Linear is a constant and multiples of values, in order of the values and none of
// them 0. It equals what it is the form of modulo 2 to the power of Width: sums, and
// products with constants, are exact there even where they wrap.
type Linear struct {
	Width int    // in bits, of the values and of the sum; 0 says nothing
	Terms []Term // by value, each once
	Const uint64 // modulo 2 to the power of Width
}

// A Term is a multiple of a value.
type Term struct {
	Value ir.Value // an integer or index of Width bits
	Coef  uint64   // modulo 2 to the power of Width, and not 0
}

// maxTerms bounds the length of a form, and maxSums the ops that are looked through for
// it: a longer sum is a value of its own.
const maxTerms, maxSums = 8, 64

// Linear writes a value as a form in values that are no sums.
func (a Analysis) Linear(v ir.Value) Linear {
	sums := maxSums
	return a.linear(v, 2*depth, &sums)
}

func (a Analysis) linear(v ir.Value, depth int, sums *int) Linear {
	w := widthOf(a.g, v)
	itself := Linear{Width: w, Terms: []Term{{v, 1}}}
	if w == 0 {
		return itself
	}
	if x, ok := a.g.Const(v); ok && x.Ref == nil {
		return Linear{Width: w, Const: x.Bits & mask(w)}
	}
	f, ok := formOf(a.g, v)
	if *sums--; !ok || depth == 0 || *sums < 0 {
		return itself
	}
	if f.Map != nil {
		exprs, dims, syms := f.Map(a.g, v)
		l, ok := a.linearMap(exprs[0], operands{dims, syms, depth - 1}, sums)
		if !ok || len(exprs) > 1 || len(l.Terms) > maxTerms {
			return itself
		}
		return l
	}
	args := a.g.Args(v)
	var l Linear
	switch f.Op {
	case Add:
		l = a.linear(args[0], depth-1, sums).Plus(1, a.linear(args[1], depth-1, sums))
	case Sub:
		l = a.linear(args[0], depth-1, sums).Plus(^uint64(0), a.linear(args[1], depth-1, sums))
	case Mul, ShiftLeft:
		for i := range args {
			c, ok := a.g.Const(args[i])
			if !ok || c.Ref != nil || f.Op == ShiftLeft && (i == 0 || c.Bits >= uint64(w)) {
				continue
			}
			by := c.Bits
			if f.Op == ShiftLeft {
				by = 1 << c.Bits
			}
			return Linear{Width: w}.Plus(by, a.linear(args[1-i], depth-1, sums))
		}
		return itself
	case SignExtend, ZeroExtend, Truncate:
		if widthOf(a.g, args[0]) != w {
			return itself
		}
		l = a.linear(args[0], depth-1, sums)
	default:
		return itself
	}
	if len(l.Terms) > maxTerms {
		return itself
	}
	return l
}

// Plus is l + f m.
func (l Linear) Plus(f uint64, m Linear) Linear {
	out := Linear{Width: l.Width, Const: (l.Const + f*m.Const) & mask(l.Width)}
	put := func(v ir.Value, c uint64) {
		if c &= mask(l.Width); c != 0 {
			out.Terms = append(out.Terms, Term{v, c})
		}
	}
	x, y := l.Terms, m.Terms
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].Value < y[0].Value:
			put(x[0].Value, x[0].Coef)
			x = x[1:]
		case len(x) == 0 || y[0].Value < x[0].Value:
			put(y[0].Value, f*y[0].Coef)
			y = y[1:]
		default:
			put(x[0].Value, x[0].Coef+f*y[0].Coef)
			x, y = x[1:], y[1:]
		}
	}
	return out
}

// Int reads the constant or a coefficient as a number with sign.
func (l Linear) Int(x uint64) int64 { return signed(max(l.Width, 1), x) }

// NumberOf is what is known of the value of a form.
func (a Analysis) NumberOf(l Linear) Number {
	if l.Width == 0 {
		return Any(0)
	}
	n := Just(l.Width, signed(l.Width, l.Const))
	for _, t := range l.Terms {
		x := mul(a.number(t.Value, depth), Just(l.Width, signed(l.Width, t.Coef)), false)
		n = add(n, x, false)
	}
	return n
}

// isSum reports that the form of a value has more to it than the value.
func (a Analysis) isSum(v ir.Value) bool {
	f, _ := formOf(a.g, v)
	return f.Op == Add || f.Op == Sub || f.Op == Mul || f.Op == ShiftLeft || f.Op == SignExtend
}

// Differ reports that two values are never equal.
func (a Analysis) Differ(x, y ir.Value) bool {
	if widthOf(a.g, x) != widthOf(a.g, y) || widthOf(a.g, x) == 0 {
		return false
	}
	if p, q := a.Number(x), a.Number(y); p.High < q.Low || q.High < p.Low || p.zeros&q.ones|p.ones&q.zeros != 0 {
		return true
	}
	if !a.isSum(x) && !a.isSum(y) {
		return false
	}
	return a.NumberOf(a.Linear(x).Plus(^uint64(0), a.Linear(y))).Nonzero()
}

// Within reports that a value is certainly at least low and at most high, or a trap:
// it believes no promises.
func (a Analysis) Within(v ir.Value, low, high int64) bool {
	a = a.Certain()
	return a.Number(v).Within(low, high)
}
