package poly

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// Costs say how often the statements of a system are executed, and all together.
type Costs struct {
	Statements []Cost
	Total      presburger.Complexity
}

// A Cost is the number of instances of a statement by the parameters of its system, and its
// order of growth.
type Cost struct {
	Statement *Stmt
	Count     *presburger.Count
	Growth    presburger.Complexity
}

// Costs counts the instances of each statement where the context holds (Barvinok's algorithm;
// see presburger). The error is a diagnostic at the statement.
func (s *System) Costs() (out Costs, err error) {
	var counts []*presburger.Count
	for _, st := range s.Statements {
		c, err := s.costOf(st)
		if err != nil {
			return out, uncounted(st.Node, "those of the statement "+st.Name, err)
		}
		out.Statements = append(out.Statements, c)
		counts = append(counts, c.Count)
	}
	if out.Total, err = presburger.SumComplexity(counts...); err != nil {
		err = uncounted(s.Node, "those of all statements", err)
	}
	return out, err
}

func (s *System) costOf(st *Stmt) (c Cost, err error) {
	defer unwind.To(&err)
	c.Statement = st
	d := unwind.Must(st.Domain.WithBudget(s.Budget).IntersectParams(s.Context))
	c.Count = unwind.Must(d.AlignParams(s.Params...).Card())
	c.Growth = unwind.Must(c.Count.Complexity())
	return c, nil
}

// At is the number of instances of all statements.
func (c Costs) At(params map[string]presburger.Int) (n presburger.Int, err error) {
	defer unwind.To(&err)
	for _, st := range c.Statements {
		k := unwind.Must(st.Count.At(params))
		n = n.Add(k)
	}
	return n, nil
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
