package emit

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// A step is a part of an address: what changes in loops of one depth.
type step struct {
	depth int // of the innermost region whose parameters it needs
	sum   value.Value
}

// constantDepth is behind all others, so that constants become the offsets of instructions.
const constantDepth = 1 << 30

// stepwise is the address of an element in a kernel, in steps: first what changes least. LLVM takes the first ones out of
// loops; what is left of them is a product and a sum, which a GPU has one instruction for. It does
// not take sums of indices apart itself, and where it knows that their bits are apart makes bits of them. The indices are
// those of the access, untranslated; the result is nil if there is one step only. Parts of a sum may wrap around.
func (f *Fn) stepwise(m *View, of []ir.Value) value.Value {
	var sums [][]ir.Value
	depths := map[int]bool{}
	for _, v := range of {
		list := terms(f.G, v, nil)
		sums = append(sums, list)
		for _, t := range list {
			depths[depthOf(f.G, t)] = true
		}
	}
	if delete(depths, constantDepth); len(depths) < 2 {
		return nil
	}
	steps := []step{{0, m.Off}}
	for i, list := range sums {
		for _, t := range list {
			steps = f.B.step(steps, depthOf(f.G, t), f.B.Times(f.Of(t).V, m.Strides[i]))
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.depth - b.depth })
	p := m.Base
	for _, s := range steps {
		if n, ok := lit.Number(s.sum); ok && n == 0 {
			continue
		}
		p = Add(f.B, &llir.InstGetElementPtr{ElemType: lit.MemType(f.C, m.Elem), Src: p, Indices: []value.Value{s.sum}, Typ: lit.Ptr})
	}
	return p
}

// step adds to the step of a depth.
func (ib *Builder) step(steps []step, depth int, x value.Value) []step {
	if i := slices.IndexFunc(steps, func(s step) bool { return s.depth == depth }); i >= 0 {
		steps[i].sum = ib.Sum(steps[i].sum, x)
		return steps
	}
	return append(steps, step{depth, x})
}

// terms takes a sum apart.
func terms(g *ir.Graph, v ir.Value, out []ir.Value) []ir.Value {
	if g.Def(v) == arith.Addi {
		for _, a := range g.Args(v) {
			out = terms(g, a, out)
		}
		return out
	}
	return append(out, v)
}

// depthOf is how many regions are around the one whose parameters a value needs; that of a constant is constantDepth.
func depthOf(g *ir.Graph, v ir.Value) (n int) {
	if _, ok := g.Const(v); ok {
		return constantDepth
	}
	for r := g.Home(v); r != ir.Root; r = g.Parent(r) {
		n++
	}
	return n
}

// GpuTrap is the variable that holds the number of the first trap.
const GpuTrap = "irc_trap"

// Gpu is what an emitter knows of kernels.
type Gpu struct {
	Names  map[string]string // symbol -> name in PTX
	trap   *lit.Lit          // the variable, as a generic pointer, once it is needed
	Shared map[string]int64  // bytes that a function reserves itself
}

var (
	GlobalPtr = &lit.Named{Text: "ptr addrspace(1)"}
	SharedPtr = &lit.Named{Text: "ptr addrspace(3)"}
)

// Generic is a constant pointer of a space as a generic one.
func Generic(g *llir.Global, space types.Type) *lit.Lit {
	return &lit.Lit{Typ: lit.Ptr, Text: fmt.Sprintf("addrspacecast (%s %s to ptr)", space, g.Ident())}
}

// leftOver refuses a function of math or special that no rule has lowered.
func (f *Fn) leftOver(def *ir.OpDef) {
	if d := f.C.DialectOf(def); d == math.Dialect || d == special.Dialect {
		f.Fail("is left over: a GPU has no library of functions, and the pass lower-math, which makes arithmetic of them, has no rule for it on %s",
			lit.Spell(f.C, f.G.Type(f.V)))
	}
}

