package ir

import (
	"math"

	"github.com/irc-lang/irc/ir/param"
)

// A Param is a parameter of a type or attribute, not of a region (Builder.Param): a field of its Go value.
// Its kind says how it is written.
type Param[T any] struct {
	ParamInfo
	get func(c *Context, v *T) Attr // 0 if it is optional and absent
	set func(c *Context, v *T, a Attr)
}

// ParamInfo is what text knows of a parameter.
type ParamInfo struct {
	Name     string     // as the Format has it behind "$"
	Kind     param.Kind // how it is written
	Words    []string   // of param.Word
	Optional bool       // absent where the field is zero
	Open     bool       // a list without brackets

	check func(c *Context, a Attr) error // says what is wrong with what was read; nil takes all
}

// OrNone makes a parameter optional: it is absent where the field is zero. The
// Format writes it in an optional group: "(`,` $x^)?".
func (p Param[T]) OrNone() Param[T] {
	p.Optional = true
	get := p.get
	p.get = func(c *Context, v *T) Attr {
		var none T
		if a := get(c, v); a != get(c, &none) {
			return a
		}
		return 0
	}
	return p
}

// Bare writes a list without brackets: "<$types>" is `<f64, i64>`.
func (p Param[T]) Bare() Param[T] {
	p.Open = true
	return p
}

// TypeParam is a field that is a type.
func TypeParam[T any](name string, field func(*T) *Type) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.Type}, func(c *Context, v *T) Attr {
		if t := *field(v); t != NoType {
			return c.TypeAttr(t)
		}
		return 0
	}, func(c *Context, v *T, a Attr) { *field(v) = c.TypeOf(a) }}
}

// IntParam is a field that is an integer.
func IntParam[T any](name string, field func(*T) *int64) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.Int}, func(c *Context, v *T) Attr { return c.IntAttr(*field(v), I64) },
		func(c *Context, v *T, a Attr) { *field(v) = c.AttrInfo(a).Int }}
}

// WordParam is an integer field that is written as a word: its place among words.
func WordParam[T any](name string, words []string, field func(*T) *int64) Param[T] {
	p := IntParam(name, field)
	p.Kind, p.Words = param.Word, words
	return p
}

// FloatParam is a field that is an f64; every NaN and zero is a parameter of its own.
func FloatParam[T any](name string, field func(*T) *float64) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.Float}, func(c *Context, v *T) Attr { return c.FloatBits(math.Float64bits(*field(v)), F64) },
		func(c *Context, v *T, a Attr) { *field(v) = math.Float64frombits(c.AttrInfo(a).Bits) }}
}

// StringParam is a field that is a string.
func StringParam[T any](name string, field func(*T) *string) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.String}, func(c *Context, v *T) Attr { return c.StringAttr(*field(v)) },
		func(c *Context, v *T, a Attr) { *field(v) = c.AttrInfo(a).Str }}
}

// TextParam is a field that has a notation of its own, written in quotes. parse reads it, once
// for an attribute; String must write what parse reads, and the same for equal values.
func TextParam[T any, V interface {
	comparable
	String() string
}](name string, parse func(string) (V, error), field func(*T) *V) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.String, check: func(c *Context, a Attr) error {
		_, err := parse(c.AttrInfo(a).Str)
		return err
	}}, func(c *Context, v *T) Attr {
		var none V
		if *field(v) == none {
			return 0
		}
		return c.StringAttr((*field(v)).String())
	}, func(c *Context, v *T, a Attr) { *field(v), _ = parse(c.AttrInfo(a).Str) }}
}

// AttrParam is a field that is any attribute. As a list of another kind (TypesParam,
// IntsParam, SizesParam) it is interned: Context.TypesAttr makes one of types,
// DenseArray one of integers, ArrayAttr of SizeAttr one of sizes.
func AttrParam[T any](name string, field func(*T) *Attr) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.Attr}, func(_ *Context, v *T) Attr { return *field(v) },
		func(_ *Context, v *T, a Attr) { *field(v) = a }}
}

// TypesParam is a field that is a list of types.
func TypesParam[T any](name string, field func(*T) *Attr) Param[T] {
	return listParam(name, param.Types, field, func(c *Context) Attr { return c.ArrayAttr() })
}

// IntsParam is a field that is a list of integers.
func IntsParam[T any](name string, field func(*T) *Attr) Param[T] {
	return listParam(name, param.Ints, field, func(c *Context) Attr { return c.DenseArray(I64) })
}

