package dependence

import (
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

// modifiers lists for each variable the statements that declare or write it.
func (p *Program) modifiers() map[*Variable][]*Statement {
	out := map[*Variable][]*Statement{}
	for _, s := range p.Statements {
		for i := range s.Accesses {
			v := s.Accesses[i].Var
			if l := out[v]; s.Accesses[i].Write && (len(l) == 0 || l[len(l)-1] != s) {
				out[v] = append(l, s)
			}
		}
	}
	return out
}

// classify sorts the statements that declare or modify a variable, by the document's rules:
// the last is an update; one with OperatorStatement is; else one with Initializer is
// an initializer; else it is a declaration or allocation. A bare declaration gives no
// value and so is no update even where it is the last.
func classify(list []*Statement) map[*Statement]Class {
	out := map[*Statement]Class{}
	var last *Statement
	for _, s := range list {
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
