package ir

import (
	"fmt"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir/param"
)

// A TypeDef defines a type of a dialect: a comparable Go struct T whose fields are its
// parameters, lists in it interned (see Param). It is a struct literal given to
// DefineType and listed in Dialect.Types; it is written `!dialect.name` and then as
// Format says, in the notation of text.Form: literals, $parameter and optional
// groups. An empty Format writes `<$a, $b, ...>`, or nothing without parameters.
// Without parameters T is Unit.
type TypeDef[T comparable] struct {
	Name, Doc string     // "dialect.name"
	Format    string     // as said above
	Params    []Param[T] // one for each field of T that is a parameter
	// Verify says what is wrong with a value; it is asked whenever a type is made.
	Verify func(c *Context, t T) error

	shape *Shape
}

// Unit is the Go value of a type or attribute without parameters.
type Unit = struct{}

// DefineType makes a definition ready. Call it once for each, in a package variable;
// what is wrong with it is its author's mistake and panics.
func DefineType[T comparable](d *TypeDef[T]) *TypeDef[T] {
	d.shape = newShape("type !", d.Name, d.Doc, d.Format, d.Params, d.Verify)
	param.Define(d.Name, false)
	return d
}

// Shape returns what does not depend on the Go type.
func (d *TypeDef[T]) Shape() *Shape { return d.shape }

// Make returns the type with the given parameters, or what Verify says against it.
func (d *TypeDef[T]) Make(c *Context, t T) (Type, error) {
	key := goKey{d.shape, t}
	if old, ok := c.types.byGo.Load(key); ok && !d.shape.floats {
		return old.(Type), nil
	}
	params, err := paramsOf(c, d.shape, d.Params, d.Verify, t)
	if err != nil {
		return 0, err
	}
	out := c.Type(TypeInfo{Kind: KindOpaque, Text: d.Name, Def: d.shape, Params: params, Value: t})
	if !d.shape.floats {
		c.types.byGo.Store(key, out)
	}
	return out, nil
}

// Type is Make for parameters that are right; wrong ones are the author's mistake.
func (d *TypeDef[T]) Type(c *Context, t T) Type {
	out, err := d.Make(c, t)
	if err != nil {
		panic(fmt.Sprintf("ir: type !%s: %v", d.Name, err))
	}
	return out
}

// Of returns the parameters of a type; ok is false if it is none of these.
func (d *TypeDef[T]) Of(c *Context, t Type) (v T, ok bool) {
	if info := c.Info(t); info.Def == d.shape && d.shape != nil {
		return info.Value.(T), true
	}
	return v, false
}

// Is reports a type of this definition.
func (d *TypeDef[T]) Is(c *Context, t Type) bool { return c.Info(t).Def == d.shape }

// An AttrDef defines an attribute of a dialect, written `#dialect.name`, as a TypeDef
// defines a type. One that stands for values of a type, in the property "value" of the
// dialect's op with the trait ConstantLike, has the last three fields: then ops on such
// values are folded by their Eval.
type AttrDef[T comparable] struct {
	Name, Doc string                      // "dialect.name"; what it is, in a sentence or two
	Format    string                      // as that of a TypeDef
	Params    []Param[T]                  // one for each field of T that is a parameter
	Verify    func(c *Context, a T) error // says what is wrong with a value; it is asked whenever an attribute is made. nil takes all

	ValueType func(c *Context, a T) Type                // the type of the value
	Value     func(c *Context, a T) Val                 // the value
	FromValue func(c *Context, t Type, v Val) (T, bool) // the attribute of a value, if it has one

	shape *Shape
}

// DefineAttr makes a definition ready, as DefineType does.
func DefineAttr[T comparable](d *AttrDef[T]) *AttrDef[T] {
	d.shape = newShape("attribute #", d.Name, d.Doc, d.Format, d.Params, d.Verify)
	param.Define(d.Name, true)
	if d.ValueType != nil {
		d.shape.valueType = func(c *Context, v any) Type {
			return asked(d.shape, "ValueType", func() Type { return d.ValueType(c, v.(T)) })
		}
	}
	if d.Value != nil {
		d.shape.value = func(c *Context, v any) Val { return asked(d.shape, "Value", func() Val { return d.Value(c, v.(T)) }) }
	}
	if d.FromValue != nil {
		d.shape.fromValue = func(c *Context, t Type, v Val) Attr {
			return asked(d.shape, "FromValue", func() Attr {
				if a, ok := d.FromValue(c, t, v); ok {
					return d.Attr(c, a)
				}
				return 0
			})
		}
	}
	return d
}

