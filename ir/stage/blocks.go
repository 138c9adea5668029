package stage

// After are the nodes after one.
func (s *Session) After(v Value) []Value {
	n := &s.Nodes[v]
	return n.Next[:n.successors()]
}

// Blocks are the nodes that can be reached from one, in blocks of straight-line code: one begins after a branch, and where several ways come. after gives the
// nodes after one, as Session.After does. The blocks are in the order of a walk that takes the last way first; that of from is the first.
func (s *Session) Blocks(from Value, after func(Value) []Value) (out [][]Value) {
	ways := s.ways
	s.ways = nil // after may ask for the blocks of a part
	if len(ways) < len(s.Nodes) {
		ways = make([]int32, len(s.Nodes))
	}
	var order []Value // a block stands in one piece: the walk goes on with the one node after one
	for todo := []Value{from}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if ways[v]++; ways[v] == 1 {
			order = append(order, v)
			todo = append(todo, after(v)...)
		}
	}
	for _, v := range order {
		if next := after(v); len(next) > 1 {
			for _, x := range next {
				ways[x]++
			}
		}
	}
	begin := 0
	for i, v := range order {
		if ways[v] > 1 && i > 0 {
			out = append(out, order[begin:i:i])
			begin = i
		}
	}
	for _, v := range order {
		ways[v] = 0
	}
	s.ways = ways
	return append(out, order[begin:])
}
