package eval

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// chance finds the predictor of a probability: the argument of ilogit, phi, icloglog or exp,
// or the right side of link(p) <- ..., where p is as written, or 1 less that. A probability
// next to 1 has lost the digits of 1 - p, and one far out is 0; the predictor has them, also
// that of a node which is another as it is.
func (f *Frame) chance(e syntax.Expr) (c functions.Chance[float64], ok bool) {
	c, ok = f.predictor(e, mostCopies)
	return c, ok && functions.IsChance(kit.Float{}, c)
}

// unrounded are parameters of which the first, if it has a link, may be 0 or 1 for its
// digits alone.
func unrounded(p []float64, linked bool) []float64 {
	if !linked || p[0] > 0 && p[0] < 1 {
		return p
	}
	p = slices.Clone(p)
	p[0] = 0.5
	return p
}

// mostCopies is how many nodes that are another as it is are followed.
const mostCopies = 8

func (f *Frame) predictor(e syntax.Expr, copies int) (c functions.Chance[float64], ok bool) {
	switch e := e.(type) {
	case *syntax.Call:
		if d := syntax.LookupFunction(e.Name); d != nil && len(e.Args) == 1 {
			return f.linked(functions.InverseLinks[d.Name], e.Args[0])
		}
	case *syntax.Binary:
		if one, is := e.X.(*syntax.Num); is && one.Value == 1 && e.Op == syntax.OpSub && copies > 0 {
			c, ok = f.predictor(e.Y, copies-1)
			c.Other = !c.Other
			return c, ok
		}
	case *syntax.Ref:
		v := f.Model.Bindings[e].Var
		if v == nil {
			return c, false
		}
		k, err := f.Element(e, v)
		by := model.Origin{}
		if err == nil && v.DrawnBy(k).Stmt == 0 {
			by = v.AssignedBy(k) // also of data: 0 is no statement
		}
		if by.Stmt == 0 {
			return c, false
		}
		s := f.Model.Statements[by.Stmt-1]
		if !allSingle(s.LHS.Indices) {
			return c, false
		}
		g := &Frame{Model: f.Model, Store: f.Store, Loops: s.Loops, At: s.At(int(by.Iter))}
		if s.Assign.Link == "" && copies > 0 {
			return g.predictor(s.Assign.RHS, copies-1)
		}
		return g.linked(functions.Links[s.Assign.Link], s.Assign.RHS)
	}
	return c, false
}

// linked is the chance of a link at an expression.
func (f *Frame) linked(link functions.Link, e syntax.Expr) (c functions.Chance[float64], ok bool) {
	if link == functions.NoLink {
		return c, false
	}
	x, err := f.Scalar(e)
	return functions.Chance[float64]{Link: link, Eta: x}, err == nil
}

func allSingle(es []syntax.Expr) bool {
	for _, e := range es {
		if !model.Single(e) {
			return false
		}
	}
	return true
}
