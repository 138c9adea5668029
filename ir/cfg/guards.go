package cfg

// Structuring uses two guards for the whole tree, which hold numbers of places. Here they fall apart into as many guards as
// there are independent uses (webs: the assignments that reach common reads), each numbered from 0 without holes, and what
// nobody reads is gone.

// guards gives a tree its guards, and then says what ifs yield and loops carry.
func guards(g *Graph, t *Tree) *Tree {
	going, entering := t.FirstGuard, t.FirstGuard+1
	t.Guards = make([]Guard, 2)
	s := analyse(g, t)
	s.classes = sets{0, 1}
	dead, class := map[*Set]bool{}, map[any]int32{}
	s.guard = func(e *event, reach int32) {
		if set, ok := e.node.(*Set); ok && !e.live {
			dead[set] = true
			return
		}
		class[e.node] = reach
	}
	s.variable(going)
	s.variable(entering)
	w := webs{classes: s.classes, class: class, dead: dead, index: map[int32]int{}, first: going}
	each(t.Body, w.test)
	t.Body = w.rename(t.Body)
	t.Guards = t.Guards[:0]
	for _, vs := range w.values {
		t.Guards = append(t.Guards, Guard{len(vs)})
	}
	s = analyse(g, t)
	for v := range s.accesses {
		s.variable(v)
	}
	s.results(g)
	return t
}

// results notes which results have no value at the end.
func (s *slots) results(g *Graph) {
	reached := map[int]bool{}
	for v, as := range s.accesses {
		for _, a := range as {
			if a.write && a.in >= 0 {
				reached[v] = true
			}
		}
	}
	for _, v := range g.Results {
		if !reached[v] {
			s.tree.Undefined = append(s.tree.Undefined, v)
		}
	}
}

// each visits the nodes of a tree, outer before inner.
func each(body []Node, do func(Node)) {
	for _, n := range body {
		do(n)
		switch n := n.(type) {
		case *If:
			for _, a := range n.Arms {
				each(a.Body, do)
			}
		case *Loop:
			each(n.Before, do)
			each(n.After, do)
		}
	}
}

// webs renames guards.
type webs struct {
	classes sets
	class   map[any]int32
	dead    map[*Set]bool
	first   int           // guard
	index   map[int32]int // of a class among the guards
	values  []map[int]int // of a guard: from places
}

// guard is the guard that a node reads or writes.
func (w *webs) guard(node any) (guard int, values map[int]int) {
	c := w.classes.find(w.class[node])
	i, ok := w.index[c]
	if !ok {
		i = len(w.values)
		w.index[c], w.values = i, append(w.values, map[int]int{})
	}
	return w.first + i, w.values[i]
}

// value numbers the places that a guard holds. What its first test asks for is 1, so that a guard with two values is the answer.
func value(values map[int]int, place int) int {
	v, ok := values[place]
	if !ok {
		if v = len(values); v < 2 {
			v = 1 - v
		}
		values[place] = v
	}
	return v
}

// test renames the guard of a test.
func (w *webs) test(n Node) {
	var t *Test
	switch n := n.(type) {
	case *If:
		t, n.Yields = &n.Test, nil
		for i := range n.Arms {
			n.Arms[i].Undefined = nil
		}
	case *Loop:
		t, n.Carries, n.Passes, n.Undefined = &n.Test, nil, nil, nil
	}
	if t == nil || t.Kind != OnGuard {
		return
	}
	guard, values := w.guard(n)
	t.Of = guard
	for i, c := range t.Cases {
		t.Cases[i] = value(values, c)
	}
}

// rename renames the guards that are set, and drops what is without effect.
func (w *webs) rename(body []Node) []Node {
	out := body[:0]
	for _, n := range body {
		empty := false
		switch n := n.(type) {
		case *Set:
			if empty = w.dead[n]; !empty {
				guard, values := w.guard(n)
				n.Guard, n.Value = guard, value(values, n.Value)
			}
		case *If:
			empty = true
			for i := range n.Arms {
				n.Arms[i].Body = w.rename(n.Arms[i].Body)
				empty = empty && len(n.Arms[i].Body) == 0 && !n.Arms[i].Dead
			}
		case *Loop:
			n.Before, n.After = w.rename(n.Before), w.rename(n.After)
		}
		if !empty {
			out = append(out, n)
		}
	}
	return out
}
