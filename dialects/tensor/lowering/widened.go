package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// Products of f16 and bf16 are summed up as f32, and rounded once: where their elements are used several times, they are
// made f32 before, once each, and the product is one of f32, for which there are tiles in registers.

// isNarrow reports an einsum or a convolution that takes or gives floats narrower than those in which it sums up.
func (p *plan) isNarrow(n ir.Node) bool {
	c := n.Graph().Ctx
	wide, narrow := wideOf(tensor.Elem(c, n.Type())), tensor.Elem(c, n.Type()) != wideOf(tensor.Elem(c, n.Type()))
	for _, a := range n.Args() {
		narrow = narrow || tensor.Elem(c, a.Type()) != wide
	}
	return narrow && c.IsFloat(wide)
}

// widened makes the product of wider elements, and rounds it.
func (d down) widened(n ir.Node, s *tensor.Spec, args []ir.Node) ir.Value {
	c := d.B.Ctx()
	wide := wideOf(tensor.Elem(c, n.Type()))
	v := tensor.BuildEinsumOf(d.B, s, c.Tensor(tensor.Shape(c, n.Type()), wide), d.widenAll(args, wide)...)
	return d.rounded(v, n)
}

// widenedConv does so with a convolution.
func (d down) widenedConv(n ir.Node) ir.Value {
	c := d.B.Ctx()
	wide := wideOf(tensor.Elem(c, n.Type()))
	v := d.B.Must(ir.Call{Def: tensor.Conv, Args: d.widenAll(n.Args(), wide), Attr: n.Attrs(), Type: c.Tensor(tensor.Shape(c, n.Type()), wide), Loc: d.B.Loc})
	return d.rounded(v, n)
}

func (d down) widenAll(args []ir.Node, wide ir.Type) (out []ir.Value) {
	c := d.B.Ctx()
	for _, a := range args {
		v := d.Of(a)
		if tensor.Elem(c, a.Type()) != wide {
			v = arith.Cast(d.B, arith.Extf, v, c.Tensor(tensor.Shape(c, a.Type()), wide))
		}
		out = append(out, v)
	}
	return out
}

func (d down) rounded(v ir.Value, n ir.Node) ir.Value {
	if d.B.Graph().Type(v) == n.Type() {
		return v
	}
	return arith.Cast(d.B, arith.Truncf, v, n.Type())
}
