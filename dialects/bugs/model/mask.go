package model

import (
	"math/bits"
	"slices"
)

// A Mask is a subset of the elements of an array. None and all of them take no
// memory; else there is a bit for each.
type Mask struct {
	Len, Count int
	bits       []uint64
}

func (m *Mask) Has(k int) bool {
	if m.bits == nil {
		return m.Count > 0
	}
	return m.bits[k>>6]>>(k&63)&1 != 0
}

func (m *Mask) All() bool { return m.Count == m.Len }

func (m *Mask) None() bool { return m.Count == 0 }

// Set adds an element.
func (m *Mask) Set(k int) {
	if m.Has(k) {
		return
	}
	if m.bits == nil {
		m.bits = make([]uint64, (m.Len+63)/64)
	}
	m.bits[k>>6] |= 1 << (k & 63)
	if m.Count++; m.All() {
		m.bits = nil
	}
}

// lengthen makes room for n elements.
func (m *Mask) lengthen(n int) {
	if m.bits == nil && m.Count > 0 && n > m.Len {
		m.bits = make([]uint64, (m.Len+63)/64)
		for i := range m.bits {
			m.bits[i] = ^uint64(0)
		}
		if rest := m.Len & 63; rest > 0 {
			m.bits[m.Len>>6] = 1<<rest - 1
		}
	}
	if m.bits != nil {
		m.bits = append(m.bits, make([]uint64, (n+63)/64-len(m.bits))...)
	}
	m.Len = n
}

// SetRange adds the elements of from <= k < to.
func (m *Mask) SetRange(from, to int) {
	if m.None() && from == 0 && to == m.Len {
		m.Count = m.Len
		return
	}
	for k := from; k < to && !m.All(); {
		if k&63 != 0 || k+64 > to || m.bits == nil {
			m.Set(k)
			k++
			continue
		}
		m.Count += 64 - bits.OnesCount64(m.bits[k>>6])
		m.bits[k>>6] = ^uint64(0)
		k += 64
	}
	if m.All() {
		m.bits = nil
	}
}

// Nth is the element before which n others are from an element on that is a multiple of
// 64; there must be one.
func (m *Mask) Nth(from, n int) int {
	if m.bits == nil {
		return from + n
	}
	for i := from >> 6; ; i++ {
		word := m.bits[i]
		if here := bits.OnesCount64(word); n >= here {
			n -= here
			continue
		}
		for ; n > 0; n-- {
			word &= word - 1
		}
		return i<<6 + bits.TrailingZeros64(word)
	}
}

// FullMask has every element of n.
func FullMask(n int) Mask { return Mask{Len: n, Count: n} }

// Between counts the elements of from <= k < to.
func (m *Mask) Between(from, to int) int {
	if m.bits == nil {
		return min(m.Count, 1) * max(to-from, 0)
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

func (m *Mask) Clone() Mask { return Mask{m.Len, m.Count, slices.Clone(m.bits)} }
