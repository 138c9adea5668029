package ir

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir/internal/intern"
	"github.com/irc-lang/irc/ir/internal/parallel"
)

// A Context owns what graphs share: types, attributes, and the definitions of
// ops, registered or met by name only. It is safe for goroutines.
type Context struct {
	mu       sync.RWMutex
	types    table[*TypeInfo]
	typeKeys map[string]Type
	attrs    intern.Table
	places   intern.Places

	dialects     []*Dialect
	byName       map[string]*OpDef
	homes        []*Dialect // by op number: the dialect that it is of
	folds        [][]Fold   // by op number
	cleanups     Rules
	unknown      table[*OpDef] // unregistered ops; their numbers start at firstUnknown
	unknownNames map[string]*OpDef
	constant     *OpDef
	constants    map[string]*OpDef   // of the types of a dialect, by its name
	literals     map[string][]*Shape // attributes that stand for values, by dialect
	typeDefs     map[string]*Shape
	attrDefs     map[string]*Shape
	lowerings    map[*Shape]*TypeLowering
	tensors      *TensorLowering
	sized        bool     // some type has a size for a parameter
	goTypes      sync.Map // goKey -> Type
	goAttrs      sync.Map // Attr -> the Go value of a defined attribute
	elements     sync.Map // Attr -> what Elements found for it
	fired        sync.Map // rule text -> true: which folds ever fired, for coverage

	schedules atomic.Int64 // made of its graphs
	steps     atomic.Int64 // of building and scheduling them
	analyses  analysisCounts

	// AskAll asks rules although what they need (Fold.Needs) is not there, and panics where one applies: for tests.
	AskAll bool

	// Watch, if set before anything is built, hears what becomes of ops. Several
	// goroutines may call it.
	Watch func(Event)
}

// Schedules is how many schedules of graphs of this context were made: what a
// schedule costs is of the order of what a pass does.
func (c *Context) Schedules() int64 { return c.schedules.Load() }

// Steps counts what building and scheduling graphs of this context took: the nodes, edges,
// chains and regions that were made or looked at. Tests compare programs of several sizes by
// it; unlike time it does not depend on what else a machine does.
func (c *Context) Steps() int64 { return c.steps.Load() }

// NewContext makes a context with the given dialects registered, low to high.
func NewContext(dialects ...*Dialect) *Context {
	c := &Context{
		typeKeys: map[string]Type{}, byName: map[string]*OpDef{}, unknownNames: map[string]*OpDef{},
		constants: map[string]*OpDef{}, literals: map[string][]*Shape{}, typeDefs: map[string]*Shape{}, attrDefs: map[string]*Shape{},
		lowerings: map[*Shape]*TypeLowering{},
	}
	c.attrs.Init()
	for i, info := range fixedTypes() {
		c.types.add(&info)
		c.typeKeys[string(info.appendKey(nil))] = Type(i)
	}
	for _, d := range append([]*Dialect{Core}, dialects...) {
		c.register(d)
	}
	return c
}

func (c *Context) register(d *Dialect) {
	c.dialects = append(c.dialects, d)
	for _, op := range d.Ops {
		if old := c.byName[op.Name]; old != nil && old != op {
			panic("ir: two definitions of op " + op.Name)
		}
		if op.id == 0 {
			panic("ir: op " + op.Name + " was not made by ir.Define")
		}
		c.byName[op.Name] = op
		for int(op.id) >= len(c.homes) {
			c.homes = append(c.homes, nil)
		}
		c.homes[op.id] = d
		if op.Traits&ConstantLike != 0 && c.constant == nil && len(d.Types) == 0 {
			c.constant = op
		}
	}
	c.define(d)
	c.lowerTypes(d)
	for _, f := range d.Folds {
		for int(f.Of.id) >= len(c.folds) {
			c.folds = append(c.folds, nil)
		}
		c.folds[f.Of.id] = append(c.folds[f.Of.id], f)
	}
	c.addCleanups(d)
}

