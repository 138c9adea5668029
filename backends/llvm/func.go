package llvm

import (
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// val is what a node is in LLVM.
type val struct {
	v    value.Value // a scalar or vector
	m    *view       // a memref
	many []val       // the results of an op that has several
	kept *scratch    // a vector in memory (see spillMask)
}

// fn is the translation of one function. Ops are translated in the order of the
// schedule; cur is the block that the next instruction goes to.
type fn struct {
	*emitter
	callee  *callee
	g       *ir.Graph
	s       *ir.Schedule
	f       *llir.Func
	entry   *llir.Block
	cur     *llir.Block
	vals    []val
	v       ir.Value      // the op that is being translated
	cold    []*llir.Block // trap blocks, placed last
	blocks  int
	loops   []*loop
	top     []llir.Instruction // allocas of fixed size, for the head of entry
	stack   int                // allocas so far in the scope that frees them
	region  ir.Region          // that v stands in
	known   affine.Analysis
	pending []pendingStrides // of memrefs in phis
	checks  *lateChecks      // of the loop that is being translated, or nil
	part    int              // of whose iterations this is a part (see cores.go), or 0
	length                   // so far
}

// add appends an instruction and returns it.
func add[I llir.Instruction](f *fn, i I) I {
	f.cur.Insts = append(f.cur.Insts, i)
	f.made++
	return i
}

// block makes a block that has no place yet.
func (f *fn) block(name string) *llir.Block {
	f.blocks++
	return llir.NewBlock(name + strconv.Itoa(f.blocks))
}

// place puts a block after those there are and goes on in it.
func (f *fn) place(b *llir.Block) {
	b.Parent = f.f
	f.f.Blocks = append(f.f.Blocks, b)
	f.cur = b
}

func (f *fn) br(b *llir.Block) { f.cur.NewBr(b) }

// finish puts fixed allocas first and cold blocks last, and takes long functions apart.
func (f *fn) finish() {
	if f.long {
		f.carve()
		return
	}
	f.f.Blocks = append(f.f.Blocks, f.cold...)
	f.thread()
	if len(f.top) > 0 {
		f.entry.Insts = append(f.top, f.entry.Insts...)
	}
}

// fail gives up at the op that is being translated.
func (f *fn) fail(format string, args ...any) { failAt(f.g, f.v, format, args...) }

// of returns the translation of a node.
func (f *fn) of(v ir.Value) val {
	if n, i, ok := f.g.Projection(v); ok {
		return f.vals[n].many[i]
	}
	if s := f.vals[v].kept; s != nil {
		return val{v: s.load(f, i64(0), s.n)}
	}
	return f.vals[v]
}

// arg returns the translation of operand i of the current op; a bf16 that is
// computed with as f32.
func (f *fn) arg(i int) value.Value {
	x := f.of(f.g.Args(f.v)[i]).v
	switch f.elemOf(i) {
	case ir.F16:
		f.half = f.half || f.gpu == nil
	case ir.BF16:
		if computes(f.c, f.g.Def(f.v)) {
			return f.fromBF16(x)
		}
	}
	return x
}

func (f *fn) memArg(i int) *view {
	a := f.g.Args(f.v)[i]
	if m := f.of(a).m; m != nil {
		return m
	}
	t := f.g.Type(a)
	f.fail("has an operand of type %s, which the LLVM backend does not translate; %s", spell(f.c, t), wayOut(f.c, t))
	return nil
}

func (f *fn) args(vs []ir.Value) []val {
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = f.of(v)
	}
	return out
}

func (f *fn) typeOf(i int) ir.Type { return f.g.Type(f.g.Args(f.v)[i]) }

func (f *fn) elemOf(i int) ir.Type { return f.c.ElemOrSelf(f.typeOf(i)) }

// set gives the current op its result; a bf16 may come as f32 or f64.
func (f *fn) set(v value.Value) {
	switch f.c.ElemOrSelf(f.g.Type(f.v)) {
	case ir.F16:
		f.half = f.half || f.gpu == nil
	case ir.BF16:
		if _, bits := scalarOf(v.Type()).(*types.IntType); !bits {
			v = f.toBF16(v)
		}
	}
	f.vals[f.v] = val{v: v}
}

