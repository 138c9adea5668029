package stage

import "fmt"

// A Run is one execution of a staged function: the way that it goes through the program, and what it finds there. Its methods
// are for the goroutine that the function runs on.
type Run struct {
	host
	goroutine goroutine
	end       outcome

	s       *Session
	number  int32
	answers []uint8 // to the branches on the way to where this execution finds something, the last first
	at      Value   // the node before, and which way from there
	way     uint8
	fresh   bool // it has found something
	finds   bool // it is finding: the way on is not known
	looked  int  // steps since it came to what was there
	asked   int32
	steps   int
	made    []int32 // the last variable of each site that is told apart, or the state that its last value was made in
	which   int32   // the number of made
	checks  *checker
	fork    fork // the branch before, of one that checks
}

// newRun is the next execution; checks is nil for one that finds.
func (s *Session) newRun(checks *checker) *Run {
	s.executions++
	return &Run{host: host{all: &s.states, state: -1}, goroutine: goroutine{all: &s.stacks}, s: s, number: s.executions, checks: checks}
}

// run executes the function on a goroutine of its own.
func (r *Run) run(done chan<- struct{}) {
	defer close(done)
	defer func() {
		if p := recover(); p != nil && !r.end.dead {
			pcs := r.s.stacks.callers(1)
			what, fix := fmt.Sprintf("the function panics: %v", p), ""
			if m, ok := p.(Misuse); ok {
				what, fix = m.What, m.Fix
			}
			r.end.err = wrong(r.s.stacks.intern(pcs), -1, fix, "%s", what)
		}
		r.end.dead = true
	}()
	r.goroutine.frames = len(r.s.stacks.callers(1)) - 1 // below the call of the function
	r.s.fn(r)
	if !r.end.dead {
		r.end.fail(wrong(-1, -1, "", "the function ends without Leave"))
	}
}

// Dead reports that the run is over and what is staged is not recorded.
func (r *Run) Dead() bool { return r.end.dead }

// Fresh reports that what is staged now is not known to be what was staged here before.
func (r *Run) Fresh() bool { return r.fresh && !r.end.dead }

// Fail ends the session with an error at the place that runs.
func (r *Run) Fail(fix, format string, args ...any) {
	if !r.end.dead {
		r.end.fail(wrong(r.goroutine.stack(), -1, fix, "%s", fmt.Sprintf(format, args...)))
	}
}

// tag is that of an op which is made now, by a function so many calls above this one.
func (r *Run) tag(sub, up int) tag {
	stack, err := r.goroutine.own(r.s.stacks.callers(2 + up))
	if err != nil {
		r.end.fail(err)
	}
	return tag{stack: stack, state: r.stateNow(), sub: int32(sub), made: r.which}
}

// passes notes that the run comes by a node.
func (r *Run) passes(v Value) {
	n := &r.s.Nodes[v]
	n.run = r.number
	if n.Kind != Branch {
		n.branch = r.asked
	}
	if len(r.s.sites) == 0 {
		return
	}
	at, which := site{n.Stack, int32(n.Sub), true}, n.tag.state
	if n.Kind == Declare {
		at, which = r.s.at[n.Var], int32(n.Var)
	}
	if k := int(r.s.sites[at]); k > 0 {
		for len(r.made) < k {
			r.made = append(r.made, 0)
		}
		r.made[k-1] = which
		r.which = r.s.states.which(r.made)
	}
}

// Emit stages an op, and gives its result.
func (r *Run) Emit(op Op) Value {
	if r.end.dead {
		return 0
	}
	v := r.emit(op)
	r.at, r.way = v, 0
	return v
}

// Declare stages the declaration of a variable that holds a value at first. The value is written before the life of the
// variable begins: it may come from a path that the declaration joins with others. It is the i-th that one call declares.
func (r *Run) Declare(code, set any, init Value, i int) Var {
	if r.end.dead {
		return 0
	}
	s := r.s
	v := Var(0)
	if n := &s.Nodes[s.Nodes[r.at].Next[r.way]]; !r.fresh && r.checks == nil && n.Kind == Write {
		v = n.Var // on the way to what this run finds
	} else {
		t := r.tag(i, 1)
		t.made = 0
		if v = s.vars[t]; v == 0 {
			v = Var(len(s.at))
			s.vars[t] = v
			s.at = append(s.at, site{t.stack, t.sub, false})
		}
	}
	r.at, r.way = r.emit(Op{Kind: Write, Var: v, Code: set, Args: []Value{init}, Sub: 2 * i}), 0
	r.at, r.way = r.emit(Op{Kind: Declare, Var: v, Code: code, Sub: 2*i + 1}), 0
	return v
}

// Leave stages the end of the program, and ends the run.
func (r *Run) Leave(args ...Value) {
	if !r.end.dead {
		r.emit(Op{Kind: Leave, Args: args})
		r.end.stop()
	}
}

