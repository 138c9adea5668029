package fusion

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// branch is a conditional with loops on both sides.
func (w *writer) branch() {
	types := w.yielded()
	side := func() (out []ir.Value) {
		w.scope(func() {
			w.statement()
			w.statement()
			for _, t := range types {
				out = append(out, w.value(t))
			}
		})
		return out
	}
	for _, r := range w.b.Results(scf.BuildIf(w.b, w.value(ir.I1), side, side)) {
		w.known(r)
	}
}

// carried is a loop of a few rounds that carries arrays and numbers.
func (w *writer) carried() {
	types := w.yielded()
	inits := make([]ir.Value, len(types))
	for k, t := range types {
		inits[k] = w.value(t)
	}
	v := scf.BuildFor(w.b, w.b.Index(0), w.b.Index(int64(1+w.IntN(3))), w.b.Index(1), inits, func(i ir.Value, carried []ir.Value) (out []ir.Value) {
		w.scope(func() {
			w.add(i)
			for _, x := range carried {
				w.known(x)
			}
			w.statement()
			w.statement()
			for _, t := range types {
				out = append(out, w.value(t))
			}
		})
		return out
	})
	for _, r := range w.b.Results(v) {
		w.known(r)
	}
}

// yielded are types of what regions of conditionals and loops yield.
func (w *writer) yielded() []ir.Type {
	out := []ir.Type{w.element(2)}
	if w.IntN(2) == 0 {
		out = append(out, w.scalar())
	}
	if arrays := w.arrays(func(ir.Type) bool { return true }); len(arrays) > 0 && w.IntN(2) == 0 {
		out = append(out, w.typ(pick(w, arrays)))
	}
	return out
}

// lookup finds a group by its keys and takes what was made of it.
func (w *writer) lookup() {
	groups := w.have(func(t ir.Type) bool { _, ok := loop.KeysOf(w.c, t); return ok })
	if len(groups) == 0 {
		w.collection()
		return
	}
	g := pick(w, groups)
	keys, _ := loop.KeysOf(w.c, w.typ(g))
	args := []ir.Value{g}
	for _, t := range keys {
		args = append(args, w.key(t))
	}
	at := w.b.Op(loop.Find, args...)
	w.add(at)
	for _, a := range w.arrays(func(ir.Type) bool { return true }) {
		if w.length[a] == w.length[g] && w.IntN(2) == 0 {
			w.known(w.at(a, at))
		}
	}
}
