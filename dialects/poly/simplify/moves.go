package simplify

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// moves tries the vectors of reuse: first those along which all answers are one, of which one is
// kept.
func (t *trial) moves() (err error) {
	defer unwind.To(&err)
	some := t.gaining(t.red)
	for _, try := range []func(*move) error{t.equal, t.reuse} {
		for _, m := range some {
			if t.done() {
				return nil
			}
			unwind.Check(try(m))
		}
	}
	return nil
}

// equal keeps one of the answers along a vector, if nothing is added or subtracted on the way.
func (t *trial) equal(m *move) (err error) {
	defer unwind.To(&err)
	if len(m.removed) > 0 {
		return nil
	}
	both := unwind.Must(m.roots.Intersect(m.reuse))
	if !unwind.Must(both.IsEmpty()) {
		return nil
	}
	if m.root = rootOf(m, t.red.to.out); m.root == nil {
		return nil
	}
	parts := lists.Map(m.added, t.red.over)
	answers := unwind.Must(t.red.answers())
	t.offer(&plan{how: equal, move: m}, []p.Set{answers}, parts)
	return nil
}

// reuse takes what another answer has, in a temporary where it cannot in the target.
func (t *trial) reuse(m *move) (err error) {
	defer unwind.To(&err)
	r := t.red
	ok, why := t.allowed(r, m)
	if !ok {
		own := t.temporaryOf(r)
		if own != nil {
			r = r.within(own)
			ok, _ = t.allowed(r, m)
		}
	}
	if !ok {
		if why != "" && !slices.Contains(t.refused, why) {
			t.refused = append(t.refused, why)
		}
		return nil
	}
	x := &plan{how: reuse, move: m, temporary: r != t.red}
	sets := []p.Set{m.reuse}
	if x.temporary {
		answers := unwind.Must(r.answers())
		sets = append(sets, answers)
	}
	parts := lists.Map(m.added, r.over)
	minus := t.minus(r.body)
	for _, d := range m.removed {
		parts = append(parts, r.over(d).into(m.to).of(minus))
		if !t.target.Exact {
			x.losses++
		}
	}
	t.offer(x, sets, parts)
	x.red = r
	return nil
}

// allowed reports that the answers of a reduction can wait for each other as a move makes them; why says what
// is in the way.
func (t *trial) allowed(r *reduction, m *move) (ok bool, why string) {
	if !t.when.touches(t.target, r.body) {
		return true, ""
	}
	waits := r.waits(m)
	if unwind.Must(waits.IsEmpty()) {
		return true, ""
	}
	if t.banned[waits.String()] {
		return false, ""
	}
	ok, cycle := t.when.allows(t.target, wait{waits, r.own})
	if ok {
		return ok, ""
	}
	return false, fmt.Sprintf("%s along %s would close a cycle: %s", t.target.Name, vectorText(m.step), cycle)
}

// waits relates elements of the array to those that reuse makes wait for them.
func (r *reduction) waits(m *move) p.Map {
	back := translation(r.to.out, negated(m.step))
	w := unwind.Must(back.IntersectDomain(m.reuse))
	w = w.Inverse()
	if r.up == nil {
		return r.inOwn(w)
	}
	w = unwind.Must(r.up.Compose(w))
	w = unwind.Must(w.Compose(r.up.Inverse()))
	// What an element has in parts is complete before it is: no part waits for the element.
	_, out := w.Tuples()
	w = unwind.Must(w.Subtract(identity(out)))
	return r.inOwn(w)
}

// inOwn relates elements of the temporary of a reduction, if it has one, as elements of the target are related.
func (r *reduction) inOwn(w p.Map) p.Map {
	if r.own == nil || len(w.Basics()) == 0 {
		return w
	}
	_, t := w.Tuples()
	to := rename(t, r.own.tuple(t))
	w = unwind.Must(to.Compose(w))
	return unwind.Must(w.Compose(to.Inverse()))
}

func identity(t p.Tuple) p.Map { return translation(t, make([]p.Int, t.Len())) }

// minus is the inverse of an expression, one for each.
func (s *search) minus(e *Expr) *Expr {
	if m, ok := s.negate[e]; ok {
		return m
	}
	var m *Expr
	each := func(args []*Expr) (out []*Expr) {
		return lists.Map(args, s.minus)
	}
	switch {
	case e.Kind == Negative:
		m = e.Args[0]
	case e.Kind == Identity:
		m = e
	case e.Kind == Combine && e.Op == Add:
		m = &Expr{Kind: Combine, Op: Add, Args: each(e.Args), Client: e.Client}
	case e.Kind == Combine && e.Op == Mul:
		m = &Expr{Kind: Combine, Op: Mul, Args: slices.Concat(each(e.Args[:1]), e.Args[1:]), Client: e.Client}
	case e.Kind == Select:
		m = &Expr{Kind: Select, Where: e.Where, Cond: e.Cond, Args: each(e.Args), Client: e.Client}
	default:
		m = &Expr{Kind: Negative, Args: []*Expr{e}}
	}
	s.negate[e] = m
	return m
}

func vectorText(v []p.Int) string {
	out := lists.Map(v, func(x p.Int) string { return x.String() })
	return "(" + strings.Join(out, ", ") + ")"
}
