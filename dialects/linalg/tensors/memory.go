package tensors

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// Memory is what holds a tensor that has been lowered.
func Memory(m *ir.Mirror, n ir.Node) ir.Value { return m.B.Op(tensor.Unpack, m.Of(n)) }

// FromMemory is the tensor that memory holds.
func FromMemory(b *ir.Builder, memory ir.Value) ir.Value { return tensor.BuildKept(b, memory) }

// New is memory for a tensor of a type, with operands for the extents that it leaves open; free-buffers decides when it ends.
func New(b *ir.Builder, t ir.Type, sizes []ir.Value) ir.Value {
	return memref.BuildOwned(b, tensor.MemoryOf(b.Ctx(), t), 0, sizes...)
}

// Like is new memory for a tensor of the type and extents of another's memory.
func Like(b *ir.Builder, t ir.Type, memory ir.Value) ir.Value {
	return New(b, t, memref.OpenExtents(b.Ctx(), t, func(d int) ir.Value { return b.Op(memref.Dim, memory, b.Index(int64(d))) }))
}

// Destination is memory that an op may write to instead of changing a tensor: that of the tensor, if nobody
// else can see it, else new memory, into which the tensor is copied if the op keeps any of its elements.
func Destination(m *ir.Mirror, n, init ir.Node, keeps bool) ir.Value {
	memory := Memory(m, init)
	if own(m, n, init) {
		return memory
	}
	to := Like(m.B, init.Type(), memory)
	if keeps && maker(init).Def() != Empty {
		m.B.Op(memref.Copy, memory, to)
	}
	return to
}

// own reports a tensor that is new memory of the region in which n stands, and that n alone uses.
func own(m *ir.Mirror, n, init ir.Node) bool {
	for {
		if init.NumUses() != 1 || shared(m)[maker(init).Old()] {
			return false
		}
		by := maker(init)
		if m.Schedule().Place(by.Old()) != m.Schedule().Place(n.Old()) {
			return false
		}
		if _, ok := ir.As[Fresh](by); ok {
			return true
		}
		switch by.Def() {
		case Cast, ExpandShape, CollapseShape:
			init = by.Arg(0)
		default:
			return false
		}
	}
}

// sharedKey is what rules know each other by: the ops whose results are values that others may have, too.
type sharedKey struct{}

func shared(m *ir.Mirror) map[ir.Value]bool {
	return m.Once(sharedKey{}, func() any { return map[ir.Value]bool{} }).(map[ir.Value]bool)
}

// Share says that the result of an op became a value, which an equal op has, too: what changes it copies it.
func Share(m *ir.Mirror, n ir.Node) { shared(m)[n.Old()] = true }

// maker is the op that gives a value.
func maker(n ir.Node) ir.Node {
	if v, _, ok := n.Graph().Projection(n.Old()); ok {
		return n.Graph().NodeOf(v)
	}
	return n
}

// Loops runs body at all places of a box.
func Loops(b *ir.Builder, extents []affine.Point, body func(at []ir.Value)) {
	loops(b, extents, -1, nil, body)
}

// ContractionLoops is Loops of which the three innermost say that they are a contraction.
func ContractionLoops(b *ir.Builder, extents []affine.Point, body func(at []ir.Value)) {
	loops(b, extents, len(extents)-3, nil, body)
}

func loops(b *ir.Builder, extents []affine.Point, marked int, at []ir.Value, body func(at []ir.Value)) {
	if len(at) == len(extents) {
		body(at)
		return
	}
	attr := ir.Attr(0)
	if len(at) == marked {
		attr = b.Ctx().WithDiscardable(0, affine.ContractionAttr, b.Ctx().UnitAttr())
	}
	args, attr := affine.ForOf(b, attr, []affine.Point{affine.Number(0)}, []affine.Point{extents[len(at)]}, 1, nil)
	r := b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		b.Enter(affine.For, attr, args, 0, p)
		loops(b, extents, marked, append(slices.Clone(at), p[0]), body)
		b.Op(affine.Yield)
	})
	b.Must(ir.Call{Def: affine.For, Args: args, Attr: attr, Regions: []ir.Region{r}})
}

// Extent is that of a dimension of memory.
func Extent(b *ir.Builder, memory ir.Value, dim int) affine.Point {
	if n := b.Ctx().Info(b.Graph().Type(memory)).Shape[dim]; n != ir.Dynamic {
		return affine.Number(n)
	}
	return affine.Just(b.Op(memref.Dim, memory, b.Index(int64(dim))))
}

// extentsOf are those of memory.
func extentsOf(b *ir.Builder, memory ir.Value) (out []affine.Point) {
	for d := range b.Ctx().Info(b.Graph().Type(memory)).Shape {
		out = append(out, Extent(b, memory, d))
	}
	return out
}

// Load and Store access the element at the values of a map.
func Load(b *ir.Builder, memory ir.Value, f *expr.Map, at []ir.Value) ir.Value {
	return access(b, affine.Load, []ir.Value{memory}, f, at)
}

// Store writes one.
func Store(b *ir.Builder, x, memory ir.Value, f *expr.Map, at []ir.Value) {
	access(b, affine.Store, []ir.Value{x, memory}, f, at)
}

func access(b *ir.Builder, def *ir.OpDef, args []ir.Value, f *expr.Map, at []ir.Value) ir.Value {
	return b.Must(ir.Call{Def: def, Args: append(args, at...), Attr: b.Ctx().With(0, "map", f.Attr(b.Ctx()))})
}

// assert ends the program unless a condition holds.
func assert(b *ir.Builder, cond ir.Value, msg string) {
	b.OpAttr(cf.Assert, b.Ctx().Props([]ir.NamedAttr{{Name: "msg", Value: b.Ctx().StringAttr(msg)}}, nil), cond)
}

// natural checks an extent that is an operand.
func natural(b *ir.Builder, n ir.Value) {
	assert(b, arith.CmpI(b, arith.SGE, n, b.Index(0)), "an extent is negative")
}
