package cfg

// What an If yields and what a Loop carries is found for one variable after the other, on the part of the tree that
// touches it: one pass up for what is read before it is written, one backward for what is live, one forward for which
// assignments reach. All are exact without iteration, for the tree has no jumps. The cost is the number of accesses, and of the
// constructs between them and the innermost list that holds them all.

// event is an access of a variable, or a construct in which it is accessed.
type event struct {
	construct int32 // -1 for an access
	write     bool
	node      any  // *Set, *If or *Loop where a guard is written or read
	live      bool // after it, with respect to the variable
}

// list is a list of nodes: the whole tree, an arm, or what comes before or after the test of a loop.
type list struct {
	owner  int32 // the construct, -1 for the tree
	arm    int32 // which arm; 0 and 1 for a loop
	around int32 // the list that holds the outermost loop around, or the list itself
	dead   bool
	events []event // of the variable that is looked at
	round  int32   // in which they were gathered
	effect
}

// flow sums up what a list or a construct does with a variable.
type effect struct {
	reads bool // before it writes
	kills bool // writes on every way to the end
	holds bool // a write at all
}

// construct is an If or a Loop.
type construct struct {
	node   Node
	in     int32 // the list that holds it
	dead   int32 // number of arms whose end is not reached
	round  int32 // see list
	inside []int32
	effect
}

// access is an access to be looked at.
type access struct {
	in    int32
	write bool
	node  any
}

// slots are the lists and constructs of a tree, and the accesses of its variables.
type slots struct {
	tree       *Tree
	lists      []list
	constructs []construct
	up         *forest
	accesses   [][]access
	round      int32
	guard      func(e *event, reach int32) // if there, is told what reaches an access
	classes    sets
}

// analyse fills in what ifs yield and loops carry.
func analyse(g *Graph, t *Tree) *slots {
	s := &slots{tree: t, accesses: make([][]access, t.FirstGuard+len(t.Guards))}
	s.list(g, -1, 0, t.Body, nil, false)
	for _, v := range g.Results {
		s.access(v, 0, false, nil)
	}
	s.up = newForest(len(s.lists))
	for i, l := range s.lists {
		if l.owner < 0 {
			s.up.add(i, -1)
		} else {
			s.up.add(i, int(s.constructs[l.owner].in))
		}
	}
	return s
}

func (s *slots) access(v int, in int32, write bool, node any) {
	s.accesses[v] = append(s.accesses[v], access{in, write, node})
}

// list enters a list and all below it; test, if any, reads a guard at its end.
func (s *slots) list(g *Graph, owner, arm int32, body []Node, test *Loop, dead bool) {
	id := int32(len(s.lists))
	around := id
	if owner >= 0 {
		c := s.constructs[owner]
		_, loop := c.node.(*Loop)
		if in := s.lists[c.in].around; loop || in != c.in {
			around = in
		}
	}
	s.lists = append(s.lists, list{owner: owner, arm: arm, around: around, dead: dead})
	for _, n := range body {
		switch n := n.(type) {
		case *Run:
			for _, v := range g.Blocks[n.Block].Reads {
				s.access(v, id, false, nil)
			}
			for _, v := range g.Blocks[n.Block].Writes {
				s.access(v, id, true, nil)
			}
		case *Assign:
			for _, m := range n.Moves {
				s.access(m.From, id, false, nil)
			}
			for _, m := range n.Moves {
				s.access(m.To, id, true, nil)
			}
		case *Set:
			s.access(n.Guard, id, true, n)
		case *If:
			if n.Test.Kind == OnGuard {
				s.access(n.Test.Of, id, false, n)
			}
			c := s.construct(n, id)
			for i, a := range n.Arms {
				if a.Dead {
					s.constructs[c].dead++
				}
				s.list(g, c, int32(i), a.Body, nil, a.Dead)
			}
		case *Loop:
			c := s.construct(n, id)
			s.list(g, c, 0, n.Before, n, false)
			s.list(g, c, 1, n.After, nil, false)
		}
	}
	if test != nil && test.Test.Kind == OnGuard {
		s.access(test.Test.Of, id, false, test)
	}
}

func (s *slots) construct(n Node, in int32) int32 {
	s.constructs = append(s.constructs, construct{node: n, in: in})
	return int32(len(s.constructs) - 1)
}

// variable looks at one variable.
func (s *slots) variable(v int) {
	as := s.accesses[v]
	if len(as) == 0 {
		return
	}
	root := int(as[0].in)
	for _, a := range as[1:] {
		root = s.up.common(root, int(a.in))
	}
	s.gather(v, as, int32(root))
	if around := s.lists[root].around; s.lists[root].reads && int(around) != root {
		// A round of an outer loop may read what the one before it wrote.
		root = int(around)
		s.gather(v, as, int32(root))
	}
	s.backward(v, int32(root), false)
	s.forward(v, int32(root), 0)
}

// gather builds the part of the tree that accesses the variable, below a list, and sums it up.
func (s *slots) gather(v int, as []access, root int32) {
	s.round++
	for _, a := range as {
		s.touch(a.in, root)
		l := &s.lists[a.in]
		l.events = append(l.events, event{construct: -1, write: a.write, node: a.node})
	}
	s.sum(root)
}

// touch puts a list, and what is around it, into the part of the tree that is looked at.
func (s *slots) touch(id, root int32) {
	l := &s.lists[id]
	if l.round == s.round {
		return
	}
	l.round, l.events = s.round, l.events[:0]
	if id == root {
		return
	}
	c := &s.constructs[l.owner]
	if c.round != s.round {
		c.round, c.inside = s.round, c.inside[:0]
		s.touch(c.in, root)
		in := &s.lists[c.in]
		in.events = append(in.events, event{construct: l.owner})
	}
	c.inside = append(c.inside, id)
}

