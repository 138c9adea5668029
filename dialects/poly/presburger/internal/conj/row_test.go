package conj

import (
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// TestRedundant compares constraints dropped in one tableau with those dropped by a
// tableau of the others for each.
func TestRedundant(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	dropped := 0
	for range 6000 {
		n := 1 + r.IntN(3)
		c := Universe(n)
		add := func() lp.Row {
			x := c.Row()
			for i := range x {
				x[i] = lp.NewInt(int64(r.IntN(7) - 3))
			}
			x[0] = x[0].Add(lp.NewInt(4))
			return x
		}
		for range r.IntN(2) {
			c.Eq = append(c.Eq, add())
		}
		for range r.IntN(8) {
			c.Ge = append(c.Ge, add())
		}
		if c.Simplify().Empty || len(c.Ge) == 0 {
			continue
		}
		want := c.Clone()
		empty := c.Tableau(nil).Empty
		for i := len(want.Ge) - 1; i >= 0; i-- {
			rest := &Conj{N: n, Eq: want.Eq}
			rest.Ge = append(append(rest.Ge, want.Ge[:i]...), want.Ge[i+1:]...)
			if rest.Tableau(nil).AtLeast(want.Ge[i]) {
				want.Ge = rest.Ge
				dropped++
			}
		}
		got := c.Irredundant(nil)
		if got.Empty != empty {
			t.Fatalf("%v %v: empty %v, not %v", c.Eq, c.Ge, got.Empty, empty)
		}
		if !empty && !got.Same(want) {
			t.Fatalf("%v %v: %v is left, not %v", c.Eq, c.Ge, got.Ge, want.Ge)
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
		c := Universe(1 + r.IntN(3))
		for range 1 + r.IntN(4) { // 0 <= low + f <= width
			x := c.Row()
			for i := 1; i < len(x); i++ {
				x[i] = lp.NewInt(int64(r.IntN(25) - 12))
			}
			x[0] = lp.NewInt(int64(r.IntN(25) - 12))
			c.Ge = append(c.Ge, x)
			if r.IntN(4) > 0 {
				y := x.Negated()
				y[0] = y[0].Add(lp.NewInt(int64(r.IntN(9))))
				c.Ge = append(c.Ge, y)
			}
		}
		whole := c.Clone()
		if c.Simplify().Empty || len(c.Eq) > 0 || len(c.Ge) == 0 {
			continue
		}
		x, ok := newPolyhedron(c, nil).slice()
		if ok && !newPolyhedron(whole, nil).holds(x) {
			t.Fatalf("%v: %v does not hold", whole.Ge, x)
		}
		if !ok {
			no++
			if y, ok := newPolyhedron(whole, nil).search(); ok {
				t.Fatalf("%v: no point, but %v is one", whole.Ge, y)
			}
			continue
		}
		yes++
	}
	if yes < 300 || no < 100 {
		t.Errorf("%d conjunctions with a point and %d without", yes, no)
	}
}
