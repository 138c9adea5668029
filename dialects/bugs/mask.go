package bugs

import (
	"math/bits"
	"slices"
)

// A mask is a subset of the elements of an array. None and all of them take no
// memory; else there is a bit for each.
type mask struct {
	n, count int
	bits     []uint64
}

func (m *mask) has(k int) bool {
	if m.bits == nil {
		return m.count > 0
	}
	return m.bits[k>>6]>>(k&63)&1 != 0
}

func (m *mask) all() bool  { return m.count == m.n }
func (m *mask) none() bool { return m.count == 0 }

// set adds an element.
func (m *mask) set(k int) {
	if m.has(k) {
		return
	}
	if m.bits == nil {
		m.bits = make([]uint64, (m.n+63)/64)
	}
	m.bits[k>>6] |= 1 << (k & 63)
	if m.count++; m.all() {
		m.bits = nil
	}
}

// fullMask has every element of n.
func fullMask(n int) mask { return mask{n: n, count: n} }

// between counts the elements of from <= k < to.
func (m *mask) between(from, to int) int {
	if m.bits == nil {
		return min(m.count, 1) * max(to-from, 0)
	}
	n := 0
	for from < to && from&63 != 0 {
		n += int(m.bits[from>>6] >> (from & 63) & 1)
		from++
	}
	for ; from+64 <= to; from += 64 {
		n += bits.OnesCount64(m.bits[from>>6])
	}
	for ; from < to; from++ {
		n += int(m.bits[from>>6] >> (from & 63) & 1)
	}
	return n
}

func (m *mask) clone() mask { return mask{m.n, m.count, slices.Clone(m.bits)} }
