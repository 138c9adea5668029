package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

func (o *Orderer) note(c model.Change, level int, stmts []*model.Statement, deps []*model.Dependence, format string, args ...any) {
	o.why = append(o.why, model.Why{Change: c, Level: level, Stmts: stmts, Text: fmt.Sprintf(format, args...), Deps: slices.Clone(deps)})
}

// line is where a statement stands, for people.
func line(s *model.Statement) int {
	return lineOf(s.Span())
}

func lineOf(at diag.Span) int {
	if at.Source == nil {
		return 0
	}
	line, _ := at.Source.Position(at.Start)
	return line
}

// loopsAt names the loops of statements at a level: "the loop over i (line 3)".
func loopsAt(stmts []*model.Statement, level int) string {
	var parts []string
	var last any
	for _, s := range stmts {
		if level >= len(s.Loops) {
			parts = append(parts, fmt.Sprintf("%s (line %d)", s.Var.Name, line(s)))
		} else if l := s.Loops[level].Node; l != last {
			last = l
			parts = append(parts, fmt.Sprintf("the loop over %s (line %d)", l.Var, lineOf(l.Span())))
		}
	}
	return listed(parts)
}

// runVerb is the verb for one thing or several that are listed.
func runVerb(what string) string {
	if strings.Contains(what, " and the loop over ") {
		return "run"
	}
	return "runs"
}

func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// readings says what is read of what: "y (line 4) reads x".
func readings(deps []*model.Dependence) string {
	var parts []string
	for _, d := range deps {
		if p := fmt.Sprintf("%s (line %d) reads %s", d.To.Var.Name, line(d.To), d.Var.Name); !slices.Contains(parts, p) && len(parts) < 4 {
			parts = append(parts, p)
		}
	}
	return listed(parts)
}

// against lists the dependences that do not let a loop run in a direction.
func against(deps []*model.Dependence, level int, dir directions) []*model.Dependence {
	return lists.Filter(deps, func(d *model.Dependence) bool { return directionsOf(d, level)&dir == 0 })
}

// noteMoved says which clusters run after others that stand below them.
func (o *Orderer) noteMoved(cs []*Cluster, sc Scope) {
	last := -1
	late := map[*model.Statement]*Cluster{}
	for _, c := range cs {
		first := c.Stmts[0].Index
		if first > last {
			last = first
			continue
		}
		for _, s := range c.Stmts {
			late[s] = c
		}
	}
	waits := map[*Cluster][]*model.Dependence{}
	for _, d := range sc.Deps {
		o.Work++
		if c := late[d.To]; c != nil && late[d.From] != c && d.From.Index > c.Stmts[0].Index {
			waits[c] = append(waits[c], d)
		}
	}
	for _, c := range cs {
		if len(waits[c]) == 0 {
			continue
		}
		var names []string
		for _, d := range waits[c] {
			if !slices.Contains(names, d.Var.Name) && len(names) < 12 {
				names = append(names, d.Var.Name)
			}
		}
		what := model.SourceText(c.Stmts[0].Source())
		if sc.Level < len(c.Stmts[0].Loops) {
			what = loopsAt(c.Stmts, sc.Level)
		}
		o.note(model.Moved, sc.Level, c.Stmts, waits[c], "%s %s after %s, defined below", what, runVerb(what), listed(names))
	}
}

// noteLoop says what becomes of a loop of the program that stays whole.
func (o *Orderer) noteLoop(c *Cluster, level int) {
	what := loopsAt(c.Stmts, level)
	if c.dirs&forward != 0 {
		o.note(model.Kept, level, c.Stmts, c.Deps, "%s stays as it is", what)
		return
	}
	back := against(c.Deps, level, forward)
	o.note(model.Reversed, level, c.Stmts, back, "%s runs backward: %s of a later iteration", what, readings(back))
}

// noteApart says why a loop was split or loops were taken apart, and into what.
func (o *Orderer) noteApart(c *Cluster, items []model.Item, level int) {
	what := loopsAt(c.Stmts, level)
	bad := against(c.Deps, level, forward)
	own := slices.ContainsFunc(items, func(it model.Item) bool { return it.Interleaving != nil || it.Wavefronts != nil })
	var loops []any // nil stands for a statement without
	for _, s := range c.Stmts {
		var loop any
		if level < len(s.Loops) {
			loop = s.Loops[level].Node
		}
		if !slices.Contains(loops, loop) {
			loops = append(loops, loop)
		}
	}
	switch {
	case len(items) == 1 && !own && len(loops) > 1:
		o.note(model.Fused, level, c.Stmts, c.Deps, "%s run as one: they need each other in each iteration", what)
	case len(loops) == 1 && len(items) > 1 && len(bad) == 0:
		o.note(model.Split, level, c.Stmts, c.Deps, "%s is split in %d, each of which has an order of its own", what, len(items))
	case len(loops) == 1 && len(items) > 1:
		o.note(model.Split, level, c.Stmts, bad, "%s is split in %d: %s of a later iteration", what, len(items), readings(bad))
	case len(items) > 1:
		o.note(model.Split, level, c.Stmts, c.Deps, "%s are taken apart, for they need each other: %s", what, readings(acrossLoops(c.Deps, level)))
	}
}

// acrossLoops lists the dependences of statements that share no loop of the program at a
// level, or all if there are none.
func acrossLoops(deps []*model.Dependence, level int) []*model.Dependence {
	var out []*model.Dependence
	for _, d := range deps {
		if level >= len(d.From.Loops) || level >= len(d.To.Loops) || d.From.Loops[level].Node != d.To.Loops[level].Node {
			out = append(out, d)
		}
	}
	if out == nil {
		return deps
	}
	return out
}

// noteComponent says how statements that need each other run, if no loop of the program does it.
func (o *Orderer) noteComponent(k *Component) {
	what := loopsAt(k.Stmts, k.level)
	for _, it := range k.Own {
		switch {
		case it.Interleaving != nil:
			o.note(model.Turned, k.level, k.Stmts, k.Deps, "%s take turns in one loop: %s", what, readings(k.Deps))
			return
		case it.Wavefronts != nil:
			n := 0
			for _, s := range k.Stmts {
				n += s.Iterations
			}
			o.note(model.Leveled, k.level, k.Stmts, k.Deps, "%d instances of %s run in %d levels: %s, and no loop has that order", n, what, it.Wavefronts.Levels, readings(k.Deps))
			return
		}
	}
}
