package contraction

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// simd is the arithmetic of a vector of sums: how they are added and multiplied in the semiring of a contraction, loaded and stored. It knows
// no loops and no packed factors. Who asks it for a place in memory has made sure that this is inside.
type simd struct {
	kit.Kit
	*Tiling
	inside  ir.Attr
	vector  ir.Type
	sumFlag arith.FastMath
}

func newSIMD(k kit.Kit, x *Tiling) *simd {
	c := k.Ctx()
	return &simd{k, x, c.WithDiscardable(0, memref.InBoundsAttr, c.UnitAttr()), c.Vector([]int64{x.lanes}, x.elem), x.flags&arith.Contract | arith.Reassoc}
}

// identities are what the sums of some rows begin with: the identity.
func (m *simd) identities(rows int64) []ir.Value {
	v := arith.Zero(m.Builder, m.vector)
	if m.isExtreme() {
		v = m.broadcast(identity(m.Builder, m.elem, m.minimum))
	}
	return slices.Repeat([]ir.Value{v}, int(rows*m.vectors))
}

// identity is the greatest or the least integer of a type: that of the least and of the greatest of some.
func identity(b *ir.Builder, t ir.Type, least bool) ir.Value {
	lowest := int64(math.MinInt64)
	if t == ir.I32 {
		lowest = math.MinInt32
	}
	if least {
		lowest = -(lowest + 1)
	}
	return arith.ConstInt(b, t, lowest)
}

// plus adds, or takes the greater or the lesser; times multiplies, or adds.
func (m *simd) plus(x, y ir.Value) ir.Value {
	switch {
	case m.paired:
		return m.Add(x, y)
	case !m.isExtreme():
		return arith.Float(m.Builder, arith.Addf, m.sumFlag, x, y)
	case m.minimum:
		return m.Min(x, y)
	}
	return m.Max(x, y)
}

// plusProduct adds a product, in one op where that is allowed and the machine has it: half as many to compile.
func (m *simd) plusProduct(sum, x, y ir.Value) ir.Value {
	if m.fuses && !m.paired && !m.isExtreme() && m.flags&arith.Contract != 0 {
		return m.Op(vector.FMA, x, y, sum)
	}
	return m.plus(sum, m.times(x, y))
}

// times is the product for one k. For extremes it is a sum: they are a product in the tropical semiring.
func (m *simd) times(x, y ir.Value) ir.Value {
	switch {
	case m.paired:
		return m.pairs(x, y)
	case m.isExtreme():
		return m.Op(arith.Addi, x, y)
	}
	return arith.Float(m.Builder, arith.Mulf, m.flags&arith.Contract, x, y)
}

// pairs are the sums of the products of pairs, in the form of which LLVM makes vpmaddwd and, with the sum that they are added to,
// vpdpwssd: of the products of all halves those at even and at odd places are added.
func (m *simd) pairs(x, y ir.Value) ir.Value {
	c, n := m.Ctx(), 2*int(m.lanes)
	halves := func(v ir.Value) ir.Value {
		v = m.Must(ir.Call{Def: vector.Bitcast, Args: []ir.Value{v}, Type: c.Vector([]int64{int64(n)}, ir.I16)})
		return arith.Cast(m.Builder, arith.Extsi, v, c.Vector([]int64{int64(n)}, ir.I32))
	}
	products := m.Mul(halves(x), halves(y))
	even, odd := make([]int, m.lanes), make([]int, m.lanes)
	for i := range even {
		even[i], odd[i] = 2*i, 2*i+1
	}
	return m.Add(vector.BuildShuffle(m.Builder, products, products, even), vector.BuildShuffle(m.Builder, products, products, odd))
}

// broadcast is a vector with one number in all lanes.
func (m *simd) broadcast(x ir.Value) ir.Value {
	return m.Must(ir.Call{Def: vector.Broadcast, Args: []ir.Value{x}, Type: m.typeOf(m.Graph().Type(x))})
}

// typeOf is that of as many elements of a type as a vector of sums has.
func (m *simd) typeOf(elem ir.Type) ir.Type { return m.Ctx().Vector([]int64{m.lanes}, elem) }

// typeIn is that of the elements of memory.
func (m *simd) typeIn(memory ir.Value) ir.Type {
	return m.typeOf(m.Ctx().Info(m.Graph().Type(memory)).Elem)
}

// load loads a whole vector, all of which is inside of the memory.
func (m *simd) load(memory ir.Value, index []ir.Value) ir.Value {
	return m.Must(ir.Call{Def: vector.Load, Args: append([]ir.Value{memory}, index...), Attr: m.inside, Type: m.typeIn(memory)})
}

// store stores one, under the same condition.
func (m *simd) store(v, memory ir.Value, index []ir.Value) {
	m.OpAttr(vector.Store, m.inside, append([]ir.Value{v, memory}, index...)...)
}

// loadMasked loads a vector, or of a mask, if there is one, the lanes that it has.
func (m *simd) loadMasked(memory ir.Value, index []ir.Value, mask ir.Value) ir.Value {
	if mask == 0 {
		return m.load(memory, index)
	}
	t := m.typeIn(memory)
	args := append(append([]ir.Value{memory}, index...), mask, arith.Zero(m.Builder, t))
	return m.Must(ir.Call{Def: vector.MaskedLoad, Args: args, Attr: m.inside, Type: t})
}

// storeMasked stores the lanes of a mask, or all lanes if there is none.
func (m *simd) storeMasked(v, memory ir.Value, index []ir.Value, mask ir.Value) {
	if mask == 0 {
		m.store(v, memory, index)
		return
	}
	m.OpAttr(vector.MaskedStore, m.inside, append(append([]ir.Value{memory}, index...), mask, v)...)
}

// between is a mask of the lanes from one up to, and without, another.
func (m *simd) between(from, end ir.Value) ir.Value {
	return m.And(m.below(end), m.Xor(m.below(from), m.below(m.Index(m.lanes))))
}

// below is a mask of the first n lanes.
func (m *simd) below(n ir.Value) ir.Value {
	return m.Must(ir.Call{Def: vector.CreateMask, Args: []ir.Value{n}, Type: m.Ctx().Vector([]int64{m.lanes}, ir.I1)})
}

// hint says that an element will be read, or written: it may lie outside of memory.
func (m *simd) hint(memory ir.Value, write bool, index []ir.Value) {
	c := m.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "isDataCache", Value: c.BoolAttr(true)}, {Name: "isWrite", Value: c.BoolAttr(write)}, {Name: "localityHint", Value: c.IntAttr(3, ir.I32)}}, nil)
	m.OpAttr(memref.Prefetch, attr, append([]ir.Value{memory}, index...)...)
}
