package systems

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Ordering is what a schedule of a system has to respect.
type Ordering struct {
	Whole   poly.System // with the statements that begin reductions
	Initial []Identity
	Domain  presburger.Set
	Order   presburger.Map
}

// NewOrdering is that of a system, of equations with the statements that begin their reductions.
func NewOrdering(sys *poly.System) (w *Ordering, err error) {
	defer unwind.To(&err)
	w = &Ordering{Whole: *sys}
	// A system with a schedule has the statements that begin its reductions already.
	if sys.Schedule == nil {
		w.Initial = identities(sys)
	}
	w.Whole.Statements = nil
	for _, b := range w.Initial {
		w.Whole.Statements = append(w.Whole.Statements, &poly.Stmt{Name: b.Name, Domain: b.Domain, Operator: poly.Set, Target: b.Array, Write: b.Write})
	}
	w.Whole.Statements = append(w.Whole.Statements, sys.Statements...)
	w.Domain = unwind.Must(w.Whole.Instances())
	w.Order = unwind.Must(w.Whole.Order())
	return w, nil
}
