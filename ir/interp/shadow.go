package interp

import (
	"math/bits"
	"slices"
)

// The shadow of a memory says which of its bytes are poison. There is none while
// nothing is: what is fresh has one until all of it was stored.

// isDefined reports that all bytes of a number are.
func (b *Buffer) isDefined(at int) bool {
	at >>= b.grain
	return ^b.defined[at>>3]&(b.ones<<(at&7)) == 0
}

// define notes that the bytes of a number are not poison. Once none is the shadow goes.
func (b *Buffer) define(at int) {
	at >>= b.grain
	d, ones := &b.defined[at>>3], b.ones<<(at&7)
	b.undefined -= bits.OnesCount8(ones &^ *d)
	if *d |= ones; b.undefined == 0 {
		b.spare = b.defined
		b.shadow(nil, b.grain)
	}
}

// poison makes a number poison, and its bytes 0.
func (b *Buffer) poison(at int) {
	b.write(at, 0)
	if b.defined == nil {
		if b.spare == nil {
			b.spare = slices.Repeat([]byte{0xff}, len(b.bytes)>>b.grain/8+1)
		}
		b.shadow(b.spare, b.grain)
	}
	at >>= b.grain
	d, ones := &b.defined[at>>3], b.ones<<(at&7)
	b.undefined += bits.OnesCount8(ones & *d)
	*d &^= ones
}

// shadow gives a memory another shadow.
func (m *Memory) shadow(defined []byte, grain uint8) {
	s := m.whole.storage
	s.defined, s.grain = defined, grain
	m.update(s)
}

// refine makes the shadow one of bytes.
func (m *Memory) refine() {
	b := m.whole
	var fine []byte
	if b.defined != nil {
		fine = make([]byte, len(b.bytes)/8+1)
		for at := range b.bytes {
			if i := at >> b.grain; b.defined[i>>3]>>(i&7)&1 == 1 {
				fine[at>>3] |= 1 << (at & 7)
			}
		}
	}
	m.undefined, m.spare = m.undefined<<b.grain, nil
	m.shadow(fine, 0)
}
