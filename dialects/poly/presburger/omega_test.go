package presburger

import "testing"

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
		a, b := in[0].Universes(), in[0]
		if len(in) > 1 {
			a, b = in[0], in[1]
		}
		rest, err := subtract(a.WithBudget(3_000_000), b)
		if err != nil {
			t.Errorf("%s %q: %v", c.Op, c.Inputs, err)
			continue
		}
		both, err := intersect(a.WithBudget(20_000_000), b)
		if err != nil {
			t.Fatal(err)
		}
		if eq, err := isEqual(unite(rest, both).WithBudget(20_000_000), a); !eq || err != nil {
			t.Errorf("%s %q: what is left and what went are not the whole: %v", c.Op, c.Inputs, err)
		}
		if d, err := intersect(rest, b); err != nil {
			t.Error(err)
		} else if empty, err := isEmpty(d.WithBudget(20_000_000)); !empty || err != nil {
			t.Errorf("%s %q: something that went is left: %v", c.Op, c.Inputs, err)
		}
	}
}
