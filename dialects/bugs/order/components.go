package order

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/digraph"
)

// A Component is a strongly connected component of the statements of a scope: they share
// the next loop, or have an order of their own.
type Component struct {
	Stmts  []*model.Statement  // by index
	Deps   []*model.Dependence // among them
	level  int
	Cyclic bool         // several statements, or one that depends on itself
	Dirs   directions   // of the loop at this level
	Own    []model.Item // their order, if that is no loop of the program
}

// key is the loop of a component at its level; "" is none.
func (k *Component) key() string {
	if s := k.Stmts[0]; k.Own == nil && k.level < len(s.LoopKeys) {
		return s.LoopKeys[k.level]
	}
	return ""
}

// StronglyConnected numbers the strongly connected components of n vertices, in the order
// of their least vertices.
func StronglyConnected(n int, edges func(yield func(from, to int))) []int {
	succs := make([][]int, n)
	edges(func(from, to int) { succs[from] = append(succs[from], to) })
	return digraph.Numbers(digraph.Components(succs))
}

// Numbered numbers statements from 0.
func Numbered(stmts []*model.Statement) map[*model.Statement]int {
	out := make(map[*model.Statement]int, len(stmts))
	for i, s := range stmts {
		out[s] = i
	}
	return out
}

// Components finds the components of a scope, by their first statements, each with its
// loop or order. The error of an inner level has no path: the level around it then
// finds another order.
func (o *Orderer) Components(sc Scope) ([]*Component, *cycleError) {
	at := Numbered(sc.Stmts)
	comp := StronglyConnected(len(sc.Stmts), func(yield func(from, to int)) {
		for _, d := range sc.Deps {
			o.Work++
			yield(at[d.From], at[d.To])
		}
	})
	var out []*Component
	for i, s := range sc.Stmts {
		if comp[i] == len(out) {
			out = append(out, &Component{level: sc.Level, Dirs: either})
		}
		k := out[comp[i]]
		k.Stmts = append(k.Stmts, s)
		k.Cyclic = k.Cyclic || len(k.Stmts) > 1
	}
	for _, d := range sc.Deps {
		if c := comp[at[d.From]]; c == comp[at[d.To]] {
			out[c].Deps = append(out[c].Deps, d)
			out[c].Cyclic = true
		}
	}
	for _, k := range out {
		if !k.Cyclic {
			continue
		}
		if err := o.decide(k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decide finds how a cycle of statements can run: in one loop of the program,
// forward or backward; in a loop where the statements take turns; or, at the
// outermost level, instance by instance. byInstance numbers the instances of all loops around a
// statement, so it serves no inner level.
func (o *Orderer) decide(k *Component) *cycleError {
	if o.shareLoop(k) {
		inner := Scope{k.Stmts, k.level + 1, o.inner(k.Deps, k.level)}
		if _, err := o.Components(inner); err == nil {
			return nil
		}
	}
	k.Dirs = 0
	if k.Own = o.takeTurns(k); k.Own != nil {
		return nil
	}
	if k.level > 0 {
		return &cycleError{}
	}
	w, err := o.byInstance(k)
	if err == nil {
		k.Own = []model.Item{{Wavefronts: w}}
	}
	return err
}

// shareLoop reports that the statements of a component have the same loop at its level,
// and that it respects their dependences in some direction.
func (o *Orderer) shareLoop(k *Component) bool {
	for _, s := range k.Stmts {
		if model.SharedLoops(s, k.Stmts[0]) <= k.level {
			return false
		}
	}
	for _, d := range k.Deps {
		o.Work++
		k.Dirs &= directionsOf(d, k.level)
	}
	return k.Dirs != 0
}
