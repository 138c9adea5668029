package ir

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir/internal/authors"
	"github.com/irc-lang/irc/ir/internal/extent"
	"github.com/irc-lang/irc/ir/internal/intern"
)

// Type is an interned type of a Context. Equal types have equal numbers within
// one context; nothing observable depends on the number itself.
type Type = intern.Type

// The types that every context has under the same number.
const (
	NoType        = intern.NoType
	Void          = intern.Void  // the type of an op without results
	None          = intern.None  // MLIR's none
	Index         = intern.Index // 64 bits everywhere
	I1            = intern.I1
	I8            = intern.I8
	I16           = intern.I16
	I32           = intern.I32
	I64           = intern.I64
	F16           = intern.F16
	BF16          = intern.BF16
	F32           = intern.F32
	F64           = intern.F64
	Token         = intern.Token // a state of memory; never printed
	numFixedTypes = intern.NumFixedTypes
)

// TypeKind says which fields of a TypeInfo mean something.
type TypeKind uint8

// The kinds of types.
const (
	_         TypeKind = iota // that of no type
	KindMulti                 // Types: the results of an op with none or several
	KindNone
	KindIndex
	KindInteger  // Width, Sign
	KindFloat    // Width, Text (the name)
	KindComplex  // Elem
	KindTuple    // Types
	KindFunction // Types[:NumIn] -> Types[NumIn:]
	KindVector   // Shape, Scalable, Elem
	KindTensor   // Shape, Unranked, Elem, Layout (the encoding)
	KindMemRef   // Shape, Unranked, Elem, Layout, Space
	KindOpaque   // Text: a dialect's own type, "!name.rest" without the "!"; or Def, Params, Value
	KindToken
)

// Signs of integer types: i32, si32, ui32.
const (
	Signless uint8 = iota
	Signed
	Unsigned
)

// Dynamic is the extent `?` in a shape and an unknown offset or stride.
const Dynamic int64 = -1 << 63

// TypeInfo is what a type consists of. It must not be changed once interned.
type TypeInfo struct {
	Kind     TypeKind // which of the fields below mean something, as its constants say
	Sign     uint8    // Signless, Signed or Unsigned
	Unranked bool     // Shape is not known, and nil
	Width    int      // bits of an integer or float
	NumIn    int      // how many of Types are parameters of a function
	Text     string   // the name of a float or of a dialect's type
	Shape    []int64  // extents; some may be Dynamic
	Scalable []bool   // of a vector: which extents scale; nil if none does
	Elem     Type     // of the elements
	Types    []Type   // members, in order
	Layout   Attr     // an attribute, or 0 for the identity
	Space    Attr     // an attribute, or 0 for the usual memory
	Def      *Shape   // of KindOpaque, if its dialect defines it: Text is its name only
	Params   []Attr   // of Def
	Value    any      // the Go value of Def that has these parameters
}

// appendKey spells a type so that equal types have equal keys.
func (t *TypeInfo) appendKey(b []byte) []byte {
	b = appendNum(b, int64(t.Kind))
	b = appendNum(b, int64(t.Sign))
	b = appendNum(b, int64(t.Width))
	b = appendNum(b, int64(t.NumIn))
	b = appendNum(b, int64(t.Elem))
	b = appendNum(b, int64(t.Layout))
	b = appendNum(b, int64(t.Space))
	if t.Unranked {
		b = append(b, '*')
	}
	b = appendNum(b, int64(len(t.Shape)))
	for i, n := range t.Shape {
		b = appendNum(b, n)
		if t.Scalable != nil && t.Scalable[i] {
			b = append(b, 's')
		}
	}
	for _, x := range t.Types {
		b = appendNum(b, int64(x))
	}
	if t.Def != nil {
		b = append(b, '!')
		for _, x := range t.Params {
			b = appendNum(b, int64(x))
		}
	}
	return append(append(b, '|'), t.Text...)
}

