package interp

import (
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/ir"
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
	b := NewBuffer(m.Ctx, elem, int(n), !m.opts.ZeroMemory)
	m.watch(b)
	b.charged = n * size
	m.bytes += b.charged
	return b, nil
}

// maxBytes bounds one allocation, and maxElems what is computed with as a number of
// elements.
const (
	maxBytes = 128 << 30
	maxElems = maxBytes
)

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

// Scoped makes memory that Alloc made stack memory, which ends with the innermost scope: the function, or what begins
// with Scope and ends with EndScope.
func (m *Machine) Scoped(b *Buffer) {
	b.Static, b.scoped = true, true
	m.scoped = append(m.scoped, b)
}

// Scope begins a scope of stack memory, and EndScope ends it and those in it.
func (m *Machine) Scope() int { return len(m.scoped) }

// EndScope ends the memory of a scope.
func (m *Machine) EndScope(scope int) {
	if len(m.scoped) > scope {
		m.endScope(scope)
	}
}

func (m *Machine) endScope(scope int) {
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

// RowMajor returns the strides of the identity layout and the number of elements; ok is false
// if a stride or the number is too large.
func RowMajor(sizes []int64) (strides []int64, n int64, ok bool) {
	if n, ok = ir.Product(sizes...); !ok || n > maxElems {
		return nil, 0, false
	}
	strides = make([]int64, len(sizes))
	step := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = step
		step = ir.Times(step, sizes[i])
	}
	return strides, n, true
}

// CheckPart traps unless the part of an array with these offsets, sizes and strides lies in its
// extents. One without elements does; negative sizes are those of no part.
func CheckPart(offsets, sizes, strides, extents []int64) error {
	for d, n := range sizes {
		if n < 0 {
			return ir.Trapf("a part has size %d in dimension %d", n, d)
		}
	}
	if slices.Contains(sizes, 0) {
		return nil
	}
	for d, extent := range extents {
		last, ok := ir.Sum(offsets[d], ir.Times(sizes[d]-1, strides[d]))
		if first := offsets[d]; first < 0 || first >= extent || !ok || last < 0 || last >= extent {
			return ir.Trapf("a part of %d places from %d on, %d apart, is not in dimension %d, which is %d", sizes[d], first, strides[d], d, extent)
		}
	}
	return nil
}

// NewConstant is a memref of the identity layout over the elements of an AttrDense that is no splat, if
// they lie there as memory has them.
func (m *Machine) NewConstant(elem ir.Type, data string, sizes ...int64) (r *MemRef, ok bool) {
	size, ok := m.Ctx.MemBytes(elem)
	strides, n, fits := RowMajor(sizes)
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
	strides, n, ok := RowMajor(sizes)
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

// Made traps if a view reaches beyond its memory. To make one of memory that was freed is no access.
func (r *MemRef) Made() error {
	if r.Buf.Freed {
		return nil
	}
	return r.Check()
}

// Check traps if the memory of a memref was freed or a view reaches beyond it;
// it is for ops that go through all elements.
func (r *MemRef) Check() error {
	low, high, ok := Corners(r.Sizes, r.Strides, r.Offset)
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

// Corners are the least and the greatest place of the elements of a view; the greatest is below
// the least if there are none. ok is false if one does not fit.
func Corners(sizes, strides []int64, offset int64) (low, high int64, ok bool) {
	low, high, ok = offset, offset, true
	for k, n := range sizes {
		if n == 0 {
			return 0, -1, true
		}
		step := ir.Times(n-1, strides[k])
		fits := step == (n-1)*strides[k] && n > 0
		to := &high
		if step < 0 {
			to = &low
		}
		var sum bool
		*to, sum = ir.Sum(*to, step)
		ok = ok && fits && sum
	}
	return low, high, ok
}

// Byte is where the first element is in the memory, in bytes.
func (r *MemRef) Byte() int64 { return int64(r.Buf.base) + r.Offset*int64(r.Buf.size) }

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
	strides, n, _ := RowMajor(r.Sizes)
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
