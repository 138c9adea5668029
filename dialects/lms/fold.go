package lms

import "github.com/irc-lang/irc/ir"

var folds = []ir.Fold{
	{Of: Get, Rule: "get after set or var = the value", Do: getSet},
	{Of: Set, Rule: "set of the value that is there already is nothing", Do: setSame},
	{Of: Read, Rule: "read after write to the same place = the value", Do: readWritten},
	{Of: Read, Rule: "read of an array that is given by its numbers = the number", Do: litElement},
	{Of: Read, Rule: "read of a built array at a constant = what its region yields there", Do: arrElement},
	{Of: At, Rule: "an element after a write to the same place = the array", Do: readWritten},
	{Of: At, Rule: "an element of an array that is given by its elements = the element", Do: litElement},
	{Of: Len, Rule: "len of an array that is made here = its size", Do: lenOf},
}

func getSet(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	w := b.LastWrite(b.ResourceOf(c.Args[0]))
	switch {
	case w == c.Args[0] && g.Def(w) == Var:
		return g.Args(w)[0]
	case g.Def(w) == Set && g.Args(w)[0] == c.Args[0]:
		return g.Args(w)[1]
	}
	return 0
}

func setSame(b *ir.Builder, c *ir.Call) ir.Value {
	g, v := b.Graph(), c.Args[1]
	w := b.LastWrite(b.ResourceOf(c.Args[0]))
	if g.Def(v) == Get && g.Args(v)[0] == c.Args[0] && g.Hard(v)[0] == w && g.Type(w) != ir.Token ||
		g.Def(w) == Set && g.Args(w)[0] == c.Args[0] && g.Args(w)[1] == v ||
		g.Def(w) == Var && w == c.Args[0] && g.Args(w)[0] == v {
		return b.Pack()
	}
	return 0
}

func readWritten(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	w := b.LastWrite(b.ResourceOf(c.Args[0]))
	if g.Def(w) == Write && g.Args(w)[0] == c.Args[0] && g.Args(w)[1] == c.Args[1] {
		return g.Args(w)[2]
	}
	return 0
}

func lenOf(b *ir.Builder, c *ir.Call) ir.Value {
	g, a := b.Graph(), c.Args[0]
	switch g.Def(a) {
	case NewMut, Zeros, Arr:
		return g.Args(a)[0]
	case Lit:
		return b.Const(ir.I64, ir.Val{Bits: uint64(len(g.Args(a)))})
	case MutCopy, Clone:
		return b.Op(Len, g.Args(a)[0])
	}
	return 0
}

func litElement(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	i, ok := c.Const(1)
	if ok && i.Ref == nil && g.Def(c.Args[0]) == Lit && i.Bits < uint64(len(g.Args(c.Args[0]))) {
		return g.Args(c.Args[0])[i.Bits]
	}
	return 0
}

// arrElement: an element that is no work need not be stored first.
func arrElement(b *ir.Builder, c *ir.Call) ir.Value {
	g, a := b.Graph(), c.Args[0]
	if g.Def(a) != Arr {
		return 0
	}
	r := g.Regions(a)[0]
	i, ok1 := c.Const(1)
	n, ok2 := g.Const(g.Args(a)[0])
	if !ok1 || !ok2 || i.Bits >= n.Bits || len(g.Members(r)) > 2 {
		return 0
	}
	switch y := g.Yields(r)[0]; {
	case y == g.Params(r)[0]:
		return c.Args[1]
	case g.Home(y) != r:
		return y
	}
	return 0
}
