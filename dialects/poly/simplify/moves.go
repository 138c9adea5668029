package simplify

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// moves tries the vectors of reuse: first those along which all answers are one, of which one is
// kept.
func (t *trial) moves() error {
	some, err := t.gaining(t.red)
	if err != nil {
		return err
	}
	for _, try := range []func(*move) error{t.equal, t.reuse} {
		for _, m := range some {
			if t.done() {
				return nil
			}
			if err := try(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// equal keeps one of the answers along a vector, if nothing is added or subtracted on the way.
func (t *trial) equal(m *move) error {
	if len(m.removed) > 0 {
		return nil
	}
	both, err := m.roots.Intersect(m.reuse)
	if err != nil {
		return err
	}
	if none, err := both.IsEmpty(); err != nil || !none {
		return err
	}
	if m.root, err = rootOf(m, t.red.to.out); err != nil || m.root == nil {
		return err
	}
	parts := lists.Map(m.added, t.red.over)
	answers, err := t.red.answers()
	if err != nil {
		return err
	}
	return t.offer(&plan{how: equal, move: m}, []p.Set{answers}, parts)
}

// reuse takes what another answer has, in a temporary where it cannot in the target.
func (t *trial) reuse(m *move) error {
	r := t.red
	ok, why, err := t.allowed(r, m)
	if err != nil {
		return err
	}
	if !ok {
		own, err := t.temporaryOf(r)
		if err != nil {
			return err
		}
		if own != nil {
			r = r.within(own)
			if ok, _, err = t.allowed(r, m); err != nil {
				return err
			}
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
		answers, err := r.answers()
		if err != nil {
			return err
		}
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
	err = t.offer(x, sets, parts)
	x.red = r
	return err
}

// allowed reports that the answers of a reduction can wait for each other as a move makes them; why says what
// is in the way.
func (t *trial) allowed(r *reduction, m *move) (ok bool, why string, err error) {
	if !t.when.touches(t.target, r.body) {
		return true, "", nil
	}
	waits, err := r.waits(m)
	if err != nil {
		return false, "", err
	}
	if none, err := waits.IsEmpty(); err != nil || none {
		return err == nil, "", err
	}
	if t.banned[waits.String()] {
		return false, "", nil
	}
	ok, cycle, err := t.when.allows(t.target, wait{waits, r.own})
	if err != nil || ok {
		return ok, "", err
	}
	return false, fmt.Sprintf("%s along %s would close a cycle: %s", t.target.Name, vectorText(m.step), cycle), nil
}

// waits relates elements of the array to those that reuse makes wait for them.
func (r *reduction) waits(m *move) (p.Map, error) {
	back := translation(r.to.out, negated(m.step))
	w, err := back.IntersectDomain(m.reuse)
	if err != nil {
		return w, err
	}
	w = w.Inverse()
	if r.up == nil {
		return r.inOwn(w)
	}
	if w, err = r.up.Compose(w); err != nil {
		return w, err
	}
	if w, err = w.Compose(r.up.Inverse()); err != nil {
		return w, err
	}
	// What an element has in parts is complete before it is: no part waits for the element.
	_, out := w.Tuples()
	if w, err = w.Subtract(identity(out)); err != nil {
		return w, err
	}
	return r.inOwn(w)
}

// inOwn relates elements of the temporary of a reduction, if it has one, as elements of the target are related.
func (r *reduction) inOwn(w p.Map) (p.Map, error) {
	if r.own == nil || len(w.Basics()) == 0 {
		return w, nil
	}
	_, t := w.Tuples()
	to := rename(t, r.own.tuple(t))
	w, err := to.Compose(w)
	if err != nil {
		return w, err
	}
	return w.Compose(to.Inverse())
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
