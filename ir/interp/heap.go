package interp

// Heap counts the blocks of memory that a program takes and must give back:
// memref.alloc and its like, but no stack memory, globals or arguments. A program
// that ends without a trap has a right to what it leaves; after a pass it may
// leave less, never more, since that is a leak of our making.
type Heap struct {
	Allocs, Frees int64 // how many blocks were taken, and how many given back
	live          int64 // bytes of those that are not freed, counted as MemLimit does
}

// Kept is how many blocks are not freed.
func (h Heap) Kept() int64 { return h.Allocs - h.Frees }

// Since is what was counted after an earlier count.
func (h Heap) Since(before Heap) Heap {
	return Heap{h.Allocs - before.Allocs, h.Frees - before.Frees, h.live - before.live}
}

// Heap returns the count since the machine was made.
func (m *Machine) Heap() Heap { return m.heap }

// Owe notes that the program must free memory which Alloc made.
func (m *Machine) Owe(b *Buffer) {
	if x := m.observed; x != nil && x.itself() {
		x.allocates = true
	}
	b.owed = true
	m.heap.Allocs++
	m.heap.live += b.charged
}

// repaid notes the end of memory.
func (m *Machine) repaid(b *Buffer) {
	if b.owed {
		m.heap.Frees++
		m.heap.live -= b.charged
	}
}
