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

// analysis finds out who owns what in a graph. It walks the graph over and over until
// nothing new turns up: the flags of owners, what is kept and what loops carry only grow.
// Where that shows that an owner may move into a conditional, or cannot after all, it starts
// again; a move that was refused stays so.
type analysis struct {
	f     *function // whose body it is
	g     *ir.Graph
	s     *ir.Schedule
	args  ir.Calls
	pos   []int32 // by op: its place in its region
	more  bool    // another round
	moved bool    // which starts from nothing but the moves

	owners []owner
	own    map[key]int
	carry  map[key][]int      // owners outside of a loop that what it carries may be
	moves  map[move]bool      // whether a conditional takes an owner over
	into   map[ir.Value][]int // the owners that it was ever asked for
	gives  []handed           // by result of the function

	// Of one round:
	may     map[key][]int       // the owners whose memory a value may be
	alias   map[int][]key       // and the other way round
	in      map[ir.Region][]int // the owners of a region
	path    []place
	last    map[use]int  // the last op of the region that uses the owner
	inside  map[use]bool // moved into the region
	gone    map[use]bool // moved out of it
	foreign int          // how many regions around run nobody knows when
	*plan
}

// place is an op in a region.
type place struct {
	r  ir.Region
	at int
}

// analyze finds the owners of a graph.
func analyze(f *function) *analysis {
	g := f.body
	a := &analysis{f: f, g: g, s: ir.ScheduleOf(g), args: ir.CallsOf(g), pos: make([]int32, g.Len()),
		own: map[key]int{}, carry: map[key][]int{}, moves: map[move]bool{}, into: map[ir.Value][]int{}}
	a.number(ir.Root)
	// Facts about owners only grow, and refused moves stay refused: the loop reaches a fixed point.
	for a.more = true; a.more; {
		if a.more = false; a.moved {
			a.moved, a.carry = false, map[key][]int{}
			for o, x := range a.owners {
				a.owners[o] = owner{at: x.at, home: x.home}
			}
		}
		a.may, a.alias, a.last, a.in = map[key][]int{}, map[int][]key{}, map[use]int{}, map[ir.Region][]int{}
		a.inside, a.gone, a.plan = map[use]bool{}, map[use]bool{}, newPlan()
		for _, p := range g.Params(ir.Root) {
			if a.isMemory(p) {
				o := a.owner(key{p, 0}, ir.Root)
				a.owners[o].arg = true
				a.learn(o, no)
				a.set(key{p, 0}, []int{o})
			}
		}
		a.region(ir.Root)
	}
	return a
}

// number gives each op its place in its region.
func (a *analysis) number(r ir.Region) {
	for i, v := range a.s.Body(r) {
		a.pos[v] = int32(i)
		for _, in := range a.g.Regions(v) {
			a.number(in)
		}
	}
}

// isMemory reports a value that refers to memory.
func (a *analysis) isMemory(v ir.Value) bool { return a.g.Ctx.Info(a.g.Type(v)).Kind == ir.KindMemRef }

// key names a value by its node and the number of its result.
func (a *analysis) key(v ir.Value) key { n, i, _ := a.g.Projection(v); return key{n, i} }

// owner is the number of the owner that a value is.
func (a *analysis) owner(k key, home ir.Region) int {
	o, ok := a.own[k]
	if !ok {
		o = len(a.owners)
		a.own[k] = o
		a.owners = append(a.owners, owner{at: k, home: home})
	}
	return o
}

// learn adds to what is known of an owner.
func (a *analysis) learn(o int, f flag) {
	if x := &a.owners[o]; x.flag|f != x.flag {
		x.flag |= f
		a.more = true
	}
}

// keep says that owners are never given back, and why.
func (a *analysis) keep(why string, owners ...int) {
	for _, o := range owners {
		if x := &a.owners[o]; x.kept == "" {
			x.kept, a.more = why, true
		}
	}
}

// mostOwners bounds of how many owners a value may have the memory: beyond, they are kept.
const mostOwners = 64

// set says whose memory a value may be. Of owners that are kept nobody needs to know.
func (a *analysis) set(k key, owners []int) {
	slices.Sort(owners)
	owners = slices.DeleteFunc(slices.Compact(owners), func(o int) bool { return a.owners[o].kept != "" })
	if len(owners) > mostOwners {
		a.keep("one of many that a value may be", owners...)
		owners = nil
	}
	if len(owners) == 0 {
		return
	}
	a.may[k] = owners
	for _, o := range a.may[k] {
		if len(a.alias[o]) == 0 {
			a.in[a.owners[o].home] = append(a.in[a.owners[o].home], o)
		}
		a.alias[o] = append(a.alias[o], k)
	}
}

// of lists the owners whose memory a value may be.
func (a *analysis) of(v ir.Value) []int { return a.may[a.key(v)] }

// try moves an owner into a conditional, or refuses that for good.
func (a *analysis) try(o int, to ir.Value, ok bool) {
	m := move{o, to}
	switch old, tried := a.moves[m]; {
	case ok && !tried:
		a.into[to] = append(a.into[to], o)
	case ok || !old:
		return
	}
	a.moves[m], a.moved, a.more = ok, true, true
}

// touch notes that the op that is walked uses the memory of owners.
func (a *analysis) touch(owners []int) {
	for _, o := range owners {
		if a.foreign > 0 {
			a.keep("it is used where it is not known when that runs", o)
		}
		// In every region up to the owner's home the op that contains this use is the last so far.
		for i := len(a.path) - 1; i >= 0; i-- {
			a.last[use{a.path[i].r, o}] = a.path[i].at
			if a.path[i].r == a.owners[o].home {
				break
			}
		}
	}
}

// here is the region that is walked.
func (a *analysis) here() ir.Region { return a.path[len(a.path)-1].r }

// owns reports an owner that a region has to give back or to move on.
func (a *analysis) owns(r ir.Region, o int) bool {
	return (a.owners[o].home == r || a.inside[use{r, o}]) && !a.owners[o].arg
}

// base looks through views for where memory comes from. Native code does not know where the
// memory begins that a memref.view is of, so that cannot be freed by it.
func (a *analysis) base(v ir.Value) key {
	for {
		view, ok := ir.As[ir.ViewLike](a.g.NodeOf(v))
		if !ok || a.g.Def(v) == memref.View {
			return a.key(v)
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
		for _, u := range ir.Uses(a.g).Of(k.node) {
			if !slices.ContainsFunc(a.g.Args(u), func(x ir.Value) bool { return a.key(x) == k }) {
				continue
			}
			top, ok := a.top(u, at.r)
			if ok && (int(a.pos[top]) > at.at || operand && top == op && u != op) {
				return false
			}
		}
	}
	return true
}

// top is the op of a region in which another one stands.
func (a *analysis) top(v ir.Value, in ir.Region) (ir.Value, bool) {
	for r := a.s.Place(v); r != in; r = a.s.Place(v) {
		if r == ir.Root {
			return 0, false
		}
		v = a.g.Owner(r)
	}
	return v, true
}