// KernelInfo is what is known of a kernel that was translated.
type KernelInfo struct {
	*Func
	Entry  string // its name in PTX
	Shared int64  // bytes of shared memory, of the functions that it calls too
	// What the kernel says of its launches: the most threads of a block, and how many blocks are to fit on a
	// multiprocessor, by which registers are given out. 0 is nothing.
	MaxThreads, MinBlocks int64
}

// Calls lists the functions that a body calls by name.
func Calls(g *ir.Graph) (out []string) {
	for v := range ir.ScheduleOf(g).All() {
		if g.Def(v) == funcs.Call {
			out = append(out, g.Ctx.AttrInfo(g.Attr(v, "callee")).Str)
		}
	}
	return out
}

// changesAtomically reports that a function, or one that it calls, has an atomic op
// on memory that it may have been given.
func (e *Emitter) changesAtomically(c *Callee, seen map[*Callee]bool) (yes bool) {
	if c == nil || c.G == nil || seen[c] {
		return false
	}
	seen[c] = true
	for v := range ir.ScheduleOf(c.G).All() {
		switch c.G.Def(v) {
		case memref.AtomicRMW, memref.GenericAtomicRMW, device.AtomicCAS:
			yes = true
		}
	}
	for _, name := range Calls(c.G) {
		yes = yes || e.changesAtomically(e.Callee[name], seen)
	}
	return yes
}

// Ordering is that of atomics: on a GPU they order nothing else.
func (e *Emitter) Ordering() enum.AtomicOrdering {
	if e.Gpu != nil {
		return enum.AtomicOrderingMonotonic
	}
	return enum.AtomicOrderingAcquireRelease
}

// Scope is who sees an atomic as one: the threads of the GPU.
func (e *Emitter) Scope() string {
	if e.Gpu != nil {
		return "device"
	}
	return ""
}

// gpuStop fills a block that ends a thread: it notes the number of the trap, if it
// is the first. Barriers do not wait for threads that have ended (compute
// capability 7.0 and later).
func (e *Emitter) gpuStop(b *llir.Block, code int64) {
	if e.Gpu.trap == nil {
		g := llir.NewGlobalDef(GpuTrap, lit.I32(0))
		g.AddrSpace = device.GlobalSpace
		e.IR.Globals = append(e.IR.Globals, g)
		e.Gpu.trap = Generic(g, GlobalPtr)
	}
	b.Insts = append(b.Insts, &llir.InstCmpXchg{Ptr: e.Gpu.trap, Cmp: lit.I32(0), New: lit.I32(code), SuccessOrdering: enum.AtomicOrderingMonotonic,
		FailureOrdering: enum.AtomicOrderingMonotonic, SyncScope: e.Scope(), Typ: types.NewStruct(types.I32, types.I1)})
	exit := llir.NewInlineAsm(types.NewPointer(types.NewFunc(types.Void)), "exit;", "")
	exit.SideEffect = true
	c := b.NewCall(exit)
	c.FuncAttrs = []llir.FuncAttribute{Attr("noreturn")}
	b.NewUnreachable()
}

// annotations mark the kernels for LLVM before 20, which does not go by the
// calling convention.
func (m *Module) annotations() string {
	if len(m.Kernels) == 0 {
		return ""
	}
	list, defs := "", ""
	for i, k := range m.Kernels {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("!%d", i)
		def := fmt.Sprintf("!%d = !{ptr @%s, !\"kernel\", i32 1", i, k.Entry)
		if k.MaxThreads > 0 {
			def += fmt.Sprintf(", !\"maxntidx\", i32 %d", k.MaxThreads)
		}
		if k.MinBlocks > 0 {
			def += fmt.Sprintf(", !\"minctasm\", i32 %d", k.MinBlocks)
		}
		defs += def + "}\n"
	}
	return "\n!nvvm.annotations = !{" + list + "}\n" + defs
}
