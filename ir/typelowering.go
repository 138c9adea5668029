package ir

import "fmt"

// TypeLowerings are the table of a dialect that says what its types become, by the
// level at which they do: `lower{to=arith}`. A type becomes something at one level.
type TypeLowerings map[string]map[Defined]TypeLowering

// A TensorLowering is the table of the one dialect that says what tensors become, MLIR's
// tensor<...>, which no dialect defines: those that it takes.
type TensorLowering struct {
	Level string
	Takes func(c *Context, t Type) bool
	TypeLowering
}

// A TypeLowering says what a type becomes: its parts, values of other types, perhaps
// none. Where values are handed on (signatures, calls, what loops carry) the parts take
// the place of the value; between ops that know the type and those that know the parts
// stand Unpack and Pack, which folds are to undo: unpacking what was packed is the parts.
// Arguments and results of programs (JSON), and engines that know the parts only, go
// through Split and Join.
type TypeLowering struct {
	Parts  func(c *Context, t Type) []Type
	Unpack func(b *Builder, v Value) []Value
	Pack   func(b *Builder, t Type, parts []Value) Value
	// Fields are the names of the parts in JSON, {"re": 1, "im": 2}; without them a
	// value is a list.
	Fields []string
	// Split takes a value of a running program apart and Join puts one together; nil if
	// it is the Vector of its parts.
	Split func(c *Context, t Type, v Val) []Val
	Join  func(c *Context, t Type, parts []Val) Val

	Level string // set by the context
}

// lowerTypes registers what the types of a dialect become.
func (c *Context) lowerTypes(d *Dialect) {
	if l := Table[*TensorLowering](d); l != nil {
		if c.tensors != nil {
			panic("ir: dialect " + d.Name + " lowers tensors, which another one does")
		}
		lowering := *l
		lowering.TypeLowering.Level = l.Level
		c.tensors = &lowering
	}
	for level, types := range Table[TypeLowerings](d) {
		for def, l := range types {
			s := def.Shape()
			switch {
			case l.Parts == nil || l.Unpack == nil || l.Pack == nil:
				panic(fmt.Sprintf("ir: the lowering of type !%s to %s has no Parts, Unpack or Pack", s.Name, level))
			case c.lowerings[s] != nil:
				panic(fmt.Sprintf("ir: type !%s is lowered to %s and to %s", s.Name, c.lowerings[s].Level, level))
			}
			l.Level = level
			c.lowerings[s] = &l
		}
	}
}

// LoweringOf returns what a type itself becomes, or nil.
func (c *Context) LoweringOf(t Type) *TypeLowering {
	if t < numFixedTypes || len(c.lowerings) == 0 && c.tensors == nil {
		return nil
	}
	info := c.Info(t)
	switch {
	case info.Def != nil:
		return c.lowerings[info.Def]
	case info.Kind == KindTensor && c.tensors != nil && c.tensors.Takes(c, t):
		return &c.tensors.TypeLowering
	}
	return nil
}

// LowersTypes reports that some type becomes another one at a level.
func (c *Context) LowersTypes(level string) bool {
	if c.tensors != nil && c.tensors.Level == level {
		return true
	}
	for _, l := range c.lowerings {
		if l.Level == level {
			return true
		}
	}
	return false
}

// TypeLevels lists the levels at which types become others.
func (c *Context) TypeLevels() (out []string) {
	for _, l := range c.lowerings {
		out = append(out, l.Level)
	}
	if c.tensors != nil {
		out = append(out, c.tensors.Level)
	}
	return out
}

// PartsOf lists what takes the place of a type at a level, and whether that is anything
// else: the parts of a dialect's type; a function type of its parts; for an array of such
// elements an array of each part.
func (c *Context) PartsOf(t Type, level string) (parts []Type, changed bool) {
	if t < numFixedTypes {
		return []Type{t}, false
	}
	if l := c.LoweringOf(t); l != nil && l.Level == level {
		for _, p := range l.Parts(c, t) {
			inner, _ := c.PartsOf(p, level)
			parts = append(parts, inner...)
		}
		return parts, true
	}
	switch info := c.Info(t); info.Kind {
	case KindFunction:
		in, changedIn := c.partsOfAll(info.Types[:info.NumIn], level)
		out, changedOut := c.partsOfAll(info.Types[info.NumIn:], level)
		if changedIn || changedOut {
			return []Type{c.Func(in, out)}, true
		}
	case KindMemRef, KindVector, KindTensor:
		elems, changed := c.PartsOf(info.Elem, level)
		if !changed {
			break
		}
		for _, e := range elems {
			part := *info
			part.Elem = e
			parts = append(parts, c.Type(part))
		}
		return parts, true
	}
	return []Type{t}, false
}

func (c *Context) partsOfAll(ts []Type, level string) (out []Type, changed bool) {
	for _, t := range ts {
		parts, ch := c.PartsOf(t, level)
		out, changed = append(out, parts...), changed || ch
	}
	return out, changed
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
	return v.Ref.(Vector)
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
