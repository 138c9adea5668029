package kernels

import (
	"fmt"
	"maps"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
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

// GpuEmitters says how ops of kernels are translated.
func GpuEmitters(host map[*ir.OpDef]func(*emit.Fn)) map[*ir.OpDef]func(*emit.Fn) {
	out := maps.Clone(host)
	for def, why := range GpuRefused {
		out[def] = func(f *emit.Fn) { f.Fail("%s", why) }
	}
	for _, def := range HostMath {
		delete(out, def)
	}
	maps.Copy(out, map[*ir.OpDef]func(*emit.Fn){
		device.ThreadID: emitID("tid"), device.BlockID: emitID("ctaid"),
		device.BlockDim: emitID("ntid"), device.GridDim: emitID("nctaid"),
		device.Barrier: emitBarrier, device.Shared: emitShared, device.AtomicCAS: emitCAS, device.Shuffle: emitShuffle,
	})
	maps.Copy(out, warpEmitters)
	return out
}

const onHost = "; do it in the function that launches the kernel"

// GpuRefused are ops that kernels cannot have.
var GpuRefused = map[*ir.OpDef]string{
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

// HostMath are the functions of math that libm has and a GPU has not.
var HostMath = []*ir.OpDef{
	math.Cos, math.Exp, math.Exp2, math.Log, math.Log10, math.Log2, math.Powf, math.Sin, math.Acos, math.Acosh,
	math.Asin, math.Asinh, math.Atan, math.Atan2, math.Atanh, math.Cbrt, math.Cosh, math.Erf, math.Expm1, math.Log1p,
	math.Sinh, math.Tan, math.Tanh, math.Fpowi, special.Lgamma, special.Erfc,
}

// Kernels translates the kernels of the module and what they reach.
func Kernels(e *emit.Emitter) {
	s := ir.ScheduleOf(e.G)
	e.Gpu = &emit.Gpu{Names: map[string]string{}, Shared: map[string]int64{}}
	e.Ops = GpuEmitters(e.Ops)
	symbols, globals := map[string]ir.Value{}, map[string]ir.Value{}
	var kernels []*emit.Callee
	taken := map[string]bool{emit.GpuTrap: true}
	for _, v := range s.Body(ir.Root) {
		switch e.G.Def(v) {
		case device.Kernel:
			k := declareKernel(e, v)
			if name := k.Fn.Name(); taken[name] {
				emit.FailAt(e.G, v, "is called %s in PTX, which something else is called too; rename it", name)
			}
			taken[k.Fn.Name()] = true
			kernels = append(kernels, k)
		case funcs.Func:
			symbols[funcs.NameOf(e.G, v)] = v
		case memref.Global:
			globals[e.C.AttrInfo(e.G.Attr(v, "sym_name")).Str] = v
		case device.Launch:
			emit.FailAt(e.G, v, "stands outside of a function; move it into a func.func")
		}
	}
	todo := append([]*emit.Callee(nil), kernels...)
	for i := 0; i < len(todo); i++ { // each function once, in the order in which they are reached
		for _, name := range emit.Calls(todo[i].G) {
			if v, ok := symbols[name]; ok && e.Callee[name] == nil {
				if err := ir.CheckTypes(e.G, v); err != nil {
					panic(err)
				}
				todo = append(todo, e.Declare(v))
			}
		}
		for _, name := range globalsIn(todo[i].G) {
			if v, ok := globals[name]; ok && e.Globals[name] == nil {
				constantGlobal(e, v)
			}
		}
	}
	for _, c := range todo {
		if e.G.Def(c.V) == device.Kernel {
			defineKernel(e, c)
		} else {
			e.Define(c)
		}
	}
	e.Funcs = nil
	for _, k := range kernels {
		e.Funcs = append(e.Funcs, k.Func)
		e.Kernels = append(e.Kernels, emit.KernelInfo{Func: k.Func, Entry: k.Fn.Name(), Shared: sharedOf(e, k),
			MaxThreads: number(e, k.V, device.MaxThreadsAttr), MinBlocks: number(e, k.V, device.MinBlocksAttr)})
	}
}

// number is that of an attribute of an op, or 0.
func number(e *emit.Emitter, v ir.Value, name string) int64 {
	if a := e.G.Attr(v, name); a != 0 {
		return e.C.AttrInfo(a).Int
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
func constantGlobal(e *emit.Emitter, v ir.Value) {
	init := e.G.Attr(v, "initial_value")
	if e.G.Attr(v, "constant") == 0 || init == 0 || e.C.AttrInfo(init).Kind == ir.AttrUnit {
		emit.FailAt(e.G, v, "is memory of the host, which a kernel uses; pass it as an argument, or make it constant with an initial value")
	}
	e.Global(v)
	g := e.IR.Globals[len(e.IR.Globals)-1]
	name := e.C.AttrInfo(e.G.Attr(v, "sym_name")).Str
	g.SetName(emit.Internal("global", name))
	g.Linkage, g.AddrSpace = enum.LinkageInternal, device.GlobalSpace
	e.Globals[name].Ref = emit.Generic(g, emit.GlobalPtr)
}

// declareKernel makes the entry of a kernel, without its body: integers take the
// bytes that they take in memory.
func declareKernel(e *emit.Emitter, v ir.Value) *emit.Callee {
	if err := ir.CheckTypes(e.G, v); err != nil {
		panic(err)
	}
	t := funcs.TypeOf(e.C, e.G.AttrsOf(v))
	c := &emit.Callee{V: v, G: e.G.Children(v)[0], Func: &emit.Func{Name: funcs.NameOf(e.G, v), In: t.Types}, Ret: types.Void}
	params := e.Params(c)
	for _, p := range params {
		switch it, ok := p.Typ.(*types.IntType); {
		case p.Typ == types.Type(lit.Ptr):
			p.Typ = emit.GlobalPtr
		case ok:
			p.Typ = lit.IntType(8 * wholeBytes(int(it.BitSize)))
		}
	}
	c.Fn = e.IR.NewFunc(EntryName(c.Name), types.Void, params...)
	c.Fn.CallingConv = enum.CallingConvPTXKernel
	c.Fn.FuncAttrs = []llir.FuncAttribute{emit.Attr("nounwind"), emit.Attr("convergent")}
	return c
}

// ElemBytes is the distance of neighbouring elements of a type in memory; ok is
// false for types whose elements kernels do not take.
func ElemBytes(c *ir.Context, t ir.Type) (n int64, ok bool) {
	if lit.MemType(c, t) == nil {
		return 0, false
	}
	return lit.MemBytes(c, t)
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
func defineKernel(e *emit.Emitter, c *emit.Callee) {
	f := emit.NewFn(e, c.Fn, emit.Fn{Callee: c, G: c.G, V: c.G.Term(ir.Root), S: e.Schedule(c.G), Vals: make([]emit.Val, c.G.Len()), Known: affine.Of(c.G).Certain()})
	params := c.Fn.Params
	for i, p := range c.G.Params(ir.Root) {
		n := len(e.FieldsOf(e.G, c.V, "argument", c.In[i:i+1]))
		args := make([]value.Value, n)
		for k := range args {
			args[k] = inside(f, params[k], c.In[i])
		}
		params = params[n:]
		f.Vals[p] = f.FromFields(c.In[i], args)
	}
	f.Body(ir.Root)
	f.B.Cur.NewRet(nil)
	f.Finish()
}

// inside makes a value of a parameter of an entry.
func inside(f *emit.Fn, p *llir.Param, t ir.Type) value.Value {
	if p.Typ == types.Type(emit.GlobalPtr) {
		return emit.Add(f.B, llir.NewAddrSpaceCast(p, lit.Ptr))
	}
	if want := lit.LLType(f.C, t); want != nil && f.C.IsInt(t) && !types.Equal(want, p.Typ) {
		return emit.Add(f.B, llir.NewTrunc(p, want))
	}
	return p
}

// emitID reads a special register; ids are non-negative and far below 2^31.
func emitID(register string) func(*emit.Fn) {
	return func(f *emit.Fn) {
		dim := "xyz"[device.Dimension(f.C, f.G.Attr(f.V, "dimension"))]
		x := f.B.Intrinsic("llvm.nvvm.read.ptx.sreg."+register+"."+string(dim), types.I32, nil)
		f.Set(emit.Add(f.B, llir.NewZExt(x, types.I64)))
	}
}

func emitBarrier(f *emit.Fn) {
	emit.Add(f.B, llir.NewCall(f.External("llvm.nvvm.barrier0", types.Void, nil, "convergent", "nounwind")))
}

// MaxShared is the shared memory that every block can have, in bytes.
const MaxShared = 48 << 10

func emitShared(f *emit.Fn) {
	l := f.Layout(f.G.Type(f.V))
	n, size := min(ir.Elements(l.Sizes), MaxShared+1), memory.BytesOf(f, l.Elem)
	align := max(memory.Alignment(f), memory.Natural(f, l.Elem), emit.MallocAlign)
	name := f.Callee.Name
	f.Gpu.Shared[name] = (f.Gpu.Shared[name]+align-1)/align*align + n*size
	if all := f.Gpu.Shared[name]; n > MaxShared || all > MaxShared {
		f.Fail("needs more shared memory than a block has, 48 KiB; with this op, @%s has %s", name, amount(n > MaxShared, all))
	}
	g := llir.NewGlobal("irc.shared."+name+"."+lit.I64(int64(len(f.IR.Globals))).Text, types.NewArray(uint64(max(n, 1)), lit.MemType(f.C, l.Elem)))
	g.Init = &lit.Lit{Typ: g.ContentType, Text: "undef"}
	g.Linkage, g.AddrSpace, g.Align = enum.LinkageInternal, device.SharedSpace, llir.Align(align)
	f.IR.Globals = append(f.IR.Globals, g)
	m := &emit.View{Elem: l.Elem, Base: emit.Generic(g, emit.SharedPtr), Off: lit.I64(0), Inside: true, Ident: true, Align: align, Length: lit.I64(n)}
	m.Sizes, _ = emit.Values(l.Sizes, nil)
	m.Strides = f.B.RowMajor(m.Sizes)
	f.Vals[f.V] = emit.Val{M: m}
}

func amount(huge bool, bytes int64) string {
	if huge {
		return "far more"
	}
	return fmt.Sprintf("%d bytes of it", bytes)
}

// sharedOf adds up the shared memory of a kernel and of what it reaches.
func sharedOf(e *emit.Emitter, k *emit.Callee) int64 {
	seen := map[string]bool{}
	var sum func(c *emit.Callee) int64
	sum = func(c *emit.Callee) int64 {
		seen[c.Name] = true
		n := e.Gpu.Shared[c.Name]
		for _, name := range emit.Calls(c.G) {
			if d := e.Callee[name]; d != nil && !seen[name] {
				n += sum(d)
			}
		}
		return n
	}
	all := sum(k)
	if all > MaxShared {
		emit.FailAt(e.G, k.V, "needs %d bytes of shared memory with the functions that it calls; a block has 48 KiB", all)
	}
	return all
}

// emitCAS compares bits, so floats go as integers.
func emitCAS(f *emit.Fn) {
	m := f.MemArg(2)
	p := f.At(m, 3)
	size, ok := lit.MemBytes(f.C, m.Elem)
	if !ok || size > 8 {
		f.Fail("is atomic on elements of type %s, which no instruction is", lit.Spell(f.C, m.Elem))
	}
	bits := lit.IntType(int(8 * size))
	if f.Alone(m) {
		old := emit.Add(f.B, &llir.InstLoad{ElemType: bits, Src: p, Align: llir.Align(size)})
		same := f.B.Icmp(enum.IPredEQ, old, memory.ToBits(f, f.Arg(0), bits))
		emit.Add(f.B, &llir.InstStore{Src: emit.Add(f.B, llir.NewSelect(same, memory.ToBits(f, f.Arg(1), bits), old)), Dst: p, Align: llir.Align(size)})
		f.Set(memory.FromBits(f, old, m.Elem))
		return
	}
	pair := types.NewStruct(bits, types.I1)
	r := emit.Add(f.B, &llir.InstCmpXchg{Ptr: p, Cmp: memory.ToBits(f, f.Arg(0), bits), New: memory.ToBits(f, f.Arg(1), bits), SuccessOrdering: f.Ordering(),
		FailureOrdering: enum.AtomicOrderingMonotonic, SyncScope: f.Scope(), Typ: pair})
	f.Set(memory.FromBits(f, emit.Add(f.B, llir.NewExtractValue(r, 0)), m.Elem))
}
