package interp

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/irc-lang/irc/ir"
)

// Memory is one allocation: bytes as native code has them (ir.Context.MemBytes, little
// end first), and a shadow that says which of them are poison. Elements that have no
// such layout, a dialect's own values for instance, are kept as values instead.
type Memory struct {
	Freed bool // its life is over: an access traps
	// Static marks memory that dealloc must not free: globals, arguments from
	// outside, stack memory.
	Static bool
	scoped bool // it is stack memory

	whole     *Buffer
	views     map[viewKey]*Buffer // others of this memory
	undefined int                 // how many bits of the shadow are not set
	spare     []byte              // a shadow all of whose bits are set, while there is none
	charged   int64               // to the machine
	moved     any                 // who keeps the bytes, if not the machine
	owed      bool                // the program must free it
	address   atomic.Uint64       // of its first byte, 0 until somebody asks
	watcher   observer            // sees accesses, or nil
	constant  bool                // what is stored is lost, and noted:
	written   bool
}

// addresses is how many memories have an address.
var addresses atomic.Uint64

// Address is a number for where a buffer begins: no two memories have one in common, and the
// bytes of a memory follow one another.
func (b *Buffer) Address() uint64 {
	if b.address.Load() == 0 {
		b.address.CompareAndSwap(0, addresses.Add(1)<<40)
	}
	return b.address.Load() + uint64(b.base)
}

// A Buffer is memory seen as elements of one type: all of it, as it was allocated, or
// what follows some byte (View). Two buffers of one Memory see each other's stores.
type Buffer struct {
	*Memory
	Elem ir.Type // the type of an element
	storage

	// The elements, if they are numbers of 64 or of 32 bits and none is poison: the fast way.
	words  []uint64
	halves []uint32

	n    int // elements
	base int // byte where element 0 starts
	layout
}

// storage is the contents of a Memory; each of its buffers has it at hand.
type storage struct {
	bytes   []byte
	defined []byte   // the shadow: bit i is set if bytes i<<grain ... are not poison; nil if none is
	grain   uint8    // a number that the memory was made of, or a byte once it is seen as smaller ones
	values  []ir.Val // instead of bytes
}

type viewKey struct {
	elem ir.Type
	base int
}

// update gives all buffers of a memory other storage.
func (m *Memory) update(s storage) {
	m.whole.hold(s)
	for _, v := range m.views {
		v.hold(s)
	}
}

func (b *Buffer) hold(s storage) {
	b.storage, b.words, b.halves = s, nil, nil
	b.ones = 1<<(b.scalar>>s.grain) - 1
	if b.n == 0 || s.defined != nil || b.watcher != nil {
		return
	}
	switch {
	case b.kind == numbers && b.mask == math.MaxUint64:
		b.words = unsafe.Slice((*uint64)(unsafe.Pointer(&s.bytes[b.base])), b.n)
	case b.kind == numbers && b.mask == math.MaxUint32:
		b.halves = unsafe.Slice((*uint32)(unsafe.Pointer(&s.bytes[b.base])), b.n)
	}
}

// end takes the storage away: no buffer has elements any more.
func (m *Memory) end() {
	m.Freed, m.spare = true, nil
	m.whole.n = 0
	for _, v := range m.views {
		v.n = 0
	}
	m.update(storage{})
}

// layout is how elements of a type are kept.
type layout struct {
	kind   kind
	ones   uint8  // a one for each bit of the shadow that a number has
	size   int    // bytes of an element; 0 for values
	scalar int    // bytes of the numbers in it: 1, 2, 4 or 8
	mask   uint64 // of the bits that such a number has
}

type kind uint8

const (
	numbers kind = iota
	vectors      // of numbers
	values       // no bytes
)

func layoutOf(c *ir.Context, elem ir.Type) layout {
	size, ok := c.MemBytes(elem)
	if !ok {
		return layout{kind: values, scalar: 1}
	}
	number := c.ElemOrSelf(elem)
	n, k := c.ElemSize(number), numbers
	if number != elem {
		k = vectors
	}
	return layout{kind: k, size: int(size), scalar: n, mask: math.MaxUint64 >> (64 - c.Info(number).Width)}
}

// NewBuffer makes memory of n elements outside of any budget; poison says that
// nothing has been stored yet.
func NewBuffer(c *ir.Context, elem ir.Type, n int, poison bool) *Buffer {
	b := newBuffer(elem, layoutOf(c, elem), n)
	s := b.reserve()
	if poison {
		if b.undefined = len(s.bytes) >> s.grain; b.undefined > 0 {
			s.defined = make([]byte, (b.undefined+7)/8)
		}
		for i := range s.values {
			s.values[i].Ref = ir.Poison
		}
	}
	b.hold(s)
	return b
}

