package presburger

import "testing"

// FuzzFunction: no text of a function panics, and what is read prints and reads again.
func FuzzFunction(f *testing.F) {
	for _, s := range []string{"[N] -> { S[i] -> [(min(i, N) mod 4)/2] : i >= 0; S[i] -> [i > 3 ? 1 : -i] }", "{ [i] -> T[(i)/2, floor(i/3)] }", "{ [[i] -> [j]] -> [[i] -> [(j)]] }", "[N] -> { [(N)] }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		g, err := ParsePwMultiAff(text)
		if err != nil {
			return
		}
		h, err := ParsePwMultiAff(g.String())
		if err != nil && err != ErrBudget {
			t.Fatalf("%q reads as %s, which is not read: %v", text, g, err)
		}
		if eq, err := g.WithBudget(1_000_000).IsEqual(h); err == nil && !eq && len(g.f.Pieces) > 0 {
			t.Fatalf("%q reads as %s, that as %s", text, g, h)
		}
	})
}
