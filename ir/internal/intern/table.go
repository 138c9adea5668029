package intern

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Table is the attributes of a context, each of them once. Looking one up takes no
// lock: an entry never changes, and its place in the index is written after it.
//
// What most attributes of a large program are is kept in 16 bytes: numbers, and the
// one property of a constant. Their AttrInfo is spelt when somebody asks for it.
type Table struct {
	mu    sync.Mutex
	n     uint32
	pages atomic.Pointer[[]*page]
	index atomic.Pointer[[]atomic.Uint64] // open addressing: hash<<32 | number
	names atomic.Pointer[[]string]        // of lone properties
	kept  map[string]string               // names of attributes, each once
	blobs blobs
}

// An Atom is an attribute that is a number (bits), or a set of properties with one
// entry (bits: the number of its name, and its value). Of any other one it says
// only what kind it is; its AttrInfo has the rest.
type Atom struct {
	Bits uint64
	Type Type
	Kind AttrKind
	Long bool
}

const pageSize = 1 << 10

// page holds attributes, and what they consist of, where that was asked for.
type page struct {
	atoms [pageSize]Atom
	infos atomic.Pointer[[pageSize]atomic.Pointer[AttrInfo]]
}

// maxLoneNames bounds the names of lone properties: they are searched in order.
const maxLoneNames = 32

// Init makes an empty table, in which 0 is none.
func (s *Table) Init() {
	index := make([]atomic.Uint64, 1<<8)
	s.pages.Store(&[]*page{})
	s.index.Store(&index)
	s.names.Store(&[]string{})
	s.kept = map[string]string{}
	s.append(Atom{}, &AttrInfo{}) // 0 is none, and not in the index
}

// At returns an entry.
func (s *Table) At(a Attr) *Atom { return &(*s.pages.Load())[a/pageSize].atoms[a%pageSize] }

// Info returns what an attribute consists of.
func (s *Table) Info(a Attr) *AttrInfo {
	p := (*s.pages.Load())[a/pageSize]
	if infos := p.infos.Load(); infos != nil {
		if info := infos[a%pageSize].Load(); info != nil {
			return info
		}
	}
	place := &p.spelt()[a%pageSize]
	place.CompareAndSwap(nil, s.spell(p.atoms[a%pageSize]))
	return place.Load()
}

// spelt returns where the infos of a page are.
func (p *page) spelt() *[pageSize]atomic.Pointer[AttrInfo] {
	if p.infos.Load() == nil {
		p.infos.CompareAndSwap(nil, new([pageSize]atomic.Pointer[AttrInfo]))
	}
	return p.infos.Load()
}

// spell makes the AttrInfo of an atom that is not long.
func (s *Table) spell(x Atom) *AttrInfo {
	info := &AttrInfo{Kind: x.Kind, Type: x.Type}
	switch x.Kind {
	case AttrInt:
		info.Int = int64(x.Bits)
	case AttrFloat:
		info.Bits = x.Bits
	case AttrProps:
		info.Dict = []NamedAttr{s.Lone(x)}
	}
	return info
}

// Lone returns the entry of a set of properties that has only one.
func (s *Table) Lone(x Atom) NamedAttr {
	return NamedAttr{(*s.names.Load())[x.Bits>>32], Attr(x.Bits)}
}

// Short returns the atom that says all of an attribute, if it fits.
func (s *Table) Short(info *AttrInfo) (x Atom, ok bool) {
	switch {
	case info.Kind == AttrInt && info.Big == nil:
		return Atom{Bits: uint64(info.Int), Type: info.Type, Kind: AttrInt}, true
	case info.Kind == AttrFloat:
		return Atom{Bits: info.Bits, Type: info.Type, Kind: AttrFloat}, true
	case info.Kind == AttrProps && len(info.Dict) == 1 && len(info.Attrs) == 0:
		n, ok := s.loneName(info.Dict[0].Name)
		return Atom{Bits: n<<32 | uint64(info.Dict[0].Value), Kind: AttrProps}, ok
	}
	return Atom{}, false
}

