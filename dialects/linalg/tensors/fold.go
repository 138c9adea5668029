package tensors

import "github.com/irc-lang/irc/ir"

var folds = []ir.Fold{
	{Of: Dim, Rule: "tensor.dim of an extent that the type says = that", Do: foldDim},
	{Of: Rank, Rule: "tensor.rank = a constant", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		return b.Index(int64(len(c.Ctx().Info(c.ArgType(0)).Shape)))
	}},
	{Of: Cast, Rule: "tensor.cast to the same type = its operand", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
		if c.Type == c.ArgType(0) {
			return c.Args[0]
		}
		return 0
	}},
}

func foldDim(b *ir.Builder, c *ir.Call) ir.Value {
	v, ok := c.Const(1)
	shape := c.Ctx().Info(c.ArgType(0)).Shape
	if !ok || v.Bits >= uint64(len(shape)) || shape[v.Bits] == ir.Dynamic {
		return 0
	}
	return b.Index(shape[v.Bits])
}
