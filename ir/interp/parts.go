package interp

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A type of a dialect that becomes others in the lowering pipeline (ir.TypeLowering) is its parts
// to what lies outside of a program: in JSON, and to an engine that was given the program
// lowered. An array of such values is an array of each part to an engine.

// Flatten makes of arguments of the given types those that a function takes whose types
// have become their parts. back brings what was stored into arrays of parts back.
func Flatten(c *ir.Context, types []ir.Type, vals []ir.Val) (flat []ir.Val, back func()) {
	var undo []func()
	for i, t := range types {
		if info := c.Info(t); info.Kind == ir.KindMemRef && c.LoweringOf(info.Elem) != nil {
			arrays, b := arraysOfParts(c, info.Elem, vals[i].Ref.(*MemRef))
			flat, undo = append(flat, arrays...), append(undo, b)
		} else {
			flat = append(flat, leaves(c, t, vals[i])...)
		}
	}
	return flat, func() {
		for _, f := range undo {
			f()
		}
	}
}

// leaves takes a value apart until no part has parts.
func leaves(c *ir.Context, t ir.Type, v ir.Val) (out []ir.Val) {
	l := c.LoweringOf(t)
	if l == nil {
		return []ir.Val{v}
	}
	types := l.Parts(c, t)
	for i, p := range l.SplitVal(c, t, v, len(types)) {
		out = append(out, leaves(c, types[i], p)...)
	}
	return out
}

// leafTypes lists the types of leaves.
func leafTypes(c *ir.Context, t ir.Type) (out []ir.Type) {
	l := c.LoweringOf(t)
	if l == nil {
		return []ir.Type{t}
	}
	for _, p := range l.Parts(c, t) {
		out = append(out, leafTypes(c, p)...)
	}
	return out
}

// arraysOfParts copies an array into an array of each part.
func arraysOfParts(c *ir.Context, elem ir.Type, r *MemRef) (out []ir.Val, back func()) {
	types := leafTypes(c, elem)
	strides, n, _ := RowMajor(r.Sizes)
	bufs := make([]*Buffer, len(types))
	for k, t := range types {
		bufs[k] = NewBuffer(c, t, int(n), false)
		bufs[k].Static = true
		out = append(out, ir.Val{Ref: &MemRef{Buf: bufs[k], Sizes: r.Sizes, Strides: strides}})
	}
	i := 0
	r.Each(func(pos int) {
		for k, v := range leaves(c, elem, r.Buf.Load(pos)) {
			bufs[k].Store(i, v)
		}
		i++
	})
	return out, func() {
		i := 0
		r.Each(func(pos int) {
			parts := lists.Map(bufs, func(b *Buffer) ir.Val { return b.Load(i) })
			v, _ := joined(c, elem, parts)
			r.Buf.Store(pos, v)
			i++
		})
	}
}

// joined puts a value together from the first leaves, and returns the others.
func joined(c *ir.Context, t ir.Type, flat []ir.Val) (ir.Val, []ir.Val) {
	l := c.LoweringOf(t)
	if l == nil {
		return flat[0], flat[1:]
	}
	types := l.Parts(c, t)
	parts := make([]ir.Val, len(types))
	for i, p := range types {
		parts[i], flat = joined(c, p, flat)
	}
	return l.JoinVal(c, t, parts), flat
}

// Unflatten makes of results what Flatten takes: values of the given types.
func Unflatten(c *ir.Context, types []ir.Type, flat []ir.Val) ([]ir.Val, error) {
	out := make([]ir.Val, len(types))
	for i, t := range types {
		if info := c.Info(t); info.Kind == ir.KindMemRef && c.LoweringOf(info.Elem) != nil {
			n := len(leafTypes(c, info.Elem))
			r, err := arrayOfWholes(c, info.Elem, flat[:n])
			if err != nil {
				return nil, err
			}
			out[i], flat = ir.Val{Ref: r}, flat[n:]
			continue
		}
		out[i], flat = joined(c, t, flat)
	}
	return out, nil
}

// arrayOfWholes is an array of what stands in arrays of its parts.
func arrayOfWholes(c *ir.Context, elem ir.Type, arrays []ir.Val) (*MemRef, error) {
	if len(arrays) == 0 {
		return nil, fmt.Errorf("an array of values without parts has no size outside of its program")
	}
	parts := make([][]ir.Val, len(arrays))
	var sizes []int64
	for k, a := range arrays {
		r, err := AsMemRef(a)
		if err != nil {
			return nil, err
		}
		sizes = r.Sizes
		r.Each(func(pos int) { parts[k] = append(parts[k], r.Buf.Load(pos)) })
	}
	strides, n, _ := RowMajor(sizes)
	b := NewBuffer(c, elem, int(n), false)
	b.Static = true
	for i := range int(n) {
		flat := make([]ir.Val, len(parts))
		for k := range parts {
			flat[k] = parts[k][i]
		}
		v, _ := joined(c, elem, flat)
		b.Store(i, v)
	}
	return &MemRef{Buf: b, Sizes: sizes, Strides: strides}, nil
}

// lowered reads a value of a type that becomes others: a list of its parts, an object
// of its fields, or the one part.
func (r *reader) lowered(x any, t ir.Type, l *ir.TypeLowering) (ir.Val, error) {
	types := l.Parts(r.c, t)
	var list []any
	switch y := x.(type) {
	case []any:
		list = y
	case map[string]any:
		for _, f := range l.Fields {
			part, ok := y[f]
			if !ok {
				return ir.Val{}, fmt.Errorf("the field %q is missing", f)
			}
			list = append(list, part)
		}
		if len(y) != len(l.Fields) {
			return ir.Val{}, fmt.Errorf("the fields are %q", l.Fields)
		}
	}
	if _, isList := x.([]any); len(types) == 1 && !isList && list == nil {
		list = []any{x}
	}
	if len(list) != len(types) {
		return ir.Val{}, fmt.Errorf("a list of %d parts is wanted, not %s", len(types), spell(x))
	}
	parts := make([]ir.Val, len(types))
	for i, p := range types {
		var err error
		r.path = append(r.path, i)
		if parts[i], err = r.value(list[i], p); err != nil {
			return ir.Val{}, err
		}
		r.path = r.path[:len(r.path)-1]
	}
	return l.JoinVal(r.c, t, parts), nil
}

// appendLowered spells such a value.
func appendLowered(out []byte, c *ir.Context, v ir.Val, t ir.Type, l *ir.TypeLowering, f form) []byte {
	types := l.Parts(c, t)
	parts := l.SplitVal(c, t, v, len(types))
	open, end := byte('['), byte(']')
	if len(l.Fields) > 0 {
		open, end = '{', '}'
	}
	out = append(out, open)
	for i, p := range types {
		if i > 0 {
			out = append(out, ", "...)
		}
		if len(l.Fields) > 0 {
			out = append(f.word(out, l.Fields[i]), ": "...)
		}
		out = appendVal(out, c, parts[i], p, f)
	}
	return append(out, end)
}
