package dependence

import (
	"slices"
	"strconv"
)

// number gives the statements their places, and IDs to those that have none.
func (p *Program) number() {
	for i, s := range p.Statements {
		s.place = i
		if s.ID == "" {
			s.ID = "S" + strconv.Itoa(i)
		}
	}
}

// modifies reports that a statement declares or writes a variable.
func (s *Statement) modifies(v *Variable) bool {
	return slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.Write && a.Var == v })
}

// classify sorts the statements that declare or modify v, by the document's rules:
// the last is an update; one with OperatorStatement is; else one with Initializer is
// an initializer; else it is a declaration or allocation. A bare declaration gives no
// value and so is no update even where it is the last.
func classify(p *Program, v *Variable) map[*Statement]Class {
	out := map[*Statement]Class{}
	var last *Statement
	for _, s := range p.Statements {
		if !s.modifies(v) {
			continue
		}
		switch {
		case s.Operator && !s.Declares:
			out[s] = Update
		case s.Initializer && !s.Declares:
			out[s] = Initialize
		default:
			out[s] = Declares
		}
		last = s
	}
	if last != nil && !last.Declares {
		out[last] = Update
	}
	return out
}
