package bugs

import (
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// maxShared bounds the loops that two statements share for the integer sets.
const maxShared = depend.MaxLoops

// solve finds the dependence vectors of affine subscripts by integer sets.
func (b *builder) solve(a *reading, from *Statement, shared int) ([][]int8, outcome) {
	b.solved++
	t := depend.NewTester()
	def, err := t.Access(everywhere("S", from.dom.depth), relationTo(&from.dom, "S", from.lhs.lo, from.lhs.hi))
	if err != nil {
		return nil, unclear
	}
	use, err := t.Access(everywhere("T", a.s.dom.depth), relationTo(&a.s.dom, "T", a.lo, a.hi))
	if err != nil {
		return nil, unclear
	}
	d, err := t.Test(def, use, shared)
	if err != nil {
		return nil, unclear
	}
	var out [][]int8
	for _, v := range d.Vectors {
		vec := make([]int8, shared)
		for k := range vec {
			switch v.At(k) {
			case depend.Negative:
				vec[k] = -1
			case depend.Positive:
				vec[k] = 1
			case depend.Zero:
			default:
				return nil, unclear
			}
		}
		out = append(out, vec)
	}
	return out, decided
}

func loopNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "i" + string(rune('0'+i%10))
	}
	return out
}

// everywhere is the set of all instances of a statement.
func everywhere(name string, depth int) presburger.Set {
	return presburger.SetOf(presburger.Basic{Out: presburger.NewTuple(name, loopNames(depth)...)})
}

// relationTo relates the iterations of a box to the elements between lo and hi.
func relationTo(d *domain, name string, lo, hi []affine) presburger.Map {
	width := 1 + d.depth + len(lo)
	row := func(c int) []presburger.Int {
		r := make([]presburger.Int, width)
		r[0] = presburger.NewInt(int64(c))
		return r
	}
	basic := presburger.Basic{In: presburger.NewTuple(name, loopNames(d.depth)...), Out: presburger.NewTuple("A", loopNames(len(lo))...)}
	for k := range d.depth {
		low, high := row(-int(d.box[2*k])), row(int(d.box[2*k+1]))
		low[1+k], high[1+k] = presburger.NewInt(1), presburger.NewInt(-1)
		basic.Ge = append(basic.Ge, low, high)
	}
	for i := range lo {
		// element - lo >= 0 and hi - element >= 0, or element - lo = 0
		low, high := row(-lo[i].c), row(hi[i].c)
		same := lo[i].c == hi[i].c
		for k := range d.depth {
			low[1+k], high[1+k] = presburger.NewInt(int64(-lo[i].at(k))), presburger.NewInt(int64(hi[i].at(k)))
			same = same && lo[i].at(k) == hi[i].at(k)
		}
		low[1+d.depth+i], high[1+d.depth+i] = presburger.NewInt(1), presburger.NewInt(-1)
		if same {
			basic.Eq = append(basic.Eq, low)
		} else {
			basic.Ge = append(basic.Ge, low, high)
		}
	}
	return presburger.MapOf(basic)
}
