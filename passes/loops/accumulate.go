package loops

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// combines are the ops by which values may be combined in any order; of those of floats, the ones that round only where
// they are allowed to.
var combines = map[*ir.OpDef]bool{arith.Addi: true, arith.Muli: true, arith.Andi: true, arith.Ori: true, arith.Xori: true, arith.Maxsi: true, arith.Minsi: true,
	arith.Maxui: true, arith.Minui: true}

var combinesFloats = map[*ir.OpDef]bool{arith.Addf: true, arith.Mulf: true}

// accumulates checks that what a loop carries on is what it carries, combined with something: op(op(p, x), y), with
// one op whose order is free, of which nothing is used for something else.
func (f *function) accumulates(loop, param, yield ir.Value) error {
	g := f.g
	if yield == param {
		return nil
	}
	var by *ir.OpDef
	for at := yield; at != param; {
		d := g.Def(at)
		_, _, isParam := g.Param(at)
		if isParam || !combines[d] && !combinesFloats[d] || by != nil && d != by || g.NodeOf(at).NumUses() != 1 {
			return refuse(loop, "carries a value from each iteration to the next: %s, in %s", f.carried(at), f.at(loop))
		}
		if err := f.anyOrder(loop, at); err != nil {
			return err
		}
		by = d
		args := g.Args(at)
		switch x, y := f.reaches(args[0], param), f.reaches(args[1], param); {
		case x == y:
			return refuse(loop, "carries a value from each iteration to the next: %s, in %s", f.carried(at), f.at(loop))
		case x:
			at = args[0]
		default:
			at = args[1]
		}
	}
	if g.NodeOf(param).NumUses() != 1 {
		return refuse(loop, "carries a value from each iteration to the next, which more than one op uses, in %s", f.at(loop))
	}
	return nil
}

// anyOrder checks that an op that combines may do so in another order than that of the iterations.
func (f *function) anyOrder(loop, at ir.Value) error {
	d, attrs := f.g.Def(at), f.g.AttrsOf(at)
	switch {
	case combines[d] && arith.OverflowOf(f.g.Ctx, attrs) != 0:
		return refuse(loop, "adds up in the order of its iterations: %s promises that no sum on the way wraps", f.at(at))
	case combinesFloats[d] && arith.FastMathOf(f.g.Ctx, attrs)&arith.Reassoc == 0:
		return refuse(loop, "adds up floats in the order of its iterations: %s is not flagged fastmath<reassoc>", f.at(at))
	}
	return nil
}

func (f *function) carried(v ir.Value) string {
	if _, _, isParam := f.g.Param(v); isParam {
		return "another one that it carries"
	}
	return f.at(v)
}

// reaches reports that a value needs another.
func (f *function) reaches(v, param ir.Value) bool {
	seen := map[ir.Value]bool{}
	var walk func(v ir.Value) bool
	walk = func(v ir.Value) bool {
		if v == param {
			return true
		}
		if v < param || seen[v] { // operands come before what is made of them
			return false
		}
		seen[v] = true
		if n, _, ok := f.g.Projection(v); ok {
			return walk(n)
		}
		for _, a := range f.g.Args(v) {
			if walk(a) {
				return true
			}
		}
		for _, r := range f.g.Regions(v) {
			for _, op := range f.s.Body(r) {
				if walk(op) {
					return true
				}
			}
		}
		return false
	}
	return walk(v)
}