// Dialects lists the registered dialects, low to high.
func (c *Context) Dialects() []*Dialect { return c.dialects }

// Dialect finds a registered dialect by name, or nil.
func (c *Context) Dialect(name string) *Dialect {
	for _, d := range c.dialects {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// DialectOf returns the registered dialect that an op is of, or nil.
func (c *Context) DialectOf(d *OpDef) *Dialect {
	d = d.Written()
	if int(d.id) < len(c.homes) {
		return c.homes[d.id]
	}
	return nil
}

// Type interns a type.
func (c *Context) Type(info TypeInfo) Type {
	var buf [keySize]byte
	key := info.appendKey(buf[:0])
	c.mu.RLock()
	t, ok := c.typeKeys[string(key)]
	c.mu.RUnlock()
	if ok {
		return t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.typeKeys[string(key)]; ok {
		return t
	}
	kept := info
	kept.Text = strings.Clone(info.Text)
	t = Type(c.types.add(&kept))
	c.typeKeys[string(key)] = t
	return t
}

// keySize is room for the key of a usual type on the stack: most are known already,
// and finding them again allocates nothing.
const keySize = 256

// Info returns what a type consists of.
func (c *Context) Info(t Type) *TypeInfo { return c.types.all()[t] }

// Attr interns an attribute.
func (c *Context) Attr(info AttrInfo) Attr {
	if x, ok := c.attrs.Short(&info); ok {
		return c.attrs.Intern(x)
	}
	if len(info.Str) >= LargeBlob {
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
func (c *Context) Lookup(name string) *OpDef { return c.byName[name] }

// firstUnknown separates the numbers of registered ops from the others.
const firstUnknown = 1 << 15

// Unregistered returns the definition of an op known by name only: an opaque
// effect on the world whose regions are barriers. It fails when a program uses
// more distinct unknown names than there are numbers.
func (c *Context) Unregistered(name string) (*OpDef, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.unknownNames[name]; d != nil {
		return d, nil
	}
	n := len(c.unknown.all())
	if n >= 1<<16-firstUnknown {
		return nil, fmt.Errorf("more than %d distinct unregistered ops", n)
	}
	d := &OpDef{Name: name, Traits: Opaque, Body: Barrier, id: Op(firstUnknown + n)}
	c.unknown.add(d)
	c.unknownNames[name] = d
	return d, nil
}

// Def returns the definition of an op number.
func (c *Context) Def(op Op) *OpDef {
	if op < firstUnknown {
		return defs.all()[op]
	}
	return c.unknown.all()[op-firstUnknown]
}

// FoldsOf lists the folds of an op, in the order they are tried.
func (c *Context) FoldsOf(d *OpDef) []Fold {
	if int(d.id) < len(c.folds) {
		return c.folds[d.id]
	}
	return nil
}

// FiredRules lists the folds and cleanups that fired in graphs of this context.
func (c *Context) FiredRules() []string {
	var out []string
	c.fired.Range(func(k, _ any) bool { out = append(out, k.(string)); return true })
	sort.Strings(out)
	return out
}

// Parallel calls f for 0 to n-1 on all processors, as several goroutines may work on graphs of one context. A
// panic in f is raised again by Parallel itself, the one of the lowest number first, as a *WorkerPanic.
func Parallel(n int, f func(i int)) { parallel.Do(n, f) }

// A WorkerPanic is a panic of one of Parallel's goroutines with the stack that it
// had there.
type WorkerPanic = parallel.WorkerPanic

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
	Kind  EventKind
	At    Loc    // the place of the op
	Rule  string // "" is the op's own meaning on constants
	Graph *Graph
	Value Value
	Built []Region // by node
}

// watch tells the context's watcher, if there is one, of an event.
func (b *Builder) watch(e Event) {
	if f := b.g.Ctx.Watch; f != nil {
		e.Graph = b.g
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
		switch in := e.Built[v]; {
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
