package ir

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir/internal/authors"
)

// Op is the number of an op definition.
type Op uint16

// Trait is a set of facts about an op that generic code relies on.
type Trait uint32

// The traits.
const (
	Commutative  Trait = 1 << iota // the first two operands may be exchanged
	Partial                        // may trap: never moved to where it would run more often (see OpDef.Traps, Harmless)
	Unique                         // never shared, pinned where it was built, and gives memory of its own: allocations
	Terminator                     // the last op of its region
	ConstantLike                   // a constant with the property "value"
	Opaque                         // reads and writes the world (unregistered ops)
	Symbol                         // defines "sym_name"; kept in order
	Isolated                       // its regions are graphs of their own and see nothing outside
	NoCapture                      // keeps no operand that refers to memory that it reads or writes
	Elementwise                    // on vectors and tensors, works on each element
	View                           // its first operand and its result are the same memory
	TextOnly                       // read, checked and printed; neither run nor compiled
	SingleRegion                   // never has a second region
	EffectFree                     // its regions hold only ops that can have no effects (see Graph.CanAct)
	ForeignOps                     // its regions hold only ops that are not registered or are text only
	ReturnLike                     // ends a function, and its operands are what that gives
	Carries                        // hands values of any type on: where one becomes several, so do operands, results and parameters (see Retype)
	EachPart                       // on a value that becomes several, or an array of such, works on each (see Retype)
	Clean                          // makes no poison of its own (see OpDef.Poisons)
	Freezes                        // of poison it gives some number, of which there is one: it is Clean and never copied
)

// RegionKind says how often a region runs each time its op runs. A Once or Branch
// region finds memory as the op finds it: where one region sees what another of
// the same op, or the op itself, has written, both are Loop.
type RegionKind uint8

// The kinds of regions.
const (
	Once    RegionKind = iota // exactly once
	Branch                    // at most once
	Loop                      // any number of times
	Barrier                   // unknown: nothing moves or is shared across its border
	Lambda                    // when called: any number of times, later
)

// String says it in a word or two.
func (k RegionKind) String() string {
	return [...]string{"run once", "branch", "loop", "barrier", "function"}[k]
}

// OpDef defines an op. It is a struct literal given to Define.
type OpDef struct {
	Name   string       // "dialect.op"
	Doc    string       // one or two sentences for `irc dialects`
	Args   []string     // names of the operands; the last may end in "..."
	Attrs  []string     // names of its inherent attributes (the properties)
	Traits Trait        // joined by |
	Body   RegionKind   // of every region, unless Bodies says otherwise
	Bodies []RegionKind // by region; regions behind the last are of kind Body
	// Kind, if there is one, says of what kind region i is by the op's attributes, in the
	// place of Body and Bodies. In text they stand before the regions.
	Kind func(c *Context, attr Attr, i int) RegionKind

	// Infer checks operands, attributes and regions, and returns the type of
	// the result; c.Type is what the text says it is, or NoType. An op whose
	// type does not follow from its operands checks c.Type and returns it.
	Infer func(c *Call) (Type, error)

	// Eval is the one meaning of a pure op without regions: it folds constants,
	// runs in the interpreter, and is what the backends are checked against.
	// An error is a trap: immediate undefined behaviour.
	Eval func(c *Call, args []Val) (Val, error)

	// Traps says whether this very op may trap; nil stands for: if Partial.
	Traps func(c *Call) bool

	// Poisons says whether this very op may give poison although no operand is poison and
	// no region yields it; nil stands for: unless Clean.
	Poisons func(c *Call) bool

	// Harmless says that operand i of an op with regions, or of a Partial one, may be poison:
	// it is stored, passed on or carried. Any other operand of such an op must not be: to
	// run it then is undefined. nil stands for: none.
	Harmless func(c *Call, i int) bool

	// Effects lists what the op reads and writes besides what its regions do.
	Effects func(c *Call) []Effect

	// Begin tells the builder of an isolated op's graph, when its parameters are
	// there, what the op's attributes say of them: that their memory is their own.
	Begin func(b *Builder, attr Attr)

	// Overwrites says that the write c leaves nothing to see of the write prev,
	// the last one before it of the same resource.
	Overwrites func(c *Call, prev Value) bool

	// Enter says what is known in region i when it is opened, by Builder.SetRange
	// of its parameters and by Builder.Know: nothing has been made in it yet. In text
	// attributes may stand behind the regions: attr is 0 or holds what is known.
	Enter func(b *Builder, attr Attr, args []Value, i int, params []Value)

	// Feeds lists all sources of parameter j of region i of a loop with nargs
	// operands; none stands for unknown. What it says lets Speculate find carried
	// values that never change.
	Feeds func(nargs, i, j int) []Source

	// Refs says what the one result may be or hold of what other values refer to;
	// see Builder.Targets. With NoCapture the op keeps operands in no other way.
	Refs func(c *Call) Refs

	// Refers names the symbol whose memory the result is.
	Refers func(c *Call) string

	id     Op
	twinOf *OpDef // of a text-only twin: see NoMeaning
}