// newBuffer makes all of a Memory that has no storage yet.
func newBuffer(elem ir.Type, f layout, n int) *Buffer {
	x := &struct {
		b Buffer
		m Memory
	}{b: Buffer{Elem: elem, n: n, layout: f}}
	x.b.Memory, x.m.whole = &x.m, &x.b
	return &x.b
}

// reserve makes zero storage, aligned for numbers of any size.
func (b *Buffer) reserve() storage {
	if b.kind == values {
		return storage{values: make([]ir.Val, b.n)}
	}
	n := b.n * b.size
	return storage{bytes: bytesOf(make([]uint64, (n+7)/8))[:n], grain: uint8(bits.TrailingZeros(uint(b.scalar)))}
}

// bytesOf is the memory of numbers of 8 bytes; the processors that irc runs on store
// the little end first.
func bytesOf[T uint64 | float64](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}

// fresh is other memory of such elements, all zero.
func (b *Buffer) fresh(n int) *Buffer {
	f := newBuffer(b.Elem, b.layout, n)
	f.hold(f.reserve())
	return f
}

// Floats is memory over a slice of f64: they share what is stored.
func Floats(x []float64) *Buffer {
	b := newBuffer(ir.F64, layout{kind: numbers, size: 8, scalar: 8, mask: math.MaxUint64}, len(x))
	b.hold(storage{bytes: bytesOf(x), grain: 3})
	return b
}

// Over is memory over bytes that hold elements of a type, aligned to 8 bytes: they share what is
// stored. Bytes that two arguments share must be one Memory, of which each has a View: engines copy
// each Memory by itself.
func Over(c *ir.Context, elem ir.Type, data []byte) *Buffer {
	f := layoutOf(c, elem)
	b := newBuffer(elem, f, len(data)/f.size)
	b.hold(storage{bytes: data, grain: uint8(bits.TrailingZeros(uint(f.scalar)))})
	return b
}

// Len returns the number of elements, 0 once the memory is freed.
func (b *Buffer) Len() int { return b.n }

// Load reads element i.
func (b *Buffer) Load(i int) ir.Val {
	if i < len(b.words) {
		return ir.Val{Bits: b.words[i]}
	}
	return b.load(i)
}

// number reads the number at a byte. It is poison if it has bits that its type has not:
// they were not stored as such numbers, and may stay where they are or be lost.
func (b *Buffer) number(at int) ir.Val {
	var x uint64
	switch b.scalar {
	case 4:
		x = uint64(binary.LittleEndian.Uint32(b.bytes[at:]))
	case 1:
		x = uint64(b.bytes[at])
	case 2:
		x = uint64(binary.LittleEndian.Uint16(b.bytes[at:]))
	default:
		x = binary.LittleEndian.Uint64(b.bytes[at:])
	}
	if x&^b.mask != 0 {
		return ir.Val{Ref: ir.Poison}
	}
	return ir.Val{Bits: x}
}

// load is Load of any element.
func (b *Buffer) load(i int) ir.Val {
	if b.watcher != nil {
		b.watcher.Access(b, i, false)
	}
	switch {
	case i < len(b.halves):
		return ir.Val{Bits: uint64(b.halves[i])}
	case b.kind != numbers:
		return b.loadOther(i)
	}
	at := b.base + i*b.size
	if b.defined != nil && !b.isDefined(at) {
		return ir.Val{Ref: ir.Poison}
	}
	return b.number(at)
}

// loadOther reads a vector or a value.
func (b *Buffer) loadOther(i int) ir.Val {
	if b.kind == values {
		return b.values[i]
	}
	vec := make(ir.Vector, b.size/b.scalar)
	for k := range vec {
		at := b.base + i*b.size + k*b.scalar
		if b.defined != nil && !b.isDefined(at) {
			vec[k].Ref = ir.Poison
		} else {
			vec[k] = b.number(at)
		}
	}
	return ir.Val{Ref: vec}
}

// constant is memory over the elements of an AttrDense that is no splat, which it shares. No program may store
// to it: a function that did ends with a trap (Machine.Constants).
func constant(c *ir.Context, elem ir.Type, data string) *Buffer {
	b := Over(c, elem, unsafe.Slice(unsafe.StringData(data), len(data)))
	b.Static, b.constant = true, true
	return b
}

// Store writes element i.
func (b *Buffer) Store(i int, v ir.Val) {
	if v.Ref == nil && i < len(b.words) && !b.constant {
		b.words[i] = v.Bits
		return
	}
	b.store(i, v)
}

// write writes a number at a byte.
func (b *Buffer) write(at int, x uint64) {
	switch b.scalar {
	case 4:
		binary.LittleEndian.PutUint32(b.bytes[at:], uint32(x))
	case 1:
		b.bytes[at] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(b.bytes[at:], uint16(x))
	default:
		binary.LittleEndian.PutUint64(b.bytes[at:], x)
	}
}

// put is write of what is not poison.
func (b *Buffer) put(at int, x uint64) {
	if b.write(at, x); b.defined != nil {
		b.define(at)
	}
}

