package density

import (
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
)

// Point makes a state of values for the parameters, such as initial values. The
// list has warnings for values without a use; parameters without a value are an
// error that lists them, unless fill is set: then they get the centre of their
// prior, and filled lists them.
func (p *Program) Point(values *input.Data, fill bool) (st eval.State, filled eval.Names, list diag.List) {
	st, given, list := p.Assigned(values, fill)
	if list.Err() != nil || !fill {
		return st, filled, list
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
func (p *Program) Assigned(values *input.Data, fill bool) (st eval.State, given eval.Assigned, list diag.List) {
	st = eval.PointState(p.Model)
	given, list = eval.Assign(p.Model, st, values)
	if list.Err() != nil || fill {
		return st, given, list
	}
	missing := eval.Missing(p.Model, given)
	if p.Space != nil {
		missing = p.Space.Missing(given)
	}
	if missing.Len > 0 {
		list = append(list, p.missingError(missing))
	}
	return st, given, list
}

// Fill gives the rest of the parameters the centre of their priors, and lists them. The
// error is a *bugs.NodeError where a prior has no meaning.
func (p *Program) Fill(st eval.State, given eval.Assigned) (filled eval.Names, err error) {
	if filled = eval.Missing(p.Model, given); filled.Len == 0 {
		return filled, nil
	}
	if err = eval.Fill(p.Model, st, given); err == nil && p.Space != nil {
		err = p.Space.Inside(st, given)
	}
	return filled, err
}

// DiscretePoint makes a state for LogDensityAt: of the values, only those of parameters
// that are not in the vector are needed.
func (p *Program) DiscretePoint(values *input.Data) (st eval.State, list diag.List) {
	st = eval.PointState(p.Model)
	given, list := eval.Assign(p.Model, st, values)
	if list.Err() == nil {
		if missing := p.Space.MissingData(given); missing.Len > 0 {
			list = append(list, p.missingError(missing))
		}
	}
	return st, list
}

// missingError lists parameters without a value, at the place of the first.
func (p *Program) missingError(missing eval.Names) *diag.Diagnostic {
	var first []string
	for n := range missing.All {
		if first = append(first, n); len(first) == diag.MaxNames {
			break
		}
	}
	text := strings.Join(first, ", ")
	if more := missing.Len - len(first); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	name, _, _ := strings.Cut(first[0], "[")
	return diag.Errorf(p.Model.Lookup(name).At, "no initial value for %s", text).
		WithFix("give them with -inits, or let -fill-inits=prior take the centre of their priors")
}
