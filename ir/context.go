package ir

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir/internal/intern"
	"github.com/irc-lang/irc/ir/internal/parallel"
)

// A Context owns what graphs share: types, attributes, and the definitions of
// ops, registered or met by name only. It is safe for goroutines.
//
// Its tables know their own entries and locks. What needs several of them is asked of the Context.
type Context struct {
	types     typeTable
	attrs     intern.Table
	places    intern.Places
	ops       opTable
	defs      definitions
	lowerings lowerings
	goValues  goValues
	elements  elements
	counts    counts

	// AskAll asks rules although what they need (Fold.Needs) is not there, and panics where one applies: for tests.
	AskAll bool
	// CheckHooks does that for ops of dialects outside of irc. A Rewrite asks rules from there twice: those that take values
	// of the old graph for new ones are found. The interpreter then tells effects that such an op does not declare.
	CheckHooks bool

	// Watch, if set before anything is built, hears what becomes of ops. Several
	// goroutines may call it.
	Watch func(Event)
}

// counts say what was done to graphs of a context. They only grow, and nothing that is built depends on them.
type counts struct {
	schedules atomic.Int64 // made of its graphs
	steps     atomic.Int64 // of building and scheduling them
	rules     sync.Map     // rule text -> true: which ever fired, for coverage
	analyses  analysisCounts
}

// fired notes that a rule did.
func (n *counts) fired(rule string) {
	if _, ok := n.rules.Load(rule); !ok {
		n.rules.Store(rule, true)
	}
}

// fired notes that a rule made an op of a graph into v.
func fired(g *Graph, rule string, at Loc, v Value) {
	g.Ctx.counts.fired(rule)
	Event{Kind: Folded, At: at, Rule: rule, Value: v}.tell(g)
}

// firedRules lists the rules that ever fired.
func (n *counts) firedRules() (out []string) {
	n.rules.Range(func(k, _ any) bool { out = append(out, k.(string)); return true })
	sort.Strings(out)
	return out
}

// Schedules is how many schedules of graphs of this context were made: what a
// schedule costs is of the order of what a pass does.
func (c *Context) Schedules() int64 { return c.counts.schedules.Load() }

// Steps counts what building and scheduling graphs of this context took: the nodes, edges,
// chains and regions that were made or looked at. Tests compare programs of several sizes by
// it; unlike time it does not depend on what else a machine does.
func (c *Context) Steps() int64 { return c.counts.steps.Load() }

// NewContext makes a context with the given dialects registered, low to high.
func NewContext(dialects ...*Dialect) *Context {
	c := &Context{ops: newOpTable(), defs: newDefinitions(), lowerings: lowerings{of: map[*Shape]*TypeLowering{}}}
	c.elements.c = c
	c.attrs.Init()
	c.types.init(&c.attrs)
	for _, d := range append([]*Dialect{Core}, dialects...) {
		if c.ops.dialect(d.Name) == d {
			continue // it is named twice: those of another context have the core, too
		}
		c.ops.register(d)
		c.defs.register(d)
		c.lowerings.register(d)
		c.ops.addCleanups(d)
		c.ops.anyTheirs = c.ops.anyTheirs || c.ops.begins(d)
	}
	return c
}

// Dialects lists the registered dialects, low to high.
func (c *Context) Dialects() []*Dialect { return c.ops.dialects }

// Dialect finds a registered dialect by name, or nil.
func (c *Context) Dialect(name string) *Dialect { return c.ops.dialect(name) }

// DialectOf returns the registered dialect that an op is of, or nil.
func (c *Context) DialectOf(d *OpDef) *Dialect { return c.ops.dialectOf(d) }

// Type interns a type.
func (c *Context) Type(info TypeInfo) Type { return c.types.intern(info) }

// Info returns what a type consists of.
func (c *Context) Info(t Type) *TypeInfo { return c.types.info(t) }

// Attr interns an attribute.
func (c *Context) Attr(info AttrInfo) Attr {
	if x, ok := c.attrs.Short(&info); ok {
		return c.attrs.Intern(x)
	}
	if len(info.Str) >= largeBlob {
		info.Str = c.attrs.KeepBlob(info.Str, info.Kind == AttrDense, c.NewBlob)
	}
	return c.attrs.InternLong(&info)
}

// AttrInfo returns what an attribute consists of. Where only a number is wanted
// KindOf, TypeOf, Number and Get are cheaper.
func (c *Context) AttrInfo(a Attr) *AttrInfo { return c.attrs.Info(a) }

