package llvm

import (
	"fmt"
	"maps"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// With Options.GPU a module is one of kernels for NVIDIA GPUs: the device.kernels
// of a graph and the functions that they reach.
//
// Pointers are generic inside of functions. Kernels take theirs in address space 1
// (global), shared memory lies in space 3 and the alloca of a thread on its stack;
// each is cast where it enters, and LLVM's InferAddressSpaces finds the space of an
// access again, as it does for what clang makes of CUDA.

// gpuEmitters says how ops of kernels are translated.
func gpuEmitters(host map[*ir.OpDef]func(*fn)) map[*ir.OpDef]func(*fn) {
	out := maps.Clone(host)
	for def, why := range gpuRefused {
		out[def] = func(f *fn) { f.fail("%s", why) }
	}
	for _, def := range hostMath {
		delete(out, def)
	}
	maps.Copy(out, map[*ir.OpDef]func(*fn){
		device.ThreadID: emitID("tid"), device.BlockID: emitID("ctaid"),
		device.BlockDim: emitID("ntid"), device.GridDim: emitID("nctaid"),
		device.Barrier: emitBarrier, device.Shared: emitShared, device.AtomicCAS: emitCAS, device.Shuffle: emitShuffle,
	})
	maps.Copy(out, warpEmitters)
	return out
}

const onHost = "; do it in the function that launches the kernel"

// gpuRefused are ops that kernels cannot have.
var gpuRefused = map[*ir.OpDef]string{
	memref.Alloc:       "allocates memory of the host, which a kernel cannot" + onHost + ", or use device.shared or memref.alloca",
	memref.Dealloc:     "frees memory of the host, which a kernel cannot" + onHost,
	memref.Realloc:     "allocates memory of the host, which a kernel cannot" + onHost,
	special.Print:      "prints, which a kernel on a GPU cannot; store the value to memory, or run it with -engine=eval",
	vector.Print:       "prints, which a kernel on a GPU cannot; store the value to memory, or run it with -engine=eval",
	funcs.CallIndirect: "calls a function value, which is not translated for GPUs; call the function by name",
	funcs.Constant:     "makes a function value, which is not translated for GPUs; call the function by name",
	device.Launch:      "launches a kernel from a kernel" + onHost,
	arith.Remf:         "is not exact on a GPU, and has no exact translation yet; use x - y * trunc(x / y) where that does",
}

// hostMath are the functions of math that libm has and a GPU has not.
var hostMath = []*ir.OpDef{
	math.Cos, math.Exp, math.Exp2, math.Log, math.Log10, math.Log2, math.Powf, math.Sin, math.Acos, math.Acosh,
	math.Asin, math.Asinh, math.Atan, math.Atan2, math.Atanh, math.Cbrt, math.Cosh, math.Erf, math.Expm1, math.Log1p,
	math.Sinh, math.Tan, math.Tanh, math.Fpowi, special.Lgamma, special.Erfc,
}

// kernels translates the kernels of the module and what they reach.
func (e *emitter) kernels() {
	s := ir.ScheduleOf(e.g)
	e.gpu = &gpu{names: map[string]string{}, shared: map[string]int64{}}
	e.ops = gpuEmitters(e.ops)
	symbols, globals := map[string]ir.Value{}, map[string]ir.Value{}
	var kernels []*callee
	taken := map[string]bool{gpuTrap: true}
	for _, v := range s.Body(ir.Root) {
		switch e.g.Def(v) {
		case device.Kernel:
			k := e.declareKernel(v)
			if name := k.fn.Name(); taken[name] {
				failAt(e.g, v, "is called %s in PTX, which something else is called too; rename it", name)
			}
			taken[k.fn.Name()] = true
			kernels = append(kernels, k)
		case funcs.Func:
			symbols[funcs.NameOf(e.g, v)] = v
		case memref.Global:
			globals[e.c.AttrInfo(e.g.Attr(v, "sym_name")).Str] = v
		case device.Launch:
			failAt(e.g, v, "stands outside of a function; move it into a func.func")
		}
	}
	todo := append([]*callee(nil), kernels...)
	for i := 0; i < len(todo); i++ { // each function once, in the order in which they are reached
		for _, name := range calls(todo[i].g) {
			if v, ok := symbols[name]; ok && e.callee[name] == nil {
				if err := ir.CheckTypes(e.g, v); err != nil {
					panic(err)
				}
				todo = append(todo, e.declare(v))
			}
		}
		for _, name := range globalsIn(todo[i].g) {
			if v, ok := globals[name]; ok && e.globals[name] == nil {
				e.constantGlobal(v)
			}
		}
	}
	for _, c := range todo {
		if e.g.Def(c.v) == device.Kernel {
			e.defineKernel(c)
		} else {
			e.define(c)
		}
	}
	e.Funcs = nil
	for _, k := range kernels {
		e.Funcs = append(e.Funcs, k.Func)
		e.Kernels = append(e.Kernels, KernelInfo{Func: k.Func, Entry: k.fn.Name(), Shared: e.sharedOf(k),
			MaxThreads: e.number(k.v, device.MaxThreadsAttr), MinBlocks: e.number(k.v, device.MinBlocksAttr)})
	}
}

// number is that of an attribute of an op, or 0.
func (e *emitter) number(v ir.Value, name string) int64 {
	if a := e.g.Attr(v, name); a != 0 {
		return e.c.AttrInfo(a).Int
	}
	return 0
}

func globalsIn(g *ir.Graph) (out []string) {
	for v := range ir.ScheduleOf(g).All() {
		if g.Def(v) == memref.GetGlobal {
			out = append(out, g.Ctx.AttrInfo(g.Attr(v, "name")).Str)
		}
	}
	return out
}

// constantGlobal makes memory of a constant table; what the host may change it
// cannot share with a kernel.
func (e *emitter) constantGlobal(v ir.Value) {
	init := e.g.Attr(v, "initial_value")
	if e.g.Attr(v, "constant") == 0 || init == 0 || e.c.AttrInfo(init).Kind == ir.AttrUnit {
		failAt(e.g, v, "is memory of the host, which a kernel uses; pass it as an argument, or make it constant with an initial value")
	}
	e.global(v)
	g := e.IR.Globals[len(e.IR.Globals)-1]
	name := e.c.AttrInfo(e.g.Attr(v, "sym_name")).Str
	g.SetName(internal("global", name))
	g.Linkage, g.AddrSpace = enum.LinkageInternal, device.GlobalSpace
	e.globals[name].ref = generic(g, globalPtr)
}

// declareKernel makes the entry of a kernel, without its body: integers take the
// bytes that they take in memory.
func (e *emitter) declareKernel(v ir.Value) *callee {
	if err := ir.CheckTypes(e.g, v); err != nil {
		panic(err)
	}
	t := funcs.TypeOf(e.c, e.g.AttrsOf(v))
	c := &callee{v: v, g: e.g.Children(v)[0], Func: &Func{Name: funcs.NameOf(e.g, v), In: t.Types}, ret: types.Void}
	params := e.params(c)
	for _, p := range params {
		switch it, ok := p.Typ.(*types.IntType); {
		case p.Typ == types.Type(ptr):
			p.Typ = globalPtr
		case ok:
			p.Typ = intType(8 * wholeBytes(int(it.BitSize)))
		}
	}
	c.fn = e.IR.NewFunc(EntryName(c.Name), types.Void, params...)
	c.fn.CallingConv = enum.CallingConvPTXKernel
	c.fn.FuncAttrs = []llir.FuncAttribute{attr("nounwind"), attr("convergent")}
	return c
}

// ElemBytes is the distance of neighbouring elements of a type in memory; ok is
// false for types whose elements kernels do not take.
func ElemBytes(c *ir.Context, t ir.Type) (n int64, ok bool) {
	if memType(c, t) == nil {
		return 0, false
	}
	return memBytes(c, t)
}

// wholeBytes is the least power of two of bytes that holds w bits.
func wholeBytes(w int) int {
	n := 1
	for 8*n < w {
		n *= 2
	}
	return n
}

// EntryName is a symbol as PTX can name it: each byte that a name cannot have
// becomes _ and its two hexadecimal digits.
func EntryName(symbol string) string {
	out := make([]byte, 0, len(symbol))
	for i := range len(symbol) {
		c := symbol[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
		if letter || i > 0 && '0' <= c && c <= '9' {
			out = append(out, c)
		} else {
			out = fmt.Appendf(out, "_%02x", c)
		}
	}
	return string(out)
}

// defineKernel makes the body of a kernel.
func (e *emitter) defineKernel(c *callee) {
	f := &fn{emitter: e, callee: c, g: c.g, f: c.fn, v: c.g.Term(ir.Root), s: e.schedule(c.g), vals: make([]val, c.g.Len()), known: affine.Of(c.g).Certain()}
	f.entry = llir.NewBlock("entry")
	f.place(f.entry)
	params := c.fn.Params
	for i, p := range c.g.Params(ir.Root) {
		n := len(e.fieldsOf(e.g, c.v, "argument", c.In[i:i+1]))
		args := make([]value.Value, n)
		for k := range args {
			args[k] = f.inside(params[k], c.In[i])
		}
		params = params[n:]
		f.vals[p] = f.fromFields(c.In[i], args)
	}
	f.body(ir.Root)
	f.cur.NewRet(nil)
	f.finish()
}

// inside makes a value of a parameter of an entry.
func (f *fn) inside(p *llir.Param, t ir.Type) value.Value {
	if p.Typ == types.Type(globalPtr) {
		return add(f, llir.NewAddrSpaceCast(p, ptr))
	}
	if want := llType(f.c, t); want != nil && f.c.IsInt(t) && !types.Equal(want, p.Typ) {
		return add(f, llir.NewTrunc(p, want))
	}
	return p
}

// emitID reads a special register; ids are non-negative and far below 2^31.
func emitID(register string) func(*fn) {
	return func(f *fn) {
		dim := "xyz"[device.Dimension(f.c, f.g.Attr(f.v, "dimension"))]
		x := f.intrinsic("llvm.nvvm.read.ptx.sreg."+register+"."+string(dim), types.I32, nil)
		f.set(add(f, llir.NewZExt(x, types.I64)))
	}
}

func emitBarrier(f *fn) {
	add(f, llir.NewCall(f.external("llvm.nvvm.barrier0", types.Void, nil, "convergent", "nounwind")))
}

// MaxShared is the shared memory that every block can have, in bytes.
const MaxShared = 48 << 10

func emitShared(f *fn) {
	l := f.layout(f.g.Type(f.v))
	n, size := min(ir.Elements(l.sizes), MaxShared+1), f.bytesOf(l.elem)
	align := max(f.alignment(), f.natural(l.elem), mallocAlign)
	name := f.callee.Name
	f.gpu.shared[name] = (f.gpu.shared[name]+align-1)/align*align + n*size
	if all := f.gpu.shared[name]; n > MaxShared || all > MaxShared {
		f.fail("needs more shared memory than a block has, 48 KiB; with this op, @%s has %s", name, amount(n > MaxShared, all))
	}
	g := llir.NewGlobal("irc.shared."+name+"."+i64(int64(len(f.IR.Globals))).text, types.NewArray(uint64(max(n, 1)), memType(f.c, l.elem)))
	g.Init = &lit{typ: g.ContentType, text: "undef"}
	g.Linkage, g.AddrSpace, g.Align = enum.LinkageInternal, device.SharedSpace, llir.Align(align)
	f.IR.Globals = append(f.IR.Globals, g)
	m := &view{elem: l.elem, base: generic(g, sharedPtr), off: i64(0), inside: true, ident: true, align: align, length: i64(n)}
	m.sizes, _ = values(l.sizes, nil)
	m.strides = f.rowMajor(m.sizes)
	f.vals[f.v] = val{m: m}
}

func amount(huge bool, bytes int64) string {
	if huge {
		return "far more"
	}
	return fmt.Sprintf("%d bytes of it", bytes)
}

// sharedOf adds up the shared memory of a kernel and of what it reaches.
func (e *emitter) sharedOf(k *callee) int64 {
	seen := map[string]bool{}
	var sum func(c *callee) int64
	sum = func(c *callee) int64 {
		seen[c.Name] = true
		n := e.gpu.shared[c.Name]
		for _, name := range calls(c.g) {
			if d := e.callee[name]; d != nil && !seen[name] {
				n += sum(d)
			}
		}
		return n
	}
	all := sum(k)
	if all > MaxShared {
		failAt(e.g, k.v, "needs %d bytes of shared memory with the functions that it calls; a block has 48 KiB", all)
	}
	return all
}

// emitCAS compares bits, so floats go as integers.
func emitCAS(f *fn) {
	m := f.memArg(2)
	p := f.at(m, 3)
	size, ok := memBytes(f.c, m.elem)
	if !ok || size > 8 {
		f.fail("is atomic on elements of type %s, which no instruction is", spell(f.c, m.elem))
	}
	bits := intType(int(8 * size))
	if f.alone(m) {
		old := add(f, &llir.InstLoad{ElemType: bits, Src: p, Align: llir.Align(size)})
		same := f.icmp(enum.IPredEQ, old, f.toBits(f.arg(0), bits))
		add(f, &llir.InstStore{Src: add(f, llir.NewSelect(same, f.toBits(f.arg(1), bits), old)), Dst: p, Align: llir.Align(size)})
		f.set(f.fromBits(old, m.elem))
		return
	}
	pair := types.NewStruct(bits, types.I1)
	r := add(f, &llir.InstCmpXchg{Ptr: p, Cmp: f.toBits(f.arg(0), bits), New: f.toBits(f.arg(1), bits), SuccessOrdering: f.ordering(),
		FailureOrdering: enum.AtomicOrderingMonotonic, SyncScope: f.scope(), Typ: pair})
	f.set(f.fromBits(add(f, llir.NewExtractValue(r, 0)), m.elem))
}
