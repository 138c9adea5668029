package affine

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// An Upper bounds a value: it is at most Value + Off, as numbers with sign, and that
// does not wrap around.
type Upper struct {
	Value ir.Value // an integer or index
	Off   int64    // what is added to it; it may be negative
}

// most bounds the list of Uppers, and far their distance.
const most, far = 16, 1 << 40

// Uppers lists values that bound another one from above: itself, the upper bound of
// the loop that it is an index of, what the branches around compare it with, the
// operands of a minimum, and what bounds these. It is for graphs that are done.
func (a Analysis) Uppers(v ir.Value) []Upper {
	if widthOf(a.g, v) == 0 {
		return nil
	}
	out := []Upper{{v, 0}}
	for i := 0; i < len(out); i++ {
		u := out[i]
		put := func(w ir.Value, off int64) {
			off += u.Off
			if w == 0 || off < -far || off > far || len(out) == most {
				return
			}
			if k := slices.IndexFunc(out, func(u Upper) bool { return u.Value == w }); k < 0 {
				out = append(out, Upper{w, off})
			} else if k > i {
				out[k].Off = min(out[k].Off, off)
			}
		}
		if x, c := a.base(u.Value); x != u.Value && c > -far && c < far {
			put(x, c)
		}
		a.above(u.Value, put)
	}
	return out
}

// above calls put with what bounds a value at one remove.
func (a Analysis) above(v ir.Value, put func(w ir.Value, off int64)) {
	if r, _, ok := a.g.Param(v); ok {
		if l, k := a.loop(v, r); k >= 0 && l.Inclusive {
			put(l.Upper[k].Value, 0)
		} else if k >= 0 {
			put(l.Upper[k].Value, -1)
		}
	} else if f, ok := formOf(a.g, v); ok {
		positive := func(i int) bool { return a.Number(a.g.Args(v)[i]).Low >= 0 }
		switch f.Op {
		case MinSigned:
			put(a.g.Args(v)[0], 0)
			put(a.g.Args(v)[1], 0)
		case Min:
			if positive(0) && positive(1) {
				put(a.g.Args(v)[0], 0)
				put(a.g.Args(v)[1], 0)
			}
		case Rem, RemSigned: // by zero it traps
			if positive(1) {
				put(a.g.Args(v)[1], -1)
			}
		case SignExtend, ZeroExtend:
			if f.Op == SignExtend && widthOf(a.g, v) >= widthOf(a.g, a.g.Args(v)[0]) || positive(0) {
				put(a.g.Args(v)[0], 0)
			}
		}
	}
	a.about(v, func(p Predicate, w ir.Bound, off int64) {
		if off <= -far || off >= far || w.Value == 0 || p >= ULT && a.Number(w.Value).Low < 0 {
			return
		}
		switch p {
		case LT, ULT: // below what is not negative, without sign, is not negative
			put(w.Value, off-1)
		case LE, ULE, EQ:
			put(w.Value, off)
		}
	})
}
