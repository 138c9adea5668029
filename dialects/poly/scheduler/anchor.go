package scheduler

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
)

// anchored makes one loop of the component in which values go round, the deepest one, and of all
// components that can take part in it such that the elements which both access live for a bounded
// number of rounds: of an array that is used nowhere else what a few rounds need is then all that
// has to be kept. What is done once, such as the first element of a recurrence, is done in its round.
// The rows of the component are fixed first, and a component that lives with those that have rows
// gets the row by which it is closest. Loops in loops that have no loop inside stay apart: they are
// vectors, of what is small; so do those of a constant number of rounds. It is nil if there is no such component, or nothing takes part.
func (s *search) anchored(components [][]int, ds []*dependence) *node {
	a := &anchoring{search: s, components: components, ds: ds, of: map[int]int{}, rows: map[int]row{}, in: make([]bool, len(components))}
	for i, c := range components {
		for _, t := range c {
			a.of[t] = i
		}
	}
	for _, t := range slices.Concat(components...) {
		a.inLoop = a.inLoop || len(s.statements[t].found) > 0
	}
	if a.anchor = a.deepest(); a.anchor < 0 {
		return nil
	}
	rows, err := s.common(components[a.anchor], within(components[a.anchor], ds))
	if err != nil || rows == nil || a.inLoop && a.isShort(rows) {
		unwind.Check(err)
		return nil
	}
	a.take(a.anchor, rows)
	a.grow()
	a.needs = reach(len(components), ds, func(t int) int { return a.of[t] })
	a.shrink()
	if len(a.statements()) == len(components[a.anchor]) {
		return nil
	}
	return a.node()
}

// An anchoring is the components that take part in a loop.
type anchoring struct {
	*search
	components [][]int
	ds         []*dependence
	of         map[int]int // the component of a statement
	anchor     int
	inLoop     bool // there are loops around the components
	rows       map[int]row
	in         []bool // the components that take part
	needs      [][]bool
}

// deepest is the component with a dependence inside whose statements still need most rows, in a loop at
// least two, the largest of these, or -1.
func (a *anchoring) deepest() int {
	round := make([]bool, len(a.components))
	for _, d := range a.ds {
		if d.validity && a.of[d.from] == a.of[d.to] {
			round[a.of[d.from]] = true
		}
	}
	best, most := -1, 0
	if a.inLoop {
		most = 1
	}
	for i, c := range a.components {
		n := a.depth(c)
		if round[i] && (n > most || best >= 0 && n == most && len(c) > len(a.components[best])) {
			best, most = i, n
		}
	}
	return best
}

// isShort reports that the component has a constant number of rounds: nothing grows in the direction of
// rows.
func (a *anchoring) isShort(rows map[int]row) bool {
	for _, d := range a.ds {
		if rows[d.from] == nil || rows[d.to] == nil {
			continue
		}
		for _, g := range slices.Concat(d.rays, d.lines) {
			source, _ := d.sides(g, a.np, len(rows[d.from])-1-a.np)
			if g[0].Sign() == 0 && product(rows[d.from], source).Sign() != 0 {
				return false
			}
		}
	}
	return true
}

func (a *anchoring) take(component int, rows map[int]row) {
	a.in[component] = true
	for t, r := range rows {
		a.rows[t] = r
	}
}

// grow lets all components take part that can, those that need most rows first: what is done once then
// has its round where it is needed.
func (a *anchoring) grow() {
	refused := make([]bool, len(a.components))
	for {
		next := -1
		for i, c := range a.components {
			if !a.in[i] && !refused[i] && a.sharesElement(i) && (next < 0 || a.depth(c) > a.depth(a.components[next])) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		rows := a.join(next)
		if refused[next] = rows == nil; rows != nil {
			a.take(next, rows)
		}
	}
}

// sharesElement reports that a component accesses an element that one which takes part does.
func (a *anchoring) sharesElement(component int) bool {
	return slices.ContainsFunc(a.ds, func(d *dependence) bool {
		x, y := a.of[d.from], a.of[d.to]
		return len(d.lifetimes) > 0 && (x == component && a.in[y] || y == component && a.in[x])
	})
}

// join finds the rows of a component that satisfy its dependences and those on what takes part, and
// by which elements live shortest, for a bounded number of rounds. They are nil if there are none.
func (a *anchoring) join(component int) map[int]row {
	var ds []*dependence
	for _, d := range a.ds {
		x, y := a.of[d.from], a.of[d.to]
		if x == component && y == component || x == component && a.in[y] || y == component && a.in[x] {
			c := *d
			c.proximity = len(d.lifetimes) > 0
			ds = append(ds, &c)
		}
	}
	r, err := a.bandProgram(a.components[component], ds, a.rows)
	if err != nil {
		panic(unwind.Failed(err))
	}
	x, ok, err := r.Solve()
	if err != nil || !ok || x[goal].Sign() != 0 {
		unwind.Check(err)
		return nil
	}
	return r.rows(x)
}

// shrink takes away what cannot take part because something that does not would have to stand in
// between.
func (a *anchoring) shrink() {
	n, needs := len(a.components), a.needs
	for again := true; again; {
		again = false
		for b := range n {
			if a.in[b] {
				continue
			}
			for i := range n {
				for j := range n {
					if !a.in[i] || !a.in[j] || !needs[b][i] || !needs[j][b] {
						continue
					}
					out := j
					if j == a.anchor || needs[a.anchor][b] {
						out = i
					}
					a.in[out], again = false, true
				}
			}
		}
	}
}

// reach says of each of n parts on which others it depends, by way of others, too. Dependences go
// from parts to those with higher numbers.
func reach(n int, ds []*dependence, of func(statement int) int) [][]bool {
	needs := make([][]bool, n)
	for i := range needs {
		needs[i] = make([]bool, n)
	}
	for _, d := range ds {
		if x, y := of(d.from), of(d.to); d.validity && x != y {
			needs[y][x] = true
		}
	}
	for i := range n {
		for j := range i {
			if needs[i][j] {
				for k := range j {
					needs[i][k] = needs[i][k] || needs[j][k]
				}
			}
		}
	}
	return needs
}

// statements are those that take part.
func (a *anchoring) statements() (out []int) {
	for i, c := range a.components {
		if a.in[i] {
			out = append(out, c...)
		}
	}
	slices.Sort(out)
	return out
}

// node is the loop, after what it needs and before all else.
func (a *anchoring) node() *node {
	inside := a.statements()
	rows := map[int]row{}
	for _, t := range inside {
		rows[t] = a.rows[t]
	}
	var before, after []int
	for i, c := range a.components {
		switch {
		case a.in[i]:
		case slices.ContainsFunc(inside, func(t int) bool { return a.needs[a.of[t]][i] }):
			before = append(before, c...)
		default:
			after = append(after, c...)
		}
	}
	n := &node{kind: sequence}
	outside := func(statements []int) {
		if len(statements) == 0 {
			return
		}
		child := unwind.Must(a.sequential(statements, a.ds))
		n.add(statements, child)
	}
	outside(before)
	ds := within(inside, a.ds)
	m := a.member(rows, ds)
	if !a.inLoop {
		m.loop = schedule.Separate // what is done in some rounds only is no condition in all of them
	}
	a.search.take(rows)
	child := unwind.Must(a.sequential(inside, a.rest(ds, rows)))
	n.add(inside, newBand([]member{m}, false, child))
	outside(after)
	return n
}