func fixedTypes() []TypeInfo {
	return []TypeInfo{
		NoType: {},
		Void:   {Kind: KindMulti},
		None:   {Kind: KindNone},
		Index:  {Kind: KindIndex, Width: 64},
		I1:     {Kind: KindInteger, Width: 1},
		I8:     {Kind: KindInteger, Width: 8},
		I16:    {Kind: KindInteger, Width: 16},
		I32:    {Kind: KindInteger, Width: 32},
		I64:    {Kind: KindInteger, Width: 64},
		F16:    {Kind: KindFloat, Width: 16, Text: "f16"},
		BF16:   {Kind: KindFloat, Width: 16, Text: "bf16"},
		F32:    {Kind: KindFloat, Width: 32, Text: "f32"},
		F64:    {Kind: KindFloat, Width: 64, Text: "f64"},
		Token:  {Kind: KindToken},
	}
}

// typeTable is the types of a context, each of them once. An entry never changes, so that it is read
// without a lock.
type typeTable struct {
	mu    sync.RWMutex
	list  table[*TypeInfo]
	byKey map[string]Type
	byGo  sync.Map      // goKey -> Type
	attrs *intern.Table // that types have: layouts
}

func (t *typeTable) init(attrs *intern.Table) {
	t.attrs, t.byKey = attrs, map[string]Type{}
	for i, info := range fixedTypes() {
		t.list.add(&info)
		t.byKey[string(info.appendKey(nil))] = Type(i)
	}
}

// keySize is room for the key of a usual type on the stack: most are known already,
// and finding them again allocates nothing.
const keySize = 256

