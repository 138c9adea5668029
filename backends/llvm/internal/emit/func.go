package emit

import (
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// Val is what a node is in LLVM.
type Val struct {
	V    value.Value // a scalar or vector
	M    *View       // a memref
	many []Val       // the results of an op that has several
	kept *Scratch    // a vector in memory (see spillMask)
}

// Fn is the translation of one function: what its nodes are. Ops are translated in the order of the schedule. Instructions go
// through B, what loops carry and branches give through Phis, and loops through Loops.
type Fn struct {
	*Emitter
	B      *Builder
	Phis   *Phis
	Loops  *Loops
	Callee *Callee
	G      *ir.Graph
	S      *ir.Schedule
	Vals   []Val
	V      ir.Value  // the op that is being translated
	Region ir.Region // that v stands in
	Known  affine.Analysis
	part   int // of whose iterations this is a part (see cores.go), or 0
}

// NewFn begins the translation of what of says into a function.
func NewFn(e *Emitter, fn *llir.Func, of Fn) *Fn {
	f := &of
	f.Emitter, f.B = e, NewBuilder(e, fn)
	f.Phis, f.Loops = &Phis{f: f, b: f.B}, &Loops{f: f, b: f.B}
	return f
}

// A Builder writes the instructions of one function, of LLVM's values alone: it knows neither ops nor nodes. Arithmetic on
// constants folds. Cur is the block that the next instruction goes to.
type Builder struct {
	e      *Emitter
	Func   *llir.Func
	Entry  *llir.Block
	Cur    *llir.Block
	cold   []*llir.Block // trap blocks, placed last
	blocks int
	Top    []llir.Instruction // allocas of fixed size, for the head of entry
	Stack  int                // allocas so far in the scope that frees them
	length                    // so far
}

// NewBuilder writes a function from its first block on.
func NewBuilder(e *Emitter, fn *llir.Func) *Builder {
	ib := &Builder{e: e, Func: fn, Entry: llir.NewBlock("entry")}
	ib.Place(ib.Entry)
	return ib
}

// Add appends an instruction and returns it.
func Add[I llir.Instruction](ib *Builder, i I) I {
	ib.Cur.Insts = append(ib.Cur.Insts, i)
	ib.made++
	return i
}

// Block makes a block that has no place yet.
func (ib *Builder) Block(name string) *llir.Block {
	ib.blocks++
	return llir.NewBlock(name + strconv.Itoa(ib.blocks))
}

// Place puts a block after those there are and goes on in it.
func (ib *Builder) Place(b *llir.Block) {
	b.Parent = ib.Func
	ib.Func.Blocks = append(ib.Func.Blocks, b)
	ib.Cur = b
}

func (ib *Builder) Br(b *llir.Block) { ib.Cur.NewBr(b) }

// Finish puts fixed allocas first and cold blocks last, and takes long functions apart.
func (f *Fn) Finish() {
	if f.B.long {
		f.carve()
		return
	}
	f.B.Func.Blocks = append(f.B.Func.Blocks, f.B.cold...)
	f.B.thread()
	if len(f.B.Top) > 0 {
		f.B.Entry.Insts = append(f.B.Top, f.B.Entry.Insts...)
	}
}

// Fail gives up at the op that is being translated.
func (f *Fn) Fail(format string, args ...any) { FailAt(f.G, f.V, format, args...) }

// Of returns the translation of a node.
func (f *Fn) Of(v ir.Value) Val {
	if n, i, ok := f.G.Projection(v); ok {
		return f.Vals[n].many[i]
	}
	if s := f.Vals[v].kept; s != nil {
		return Val{V: s.Load(f.B, lit.I64(0), s.N)}
	}
	return f.Vals[v]
}

// Arg returns the translation of operand i of the current op; a bf16 that is
// computed with as f32.
func (f *Fn) Arg(i int) value.Value {
	x := f.Of(f.G.Args(f.V)[i]).V
	switch f.ElemOf(i) {
	case ir.F16:
		f.half = f.half || f.Gpu == nil
	case ir.BF16:
		if computes(f.C, f.G.Def(f.V)) {
			return f.B.FromBF16(x)
		}
	}
	return x
}

func (f *Fn) MemArg(i int) *View {
	a := f.G.Args(f.V)[i]
	if m := f.Of(a).M; m != nil {
		return m
	}
	t := f.G.Type(a)
	f.Fail("has an operand of type %s, which the LLVM backend does not translate; %s", lit.Spell(f.C, t), wayOut(f.C, t))
	return nil
}

func (f *Fn) Args(vs []ir.Value) []Val {
	out := make([]Val, len(vs))
	for i, v := range vs {
		out[i] = f.Of(v)
	}
	return out
}

func (f *Fn) TypeOf(i int) ir.Type { return f.G.Type(f.G.Args(f.V)[i]) }

func (f *Fn) ElemOf(i int) ir.Type { return f.C.ElemOrSelf(f.TypeOf(i)) }

// Set gives the current op its result; a bf16 may come as f32 or f64.
func (f *Fn) Set(v value.Value) {
	switch f.C.ElemOrSelf(f.G.Type(f.V)) {
	case ir.F16:
		f.half = f.half || f.Gpu == nil
	case ir.BF16:
		if _, bits := ScalarOf(v.Type()).(*types.IntType); !bits {
			v = f.B.ToBF16(v)
		}
	}
	f.Vals[f.V] = Val{V: v}
}

// SetAll gives the current op its results.
func (f *Fn) SetAll(vs []Val) {
	if len(vs) == 1 {
		f.Vals[f.V] = vs[0]
	} else {
		f.Vals[f.V] = Val{many: vs}
	}
}

// LLType returns the LLVM type of a node that is no memref.
func (f *Fn) LLType(t ir.Type) types.Type {
	l := lit.LLType(f.C, t)
	if l == nil {
		f.Fail("has type %s, which the LLVM backend does not translate; %s", lit.Spell(f.C, t), wayOut(f.C, t))
	}
	return l
}

// Body translates the ops of a region and returns what its terminator yields.
func (f *Fn) Body(r ir.Region) []Val {
	outer := f.Region
	f.Region = r
	f.bodyOf(r)
	f.Region = outer
	return f.Args(f.G.Yields(r))
}

// BodyWith is body of a region with values for its parameters.
func (f *Fn) BodyWith(r ir.Region, params []Val) []Val {
	for i, p := range f.G.Params(r) {
		f.Vals[p] = params[i]
	}
	return f.Body(r)
}

// op translates one op.
func (f *Fn) op(v ir.Value) {
	outer := f.V
	f.V = v
	def := f.G.Def(v)
	if def.Has(ir.ConstantLike) {
		f.constant()
	} else if do := f.Ops[def]; do != nil {
		f.timed(v, func() { do(f) })
		f.spillMask()
	} else {
		f.unsupported(def)
	}
	f.V = outer
}

func (f *Fn) unsupported(def *ir.OpDef) {
	if f.Gpu != nil {
		f.leftOver(def)
	} else if f.C.DialectOf(def) == device.Dialect {
		f.Fail("runs on a GPU or on the interpreter (-engine=cuda, -engine=eval), not as code of the host; -emit=ptx compiles kernels")
	}
	switch {
	case !def.Registered():
		f.Fail("is not registered, so nobody knows what it does; remove it, or lower its dialect before -emit=llvm")
	case def.Has(ir.TextOnly):
		if why := ir.CallsOf(f.G).Of(f.V).WhyTextOnly(); why != "" {
			f.Fail("is text only here, and cannot be compiled: it %s", why)
		}
		f.Fail("is text only: it is read, checked and printed, and cannot be compiled")
	default:
		f.Fail("has no translation to LLVM; lower it first, with -passes=lower{to=scf} or as its dialect says")
	}
}

func (f *Fn) constant() {
	a := f.G.Attr(f.V, "value")
	if a == 0 {
		f.Fail("has no value")
	}
	c := lit.ConstLit(f.C, a)
	if c == nil {
		f.Fail("is a constant of type %s, which the LLVM backend does not translate; %s", lit.Spell(f.C, f.G.Type(f.V)), wayOut(f.C, f.G.Type(f.V)))
	}
	f.Set(c)
}

// phis makes a phi for each field of values of the given types, in block b, and
// returns what they stand for. feed adds the edge from where it is called, which
// must be before the branch to b; it may go on in another block.
func (ph *Phis) make(b *llir.Block, ts []ir.Type) (vs []Val, feed func(vs []Val)) {
	var all []*llir.InstPhi
	before := len(ph.pending)
	for _, t := range ts {
		var parts []value.Value
		for _, ft := range ph.Carried(t) {
			p := &llir.InstPhi{Typ: ft}
			b.Insts = append(b.Insts, p)
			all = append(all, p)
			parts = append(parts, p)
		}
		vs = append(vs, ph.FromCarried(t, parts))
	}
	for i := range ph.pending[before:] {
		ph.pending[before+i].at = b
	}
	return vs, func(in []Val) {
		var xs []value.Value
		for i, t := range ts {
			xs = append(xs, ph.ToCarried(t, in[i])...)
		}
		for i, x := range xs {
			all[i].Incs = append(all[i].Incs, llir.NewIncoming(x, ph.b.Cur))
		}
	}
}

// ResultType is the LLVM type of the current op's only result.
func (f *Fn) ResultType() types.Type { return f.LLType(f.G.Type(f.V)) }
