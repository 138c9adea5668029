// Package partwise takes values of types that become others in the lowering pipeline (ir.TypeLowering) apart, as a function
// wants them that was lowered, and puts its results together. An array of such values is an array of each part.
//
// A part may have parts of its own: what a function takes are the leaves, in the order in which they are found from left
// to right. Arrays are copied, into an array of each leaf and, when the function is done, back: nobody else may write to
// them meanwhile. An array of a type without parts has no leaf that says how long it is, and so cannot come back.
package partwise

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

// Flatten makes of arguments of the given types those that a function takes whose types
// have become their parts. back brings what was stored into arrays of parts back; call it once, when the
// function has returned.
func Flatten(c *ir.Context, types []ir.Type, vals []ir.Val) (flat []ir.Val, back func()) {
	var undo []func()
	for i, t := range types {
		if info := c.Info(t); info.Kind == ir.KindMemRef && c.LoweringOf(info.Elem) != nil {
			arrays, b := arraysOfParts(c, info.Elem, vals[i].Ref.(*interp.MemRef))
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

// leafTypes lists the types of leaves, as many as a value of the type has: none, where the type has no parts
// at all.
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
func arraysOfParts(c *ir.Context, elem ir.Type, r *interp.MemRef) (out []ir.Val, back func()) {
	types := leafTypes(c, elem)
	strides, n, _ := strided.RowMajor(r.Sizes)
	bufs := make([]*interp.Buffer, len(types))
	for k, t := range types {
		bufs[k] = interp.NewBuffer(c, t, int(n), false)
		bufs[k].Static = true
		out = append(out, ir.Val{Ref: &interp.MemRef{Buf: bufs[k], Sizes: r.Sizes, Strides: strides}})
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
			parts := lists.Map(bufs, func(b *interp.Buffer) ir.Val { return b.Load(i) })
			v, _ := joined(c, elem, parts)
			r.Buf.Store(pos, v)
			i++
		})
	}
}

// joined puts a value together from the first leaves, and returns the others. It is what leaves takes apart, in the same
// order.
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

// Unflatten makes of results what Flatten takes: values of the given types. The error is about an array of which
// no size is known.
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
func arrayOfWholes(c *ir.Context, elem ir.Type, arrays []ir.Val) (*interp.MemRef, error) {
	if len(arrays) == 0 {
		return nil, fmt.Errorf("an array of values without parts has no size outside of its program")
	}
	parts := make([][]ir.Val, len(arrays))
	var sizes []int64
	for k, a := range arrays {
		r, err := interp.AsMemRef(a)
		if err != nil {
			return nil, err
		}
		sizes = r.Sizes
		r.Each(func(pos int) { parts[k] = append(parts[k], r.Buf.Load(pos)) })
	}
	strides, n, _ := strided.RowMajor(sizes)
	b := interp.NewBuffer(c, elem, int(n), false)
	b.Static = true
	for i := range int(n) {
		flat := make([]ir.Val, len(parts))
		for k := range parts {
			flat[k] = parts[k][i]
		}
		v, _ := joined(c, elem, flat)
		b.Store(i, v)
	}
	return &interp.MemRef{Buf: b, Sizes: sizes, Strides: strides}, nil
}
