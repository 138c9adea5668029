package lower

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// A Table is a dialect's lowerings. It stands in ir.Dialect.Tables.
type Table []Lowering

// A Lowering is a row of rules that lower ops to a level.
type Lowering struct {
	Level string // by its name, as users write it after `to=`
	Name  string // by which others put themselves before or after it; "" is that of the dialect

	Rules ir.Rules            // rules that need to know nothing, or
	Of    []*ir.OpDef         // the ops that New makes rules for; a rule that New leaves out declines
	New   func(*Env) ir.Rules // makes rules for ops of Of. It is called for each graph, possibly at once

	// Module makes symbols that the rules refer to: it gets the graph with all in it before any of it is lowered,
	// and what it returns besides the new graph is Env.Symbols. It may be nil.
	Module func(g *ir.Graph) (*ir.Graph, any)

	Options       []Option // of the pass lower that New may ask for
	Before, After []string // names of lowerings to the same level
	// Optional says that what the rules decline (a rule gives 0) may stay. Else it is an error that
	// names the op.
	Optional bool
}

// Env is what the rules of a graph may depend on.
type Env struct {
	Target   *target.Target // never nil, and not to be changed
	Schedule *ir.Schedule   // of the graph that is lowered, with the target's weights
	Symbols  any            // what Module returned

	remark func(g *ir.Graph, at ir.Value, text string)
	row    *Lowering
	values map[string]any
}

// Remark tells people of an op of the graph what was done with it, and why; `irc explain` shows it.
func (e *Env) Remark(n ir.Node, text string) {
	if e.remark != nil {
		e.remark(n.Graph(), n.Old(), text)
	}
}

// Frequency is how often an op of the graph runs for each run of the graph.
func (e *Env) Frequency(n ir.Node) float64 { return e.Schedule.Freq(e.Schedule.Place(n.Old())) }

// Make calls New for a graph, of which e says what is known. Options have these values by name, others their defaults. Of remark,
// which may be nil, Env.Remark makes use. It is for who runs lowerings, as the pass lower does.
func (l *Lowering) Make(e Env, values map[string]any, remark func(g *ir.Graph, at ir.Value, text string)) ir.Rules {
	e.row, e.values, e.remark = l, values, remark
	return l.New(&e)
}
