package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Memory that a function allocates is static if all that it stores there is, in code that every
// call reaches, and if nothing else is done with it than to read its elements. What a load of it
// gives at some place is then the same in every call that gets there, though it may change from
// one round of a loop to the next, in which there are stores.

// findOwn finds the memory that may be, and its loads.
func (t *Times) findOwn() {
	g := t.g
	for v := range t.s.All() {
		if a, ok := ir.As[ir.Allocation](g.NodeOf(v)); ok && a.From == 0 && g.Results(v) == 1 && len(g.Regions(v)) == 0 {
			t.memory[v] = nil
		}
	}
	for v := range t.s.All() {
		for i, a := range g.Args(v) {
			m := t.root(a)
			if !t.isOwn(m) {
				continue
			}
			switch def := g.Def(v); {
			case def == memref.Load && i == 0, def == memref.Dim && i == 0, def.Has(ir.View) && i == 0:
			case def == memref.Store && i == 1:
				t.memory[m] = append(t.memory[m], v)
			default:
				delete(t.memory, m)
			}
		}
	}
	for v := range t.s.All() {
		if g.Def(v) == memref.Load && t.isOwn(t.root(g.Args(v)[0])) {
			t.reads[v] = true
		}
	}
}

// isOwn reports memory of the function that may be static.
func (t *Times) isOwn(m ir.Value) bool {
	_, ok := t.memory[m]
	return ok
}

// storesInto is the static memory of the function's own that an op stores into; 0 for other ops.
func (t *Times) storesInto(v ir.Value) ir.Value {
	if t.g.Def(v) != memref.Store {
		return 0
	}
	if m := t.root(t.g.Args(v)[1]); t.isOwn(m) && !t.dynamic[m] {
		return m
	}
	return 0
}

// lateMemory reports memory of which not all that is stored is static, as far as is known.
func (t *Times) lateMemory(m ir.Value, stores []ir.Value) bool {
	g := t.g
	isLate := func(a ir.Value) bool { return t.dynamic[a] && t.root(a) != m }
	if slices.ContainsFunc(g.Args(m), isLate) {
		return true
	}
	for _, v := range stores {
		if slices.ContainsFunc(g.Args(v), isLate) || !t.Always(t.s.Place(v)) || g.IsPartial(v) && v > t.seen {
			return true
		}
	}
	return false
}
