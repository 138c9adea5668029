package eval

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// logitPredictor finds the linear predictor of a probability: the argument of ilogit,
// or the right side of logit(p) <- ..., where p is as written. A probability next to 1
// has lost the digits of 1 - p, which the predictor has, also that of a node which is another as it is.
func (f *Frame) logitPredictor(e syntax.Expr) (eta float64, ok bool) {
	return f.predictor(e, mostCopies)
}

// mostCopies is how many nodes that are another as it is are followed.
const mostCopies = 8

func (f *Frame) predictor(e syntax.Expr, copies int) (eta float64, ok bool) {
	switch e := e.(type) {
	case *syntax.Call:
		if d := syntax.LookupFunction(e.Name); d != nil && d.Name == "ilogit" && len(e.Args) == 1 {
			x, err := f.Scalar(e.Args[0])
			return x, err == nil
		}
	case *syntax.Ref:
		v := f.Model.Bindings[e].Var
		if v == nil {
			return 0, false
		}
		k, err := f.Element(e, v)
		if err != nil || v.ClassAt(k) != model.Logical {
			return 0, false
		}
		by := v.AssignedBy(k)
		s := f.Model.Statements[by.Stmt-1]
		if !allSingle(s.LHS.Indices) {
			return 0, false
		}
		g := &Frame{Model: f.Model, Store: f.Store, Loops: s.Loops, At: s.At(int(by.Iter))}
		switch {
		case s.Assign.Link == "" && copies > 0:
			return g.predictor(s.Assign.RHS, copies-1)
		case s.Assign.Link != "logit":
			return 0, false
		}
		x, err := g.Scalar(s.Assign.RHS)
		return x, err == nil
	}
	return 0, false
}

func allSingle(es []syntax.Expr) bool {
	for _, e := range es {
		if !model.Single(e) {
			return false
		}
	}
	return true
}
