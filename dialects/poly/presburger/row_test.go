package presburger

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
	return fromBig(new(big.Int).Lsh(big.NewInt(int64(r.IntN(9)-4)), 70))
}

// TestCombine compares row arithmetic with that of big integers.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b, x, y := edgeInt(r), edgeInt(r), edgeInt(r), edgeInt(r)
		want := new(big.Int).Mul(a.Big(), x.Big())
		want.Add(want, new(big.Int).Mul(b.Big(), y.Big()))
		got := row{a}
		got.combine(x, y, row{b})
		if got[0].Big().Cmp(want) != 0 {
			t.Fatalf("%s * %s + %s * %s = %s, not %s", a, x, b, y, want, got[0])
		}
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.Big()), new(big.Int).Abs(b.Big()))
		if a.GCD(b).Big().Cmp(g) != 0 {
			t.Fatalf("gcd(%s, %s) = %s, not %s", a, b, g, a.GCD(b))
		}
	}
}

// TestRedundant compares constraints dropped in one tableau with those dropped by a
// tableau of the others for each.
func TestRedundant(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	dropped := 0
	for range 6000 {
		n := 1 + r.IntN(3)
		c := universe(n)
		add := func() row {
			x := c.row()
			for i := range x {
				x[i] = NewInt(int64(r.IntN(7) - 3))
			}
			x[0] = x[0].Add(NewInt(4))
			return x
		}
		for range r.IntN(2) {
			c.eq = append(c.eq, add())
		}
		for range r.IntN(8) {
			c.ge = append(c.ge, add())
		}
		if c.simplify().empty || len(c.ge) == 0 {
			continue
		}
		want := c.clone()
		empty := c.tableau(nil).empty
		for i := len(want.ge) - 1; i >= 0; i-- {
			rest := &conj{n: n, eq: want.eq}
			rest.ge = append(append(rest.ge, want.ge[:i]...), want.ge[i+1:]...)
			if rest.tableau(nil).atLeast(want.ge[i]) {
				want.ge = rest.ge
				dropped++
			}
		}
		got := c.irredundant(nil)
		if got.empty != empty {
			t.Fatalf("%v %v: empty %v, not %v", c.eq, c.ge, got.empty, empty)
		}
		if !empty && !got.same(want) {
			t.Fatalf("%v %v: %v is left, not %v", c.eq, c.ge, got.ge, want.ge)
		}
	}
	if dropped < 1000 {
		t.Errorf("only %d constraints were redundant", dropped)
	}
}

// TestSample compares the points found of thin polytopes and unbounded cones with
// elimination.
func TestSample(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	yes, no := 0, 0
	for range 2000 {
		c := universe(1 + r.IntN(3))
		for range 1 + r.IntN(4) { // 0 <= low + f <= width
			x := c.row()
			for i := 1; i < len(x); i++ {
				x[i] = NewInt(int64(r.IntN(25) - 12))
			}
			x[0] = NewInt(int64(r.IntN(25) - 12))
			c.ge = append(c.ge, x)
			if r.IntN(4) > 0 {
				y := x.negated()
				y[0] = y[0].Add(NewInt(int64(r.IntN(9))))
				c.ge = append(c.ge, y)
			}
		}
		whole := c.clone()
		if c.simplify().empty || len(c.eq) > 0 || len(c.ge) == 0 {
			continue
		}
		x, ok := c.slice(nil)
		if ok && !whole.holds(x) {
			t.Fatalf("%v: %v does not hold", whole.ge, x)
		}
		if !ok {
			no++
			if y, ok := whole.search(nil); ok {
				t.Fatalf("%v: no point, but %v is one", whole.ge, y)
			}
			continue
		}
		yes++
	}
	if yes < 300 || no < 100 {
		t.Errorf("%d conjunctions with a point and %d without", yes, no)
	}
}
