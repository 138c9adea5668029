package value

import "encoding/binary"

// A Tensor is the Ref of a tensor whose type leaves an extent open: how large it is, and its
// elements in row-major order. One whose type says all extents is the Vector of its elements.
type Tensor struct {
	Shape []int64
	Elems Vector
}

// A Packed is the Ref of a large constant, a tensor of known shape whose elements stay where they are: a value takes
// several times the bytes of a number. Only ops of interp.TakesPacked meet one.
type Packed struct {
	Elems string // the bytes, little end first, one element alone if Splat
	Splat bool
	Size  int // of an element
	Len   int
	width int // of an element, in bits
}

// NewPacked makes one of n elements of a number of bytes, of which width bits count.
func NewPacked(elems string, splat bool, size, n, width int) *Packed {
	return &Packed{elems, splat, size, n, width}
}

// At is element i.
func (p *Packed) At(i int64) Val {
	if p.Splat {
		i = 0
	}
	at := i * int64(p.Size)
	var b [8]byte
	copy(b[:], p.Elems[at:at+int64(p.Size)])
	return IntVal(int64(binary.LittleEndian.Uint64(b[:])), p.width)
}

// All are the elements as values.
func (p *Packed) All() Vector {
	out := make(Vector, p.Len)
	for i := range out {
		out[i] = p.At(int64(i))
	}
	return out
}
