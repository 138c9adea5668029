package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// A key is a value: result i of a node, or a parameter.
type key struct {
	node ir.Value
	i    int
}

// A flag says whether an owner has something to give back. Flags of several ways to one
// value are joined by or.
type flag uint8

const (
	// The bits form a set: a flag says in which runs there is something.
	no     flag       = 1 << iota // in no run
	yes                           // in every run
	either = no | yes             // a slot says so
)

// An owner is a value that has memory to give back once it is used no more.
type owner struct {
	at   key
	home ir.Region // in which it is defined
	flag flag
	free *ir.OpDef // what gives it back; nil if that is not known yet
	arg  bool      // an argument of the function: the caller's
	kept string    // why it is never given back; "" if it is
}

// use is an owner in a region: its home, or one that it was moved into.
type use struct {
	in ir.Region
	of int
}

// move is an owner that an op takes over.
type move struct {
	of int
	to ir.Value
}

// A body is a graph of which the owners are looked for. What it says of an op or a value does not depend on what is known
// of owners.
type body struct {
	g    *ir.Graph
	s    *ir.Schedule
	args ir.Calls
	pos  []int32 // by op: its place in its region
}

// A ledger is what is known of owners over all rounds. It only grows: the flags of owners, what is kept and what loops
// carry. Where that shows that an owner may move into a conditional, or cannot after all, it starts again with nothing but
// the moves; a move that was refused stays so.
type ledger struct {
	owners []owner
	own    map[key]int
	carry  map[key][]int      // owners outside of a loop that what it carries may be
	moves  map[move]bool      // whether a conditional takes an owner over
	into   map[ir.Value][]int // the owners that it was ever asked for
	more   bool               // another round
	moved  bool               // which starts from nothing but the moves
}

// analysis finds out who owns what in a graph. It walks the graph over and over until nothing new turns up in its ledger;
// whose memory a value may be, and what is to be done where, is what the last round found.
type analysis struct {
	f      *function // whose body it is
	body   *body
	ledger *ledger
	gives  []handed // by result of the function

	// Of one round:
	plan    *plan
	may     map[key][]int       // the owners whose memory a value may be
	alias   map[int][]key       // and the other way round
	in      map[ir.Region][]int // the owners of a region
	path    []place
	last    map[use]int  // the last op of the region that uses the owner
	inside  map[use]bool // moved into the region
	gone    map[use]bool // moved out of it
	foreign int          // how many regions around run nobody knows when
}

// place is an op in a region.
type place struct {
	r  ir.Region
	at int
}

// analyze finds the owners of a graph.
func analyze(f *function) *analysis {
	g := f.body
	l := &ledger{own: map[key]int{}, carry: map[key][]int{}, moves: map[move]bool{}, into: map[ir.Value][]int{}}
	a := &analysis{f: f, body: &body{g: g, s: ir.ScheduleOf(g), args: ir.CallsOf(g), pos: make([]int32, g.Len())}, ledger: l}
	a.body.number(ir.Root)
	// Facts about owners only grow, and refused moves stay refused: the loop reaches a fixed point.
	for l.more = true; l.more; {
		if l.more = false; l.moved {
			l.restart()
		}
		a.may, a.alias, a.last, a.in = map[key][]int{}, map[int][]key{}, map[use]int{}, map[ir.Region][]int{}
		a.inside, a.gone, a.plan = map[use]bool{}, map[use]bool{}, newPlan()
		for _, p := range g.Params(ir.Root) {
			if a.body.isMemory(p) {
				o := l.owner(key{p, 0}, ir.Root)
				l.owners[o].arg = true
				l.learn(o, no)
				a.set(key{p, 0}, []int{o})
			}
		}
		a.region(ir.Root)
	}
	return a
}

// number gives each op its place in its region.
func (b *body) number(r ir.Region) {
	for i, v := range b.s.Body(r) {
		b.pos[v] = int32(i)
		for _, in := range b.g.Regions(v) {
			b.number(in)
		}
	}
}

// isMemory reports a value that refers to memory.
func (b *body) isMemory(v ir.Value) bool { return b.g.Ctx.Info(b.g.Type(v)).Kind == ir.KindMemRef }

// key names a value by its node and the number of its result.
func (b *body) key(v ir.Value) key { n, i, _ := b.g.Projection(v); return key{n, i} }

// owner is the number of the owner that a value is.
func (l *ledger) owner(k key, home ir.Region) int {
	o, ok := l.own[k]
	if !ok {
		o = len(l.owners)
		l.own[k] = o
		l.owners = append(l.owners, owner{at: k, home: home})
	}
	return o
}

