package presburger

import (
	"math/rand/v2"
	"testing"
)

// TestDefinedBudget subtracts sets whose variables that exist have no unit coefficient:
// dark shadows and splinters made thousands of pieces of them.
func TestDefinedBudget(t *testing.T) {
	for _, c := range []setCase{
		{Op: "subtract", Inputs: []string{
			"[N] -> { [a] : true and -4 <= a <= 2 and (1a - 6) = 0 and (exists e21 : -1 <= (-1N - 3) + 1e21 <= 3 and (-2N - 1a - 1e21 - 6) >= 0); [a] : true and -2 <= a <= 0 }",
			"[N] -> { [a] : true and -4 <= a <= 4 and (exists e21 : 0 <= (-1N + 1a + 6) + 3e21 <= 1) and (-1) = 0; [a] : true and -2 <= a <= 4 and (exists e21 : -1 <= (1N + 1a + 5) + 5e21 <= 2 and floor((-2a - 1e21 + 0)/4) >= (-1a - 5)) and (1N + 0) mod 5 = 1 }",
		}},
		{Op: "subtract", Inputs: []string{
			"[N] -> { [] -> [a, b] : true and -3 <= a <= 5 and 0 <= b <= 0 and (exists e31 : 0 <= (1a - 6) + 3e31 <= 2 and (-2a - 2b - 1e31 + 1) >= 0); [] -> [a, b] : true and -4 <= a <= 5 and -4 <= b <= 4 and (2N - 1a + 2) >= 0 and (exists e31 : 0 <= (-1N + 1a - 4) + 3e31 <= 3) }",
			"[N] -> { [] -> [a, b] : true and -4 <= a <= 5 and -5 <= b <= 1 and (2b - 1) = 0 and (-1N + 1a + 0) >= 0; [] -> [a, b] : true and -3 <= a <= 3 and -3 <= b <= 0 and (exists e31 : -1 <= (2N - 2a + 1b - 2) + 5e31 <= 1) and (exists e31 : 0 <= (-1N + 2a - 2b - 4) + 4e31 <= 1 and floor((2a - 2b + 2e31 - 3)/5) >= (1N + 2e31 + 6)) }",
		}},
		{Op: "complement", Inputs: []string{
			"[N] -> { [a, b] : true and -2 <= a <= 1 and -2 <= b <= 1 and (exists e31 : 0 <= (2N - 1a + 3) + 5e31 <= 2 and floor((2a - 1b - 1e31 - 3)/5) >= (2a + 0)); [a, b] : true and -1 <= a <= 2 and 0 <= b <= 1 and (-2a + 6) >= 0 }",
		}},
		{Op: "subtract", Inputs: []string{
			"[N] -> { [a, b] : true and (1N - 2a - 1) = 0 }",
			"[N] -> { [a, b] : true and -5 <= a <= 1 and (exists e31 : -1 <= (-1N - 3) + 5e31 <= 2 and floor((1a + 1e31 - 4)/5) >= (2a - 1b + 6)) and (-1N + 1a - 1b - 5) >= 0; [a, b] : true and -2 <= a <= 1 and 0 <= b <= 3 }",
		}},
	} {
		in, err := c.parse()
		if err != nil {
			t.Fatal(err)
		}
		a, b := in[0].universes(), in[0]
		if len(in) > 1 {
			a, b = in[0], in[1]
		}
		rest, err := subtract(a.withBudget(3_000_000), b)
		if err != nil {
			t.Errorf("%s %q: %v", c.Op, c.Inputs, err)
			continue
		}
		both, err := intersect(a.withBudget(20_000_000), b)
		if err != nil {
			t.Fatal(err)
		}
		if eq, err := isEqual(union(rest, both).withBudget(20_000_000), a); !eq || err != nil {
			t.Errorf("%s %q: what is left and what went are not the whole: %v", c.Op, c.Inputs, err)
		}
		if d, err := intersect(rest, b); err != nil {
			t.Error(err)
		} else if empty, err := isEmpty(d.withBudget(20_000_000)); !empty || err != nil {
			t.Errorf("%s %q: something that went is left: %v", c.Op, c.Inputs, err)
		}
	}
}

// TestContexts compares the parts that integer programming makes of a projection with
// those of elimination by dark shadows and splinters.
func TestContexts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	made := 0
	for range 300 {
		c := universe(2)
		c.addDivs(1 + r.IntN(2))
		for range 2 + r.IntN(4) {
			x := c.row()
			for i := range x {
				x[i] = NewInt(int64(r.IntN(9) - 4))
			}
			c.ge = append(c.ge, x)
		}
		if c.simplify().empty || c.unknown() == nil {
			continue
		}
		got := c.contexts(nil)
		want := []*conj{c}
		for again := true; again && len(want) < 30; {
			again = false
			var next []*conj
			for _, p := range want {
				if u := p.unknown(); u != nil {
					next, again = append(next, p.clone().without(u.div, nil)...), true
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
			if !p.covered(want, nil) {
				t.Fatalf("%v %v: %v %v is too much", c.eq, c.ge, p.eq, p.ge)
			}
		}
		for _, p := range want {
			if !p.covered(got, nil) {
				t.Fatalf("%v %v: %v %v is missing", c.eq, c.ge, p.eq, p.ge)
			}
		}
	}
	if made < 80 {
		t.Errorf("only %d conjunctions had something to find", made)
	}
}
