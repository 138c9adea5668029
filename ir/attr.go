package ir

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// Attr is an interned attribute of a Context; 0 is none.
type Attr = intern.Attr

// AttrKind says which fields of an AttrInfo mean something. The zero kind is that of no attribute.
type AttrKind = intern.AttrKind

// The kinds of attributes.
const (
	AttrUnit       = intern.AttrUnit
	AttrInt        = intern.AttrInt        // Type, Int (or Big where it does not fit); i1 prints as true and false
	AttrFloat      = intern.AttrFloat      // Type, Bits: the pattern of the type's own format (f64 for f64 ...)
	AttrString     = intern.AttrString     // Str; Type if one was written
	AttrType       = intern.AttrType       // Type
	AttrArray      = intern.AttrArray      // List
	AttrDict       = intern.AttrDict       // Dict, sorted by name
	AttrSymbol     = intern.AttrSymbol     // Str: the root; List: nested AttrString names
	AttrMap        = intern.AttrMap        // Str: canonical text inside affine_map<...>
	AttrSet        = intern.AttrSet        // Str: canonical text inside affine_set<...>
	AttrStrided    = intern.AttrStrided    // Shape: the strides, Int: the offset (Dynamic for ?)
	AttrDense      = intern.AttrDense      // Type (shaped), Str: little-endian elements, one if Splat
	AttrDenseText  = intern.AttrDenseText  // Type, Str: text inside dense<...> whose elements are not numbers of up to 64 bits
	AttrDenseArray = intern.AttrDenseArray // Type (of an element), Str: little-endian elements: array<i64: 1, 2>
	AttrOpaque     = intern.AttrOpaque     // Str: a dialect's own attribute, "#name.rest" without the "#"; Type if one was written
	AttrOther      = intern.AttrOther      // Str: balanced text kept as written (dense_resource<...>, sparse<...>, see Elements); Type if one was written; List
	AttrLoc        = intern.AttrLoc        // Str: text inside loc(...)
	AttrProps      = intern.AttrProps      // Dict: properties; Attrs: discardable: all that an op carries
	AttrDefined    = intern.AttrDefined    // Str: the name of an AttrDef; List: its parameters; Type if it stands for a value
)

// NamedAttr is one entry of a dictionary.
type NamedAttr = intern.NamedAttr

// AttrInfo is what an attribute consists of. It must not be changed once interned.
type AttrInfo = intern.AttrInfo

func appendNum(b []byte, n int64) []byte { return append(strconv.AppendInt(b, n, 36), ',') }

// Attributes of a context, made or found again.

// IntAttr returns the integer n of type t (an integer or index type), wrapped
// to the width of t and kept sign-extended; i1 keeps 0 and 1 as 0 and -1 would
// be the same bit, so true is 1.
func (c *Context) IntAttr(n int64, t Type) Attr {
	w := c.Info(t).Width
	switch {
	case w == 1:
		n &= 1
	case w < 64 && c.Info(t).Sign == Unsigned:
		n = int64(uint64(n) << (64 - w) >> (64 - w))
	case w < 64:
		n = n << (64 - w) >> (64 - w)
	}
	return c.attrs.Intern(intern.Atom{Bits: uint64(n), Type: t, Kind: AttrInt})
}

// FloatAttr returns x of the float type t, rounded to it.
func (c *Context) FloatAttr(x float64, t Type) Attr {
	return c.FloatBits(FloatToBits(x, t), t)
}

// FloatBits returns the float with the given pattern in the format of t.
func (c *Context) FloatBits(bits uint64, t Type) Attr {
	return c.attrs.Intern(intern.Atom{Bits: bits, Type: t, Kind: AttrFloat})
}

// BoolAttr returns true or false.
func (c *Context) BoolAttr(v bool) Attr {
	if v {
		return c.IntAttr(1, I1)
	}
	return c.IntAttr(0, I1)
}

