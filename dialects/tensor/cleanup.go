package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// cleanups see who reads an op: what is read elsewhere too is left as it is, since it would be computed twice.
var cleanups = []ir.Cleanup{
	{Of: Map, Rule: "a map that only another map reads is part of it", Do: mapOfMap},
	{Of: Map, Rule: "a map that scales the channels of a convolution scales its kernels, where reassoc allows it", Do: scaledConv},
	{Of: Map, Rule: "a map that multiplies an einsum takes part in the order of its products, where reassoc allows it and that costs less", Do: chained},
	{Of: Einsum, Rule: "einsums, and maps that multiply, which only an einsum reads are taken in the order that costs least", Do: chained},
}

// onlyReads reports an op that n alone reads, in the same region, and that still reads what it did.
func onlyReads(m *ir.Mirror, n, a ir.Node) bool {
	s := m.Schedule()
	return carried(m)[a.Old()] == 0 && s.Place(a.Old()) == s.Place(n.Old()) && !slices.ContainsFunc(a.Users(), func(u ir.Node) bool { return u.Old() != n.Old() })
}

// mapOfMap wants the same extents: a map that is stretched would be computed more often.
func mapOfMap(m *ir.Mirror, n ir.Node) ir.Value {
	c := n.Graph().Ctx
	at := slices.IndexFunc(n.Args(), func(a ir.Node) bool {
		return a.Def() == Map && onlyReads(m, n, a) && slices.Equal(Shape(c, a.Type()), Shape(c, n.Type()))
	})
	if at < 0 {
		return 0
	}
	inner := n.Arg(at)
	var args []ir.Value
	place := func(v ir.Value) int { // as an operand of both
		i := slices.Index(args, v)
		if i < 0 {
			i, args = len(args), append(args, v)
		}
		return i
	}
	var first, then []int
	for _, a := range inner.Args() {
		first = append(first, place(m.Of(a)))
	}
	for _, a := range n.Args() {
		if a.Old() == inner.Old() {
			then = append(then, -1)
		} else {
			then = append(then, place(m.Of(a)))
		}
	}
	return BuildMap(m.B, n.Type(), args, func(xs []ir.Value) ir.Value {
		pick := func(of []int, y ir.Value) []ir.Value {
			out := make([]ir.Value, len(of))
			for i, k := range of {
				if out[i] = y; k >= 0 {
					out[i] = xs[k]
				}
			}
			return out
		}
		y := m.Body(inner.Region(0), pick(first, 0)...)[0]
		return m.Body(n.Region(0), pick(then, y)...)[0]
	})
}

// chained takes what only a sum of products reads into it.
func chained(m *ir.Mirror, n ir.Node) ir.Value {
	c := ChainOf(n, func(a ir.Node) bool { return onlyReads(m, n, a) })
	if c == nil || len(c.Taken) == 0 {
		return 0
	}
	values := make([]ir.Value, len(c.Args))
	for i, a := range c.Args {
		if values[i] = m.Of(a.Node); a.IsNumber {
			values[i] = m.B.Must(ir.Call{Def: Fill, Args: values[i : i+1 : i+1], Type: m.B.Ctx().Tensor([]int64{}, a.Type()), Loc: m.B.Loc})
		}
	}
	return InOrder(m.B, c.Spec, n.Type(), values)
}

// scaledConv: of a map the element of a convolution is read by one product, whose other factor is a number, or a
// tensor of one element for each channel.
func scaledConv(m *ir.Mirror, n ir.Node) ir.Value {
	g, r := n.Graph(), n.Region(0).Old()
	params := g.Params(r)
	for i, conv := range n.Args() {
		if conv.Def() != Conv || !onlyReads(m, n, conv) || slices.Index(n.Args(), conv) != i || Elem(g.Ctx, conv.Type()) != Elem(g.Ctx, conv.Arg(1).Type()) {
			continue
		}
		users := ir.Uses(g).Of(params[i])
		if len(users) != 1 {
			continue
		}
		product := g.NodeOf(users[0])
		if product.Def() != arith.Mulf || arith.FastMathOf(g.Ctx, product.Attrs())&arith.Reassoc == 0 || !slices.Contains(m.Schedule().Body(r), product.Old()) {
			continue
		}
		by := product.Arg(0)
		if by.Old() == params[i] {
			by = product.Arg(1)
		}
		scale, ok := channelScale(m, n, conv, by, slices.Index(params, by.Old()))
		if !ok {
			continue
		}
		w := m.Of(conv.Arg(1))
		w = BuildMap(m.B, g.Type(conv.Arg(1).Old()), []ir.Value{w, scale}, func(xs []ir.Value) ir.Value {
			return arith.Float(m.B, arith.Mulf, arith.Reassoc, xs[0], xs[1])
		})
		args := m.All(n.Args())
		args[i] = m.B.Must(ir.Call{Def: Conv, Args: []ir.Value{m.Of(conv.Arg(0)), w}, Attr: conv.Attrs(), Type: conv.Type(), Loc: m.B.Loc})
		return BuildMap(m.B, n.Type(), args, func(xs []ir.Value) ir.Value {
			return bodyWith(m, n.Region(0), product, xs[i], xs)
		})
	}
	return 0
}

// channelScale is a factor as a tensor that kernels M x C x K... are multiplied with. One that stretches a single channel is none.
func channelScale(m *ir.Mirror, n, conv, by ir.Node, param int) (ir.Value, bool) {
	c := m.B.Ctx()
	if param < 0 {
		if slices.Contains(m.Schedule().Body(n.Region(0).Old()), by.Old()) {
			return 0, false
		}
		x := m.Of(by)
		return m.B.Must(ir.Call{Def: Fill, Args: []ir.Value{x}, Type: c.Tensor([]int64{}, by.Type()), Loc: m.B.Loc}), true
	}
	shape, rank := Shape(c, n.Arg(param).Type()), len(Shape(c, n.Type()))
	if len(shape) == 0 {
		return m.Of(n.Arg(param)), true
	}
	at := len(shape) - rank + 1 // of the channels
	for d, extent := range shape {
		if at < 0 || d != at && extent != 1 || extent == ir.Dynamic {
			return 0, false
		}
	}
	kernel := make([]int64, rank)
	for d := range kernel {
		kernel[d] = 1
	}
	if kernel[0] = shape[at]; kernel[0] != 1 && kernel[0] != Shape(c, conv.Arg(1).Type())[0] {
		return 0, false
	}
	return reshaped(m.B, m.Of(n.Arg(param)), kernel, nil), true
}

// bodyWith is what the body of a map yields of xs, with x in the place of one of its ops.
func bodyWith(m *ir.Mirror, body ir.Block, op ir.Node, x ir.Value, xs []ir.Value) ir.Value {
	for i, p := range body.Params() {
		m.Set(p, xs[i])
	}
	term, _ := body.Term()
	for _, v := range m.Schedule().Body(body.Old()) {
		switch n := op.Graph().NodeOf(v); v {
		case op.Old():
			m.Set(n, x)
		case term.Old():
		default:
			m.Set(n, m.Copy(n))
		}
	}
	return m.Of(body.Yields()[0])
}
