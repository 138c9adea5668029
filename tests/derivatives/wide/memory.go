package wide

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// memory is a memref.
type memory struct {
	elements       []Value
	offset         int64
	sizes, strides []int64
}

// Memory is an array as a value, and a way to look at its elements.
func Memory(x ...Value) (v Value, elements []Value) {
	return Value{memory: &memory{x, 0, []int64{int64(len(x))}, []int64{1}}}, x
}

// newMemory is memory in rows.
func newMemory(sizes []int64) *memory {
	m := &memory{sizes: sizes, strides: make([]int64, len(sizes))}
	n := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		m.strides[i] = n
		n *= sizes[i]
	}
	m.elements = make([]Value, n)
	return m
}

// element is the one at a point.
func (m *memory) element(point []int64) *Value {
	at := m.offset
	for i, k := range point {
		if k < 0 || k >= m.sizes[i] {
			panic("an index outside of memory")
		}
		at += k * m.strides[i]
	}
	return &m.elements[at]
}

// copyFrom takes over the elements of other memory.
func (m *memory) copyFrom(from *memory) {
	if slices.Contains(m.sizes, 0) {
		return
	}
	var all []Value
	each := func(do func(at []int64)) {
		for at := make([]int64, len(m.sizes)); ; {
			do(at)
			if !lists.NextPoint(at, m.sizes) {
				return
			}
		}
	}
	each(func(at []int64) { all = append(all, *from.element(at)) })
	each(func(at []int64) { *m.element(at), all = all[0], all[1:] })
}

func indices(slots []Value, which []int) []int64 {
	return lists.Map(which, func(k int) int64 { return slots[k].index() })
}

// memory is a step for an op on memory, or nil.
func (c *compiler) memory(v ir.Value, args []int, out int) step {
	switch c.g.Def(v) {
	case memref.Alloc, memref.Alloca:
		static := c.g.Ctx.Info(c.g.Type(v)).Shape
		return func(_ *Run, slots []Value) { slots[out] = Value{memory: newMemory(filled(static, slots, args))} }
	case memref.Dealloc:
		return func(*Run, []Value) {}
	case memref.Load:
		return func(_ *Run, slots []Value) { slots[out] = *slots[args[0]].memory.element(indices(slots, args[1:])) }
	case memref.Store:
		return func(_ *Run, slots []Value) {
			*slots[args[1]].memory.element(indices(slots, args[2:])) = slots[args[0]]
		}
	case memref.Copy:
		return func(_ *Run, slots []Value) { slots[args[1]].memory.copyFrom(slots[args[0]].memory) }
	case memref.Cast:
		return func(_ *Run, slots []Value) { slots[out] = slots[args[0]] }
	case memref.Dim:
		return func(_ *Run, slots []Value) {
			slots[out] = Index(slots[args[0]].memory.sizes[slots[args[1]].index()])
		}
	case memref.Subview:
		var static [3][]int64
		for i, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
			static[i] = c.g.Ctx.Ints(c.g.Attr(v, name))
		}
		if len(static[1]) != len(c.g.Ctx.Info(c.g.Type(v)).Shape) {
			return unknown(c.g, v)
		}
		return func(_ *Run, slots []Value) { slots[out] = subview(slots, static, args) }
	}
	return nil
}

// filled are sizes of which some are operands.
func filled(static []int64, slots []Value, from []int) []int64 {
	out := slices.Clone(static)
	for i, n := range out {
		if n == ir.Dynamic {
			out[i], from = slots[from[0]].index(), from[1:]
		}
	}
	return out
}

func subview(slots []Value, static [3][]int64, args []int) Value {
	source, rest := slots[args[0]].memory, args[1:]
	var parts [3][]int64
	for i, s := range static {
		parts[i] = filled(s, slots, rest)
		for _, n := range s {
			if n == ir.Dynamic {
				rest = rest[1:]
			}
		}
	}
	m := &memory{elements: source.elements, offset: source.offset, sizes: parts[1]}
	for i, stride := range source.strides {
		m.offset += parts[0][i] * stride
		m.strides = append(m.strides, parts[2][i]*stride)
	}
	return Value{memory: m}
}
