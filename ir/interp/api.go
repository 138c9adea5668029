// Package interp is the reference meaning of the IR: it runs any graph, without
// LLVM, and every other engine is checked against it. With it one
//
//   - runs programs: New, Machine.Call;
//   - says how the ops of a dialect run that have no Eval: a Func in a Table;
//   - bounds and watches a run: Options.
//
// A function is compiled when it is first called: its schedule becomes a list of
// ops per region whose operands are slots of a frame. A pure op runs by its Eval,
// the same that folds constants; what Eval cannot do (memory, control, calls,
// output) a dialect defines by a Func in its Table. There is no second meaning.
//
// What Evals and Funcs must know:
//
//   - Poison. The machine hands poison operands to no Eval: an op with a poison
//     operand gives poison in each of its results, or traps if it has the trait
//     Partial. An Eval that wants to see poison (arith.select looks at the chosen
//     operand only) is listed in its dialect's TakesPoison table. Elements of a
//     Vector are the Eval's own business: an elementwise Eval gives poison in the
//     elements where an operand has it. A public function is called with no poison, or the
//     call traps. A Func sees poison always: as condition,
//     bound, index or address it is immediate undefined behaviour, so read those
//     with Bool, Index and AsMemRef, which trap; storing, passing and yielding it
//     is allowed.
//   - An Eval of an op with several results gives them as an ir.Vector. An op with
//     an Eval needs no entry in a Table, and one that it has is ignored.
//   - Terminators do not run. Run returns their operands; an op whose region may
//     end in different terminators, or whose terminator has regions or
//     attributes, looks at Code.Term.
//   - Constants (trait ConstantLike with a value) need no table entry.
//   - An error from an Eval or a Func ends the run: ir.Trapf for what the program
//     did wrong, any other error for what we cannot do. The machine adds the place.
//   - Slices given to a Func (args, out) and returned by Run belong to the
//     machine: args and out are good until the Func returns, the yields of Run
//     until the same op runs a region again (passing them on to Run is fine).
package interp

import (
	"context"

	"github.com/irc-lang/irc/ir"
)

// Table is the table of a dialect (in Dialect.Tables) that says how ops run which
// have no Eval.
type Table map[*ir.OpDef]Func

// TakesPoison is the table of a dialect with the ops whose Eval takes poison
// operands.
type TakesPoison map[*ir.OpDef]bool

// TakesPacked is the table of a dialect with the ops that take large constants as *ir.Packed.
type TakesPacked map[*ir.OpDef]bool

// A Func runs an op: args are its operands; it fills out, one for each result.
// It must not keep args or out.
type Func func(m *Machine, o *Op, args, out []ir.Val) error

// An Op is one op of a compiled region.
type Op struct {
	G       *ir.Graph // the graph it stands in
	V       ir.Value  // its value there
	Def     *ir.OpDef // its definition
	Call    *ir.Call  // for Get, ArgType, Const, Ctx
	Regions []*Code   // compiled, in the order of ir.Graph.Regions
	Data    any       // for the Func: what it works out once about its op

	eval        func(*ir.Call, []ir.Val) (ir.Val, error)
	fn          Func
	slots       []int32 // of the operands
	win         int32   // where the operands are put together
	out, nout   int32   // slots of the results
	takesPoison bool
}

// Code is a compiled region.
type Code struct {
	g      *ir.Graph
	Region ir.Region // of the graph of the op that has it
	Term   *Op       // its terminator with the regions of that, or nil; it is not run
	Params int       // number of parameters

	ops    []Op
	params []int32
	yields []int32 // slots of the terminator's operands
	win    int32
	cost   int64 // fuel of one run
}