func (t *typeTable) intern(info TypeInfo) Type {
	var buf [keySize]byte
	key := info.appendKey(buf[:0])
	t.mu.RLock()
	n, ok := t.byKey[string(key)]
	t.mu.RUnlock()
	if ok {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.byKey[string(key)]; ok {
		return n
	}
	kept := info
	kept.Text = strings.Clone(info.Text)
	n = Type(t.list.add(&kept))
	t.byKey[string(key)] = n
	return n
}

func (t *typeTable) info(n Type) *TypeInfo { return t.list.all()[n] }

// Types of a context, made or found again.

// Int returns the signless integer type of a width.
func (c *Context) Int(width int) Type { return c.Type(TypeInfo{Kind: KindInteger, Width: width}) }

// Multi returns the type of an op with the given results: Void for none, the
// type itself for one.
func (c *Context) Multi(types ...Type) Type {
	switch len(types) {
	case 0:
		return Void
	case 1:
		return types[0]
	}
	return c.Type(TypeInfo{Kind: KindMulti, Types: types})
}

// Func returns a function type.
func (c *Context) Func(in, out []Type) Type {
	all := append(append(make([]Type, 0, len(in)+len(out)), in...), out...)
	return c.Type(TypeInfo{Kind: KindFunction, NumIn: len(in), Types: all})
}

// Vector returns a vector type without scalable extents.
func (c *Context) Vector(shape []int64, elem Type) Type {
	return c.Type(TypeInfo{Kind: KindVector, Shape: shape, Elem: elem})
}

// MemRef returns a memref type with the identity layout in the default space.
func (c *Context) MemRef(shape []int64, elem Type) Type {
	return c.Type(TypeInfo{Kind: KindMemRef, Shape: shape, Elem: elem})
}

// OpaqueType returns a type that no dialect defines (see TypeDef), written "!name" in
// text.
func (c *Context) OpaqueType(name string) Type {
	return c.Type(TypeInfo{Kind: KindOpaque, Text: name})
}

// Results lists the result types of an op of type t.
func (c *Context) Results(t Type) []Type {
	if t == Void || t == NoType {
		return nil
	}
	if info := c.Info(t); info.Kind == KindMulti {
		return info.Types
	}
	return []Type{t}
}

// IsInt reports an integer or index type.
func (c *Context) IsInt(t Type) bool {
	return t == Index || c.Info(t).Kind == KindInteger
}

// IsFloat reports a float type.
func (c *Context) IsFloat(t Type) bool { return c.Info(t).Kind == KindFloat }

// ElemOrSelf returns the element type of a vector or tensor, else t.
func (c *Context) ElemOrSelf(t Type) Type {
	if info := c.Info(t); info.Kind == KindVector || info.Kind == KindTensor {
		return info.Elem
	}
	return t
}

// maxBytes bounds what memory of a static type takes: LLVM counts its bits in 64.
const maxBytes = 1 << 60

// MaxElements is more than the memory of any machine holds: what a program makes that is larger fails when it runs.
const MaxElements = 1 << 40

// Product multiplies numbers that are not negative. ok is false if those that are not 0 have a
// product above the greatest int64, which n is then: an extent of 0 hides no others, since
// their products are strides.
func Product(ns ...int64) (n int64, ok bool) { return extent.Product(ns...) }

// Times is the product of two numbers; one that does not fit is the greatest or the least one
// of its type. Extents, strides, offsets and bytes are multiplied by it where the product is a cost or
// is compared with a limit, and by Product where it must be right.
func Times[T int | int64](a, b T) T { return extent.Times(a, b) }

// Sum adds two numbers; ok is false if the sum does not fit.
func Sum(a, b int64) (n int64, ok bool) { return extent.Sum(a, b) }

// Elements is how many elements an array of extents has, none of which is Dynamic: the
// greatest int64 if there are more.
func Elements[T int | int64](extents []T) T { return extent.Elements(extents) }

// tooLarge is a part of a type that takes more than MaxBytes, or 0: its extents and strides
// that are known are those of no memory. Of extents that are open it says nothing.
func (t *typeTable) tooLarge(n Type) Type {
	switch info := t.info(n); info.Kind {
	case KindVector, KindTensor, KindMemRef:
		if !t.fits(info) {
			return n
		}
		return t.tooLarge(info.Elem)
	case KindMulti, KindTuple, KindFunction:
		for _, u := range info.Types {
			if u = t.tooLarge(u); u != 0 {
				return u
			}
		}
	}
	return 0
}

// Fits reports that no part of a type takes more than MaxBytes: the type runs, if it is no text
// for another reason.
func (c *Context) Fits(t Type) bool { return c.types.tooLarge(t) == 0 }

// fits reports that all elements of a type lie within MaxBytes.
func (t *typeTable) fits(info *TypeInfo) bool {
	size, ok := t.memBytes(info.Elem)
	if !ok || size < 1 {
		size = 1
	}
	known := []int64{size}
	for _, d := range info.Shape {
		if d != Dynamic {
			known = append(known, d)
		}
	}
	n, ok := Product(known...)
	if !ok || n > maxBytes {
		return false
	}
	if info.Layout == 0 || t.attrs.Info(info.Layout).Kind != AttrStrided {
		return true
	}
	layout := t.attrs.Info(info.Layout)
	low, high := int64(0), int64(0)
	reach := func(step int64) bool { // the terms are bounded, and so is what is added
		low, high = low+min(step, 0), high+max(step, 0)
		return -maxBytes <= low && high <= maxBytes
	}
	if layout.Int != Dynamic && !reach(max(min(Times(layout.Int, size), 2*maxBytes), -2*maxBytes)) {
		return false
	}
	for i, s := range layout.Shape {
		if s == Dynamic || i >= len(info.Shape) {
			continue
		}
		steps := int64(1)
		if d := info.Shape[i]; d != Dynamic {
			steps = max(d-1, 1) // a stride is a number of bytes, too
		}
		if !reach(max(min(Times(Times(s, size), steps), 2*maxBytes), -2*maxBytes)) {
			return false
		}
	}
	return true
}

// MaxWidth is how many bits a number has at most in what runs. Types of wider ones
// are text: they are read, checked and printed.
const MaxWidth = 64

// Wide reports a type of numbers of more than MaxWidth bits.
func (c *Context) Wide(t Type) bool { return c.types.wide(t) > 0 }

// wide is the width of the numbers that a type consists of, or 0 if none has more
// than MaxWidth.
func (t *typeTable) wide(n Type) int {
	switch info := t.info(n); info.Kind {
	case KindInteger, KindFloat:
		if info.Width > MaxWidth {
			return info.Width
		}
	case KindComplex, KindVector, KindTensor, KindMemRef:
		return t.wide(info.Elem)
	case KindMulti, KindTuple, KindFunction:
		for _, u := range info.Types {
			if w := t.wide(u); w > 0 {
				return w
			}
		}
	}
	return 0
}

// TypeLowerings are the table of a dialect that says what its types become, by the
// level at which they do: `lower{to=arith}`. A type becomes something at one level.
type TypeLowerings map[string]map[Defined]TypeLowering

// A TensorLowering is the table of the one dialect that says what tensors become, MLIR's
// tensor<...>, which no dialect defines: those that it takes.
type TensorLowering struct {
	Level string                        // at which they do
	Takes func(c *Context, t Type) bool // says which types of tensors become something
	TypeLowering
}

// A TypeLowering says what a type becomes: its parts, values of other types, perhaps
// none. Where values are handed on (signatures, calls, what loops carry) the parts take
// the place of the value; between ops that know the type and those that know the parts
// stand Unpack and Pack, which folds are to undo: unpacking what was packed is the parts.
// Arguments and results of programs (JSON), and engines that know the parts only, go
// through Split and Join.
type TypeLowering struct {
	Parts  func(c *Context, t Type) []Type               // the types of the parts, of a value of type t
	Unpack func(b *Builder, v Value) []Value             // builds the parts of a value, as many as Parts says
	Pack   func(b *Builder, t Type, parts []Value) Value // builds a value of type t of its parts
	// Fields are the names of the parts in JSON, {"re": 1, "im": 2}; without them a
	// value is a list.
	Fields []string
	// Split takes a value of a running program apart and Join puts one together; nil if
	// it is the Vector of its parts.
	Split func(c *Context, t Type, v Val) []Val
	Join  func(c *Context, t Type, parts []Val) Val

	level string // set by the context
}

// LoweringOf returns what a type itself becomes, or nil.
func (c *Context) LoweringOf(t Type) *TypeLowering { return c.lowerings.find(c, t) }

// LowersTypes reports that some type becomes another one at a level.
func (c *Context) LowersTypes(level string) bool { return slices.Contains(c.lowerings.levels(), level) }

// TypeLevels lists the levels at which types become others.
func (c *Context) TypeLevels() (out []string) { return c.lowerings.levels() }

// PartsOf lists what takes the place of a type at a level, and whether that is anything
// else: the parts of a dialect's type; a function type of its parts; for an array of such
// elements an array of each part.
func (c *Context) PartsOf(t Type, level string) (parts []Type, changed bool) {
	return c.lowerings.parts(c, t, level)
}

// SplitVal takes a value of a running program, of type t, apart into those of its n parts.
func (l *TypeLowering) SplitVal(c *Context, t Type, v Val, n int) []Val {
	if v.IsPoison() {
		out := make([]Val, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	if l.Split != nil {
		return l.Split(c, t, v)
	}
	parts, ok := v.Ref.(Vector)
	if !ok || len(parts) != n {
		l.wrong(c, t, l.Parts, fmt.Sprintf("a value of it is no ir.Vector of its %d parts, and there is no Split and no Join", n))
	}
	return parts
}

// checkUnpacked refuses what Unpack made of a value, if it is not what Parts lists.
func (l *TypeLowering) checkUnpacked(g *Graph, t Type, parts []Value) {
	want := l.Parts(g.Ctx, t)
	if len(parts) != len(want) {
		l.wrong(g.Ctx, t, l.Unpack, fmt.Sprintf("Unpack gives %d values, and Parts lists %d types", len(parts), len(want)))
	}
	for i, p := range parts {
		if g.Type(p) != want[i] {
			l.wrong(g.Ctx, t, l.Unpack, fmt.Sprintf("value #%d that Unpack gives is not of type #%d that Parts lists", i, i))
		}
	}
}

// wrong ends what works on a type whose lowering does not keep to its own words: an author's mistake.
func (l *TypeLowering) wrong(c *Context, t Type, hook any, what string) {
	msg := fmt.Sprintf("the lowering of type !%s is wrong: %s", c.Info(t).Text, what)
	if !authors.Theirs(hook) {
		panic("ir: " + msg)
	}
	panic(&OpError{Author: true, Msg: msg + ", at " + authors.Place(hook)})
}

// JoinVal puts the value of a running program, of type t, together from its parts; it is
// poison if one of them is.
func (l *TypeLowering) JoinVal(c *Context, t Type, parts []Val) Val {
	for _, p := range parts {
		if p.IsPoison() {
			return p
		}
	}
	if l.Join != nil {
		return l.Join(c, t, parts)
	}
	return Val{Ref: Vector(parts)}
}
