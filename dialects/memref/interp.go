package memref

import (
	"errors"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/memref/kinds"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{
	Alloc: runAlloc, Alloca: runAlloca, AllocaScope: runScope, Dealloc: first(runDealloc), Realloc: first(runRealloc),
	Load: runLoad, Store: runStore, Copy: first(runCopy), AtomicRMW: runAtomicRMW, GenericAtomicRMW: first(runGenericAtomicRMW),
	Cast: runSame, MemorySpaceCast: runSame, ReinterpretCast: first(runReinterpretCast), Subview: first(runSubview),
	View: first(runView), ExpandShape: first(runExpandShape), CollapseShape: first(runCollapseShape), Reshape: first(runReshape),
	Transpose: first(runTranspose), Dim: first(runDim), Rank: runRank, ExtractAlignedPointer: runAddress, ExtractStridedMetadata: first(runMetadata),
	GetGlobal: runGetGlobal, Global: runNothing, Prefetch: runNothing, AssumeAlignment: runNothing,
}

// IsAtomic reports ops whose accesses to memory are atomic.
func IsAtomic(def *ir.OpDef) bool { return def == AtomicRMW || def == GenericAtomicRMW }

// first is what runs an op whose first operand is memory.
func first(run func(m *interp.Machine, o *interp.Op, r *interp.MemRef, args, out []ir.Val) error) interp.Func {
	return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		r, err := interp.AsMemRef(args[0])
		if err != nil {
			return err
		}
		return run(m, o, r, args, out)
	}
}

func runNothing(*interp.Machine, *interp.Op, []ir.Val, []ir.Val) error { return nil }

// allocate makes the memory of an allocation: as many elements as its layout
// reaches.
func allocate(m *interp.Machine, o *interp.Op, args []ir.Val) (*interp.MemRef, error) {
	c, t := o.G.Ctx, o.G.Type(o.V)
	info := c.Info(t)
	sizes, next := make([]int64, len(info.Shape)), 0
	for i, n := range info.Shape {
		if n == ir.Dynamic {
			var err error
			if n, err = interp.Index(args[next]); err != nil {
				return nil, err
			}
			next++
		}
		if n < 0 {
			return nil, ir.Trapf("the size of dimension %d of an allocation is %d", i, n)
		}
		sizes[i] = n
	}
	if info.Layout == 0 {
		return m.NewMemRef(info.Elem, sizes...)
	}
	strides, offset, ok := layouts.Layout(c, t)
	if !ok || offset == ir.Dynamic || count(strides, ir.Dynamic) > 0 {
		return nil, &interp.Unsupported{Reason: o.Def.Name + " with a layout that is not static and strided", Fix: "allocate with the identity layout and take a view"}
	}
	low, high, ok := strided.Corners(sizes, strides, offset)
	if !ok || low < 0 || high == math.MaxInt64 {
		return nil, ir.Trapf("the layout of an allocation reaches below its start, or too far")
	}
	reach := high + 1
	buf, err := m.Alloc(info.Elem, reach)
	if err != nil {
		return nil, err
	}
	return &interp.MemRef{Buf: buf, Offset: offset, Sizes: sizes, Strides: strides}, nil
}

func runAlloc(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, err := allocate(m, o, args)
	if err != nil {
		return err
	}
	m.Owe(r.Buf)
	out[0] = ir.Val{Ref: r}
	return nil
}

func runAlloca(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, err := allocate(m, o, args)
	if err != nil {
		return err
	}
	m.Scoped(r.Buf)
	out[0] = ir.Val{Ref: r}
	return nil
}

func runScope(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	endScope := m.Scope()
	ys, err := m.Run(o.Regions[0], nil)
	if err != nil {
		return err
	}
	copy(out, ys)
	endScope()
	return nil
}

func runDealloc(m *interp.Machine, _ *interp.Op, r *interp.MemRef, args, _ []ir.Val) error {
	return m.Free(r.Buf)
}

func runRealloc(m *interp.Machine, o *interp.Op, from *interp.MemRef, args, out []ir.Val) error {
	to, err := allocate(m, o, args[1:])
	if err != nil {
		return err
	}
	n := min(from.Sizes[0], to.Sizes[0])
	if err := m.Spend(n); err != nil {
		return err
	}
	for i := range n {
		at, err := from.At([]ir.Val{{Bits: uint64(i)}})
		if err != nil {
			return err
		}
		to.Buf.Store(int(i), from.Buf.Load(at))
	}
	m.Owe(to.Buf)
	out[0] = ir.Val{Ref: to}
	return m.Free(from.Buf)
}

func runLoad(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	r, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	i, err := r.At(args[1:])
	if err != nil {
		return err
	}
	out[0] = r.Buf.Load(i)
	return nil
}

func runStore(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	r, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	i, err := r.At(args[2:])
	if err != nil {
		return err
	}
	r.Buf.Store(i, args[0])
	return nil
}

