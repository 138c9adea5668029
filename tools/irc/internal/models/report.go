package models

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/sequence"
	"github.com/irc-lang/irc/tools/irc/explain"
)

// Stages is how a model is compiled.
func (*bound) Stages() string { return sequence.Pipeline }

// Report says what there is to say of a model but for its compiled form.
func (m *bound) Report() *explain.Model {
	observed, _ := m.m.Counts()
	r := &explain.Model{Name: m.m.Name, Observed: observed, Parameters: parametersOf(m.m), Roles: rolesOf(m.m),
		Statements: []explain.Statement{}, Order: order.Sequence(m.m), Decisions: []explain.Decision{}}
	leveled := map[*model.Statement]bool{}
	for _, w := range m.m.Why {
		for _, s := range w.Stmts {
			leveled[s] = leveled[s] || w.Change == model.Leveled
		}
	}
	for _, s := range m.m.Statements {
		role, mixed := roles.OfStatement(m.m, s)
		x := explain.Statement{Line: line(s.Span()), Text: text(s.Span()), Role: role.String(), Mixed: mixed,
			Loops: []string{}, Runs: s.Iterations, At: s.Span().Start, Leveled: leveled[s]}
		for _, l := range s.Loops {
			x.Loops = append(x.Loops, l.Var)
		}
		r.Statements = append(r.Statements, x)
	}
	for _, w := range m.m.Why {
		d := explain.Decision{Change: w.Change.String(), Text: w.Text, Lines: []int{}}
		for _, s := range w.Stmts {
			d.Lines = append(d.Lines, line(s.Span()))
		}
		r.Decisions = append(r.Decisions, d)
	}
	r.Loops, r.Unrelated = loopsOf(m.m)
	return r
}

// parametersOf counts the scalars with the role of a parameter.
func parametersOf(m *model.Model) (n int) {
	for _, v := range m.Vars {
		if v.Has(model.Parameter) {
			n += roles.Counts(m, v)[roles.RoleParameter]
		}
	}
	return n
}

// rolesOf lists variables by role, data first.
func rolesOf(m *model.Model) []explain.Role {
	out := []explain.Role{}
	counts := make([]map[roles.Role]int, len(m.Vars))
	for i, v := range m.Vars {
		counts[i] = roles.Counts(m, v)
	}
	for role := roles.ConstantData; role <= roles.GeneratedQuantity; role++ {
		x := explain.Role{Role: role.String()}
		for _, v := range m.Vars {
			if v.Table {
				continue
			}
			if n := roles.Counts(m, v)[role]; n > 0 {
				x.Variables = append(x.Variables, explain.Variable{Name: v.Name, Dims: append([]int{}, v.Dims...), Elements: n, Of: v.Len()})
			}
		}
		if x.Variables != nil {
			out = append(out, x)
		}
	}
	return out
}

// loopsOf lists the loops with the dependences within each, and the dependences of
// statements that share none. What two loops with equal bounds may share is told of
// the reader's.
func loopsOf(m *model.Model) ([]explain.Loop, []explain.Dependence) {
	loops, apart := []explain.Loop{}, []explain.Dependence{}
	at := map[*syntax.For]int{}
	carried := []map[int8]bool{}
	for _, s := range m.Statements {
		for _, l := range s.Loops {
			if _, ok := at[l.Node]; !ok {
				at[l.Node] = len(loops)
				loops = append(loops, explain.Loop{Line: line(l.Node.Span()), Loop: l.Var + " in " + text(l.Node.Over.Span()), Dependences: []explain.Dependence{}})
				carried = append(carried, map[int8]bool{})
			}
		}
	}
	for _, d := range m.Deps {
		x := explain.Dependence{Reader: d.To.Var.Name, ReaderLine: line(d.To.Span()), Writer: d.From.Var.Name, WriterLine: line(d.From.Span()),
			Distance: d.Distances().String(), Vectors: []string{}}
		depth := 0
		for _, v := range d.Vectors {
			depth = len(v)
			if depth > 0 {
				x.Vectors = append(x.Vectors, model.VectorText(v))
			}
			for k, sign := range v { // the first loop that is not in the same iteration carries it
				carried[at[d.To.Loops[k].Node]][sign] = true
				if sign != 0 {
					break
				}
			}
		}
		if depth == 0 {
			apart = append(apart, x)
			continue
		}
		l := &loops[at[d.To.Loops[depth-1].Node]]
		l.Dependences = append(l.Dependences, x)
	}
	for i := range loops {
		loops[i].Carries = carries(carried[i])
	}
	return loops, apart
}

func carries(signs map[int8]bool) string {
	switch {
	case signs[1] && signs[-1]:
		return "iterations need earlier and later ones"
	case signs[1]:
		return "iterations need earlier ones"
	case signs[-1]:
		return "iterations need later ones"
	}
	return "iterations do not need each other"
}

func line(at diag.Span) int {
	if at.Source == nil {
		return 0
	}
	n, _ := at.Source.Position(at.Start)
	return n
}

// text is what stands at a place, in one line.
func text(at diag.Span) string {
	if at.Source == nil {
		return ""
	}
	return strings.Join(strings.Fields(at.Source.Text[at.Start:at.End]), " ")
}
