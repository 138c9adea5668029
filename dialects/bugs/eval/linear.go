package eval

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// logitPredictor finds the linear predictor of a probability: the argument of ilogit,
// or the right side of logit(p) <- ..., where p is as written. A probability next to 1
// has lost the digits of 1 - p, which the predictor has.
func (f *Frame) logitPredictor(e syntax.Expr) (eta float64, ok bool) {
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
		if s.Assign.Link != "logit" || !allSingle(s.LHS.Indices) {
			return 0, false
		}
		g := &Frame{Model: f.Model, Store: f.Store, Loops: s.Loops, At: s.At(int(by.Iter))}
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
