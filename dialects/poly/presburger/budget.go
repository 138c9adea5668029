package presburger

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

// A Budget is work that several operations may do together.
type Budget struct{ w *lp.Work }

// NewBudget allows some steps; 0 is DefaultBudget.
func NewBudget(steps int64) *Budget {
	if steps == 0 {
		steps = DefaultBudget
	}
	return &Budget{lp.NewBudget(steps)}
}

// Remaining is how many steps are left.
func (b *Budget) Remaining() int64 { return b.w.Remaining() }

// Part is a budget of at most some of the steps of b, to be given back by Return.
func (b *Budget) Part(steps int64) *Budget {
	steps = min(steps, b.Remaining())
	b.w.Spend(steps)
	return &Budget{lp.NewBudget(steps)}
}

// Return gives back what is left of a part.
func (b *Budget) Return(part *Budget) { b.w.Spend(-part.Remaining()) }

// SetWhere is the function SetWhere within a budget.
func (b *Budget) SetWhere(params []string, t Tuple, f Formula) (Set, error) {
	return set(notation.Where(lp.Allowance{Total: b.w}, params, t.t, f))
}

// SetWhere returns the points of a tuple for which a formula holds, of the parameters and
// the dimensions. It has the limits of ParseSet.
func SetWhere(params []string, t Tuple, f Formula) (Set, error) {
	return set(notation.Where(lp.Allowance{Steps: notation.MaxWork}, params, t.t, f))
}

// NewLexProgram has n unknowns, and no constraints but that they are at least 0.
func NewLexProgram(n int, b *Budget) *LexProgram { return lp.NewLexProgram(n, b.w) }