// store is Store of any element.
func (b *Buffer) store(i int, v ir.Val) {
	if b.constant {
		b.written = true
		return
	}
	if b.watcher != nil {
		b.watcher.Access(b, i, true)
	}
	switch {
	case v.Ref == nil && i < len(b.halves):
		b.halves[i] = uint32(v.Bits)
	case v.Ref == nil && b.kind == numbers:
		b.put(b.base+i*b.size, v.Bits)
	default:
		b.storeOther(i, v)
	}
}

// storeOther writes poison, a vector or a value.
func (b *Buffer) storeOther(i int, v ir.Val) {
	if b.kind == values {
		b.values[i] = v
		return
	}
	vec, ok := v.Ref.(ir.Vector)
	n := b.size / b.scalar
	if !v.IsPoison() && (!ok || b.kind != vectors || len(vec) != n) {
		panic(fmt.Sprintf("interp: %T is stored as an element of %d numbers", v.Ref, n))
	}
	for k := range n {
		at := b.base + i*b.size + k*b.scalar
		if vec == nil || vec[k].IsPoison() {
			b.poison(at)
		} else {
			b.put(at, vec[k].Bits)
		}
	}
}

// View is what follows a byte, counted from element 0, as elements of another type: as
// many as are whole. Elements must be aligned in memory, or it traps.
func (b *Buffer) View(c *ir.Context, elem ir.Type, at int64) (*Buffer, error) {
	f := layoutOf(c, elem)
	if b.kind == values || f.kind == values {
		return nil, &Unsupported{Reason: "memory whose elements are not plain numbers is seen as bytes", Fix: "allocate memory of the element type that is wanted"}
	}
	start := int64(b.base) + at
	switch {
	case at < 0:
		return nil, ir.Trapf("a view starts %d bytes before its memory", -at)
	case start&int64(f.scalar-1) != 0:
		return nil, ir.Trapf("a view at byte %d is not aligned to elements of %d bytes", start, f.scalar)
	case start < 0 || start > int64(len(b.bytes)): // it has no elements
		start = int64(len(b.bytes))
	}
	key := viewKey{elem, int(start)}
	v := b.views[key]
	if v == nil {
		v = &Buffer{Memory: b.Memory, Elem: elem, n: (len(b.bytes) - key.base) / f.size, base: key.base, layout: f}
		if b.views == nil {
			b.views = map[viewKey]*Buffer{}
		}
		b.views[key] = v
		if v.hold(b.storage); v.scalar>>b.grain == 0 {
			b.refine()
		}
	}
	return v, nil
}

// Whole is the memory as it was allocated.
func (m *Memory) Whole() *Buffer { return m.whole }

// Bytes is the memory itself; nil if its elements are kept as values. What is poison
// is 0. Only Store, Set and Overwrite may change it.
func (m *Memory) Bytes() []byte { return m.whole.bytes }

// Set replaces the bytes; none is poison then.
func (m *Memory) Set(data []byte) {
	copy(m.Bytes(), data)
	m.Define()
}

// Move makes the memory keep its bytes in data, of the same length, which others see too
// and who stands for. Without data they come back into memory of this process alone.
// What slices of the memory there were, of Bytes or Floats, see no more of it.
func (m *Memory) Move(data []byte, who any) {
	s := m.whole.storage
	if data == nil {
		data = bytesOf(make([]uint64, (len(s.bytes)+7)/8))[:len(s.bytes)]
	}
	copy(data, s.bytes)
	s.bytes, m.moved = data, who
	m.update(s)
}

// Discard ends the memory for who made it and wants its contents no more: who keeps the bytes
// need not bring them back.
func (m *Memory) Discard() { m.end() }

// Moved is who keeps the bytes, by Move.
func (m *Memory) Moved() any { return m.moved }

// Define makes poison elements 0, for code that knows no poison.
func (m *Memory) Define() {
	m.undefined, m.spare = 0, nil
	if m.whole.defined != nil {
		m.shadow(nil, m.whole.grain)
	}
}

// Floats is memory of f64 as numbers; poison is 0. It may be written to as what it is
// made by, package-level Floats, if none is poison.
func (m *Memory) Floats() []float64 {
	b := m.Bytes()
	if m.whole.Elem != ir.F64 || len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// Overwrite replaces the bytes by what other code made of them. A poison element whose
// bytes are all as before is poison still.
func (m *Memory) Overwrite(data []byte) {
	b := m.whole
	for at := 0; at < len(b.bytes); at += b.scalar {
		was, is := b.bytes[at:at+b.scalar], data[at:at+b.scalar]
		if b.defined == nil {
			copy(b.bytes[at:], data[at:])
			return
		}
		if b.isDefined(at) || string(was) != string(is) {
			copy(was, is)
			b.define(at)
		}
	}
}
