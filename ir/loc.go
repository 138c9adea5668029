package ir

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

// locPlace marks the latter.
const locPlace = LocAttr | LocAttr>>1

// place is `"file":line:col`.
type place struct{ file, line, col uint32 }

const blockSize = 1 << 10

// places are those of a context. A block of them belongs to the Places that took
// it, which alone writes to it.
type places struct {
	mu     sync.Mutex
	blocks atomic.Pointer[[]*[blockSize]place]
	files  []string
	byName map[string]uint32
}

// Places notes places in files, for one goroutine.
type Places struct {
	c     *Context
	block *[blockSize]place
	first int // number of the block's first place
	n     int // of them that are taken
	name  string
	file  uint32
}

// NewPlaces returns a Places.
func (c *Context) NewPlaces() *Places { return &Places{c: c, n: blockSize} }

// At returns the location of a place. The name is as it is written between quotes.
func (p *Places) At(file string, line, col uint32) Loc {
	c := p.c
	if p.n == blockSize {
		p.block, p.first, p.n = c.newBlock()
	}
	if file != p.name || file == "" {
		p.name, p.file = c.fileName(file)
	}
	p.block[p.n] = place{p.file, line, col}
	p.n++
	return locPlace | Loc(p.first+p.n-1)
}

// newBlock gives one block of places out.
func (c *Context) newBlock() (block *[blockSize]place, first, n int) {
	s := &c.places
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
func (c *Context) fileName(file string) (string, uint32) {
	s := &c.places
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

func (c *Context) place(l Loc) place {
	i := l &^ locPlace
	return (*c.places.blocks.Load())[i/blockSize][i%blockSize]
}

// AppendLoc appends the text inside loc(...) of a location that the context holds.
func (c *Context) AppendLoc(b []byte, l Loc) []byte {
	if l&locPlace != locPlace {
		return append(b, c.AttrInfo(Attr(l&^LocAttr)).Str...)
	}
	at := c.place(l)
	c.places.mu.Lock()
	file := c.places.files[at.file]
	c.places.mu.Unlock()
	b = append(append(append(b, '"'), file...), '"', ':')
	b = append(strconv.AppendUint(b, uint64(at.line), 10), ':')
	return strconv.AppendUint(b, uint64(at.col), 10)
}

// LocText is AppendLoc as a string.
func (c *Context) LocText(l Loc) string { return string(c.AppendLoc(nil, l)) }

// sameLoc reports that two locations are the same place.
func (c *Context) sameLoc(l, m Loc) bool {
	switch {
	case l == m:
		return true
	case l&m&LocAttr == 0:
		return false
	case l&m&locPlace == locPlace:
		return c.place(l) == c.place(m)
	}
	return c.LocText(l) == c.LocText(m)
}

// maxLocs bounds the places kept for a node that several ops were shared into.
const maxLocs = 8

// locMany marks, in Graph.locs, the number of the first of several places in Graph.manyLocs: no place is marked so, as
// offsets end below it and locPlace has both of the highest bits.
const locMany = LocAttr >> 1

// manyLoc is one of several places of a node. Those of one are a chain, in the order in which they came.
type manyLoc struct {
	loc  Loc
	next uint32 // in manyLocs; 0 for none
}

// isMany reports the number of a chain, not a place.
func (l Loc) isMany() bool { return l&locPlace == locMany }

// loc is the first place that a node comes from, or 0.
func (g *Graph) loc(v Value) Loc {
	l := g.locs[v]
	if l.isMany() {
		l = g.manyLocs[l&^locMany].loc
	}
	return l
}

// LocsOf lists the places that a node comes from, the first one first.
func (g *Graph) LocsOf(v Value) []Loc {
	if int(v) >= len(g.locs) || g.locs[v] == 0 {
		return nil
	}
	l := g.locs[v]
	if !l.isMany() {
		return []Loc{l}
	}
	var out []Loc
	for i := uint32(l &^ locMany); ; {
		m := g.manyLocs[i]
		if out = append(out, m.loc); m.next == 0 {
			return out
		}
		i = m.next
	}
}

// JoinLocs records that a node comes from other ops too, such as a loop that several became.
func (b *Builder) JoinLocs(v Value, locs []Loc) {
	for _, l := range locs {
		b.g.addLoc(v, l)
	}
}

// addLoc records that an op at l was shared into node v.
func (g *Graph) addLoc(v Value, l Loc) {
	switch old := g.locs[v]; {
	case l == 0 || old == l:
	case old == 0:
		g.locs[v] = l
	default:
		g.joinLoc(v, l)
	}
}

// joinLoc adds a place to those that node v has, unless it is one of them.
func (g *Graph) joinLoc(v Value, l Loc) {
	first := g.locs[v]
	if !first.isMany() {
		if g.Ctx.sameLoc(first, l) {
			return
		}
		n := uint32(len(g.manyLocs))
		g.manyLocs = append(g.manyLocs, manyLoc{first, n + 1}, manyLoc{l, 0})
		g.locs[v] = locMany | Loc(n)
		return
	}
	i := uint32(first &^ locMany)
	for n := 1; ; n++ {
		m := g.manyLocs[i]
		if g.Ctx.sameLoc(m.loc, l) || n == maxLocs {
			return
		}
		if m.next == 0 {
			break
		}
		i = m.next
	}
	g.manyLocs[i].next = uint32(len(g.manyLocs))
	g.manyLocs = append(g.manyLocs, manyLoc{l, 0})
}
