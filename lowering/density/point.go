package density

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
)

// Point makes a state of values for the parameters, such as initial values. The
// list has warnings for values without a use; parameters without a value are an
// error that lists them, unless fill is set: then they get the centre of their
// prior, and filled lists them.
func (p *Program) Point(values *input.Data, fill bool) (st eval.State, filled iter.Seq[string], list diag.List) {
	st, given, list := p.Assigned(values, fill)
	if list.Err() != nil || !fill {
		return st, nil, list
	}
	filled, err := p.Fill(st, given)
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		list = append(list, d)
	} else if err != nil {
		list = append(list, diag.Errorf(diag.Span{}, "%v", err))
	}
	return st, filled, list
}

// Assigned is the part of Point that is about the values alone: given says which
// parameters have got one.
func (p *Program) Assigned(values *input.Data, fill bool) (st eval.State, given [][]bool, list diag.List) {
	st = eval.PointState(p.Model)
	given, list = eval.Assign(p.Model, st, values)
	if list.Err() != nil || fill {
		return st, given, list
	}
	missing := eval.Missing(p.Model, given)
	if p.Space != nil {
		missing = p.Space.Missing(given)
	}
	if len(missing) > 0 {
		list = append(list, p.missingError(missing))
	}
	return st, given, list
}

// Fill gives the rest of the parameters the centre of their priors, and lists them; nil is
// none. The
// error is a *bugs.NodeError where a prior has no meaning.
func (p *Program) Fill(st eval.State, given [][]bool) (filled iter.Seq[string], err error) {
	filled = eval.EachMissing(p.Model, given)
	if next, stop := iter.Pull(filled); true {
		_, some := next()
		if stop(); !some {
			return nil, nil
		}
	}
	want := func(v *model.Var, k int) bool { return !given[v.ID][k] }
	if err = eval.Fill(p.Model, st, want); err == nil && p.Space != nil {
		err = p.Space.Inside(st, want)
	}
	return filled, err
}

// DiscretePoint makes a state for LogDensityAt: of the values, only those of parameters
// that are not in the vector are needed.
func (p *Program) DiscretePoint(values *input.Data) (st eval.State, list diag.List) {
	st = eval.NewState(p.Model)
	given, list := eval.Assign(p.Model, st, values)
	if list.Err() == nil {
		if missing := p.Space.MissingData(given); len(missing) > 0 {
			list = append(list, p.missingError(missing))
		}
	}
	return st, list
}

// maxListed bounds the names in a message.
const maxListed = 20

// missingError lists parameters without a value, at the place of the first.
func (p *Program) missingError(missing []string) *diag.Diagnostic {
	text := ""
	for i, n := range missing {
		if i == maxListed {
			text += fmt.Sprintf(" and %d more", len(missing)-i)
			break
		}
		if i > 0 {
			text += ", "
		}
		text += n
	}
	name, _, _ := strings.Cut(missing[0], "[")
	return diag.Errorf(p.Model.Lookup(name).At, "no initial value for %s", text).
		WithFix("give them with -inits, or let -fill-inits=prior take the centre of their priors")
}
