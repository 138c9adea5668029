package lower

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
)

// A Table is a dialect's lowerings. It stands in ir.Dialect.Tables.
type Table []Lowering

// A Lowering is a row of rules that lower ops to a level.
type Lowering struct {
	Level string
	Name  string // by which others put themselves before or after it; "" is that of the dialect

	Rules ir.Rules // rules that need to know nothing, or
	Of    []*ir.OpDef
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
	Target   *target.Target
	Schedule *ir.Schedule // of the graph that is lowered, with the target's weights
	Symbols  any          // what Module returned

	remark func(g *ir.Graph, at ir.Value, text string)
	row    *Lowering
	values *Values
}

// Remark tells people of an op of the graph what was done with it, and why; `irc explain` shows it.
func (e *Env) Remark(n ir.Node, text string) {
	if e.remark != nil {
		e.remark(n.Graph(), n.Old(), text)
	}
}

// Frequency is how often an op of the graph runs for each run of the graph.
func (e *Env) Frequency(n ir.Node) float64 { return e.Schedule.Freq(e.Schedule.Place(n.Old())) }

// ops lists the ops that a lowering is for, by name.
func (l *Lowering) ops() []*ir.OpDef {
	out := slices.Clone(l.Of)
	for def := range l.Rules {
		out = append(out, def)
	}
	slices.SortFunc(out, func(x, y *ir.OpDef) int { return cmp.Compare(x.Name, y.Name) })
	return slices.Compact(out)
}

// Levels lists the levels that the table lowers to, in alphabetical order.
func (t Table) Levels() []string {
	out := lists.Map(t, func(l Lowering) string { return l.Level })
	slices.Sort(out)
	return slices.Compact(out)
}

// Ops lists the ops that the table lowers to a level.
func (t Table) Ops(level string) []*ir.OpDef {
	var out []*ir.OpDef
	for i := range t {
		if t[i].Level == level {
			out = append(out, t[i].ops()...)
		}
	}
	return out
}

// Levels lists the levels that some dialect lowers ops or types to, in alphabetical order.
func Levels(ctx *ir.Context) []string {
	var out []string
	for _, d := range ctx.Dialects() {
		out = append(out, ir.Table[Table](d).Levels()...)
	}
	out = append(out, ctx.TypeLevels()...)
	slices.Sort(out)
	return slices.Compact(out)
}
