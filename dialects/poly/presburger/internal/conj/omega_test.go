package conj

import (
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// TestContexts compares the parts that integer programming makes of a projection with
// those of elimination by dark shadows and splinters.
func TestContexts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	made := 0
	for range 300 {
		c := Universe(2)
		c.AddDivs(1 + r.IntN(2))
		for range 2 + r.IntN(4) {
			x := c.Row()
			for i := range x {
				x[i] = lp.NewInt(int64(r.IntN(9) - 4))
			}
			c.Ge = append(c.Ge, x)
		}
		if c.Simplify().Empty || c.Unknown() == nil {
			continue
		}
		got := c.contexts(nil)
		want := []*Conj{c}
		for again := true; again && len(want) < 30; {
			again = false
			var next []*Conj
			for _, p := range want {
				if u := p.Unknown(); u != nil {
					next, again = append(next, newElimination(p.Clone(), u.div, nil).union()...), true
				} else {
					next = append(next, p)
				}
			}
			want = next
		}
		if len(want) >= 30 {
			continue
		}
		made++
		for _, p := range got {
			if !Covered(p, want, nil) {
				t.Fatalf("%v %v: %v %v is too much", c.Eq, c.Ge, p.Eq, p.Ge)
			}
		}
		for _, p := range want {
			if !Covered(p, got, nil) {
				t.Fatalf("%v %v: %v %v is missing", c.Eq, c.Ge, p.Eq, p.Ge)
			}
		}
	}
	if made < 80 {
		t.Errorf("only %d conjunctions had something to find", made)
	}
}
