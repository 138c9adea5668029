package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// Maps of a product that is shaped anew become maps of the product, which are shaped anew: what they read besides is given the extents
// of the product, too.

// regrouped makes them.
func (d down) regrouped(f *finish) ir.Value {
	c := d.B.Ctx()
	to := tensor.Shape(c, f.product.Type())
	var value func(n ir.Node) ir.Value
	value = func(n ir.Node) ir.Value {
		switch {
		case n.Old() == f.under.Old():
			return d.Of(f.product)
		case !tensor.Takes(c, n.Type()):
			return d.Of(n)
		case slices.ContainsFunc(f.reads, func(a ir.Node) bool { return a.Old() == n.Old() }):
			shape, _ := d.regroupedShape(f, n)
			return d.reshaped(d.Of(n), shape)
		}
		elem := tensor.Elem(c, n.Type())
		t := c.Tensor(to, elem)
		if n.Def() == tensor.Fill || n.Def() == arith.Constant {
			return d.B.Must(ir.Call{Def: tensor.Fill, Args: []ir.Value{d.makeElement(n, nil)}, Type: t, Loc: d.B.Loc})
		}
		args := make([]ir.Value, n.NumArgs())
		for i, a := range n.Args() {
			args[i] = value(a)
		}
		if n.Def() == tensor.Map {
			return tensor.BuildMap(d.B, t, args, func(xs []ir.Value) ir.Value { return d.Body(n.Region(0), xs...)[0] })
		}
		return d.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: t, Loc: d.B.Loc})
	}
	return d.reshaped(value(f.root), tensor.Shape(c, f.root.Type()))
}

// reshaped is a tensor under other extents, which are known.
func (d down) reshaped(v ir.Value, shape []int64) ir.Value {
	c := d.B.Ctx()
	t := c.Tensor(shape, c.Info(d.B.Graph().Type(v)).Elem)
	if t == d.B.Graph().Type(v) {
		return v
	}
	return d.B.Must(ir.Call{Def: tensor.Reshape, Args: []ir.Value{v}, Type: t, Loc: d.B.Loc})
}

// canRegroup reports that all that is read can have the extents of the product.
func (d down) canRegroup(f *finish) bool {
	return !slices.ContainsFunc(f.reads, func(a ir.Node) bool { _, ok := d.regroupedShape(f, a); return !ok })
}

// regroupedShape are extents of what is read, by which it is stretched to the product's as it was to the maps'. There are none where of several
// dimensions that become one it is stretched along some.
func (d down) regroupedShape(f *finish, a ir.Node) (out []int64, ok bool) {
	c := f.root.Graph().Ctx
	from, to, shape := tensor.Shape(c, f.root.Type()), tensor.Shape(c, f.product.Type()), tensor.Shape(c, a.Type())
	own := append(slices.Repeat([]int64{1}, len(from)-len(shape)), shape...)
	at := 0
	for _, n := range to {
		begin, have := at, int64(1)
		for at < len(from) && (have < n || from[at] == 1) {
			have = ir.Times(have, from[at])
			at++
		}
		switch {
		case have != n:
			return nil, false
		case slices.Equal(own[begin:at], from[begin:at]):
			out = append(out, n)
		case isStretched(own[begin:at], at-begin):
			out = append(out, 1)
		default:
			return nil, false
		}
	}
	return out, at == len(from)
}