// Shape returns what does not depend on the Go type.
func (d *AttrDef[T]) Shape() *Shape { return d.shape }

// Make returns the attribute with the given parameters, or what Verify says against it. The value
// is kept as what the attribute stands for, and must not change.
func (d *AttrDef[T]) Make(c *Context, v T) (Attr, error) {
	params, err := paramsOf(c, d.shape, d.Params, d.Verify, v)
	if err != nil {
		return 0, err
	}
	a := d.shape.attr(c, params, v)
	if !d.shape.floats {
		c.goValues.keep(a, v)
	}
	return a, nil
}

// Attr is Make for parameters that are right; wrong ones are the author's mistake.
func (d *AttrDef[T]) Attr(c *Context, v T) Attr {
	out, err := d.Make(c, v)
	if err != nil {
		panic(fmt.Sprintf("ir: attribute #%s: %v", d.Name, err))
	}
	return out
}

// Of returns the parameters of an attribute; ok is false if it is none of these.
func (d *AttrDef[T]) Of(c *Context, a Attr) (v T, ok bool) {
	if a == 0 || c.KindOf(a) != AttrDefined || c.AttrInfo(a).Str != d.Name {
		return v, false
	}
	v, ok = c.goValues.ofDef(c, d.shape, a).(T)
	return v, ok
}

// Defined is a TypeDef or an AttrDef of any Go type.
type Defined interface {
	Shape() *Shape // what generic code sees of it
}

// A Shape is what generic code, such as the text form, sees of a definition: parameters
// are attributes to it, 0 where an optional one is absent.
type Shape struct {
	Name, Doc, Format string      // as in TypeDef and AttrDef
	Params            []ParamInfo // in the order of the definition

	written   string // !dialect.name or #dialect.name
	build     func(c *Context, params []Attr) (v any, canonical []Attr, err error)
	valueType func(c *Context, v any) Type
	value     func(c *Context, v any) Val
	fromValue func(c *Context, t Type, v Val) Attr
	floats    bool // some parameter is a float: Go's == tells neither two zeros nor one NaN from another
}

func newShape[T comparable](what, name, doc, format string, params []Param[T], verify func(*Context, T) error) *Shape {
	if dialect, own, ok := strings.Cut(name, "."); !ok || dialect == "" || own == "" {
		panic("ir: the name of " + what + name + " is not of the form dialect.name")
	}
	s := &Shape{Name: name, Doc: doc, Format: format, written: what[strings.IndexByte(what, ' ')+1:] + name}
	for _, p := range params {
		s.Params = append(s.Params, p.ParamInfo)
		s.floats = s.floats || p.Kind == param.Float
	}
	s.build = func(c *Context, given []Attr) (any, []Attr, error) {
		var v T
		for i, p := range params {
			if given[i] == 0 {
				continue
			}
			if p.check != nil {
				if err := p.check(c, given[i]); err != nil {
					return nil, nil, err
				}
			}
			p.set(c, &v, given[i])
		}
		canonical, err := paramsOf(c, s, params, verify, v)
		return v, canonical, err
	}
	return s
}