// SizesParam is a field that is a list of sizes.
func SizesParam[T any](name string, field func(*T) *Attr) Param[T] {
	return listParam(name, param.Sizes, field, func(c *Context) Attr { return c.ArrayAttr() })
}

// FieldsParam is a field that is a list of named types, as in `x: f64, y: i64`.
func FieldsParam[T any](name string, field func(*T) *Attr) Param[T] {
	return listParam(name, param.Fields, field, func(c *Context) Attr { return c.ArrayAttr() }).Bare()
}

// listParam: an empty list and none are the same.
func listParam[T any](name string, kind param.Kind, field func(*T) *Attr, empty func(*Context) Attr) Param[T] {
	p := AttrParam(name, field)
	p.Kind = kind
	p.get = func(c *Context, v *T) Attr {
		if a := *field(v); a != 0 {
			return a
		}
		return empty(c)
	}
	p.set = func(c *Context, v *T, a Attr) {
		if *field(v) = a; a == empty(c) {
			*field(v) = 0
		}
	}
	return p
}

// TypesAttr returns a list of types, 0 if it is empty.
func (c *Context) TypesAttr(types ...Type) Attr {
	if len(types) == 0 {
		return 0
	}
	list := make([]Attr, len(types))
	for i, t := range types {
		list[i] = c.TypeAttr(t)
	}
	return c.ArrayAttr(list...)
}

// TypesOf lists the types of a list.
func (c *Context) TypesOf(a Attr) []Type {
	if a == 0 {
		return nil
	}
	list := c.AttrInfo(a).List
	out := make([]Type, len(list))
	for i, x := range list {
		out[i] = c.TypeOf(x)
	}
	return out
}

// A Size is a parameter that counts elements: a known number, a name, or `?`, which
// is not known at all. A name stands for one number in one run of one function: two
// types of a function that name the same size have that size in common. Another
// function may call it otherwise: a caller gives each name of its callee's signature
// one size (see Context.Match). Sizes are equal if they are spelt alike; nothing is
// known of two that are `?`.
type Size struct {
	N    int64  // Dynamic for `?`; 0 if it has a name
	Name string // a letter or underscore, then letters, digits and underscores
}

// Known is a size that is a number.
func Known(n int64) Size { return Size{N: n} }

// AnySize is `?`, and NamedSize a size with a name.
var AnySize = Size{N: Dynamic}

// NamedSize is a size with a name.
func NamedSize(name string) Size { return Size{Name: name} }

// SizeAttr returns a size as an attribute: an index, or a string that is its name.
func (c *Context) SizeAttr(s Size) Attr {
	if s.Name != "" {
		return c.StringAttr(s.Name)
	}
	return c.IntAttr(s.N, Index)
}

// SizeOf is the inverse of SizeAttr.
func (c *Context) SizeOf(a Attr) Size {
	if info := c.AttrInfo(a); info.Kind == AttrString {
		return NamedSize(info.Str)
	}
	return Known(c.AttrInfo(a).Int)
}

// SizeParam is a field that is a size.
func SizeParam[T any](name string, field func(*T) *Size) Param[T] {
	return Param[T]{ParamInfo{Name: name, Kind: param.Size}, func(c *Context, v *T) Attr { return c.SizeAttr(*field(v)) },
		func(c *Context, v *T, a Attr) { *field(v) = c.SizeOf(a) }}
}

// sizesOf lists the sizes of a list.
func (c *Context) sizesOf(a Attr) []Size {
	if a == 0 {
		return nil
	}
	list := c.AttrInfo(a).List
	out := make([]Size, len(list))
	for i, x := range list {
		out[i] = c.SizeOf(x)
	}
	return out
}

// A Field is a type with a name.
type Field struct {
	Name string // as programs and JSON spell it
	Type Type   // of its values
}

// FieldsAttr returns a list of fields, 0 if it is empty.
func (c *Context) FieldsAttr(fields ...Field) Attr {
	if len(fields) == 0 {
		return 0
	}
	list := make([]Attr, len(fields))
	for i, f := range fields {
		list[i] = c.ArrayAttr(c.StringAttr(f.Name), c.TypeAttr(f.Type))
	}
	return c.ArrayAttr(list...)
}

