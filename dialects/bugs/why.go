package bugs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// A Change says what an order does with a part of the program.
type Change uint8

// The changes.
const (
	Kept     Change = iota // a loop of the program runs as it stands
	Moved                  // a statement or loop runs later than in the text
	Reversed               // a loop runs backward
	Split                  // a loop is taken apart
	Fused                  // loops of the program run as one
	Turned                 // statements of several loops take turns in one
	Leveled                // instances run by level, in an order from the data
)

func (c Change) String() string {
	return [...]string{"kept", "moved", "reversed", "split", "fused", "turns", "levels"}[c]
}

// A Why is one decision about the order of a model.
type Why struct {
	Change Change
	Level  int          // of the loop that it is about, 0 is outermost
	Stmts  []*Statement // what it is about
	Text   string       // a sentence
	Deps   []Dependence // those that asked for it; of a loop that is kept, those in it
}

// A Dependence says that a statement reads what a statement defines.
type Dependence struct {
	From, To *Statement // From defines, To reads
	Var      *Var
	// Vectors are the signs of the distances, sink minus source, over the loops that
	// the two may share, outermost first; each once. Where they share none it is one
	// empty vector.
	Vectors [][]int8
}

// Why lists the decisions about the order, in the order of the program.
func (m *Model) Why() []Why { return m.why }

// Dependences lists the dependences between statements.
func (m *Model) Dependences() []Dependence { return public(m.deps) }

func public(deps []*dep) []Dependence {
	out := make([]Dependence, len(deps))
	for i, d := range deps {
		out[i] = Dependence{d.from, d.to, d.via, d.vectors}
	}
	return out
}

// Distance is the class of the distances between two statements.
type Distance uint8

// The distances. Those of statements without a common loop are Apart.
const (
	Zero     Distance = 1 << iota // of one iteration
	Positive                      // from an earlier iteration
	Negative                      // from a later one
	Apart                         // without a common loop, so not to be compared
)

// Distances is the set of classes of a dependence: the first sign of a vector that
// is not 0 tells.
func (d Dependence) Distances() Distance {
	out := Distance(0)
	for _, v := range d.Vectors {
		i := slices.IndexFunc(v, func(x int8) bool { return x != 0 })
		switch {
		case len(v) == 0:
			out |= Apart
		case i < 0:
			out |= Zero
		case v[i] > 0:
			out |= Positive
		default:
			out |= Negative
		}
	}
	return out
}

func (d Distance) String() string {
	var out []string
	for i, name := range []string{"zero", "positive", "negative", "unknown"} {
		if d&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// VectorText writes a sign vector as (0, +, -).
func VectorText(v []int8) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = [...]string{"-", "0", "+"}[x+1]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func (o *orderer) note(c Change, level int, stmts []*Statement, deps []*dep, format string, args ...any) {
	o.why = append(o.why, Why{c, level, stmts, fmt.Sprintf(format, args...), public(deps)})
}

// line is where a statement stands, for people.
func (s *Statement) line() int {
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
func loopsAt(stmts []*Statement, level int) string {
	var parts []string
	var last any
	for _, s := range stmts {
		if level >= len(s.Loops) {
			parts = append(parts, fmt.Sprintf("%s (line %d)", s.v.Name, s.line()))
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
func readings(deps []*dep) string {
	var parts []string
	for _, d := range deps {
		if p := fmt.Sprintf("%s (line %d) reads %s", d.to.v.Name, d.to.line(), d.via.Name); !slices.Contains(parts, p) && len(parts) < 4 {
			parts = append(parts, p)
		}
	}
	return listed(parts)
}

// against lists the dependences that do not let a loop run in a direction.
func against(deps []*dep, level int, dir directions) []*dep {
	var out []*dep
	for _, d := range deps {
		if d.directions(level)&dir == 0 {
			out = append(out, d)
		}
	}
	return out
}

// noteMoved says which clusters run after others that stand below them.
func (o *orderer) noteMoved(cs []*cluster, sc scope) {
	last := -1
	late := map[*Statement]*cluster{}
	for _, c := range cs {
		first := c.stmts[0].Index
		if first > last {
			last = first
			continue
		}
		for _, s := range c.stmts {
			late[s] = c
		}
	}
	waits := map[*cluster][]*dep{}
	for _, d := range sc.deps {
		o.work++
		if c := late[d.to]; c != nil && late[d.from] != c && d.from.Index > c.stmts[0].Index {
			waits[c] = append(waits[c], d)
		}
	}
	for _, c := range cs {
		if len(waits[c]) == 0 {
			continue
		}
		var names []string
		for _, d := range waits[c] {
			if !slices.Contains(names, d.via.Name) && len(names) < 12 {
				names = append(names, d.via.Name)
			}
		}
		what := sourceOf(c.stmts[0].node())
		if sc.level < len(c.stmts[0].Loops) {
			what = loopsAt(c.stmts, sc.level)
		}
		o.note(Moved, sc.level, c.stmts, waits[c], "%s %s after %s, defined below", what, runVerb(what), listed(names))
	}
}

// noteLoop says what becomes of a loop of the program that stays whole.
func (o *orderer) noteLoop(c *cluster, level int) {
	what := loopsAt(c.stmts, level)
	if c.dirs&forward != 0 {
		o.note(Kept, level, c.stmts, c.deps, "%s stays as it is", what)
		return
	}
	back := against(c.deps, level, forward)
	o.note(Reversed, level, c.stmts, back, "%s runs backward: %s of a later iteration", what, readings(back))
}

// noteApart says why a loop was split or loops were taken apart, and into what.
func (o *orderer) noteApart(c *cluster, items []Item, level int) {
	what := loopsAt(c.stmts, level)
	bad := against(c.deps, level, forward)
	own := slices.ContainsFunc(items, func(it Item) bool { return it.Turns != nil || it.Waves != nil })
	var loops []any // nil stands for a statement without
	for _, s := range c.stmts {
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
		o.note(Fused, level, c.stmts, c.deps, "%s run as one: they need each other in each iteration", what)
	case len(loops) == 1 && len(items) > 1:
		o.note(Split, level, c.stmts, bad, "%s is split in %d: %s of a later iteration", what, len(items), readings(bad))
	case len(items) > 1:
		o.note(Split, level, c.stmts, c.deps, "%s are taken apart, for they need each other: %s", what, readings(acrossLoops(c.deps, level)))
	}
}

// acrossLoops lists the dependences of statements that share no loop of the program at a
// level, or all if there are none.
func acrossLoops(deps []*dep, level int) []*dep {
	var out []*dep
	for _, d := range deps {
		if level >= len(d.from.Loops) || level >= len(d.to.Loops) || d.from.Loops[level].Node != d.to.Loops[level].Node {
			out = append(out, d)
		}
	}
	if out == nil {
		return deps
	}
	return out
}

// noteKnot says how statements that need each other run, if no loop of the program does it.
func (o *orderer) noteKnot(k *knot) {
	what := loopsAt(k.stmts, k.level)
	for _, it := range k.own {
		switch {
		case it.Turns != nil:
			o.note(Turned, k.level, k.stmts, k.deps, "%s take turns in one loop: %s", what, readings(k.deps))
			return
		case it.Waves != nil:
			n := 0
			for _, s := range k.stmts {
				n += s.Iterations()
			}
			o.note(Leveled, k.level, k.stmts, k.deps, "%d instances of %s run in %d levels: %s, and no loop has that order", n, what, it.Waves.Levels, readings(k.deps))
			return
		}
	}
}
