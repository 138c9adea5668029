package scheduler

import "github.com/irc-lang/irc/ir/unwind"

// pluto is Pluto's algorithm: bands of as many common rows as there are; then, by what
// is left to be satisfied, statements one after the other, or a row that carries some.
func (s *search) pluto(statements []int, ds []*dependence) *node {
	return unwind.Must(s.fused(statements, ds))
}

// fused schedules statements in common loops as far as the kind of fusion says.
func (s *search) fused(statements []int, ds []*dependence) (_ *node, err error) {
	defer unwind.To(&err)
	ds = within(statements, ds)
	if s.isDone(statements) && !hasValidity(ds) {
		return inOrder(statements), nil
	}
	if !s.isDone(statements) {
		if parts := weak(statements, ds); len(parts) > 1 {
			return s.each(set, parts, ds, s.fused)
		}
	}
	components := strong(statements, ds, nil)
	if s.options.Fusion == Minimal || s.isDone(statements) {
		if len(components) > 1 {
			return s.each(sequence, components, ds, s.fused)
		}
	}
	if s.options.Fusion == Smart && len(components) > 1 {
		if parts := s.byDepth(statements, ds); len(parts) > 1 {
			return s.each(sequence, parts, ds, s.fused)
		}
	}
	members := unwind.Must(s.band(statements, ds, s.depth(statements)))
	if len(members) == 0 {
		if len(components) > 1 {
			parts := s.cut(components, ds)
			return s.each(sequence, parts, ds, s.fused)
		}
		return s.carried(statements, ds, s.fused), nil
	}
	for _, m := range members {
		ds = s.rest(ds, m.rows)
	}
	child := unwind.Must(s.fused(statements, ds))
	return newBand(members, len(members) > 1, child), nil
}

// depth is how many rows some statements still need.
func (s *search) depth(statements []int) int {
	most := 0
	for _, i := range statements {
		most = max(most, len(s.statements[i].free()))
	}
	return most
}

// each schedules parts one after the other, or in any order.
func (s *search) each(k kind, parts [][]int, ds []*dependence, f func(part []int, ds []*dependence) (*node, error)) (_ *node, err error) {
	defer unwind.To(&err)
	n := &node{kind: k}
	for _, part := range parts {
		child := unwind.Must(f(part, within(part, ds)))
		n.add(part, child)
	}
	return n, nil
}

// carried makes a loop that satisfies what it can.
func (s *search) carried(statements []int, ds []*dependence, inner func([]int, []*dependence) (*node, error)) *node {
	rows := s.carry(statements, ds)
	s.take(rows)
	m := s.member(rows, ds)
	child := unwind.Must(inner(statements, s.rest(ds, rows)))
	return newBand([]member{m}, false, child)
}

// byDepth cuts the components, in an order that keeps those of the same depth together,
// where the depth changes, and around those that are better alone (the smart fusion of Pluto, which does so before it looks for loops; here
// in loops, too, so that what is next to a loop is not a condition in it).
func (s *search) byDepth(statements []int, ds []*dependence) [][]int {
	prefer := func(last []int, ready [][]int) int {
		for i, r := range ready {
			if last != nil && s.class(r) == s.class(last) {
				return i
			}
		}
		return 0
	}
	var out [][]int
	class := 0
	for _, c := range strong(statements, ds, prefer) {
		if k := s.class(c); k != class {
			out, class = append(out, nil), k
		}
		out[len(out)-1] = append(out[len(out)-1], c...)
	}
	return out
}

// class is the same for components that byDepth keeps together: those of one depth.
func (s *search) class(component []int) int {
	if i := component[0]; len(component) == 1 && s.statements[i].alone {
		return -1 - i
	}
	return 1 + s.depth(component)
}

// cut distributes components that have no common row: each joins those before it if they
// are related and have one together.
func (s *search) cut(components [][]int, ds []*dependence) [][]int {
	out := [][]int{components[0]}
	for _, c := range components[1:] {
		last := len(out) - 1
		together := append(append([]int(nil), out[last]...), c...)
		if s.fusible(together, within(together, ds), c) {
			out[last] = together
		} else {
			out = append(out, c)
		}
	}
	return out
}

// fusible reports that some statements have a common row, and are related.
func (s *search) fusible(statements []int, ds []*dependence, last []int) bool {
	if s.options.Fusion == Minimal || len(weak(statements, ds)) > 1 {
		return false
	}
	r := unwind.Must(s.bandProgram(statements, ds, nil))
	x := s.independent(r, statements)
	return x != nil
}