// loneName numbers the names of lone properties; ok is false once there are many.
func (s *Table) loneName(name string) (n uint64, ok bool) {
	if i := slices.Index(*s.names.Load(), name); i >= 0 {
		return uint64(i), true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	names := *s.names.Load()
	if i := slices.Index(names, name); i >= 0 || len(names) == maxLoneNames {
		return uint64(i), i >= 0
	}
	names = append(slices.Clip(names), strings.Clone(name))
	s.names.Store(&names)
	return uint64(len(names) - 1), true
}

// Intern finds a short attribute, or adds it.
func (s *Table) Intern(x Atom) Attr {
	h := uint32(Mix(Mix(numberSeed, x.Bits), uint64(x.Type)<<8|uint64(x.Kind)) >> 32)
	if a := s.find(h, x); a != 0 {
		return a
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.find(h, x); a != 0 {
		return a
	}
	return s.insert(h, x, nil)
}

func (s *Table) find(h uint32, x Atom) Attr {
	index := *s.index.Load()
	mask := uint32(len(index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := index[i].Load()
		if e == 0 || uint32(e>>32) == h && *s.At(Attr(e)) == x {
			return Attr(e)
		}
	}
}

// InternLong finds any other attribute, or adds a copy of it.
func (s *Table) InternLong(info *AttrInfo) Attr {
	h := info.hash()
	if a := s.findLong(h, info); a != 0 {
		return a
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.findLong(h, info); a != 0 {
		return a
	}
	return s.insert(h, Atom{Type: info.Type, Kind: info.Kind, Long: true}, s.keep(*info))
}

func (s *Table) findLong(h uint32, info *AttrInfo) Attr {
	index := *s.index.Load()
	mask := uint32(len(index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := index[i].Load()
		if e == 0 || uint32(e>>32) == h && s.At(Attr(e)).Long && s.Info(Attr(e)).equal(info) {
			return Attr(e)
		}
	}
}

// insert adds an attribute that is not there, under the lock.
func (s *Table) insert(h uint32, x Atom, info *AttrInfo) Attr {
	index := *s.index.Load()
	if 4*int(s.n) >= 3*len(index) {
		index = grown(index)
		s.index.Store(&index)
	}
	a := s.append(x, info)
	mask := uint32(len(index) - 1)
	i := h & mask
	for index[i].Load() != 0 {
		i = (i + 1) & mask
	}
	index[i].Store(uint64(h)<<32 | uint64(a))
	return a
}

func grown(old []atomic.Uint64) []atomic.Uint64 {
	index := make([]atomic.Uint64, 2*len(old))
	mask := uint32(len(index) - 1)
	for k := range old {
		e := old[k].Load()
		i := uint32(e>>32) & mask
		for e != 0 && index[i].Load() != 0 {
			i = (i + 1) & mask
		}
		if e != 0 {
			index[i].Store(e)
		}
	}
	return index
}

// append adds an attribute to the list, under the lock.
func (s *Table) append(x Atom, info *AttrInfo) Attr {
	a := Attr(s.n)
	if s.n++; s.n >= uint32(LocAttr) {
		panic("ir: too many attributes")
	}
	if a%pageSize == 0 {
		pages := append(*s.pages.Load(), new(page))
		s.pages.Store(&pages)
	}
	p := (*s.pages.Load())[a/pageSize]
	p.atoms[a%pageSize] = x
	if info != nil {
		p.spelt()[a%pageSize].Store(info)
	}
	return a
}

// keep copies what is interned, so that it holds no piece of a source text, which
// would hold all of it. What is large was copied before, without the lock.
func (s *Table) keep(info AttrInfo) *AttrInfo {
	if len(info.Str) < LargeBlob {
		info.Str = strings.Clone(info.Str)
	}
	info.Dict, info.Attrs = slices.Clone(info.Dict), slices.Clone(info.Attrs)
	for _, d := range [][]NamedAttr{info.Dict, info.Attrs} {
		for i := range d {
			name, ok := s.kept[d[i].Name]
			if !ok {
				name = strings.Clone(d[i].Name)
				s.kept[name] = name
			}
			d[i].Name = name
		}
	}
	return &info
}

// Seeds of one process, so that no program can be written whose attributes collide.
var (
	atomSeed   = maphash.MakeSeed()
	numberSeed = maphash.String(atomSeed, "number")
)

// hash is equal for equal attributes, within one process.
func (a *AttrInfo) hash() uint32 {
	h := Mix(Mix(HashSeed, uint64(a.Kind)<<32|uint64(a.Type)), uint64(a.Int))
	h = Mix(Mix(h, a.Bits), maphash.String(atomSeed, a.Str))
	for _, n := range a.Shape {
		h = Mix(h, uint64(n))
	}
	for _, x := range a.List {
		h = Mix(h, uint64(x))
	}
	for _, d := range [...][]NamedAttr{a.Dict, a.Attrs} {
		h = Mix(h, uint64(len(d)))
		for _, e := range d {
			h = Mix(Mix(h, uint64(e.Value)), maphash.String(atomSeed, e.Name))
		}
	}
	if a.Big != nil {
		h = Mix(h, maphash.Bytes(atomSeed, a.Big.Bytes()))
	}
	return uint32(h >> 32)
}

func (a *AttrInfo) equal(b *AttrInfo) bool {
	return a.Kind == b.Kind && a.Type == b.Type && a.Int == b.Int && a.Bits == b.Bits && a.Splat == b.Splat && a.Str == b.Str &&
		slices.Equal(a.Shape, b.Shape) && slices.Equal(a.List, b.List) && slices.Equal(a.Dict, b.Dict) && slices.Equal(a.Attrs, b.Attrs) &&
		(a.Big == b.Big || a.Big != nil && b.Big != nil && a.Big.Cmp(b.Big) == 0)
}
