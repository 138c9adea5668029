// Package pair16 has pairs: two integers of 16 bits side by side in one of 32. The sum of the products of two pairs, place by place,
// is one instruction of vectors (vpmaddwd, and with a sum vpdpwssd, of x86), for which passes look for it. It is of this
// repository alone.
package pair16

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Make makes a pair of two integers of 32 bits, of which the lower halves are taken.
func Make(b *ir.Builder, low, high ir.Value) ir.Value {
	t := b.Graph().Type(low)
	return b.Op(arith.Ori, b.Op(arith.Andi, low, arith.ConstInt(b, t, 0xffff)), arith.Int(b, arith.Shli, 0, high, arith.ConstInt(b, t, half)))
}

// half is how far the upper half is.
const half = 16

// Product makes the sum of the products of the lower halves and of the upper halves, as numbers with their signs; it wraps.
func Product(b *ir.Builder, x, y ir.Value) ir.Value {
	n := arith.ConstInt(b, b.Graph().Type(x), half)
	high := func(v ir.Value) ir.Value { return b.Op(arith.Shrsi, v, n) }
	low := func(v ir.Value) ir.Value { return high(arith.Int(b, arith.Shli, 0, v, n)) }
	return arith.AddI(b, arith.MulI(b, low(x), low(y)), arith.MulI(b, high(x), high(y)))
}

// Of are the operands of what Product makes, in any order.
func Of(n ir.Node) (x, y ir.Node, ok bool) {
	if n.Def() != arith.Addi || n.Type() != ir.I32 || n.Arg(0).Def() != arith.Muli || n.Arg(1).Def() != arith.Muli {
		return x, y, false
	}
	var sides [2][2]ir.Node // of the lower and the upper halves
	var seen [2]bool
	for _, p := range n.Args() {
		a, lowA, okA := halfOf(p.Arg(0))
		b, lowB, okB := halfOf(p.Arg(1))
		at := 0
		if !lowA {
			at = 1
		}
		if !okA || !okB || lowA != lowB || seen[at] {
			return x, y, false
		}
		sides[at], seen[at] = [2]ir.Node{a, b}, true
	}
	l, h := sides[0], sides[1]
	return l[0], l[1], l == h || l == [2]ir.Node{h[1], h[0]}
}

// halfOf is of what a number is a half with its sign, and whether that is the lower one.
func halfOf(n ir.Node) (of ir.Node, low, ok bool) {
	if n.Def() != arith.Shrsi || !isHalf(n.Arg(1)) {
		return n, false, false
	}
	if of = n.Arg(0); of.Def() == arith.Shli && isHalf(of.Arg(1)) {
		return of.Arg(0), true, true
	}
	return of, false, true
}

func isHalf(n ir.Node) bool {
	v, ok := n.Graph().Const(n.Old())
	return ok && v.Ref == nil && v.Bits == half
}
