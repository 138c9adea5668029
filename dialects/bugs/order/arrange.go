package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
)

// A Cluster is a part of a scope that is ordered as one: a statement, a loop of the
// program that stays whole, or what had to be taken apart.
type Cluster struct {
	Stmts      []*model.Statement
	Deps       []*model.Dependence // among them
	loop       *syntax.For
	dirs       directions   // of the loop
	Components []*Component // in order, of what is taken apart
}

// Arrange orders a scope by its clusters: the loops and statements of the program
// as they stand, in the order of the text as far as dependences let them. A program
// that is in order stays as it is. What is taken apart is a loop that does not
// respect the dependences in it, and loops and statements that depend on each
// other in a circle.
func (o *Orderer) Arrange(sc Scope) ([]*Cluster, *cycleError) {
	units, deps := o.units(sc)
	of := map[*model.Statement]int{}
	for i, u := range units {
		for _, s := range u.Stmts {
			of[s] = i
		}
	}
	comp := StronglyConnected(len(units), func(yield func(from, to int)) {
		for _, d := range sc.Deps {
			o.Work++
			if x, y := of[d.From], of[d.To]; x != y {
				yield(x, y)
			}
		}
	})
	var out []*Cluster
	for i, u := range units {
		// Numbers ascend by least members, so a component that is met for the first time is the next.
		if comp[i] == len(out) {
			out = append(out, &Cluster{loop: u.loop})
		} else {
			out[comp[i]].loop = nil
		}
		c := out[comp[i]]
		c.Stmts = append(c.Stmts, u.Stmts...)
		c.Deps = append(c.Deps, deps[i]...)
	}
	for _, d := range sc.Deps {
		if x, y := of[d.From], of[d.To]; x != y && comp[x] == comp[y] {
			out[comp[x]].Deps = append(out[comp[x]].Deps, d)
		}
	}
	for _, c := range out {
		if err := o.settle(c, sc.Level); err != nil {
			return nil, err
		}
	}
	return o.byText(out, sc), nil
}

// units are the loops and statements at the level of a scope, with the dependences
// within each.
func (o *Orderer) units(sc Scope) ([]*Cluster, [][]*model.Dependence) {
	var units []*Cluster
	of := map[*model.Statement]int{}
	for _, s := range sc.Stmts {
		var loop *syntax.For
		if sc.Level < len(s.Loops) {
			loop = s.Loops[sc.Level].Node
		}
		if n := len(units); loop == nil || n == 0 || units[n-1].loop != loop {
			units = append(units, &Cluster{loop: loop})
		}
		u := units[len(units)-1]
		u.Stmts = append(u.Stmts, s)
		of[s] = len(units) - 1
	}
	deps := make([][]*model.Dependence, len(units))
	for _, d := range sc.Deps {
		o.Work++
		if x := of[d.From]; x == of[d.To] {
			deps[x] = append(deps[x], d)
		}
	}
	return units, deps
}

// settle decides whether a cluster is a loop that stays whole, and takes it apart
// if it is not.
func (o *Orderer) settle(c *Cluster, level int) *cycleError {
	if len(c.Stmts) == 1 && len(c.Deps) == 0 {
		c.dirs = either
		return nil
	}
	if c.loop != nil && o.whole(c, level) {
		return nil
	}
	c.loop = nil
	var err *cycleError
	c.Components, err = o.Linear(Scope{Sorted(c.Stmts), level, c.Deps})
	return err
}

// whole reports that a loop of the program can stay: some direction respects the
// dependences, and what is inside can be ordered. A loop that could run forward in
// parts is not turned round.
func (o *Orderer) whole(c *Cluster, level int) bool {
	c.dirs = either
	for _, d := range c.Deps {
		o.Work++
		c.dirs &= directionsOf(d, level)
	}
	if c.dirs == 0 {
		return false
	}
	if c.dirs == backward {
		ks, err := o.Components(Scope{c.Stmts, level, c.Deps})
		if err != nil || !slices.ContainsFunc(ks, func(k *Component) bool { return k.Own == nil && k.Dirs == backward }) {
			return false
		}
	}
	_, err := o.Components(Scope{c.Stmts, level + 1, o.inner(c.Deps, level)})
	return err == nil
}

// byText puts clusters in the order of the text, each after those that it depends on.
func (o *Orderer) byText(cs []*Cluster, sc Scope) []*Cluster {
	of := map[*model.Statement]int{}
	for i, c := range cs {
		for _, s := range c.Stmts {
			of[s] = i
		}
	}
	succs := make([][]int, len(cs))
	for _, d := range sc.Deps {
		o.Work++
		if x, y := of[d.From], of[d.To]; x != y {
			succs[x] = append(succs[x], y)
		}
	}
	return lists.Map(digraph.Sorted(succs), func(i int) *Cluster { return cs[i] })
}
