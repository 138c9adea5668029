package eval

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir/lists"
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
		if v := f.Model.Bindings[e].Var; v != nil {
			if k, err := f.Element(e, v); err == nil {
				return f.predictorOf(v, k, copies)
			}
		}
	}
	return c, false
}

// predictorOf is that of an element.
func (f *Frame) predictorOf(v *model.Var, k, copies int) (c functions.Chance[float64], ok bool) {
	by := model.Origin{}
	if v.DrawnBy(k).Stmt == 0 {
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

// logWeights are the logarithms of weights, those that links make by their predictors; ok says that one of
// these is not that of the weight, which has lost digits.
func (f *Frame) logWeights(e syntax.Expr, w []float64) (logs []float64, ok bool) {
	found := f.predictors(e)
	if len(found) != len(w) {
		return nil, false
	}
	logs = make([]float64, len(w))
	for i, c := range found {
		logs[i] = kit.Log(w[i])
		usable := functions.IsChance(kit.Float{}, c) || c.Link == functions.LogLink && !c.Other && kit.IsFinite(kit.Float{}, c.Eta)
		if c.Link == functions.NoLink || !usable {
			continue
		}
		exact, _ := functions.Logs(kit.Float{}, c)
		ok = ok || !(math.Abs(exact-logs[i]) <= 1e-13*math.Abs(exact))
		logs[i] = exact
	}
	most := slices.Max(logs)
	return logs, ok && !math.IsInf(most, 0) && most == most
}

// predictors are those of the elements of a vector, NoLink where there is none; nil where they are not looked for.
func (f *Frame) predictors(e syntax.Expr) (found []functions.Chance[float64]) {
	switch e := e.(type) {
	case *syntax.Ref:
		if v := f.Model.Bindings[e].Var; v != nil && IsPart(v, e) {
			if f.Each(e, v, false, func(k int) error {
				c, _ := f.predictorOf(v, k, mostCopies)
				found = append(found, c)
				return nil
			}) != nil {
				return nil
			}
		}
	case *syntax.Binary:
		if one, is := e.X.(*syntax.Num); is && one.Value == 1 && e.Op == syntax.OpSub {
			found = f.predictors(e.Y)
			for i := range found {
				found[i].Other = !found[i].Other
			}
		}
	case *syntax.Call:
		link := functions.NoLink
		if d := syntax.LookupFunction(e.Name); d != nil {
			link = functions.InverseLinks[d.Name]
		}
		switch {
		case link != functions.NoLink && len(e.Args) == 1:
			eta, err := f.Array(e.Args[0])
			for _, x := range eta.V {
				found = append(found, functions.Chance[float64]{Link: link, Eta: x})
			}
			if err != nil {
				return nil
			}
		case function.Canonical(e) == "c":
			for _, a := range e.Args {
				c, _ := f.predictor(a, mostCopies)
				found = append(found, c)
			}
		}
	}
	return found
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
	return lists.All(es, model.Single)
}
