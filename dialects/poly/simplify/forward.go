package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// forward takes an array away that only has what elements of another are: who reads it reads these.
func (m *maker) forward(x *Array) {
	if x.Input || x.Bound {
		return
	}
	var link *Equation
	for _, e := range slices.Concat(m.program.Equations, m.rest) {
		if e.Target != x {
			continue
		}
		if link != nil || e.Body.Kind != Read || len(e.Keys) > 0 || e.Body.Array == x {
			return
		}
		link = e
	}
	if link == nil || !m.copies(link) {
		return
	}
	write := unwind.Must(link.Write.IntersectDomain(link.Domain))
	back := write.Inverse()
	if !unwind.Must(back.IsSingleValued()) {
		return
	}
	covered := write.Range()
	for _, e := range slices.Concat(m.program.Equations, m.rest) {
		if !e.readsWithin(x, covered, m.program.Context) {
			return
		}
	}
	from := unwind.Must(link.Body.Map.Compose(back))
	for _, e := range slices.Concat(m.program.Equations, m.rest) {
		e.redirect(x, link.Body.Array, from)
	}
	is := func(e *Equation) bool { return e == link }
	m.program.Equations = slices.DeleteFunc(m.program.Equations, is)
	m.program.Arrays = slices.DeleteFunc(m.program.Arrays, func(a *Array) bool { return a == x })
}

// copies reports that a reduction of one element is that element: Max and Min of floats leave NaN out, so that one which
// is NaN is the identity then.
func (m *maker) copies(e *Equation) bool {
	if e.Target.Exact || e.Op != Max && e.Op != Min {
		return true
	}
	defined := false
	for _, x := range slices.Concat(m.program.Equations, m.rest) {
		if x.Target == e.Body.Array {
			if x.Op != Max && x.Op != Min {
				return false
			}
			defined = true
		}
	}
	return defined
}

// readsWithin reports that an equation reads no element of an array but some, and none by a
// computed index.
func (e *Equation) readsWithin(x *Array, elements, context p.Set) bool {
	ok := true
	var err error
	e.reads(func(r *Expr) {
		if r.Array != x || !ok || err != nil {
			return
		}
		if ok = r.Kind == Read && len(e.Keys) == 0; !ok {
			return
		}
		var d p.Set
		if d, err = e.Domain.IntersectParams(context); err != nil {
			return
		}
		if d, err = d.Apply(r.Map); err == nil {
			ok, err = d.IsSubset(elements)
		}
	})
	unwind.Check(err)
	return ok
}

// redirect reads elements of another array instead of those of x.
func (e *Equation) redirect(x, y *Array, from p.Map) {
	touched := false
	e.reads(func(r *Expr) { touched = touched || r.Array == x })
	if !touched {
		return
	}
	if e.Origin == nil {
		e.Origin = e
	}
	var err error
	made := map[*Expr]*Expr{}
	var change func(a *Expr) *Expr
	change = func(a *Expr) *Expr {
		if b, ok := made[a]; ok {
			return b
		}
		b := *a
		if a.Kind == Read && a.Array == x {
			b.Array = y
			if b.Map, err = join(err, from, a.Map); err == nil {
				b.Map, err = b.Map.Coalesce()
			}
		}
		b.Args = nil
		for _, arg := range a.Args {
			b.Args = append(b.Args, change(arg))
		}
		if a.Cond != nil {
			b.Cond = change(a.Cond)
		}
		made[a] = &b
		return &b
	}
	e.Body = change(e.Body)
	unwind.Check(err)
}

// join is f after g, if nothing failed before.
func join(err error, f, g p.Map) (p.Map, error) {
	if err != nil {
		return g, err
	}
	return f.Compose(g)
}
