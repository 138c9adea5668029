package lp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// edgeInt is small, at the edge of a fast path, or large.
func edgeInt(r *rand.Rand) Int {
	switch r.IntN(5) {
	case 0:
		return Int{v: int64(r.IntN(7) - 3)}
	case 1:
		return Int{v: (1 << 30) - 2 + int64(r.IntN(5))}
	case 2:
		return Int{v: -(1 << 30) - 2 + int64(r.IntN(5))}
	case 3:
		return Int{v: math.MinInt64 + int64(r.IntN(2))}
	}
	return BigInt(new(big.Int).Lsh(big.NewInt(int64(r.IntN(9)-4)), 70))
}

// TestCombine compares row arithmetic with that of big integers.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b, x, y := edgeInt(r), edgeInt(r), edgeInt(r), edgeInt(r)
		want := new(big.Int).Mul(a.Big(), x.Big())
		want.Add(want, new(big.Int).Mul(b.Big(), y.Big()))
		got := Row{a}
		got.Combine(x, y, Row{b})
		if got[0].Big().Cmp(want) != 0 {
			t.Fatalf("%s * %s + %s * %s = %s, not %s", a, x, b, y, want, got[0])
		}
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.Big()), new(big.Int).Abs(b.Big()))
		if a.GCD(b).Big().Cmp(g) != 0 {
			t.Fatalf("gcd(%s, %s) = %s, not %s", a, b, g, a.GCD(b))
		}
	}
}
