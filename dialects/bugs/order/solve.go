package order

import (
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// maxShared bounds the loops that two statements share for the integer sets.
const maxShared = depend.MaxLoops

// solve finds the dependence vectors of affine subscripts by integer sets.
func solve(b *bind.Builder, a *bind.Reading, from *model.Statement, shared int) ([][]int8, bind.Outcome) {
	b.Solved++
	t := depend.NewTester()
	def, err := t.Access(everywhere("S", from.Domain.Depth), relationTo(&from.Domain, "S", from.Defines.Lo, from.Defines.Hi))
	if err != nil {
		return nil, bind.Unclear
	}
	use, err := t.Access(everywhere("T", a.Stmt.Domain.Depth), relationTo(&a.Stmt.Domain, "T", a.Lo, a.Hi))
	if err != nil {
		return nil, bind.Unclear
	}
	d, err := t.Test(def, use, shared)
	if err != nil {
		return nil, bind.Unclear
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
				return nil, bind.Unclear
			}
		}
		out = append(out, vec)
	}
	return out, bind.Decided
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
func relationTo(d *model.Domain, name string, lo, hi []model.Affine) presburger.Map {
	width := 1 + d.Depth + len(lo)
	row := func(c int) []presburger.Int {
		r := make([]presburger.Int, width)
		r[0] = presburger.NewInt(int64(c))
		return r
	}
	basic := presburger.Basic{In: presburger.NewTuple(name, loopNames(d.Depth)...), Out: presburger.NewTuple("A", loopNames(len(lo))...)}
	for k := range d.Depth {
		low, high := row(-int(d.Box[2*k])), row(int(d.Box[2*k+1]))
		low[1+k], high[1+k] = presburger.NewInt(1), presburger.NewInt(-1)
		basic.Ge = append(basic.Ge, low, high)
	}
	for i := range lo {
		// element - lo >= 0 and hi - element >= 0, or element - lo = 0
		low, high := row(-lo[i].Const), row(hi[i].Const)
		same := lo[i].Const == hi[i].Const
		for k := range d.Depth {
			low[1+k], high[1+k] = presburger.NewInt(int64(-lo[i].At(k))), presburger.NewInt(int64(hi[i].At(k)))
			same = same && lo[i].At(k) == hi[i].At(k)
		}
		low[1+d.Depth+i], high[1+d.Depth+i] = presburger.NewInt(1), presburger.NewInt(-1)
		if same {
			basic.Eq = append(basic.Eq, low)
		} else {
			basic.Ge = append(basic.Ge, low, high)
		}
	}
	return presburger.MapOf(basic)
}
