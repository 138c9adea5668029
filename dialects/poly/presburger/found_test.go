package presburger

import (
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

// TestFound keeps what random operations and isl's own tests found.
func TestFound(t *testing.T) {
	for _, c := range []struct {
		op, a, b, want string
	}{
		// a disjunct without integer points is not unbounded
		{"lexmin", "[N] -> { [a] : -3 <= a <= 1; [a] : (N + 2a) mod 4 = 2 and -2N - 6 = 0 }", "", "[N] -> { [a] : a = -3 }"},
		// contexts without a solution, and cuts that come near a flat set one by one
		{"lexmin", "{ [i, k, j] -> [a, b, c, d] : 8*floor((b)/8) = b and k <= 255 and a <= 255 and c <= 255 and d <= 255 - j and 255 - j <= 7d <= 7 - i and 240d <= 239 + a and 247d <= 247 + k - j and 247d <= 247 + k - b and 247d <= 247 + i and 248 - b <= 248d <= c and 254d >= i - a + b and 254d >= -a + b and 255d >= -i + a - b and 1792d >= -63736 + 257b and i = 0 and j = 250 and k >= 251 }", "",
			"{ [0, k, 250] -> [1, 0, 248, 1] : 251 <= k <= 255 }"},
		// splinters without end: floors of floors of one value
		{"intersect", "{ [65] }", "{ [i] : exists (e0, e1, e2 : 256e0 <= 255i and 256e0 >= 255i - 255 and 191e1 <= 127i + 65e0 and 191e1 >= -190 + 127i + 65e0 and 65e2 <= 3i + 61e1 and 65e2 >= -64 + 3i + 61e1 and e2 >= 0) }", "{ [65] }"},
		// what holds no point is taken apart into as many parts as its coefficients are large
		{"subtract", "{ [x, y] : -4 <= x <= 8 and 0 <= y <= 3 }", "{ [x, y] : exists e : -4 <= x <= 8 and 0 <= y <= 3 and 176951x + 497789y + 128037e - 821527 >= 0 and floor((-47515x - 444427e + 573438y - 2205425)/595784) >= 478973y + 191323 }",
			"{ [x, y] : -4 <= x <= 8 and 0 <= y <= 3 }"},
		// and so is what holds some
		{"subtract", "{ [x, y] : 0 <= x <= 3 and y = 0 }", "{ [x, y] : exists e : 0 <= x <= 3 and y = 0 and 983949x + 997194e + 256704 >= 0 and floor((722445x - 837979e + 358040)/467593) >= 4 }", "{ [0, 0] }"},
		// isl 0.25 adds the point 3
		{"coalesce", "{ [a] : 0 <= a <= 2; [a] : -1 <= a <= 4 and (a mod 3 = 1 or a mod 3 = 2) }", "", "{ [-1:2]; [4] }"},
	} {
		in := []string{c.a}
		if c.b != "" {
			in = append(in, c.b)
		}
		got, _, err := evalCase(setCase{Op: c.op, Inputs: in})
		if err != nil {
			t.Errorf("%s %s: %v", c.op, c.a, err)
			continue
		}
		want, _, err := notation.Parse(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := isEqual(got, want.WithBudget(1_000_000)); !same || err != nil {
			t.Errorf("%s %s\n is  %s\nwant %s %v", c.op, c.a, Set{got}, c.want, err)
		}
	}
}
