package affine

import "github.com/irc-lang/irc/ir"

// Know tells a Builder what follows from a truth value in the region that is open: x and
// y is true if both are, x or y false if both are, not x true if x is false; and what is
// equal to a constant is it. Facts that are no equations are found where the graph is
// done; see At.
func Know(b *ir.Builder, v ir.Value, holds bool) { know(b, v, holds, depth+1) }

func know(b *ir.Builder, v ir.Value, holds bool, depth int) {
	g := b.Graph()
	if depth == 0 || g.Type(v) != ir.I1 || g.Def(v).Has(ir.ConstantLike) {
		return
	}
	b.Know(v, b.Const(ir.I1, ir.BoolVal(holds)))
	f, ok := formOf(g, v)
	if !ok {
		return
	}
	args := g.Args(v)
	switch f.Op {
	case And, Or:
		if holds == (f.Op == And) {
			know(b, args[0], holds, depth-1)
			know(b, args[1], holds, depth-1)
		}
	case Xor:
		for k := range args {
			if x, ok := g.Const(args[k]); ok && x.Ref == nil {
				know(b, args[1-k], holds != x.Bool(), depth-1)
			}
		}
	case Compare:
		p := f.Predicate(g, v)
		if !holds {
			p = p.inverse()
		}
		if p == EQ && g.Def(args[1]).Has(ir.ConstantLike) && !g.Def(args[0]).Has(ir.ConstantLike) {
			b.Know(args[0], args[1])
		}
	}
}
