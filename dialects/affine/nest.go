package affine

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// A Point is an affine expression of values.
type Point struct {
	Expr *expr.Expr // of the values; never nil
	// Dims are the values that stand for its dimensions d0, d1 and so on, and Syms those for its symbols; both are of type index.
	Dims, Syms []ir.Value
}

// A Range is what one index of a loop runs over: from the greatest of its lower bounds up to the
// least of its upper bounds, which it does not reach.
type Range struct {
	Index ir.Value // the parameter of the body
	// Lower and Upper are bounds, one or more of each: the greatest of Lower is the first index.
	Lower, Upper []Point
	Step         int64 // between two indices, at least 1
}

// Ranges are those of an affine.for or an affine.parallel, from the outermost index in; there are none of any other op.
func Ranges(n ir.Node) (out []Range) {
	g := n.Graph()
	args, body := g.Args(n.Old()), g.Regions(n.Old())[0]
	switch n.Def() {
	case For:
		b := boundsOf(g.Ctx, n.Attrs(), args)
		return []Range{{g.Params(body)[0], points(b.lower.Results, b.lower.Dims, b.lowerArgs), points(b.upper.Results, b.upper.Dims, b.upperArgs), b.step}}
	case Parallel:
		b, _ := boxOf(g.Ctx, n.Attrs(), args)
		for d, step := range b.steps {
			out = append(out, Range{g.Params(body)[d], points(results(b.lower, b.lowerN, d), b.lower.Dims, b.lowerArgs),
				points(results(b.upper, b.upperN, d), b.upper.Dims, b.upperArgs), step})
		}
	}
	return out
}

// Subscripts are those of an affine.load or an affine.store, one for each dimension of the memory.
func Subscripts(n ir.Node) []Point {
	args := n.Graph().Args(n.Old())
	m := expr.MapOf(n.Graph().Ctx, n.Attr("map"))
	return points(m.Results, m.Dims, args[len(args)-m.Inputs():])
}

// A Condition holds where its expression is 0, or else at least 0.
type Condition struct {
	Point
	Equal bool // it holds where the expression is 0; else where that is 0 or more
}

// Conditions are those that have to hold, all, where the first region of an affine.if runs.
func Conditions(n ir.Node) (out []Condition) {
	s := expr.SetOf(n.Graph().Ctx, n.Attr("condition"))
	args := n.Graph().Args(n.Old())
	for _, c := range s.Constraints {
		out = append(out, Condition{Point{c.Expr, args[:s.Dims], args[s.Dims:]}, c.Equal})
	}
	return out
}

func points(exprs []*expr.Expr, dims int, args []ir.Value) (out []Point) {
	return lists.Map(exprs, func(e *expr.Expr) Point { return Point{e, args[:dims], args[dims:]} })
}
