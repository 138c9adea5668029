package polyhedral

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A reduction need not begin with the identity of its operator: a statement that updates each
// element at most once can set it to its value, which what else updates the element then adds to.
// Several such statements become one, which sets the element to what they combine to. So
// X[i] += X[i-1] and X[i] += f(i) are X[i] = X[i-1] + f(i), a recurrence.
//
// Nothing can wait in a circle that did not before: what needs the value of one of the updates
// needs the element, and with it all of them.

// maxBeginnings bounds the statements that come of those which begin one array.
const maxBeginnings = 8

// A beginning sets some elements of an array to what one update each of some statements gives.
type beginning struct {
	name     string
	elements presburger.Set
	parts    []part
}

// A part is a statement, and which instance of it updates the element that an instance of the
// first part does.
type part struct {
	*poly.Stmt
	instance presburger.MultiAff // not of the first part itself
}

// beginnings are those of which some statement is the last part, by its value: where it stands is
// what the bodies of all parts use. A statement that others follow in each has an empty list. Where no statement is left that says by which
// operator an array is reduced, the elements without a value have their identity here.
type beginnings struct {
	sys  map[ir.Node]*poly.System
	list map[ir.Node][]beginning
	rest map[ir.Node]systems.Identity

	faults systems.Faults
}

// find adds those of a system of equations.
func (all *beginnings) find(sys *poly.System) {
	for _, a := range sys.Arrays {
		list, err := findInits(sys, a)
		if errors.Is(err, presburger.ErrBudget) {
			continue // it begins with the identity
		}
		if err != nil {
			panic(unwind.Failed(err))
		}
		if len(list) == 0 {
			continue
		}
		rest, some := unwind.Must2(without(sys, a, list))
		if some {
			all.rest[list[0].parts[0].Node] = rest
		}
		named := map[string]bool{}
		for _, x := range list {
			x.name = x.parts[0].Name
			for named[x.name] || x.name != x.parts[0].Name && sys.Statement(x.name) != nil {
				x.name += "_"
			}
			named[x.name] = true
			for _, st := range x.parts {
				all.sys[st.Node] = sys
			}
			all.faults.Expect(sys)
			last := x.parts[len(x.parts)-1].Node
			all.list[last] = append(all.list[last], x)
		}
	}
}

// without has the elements that have no value if each statement that reduces an array begins it.
func without(sys *poly.System, a *poly.ArrayDecl, list []beginning) (x systems.Identity, some bool, err error) {
	defer unwind.To(&err)
	begins := map[*poly.Stmt]bool{}
	rest, err := a.Extent.IntersectParams(sys.Context)
	for _, b := range list {
		for _, st := range b.parts {
			begins[st.Stmt] = true
		}
	}
	for _, st := range sys.Statements {
		switch {
		case st.Target != a || err != nil:
			continue
		case st.Operator != poly.Set && !begins[st]:
			return x, false, nil
		}
		var w presburger.Map
		if w, err = updates(sys, st); err == nil {
			rest, err = rest.Subtract(w.Range())
		}
	}
	if err != nil {
		return x, false, err
	}
	if unwind.Must(rest.IsEmpty()) {
		return x, false, nil
	}
	x, err = systems.NewIdentity(sys, a, list[0].parts[0].Operator, rest, false)
	return x, true, err
}

// findInits finds the beginnings of the elements of an array, of which no two overlap.
func findInits(sys *poly.System, a *poly.ArrayDecl) (out []beginning, err error) {
	defer unwind.To(&err)
	if !a.HasExtent || !free(sys, a) {
		return nil, nil
	}
	var op poly.Operator
	for _, st := range sys.Statements {
		if st.Target != a || st.Operator == poly.Set {
			continue
		}
		if op != "" && st.Operator != op {
			return nil, nil // operators that take turns
		}
		op = st.Operator
		w := unwind.Must(updates(sys, st))
		once := unwind.Must(w.IsInjective())
		if !once || st.Keyed { // which element a keyed one updates is not known
			continue
		}
		more := split(out, st, w.Range())
		if more != nil {
			out = more
		}
	}
	return out, nil
}

// free reports an array whose updates have no order among themselves. One that reads partial sums has,
// as some comes after it that others may wait for.
func free(sys *poly.System, a *poly.ArrayDecl) bool {
	n, after := 0, false
	for _, st := range sys.Statements {
		if st.Target == a {
			n, after = n+1, after || st.HasAfter
		}
	}
	return n == 1 || !after
}

// updates relates the instances of a statement to the elements of its target.
func updates(sys *poly.System, st *poly.Stmt) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	d := unwind.Must(st.Domain.IntersectParams(sys.Context))
	return st.Write.IntersectDomain(d)
}

// split adds a statement that updates some elements to those that begin them; nil says that it
// has to stay an update.
func split(list []beginning, st *poly.Stmt, elements presburger.Set) (out []beginning) {
	add := func(elements presburger.Set, parts ...part) {
		elements = unwind.Must(elements.Coalesce())
		empty := unwind.Must(elements.IsEmpty())
		if !empty {
			out = append(out, beginning{elements: elements, parts: parts})
		}
	}
	for _, x := range list {
		both := unwind.Must(x.elements.Intersect(elements))
		if unwind.Must(both.IsEmpty()) {
			out = append(out, x)
			continue
		}
		instance, ok := counterpart(x.parts[0].Stmt, st, both)
		if !ok {
			return nil
		}
		alone := unwind.Must(x.elements.Subtract(elements))
		add(alone, x.parts...)
		add(both, append(slices.Clone(x.parts), part{st, instance})...)
		elements = unwind.Must(elements.Subtract(x.elements))
	}
	if add(elements, part{Stmt: st}); len(out) > maxBeginnings {
		return nil
	}
	return out
}

// counterpart is the function from the instances of one statement to those of another that update
// the same of some elements; ok says that it is one without cases.
func counterpart(first, st *poly.Stmt, elements presburger.Set) (f presburger.MultiAff, ok bool) {
	from := unwind.Must(first.Write.IntersectDomain(first.Domain))
	from = unwind.Must(from.IntersectRange(elements))
	to := unwind.Must(st.Write.IntersectDomain(st.Domain))
	m := unwind.Must(to.Inverse().Compose(from))
	m = unwind.Must(m.Coalesce())
	p := unwind.Must(m.AsPwMultiAff())
	n := 0
	for _, is := range p.Pieces() {
		f, n = is, n+1
	}
	return f, n == 1
}
