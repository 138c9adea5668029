package bugs

import (
	"container/heap"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A cluster is a part of a scope that is ordered as one: a statement, a loop of the
// program that stays whole, or what had to be taken apart.
type cluster struct {
	stmts []*Statement
	deps  []*dep // among them
	loop  *syntax.For
	dirs  directions // of the loop
	knots []*knot    // in order, of what is taken apart
}

// arrange orders a scope by its clusters: the loops and statements of the program
// as they stand, in the order of the text as far as dependences let them. A program
// that is in order stays as it is. What is taken apart is a loop that does not
// respect the dependences in it, and loops and statements that depend on each
// other in a circle.
func (o *orderer) arrange(sc scope) ([]*cluster, *cycleError) {
	units, deps := o.units(sc)
	of := map[*Statement]int{}
	for i, u := range units {
		for _, s := range u.stmts {
			of[s] = i
		}
	}
	comp := components(len(units), func(yield func(from, to int)) {
		for _, d := range sc.deps {
			o.work++
			if x, y := of[d.from], of[d.to]; x != y {
				yield(x, y)
			}
		}
	})
	var out []*cluster
	for i, u := range units {
		if comp[i] == len(out) {
			out = append(out, &cluster{loop: u.loop})
		} else {
			out[comp[i]].loop = nil
		}
		c := out[comp[i]]
		c.stmts = append(c.stmts, u.stmts...)
		c.deps = append(c.deps, deps[i]...)
	}
	for _, d := range sc.deps {
		if x, y := of[d.from], of[d.to]; x != y && comp[x] == comp[y] {
			out[comp[x]].deps = append(out[comp[x]].deps, d)
		}
	}
	for _, c := range out {
		if err := o.settle(c, sc.level); err != nil {
			return nil, err
		}
	}
	return o.byText(out, sc), nil
}

// units are the loops and statements at the level of a scope, with the dependences
// within each.
func (o *orderer) units(sc scope) ([]*cluster, [][]*dep) {
	var units []*cluster
	of := map[*Statement]int{}
	for _, s := range sc.stmts {
		var loop *syntax.For
		if sc.level < len(s.Loops) {
			loop = s.Loops[sc.level].Node
		}
		if n := len(units); loop == nil || n == 0 || units[n-1].loop != loop {
			units = append(units, &cluster{loop: loop})
		}
		u := units[len(units)-1]
		u.stmts = append(u.stmts, s)
		of[s] = len(units) - 1
	}
	deps := make([][]*dep, len(units))
	for _, d := range sc.deps {
		o.work++
		if x := of[d.from]; x == of[d.to] {
			deps[x] = append(deps[x], d)
		}
	}
	return units, deps
}

// settle decides whether a cluster is a loop that stays whole, and takes it apart
// if it is not.
func (o *orderer) settle(c *cluster, level int) *cycleError {
	if len(c.stmts) == 1 && len(c.deps) == 0 {
		c.dirs = either
		return nil
	}
	if c.loop != nil && o.whole(c, level) {
		return nil
	}
	c.loop = nil
	var err *cycleError
	c.knots, err = o.linear(scope{sorted(c.stmts), level, c.deps})
	return err
}

// whole reports that a loop of the program can stay: some direction respects the
// dependences, and what is inside can be ordered. A loop that could run forward in
// parts is not turned round.
func (o *orderer) whole(c *cluster, level int) bool {
	c.dirs = either
	for _, d := range c.deps {
		o.work++
		c.dirs &= d.directions(level)
	}
	if c.dirs == 0 {
		return false
	}
	if c.dirs == backward {
		ks, err := o.knots(scope{c.stmts, level, c.deps})
		if err != nil || !slices.ContainsFunc(ks, func(k *knot) bool { return k.own == nil && k.dirs == backward }) {
			return false
		}
	}
	_, err := o.knots(scope{c.stmts, level + 1, o.inner(c.deps, level)})
	return err == nil
}

// byText puts clusters in the order of the text, each after those that it depends on.
func (o *orderer) byText(cs []*cluster, sc scope) []*cluster {
	of := map[*Statement]int{}
	for i, c := range cs {
		for _, s := range c.stmts {
			of[s] = i
		}
	}
	succs, waits, seen := make([][]int, len(cs)), make([]int, len(cs)), map[[2]int]bool{}
	for _, d := range sc.deps {
		o.work++
		if x, y := of[d.from], of[d.to]; x != y && !seen[[2]int{x, y}] {
			seen[[2]int{x, y}] = true
			succs[x] = append(succs[x], y)
			waits[y]++
		}
	}
	var ready indexHeap
	for i := range cs {
		if waits[i] == 0 {
			heap.Push(&ready, i)
		}
	}
	var out []*cluster
	for ready.Len() > 0 {
		i := heap.Pop(&ready).(int)
		out = append(out, cs[i])
		for _, next := range succs[i] {
			if waits[next]--; waits[next] == 0 {
				heap.Push(&ready, next)
			}
		}
	}
	return out
}
