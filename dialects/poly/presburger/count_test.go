package presburger

import (
	"math/rand/v2"
	"testing"
)

func TestCard(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"{ [i] : 1 <= i <= 4 }", "4"},
		{"[N] -> { [i] : 0 <= i < N }", "[N] -> { N : N >= 1 }"},
		{"[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }", "[N] -> { 1/2 * N^2 + 1/2 * N : N >= 1 }"},
		{"[N] -> { [i] : 0 <= 2i < N }", "[N] -> { floor((N + 1)/2) : N >= 1 }"},
		{"[N, M] -> { [i] : i = N and 2i = M }", "[N, M] -> { 1 : M = 2N }"},
		{"{ [i, j] : i + j = 1 and i >= 0 and j >= 0 and i <= -1 }", "0"},
	} {
		s, err := ParseSet(c.set)
		if err != nil {
			t.Fatal(err)
		}
		n, err := s.Card()
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		if n.String() != c.want {
			t.Errorf("card %s = %s, want %s", c.set, n, c.want)
		}
	}
	s, _ := ParseSet("{ [i] : i >= 0 }")
	if _, err := s.Card(); err != ErrInfinite {
		t.Errorf("an infinite set: %v", err)
	}
}

// TestCardPoints compares counts with enumeration.
func TestCardPoints(t *testing.T) {
	over := 0
	for i := range 60 {
		g := &gen{Rand: rand.New(rand.NewPCG(5, uint64(i))), bounded: true}
		text := g.relation(-1, 1+g.IntN(3))
		s, err := ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := s.WithBudget(20_000_000).Card()
		if err == ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Errorf("%d %s: %v", i, text, err)
			continue
		}
		for _, at := range []int64{-7, -1, 0, 3, 11} {
			seq, err := s.FixParam("N", NewInt(at)).Points()
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for range seq {
				want++
			}
			got, err := n.At(map[string]Int{"N": NewInt(at)})
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := got.Int64(); v != int64(want) {
				t.Errorf("%d card %s at N = %d: %s, want %d\n%.1000s", i, text, at, got, want, n)
				break
			}
		}
	}
	if over > 3 {
		t.Errorf("%d of 60 counts took more than the budget", over)
	}
}