// KindOf returns the kind of an attribute.
func (c *Context) KindOf(a Attr) AttrKind { return c.attrs.At(a).Kind }

// TypeOf returns the type of an attribute.
func (c *Context) TypeOf(a Attr) Type { return c.attrs.At(a).Type }

// Number returns the integer, sign-extended, or the pattern that an AttrInt or
// AttrFloat of up to 64 bits holds.
func (c *Context) Number(a Attr) (bits uint64, ok bool) {
	x := c.attrs.At(a)
	return x.Bits, !x.Long && (x.Kind == AttrInt || x.Kind == AttrFloat)
}

// Lookup finds a registered op by name, or nil.
func (c *Context) Lookup(name string) *OpDef { return c.ops.byName[name] }

// Unregistered returns the definition of an op known by name only: an opaque
// effect on the world whose regions are barriers. It fails when a program uses
// more distinct unknown names than there are numbers.
func (c *Context) Unregistered(name string) (*OpDef, error) { return c.ops.unregistered(name) }

// def returns the definition of an op number.
func (c *Context) def(op Op) *OpDef { return c.ops.def(op) }

// Cleanups are the dialects' rules of that kind, for a Rewrite. Of several for one op those
// of the lower dialect are asked first, and of one dialect the first.
func (c *Context) Cleanups() Rules { return c.ops.cleanups }

// FiredRules lists the folds and cleanups that fired in graphs of this context.
func (c *Context) FiredRules() []string { return c.counts.firedRules() }

// opTable is the dialects of a context and their ops, by name and by number. It changes only while
// dialects are registered, but for the ops that are known by name alone: these it makes when they are met.
type opTable struct {
	dialects []*Dialect
	byName   map[string]*OpDef
	homes    []*Dialect // by op number: the dialect that it is of
	origins  []uint32   // by op number: whose that is, once somebody has asked
	folds    [][]Fold   // by op number
	cleanups Rules

	anyTheirs bool // there is a dialect outside of irc, as far as its first op or rule tells

	mu           sync.Mutex    // of what is unknown
	unknown      table[*OpDef] // unregistered ops; their numbers start at firstUnknown
	unknownNames map[string]*OpDef
}

func newOpTable() opTable {
	return opTable{byName: map[string]*OpDef{}, unknownNames: map[string]*OpDef{}}
}

// register adds the ops of a dialect and their folds. What is wrong with them is the author's mistake, and told as such.
func (t *opTable) register(d *Dialect) {
	if t.dialect(d.Name) != nil {
		panic("ir: two dialects are called " + d.Name)
	}
	t.dialects = append(t.dialects, d)
	for _, op := range d.Ops {
		switch old := t.byName[op.Name]; {
		case old == op:
			op.misdefined("is listed twice, by dialect %s", d.Name)
		case old != nil:
			op.misdefined("has two definitions")
		case op.id == 0:
			op.misdefined("was not made by ir.Define")
		}
		t.byName[op.Name] = op
		for int(op.id) >= len(t.homes) {
			t.homes, t.origins = append(t.homes, nil), append(t.origins, 0)
		}
		t.homes[op.id] = d
	}
	for _, f := range d.Folds {
		for int(f.Of.id) >= len(t.folds) {
			t.folds = append(t.folds, nil)
		}
		t.folds[f.Of.id] = append(t.folds[f.Of.id], f)
	}
}

// addCleanups adds the cleanups of a dialect behind those that are there.
func (t *opTable) addCleanups(d *Dialect) {
	for _, x := range d.Cleanups {
		if t.cleanups == nil {
			t.cleanups = Rules{}
		}
		before := t.cleanups[x.Of]
		t.cleanups[x.Of] = func(m *Mirror, n Node) Value {
			if before != nil {
				if v := before(m, n); v != 0 {
					return v
				}
			}
			v := x.Do(m, n)
			if v != 0 {
				fired(m.B.g, x.Rule, n.g.loc(n.v), v)
			}
			return v
		}
	}
}

// misdefined ends the registration of an op that its author has to define otherwise.
func (d *OpDef) misdefined(format string, args ...any) {
	panic(&OpError{Op: d.Name, Msg: fmt.Sprintf(format, args...), Author: true})
}

func (t *opTable) dialect(name string) *Dialect {
	for _, d := range t.dialects {
		if d.Name == name {
			return d
		}
	}
	return nil
}

