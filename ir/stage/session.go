package stage

import (
	"cmp"
	"context"
	"fmt"
)

// Options bound what a session does. Zero stands for the default.
type Options struct {
	Runs      int  // executions of the function, 100,000
	Nodes     int  // ops of the program, 4 million
	Steps     int  // ops that one execution makes, 100 million
	Lookahead int  // ops that an execution is followed for after it came to what is there, 1,000
	Height    int  // how often a prophecy may grow, 1,000
	Checks    int  // executions that check what was found, at most 16; -1 for none
	Restart   bool // start from the beginning when a prophecy grows, as the paper does
}

// A Session finds the program of one function.
type Session struct {
	// Nodes are the ops that were found; Nodes[0] is where the program starts: its Next[0] is the first op.
	Nodes []Node
	Stats Stats

	opts       Options
	ctx        context.Context
	fn         func(*Run)
	stacks     stacks
	states     states
	by         map[tag]Value
	todo       []edge
	prophecies map[tag]*Prophecy
	vars       map[tag]Var
	at         []site         // of variables
	sites      map[site]int32 // that are told apart, numbered from 1
	executions int32          // that find and that check
	branches   int            // in Nodes
	ways       []int32        // zeros, one for each node, for Blocks to count in
}

// Stats count what a session did.
type Stats struct {
	Runs     int // executions of the function that found something
	Checks   int // executions that checked what was found
	Restarts int // of them after a prophecy grew
	Splits   int // of them after it turned out that two results of one place must be told apart
	Branches int // of the program
	Steps    int // ops of all executions together
}

// edge is a way on from a node that is not known.
type edge struct {
	node Value
	way  uint8
}

// Extract runs a function until its program is known. The function stages by the methods of the run that it gets, and ends by
// calling Leave.
func Extract(ctx context.Context, fn func(*Run), o Options) (*Session, error) {
	o.Runs = cmp.Or(o.Runs, 100_000)
	o.Nodes = cmp.Or(o.Nodes, 4_000_000)
	o.Steps = cmp.Or(o.Steps, 100_000_000)
	o.Lookahead = cmp.Or(o.Lookahead, 1000)
	o.Height = cmp.Or(o.Height, 1000)
	o.Checks = cmp.Or(o.Checks, 16)
	s := &Session{opts: o, ctx: ctx, fn: fn, states: newStates(), prophecies: map[tag]*Prophecy{}, vars: map[tag]Var{}, at: make([]site, 1), sites: map[site]int32{}}
	s.clear()
	for again := true; again; {
		err := s.find()
		if err == nil {
			again, err = s.meet()
		}
		if err == nil && !again {
			again, err = s.check()
		}
		if err != nil {
			return s, err
		}
	}
	for i := range s.Nodes {
		if n := &s.Nodes[i]; !n.gone && n.Kind == Branch {
			s.Stats.Branches++
		}
	}
	return s, nil
}

// find executes the function until each way on is known.
func (s *Session) find() error {
	for len(s.todo) > 0 {
		e := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if n := &s.Nodes[e.node]; n.gone || n.Next[e.way] != 0 {
			continue
		}
		if s.Stats.Runs++; s.Stats.Runs > s.opts.Runs {
			return s.budget(int32(-1), "%d executions of the function", s.opts.Runs)
		}
		r := s.newRun(nil)
		for at, way := e.node, e.way; ; {
			if s.Nodes[at].Kind == Branch {
				r.answers = append(r.answers, way)
			}
			if at == 0 {
				break
			}
			at, way = s.Nodes[at].from, s.Nodes[at].way
		}
		if err := s.execute(r); err != nil {
			return err
		}
	}
	return nil
}

// Equal reports the same program.
func (s *Session) Equal(t *Session) bool {
	if len(s.Nodes) != len(t.Nodes) {
		return false
	}
	for i := range s.Nodes {
		a, b := &s.Nodes[i], &t.Nodes[i]
		if a.Sub != b.Sub || a.Next != b.Next || !a.Op.same(&b.Op) {
			return false
		}
	}
	return true
}

// Ends are the nodes that leave the program.
func (s *Session) Ends() (out []Value) {
	for v := range s.Nodes {
		if n := &s.Nodes[v]; n.Kind == Leave && !n.gone {
			out = append(out, Value(v))
		}
	}
	return out
}

// clear forgets the program, and where in it prophecies were asked for.
func (s *Session) clear() {
	for _, p := range s.prophecies {
		clear(p.reads)
	}
	s.Nodes = append(s.Nodes[:0], Node{})
	s.by = map[tag]Value{}
	s.branches = 0
	s.todo = []edge{{}}
}

// execute runs the function.
func (s *Session) execute(r *Run) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	done := make(chan struct{})
	go r.run(done)
	<-done
	s.Stats.Steps += r.steps
	switch {
	case r.end.err != nil:
		return r.end.err
	case r.end.split != nil:
		s.Stats.Splits++
		s.sites[*r.end.split] = int32(len(s.sites) + 1)
		s.clear()
	case len(r.end.grown) > 0:
		s.Stats.Restarts++
		s.restart(r.end.grown)
	case !r.end.ended:
		return wrong(-1, -1, "return from it, or panic", "the function ends the goroutine that it is run on")
	}
	return nil
}

// budget is the error of a program that is too large.
func (s *Session) budget(stack int32, format string, n int) error {
	fix := "something of the host grows in a loop of the program: bound it, or make it a variable of the program"
	if g := s.states.grows(); g != "" {
		fix = fmt.Sprintf("%s: bound it, or make it a variable of the program", g)
	}
	return wrong(stack, -1, fix, "the program does not come to an end after "+format, n)
}

// restart forgets what was found after prophecies were asked for.
func (s *Session) restart(grown []*Prophecy) {
	if s.opts.Restart {
		s.clear()
		return
	}
	var walk []Value
	drop := func(e edge) {
		n := &s.Nodes[e.node]
		if next := n.Next[e.way]; next != 0 {
			walk = append(walk, next)
		}
	}
	for _, p := range grown {
		for e := range p.reads {
			drop(e)
		}
	}
	for len(walk) > 0 {
		v := walk[len(walk)-1]
		walk = walk[:len(walk)-1]
		n := &s.Nodes[v]
		if n.gone {
			continue
		}
		n.gone = true
		delete(s.by, n.tag)
		if n.Kind == Branch {
			s.branches--
		}
		for way := range n.successors() {
			drop(edge{v, uint8(way)})
		}
	}
	s.todo = s.todo[:0]
	for v := range s.Nodes {
		n := &s.Nodes[v]
		for way := n.successors() - 1; way >= 0 && !n.gone; way-- {
			if next := n.Next[way]; next != 0 && s.Nodes[next].gone {
				n.Next[way] = 0
			}
			if n.Next[way] == 0 {
				s.todo = append(s.todo, edge{Value(v), uint8(way)})
			}
		}
	}
	for _, q := range s.prophecies {
		for e := range q.reads {
			if s.Nodes[e.node].gone {
				delete(q.reads, e)
			}
		}
	}
}