// sum finds what a list and all in it do with the variable.
func (s *slots) sum(id int32) {
	var all effect
	for i := range s.lists[id].events {
		e := &s.lists[id].events[i]
		f := effect{reads: !e.write, kills: e.write, holds: e.write}
		if e.construct >= 0 {
			f = s.sumOf(&s.constructs[e.construct])
		}
		all.reads = all.reads || !all.kills && f.reads
		all.kills = all.kills || f.kills
		all.holds = all.holds || f.holds
	}
	s.lists[id].effect = all
}

func (s *slots) sumOf(c *construct) effect {
	c.effect = effect{}
	killing := c.dead
	for _, id := range c.inside {
		s.sum(id)
		l := &s.lists[id]
		c.holds = c.holds || l.holds
		if l.kills && !l.dead {
			killing++
		}
	}
	switch n := c.node.(type) {
	case *If:
		c.kills = int(killing) == len(n.Arms)
		for _, id := range c.inside {
			c.reads = c.reads || s.lists[id].reads
		}
	case *Loop:
		before, after := s.parts(c)
		c.kills = before.kills
		c.reads = before.reads || !before.kills && after.reads
	}
	return c.effect
}

// parts are the flows of the two lists of a loop.
func (s *slots) parts(c *construct) (before, after effect) {
	for _, id := range c.inside {
		if s.lists[id].arm == 0 {
			before = s.lists[id].effect
		} else {
			after = s.lists[id].effect
		}
	}
	return before, after
}

// backward finds where the variable is live, given whether it is so at the end of a list.
func (s *slots) backward(v int, id int32, live bool) {
	l := &s.lists[id]
	if l.dead {
		live = false
	}
	for i := len(l.events) - 1; i >= 0; i-- {
		e := &l.events[i]
		e.live = live
		if e.construct < 0 {
			live = !e.write
			continue
		}
		c := &s.constructs[e.construct]
		switch n := c.node.(type) {
		case *If:
			if live && c.holds {
				n.Yields = append(n.Yields, v)
			}
			for _, k := range c.inside {
				s.backward(v, k, live)
			}
			live = c.reads || live && !c.kills
		case *Loop:
			live = s.backwardLoop(v, c, n, live)
		}
	}
}

func (s *slots) backwardLoop(v int, c *construct, n *Loop, live bool) bool {
	before, after := s.parts(c)
	live = live && n.Test.Kind != Always
	header := c.reads || live && !before.kills
	test := live || after.reads || header && !after.kills
	carried := header && c.holds
	if carried {
		n.Carries = append(n.Carries, v)
	}
	if test && (before.holds || carried) {
		n.Passes = append(n.Passes, v)
	}
	for _, k := range c.inside {
		if s.lists[k].arm == 0 {
			s.backward(v, k, test)
		} else {
			s.backward(v, k, header)
		}
	}
	return header
}

// forward finds which assignments reach where, as classes of those that reach one access together: 0 for none.
func (s *slots) forward(v int, id int32, reach int32) int32 {
	l := &s.lists[id]
	for i := range l.events {
		e := &l.events[i]
		switch {
		case e.construct >= 0:
			reach = s.forwardThrough(v, &s.constructs[e.construct], e.live, reach)
		case e.write:
			if reach = s.class(); s.guard != nil {
				s.guard(e, reach)
			}
		case s.guard != nil:
			s.guard(e, reach)
		}
	}
	return reach
}

// class makes a class; where nobody asks for classes, there is but one.
func (s *slots) class() int32 {
	if s.guard == nil {
		return 1
	}
	s.classes = append(s.classes, int32(len(s.classes)))
	return int32(len(s.classes) - 1)
}

func (s *slots) meet(a, b int32) int32 {
	if a == 0 || b == 0 || s.guard == nil {
		return max(a, b)
	}
	return s.classes.join(a, b)
}

func (s *slots) forwardThrough(v int, c *construct, live bool, reach int32) int32 {
	switch n := c.node.(type) {
	case *If:
		yields := live && c.holds
		out, next := int32(0), 0
		for i := range n.Arms {
			end := reach
			if next < len(c.inside) && int(s.lists[c.inside[next]].arm) == i {
				end = s.forward(v, c.inside[next], reach)
				next++
			}
			if !yields {
				continue
			}
			if end == 0 {
				n.Arms[i].Undefined = append(n.Arms[i].Undefined, v)
			}
			if !n.Arms[i].Dead {
				out = s.meet(out, end)
			}
		}
		if yields && out == 0 {
			return s.class()
		}
		if yields {
			return out
		}
	case *Loop:
		return s.forwardLoop(v, c, n, reach)
	}
	return reach
}

func (s *slots) forwardLoop(v int, c *construct, n *Loop, reach int32) int32 {
	carried := len(n.Carries) > 0 && n.Carries[len(n.Carries)-1] == v
	passed := len(n.Passes) > 0 && n.Passes[len(n.Passes)-1] == v
	if carried && reach == 0 {
		n.Undefined = append(n.Undefined, v)
		reach = s.class()
	}
	start, test := reach, reach
	for _, k := range c.inside {
		if s.lists[k].arm == 0 {
			if end := s.forward(v, k, start); passed {
				test = end
			}
		}
	}
	end := test
	for _, k := range c.inside {
		if s.lists[k].arm == 1 {
			end = s.forward(v, k, test)
		}
	}
	if carried {
		s.meet(start, end)
	}
	return test
}
