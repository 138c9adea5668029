package bugs

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/ir/diag"
)

// maxOutside bounds the warnings of Outside.
const maxOutside = 10

// Outside says of the nodes whose density is 0 at a state what their values are and
// where they could be: a warning each.
func (m *Model) Outside(st State) diag.List {
	var list diag.List
	more := 0
	r := &runner{m: m, f: m.frameOn(st.clone()), factor: func(Factor) {}}
	r.outside = func(s *Statement, elems []int, x []float64, p []value, b bounds) {
		if len(list) == maxOutside {
			more++
			return
		}
		where, name := "", elementsName(s.v, elems)
		if s.v.ClassAt(elems[0]) == Observed {
			where = " in the data"
		}
		value := ""
		if len(x) == 1 {
			value = fmt.Sprintf(" %v%s,", x[0], where)
		}
		d := diag.Warningf(s.Span(), "the density is 0: %s is%s outside of what %s allows here: it must be %s", name, value, s.Sample.Dist, allowed(s, x, p, b))
		if where == "" {
			d.WithFix("give %s another initial value", name)
		}
		list = append(list, d)
	}
	if err := r.items(m.Order); err != nil {
		return nil
	}
	if more > 0 {
		list = append(list, diag.Warningf(diag.Span{}, "the density of %d more nodes is 0", more))
	}
	return list
}

func (st State) clone() State {
	out := make(State, len(st))
	for i, x := range st {
		out[i] = append([]float64(nil), x...)
	}
	return out
}

// allowed describes the values that have a density above 0, as far as the support and the
// limits tell.
func allowed(s *Statement, x []float64, p []value, b bounds) string {
	arg := func(i int) float64 { return p[i].v[0] }
	dist := s.Dist.Name
	lo, hi := b.lo, b.hi
	if sup, ok := supportOf(dist, len(p)); ok {
		if sup.lo.kind != noLimit {
			lo = math.Max(lo, limitValue(floats{}, sup.lo, arg))
		}
		if sup.hi.kind != noLimit {
			hi = math.Min(hi, limitValue(floats{}, sup.hi, arg))
		}
		if len(x) == 1 && x[0] >= lo && x[0] <= hi {
			return ranged("a number", lo, hi) + " that is less far out, or not on the edge"
		}
		return ranged("a number", lo, hi)
	}
	whole := func(from, to float64) string {
		return ranged("a whole number", math.Max(lo, from), math.Min(hi, to)) + " whose probability is not 0"
	}
	switch dist {
	case "dbern":
		return whole(0, 1)
	case "dbin":
		return whole(0, arg(1))
	case "dbetabin":
		return whole(0, arg(2))
	case "dpois", "dnegbin", "dgeom0":
		return whole(0, inf)
	case "dgeom":
		return whole(1, inf)
	case "dhyper":
		return whole(math.Max(0, arg(2)-arg(1)), math.Min(arg(0), arg(2)))
	case "dcat":
		return whole(1, float64(len(p[0].v)))
	case "dordered.logit", "dordered.probit":
		return whole(1, float64(len(p[1].v)+1))
	case "dpick":
		return fmt.Sprintf("%v or %v", arg(1), arg(2))
	case "dround":
		return fmt.Sprintf("%v", rounded[float64, bool](floats{}, arg(0), arg(1)))
	case "dmulti":
		return fmt.Sprintf("whole numbers with sum %v, and 0 where the probability is", arg(1))
	case "ddirch":
		return "numbers from 0 with sum 1, and 0 only where alpha is at most 1"
	case "dwish", "dscaled.wishart":
		return "a symmetric positive definite matrix"
	case "dsample":
		return fmt.Sprintf("%v ones, and zeros", arg(1))
	}
	return "where its density is above 0"
}

func ranged(what string, lo, hi float64) string {
	switch below, above := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
	case below && above:
		return fmt.Sprintf("%s from %v to %v", what, lo, hi)
	case below:
		return fmt.Sprintf("%s from %v on", what, lo)
	case above:
		return fmt.Sprintf("%s up to %v", what, hi)
	}
	return what
}
