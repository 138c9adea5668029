package plan

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
)

// opsOf lists the ops that a lowering is for, by name.
func opsOf(l *lower.Lowering) []*ir.OpDef {
	out := slices.Clone(l.Of)
	for def := range l.Rules {
		out = append(out, def)
	}
	slices.SortFunc(out, func(x, y *ir.OpDef) int { return cmp.Compare(x.Name, y.Name) })
	return slices.Compact(out)
}

// LevelsOf lists the levels that a table lowers to, in alphabetical order.
func LevelsOf(t lower.Table) []string {
	out := lists.Map(t, func(l lower.Lowering) string { return l.Level })
	slices.Sort(out)
	return slices.Compact(out)
}

// OpsOf lists the ops that a table lowers to a level, each once for each row that has a rule for it:
// several rows may, if they say which comes first.
func OpsOf(t lower.Table, level string) []*ir.OpDef {
	var out []*ir.OpDef
	for i := range t {
		if t[i].Level == level {
			out = append(out, opsOf(&t[i])...)
		}
	}
	return out
}

// Levels lists the levels that some dialect lowers ops or types to, in alphabetical order. A type has a level of its
// own where it becomes its parts: there may be no op that is lowered to it.
func Levels(ctx *ir.Context) []string {
	var out []string
	for _, d := range ctx.Dialects() {
		out = append(out, LevelsOf(ir.Table[lower.Table](d))...)
	}
	out = append(out, ctx.TypeLevels()...)
	slices.Sort(out)
	return slices.Compact(out)
}
