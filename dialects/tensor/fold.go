package tensor

import "github.com/irc-lang/irc/ir"

var folds = []ir.Fold{
	{Of: Unpack, Rule: "the memory of what memory holds is that memory", Do: foldUnpack},
	{Of: Dim, Rule: "an extent that the type says is known", Do: foldDim},
}

func foldUnpack(b *ir.Builder, c *ir.Call) ir.Value {
	if g := b.Graph(); g.Def(c.Args[0]) == Pack {
		return g.Args(c.Args[0])[0]
	}
	return 0
}

func foldDim(b *ir.Builder, c *ir.Call) ir.Value {
	if n := Shape(c.Ctx(), c.ArgType(0))[c.Ctx().AttrInfo(c.Get("dim")).Int]; n != ir.Dynamic {
		return b.Index(n)
	}
	return 0
}