// UnitAttr returns the attribute that says something by being there.
func (c *Context) UnitAttr() Attr { return c.Attr(AttrInfo{Kind: AttrUnit}) }

// StringAttr returns a string attribute.
func (c *Context) StringAttr(s string) Attr { return c.Attr(AttrInfo{Kind: AttrString, Str: s}) }

// SymbolAttr returns a reference @s.
func (c *Context) SymbolAttr(s string) Attr { return c.Attr(AttrInfo{Kind: AttrSymbol, Str: s}) }

// TypeAttr returns the attribute that is a type.
func (c *Context) TypeAttr(t Type) Attr { return c.Attr(AttrInfo{Kind: AttrType, Type: t}) }

// ArrayAttr returns an array of attributes.
func (c *Context) ArrayAttr(list ...Attr) Attr {
	return c.Attr(AttrInfo{Kind: AttrArray, List: list})
}

// OpaqueAttr returns a dialect's own attribute, written "#name" in text.
func (c *Context) OpaqueAttr(name string) Attr {
	return c.Attr(AttrInfo{Kind: AttrOpaque, Str: name})
}

// DenseArray returns array<t: ...> of integers.
func (c *Context) DenseArray(t Type, values ...int64) Attr {
	var buf []byte
	for _, v := range values {
		buf = AppendElem(buf, uint64(v), c.ElemSize(t))
	}
	return c.Attr(AttrInfo{Kind: AttrDenseArray, Type: t, Str: string(buf)})
}

// ElemSize is the size in bytes of an element in dense data: its width rounded
// up to a whole power of two of bytes.
func (c *Context) ElemSize(t Type) int { return c.types.elemSize(t) }

func (t *typeTable) elemSize(n Type) int {
	w := t.info(n).Width
	switch {
	case w <= 8:
		return 1
	case w <= 16:
		return 2
	case w <= 32:
		return 4
	}
	return 8
}

// MemBytes is the distance in bytes of neighbouring elements of a type in memory, as
// LLVM lays them out: a scalar takes ElemSize, little end first, and is aligned to
// that; a vector is its elements. ok is false for what has no such layout: numbers
// wider than 64 bits, vectors whose elements are not whole bytes or whose size is no
// power of two (which LLVM pads or packs), and anything else.
func (c *Context) MemBytes(t Type) (n int64, ok bool) { return c.types.memBytes(t) }

func (t *typeTable) memBytes(of Type) (n int64, ok bool) {
	info := t.info(of)
	switch info.Kind {
	case KindIndex, KindInteger, KindFloat:
		return int64(t.elemSize(of)), info.Width <= MaxWidth
	case KindVector:
		size, scalar := t.memBytes(info.Elem)
		ok, n = scalar && int(8*size) == t.info(info.Elem).Width, size
		for i, d := range info.Shape {
			if d <= 0 || d > maxDense || info.Scalable != nil && info.Scalable[i] {
				return 0, false
			}
			if n = Times(n, d); n > 8*maxDense {
				return 0, false
			}
		}
		return n, ok && n&(n-1) == 0
	}
	return 0, false
}

// AppendElem appends the low size bytes of bits, little end first.
func AppendElem(buf []byte, bits uint64, size int) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	return append(buf, b[:size]...)
}

// DenseAttr returns the dense elements of a tensor or vector type of static shape, the last dimension first: as many values
// as the type has elements, of which each is a number of its element type.
func DenseAttr(c *Context, t Type, elems ...Val) Attr {
	size := c.ElemSize(c.Info(t).Elem)
	data := make([]byte, 0, size*len(elems))
	for _, x := range elems {
		data = AppendElem(data, x.Bits, size)
	}
	if n := Elements(c.Info(t).Shape); n != int64(len(elems)) {
		panic(fmt.Sprintf("ir: DenseAttr of a type with %d elements gets %d", n, len(elems)))
	}
	return c.Attr(AttrInfo{Kind: AttrDense, Type: t, Str: string(data)})
}