func (t *opTable) dialectOf(d *OpDef) *Dialect {
	d = d.Written()
	if int(d.id) < len(t.homes) {
		return t.homes[d.id]
	}
	return nil
}

// firstUnknown separates the numbers of registered ops from the others.
const firstUnknown = 1 << 15

func (t *opTable) unregistered(name string) (*OpDef, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.unknownNames[name]; d != nil {
		return d, nil
	}
	n := len(t.unknown.all())
	if n >= 1<<16-firstUnknown {
		return nil, fmt.Errorf("more than %d distinct unregistered ops", n)
	}
	d := &OpDef{Name: name, Traits: Opaque, Body: Barrier, id: Op(firstUnknown + n)}
	t.unknown.add(d)
	t.unknownNames[name] = d
	return d, nil
}

func (t *opTable) def(op Op) *OpDef {
	if op < firstUnknown {
		return defs.all()[op]
	}
	return t.unknown.all()[op-firstUnknown]
}

// foldsOf lists the folds of an op, in the order they are tried.
func (t *opTable) foldsOf(d *OpDef) []Fold {
	if int(d.id) < len(t.folds) {
		return t.folds[d.id]
	}
	return nil
}

// Parallel calls f for 0 to n-1 on all processors, as several goroutines may work on graphs of one context. A
// panic in f is raised again by Parallel itself, the one of the lowest number first, as an error that unwraps to it.
func Parallel(n int, f func(i int)) { parallel.Do(n, f) }

// PanicStack returns the stack of what was just recovered: that of the worker, if
// it was one, before that of the caller.
func PanicStack(r any) string { return parallel.PanicStack(r) }

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of events.
const (
	Folded      EventKind = iota // an op became Value by Rule
	Shared                       // an op was found to be Value, which was there already
	Overwritten                  // the write Value is seen by nobody: the op at At writes over it
	Finished                     // Graph is done; its nodes were built in the regions Built
)

// An Event is something that became of ops as a graph was built: for statistics
// and for people who want to know. Context.Watch hears of it.
type Event struct {
	Kind  EventKind // which of the fields below mean something
	At    Loc       // the place of the op
	Rule  string    // "" is the op's own meaning on constants
	Graph *Graph    // the graph that is built, which is not done unless Kind is Finished
	Value Value     // a value of Graph, 0 where Kind has none
	built []Region  // by node
}

// tell says it to the watcher of the graph's context, if there is one.
func (e Event) tell(g *Graph) {
	if f := g.Ctx.Watch; f != nil {
		e.Graph = g
		f(e)
	}
}

// A Tally is what became of the ops of a finished graph.
type Tally struct {
	Hoisted int // stand outside of a loop that they were built in
	Raised  int // stand further out than they were built, no loop between
	Sunk    int // stand further in, where alone they are needed
	Dead    int // needed by nothing
	Garbage int // in regions that were thrown away: equal to others, or tried and wrong
}

// Tally compares where the nodes of a Finished event were built with where the
// schedule places them. Constants stand anywhere and are left out.
func (e Event) Tally() (t Tally) {
	g := e.Graph
	s := NewSchedule(g, ScheduleOptions{})
	lost := make([]bool, len(g.regions))
	for r := 1; r < len(lost); r++ { // a region is numbered after the one around it
		lost[r] = g.regions[r].owner == 0 || lost[g.regions[r].parent]
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		if !g.IsOp(v) || g.Def(v).Has(ConstantLike) {
			continue
		}
		switch in := e.built[v]; {
		case s.Live(v):
			t.moved(s, in, s.Place(v))
		case lost[in]:
			t.Garbage++
		default:
			t.Dead++
		}
	}
	return t
}

// moved counts a node that was built in one region and stands in another. A
// region that was lost to an equal one is where the node was built first.
func (t *Tally) moved(s *Schedule, built, at Region) {
	g := s.g
	if built == at {
		return
	}
	loop := false
	around := func(r Region) Region {
		if s.parent[r] != noRegion {
			return s.parent[r]
		}
		return g.regions[r].parent // of an op that is gone
	}
	for r := built; ; r = around(r) {
		if r == at {
			if loop {
				t.Hoisted++
			} else {
				t.Raised++
			}
			return
		}
		if r == Root {
			break
		}
		loop = loop || g.regions[r].kind == Loop
	}
	for r := at; r != Root; {
		if r = s.parent[r]; r == built {
			t.Sunk++
			return
		}
	}
}