// table is a list that grows under a lock and is read without one.
type table[T any] struct {
	mu   sync.Mutex
	list atomic.Pointer[[]T]
}

func (t *table[T]) all() []T {
	if p := t.list.Load(); p != nil {
		return *p
	}
	return nil
}

// add appends under the caller's lock and returns the number of the new entry.
// Readers keep seeing the list they loaded, whose entries never change.
func (t *table[T]) add(x T) int {
	l := t.all()
	l = append(l, x)
	t.list.Store(&l)
	return len(l) - 1
}

var (
	defs  table[*OpDef] // by number; 0 is none
	sites table[authors.Site]
)

// Define gives an op definition its number. Call it once for each op, in a
// package variable.
func Define(d *OpDef) *OpDef {
	defs.mu.Lock()
	defer defs.mu.Unlock()
	if d.id != 0 {
		panic("ir: op " + d.Name + " defined twice")
	}
	define(d, authors.Here())
	return d
}

// define numbers a definition, which was made somewhere, under the lock of defs.
func define(d *OpDef, at authors.Site) {
	if len(defs.all()) == 0 {
		defs.add(nil)
		sites.add(authors.Site{})
	}
	if len(defs.all()) >= firstUnknown {
		panic("ir: too many op definitions")
	}
	sites.add(at)
	d.id = Op(defs.add(d))
}

// Definitions lists the ops that were defined so far, of whatever dialect: also those that no dialect lists.
func Definitions() []*OpDef { return slices.Clone(defs.all()[1:]) }

// Has reports whether the op has all the given traits.
func (d *OpDef) Has(t Trait) bool { return d.Traits&t == t }

// Registered reports whether the op has a definition of its own.
func (d *OpDef) Registered() bool { return d.id < firstUnknown }

// RegionKind returns the kind of the i-th region of an op with the given attributes.
func (d *OpDef) RegionKind(c *Context, attr Attr, i int) RegionKind {
	if d.Kind != nil {
		return d.Kind(c, attr, i)
	}
	if i < len(d.Bodies) {
		return d.Bodies[i]
	}
	return d.Body
}

// A Fold is one normalising rule: it returns an equal value, or 0 if it does
// not apply. It is a Pattern, or a function where no pattern says it. Rule says in a line what it does; it is comment, help and test name.
type Fold struct {
	Of    *OpDef                          // the op that it is for
	Needs Operands                        // what must be among the operands: else the rule does not apply, and is not asked
	Rule  string                          // as "x + 0 = x"
	Is    *Pattern                        // what it does, where that is a matter of structure; else Do does it
	Do    func(b *Builder, c *Call) Value // called from one goroutine for each builder, from several for several graphs
}

// Apply makes what the fold says of an op, or returns 0.
func (f *Fold) Apply(b *Builder, c *Call) Value {
	if f.Is != nil {
		return f.Is.Apply(b, c)
	}
	return f.Do(b, c)
}

// Operands is a set of facts about the operands of an op, together.
type Operands uint64

