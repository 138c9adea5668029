package interp

import "github.com/irc-lang/irc/ir"

// elemBytes is what one element costs of MemLimit, whatever its type.
const elemBytes = 8

// NewBuffer makes memory of n elements outside of any budget; poison says that
// nothing has been stored yet.
func NewBuffer(elem ir.Type, n int, poison bool) *Buffer {
	b := &Buffer{Elem: elem, Bits: make([]uint64, n)}
	if poison {
		b.undef = make([]uint64, (n+63)/64)
		for i := range b.undef {
			b.undef[i] = ^uint64(0)
		}
	}
	return b
}

// Alloc makes memory of n elements; its contents are undefined.
func (m *Machine) Alloc(elem ir.Type, n int64) (*Buffer, error) {
	if n < 0 {
		return nil, ir.Trapf("allocation of %d elements", n)
	}
	limit := m.opts.MemLimit
	if limit > 0 && n > (limit-m.bytes)/elemBytes {
		return nil, &Budget{What: "memory", Limit: limit, Flag: "-mem-limit"}
	}
	if n > maxElems {
		return nil, ir.Trapf("allocation of %d elements: no machine has that much memory", n)
	}
	if err := m.spend(n / 64); err != nil {
		return nil, err
	}
	b := NewBuffer(elem, int(n), !m.opts.ZeroMemory)
	b.bytes = n * elemBytes
	m.bytes += b.bytes
	return b, nil
}

// maxElems bounds one allocation: 128 GiB.
const maxElems = 1 << 34

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

// Release ends the life of memory whose scope ends (alloca).
func (m *Machine) Release(b *Buffer) {
	if !b.Freed {
		b.Freed = true
		m.repaid(b)
		m.bytes -= b.bytes
		b.Bits, b.Refs, b.undef = nil, nil, nil
	}
}

// Len returns the number of elements.
func (b *Buffer) Len() int { return len(b.Bits) }

// Load reads element i.
func (b *Buffer) Load(i int) ir.Val {
	if b.undef != nil && b.undef[i>>6]>>(i&63)&1 == 1 {
		return ir.Val{Ref: ir.Poison}
	}
	v := ir.Val{Bits: b.Bits[i]}
	if b.Refs != nil {
		v.Ref = b.Refs[i]
	}
	return v
}

// Store writes element i.
func (b *Buffer) Store(i int, v ir.Val) {
	if v.Ref != nil {
		b.storeRef(i, v)
		return
	}
	b.Bits[i] = v.Bits
	if b.undef != nil {
		b.undef[i>>6] &^= 1 << (i & 63)
	}
	if b.Refs != nil {
		b.Refs[i] = nil
	}
}

func (b *Buffer) storeRef(i int, v ir.Val) {
	if v.IsPoison() {
		if b.undef == nil {
			b.undef = make([]uint64, (len(b.Bits)+63)/64)
		}
		b.undef[i>>6] |= 1 << (i & 63)
		return
	}
	if b.undef != nil {
		b.undef[i>>6] &^= 1 << (i & 63)
	}
	if b.Refs == nil {
		b.Refs = make([]any, len(b.Bits))
	}
	b.Bits[i], b.Refs[i] = v.Bits, v.Ref
}

// RowMajor returns the strides of the identity layout and the number of
// elements; ok is false if that overflows.
func RowMajor(sizes []int64) (strides []int64, n int64, ok bool) {
	strides, n = make([]int64, len(sizes)), 1
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = n
		if sizes[i] < 0 || sizes[i] > 0 && n > maxElems/sizes[i] {
			return nil, 0, false
		}
		n *= sizes[i]
	}
	return strides, n, true
}

// NewMemRef allocates a memref of the identity layout.
func (m *Machine) NewMemRef(elem ir.Type, sizes ...int64) (*MemRef, error) {
	strides, n, ok := RowMajor(sizes)
	if !ok {
		return nil, ir.Trapf("allocation of size %v", sizes)
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
// that was freed trap.
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
	if uint64(pos) >= uint64(len(r.Buf.Bits)) {
		return 0, r.outside(pos)
	}
	return int(pos), nil
}

func (r *MemRef) outside(pos int64) error {
	if r.Buf.Freed {
		return ir.Trapf("memory is used after it was freed")
	}
	return ir.Trapf("element %d lies outside of the allocation of %d elements", pos, len(r.Buf.Bits))
}

// Check traps if the memory of a memref was freed or a view reaches beyond it;
// it is for ops that go through all elements.
func (r *MemRef) Check() error {
	low, high := r.Offset, r.Offset
	for k, n := range r.Sizes {
		if n == 0 {
			return nil
		}
		if s := (n - 1) * r.Strides[k]; s < 0 {
			low += s
		} else {
			high += s
		}
	}
	if low < 0 {
		return r.outside(low)
	}
	if high >= int64(len(r.Buf.Bits)) {
		return r.outside(high)
	}
	return nil
}

// Len returns the number of elements of the view.
func (r *MemRef) Len() int64 {
	n := int64(1)
	for _, s := range r.Sizes {
		n *= s
	}
	return n
}

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
	strides, n, _ := RowMajor(r.Sizes)
	b := NewBuffer(r.Buf.Elem, int(n), false)
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