// restart forgets all of owners but where they may move.
func (l *ledger) restart() {
	l.moved, l.carry = false, map[key][]int{}
	for o, x := range l.owners {
		l.owners[o] = owner{at: x.at, home: x.home}
	}
}

// learn adds to what is known of an owner.
func (l *ledger) learn(o int, f flag) {
	if x := &l.owners[o]; x.flag|f != x.flag {
		x.flag |= f
		l.more = true
	}
}

// keep says that owners are never given back, and why.
func (l *ledger) keep(why string, owners ...int) {
	for _, o := range owners {
		if x := &l.owners[o]; x.kept == "" {
			x.kept, l.more = why, true
		}
	}
}

// mostOwners bounds of how many owners a value may have the memory: beyond, they are kept.
const mostOwners = 64

// set says whose memory a value may be. Of owners that are kept nobody needs to know.
func (a *analysis) set(k key, owners []int) {
	slices.Sort(owners)
	owners = slices.DeleteFunc(slices.Compact(owners), func(o int) bool { return a.ledger.owners[o].kept != "" })
	if len(owners) > mostOwners {
		a.ledger.keep("one of many that a value may be", owners...)
		owners = nil
	}
	if len(owners) == 0 {
		return
	}
	a.may[k] = owners
	for _, o := range a.may[k] {
		if len(a.alias[o]) == 0 {
			a.in[a.ledger.owners[o].home] = append(a.in[a.ledger.owners[o].home], o)
		}
		a.alias[o] = append(a.alias[o], k)
	}
}

// of lists the owners whose memory a value may be.
func (a *analysis) of(v ir.Value) []int { return a.may[a.body.key(v)] }

// try moves an owner into a conditional, or refuses that for good.
func (l *ledger) try(o int, to ir.Value, ok bool) {
	m := move{o, to}
	switch old, tried := l.moves[m]; {
	case ok && !tried:
		l.into[to] = append(l.into[to], o)
	case ok || !old:
		return
	}
	l.moves[m], l.moved, l.more = ok, true, true
}

// touch notes that the op that is walked uses the memory of owners.
func (a *analysis) touch(owners []int) {
	for _, o := range owners {
		if a.foreign > 0 {
			a.ledger.keep("it is used where it is not known when that runs", o)
		}
		// In every region up to the owner's home the op that contains this use is the last so far.
		for i := len(a.path) - 1; i >= 0; i-- {
			a.last[use{a.path[i].r, o}] = a.path[i].at
			if a.path[i].r == a.ledger.owners[o].home {
				break
			}
		}
	}
}

// here is the region that is walked.
func (a *analysis) here() ir.Region { return a.path[len(a.path)-1].r }

// owns reports an owner that a region has to give back or to move on.
func (a *analysis) owns(r ir.Region, o int) bool {
	return (a.ledger.owners[o].home == r || a.inside[use{r, o}]) && !a.ledger.owners[o].arg
}

// base looks through views for where memory comes from. Native code does not know where the
// memory begins that a memref.view is of, so that cannot be freed by it.
func (b *body) base(v ir.Value) key {
	for {
		view, ok := ir.As[ir.ViewLike](b.g.NodeOf(v))
		if !ok || b.g.Def(v) == memref.View {
			return b.key(v)
		}
		v = view.Source
	}
}

// lastUse reports that nothing behind the op that is walked uses the memory of an owner but
// through its results, and, with operand, nothing in its regions either.
func (a *analysis) lastUse(o int, op ir.Value, operand bool) bool {
	at := a.path[len(a.path)-1]
	// The memory may be used under the name of any value that may be it.
	for _, k := range a.alias[o] {
		for _, u := range ir.Uses(a.body.g).Of(k.node) {
			if !slices.ContainsFunc(a.body.g.Args(u), func(x ir.Value) bool { return a.body.key(x) == k }) {
				continue
			}
			top, ok := a.body.top(u, at.r)
			if ok && (int(a.body.pos[top]) > at.at || operand && top == op && u != op) {
				return false
			}
		}
	}
	return true
}

// top is the op of a region in which another one stands.
func (b *body) top(v ir.Value, in ir.Region) (ir.Value, bool) {
	for r := b.s.Place(v); r != in; r = b.s.Place(v) {
		if r == ir.Root {
			return 0, false
		}
		v = b.g.Owner(r)
	}
	return v, true
}
