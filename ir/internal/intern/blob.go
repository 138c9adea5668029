package intern

import (
	"hash/maphash"
	"sync"
	"unsafe"
)

// LargeBlob is how many bytes of an attribute are a blob: bytes outside of the heap, which the collector
// does not count, and which attributes of equal bytes share. The attribute's Str is these bytes; graphs have
// the number of the attribute alone. The memory is given back when nothing refers to the context any more,
// so whoever keeps such a string, or its address, keeps the context.
const LargeBlob = 1 << 16

// blobs are those of a context, by content.
type blobs struct {
	mu     sync.Mutex
	mapped []string            // memory of NewBlob
	known  map[uint64][]string // by hash
}

// NewBlob is memory for n bytes, all zero and aligned to 64. If it is mapped, its owner gives it to
// UnmapBytes when nothing refers to the table any more.
func (s *Table) NewBlob(n int) (data []byte, mapped bool) {
	if n < LargeBlob {
		return alignedBytes(n), false
	}
	if data = mapBytes(n); data == nil {
		return alignedBytes(n), false
	}
	b := &s.blobs
	b.mu.Lock()
	b.mapped = append(b.mapped, BlobString(data))
	b.mu.Unlock()
	return data, true
}

// BlobString is bytes as a string. They must not be changed any more.
func BlobString(data []byte) string {
	return unsafe.String(unsafe.SliceData(data), len(data))
}

// alignedBytes is memory of the heap that is aligned to 64.
func alignedBytes(n int) []byte {
	const align = 64
	b := make([]byte, n+align)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (align - 1)
	return b[skip : skip+uintptr(n) : skip+uintptr(n)]
}

// KeepBlob returns bytes that are equal to s, large, and shared with attributes that have them already: s
// itself if it is memory of NewBlob, else a copy in memory of alloc, which calls NewBlob. Numbers are aligned as such.
func (t *Table) KeepBlob(s string, numbers bool, alloc func(n int) []byte) string {
	b := &t.blobs
	h := maphash.String(atomSeed, s)
	b.mu.Lock()
	for _, had := range b.known[h] {
		if had == s && (!numbers || isAligned(had)) {
			b.mu.Unlock()
			return had
		}
	}
	own := b.isMapped(s) && (!numbers || isAligned(s))
	b.mu.Unlock()
	if !own {
		data := alloc(len(s))
		copy(data, s)
		s = BlobString(data)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known = map[uint64][]string{}
	}
	b.known[h] = append(b.known[h], s)
	return s
}

// isMapped reports a string in memory of NewBlob.
func (b *blobs) isMapped(s string) bool {
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	for _, m := range b.mapped {
		from := uintptr(unsafe.Pointer(unsafe.StringData(m)))
		if from <= at && at+uintptr(len(s)) <= from+uintptr(len(m)) {
			return true
		}
	}
	return false
}

// isAligned reports bytes that can be seen as numbers of 8 bytes.
func isAligned(s string) bool {
	return uintptr(unsafe.Pointer(unsafe.StringData(s)))%8 == 0
}

// ResourcePrefix begins the text of an attribute whose elements are a resource of the
// file. Its List holds a string, the bytes of the resource, unless the file lacks them: four of its
// alignment, little end first, and the elements.
const ResourcePrefix = "dense_resource<"