// FieldsOf lists the fields of a list.
func (c *Context) FieldsOf(a Attr) []Field {
	if a == 0 {
		return nil
	}
	list := c.AttrInfo(a).List
	out := make([]Field, len(list))
	for i, x := range list {
		pair := c.AttrInfo(x).List
		out[i] = Field{c.AttrInfo(pair[0]).Str, c.TypeOf(pair[1])}
	}
	return out
}

// Match compares the types of a call with those of its callee's signature. Names of
// sizes are the callee's own: each stands for one size of the caller wherever it stands,
// given by an argument. Of a size that only results name the caller knows nothing: `?`.
func (c *Context) Match(formalIn, in, formalOut, out []Type) bool {
	if len(formalIn) != len(in) || len(formalOut) != len(out) {
		return false
	}
	m := matcher{c: c, sizes: map[string]Size{}, binds: true}
	for i, t := range formalIn {
		if !m.types(t, in[i]) {
			return false
		}
	}
	m.binds = false
	for i, t := range formalOut {
		if !m.types(t, out[i]) {
			return false
		}
	}
	return true
}

// HasSizes reports that some dialect has a type with a size for a parameter.
func (c *Context) HasSizes() bool { return c.defs.sized }

// matcher knows which size each name of a signature stands for.
type matcher struct {
	c     *Context
	sizes map[string]Size
	binds bool // a name that is new stands for what it meets
}

func (m *matcher) types(formal, actual Type) bool {
	if !m.c.defs.sized || formal < numFixedTypes {
		return formal == actual
	}
	f, a := m.c.Info(formal), m.c.Info(actual)
	if f.Kind != a.Kind || f.Def != a.Def || len(f.Types) != len(a.Types) || len(f.Params) != len(a.Params) {
		return false
	}
	for i, t := range f.Types {
		if !m.types(t, a.Types[i]) {
			return false
		}
	}
	if f.Def != nil {
		for i, p := range f.Def.Params {
			if !m.param(p.Kind, f.Params[i], a.Params[i]) {
				return false
			}
		}
		return true
	}
	if f.Elem != NoType {
		if !m.types(f.Elem, a.Elem) {
			return false
		}
		same := *a
		same.Elem = f.Elem
		return m.c.Type(same) == formal
	}
	return len(f.Types) > 0 && f.NumIn == a.NumIn || formal == actual
}

func (m *matcher) param(kind param.Kind, formal, actual Attr) bool {
	if formal == 0 || actual == 0 {
		return formal == actual
	}
	switch kind {
	case param.Type:
		return m.types(m.c.TypeOf(formal), m.c.TypeOf(actual))
	case param.Size:
		return m.size(m.c.SizeOf(formal), m.c.SizeOf(actual))
	case param.Types, param.Sizes:
		f, a := m.c.AttrInfo(formal).List, m.c.AttrInfo(actual).List
		if len(f) != len(a) {
			return false
		}
		for i := range f {
			if !m.param(kind-1, f[i], a[i]) { // a list's kind stands behind that of its elements
				return false
			}
		}
		return true
	}
	return formal == actual
}

func (m *matcher) size(formal, actual Size) bool {
	if formal.Name == "" {
		return formal == actual
	}
	known, ok := m.sizes[formal.Name]
	switch {
	case ok:
		return known == actual && known != AnySize // two that are `?` need not be one
	case m.binds:
		m.sizes[formal.Name] = actual
		return true
	}
	return actual == AnySize
}

// NamesSizes reports a graph with a value of a type that names a size, which means
// something in that function only.
func (g *Graph) NamesSizes() bool {
	if !g.Ctx.defs.sized {
		return false
	}
	for _, n := range g.nodes {
		if g.Ctx.namesSize(n.typ) {
			return true
		}
	}
	return false
}

func (c *Context) namesSize(t Type) bool {
	if t < numFixedTypes {
		return false
	}
	info := c.Info(t)
	for i, p := range info.Params {
		if p == 0 {
			continue
		}
		switch info.Def.Params[i].Kind {
		case param.Size:
			if c.SizeOf(p).Name != "" {
				return true
			}
		case param.Sizes:
			for _, s := range c.sizesOf(p) {
				if s.Name != "" {
					return true
				}
			}
		case param.Type:
			if c.namesSize(c.TypeOf(p)) {
				return true
			}
		case param.Types:
			for _, t := range c.TypesOf(p) {
				if c.namesSize(t) {
					return true
				}
			}
		}
	}
	for _, t := range info.Types {
		if c.namesSize(t) {
			return true
		}
	}
	return c.namesSize(info.Elem)
}
