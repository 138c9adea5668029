package bugs

import "github.com/irc-lang/irc/dialects/bugs/syntax"

// logitPredictor finds the linear predictor of a probability: the argument of ilogit,
// or the right side of logit(p) <- ..., where p is as written. A probability next to 1
// has lost the digits of 1 - p, which the predictor has.
func (f *frame) logitPredictor(e syntax.Expr) (eta float64, ok bool) {
	switch e := e.(type) {
	case *syntax.Call:
		if d := syntax.LookupFunction(e.Name); d != nil && d.Name == "ilogit" && len(e.Args) == 1 {
			x, err := f.scalar(e.Args[0])
			return x, err == nil
		}
	case *syntax.Ref:
		v := f.m.bind[e].v
		if v == nil {
			return 0, false
		}
		k, err := f.element(e, v)
		if err != nil || v.ClassAt(k) != Logical {
			return 0, false
		}
		by := v.assignedBy(k)
		s := f.m.Statements[by.stmt-1]
		if s.Assign.Link != "logit" || !allSingle(s.LHS.Indices) {
			return 0, false
		}
		g := &frame{m: f.m, store: f.store, loops: s.Loops, at: s.at(int(by.iter))}
		x, err := g.scalar(s.Assign.RHS)
		return x, err == nil
	}
	return 0, false
}

func allSingle(es []syntax.Expr) bool {
	for _, e := range es {
		if !single(e) {
			return false
		}
	}
	return true
}
