package intern

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Loc is where a node comes from: an offset into the source text plus one, or,
// with LocAttr set, a location that the text says, which the context holds
// (LocText); 0 is unknown.
type Loc uint32

// LocAttr marks a Loc that the context holds: an AttrLoc, or a place in a file.
const LocAttr Loc = 1 << 31

// LocPlace marks the latter.
const LocPlace = LocAttr | LocAttr>>1

// place is `"file":line:col`.
type place struct{ file, line, col uint32 }

const blockSize = 1 << 10

// Places are those of a context. A block of them belongs to the PlaceWriter that took
// it, which alone writes to it.
type Places struct {
	mu     sync.Mutex
	blocks atomic.Pointer[[]*[blockSize]place]
	files  []string
	byName map[string]uint32
}

// A PlaceWriter notes places in files, for one goroutine.
type PlaceWriter struct {
	of    *Places
	block *[blockSize]place
	first int // number of the block's first place
	n     int // of them that are taken
	name  string
	file  uint32
}

// NewWriter returns a PlaceWriter.
func (s *Places) NewWriter() *PlaceWriter { return &PlaceWriter{of: s, n: blockSize} }

// At returns the location of a place. The name is as it is written between quotes.
func (p *PlaceWriter) At(file string, line, col uint32) Loc {
	s := p.of
	if p.n == blockSize {
		p.block, p.first, p.n = s.newBlock()
	}
	if file != p.name || file == "" {
		p.name, p.file = s.fileName(file)
	}
	p.block[p.n] = place{p.file, line, col}
	p.n++
	return LocPlace | Loc(p.first+p.n-1)
}

// newBlock gives one block of places out.
func (s *Places) newBlock() (block *[blockSize]place, first, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var blocks []*[blockSize]place
	if l := s.blocks.Load(); l != nil {
		blocks = *l
	}
	if first = len(blocks) * blockSize; first+blockSize > int(LocAttr>>1) {
		panic("ir: too many locations")
	}
	block = new([blockSize]place)
	blocks = append(blocks, block)
	s.blocks.Store(&blocks)
	return block, first, 0
}

// fileName numbers the name of a file, and returns a copy of it.
func (s *Places) fileName(file string) (string, uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.byName[file]
	if !ok {
		if s.byName == nil {
			s.byName = map[string]uint32{}
		}
		n = uint32(len(s.files))
		file = strings.Clone(file)
		s.files, s.byName[file] = append(s.files, file), n
	}
	return s.files[n], n
}

func (s *Places) place(l Loc) place {
	i := l &^ LocPlace
	return (*s.blocks.Load())[i/blockSize][i%blockSize]
}

// Same reports that two locations are one place of a file.
func (s *Places) Same(l, m Loc) bool { return s.place(l) == s.place(m) }

// Append appends the text of a place, `"file":line:col`.
func (s *Places) Append(b []byte, l Loc) []byte {
	at := s.place(l)
	s.mu.Lock()
	file := s.files[at.file]
	s.mu.Unlock()
	b = append(append(append(b, '"'), file...), '"', ':')
	b = append(strconv.AppendUint(b, uint64(at.line), 10), ':')
	return strconv.AppendUint(b, uint64(at.col), 10)
}

// LocMany marks, among the locations of a graph's nodes, the number of the first of several places: no place is marked
// so, as offsets end below it and LocPlace has both of the highest bits.
const LocMany = LocAttr >> 1

// IsMany reports the number of a chain of places, not a place.
func IsMany(l Loc) bool { return l&LocPlace == LocMany }