// Elems decodes the elements of dense data as raw bits. Any other attribute is a mistake of
// whoever asks: Elements says what an attribute of elements stands for.
func (c *Context) Elems(a Attr) []uint64 {
	info := c.AttrInfo(a)
	t := info.Type
	switch info.Kind {
	case AttrDense:
		t = c.Info(t).Elem
	case AttrDenseArray:
	default:
		panic("ir: elements of an attribute that is not dense: " + info.Str)
	}
	size := c.ElemSize(t)
	out := make([]uint64, len(info.Str)/size)
	var b [8]byte
	for i := range out {
		b = [8]byte{}
		copy(b[:], info.Str[i*size:(i+1)*size])
		out[i] = binary.LittleEndian.Uint64(b[:])
	}
	return out
}

// Ints decodes an array<i..: ...> of signed integers.
func (c *Context) Ints(a Attr) []int64 {
	if a == 0 || c.AttrInfo(a).Kind != AttrDenseArray {
		return nil
	}
	w := uint(c.ElemSize(c.AttrInfo(a).Type)) * 8
	raw := c.Elems(a)
	out := make([]int64, len(raw))
	for i, x := range raw {
		out[i] = int64(x) << (64 - w) >> (64 - w)
	}
	return out
}

// IntAt is element i of what Ints lists, if there is one.
func (c *Context) IntAt(a Attr, i int) (n int64, ok bool) {
	if a == 0 || c.AttrInfo(a).Kind != AttrDenseArray {
		return 0, false
	}
	size, raw := c.ElemSize(c.AttrInfo(a).Type), c.AttrInfo(a).Str
	if i < 0 || i >= len(raw)/size {
		return 0, false
	}
	var b [8]byte
	copy(b[:], raw[i*size:(i+1)*size])
	w := uint(size) * 8
	return int64(binary.LittleEndian.Uint64(b[:])) << (64 - w) >> (64 - w), true
}

// Props returns all that an op carries: its properties and its discardable
// attributes. Both are sorted by name; 0 stands for nothing at all.
func (c *Context) Props(props, attrs []NamedAttr) Attr {
	if len(props) == 0 && len(attrs) == 0 {
		return 0
	}
	sortNamed(props)
	sortNamed(attrs)
	return c.Attr(AttrInfo{Kind: AttrProps, Dict: props, Attrs: attrs})
}

// Lone returns the entry of an op's attributes that are one property and nothing else.
func (c *Context) Lone(op Attr) (e NamedAttr, ok bool) {
	if x := c.attrs.At(op); x.Kind == AttrProps && !x.Long {
		return c.attrs.Lone(*x), true
	}
	return NamedAttr{}, false
}

// With returns an op's attributes with one property set, or removed if value is 0.
func (c *Context) With(op Attr, name string, value Attr) Attr {
	info := AttrInfo{}
	if op != 0 {
		info = *c.AttrInfo(op)
	}
	return c.Props(setNamed(info.Dict, name, value), append([]NamedAttr(nil), info.Attrs...))
}

// WithDiscardable is With for discardable attributes.
func (c *Context) WithDiscardable(op Attr, name string, value Attr) Attr {
	info := AttrInfo{}
	if op != 0 {
		info = *c.AttrInfo(op)
	}
	return c.Props(append([]NamedAttr(nil), info.Dict...), setNamed(info.Attrs, name, value))
}

func setNamed(d []NamedAttr, name string, value Attr) []NamedAttr {
	out := make([]NamedAttr, 0, len(d)+1)
	for _, e := range d {
		if e.Name != name {
			out = append(out, e)
		}
	}
	if value != 0 {
		out = append(out, NamedAttr{Name: name, Value: value})
	}
	return out
}