// The facts; see MadeBy for more.
const (
	Constant Operands = 1 << iota // one is a constant
	Same                          // two are the same
	madeBy   = iota               // the first of the bits for definitions
)

// MadeBy is the fact that one of the operands is made by an op. Several definitions share a bit, so that it may be claimed
// where it does not hold.
func MadeBy(d *OpDef) Operands { return madeByOp(d.id) }

func madeByOp(op Op) Operands { return 1 << (madeBy + op%(64-madeBy)) }

// Rules are the rewrites of a phase, by op of the old graph.
type Rules map[*OpDef]func(m *Mirror, n Node) Value

// A Dialect is a named set of types, attributes, and ops with their rules. Tables holds what layers
// above this package know of it, each in a type of its own: text.Syntax,
// interp.Table, lower.Table and so on.
type Dialect struct {
	Name, Doc string    // before the dot of its ops; its description, in a sentence or two
	Clean     bool      // its ops are Clean, but for those with a Poisons
	Types     []Defined // by DefineType
	Attrs     []Defined // by DefineAttr
	Ops       []*OpDef  // all of them, by Define
	Folds     []Fold    // asked in this order
	Cleanups  []Cleanup // asked in this order
	Tables    []any     // at most one of each Go type; see Table
}

// With returns the dialect with more tables: those of pools that stand on it, such as its lowerings.
func (d *Dialect) With(tables ...any) *Dialect {
	more := *d
	more.Tables = slices.Concat(d.Tables, tables)
	return &more
}

// SymbolUses is a dialect's table of ops that name symbols: each is called with a
// node and a search among the symbols that it sees. The error is an *OpError.
type SymbolUses map[*OpDef]func(n Node, find func(name string) (Node, bool)) error

// Table returns the table of type T of a dialect, or the zero value.
func Table[T any](d *Dialect) T {
	for _, t := range d.Tables {
		if t, ok := t.(T); ok {
			return t
		}
	}
	var zero T
	return zero
}

// The ops of the graph itself; none of them is ever printed.
var (
	opParam = Define(&OpDef{Name: "ir.param", Doc: "A parameter of a region."})
	opEntry = Define(&OpDef{Name: "ir.entry", Doc: "The state of memory when a region is entered."})
	opJoin  = Define(&OpDef{Name: "ir.join", Doc: "The join of several states of memory."})
	opLater = Define(&OpDef{Name: "ir.forward", Doc: "Stands for a value that a verbatim graph defines later."})
	opProj  = Define(&OpDef{Name: "ir.result", Doc: "One of the results of an op that has several."})
	opPack  = Define(&OpDef{Name: "ir.pack", Doc: "Values that stand for the results of an op that was folded."})
)

// Core is the dialect of the graph itself.
var Core = &Dialect{Name: "ir", Doc: "Nodes of the graph itself; none is printed.",
	Ops: []*OpDef{opParam, opEntry, opJoin, opLater, opProj, opPack}}

// An Interface is a dialect's table of what its ops are to code that does not know
// them: a pass asks for loops and finds those of every dialect. T is one of the types
// below, or one that a pass or another dialect makes for its own questions.
type Interface[T any] map[*OpDef]func(n Node) T

// As asks what an op is as a T: its dialect says so in an Interface[T].
func As[T any](n Node) (x T, ok bool) {
	if d := n.g.Ctx.DialectOf(n.Def()); d != nil {
		if f := Table[Interface[T]](d)[n.Def()]; f != nil {
			if !n.g.Ctx.ops.anyTheirs {
				return f(n), true
			}
			n.Ask("its "+reflect.TypeFor[T]().String(), func() { x = f(n) })
			return x, true
		}
	}
	return x, false
}

// Implements reports that an op is a T.
func Implements[T any](c *Context, def *OpDef) bool {
	d := c.DialectOf(def)
	return d != nil && Table[Interface[T]](d)[def] != nil
}