// Options of a Machine. The zero value has no limits but MaxDepth.
type Options struct {
	Context  context.Context // cancels; nil for never
	Fuel     int64           // ops that may run, over all calls; 0 for no limit
	MemLimit int64           // bytes that may be allocated at one time; 0 for no limit
	MaxDepth int             // calls under way; 0 for DefaultDepth

	// Output gets what the program prints as it prints it; nil collects it for
	// Machine.Printed.
	Output func(Printed)

	// Count, if not nil, counts the ops that run, without constants and terminators.
	Count map[*ir.OpDef]int64
	// Hook, if not nil, is called before each op runs, constants and terminators
	// excepted.
	Hook func(o *Op)

	// Wrap, if not nil, may replace the Func of an op: another engine runs it, or
	// watches what it does to memory. Ops with an Eval have none.
	Wrap func(def *ir.OpDef, f Func) Func

	// Watch, if not nil, sees what the program does to memory.
	Watch Watcher

	// Extern defines functions that the module only declares.
	Extern map[string]func(m *Machine, args []ir.Val) ([]ir.Val, error)

	// Schedule replaces the usual schedule (Copies on).
	Schedule *ir.ScheduleOptions
}

// defaultDepth is the limit of nested calls unless Options says otherwise.
const defaultDepth = 1 << 14

// PrintKind says what a Printed is.
type PrintKind uint8

// The kinds of visible output.
const (
	PrintValue PrintKind = iota // Val of type Type, on a line of its own
	PrintText                   // Text, as it is
)

// Printed is one piece of visible output. Vals are copied: later stores do not
// change a memref that was printed.
type Printed struct {
	Kind PrintKind // which of the fields below mean something
	Val  ir.Val    // of a PrintValue
	Type ir.Type   // of Val
	Text string    // of a PrintText
}

// MemRef is the Ref of a memref value: a view of a buffer.
type MemRef struct {
	Buf            *Buffer // the memory, never nil
	Offset         int64   // in elements of Buf
	Sizes, Strides []int64 // by dimension, in elements; strides may be negative or 0
}

// The rest of the API:
//
//	New(g, opts) (*Machine, error)            a file or module graph
//	m.Call(symbol, args) ([]Val, error)       by name; "mod::f" for nested symbols
//	m.Resolve(symbol) (*Function, error)  m.Invoke(fn, args)  m.InvokeTo(fn, args, out)   look up once, call often
//	m.Run(code, args) ([]Val, error)          a region of the running op
//	m.Emit(Printed)  m.Printed()              visible output
//	m.Alloc(elem, n) (*Buffer, error)  m.Free(buf) error
//	m.NewMemRef(elem, sizes...) (*MemRef, error)     row-major
//	m.Owe(buf)  m.Heap() Heap                 what the program must free: allocations and frees so far
//	m.Global(key, make) (any, error)          state of the machine by key, made on first use
//	m.Symbol(name) (g, v, ok)                 the op that defines a symbol, as seen by the running function
//	m.Spend(n) error                          charge fuel for work of n ops inside one Func
//	m.Only(code) (*Op, []Val)                 the one op of a region, which is not run, and its operands
//	m.Temp(n) []Val                           scratch until the Func returns
//	m.Close(code) *Closure  m.CallClosure(c, args)   Lambda regions
//	m.Coroutine(work) *Coroutine  c.Resume()  c.Stop()  m.Pause()   work that stops in the middle
//	m.Local(key, make) any                    state of the running coroutine, or of the machine outside of any
//	Bool(v) (bool, error)  Index(v) (int64, error)  AsMemRef(v) (*MemRef, error)   trap on poison
//	(r *MemRef) At(indices []Val) (int, error)       position in r.Buf; traps out of bounds and after free
//	NewBuffer(c, elem, n, poison) *Buffer   Floats(x) *Buffer      memory outside of any budget
//	(b *Buffer) Load(i) Val   Store(i, v)   Len() int              elements; no bounds are checked but Go's
//	(b *Buffer) View(c, elem, at) (*Buffer, error)                 the same memory under another element type
//	(m *Memory) Bytes() []byte   Set(data)   Overwrite(data)   Whole() *Buffer   what native code shares
//	FormatVal(c, v, t) FormatPrinted(c, p)    text, the same for all engines
//	ArgsFromJSON(c, types, data, file)  ToJSON(c, vals, types)
//	*Failure (Err: *ir.Trap, *Budget, *Unsupported ...), what every run that fails returns