func sortNamed(d []NamedAttr) {
	if len(d) > 1 {
		slices.SortFunc(d, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	}
}

// Get finds an attribute of an op by name, properties first; 0 if it has none.
func (c *Context) Get(op Attr, name string) Attr {
	if op == 0 {
		return 0
	}
	if x := c.attrs.At(op); x.Kind == AttrProps && !x.Long {
		if e := c.attrs.Lone(*x); e.Name == name {
			return e.Value
		}
		return 0
	}
	info := c.AttrInfo(op)
	for _, e := range info.Dict {
		if e.Name == name {
			return e.Value
		}
	}
	for _, e := range info.Attrs {
		if e.Name == name {
			return e.Value
		}
	}
	return 0
}

// FloatToBits rounds x to the float type t and returns its pattern.
func FloatToBits(x float64, t Type) uint64 { return intern.FloatToBits(x, t) }

// BitsToFloat reads a pattern of the float type t.
func BitsToFloat(bits uint64, t Type) float64 { return intern.BitsToFloat(bits, t) }

// largeBlob is how many bytes of an attribute are a blob: bytes outside of the heap, which the collector
// does not count, and which attributes of equal bytes share. The attribute's Str is these bytes; graphs have
// the number of the attribute alone. The memory is given back when nothing refers to the context any more,
// so whoever keeps such a string, or its address, keeps the context.
const largeBlob = intern.LargeBlob

// NewBlob is memory for n bytes, all zero and aligned to 64, for the Str of an attribute:
// intern.BlobString makes a string of it once the bytes are there.
func (c *Context) NewBlob(n int) []byte {
	data, mapped := c.attrs.NewBlob(n)
	if mapped {
		runtime.AddCleanup(c, intern.UnmapBytes, data)
	}
	return data
}

// Loc is where a node comes from: an offset into the source text plus one, or,
// with LocAttr set, a location that the text says, which the context holds
// (LocText); 0 is unknown.
type Loc = intern.Loc

// LocAttr marks a Loc that the context holds: an AttrLoc, or a place in a file.
const LocAttr = intern.LocAttr

// Places notes places in files, for one goroutine.
type Places = intern.PlaceWriter

// NewPlaces returns a Places.
func (c *Context) NewPlaces() *Places { return c.places.NewWriter() }

// AppendLoc appends the text inside loc(...) of a location that the context holds.
func (c *Context) AppendLoc(b []byte, l Loc) []byte {
	if l&intern.LocPlace != intern.LocPlace {
		return append(b, c.AttrInfo(Attr(l&^LocAttr)).Str...)
	}
	return c.places.Append(b, l)
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
	case l&m&intern.LocPlace == intern.LocPlace:
		return c.places.Same(l, m)
	}
	return c.LocText(l) == c.LocText(m)
}

// maxLocs bounds the places kept for a node that several ops were shared into.
const maxLocs = 8

// manyLoc is one of several places of a node. Those of one are a chain, in the order in which they came.
type manyLoc struct {
	loc  Loc
	next uint32 // in manyLocs; 0 for none
}

// loc is the first place that a node comes from, or 0.
func (g *Graph) loc(v Value) Loc {
	l := g.locs[v]
	if intern.IsMany(l) {
		l = g.manyLocs[l&^intern.LocMany].loc
	}
	return l
}

// LocsOf lists the places that a node comes from, the first one first.
func (g *Graph) LocsOf(v Value) []Loc {
	if int(v) >= len(g.locs) || g.locs[v] == 0 {
		return nil
	}
	l := g.locs[v]
	if !intern.IsMany(l) {
		return []Loc{l}
	}
	var out []Loc
	for i := uint32(l &^ intern.LocMany); ; {
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
	if !intern.IsMany(first) {
		if g.Ctx.sameLoc(first, l) {
			return
		}
		n := uint32(len(g.manyLocs))
		g.manyLocs = append(g.manyLocs, manyLoc{first, n + 1}, manyLoc{l, 0})
		g.locs[v] = intern.LocMany | Loc(n)
		return
	}
	i := uint32(first &^ intern.LocMany)
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
