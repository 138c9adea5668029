package memref

import (
	"math/bits"

	"github.com/irc-lang/irc/ir"
)

// within reports that an index is certainly at least 0 and below n.
func within(b *ir.Builder, v ir.Value, n int64) bool {
	low, high, ok := bounds(b, v, 8)
	return ok && low >= 0 && high < n
}

// bounds finds the least and greatest value of an index: of constants, of
// induction variables, and of sums, differences and products of them that
// cannot overflow.
func bounds(b *ir.Builder, v ir.Value, depth int) (low, high int64, ok bool) {
	g := b.Graph()
	if x, ok := g.Const(v); ok {
		return int64(x.Bits), int64(x.Bits), x.Ref == nil
	}
	if low, high, ok := b.Range(v); ok || depth == 0 {
		return low, high, ok
	}
	args := g.Args(v)
	if len(args) != 2 || g.Type(v) != ir.Index {
		return 0, 0, false
	}
	name := g.Def(v).Name
	if name != "arith.addi" && name != "arith.subi" && name != "arith.muli" {
		return 0, 0, false
	}
	l0, h0, ok0 := bounds(b, args[0], depth-1)
	l1, h1, ok1 := bounds(b, args[1], depth-1)
	if !ok0 || !ok1 {
		return 0, 0, false
	}
	switch name {
	case "arith.addi":
		low, ok0 = add(l0, l1)
		high, ok1 = add(h0, h1)
	case "arith.subi":
		low, ok0 = sub(l0, h1)
		high, ok1 = sub(h0, l1)
	default:
		if l0 < 0 || l1 < 0 {
			return 0, 0, false
		}
		low, ok0 = mul(l0, l1)
		high, ok1 = mul(h0, h1)
	}
	return low, high, ok0 && ok1
}

func add(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func sub(a, b int64) (int64, bool) {
	d := a - b
	return d, (d < a) == (b > 0)
}

// mul multiplies numbers that are not negative.
func mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && int64(lo) >= 0
}
