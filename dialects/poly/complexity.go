package poly

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// Costs say how often the statements of a system are executed, and all together.
type Costs struct {
	Statements []Cost
	Total      Cost
}

// A Cost is a number of instances by the parameters of a system, and its order of growth.
type Cost struct {
	Statement *Stmt // nil of a total
	Count     *presburger.Count
	Growth    presburger.Complexity
}

// Costs counts the instances of each statement where the context holds (Barvinok's algorithm;
// see presburger). The error is a diagnostic at the statement.
func (s *System) Costs() (out Costs, err error) {
	var all presburger.Set
	for _, st := range s.Statements {
		d, err := st.Domain.WithBudget(s.Budget).IntersectParams(s.Context)
		if err != nil {
			return out, uncounted(st.Node, "those of the statement "+st.Name, err)
		}
		d = d.AlignParams(s.Params...)
		c, err := costOf(d)
		if err != nil {
			return out, uncounted(st.Node, "those of the statement "+st.Name, err)
		}
		c.Statement = st
		out.Statements = append(out.Statements, c)
		all = all.AlignParams(s.Params...).WithBudget(s.Budget).Union(d)
	}
	if out.Total, err = costOf(all); err != nil {
		err = uncounted(s.Node, "those of all statements", err)
	}
	return out, err
}

func costOf(s presburger.Set) (c Cost, err error) {
	if c.Count, err = s.Card(); err == nil {
		c.Growth, err = c.Count.Complexity()
	}
	return c, err
}

// uncounted says why instances have no number.
func uncounted(at ir.Node, what string, err error) error {
	switch {
	case errors.Is(err, presburger.ErrInfinite):
		return at.Errorf("instances cannot be counted: %s are infinitely many", what)
	case errors.Is(err, presburger.ErrBudget):
		return at.Errorf("instances cannot be counted: %s take more work than is allowed", what)
	}
	return at.Errorf("instances cannot be counted: %s: %v", what, err)
}
