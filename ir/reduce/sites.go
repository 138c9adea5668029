package reduce

import (
	"github.com/irc-lang/irc/ir"
)

// site is an op of a program.
type site struct {
	g *ir.Graph
	v ir.Value
}

// sites lists the ops of a verbatim graph and its children, outer before inner,
// in the order of the text.
func sites(g *ir.Graph) []site {
	var out []site
	ir.NewSchedule(g, ir.ScheduleOptions{}).Walk(func(v ir.Value) {
		out = append(out, site{g, v})
		for _, c := range g.Children(v) {
			out = append(out, sites(c)...)
		}
	})
	return out
}

func (s site) def() *ir.OpDef { return s.g.Def(s.v) }

func (s site) droppable() bool { return !s.def().Has(ir.Terminator) && !isTerm(s) }

// isTerm reports the last op of a region, registered or not, that has operands
// which the region's owner needs.
func isTerm(s site) bool { return s.g.Term(s.g.Home(s.v)) == s.v }

// types lists the types of the results.
func (s site) types() []ir.Type { return s.g.Ctx.Results(s.g.Type(s.v)) }

// Weights of the score: an op that computes is worth more than any number of
// constants that it may leave behind, and those more than what their values are.
const (
	weighOp    = 1000
	weighConst = 40
	weighAttr  = 5
)

// score orders programs: smaller is better.
func score(g *ir.Graph) int {
	n := 0
	for _, s := range sites(g) {
		if a := s.g.AttrsOf(s.v); a != 0 {
			n += weighAttr * len(g.Ctx.AttrInfo(a).Attrs)
		}
		x, isConst := s.g.Const(s.v)
		switch {
		case !isConst:
			n += weighOp + len(s.g.Args(s.v))
		case x.Ref != nil:
			n += weighConst + weighConst/2
		default:
			n += weighConst + digits(value(s, x))
		}
	}
	return n
}

func value(s site, x ir.Val) float64 {
	info := s.g.Ctx.Info(s.g.Type(s.v))
	if info.Kind == ir.KindFloat {
		return x.Float(s.g.Type(s.v))
	}
	return float64(x.Int(info.Width))
}

// digits is 0 for 0, 1 for 1, and grows with the length of a number's text; NaN
// and infinities are in between.
func digits(x float64) int {
	switch x {
	case 0:
		return 0
	case 1:
		return 1
	}
	return min(2+len(spell(x)), weighConst-1)
}

// inlines proposes bodies in the place of an op.
func inlines(s site) []edit {
	var out []edit
	for i, r := range s.g.Regions(s.v) {
		if s.g.HasBlock(r) && s.droppable() {
			out = append(out, edit{kind: inline, n: i})
		}
	}
	return out
}

// substitutes proposes what may stand for an op with one result, and the op
// without its discardable attributes.
func substitutes(s site) []edit {
	var out []edit
	if a := s.g.AttrsOf(s.v); a != 0 && len(s.g.Ctx.AttrInfo(a).Attrs) > 0 {
		out = append(out, edit{kind: plain})
	}
	if !s.droppable() || len(s.types()) == 0 || s.def().Has(ir.ConstantLike) {
		return out
	}
	out = append(out, edit{kind: constant})
	if len(s.types()) == 1 {
		for i, a := range s.g.Args(s.v) {
			if s.g.Type(a) == s.g.Type(s.v) {
				out = append(out, edit{kind: operand, n: i})
			}
		}
	}
	return out
}

// smaller proposes other values for a constant: 0, 1, half of it.
func smaller(s site) []edit {
	x, ok := s.g.Const(s.v)
	if !ok || x.Ref != nil {
		return nil
	}
	v := value(s, x)
	out := []edit{{kind: number, x: 0}, {kind: number, x: 1}}
	if half := float64(int64(v / 2)); v == v && half != v && half != 0 && half != 1 {
		out = append(out, edit{kind: number, x: half})
	}
	return out
}
