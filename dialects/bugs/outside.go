package bugs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// Outside says of the nodes whose density is 0 at a state what their values are and
// where they could be: a warning for each statement, about the first of its nodes.
func (m *Model) Outside(st State) diag.List {
	var list diag.List
	first, more := map[*Statement]*diag.Diagnostic{}, map[*Statement]int{}
	r := &runner{m: m, f: m.frameOn(st.clone()), factor: func(Factor) {}}
	r.outside = func(s *Statement, elems []int, x []float64, p []value, b bounds) {
		if first[s] != nil {
			more[s]++
			return
		}
		d := diag.Warningf(s.Span(), "the density of %s is 0: %s", elementsName(s.v, elems), whyOutside(s, elems, x, p, b))
		if s.v.ClassAt(elems[0]) != Observed {
			d.WithFix("give %s another initial value", elementsName(s.v, elems))
		}
		first[s] = d
		list = append(list, d)
	}
	if err := r.items(m.Order); err != nil {
		return nil
	}
	for s, n := range more {
		first[s].WithNote(diag.Span{}, "so is that of %s of this statement", plural(n, "more node"))
	}
	return list
}

// whyOutside compares the value of a node with what its distribution allows.
func whyOutside(s *Statement, elems []int, x []float64, p []value, b bounds) string {
	law := s.Sample.Dist
	if args := make([]string, len(p)); !slices.ContainsFunc(p, func(a value) bool { return len(a.v) != 1 }) {
		for i, a := range p {
			args[i] = fmt.Sprintf("%.6g", a.v[0])
		}
		law += "(" + strings.Join(args, ", ") + ")"
	}
	where := ""
	if s.v.ClassAt(elems[0]) == Observed {
		where = " in the data"
	}
	what, inside := allowed(s, x, p, b)
	switch {
	case len(x) != 1:
		return fmt.Sprintf("%s wants %s", law, what)
	case inside:
		return fmt.Sprintf("it is %v%s, which is impossible, or too far out, under %s", x[0], where, law)
	}
	return fmt.Sprintf("it is %v%s, and %s allows %s", x[0], where, law, what)
}

func (st State) clone() State {
	out := make(State, len(st))
	for i, x := range st {
		out[i] = append([]float64(nil), x...)
	}
	return out
}

// allowed describes the values that have a density above 0, as far as the support and the
// limits tell; inside says that the value, if it is a number, is one of them by that.
func allowed(s *Statement, x []float64, p []value, b bounds) (what string, inside bool) {
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
		return ranged("a number", lo, hi), len(x) == 1 && x[0] >= lo && x[0] <= hi
	}
	whole := func(from, to float64) (string, bool) {
		from, to = math.Max(lo, from), math.Min(hi, to)
		return ranged("a whole number", from, to), len(x) == 1 && x[0] >= from && x[0] <= to && isInteger(x[0])
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
	case "dinterval":
		return fmt.Sprint(countBelow(arg(0), p[1].v)), false
	}
	return elsewhere(dist, arg), false
}

// elsewhere describes the supports that are no ranges.
func elsewhere(dist string, arg func(i int) float64) string {
	switch dist {
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
	return "values whose density is above 0"
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
