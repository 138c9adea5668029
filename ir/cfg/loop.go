package cfg

// loop emits a loop. What comes before its test is what may still leave it. Where all of that goes on to one item, this and
// what follows it is the after region; else the test is the last thing in the loop.
func (s *structurer) loop(l *loop, out *[]Node) {
	n := len(s.g.Blocks)
	node := &Loop{Test: Test{Kind: Always}}
	again := 3*n + l.header
	if len(l.exits) == 0 {
		s.tree(s.entry(l), &node.Before)
		*out = append(*out, node)
		return
	}
	if after := s.after(l); after >= 0 {
		again, s.later[after] = after, true
	}
	s.tree(s.entry(l), &node.Before)
	after := s.test(node, again)
	*out = append(*out, node)
	*out = append(*out, after...)
	if again < 3*n {
		s.later[again] = false
		s.tree(again, &node.After)
	}
}

// after finds the one item to which control goes on that leaves the loop no more in this round, or -1.
func (s *structurer) after(l *loop) int {
	one, several := -1, false
	leaves := map[int]bool{}
	for i := len(l.items) - 1; i >= 0; i-- {
		x := l.items[i]
		s.jumps(x, func(to int) {
			if leaves[to] || !l.holds(s.level[to]) {
				leaves[x] = true
			}
		})
	}
	for _, x := range l.items {
		if !leaves[x] {
			continue
		}
		s.jumps(x, func(to int) {
			if l.holds(s.level[to]) && !leaves[to] {
				several = several || one >= 0 && one != to
				one = to
			}
		})
	}
	if several || one >= 3*len(s.g.Blocks) {
		return -1
	}
	return one
}

// test makes the test of a loop that goes on where control goes to again. If the last thing before is a branch of which one
// arm goes on and the other leaves, its condition is the test; what the arm that leaves does is to be done after the loop.
func (s *structurer) test(node *Loop, again int) (after []Node) {
	last := len(node.Before) - 1
	branch, ok := node.Before[last].(*If)
	if ok && branch.Test.Kind == Branch && len(branch.Arms) == 2 {
		first, second := s.goesTo(branch.Arms[0]), s.goesTo(branch.Arms[1])
		if (first == again) != (second == again) && first >= 0 && second >= 0 {
			node.Test = branch.Test
			node.Test.Negated = second == again
			node.Before = node.Before[:last]
			on, off := branch.Arms[0].Body, branch.Arms[1].Body
			if node.Test.Negated {
				on, off = off, on
			}
			node.After = on
			return off
		}
	}
	node.Test = Test{Kind: OnGuard, Of: s.going, Cases: []int{again}}
	return nil
}

// goesTo is the place to which an arm goes that does nothing else but assign, or -1.
func (s *structurer) goesTo(a Arm) int {
	place := -1
	for _, n := range a.Body {
		switch n := n.(type) {
		case *Assign:
		case *Set:
			if n.Guard == s.going {
				place = n.Value
			}
		default:
			return -1
		}
	}
	return place
}