// paramsOf checks a Go value and returns its parameters as attributes.
func paramsOf[T comparable](c *Context, s *Shape, params []Param[T], verify func(*Context, T) error, v T) ([]Attr, error) {
	out := make([]Attr, len(params))
	for i, p := range params {
		out[i] = p.get(c, &v)
		if out[i] == 0 && !p.Optional {
			return nil, fmt.Errorf("has no parameter '%s'", p.Name)
		}
	}
	if verify != nil {
		if err := asked(s, "Verify", func() error { return verify(c, v) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// goKey finds a type by its Go value.
type goKey struct {
	def *Shape
	v   any
}

// DefinedType makes a type of a definition from parameters that were read.
func (c *Context) DefinedType(s *Shape, params []Attr) (Type, error) {
	v, canonical, err := s.build(c, params)
	if err != nil {
		return 0, err
	}
	return c.Type(TypeInfo{Kind: KindOpaque, Text: s.Name, Def: s, Params: canonical, Value: v}), nil
}

// DefinedAttr makes an attribute of a definition from parameters that were read.
func (c *Context) DefinedAttr(s *Shape, params []Attr) (Attr, error) {
	v, canonical, err := s.build(c, params)
	if err != nil {
		return 0, err
	}
	return s.attr(c, canonical, v), nil
}

// attr is the attribute of a value of the definition.
func (s *Shape) attr(c *Context, params []Attr, v any) Attr {
	info := AttrInfo{Kind: AttrDefined, Str: s.Name, List: params}
	if s.valueType != nil {
		info.Type = s.valueType(c, v)
	}
	return c.Attr(info)
}

// dialect is the name of the dialect of a definition.
func (s *Shape) dialect() string {
	d, _, _ := strings.Cut(s.Name, ".")
	return d
}

// goValues are the Go values of attributes. The first that is kept for an attribute stays: all who
// ask get the same one.
type goValues struct{ of sync.Map } // Attr -> any

func (g *goValues) keep(a Attr, v any) { g.of.LoadOrStore(a, v) }

func (g *goValues) get(a Attr) any {
	v, _ := g.of.Load(a)
	return v
}

// ofDef is the value of an attribute of a definition, built from its parameters if nobody gave it.
func (g *goValues) ofDef(c *Context, s *Shape, a Attr) any {
	if v, ok := g.of.Load(a); ok {
		return v
	}
	v, _, err := s.build(c, c.AttrInfo(a).List)
	if err != nil {
		return nil
	}
	g.of.Store(a, v)
	return v
}

// GoAttr interns an attribute together with the Go value that it stands for, which is never
// changed: whoever has the attribute gets the value (GoOf), and nobody reads its text again.
func (c *Context) GoAttr(info AttrInfo, v any) Attr {
	a := c.Attr(info)
	c.goValues.keep(a, v)
	return a
}

// GoOf is the Go value of an attribute that GoAttr made, or nil.
func (c *Context) GoOf(a Attr) any { return c.goValues.get(a) }

// TypeDefNamed finds the definition of a type of a registered dialect by its name
// without the "!", or nil; AttrDefNamed that of an attribute without the "#".
func (c *Context) TypeDefNamed(name string) *Shape { return c.defs.types[name] }

// AttrDefNamed finds the definition of an attribute, or nil.
func (c *Context) AttrDefNamed(name string) *Shape { return c.defs.attrs[name] }

// constantOf is the op that makes constants of a type, or nil.
func (c *Context) constantOf(t Type) *OpDef {
	if t >= numFixedTypes {
		if s := c.Info(t).Def; s != nil {
			return c.defs.constants[s.dialect()]
		}
	}
	return c.defs.constant
}

// definitions are the types and attributes that dialects define, and how values of such types are
// constants. It changes only while dialects are registered.
type definitions struct {
	types, attrs map[string]*Shape
	constant     *OpDef              // of the types that no dialect defines
	constants    map[string]*OpDef   // of the types of a dialect, by its name
	literals     map[string][]*Shape // attributes that stand for values, by dialect
	sized        bool                // some type has a size for a parameter
}

func newDefinitions() definitions {
	return definitions{types: map[string]*Shape{}, attrs: map[string]*Shape{}, constants: map[string]*OpDef{}, literals: map[string][]*Shape{}}
}

// register adds what a dialect defines.
func (t *definitions) register(d *Dialect) {
	t.add(t.types, d, d.Types)
	t.add(t.attrs, d, d.Attrs)
	for _, op := range d.Ops {
		switch {
		case op.Traits&ConstantLike == 0:
		case len(d.Types) > 0:
			t.constants[d.Name] = op
		case t.constant == nil:
			t.constant = op
		}
	}
	for _, x := range d.Attrs {
		if x.Shape().fromValue != nil {
			t.literals[d.Name] = append(t.literals[d.Name], x.Shape())
		}
	}
}

// add enters definitions of a dialect, each of which has a name of its own.
func (t *definitions) add(to map[string]*Shape, d *Dialect, list []Defined) {
	for _, x := range list {
		s := x.Shape()
		if s == nil {
			panic("ir: a type or attribute of dialect " + d.Name + " was not made by ir.DefineType or ir.DefineAttr")
		}
		if s.dialect() != d.Name || to[s.Name] != nil && to[s.Name] != s {
			panic("ir: dialect " + d.Name + " defines " + s.Name + ", which is another's")
		}
		to[s.Name] = s
		for _, p := range s.Params {
			t.sized = t.sized || p.Kind == param.Size || p.Kind == param.Sizes
		}
	}
}

// literal is the attribute of a value of a dialect's type, or 0.
func (t *definitions) literal(c *Context, v Val, of Type, s *Shape) Attr {
	for _, l := range t.literals[s.dialect()] {
		if a := l.fromValue(c, of, v); a != 0 {
			return a
		}
	}
	return 0
}

// value is the value that a dialect's attribute stands for.
func (t *definitions) value(c *Context, a Attr) (Val, error) {
	s := t.attrs[c.AttrInfo(a).Str]
	if s == nil || s.value == nil {
		return Val{}, ErrNoValue
	}
	return s.value(c, c.goValues.ofDef(c, s, a)), nil
}
