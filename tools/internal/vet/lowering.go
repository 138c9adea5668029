package vet

import (
	"cmp"
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/unwind"
)

// levels looks for rules that no route comes to.
func (f *finder) levels() {
	order := ir.Table[lower.Order](f.d)
	for _, level := range slices.Sorted(maps.Keys(order)) {
		next := order[level]
		if f.known.routed != nil && !slices.Contains(f.known.routed, next) && !slices.Contains(f.known.levels, next) {
			d := f.wrong(f.firstHook(f.d), "lower.Order puts level %q before level %q, which there is not", level, next)
			d.WithFix("the levels are %s", joined(f.known.routed))
			if near := diag.Nearest(next, f.known.routed); near != "" {
				d.WithFix("did you mean %q?", near)
			}
		}
	}
	if f.known.routed == nil {
		return // nothing lowers
	}
	var levels []string
	for _, row := range ir.Table[lower.Table](f.d) {
		if !row.Optional {
			levels = append(levels, row.Level)
		}
	}
	levels = append(levels, slices.Sorted(maps.Keys(ir.Table[ir.TypeLowerings](f.d)))...)
	for _, level := range lowerSet(levels) {
		if _, said := order[level]; !said && level != "" && !slices.Contains(f.known.routed, level) {
			f.warn(f.ruleAt(level), "it lowers ops or types to level %q, which no route takes in: nothing runs the rules but a pipeline that says lower{to=%s}", level, level).
				WithFix("add lower.Order{%q: LEVEL} to Tables, with the level that comes next, of %s", level, joined(f.known.routed))
		}
	}
}

func lowerSet(levels []string) []string {
	slices.Sort(levels)
	return slices.Compact(levels)
}

// joined lists names once each.
func joined(names []string) string {
	out := ""
	for i, n := range lowerSet(slices.Clone(names)) {
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}

// ruleAt is a function of a lowering to a level.
func (f *finder) ruleAt(level string) any {
	for _, row := range ir.Table[lower.Table](f.d) {
		if row.Level != level {
			continue
		}
		if row.New != nil {
			return row.New
		}
		for _, op := range slices.SortedFunc(maps.Keys(row.Rules), func(x, y *ir.OpDef) int { return cmp.Compare(x.Name, y.Name) }) {
			return row.Rules[op]
		}
	}
	return f.firstHook(f.d)
}

// lowerings looks at the rows, and at their order among those of all dialects.
func (f *finder) lowerings() {
	table := ir.Table[lower.Table](f.d)
	f.typeLowerings()
	complete := true
	for i := range table {
		complete = f.lowering(&table[i]) && complete
	}
	if f.known.ctx == nil || !complete {
		return
	}
	for _, level := range plan.LevelsOf(table) {
		var err error
		if _, thrown := unwind.Catch[any](func() { _, err = plan.New(f.known.ctx, level) }); err != nil && !thrown && f.last(level) {
			f.wrong(f.ruleAt(level), "%v", err)
		}
	}
}

// typeLowerings looks at what types become.
func (f *finder) typeLowerings() {
	table := ir.Table[ir.TypeLowerings](f.d)
	if len(table) == 0 {
		return
	}
	at := map[*ir.Shape]string{}
	for _, level := range slices.Sorted(maps.Keys(table)) {
		for def, t := range table[level] {
			s := def.Shape()
			if t.Parts == nil || t.Unpack == nil || t.Pack == nil {
				f.wrong(f.firstHook(f.d), "the lowering of !%s to %s lacks Parts, Unpack or Pack", s.Name, level).WithFix("say in Parts what the type becomes, and in Unpack and Pack by which ops a value is taken apart and put together")
			}
			if at[s] != "" {
				f.wrong(f.firstHook(f.d), "!%s is lowered to %s and to %s", s.Name, at[s], level).WithFix("lower it to one of them")
			}
			at[s] = level
		}
	}
}

// last reports the last dialect with rules for a level: what is wrong with the order of all is told there.
func (f *finder) last(level string) bool {
	for _, d := range slices.Backward(f.Dialects) {
		if slices.Contains(plan.LevelsOf(ir.Table[lower.Table](d)), level) {
			return d == f.d
		}
	}
	return false
}

// lowering looks at a row, and reports that it is complete.
func (f *finder) lowering(row *lower.Lowering) bool {
	before := len(f.found)
	at := f.ruleAt(row.Level)
	if row.Level == "" {
		f.wrong(at, "a lowering has no Level").WithFix("say to what it lowers: scf, arith, or a level of your own with a lower.Order")
	}
	switch {
	case row.Rules == nil && row.New == nil:
		f.wrong(at, "the lowering to %q has no rules", row.Level).WithFix("give it Rules, or a New that makes them")
	case row.Rules != nil && row.New != nil:
		f.wrong(at, "the lowering to %q has Rules and a New", row.Level).WithFix("make two rows of it")
	case row.New != nil && len(row.Of) == 0:
		f.wrong(at, "the lowering to %q has a New, and does not say for which ops", row.Level).WithFix("list in Of the ops that New makes rules for")
	case row.New == nil && len(row.Of) > 0:
		f.wrong(at, "the lowering to %q has Rules and an Of, which is for New", row.Level).WithFix("leave Of out")
	}
	rules := slices.Collect(maps.Keys(row.Rules))
	for _, op := range append(rules, row.Of...) {
		switch rule, is := row.Rules[op]; {
		case op == nil:
			f.wrong(at, "the lowering to %q has a rule for nil", row.Level).WithFix("an op is a package variable that ir.Define made")
		case is && rule == nil:
			f.wrong(at, "the lowering to %q has nil as the rule for %s", row.Level, op.Name).WithFix("give it a rule, or leave the row out")
		case f.isLoose(op):
			f.wrong(at, "the lowering to %q has a rule for %s, which no dialect lists", row.Level, op.Name).WithFix("list the op")
		}
	}
	return len(f.found) == before
}
