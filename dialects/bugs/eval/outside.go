package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir/diag"
)

// Outside says of the nodes whose density is 0 at a state what their values are and
// where they could be: a warning for each statement, about the first of its nodes.
func Outside(m *model.Model, st State) diag.List {
	var list diag.List
	first, more := map[*model.Statement]*diag.Diagnostic{}, map[*model.Statement]int{}
	r := &Runner{Model: m, Frame: FrameOn(m, st.Clone()), Factor: func(Factor) {}}
	r.outside = func(s *model.Statement, elems []int, x []float64, p []function.Value, b Bounds) {
		if first[s] != nil {
			more[s]++
			return
		}
		d := diag.Warningf(s.Span(), "the density of %s is 0: %s", ElementsName(s.Var, elems), whyOutside(s, elems, x, p, b))
		if s.Var.ClassAt(elems[0]) != model.Observed {
			d.WithFix("give %s another initial value", ElementsName(s.Var, elems))
		}
		first[s] = d
		list = append(list, d)
	}
	if err := r.Items(m.Order); err != nil {
		return nil
	}
	for s, n := range more {
		first[s].WithNote(diag.Span{}, "so is that of %s of this statement", model.Plural(n, "more node"))
	}
	return list
}

// whyOutside compares the value of a node with what its distribution allows.
func whyOutside(s *model.Statement, elems []int, x []float64, p []function.Value, b Bounds) string {
	law := s.Sample.Dist
	if args := make([]string, len(p)); !slices.ContainsFunc(p, func(a function.Value) bool { return len(a.V) != 1 }) {
		for i, a := range p {
			args[i] = fmt.Sprintf("%.6g", a.V[0])
		}
		law += "(" + strings.Join(args, ", ") + ")"
	}
	where := ""
	if s.Var.ClassAt(elems[0]) == model.Observed {
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

func (st State) Clone() State {
	out := make(State, len(st))
	for i, x := range st {
		out[i] = append([]float64(nil), x...)
	}
	return out
}

// allowed describes the values that have a density above 0, as far as the support and the
// limits tell; inside says that the value, if it is a number, is one of them by that.
func allowed(s *model.Statement, x []float64, p []function.Value, b Bounds) (what string, inside bool) {
	arg := func(i int) float64 { return p[i].V[0] }
	law := s.Dist.Law
	lo, hi := b.Lo, b.Hi
	if sup, ok := apply.Support(law, len(p)); ok {
		if sup.Lo.Kind != support.NoLimit {
			lo = math.Max(lo, support.LimitAt(kit.Float{}, sup.Lo, arg))
		}
		if sup.Hi.Kind != support.NoLimit {
			hi = math.Min(hi, support.LimitAt(kit.Float{}, sup.Hi, arg))
		}
		return ranged("a number", lo, hi), len(x) == 1 && x[0] >= lo && x[0] <= hi
	}
	whole := func(from, to float64) (string, bool) {
		from, to = math.Max(lo, from), math.Min(hi, to)
		return ranged("a whole number", from, to), len(x) == 1 && x[0] >= from && x[0] <= to && kit.IsInteger(x[0])
	}
	switch {
	case law.Range != nil:
		return whole(law.Range(p))
	case law.Where != nil:
		return law.Where(p), false
	}
	return "values whose density is above 0", false
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