// elements lists the places of all elements of a memref, row-major.
func elements(m *interp.Machine, r *interp.MemRef) ([]int, error) {
	if slices.Contains(r.Sizes, 0) {
		return nil, nil
	}
	n, ok := ir.Product(r.Sizes...)
	if !ok || n > ir.MaxElements {
		return nil, ir.Trapf("a memref has impossible sizes %v", r.Sizes)
	}
	if err := m.Spend(n); err != nil {
		return nil, err
	}
	out := make([]int, 0, min(n, 1<<16))
	at := make([]ir.Val, len(r.Sizes))
	for {
		i, err := r.At(at)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d].Bits++; int64(at[d].Bits) < r.Sizes[d] {
				break
			}
			at[d].Bits = 0
		}
		if d < 0 {
			return out, nil
		}
	}
}

// runCopy reads everything before it writes, so that overlapping views are
// copied as they were.
func runCopy(m *interp.Machine, _ *interp.Op, from *interp.MemRef, args, _ []ir.Val) error {
	to, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	if !slices.Equal(from.Sizes, to.Sizes) {
		return ir.Trapf("memref.copy from sizes %v to sizes %v", from.Sizes, to.Sizes)
	}
	src, err := elements(m, from)
	if err != nil {
		return err
	}
	dst, err := elements(m, to)
	if err != nil {
		return err
	}
	vals := lists.Map(src, from.Buf.Load)
	for i, at := range dst {
		to.Buf.Store(at, vals[i])
	}
	return nil
}

func runGenericAtomicRMW(m *interp.Machine, o *interp.Op, r *interp.MemRef, args, out []ir.Val) error {
	i, err := r.At(args[1:])
	if err != nil {
		return err
	}
	old := r.Buf.Load(i)
	ys, err := m.Run(o.Regions[0], []ir.Val{old})
	if err != nil {
		return err
	}
	r.Buf.Store(i, ys[0])
	out[0] = old
	return nil
}

// runAtomicRMW returns the old value, as LLVM's atomicrmw does, to which MLIR
// lowers it.
func runAtomicRMW(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	i, err := r.At(args[2:])
	if err != nil {
		return err
	}
	c, t := o.G.Ctx, o.G.Type(o.G.Args(o.V)[0])
	old := r.Buf.Load(i)
	out[0] = old
	kind := atomicKinds[c.AttrInfo(o.Call.Get("kind")).Int]
	switch {
	case kind.name == "assign":
		r.Buf.Store(i, args[0])
	case old.Ref != nil || args[0].Ref != nil:
		r.Buf.Store(i, ir.Val{Ref: ir.Poison})
	default:
		r.Buf.Store(i, kinds.Combine(c, kind.name, t, old, args[0]))
	}
	return nil
}

// globalKey is the key of a global's memory in a machine.
type globalKey struct {
	g *ir.Graph
	v ir.Value
}

func runGetGlobal(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	name := globalName(o.Call)
	g, v, ok := m.Symbol(name)
	if !ok || g.Def(v) != Global {
		return ir.Trapf("there is no memref.global @%s", name)
	}
	x, err := m.Global(globalKey{g, v}, func() (any, error) { return makeGlobal(m, g, v) })
	out[0] = ir.Val{Ref: x}
	return err
}

func makeGlobal(m *interp.Machine, g *ir.Graph, v ir.Value) (any, error) {
	c := g.Ctx
	t := c.AttrInfo(g.Attr(v, "type")).Type
	info := c.Info(t)
	init := g.Attr(v, "initial_value")
	if init == 0 || c.AttrInfo(init).Kind == ir.AttrUnit {
		return zeroGlobal(m, info)
	}
	if info.Layout != 0 {
		return nil, &interp.Unsupported{Reason: "the memref.global @" + c.AttrInfo(g.Attr(v, "sym_name")).Str + " is not in the identity layout", Fix: "leave its layout out"}
	}
	init, err := c.Elements(init)
	if no := (*ir.NoElements)(nil); errors.As(err, &no) {
		return nil, &interp.Unsupported{Reason: "the memref.global @" + c.AttrInfo(g.Attr(v, "sym_name")).Str + " " + no.Reason, Fix: no.Fix}
	}
	dense := c.AttrInfo(init)
	if g.Attr(v, "constant") != 0 && !dense.Splat {
		if r, ok := m.NewConstant(info.Elem, dense.Str, info.Shape...); ok {
			return r, nil
		}
	}
	r, err := zeroGlobal(m, info)
	if err != nil {
		return nil, err
	}
	w := c.Info(info.Elem).Width
	for i := range r.Buf.Len() {
		r.Buf.Store(i, ir.IntVal(int64(c.Elem(init, int64(i))), w))
	}
	return r, nil
}

// zeroGlobal is memory that lives as long as the machine.
func zeroGlobal(m *interp.Machine, info *ir.TypeInfo) (*interp.MemRef, error) {
	r, err := m.NewMemRef(info.Elem, info.Shape...)
	if err == nil {
		r.Buf.Static = true
	}
	return r, err
}
