package lms

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

var folds = []ir.Fold{
	{Of: Get, Rule: "get after set or var = the value", Do: getSet},
	{Of: Set, Rule: "set of the value that is there already is nothing", Do: setSame},
	{Of: Read, Rule: "read after write to the same place = the value", Do: readWritten},
	{Of: Read, Rule: "read of an array that is given by its numbers = the number", Do: litElement},
	{Of: Read, Rule: "read of a built array at a constant = what its region yields there", Do: arrElement},
	{Of: At, Rule: "an element after a write to the same place = the array", Do: readWritten},
	{Of: At, Rule: "an element of an array that is given by its elements = the element", Do: litElement},
	{Of: Len, Rule: "len of an array that is made here = its size", Do: lenOf},
	{Of: Len, Rule: "len of a conditional's arrays = a choice of their lengths, if these are known before it, or another result of it", Do: lenOfIf},
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

func lenOfIf(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	n, _, _ := g.Projection(c.Args[0])
	if g.Def(n) != scf.If {
		return 0
	}
	if l := lenBefore(b, c.Args[0], nil); l != 0 {
		return l
	}
	for _, v := range b.Results(n) {
		if isLen(g, v, c.Args[0]) {
			return v
		}
	}
	return 0
}

// isLen reports a number that is the length of an array: what the array is made with, or a result of the conditional that
// gives the array, too.
func isLen(g *ir.Graph, v, a ir.Value) bool {
	if g.Type(v) != ir.I64 {
		return false
	}
	switch g.Def(a) {
	case NewMut, Zeros, Arr:
		return v == g.Args(a)[0]
	}
	n, i, _ := g.Projection(a)
	w, j, _ := g.Projection(v)
	if g.Def(v) == Len || n != w || g.Def(n) != scf.If {
		return g.Def(v) == Len && g.Args(v)[0] == a
	}
	for _, r := range g.Regions(n) {
		if ys := g.Yields(r); !isLen(g, ys[j], ys[i]) {
			return false
		}
	}
	return true
}

// lenBefore is the length of an array, made of what is known outside of the regions that are given, or 0.
func lenBefore(b *ir.Builder, a ir.Value, in []ir.Region) ir.Value {
	g := b.Graph()
	before := func(v ir.Value) ir.Value {
		for r := g.Home(v); r != ir.Root; r = g.Parent(r) {
			if slices.Contains(in, r) {
				return 0
			}
		}
		return v
	}
	switch g.Def(a) {
	case NewMut, Zeros, Arr:
		return before(g.Args(a)[0])
	case MutCopy, Clone:
		return lenBefore(b, g.Args(a)[0], in)
	case Lit:
		return b.Const(ir.I64, ir.Val{Bits: uint64(len(g.Args(a)))})
	case Plus:
		x := lenBefore(b, g.Args(a)[0], in)
		if x == 0 {
			return 0
		}
		if y := lenBefore(b, g.Args(a)[1], in); y != 0 {
			return b.Op(arith.Minsi, x, y)
		}
		return 0
	}
	n, i, _ := g.Projection(a)
	if g.Def(n) != scf.If || before(g.Args(n)[0]) == 0 {
		return 0
	}
	var lengths []ir.Value
	for _, r := range g.Regions(n) {
		x := lenBefore(b, g.Yields(r)[i], append(in, r))
		if x == 0 {
			return 0
		}
		lengths = append(lengths, x)
	}
	return arith.Choose(b, g.Args(n)[0], lengths[0], lengths[1])
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
