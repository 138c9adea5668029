package arith

import "github.com/irc-lang/irc/ir"

// Two integers of 16 bits side by side in one of 32 are a pair. The sum of the products of two pairs, place by place, is one
// instruction of vectors (vpmaddwd, and with a sum vpdpwssd, of x86), for which passes look for it.

// Pair makes one of two integers of 32 bits, of which the lower halves are taken.
func Pair(b *ir.Builder, low, high ir.Value) ir.Value {
	t := b.Graph().Type(low)
	return b.Op(Ori, b.Op(Andi, low, ConstInt(b, t, 0xffff)), Int(b, Shli, 0, high, ConstInt(b, t, half)))
}

// half is how far the upper half is.
const half = 16

// PairProduct makes the sum of the products of the lower halves and of the upper halves, as numbers with their signs; it wraps.
func PairProduct(b *ir.Builder, x, y ir.Value) ir.Value {
	n := ConstInt(b, b.Graph().Type(x), half)
	high := func(v ir.Value) ir.Value { return b.Op(Shrsi, v, n) }
	low := func(v ir.Value) ir.Value { return high(Int(b, Shli, 0, v, n)) }
	return AddI(b, MulI(b, low(x), low(y)), MulI(b, high(x), high(y)))
}

// PairsOf are the operands of what PairProduct makes, in any order.
func PairsOf(n ir.Node) (x, y ir.Node, ok bool) {
	if n.Def() != Addi || n.Type() != ir.I32 || n.Arg(0).Def() != Muli || n.Arg(1).Def() != Muli {
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
	if n.Def() != Shrsi || !isHalf(n.Arg(1)) {
		return n, false, false
	}
	if of = n.Arg(0); of.Def() == Shli && isHalf(of.Arg(1)) {
		return of.Arg(0), true, true
	}
	return of, false, true
}

func isHalf(n ir.Node) bool {
	v, ok := n.Graph().Const(n.Old())
	return ok && v.Ref == nil && v.Bits == half
}