// Ask stages a branch, and says which way this run goes.
func (r *Run) Ask(cond Value, code any) bool {
	if r.end.dead {
		return false
	}
	v := r.emit(Op{Kind: Branch, Args: []Value{cond}, Code: code})
	n := &r.s.Nodes[v]
	r.at, r.way = v, 0
	r.asked++
	switch k := len(r.answers) - 1; {
	case r.checks != nil:
		r.fork.at = v
		r.way = r.checks.choose(r.fork)
		r.fork = fork{before: v, way: r.way}
	case k >= 0:
		r.way = r.answers[k]
		r.answers = r.answers[:k]
	case r.finds: // it is new
		r.s.todo = append(r.s.todo, edge{v, 1})
	case n.Next[0] != 0 && n.Next[1] != 0: // one way and the other in turn, so that loops are left
		r.way = uint8(n.branch & 1)
		n.branch++
	case n.Next[0] == 0:
		r.way = 1
	}
	return r.way == 0
}

// emit finds the node of an op.
func (r *Run) emit(op Op) Value {
	s := r.s
	if r.steps++; r.steps > s.opts.Steps {
		r.end.fail(s.budget(r.goroutine.stack(), "%d ops of one execution", s.opts.Steps))
	}
	next := s.Nodes[r.at].Next[r.way]
	if next == 0 && r.fresh && !r.finds {
		r.end.stop() // another run finds what comes here
	}
	if next == 0 {
		return r.find(op)
	}
	n := &s.Nodes[next]
	if r.checks != nil {
		r.fresh = r.fresh || n.from != r.at || n.way != r.way
		if r.steps > 2*len(s.Nodes)+s.opts.Lookahead {
			r.end.stop()
		}
	}
	if !op.same(&n.Op) {
		r.differs(n, &op)
	}
	if op.Kind == Branch && r.tag(op.Sub, 1) != n.tag {
		r.differs(n, &op)
	}
	if r.fresh && r.checks == nil {
		if r.looked++; r.looked > s.opts.Lookahead {
			r.end.stop()
		}
	}
	r.passes(next)
	return next
}

// find gives an op its node, where the way on was not known.
func (r *Run) find(op Op) Value {
	s := r.s
	r.fresh, r.finds = true, true
	t := tag{}
	if op.Kind == Leave {
		t.stack, t.leave = -1, fmt.Sprint(op.Args)
	} else {
		t = r.tag(op.Sub, 2)
	}
	v, ok := s.by[t]
	if ok {
		n := &s.Nodes[v]
		if !op.same(&n.Op) {
			r.differs(n, &op)
		}
		if n.run == r.number && n.Kind != Branch && n.branch == r.asked {
			r.end.fail(endless(n))
		}
		r.finds = false
	} else {
		if len(s.Nodes) > s.opts.Nodes {
			r.end.fail(s.budget(r.goroutine.stack(), "%d ops", s.opts.Nodes))
		}
		if op.Kind == Branch {
			if s.branches++; s.branches > s.opts.Runs {
				r.end.fail(s.budget(r.goroutine.stack(), "%d conditions, each of which takes an execution", s.opts.Runs))
			}
		}
		v = Value(len(s.Nodes))
		op.Args = append([]Value(nil), op.Args...)
		stack := t.stack
		if op.Kind == Leave {
			stack = r.goroutine.stack()
		}
		s.Nodes = append(s.Nodes, Node{Op: op, Stack: stack, tag: t, from: r.at, way: r.way})
		s.by[t] = v
	}
	r.passes(v)
	s.Nodes[r.at].Next[r.way] = v
	return v
}

// splits finds what tells an op from one at the same place, if it is which of several variables or values of one place: they were made
// with different host state, and that still matters although no static holds it any more.
func (r *Run) splits(n *Node, op *Op) (at site, ok bool) {
	if op.Kind != n.Kind || op.Code != n.Code || len(op.Args) != len(n.Args) || r.end.dead {
		return at, false
	}
	if at = r.s.at[op.Var]; op.Var != n.Var && r.s.sites[at] == 0 && at == r.s.at[n.Var] {
		return at, true
	}
	for i, a := range op.Args {
		x, y := &r.s.Nodes[a], &r.s.Nodes[n.Args[i]]
		at = site{x.Stack, int32(x.Sub), true}
		if a != n.Args[i] && r.s.sites[at] == 0 && x.Stack == y.Stack && x.Sub == y.Sub && x.tag.state != y.tag.state {
			return at, true
		}
	}
	return at, false
}

// differs ends the session: what is staged is not what was there at the same place.
func (r *Run) differs(n *Node, op *Op) {
	stack := r.goroutine.stack()
	if at, ok := r.splits(n, op); ok {
		r.end.split = &at
		r.end.stop()
	}
	switch {
	case !r.fresh:
		r.end.fail(wrong(stack, n.Stack, "nothing of the host may come from maps' order, time, randomness or other runs", "the function is not deterministic: it did something else before"))
	case n.run == r.number && n.Kind != Branch && n.branch == r.asked:
		r.end.fail(endless(n))
	case !r.s.stacks.ends(stack, n.Stack):
		r.end.fail(r.s.meets(stack, n.Stack, "make the host's variables that decide where it goes Statics", "what comes here depends on the path: another path went on elsewhere"))
	}
	r.end.fail(r.s.meets(stack, n.Stack, "a variable of the host was set under a condition of the program, or in its loop: make it a Static, or a variable of the program", "what is staged here depends on the path by which the program comes here"))
}