// Implementers lists the ops of all dialects that are a T, low to high.
func Implementers[T any](c *Context) (out []*OpDef) {
	for _, d := range c.ops.dialects {
		if t := Table[Interface[T]](d); t != nil {
			for _, def := range d.Ops {
				if t[def] != nil {
					out = append(out, def)
				}
			}
		}
	}
	return out
}

// A Bound is a number that an op is given: as an operand, or as a constant where Value
// is 0.
type Bound struct {
	Value Value // the operand, or 0
	Const int64 // the number, where Value is 0
}

// Bounds are operands as bounds.
func Bounds(vs ...Value) []Bound {
	out := make([]Bound, len(vs))
	for i, v := range vs {
		out[i].Value = v
	}
	return out
}

// MixedBounds joins what stands in attributes with the operands that stand for those
// that are Dynamic there.
func MixedBounds(static []int64, dynamic []Value) []Bound {
	out := make([]Bound, len(static))
	for i, x := range static {
		out[i].Const = x
		if x == Dynamic && len(dynamic) > 0 {
			out[i].Value, dynamic = dynamic[0], dynamic[1:]
		}
	}
	return out
}

// A LoopLike runs its body many times: for the points of a box, or, if it has no
// Indices, as long as something that only it knows.
type LoopLike struct {
	Body Region // what runs once for each point
	// Index k of a point, a parameter of the body, runs from Lower[k] by Step[k] as
	// long as it is less than Upper[k], or not above it if Inclusive.
	Indices            []Value
	Lower, Upper, Step []Bound
	Inclusive          bool
	// Reverse says that the last index comes first.
	Reverse bool
	// Inits are the first values of what it carries from round to round or reduces,
	// and Carried the parameters of the body for them, if it has some.
	Inits, Carried []Value
	// Parallel says that the rounds may run in any order, or at once.
	Parallel bool
}

// A BranchLike runs one of its regions: region i if On is Values[i], and region
// Default, whatever its value, if none is; -1 is no region. A truth value is 1 or 0.
type BranchLike struct {
	On      Value   // an integer, index or i1
	Values  []int64 // as signed numbers, each once
	Default int     // a region of the op, or -1
}

// A ViewLike gives memory that is its source, or a part of it.
type ViewLike struct {
	Source Value // the memory that it is a part of, an operand
	// Whole says that it is the source element by element, under another type.
	Whole bool
	// Of a rectangular part, for each dimension of the source: the first index, the
	// number of elements and the distance between two. Kept says which are dimensions
	// of the view. All are empty if the part is not known.
	Offsets, Sizes, Strides []Bound
	Kept                    []bool
}

// An Allocation gives memory that nothing else is.
type Allocation struct {
	Sizes []Value // that are not in its type
	From  Value   // what it takes over what is there from and frees, or 0
	Free  *OpDef  // what gives it back; nil if it goes by itself
}

// A CallLike runs a function: one with a name, or one that is a value.
type CallLike struct {
	Callee   string  // a symbol, or "" if it is not known which
	Value    Value   // the function, where it is a value
	Operands []Value // what the function gets, of the op's operands
}

// An AccessLike is all that an op does to elements of memory that it is given: one
// with no Accesses asks of it no more than its shape, or frees it.
type AccessLike struct {
	Accesses []Access // in no order
}

// An Access reads or writes an element, or with no Indices all of a memory, at most: with Extents no
// elements but so many from First on, in each dimension.
type Access struct {
	Memory        Value   // an operand of the op
	Indices       []Value // of the element, one for each dimension
	First         []Value // with Extents: the first index in each dimension
	Extents       []int64 // the numbers of elements in each dimension, or nil
	Reads, Writes bool    // one of them at least
	Stored        Value   // what is written, if it is an operand
}

// RegionNames is a dialect's table of what people call the regions of its ops, where
// "loop" or "branch" does not say which.
type RegionNames map[*OpDef][]string

// RegionName is what people call region i of an op, or "".
func (c *Context) RegionName(def *OpDef, i int) string {
	if d := c.DialectOf(def); d != nil {
		if names := Table[RegionNames](d)[def]; i < len(names) {
			return names[i]
		}
	}
	return ""
}
