package scheduler

import "github.com/irc-lang/irc/ir/unwind"

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// sequential orders by statement and instance level: strongly connected components one
// after the other; inside of one a loop around all its statements that no dependence goes
// against, with small coefficients, or else one that carries some; and so on inside of
// it. So loops take turns as an interpreter of equations would write them by hand.
func (s *search) sequential(statements []int, ds []*dependence) (_ *node, err error) {
	defer unwind.To(&err)
	ds = within(statements, ds)
	if components := strong(statements, ds, nil); len(components) > 1 {
		if s.options.Fusion != Minimal {
			if n := s.anchored(components, ds); n != nil {
				return n, nil
			}
		}
		return s.each(sequence, components, ds, s.sequential)
	}
	if !hasValidity(ds) {
		return s.loops(statements, ds), nil
	}
	rows := unwind.Must(s.common(statements, ds))
	if rows != nil {
		s.take(rows)
		m := s.member(rows, ds)
		child := unwind.Must(s.sequential(statements, s.rest(ds, rows)))
		return newBand([]member{m}, false, child), nil
	}
	return s.carried(statements, ds, s.sequential), nil
}

// common finds a row that no dependence goes against, with small coefficients: one that is new for each
// of some statements, or at least for those that still need most, while others are done in one round of
// it. It is nil if there is none.
func (s *search) common(statements []int, ds []*dependence) (_ map[int]row, err error) {
	defer unwind.To(&err)
	if s.isDone(statements) {
		return nil, nil
	}
	var close []*dependence // only what is to be satisfied matters
	for _, d := range ds {
		if d.validity {
			c := *d
			c.proximity = false
			close = append(close, &c)
		}
	}
	var deepest []int
	for _, i := range statements {
		if len(s.statements[i].free()) == s.depth(statements) {
			deepest = append(deepest, i)
		}
	}
	for _, some := range [][]int{statements, deepest} {
		r := unwind.Must(s.bandProgram(statements, close, nil))
		x := s.independent(r, some)
		if x != nil {
			return r.rows(x), nil
		}
		if len(deepest) == len(statements) {
			break
		}
	}
	return nil, nil
}

// feautrier satisfies as many dependences as it can by each row, statements together
// (Feautrier, "Some efficient solutions to the affine scheduling problem", 1992).
func (s *search) feautrier(statements []int, ds []*dependence) (_ *node, err error) {
	defer unwind.To(&err)
	ds = within(statements, ds)
	if parts := weak(statements, ds); len(parts) > 1 {
		return s.each(set, parts, ds, s.feautrier)
	}
	if !hasValidity(ds) {
		return s.loops(statements, ds), nil
	}
	return s.carried(statements, ds, s.feautrier), nil
}

// loops are those that each statement still needs, in the order of its dimensions.
func (s *search) loops(statements []int, ds []*dependence) *node {
	if len(statements) > 1 {
		n := &node{kind: sequence}
		for _, i := range statements {
			n.add([]int{i}, s.loops([]int{i}, within([]int{i}, ds)))
		}
		return n
	}
	t := s.statements[statements[0]]
	var members []member
	for k := 0; k < t.dims; k++ {
		r := make(row, 1+s.np+t.dims)
		r[1+s.np+k] = p.NewInt(1)
		if independent(r[1+s.np:], t.free()) {
			rows := map[int]row{statements[0]: r}
			s.take(rows)
			members = append(members, s.member(rows, ds))
		}
	}
	if len(members) == 0 {
		return nil
	}
	return newBand(members, len(members) > 1, nil)
}
