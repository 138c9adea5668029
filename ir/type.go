package ir

import "github.com/irc-lang/irc/ir/internal/intern"

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
	KindInvalid TypeKind = iota
	KindMulti            // Types: the results of an op with none or several
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
	Kind     TypeKind
	Sign     uint8
	Unranked bool
	Width    int // bits of an integer or float
	NumIn    int
	Text     string
	Shape    []int64
	Scalable []bool // of a vector: which extents scale; nil if none does
	Elem     Type
	Types    []Type
	Layout   Attr
	Space    Attr
	Def      *Shape // of KindOpaque, if its dialect defines it: Text is its name only
	Params   []Attr // of Def
	Value    any    // the Go value of Def that has these parameters
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