// setAll gives the current op its results.
func (f *fn) setAll(vs []val) {
	if len(vs) == 1 {
		f.vals[f.v] = vs[0]
	} else {
		f.vals[f.v] = val{many: vs}
	}
}

// llType returns the LLVM type of a node that is no memref.
func (f *fn) llType(t ir.Type) types.Type {
	l := llType(f.c, t)
	if l == nil {
		f.fail("has type %s, which the LLVM backend does not translate; %s", spell(f.c, t), wayOut(f.c, t))
	}
	return l
}

// body translates the ops of a region and returns what its terminator yields.
func (f *fn) body(r ir.Region) []val {
	outer := f.region
	f.region = r
	f.bodyOf(r)
	f.region = outer
	return f.args(f.g.Yields(r))
}

// bodyWith is body of a region with values for its parameters.
func (f *fn) bodyWith(r ir.Region, params []val) []val {
	for i, p := range f.g.Params(r) {
		f.vals[p] = params[i]
	}
	return f.body(r)
}

// op translates one op.
func (f *fn) op(v ir.Value) {
	outer := f.v
	f.v = v
	def := f.g.Def(v)
	if def.Has(ir.ConstantLike) {
		f.constant()
	} else if do := f.ops[def]; do != nil {
		f.timed(v, func() { do(f) })
		f.spillMask()
	} else {
		f.unsupported(def)
	}
	f.v = outer
}

func (f *fn) unsupported(def *ir.OpDef) {
	if f.gpu != nil {
		f.leftOver(def)
	} else if f.c.DialectOf(def) == device.Dialect {
		f.fail("runs on a GPU or on the interpreter (-engine=cuda, -engine=eval), not as code of the host; -emit=ptx compiles kernels")
	}
	switch {
	case !def.Registered():
		f.fail("is not registered, so nobody knows what it does; remove it, or lower its dialect before -emit=llvm")
	case def.Has(ir.TextOnly):
		if why := ir.CallsOf(f.g).Of(f.v).WhyTextOnly(); why != "" {
			f.fail("is text only here, and cannot be compiled: it %s", why)
		}
		f.fail("is text only: it is read, checked and printed, and cannot be compiled")
	default:
		f.fail("has no translation to LLVM; lower it first, with -passes=lower{to=scf} or as its dialect says")
	}
}

func (f *fn) constant() {
	a := f.g.Attr(f.v, "value")
	if a == 0 {
		f.fail("has no value")
	}
	c := constLit(f.c, a)
	if c == nil {
		f.fail("is a constant of type %s, which the LLVM backend does not translate; %s", spell(f.c, f.g.Type(f.v)), wayOut(f.c, f.g.Type(f.v)))
	}
	f.set(c)
}

// phis makes a phi for each field of values of the given types, in block b, and
// returns what they stand for. feed adds the edge from where it is called, which
// must be before the branch to b; it may go on in another block.
func (f *fn) phis(b *llir.Block, ts []ir.Type) (vs []val, feed func(vs []val)) {
	var all []*llir.InstPhi
	before := len(f.pending)
	for _, t := range ts {
		var parts []value.Value
		for _, ft := range f.carried(t) {
			p := &llir.InstPhi{Typ: ft}
			b.Insts = append(b.Insts, p)
			all = append(all, p)
			parts = append(parts, p)
		}
		vs = append(vs, f.fromCarried(t, parts))
	}
	for i := range f.pending[before:] {
		f.pending[before+i].at = b
	}
	return vs, func(in []val) {
		var xs []value.Value
		for i, t := range ts {
			xs = append(xs, f.toCarried(t, in[i])...)
		}
		for i, x := range xs {
			all[i].Incs = append(all[i].Incs, llir.NewIncoming(x, f.cur))
		}
	}
}

// resultType is the LLVM type of the current op's only result.
func (f *fn) resultType() types.Type { return f.llType(f.g.Type(f.v)) }
