package loop

import "github.com/irc-lang/irc/ir"

// A gather is a loop that makes nothing but y[z[i]], as where rows are put in the order of a sort. What is read of it outside of loops is
// read of y and z; inside, fusing decides.

// gathered are the arrays that a loop gathers an array from, the outermost first; nil if it does something else, or may have
// another length than the last of them.
func gathered(g *ir.Graph, array ir.Value) (chain []ir.Value) {
	n, i, _ := g.Projection(array)
	if g.Def(n) != For || loopSize(g, n, i) == 0 {
		return nil
	}
	list, body := Generators(g.NodeOf(n)), g.Regions(n)[0]
	k, at := GeneratorOf(g, n, i)
	if list[k].Kind != CollectKind || isConst(g, g.Args(n)[0], 0) { // which says nothing of what its body gives
		return nil
	}
	param := g.Params(body)[0]
	for v := Split(g, list, g.Yields(body))[k][at]; v != param; v = g.Args(v)[1] {
		if g.Def(v) != At || g.Home(g.Args(v)[0]) == body {
			return nil
		}
		chain = append(chain, g.Args(v)[0])
	}
	if len(chain) == 0 || !hasLen(g, chain[len(chain)-1], g.Args(n)[0]) {
		return nil
	}
	return chain
}

// elementOf is y[z[i]] of arrays y, z.
func elementOf(b *ir.Builder, chain []ir.Value, i ir.Value) ir.Value {
	for j := len(chain) - 1; j >= 0; j-- {
		i = b.Op(At, chain[j], i)
	}
	return i
}

func atGathered(b *ir.Builder, c *ir.Call) ir.Value {
	if b.Graph().Home(c.Args[1]) != ir.Root {
		return 0
	}
	if chain := gathered(b.Graph(), c.Args[0]); chain != nil {
		return elementOf(b, chain, c.Args[1])
	}
	return 0
}

func sliceGathered(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Home(c.Args[1]) != ir.Root || g.Home(c.Args[2]) != ir.Root {
		return 0
	}
	chain := gathered(g, c.Args[0])
	if chain == nil {
		return 0
	}
	last := len(chain) - 1
	chain[last] = b.Op(Slice, chain[last], c.Args[1], c.Args[2])
	elem, _ := ElemOf(c.Ctx(), c.Type)
	return BuildFor(b, Size(b, chain[last]), []Generator{{Kind: CollectKind, Types: []ir.Type{elem}}}, nil, nil, func(i ir.Value) []ir.Value {
		return []ir.Value{elementOf(b, chain, i)}
	})[0]
}
