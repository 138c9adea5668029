package interp

import (
	"unsafe"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// valueBytes is what an element costs of MemLimit that is no bytes.
const valueBytes = 24

// Alloc makes memory of n elements; its contents are undefined.
func (m *Machine) Alloc(elem ir.Type, n int64) (*Buffer, error) {
	if n < 0 {
		return nil, ir.Trapf("allocation of %d elements", n)
	}
	size, ok := m.Ctx.MemBytes(elem)
	if !ok {
		size = valueBytes
	}
	limit := m.opts.MemLimit
	if limit > 0 && n > (limit-m.bytes)/size {
		return nil, &Budget{What: "memory", limit: limit, Flag: "-mem-limit"}
	}
	if n > maxBytes/size {
		return nil, ir.Trapf("allocation of %d elements: no machine has that much memory", n)
	}
	if err := m.spend(n / 64); err != nil {
		return nil, err
	}
	b := NewBuffer(m.Ctx, elem, int(n), true)
	m.watch(b)
	b.charged = n * size
	m.bytes += b.charged
	return b, nil
}

// maxBytes bounds one allocation.
const maxBytes = 128 << 30

// Free ends the life of memory that Alloc made.
func (m *Machine) Free(b *Buffer) error {
	switch {
	case b.Freed:
		return ir.Trapf("memory is freed twice")
	case b.Static:
		return ir.Trapf("memory is freed that was not allocated by an op")
	}
	m.Release(b)
	return nil
}

// Scoped makes memory that Alloc made stack memory, which ends with the innermost scope: the function, or a Scope.
func (m *Machine) Scoped(b *Buffer) {
	b.Static, b.scoped = true, true
	m.scoped = append(m.scoped, b)
}

// Scope begins a scope of stack memory. What it returns ends the memory that was allocated since, each time that it is called:
// with an iteration, say.
func (m *Machine) Scope() (end func()) {
	scope := len(m.scoped)
	return func() { m.endScope(scope) }
}

// endScope ends stack memory, but for the first that there is.
func (m *Machine) endScope(scope int) {
	if len(m.scoped) == scope {
		return
	}
	for _, b := range m.scoped[scope:] {
		m.Release(b)
	}
	clear(m.scoped[scope:])
	m.scoped = m.scoped[:scope]
}

// Release ends the life of memory.
func (m *Machine) Release(b *Buffer) {
	if !b.Freed {
		b.end()
		m.repaid(b)
		m.bytes -= b.charged
	}
}

// Hand makes memory its caller's that a program returns: it counts against no limit of the
// machine any more.
func (m *Machine) Hand(b *Buffer) {
	if b.owed && !b.Freed {
		m.bytes -= b.charged
		m.heap.live -= b.charged
		b.charged = 0
	}
}

// NewConstant is a memref of the identity layout over the elements of an AttrDense that is no splat, if
// they lie there as memory has them.
func (m *Machine) NewConstant(elem ir.Type, data string, sizes ...int64) (r *MemRef, ok bool) {
	size, ok := m.Ctx.MemBytes(elem)
	strides, n, fits := strided.RowMajor(sizes)
	if !ok || !fits || n == 0 || n*size != int64(len(data)) || uintptr(unsafe.Pointer(unsafe.StringData(data)))%8 != 0 {
		return nil, false
	}
	b := constant(m.Ctx, elem, data)
	m.watch(b)
	m.constants = append(m.constants, b)
	return &MemRef{Buf: b, Sizes: append([]int64(nil), sizes...), Strides: strides}, true
}

// wroteConstant traps if a constant was stored to, once.
func (m *Machine) wroteConstant(f *Function) error {
	for _, b := range m.constants {
		if b.written {
			b.written = false
			return &Failure{Err: ir.Trapf("memory of a constant is written to"), Function: f.Name}
		}
	}
	return nil
}

// NewMemRef allocates a memref of the identity layout.
func (m *Machine) NewMemRef(elem ir.Type, sizes ...int64) (*MemRef, error) {
	strides, n, ok := strided.RowMajor(sizes)
	if !ok {
		return nil, ir.Trapf("an allocation of size %v is too large", sizes)
	}
	b, err := m.Alloc(elem, n)
	if err != nil {
		return nil, err
	}
	return &MemRef{Buf: b, Sizes: append([]int64(nil), sizes...), Strides: strides}, nil
}

// Val returns the memref as a value.
func (r *MemRef) Val() ir.Val { return ir.Val{Ref: r} }

// At returns the place of an element in r.Buf. Indices out of bounds and memory
// that was freed trap. What a view computes of its strides is modulo 2^64: the place is
// compared with the memory afterwards.
func (r *MemRef) At(indices []ir.Val) (int, error) {
	if len(indices) != len(r.Sizes) {
		return 0, ir.Trapf("%d indices for a memref of rank %d", len(indices), len(r.Sizes))
	}
	pos := r.Offset
	for k := range indices {
		i := int64(indices[k].Bits)
		if indices[k].Ref != nil {
			return 0, ir.Trapf("index #%d is poison", k)
		}
		if uint64(i) >= uint64(r.Sizes[k]) {
			return 0, ir.Trapf("index #%d is %d, out of bounds [0, %d)", k, i, r.Sizes[k])
		}
		pos += i * r.Strides[k]
	}
	if uint64(pos) >= uint64(r.Buf.n) {
		return 0, r.outside(pos)
	}
	return int(pos), nil
}

func (r *MemRef) outside(pos int64) error {
	switch {
	case r.Buf.Freed && r.Buf.scoped:
		return ir.Trapf("stack memory is used after the function, iteration or scope that allocated it ended")
	case r.Buf.Freed:
		return ir.Trapf("memory is used after it was freed")
	}
	return ir.Trapf("element %d lies outside of the allocation of %d elements", pos, r.Buf.n)
}

// Check traps if the memory of a memref was freed or a view reaches beyond it;
// it is for ops that go through all elements.
func (r *MemRef) Check() error {
	low, high, ok := strided.Corners(r.Sizes, r.Strides, r.Offset)
	switch {
	case !ok:
		return ir.Trapf("a view of sizes %v and strides %v reaches too far", r.Sizes, r.Strides)
	case low > high: // no elements
		return nil
	case low < 0:
		return r.outside(low)
	case high >= int64(r.Buf.n):
		return r.outside(high)
	}
	return nil
}

// Len returns the number of elements of the view.
func (r *MemRef) Len() int64 { return ir.Elements(r.Sizes) }

// Each calls f with the place in r.Buf of each element, in row-major order.
func (r *MemRef) Each(f func(pos int)) { r.each(0, r.Offset, f) }

func (r *MemRef) each(dim int, pos int64, f func(int)) {
	if dim == len(r.Sizes) {
		f(int(pos))
		return
	}
	for i := range r.Sizes[dim] {
		r.each(dim+1, pos+i*r.Strides[dim], f)
	}
}

// snapshot copies the memory that a value refers to, so that it can be shown later.
func snapshot(v ir.Val) ir.Val {
	r, ok := v.Ref.(*MemRef)
	if !ok || r.Check() != nil {
		return v
	}
	strides, n, _ := strided.RowMajor(r.Sizes)
	b := r.Buf.fresh(int(n))
	i := 0
	r.Each(func(pos int) { b.Store(i, snapshot(r.Buf.Load(pos))); i++ })
	return ir.Val{Ref: &MemRef{Buf: b, Sizes: r.Sizes, Strides: strides}}
}

// Bool reads a condition.
func Bool(v ir.Val) (bool, error) {
	if v.Ref != nil {
		return false, ir.Trapf("the condition is poison")
	}
	return v.Bits&1 == 1, nil
}

// Index reads an index, bound or size.
func Index(v ir.Val) (int64, error) {
	if v.Ref != nil {
		return 0, ir.Trapf("a bound, size or index is poison")
	}
	return int64(v.Bits), nil
}

// AsMemRef reads a memref.
func AsMemRef(v ir.Val) (*MemRef, error) {
	if r, ok := v.Ref.(*MemRef); ok {
		return r, nil
	}
	if v.IsPoison() {
		return nil, ir.Trapf("the memref is poison")
	}
	return nil, ir.Trapf("the value is no memref")
}
