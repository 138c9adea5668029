package presburger

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var polytopes = flag.Int("polytopes", 150, "random parametric polytopes whose points are counted")

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

// TestCardPoints compares counts of sets with floors and unions with enumeration.
func TestCardPoints(t *testing.T) {
	over, points := 0, 0
	for i := range 60 {
		g := &gen{Rand: rand.New(rand.NewPCG(5, uint64(i))), bounded: true}
		n, ok := countsAgree(t, i, g.relation(-1, 1+g.IntN(3)).text, []int64{-7, -1, 0, 3, 11})
		points += n
		if !ok {
			over++
		}
	}
	if over > 3 || points < 600 {
		t.Errorf("%d of 60 counts took more than the budget; %d points", over, points)
	}
}

// TestCardPolytopes compares counts of polytopes of one to four dimensions with
// enumeration; their bounds are affine in the parameter and the other dimensions.
func TestCardPolytopes(t *testing.T) {
	if testing.Short() {
		*polytopes = min(*polytopes, 100)
	}
	over, empty, points := 0, 0, 0
	for i := range *polytopes {
		r := rand.New(rand.NewPCG(*oracleSeed+9, uint64(i)))
		n, ok := countsAgree(t, i, randomPolytope(r, 1+i%4), []int64{-2, 0, 1, 4, 7})
		points += n
		if !ok {
			over++
		} else if n == 0 {
			empty++
		}
	}
	t.Logf("%d polytopes, %d empty at all values, %d points counted, %d over budget", *polytopes, empty, points, over)
	if over > *polytopes/100 || empty > *polytopes/4 {
		t.Errorf("%d of %d counts took more than the budget, %d are empty", over, *polytopes, empty)
	}
}

// randomPolytope has a lower and an upper bound of each dimension, and up to two
// constraints more.
func randomPolytope(r *rand.Rand, dims int) string {
	names := []string{"N", "i", "j", "k", "l"}[:dims+1]
	affine := func(of []string) string {
		var b strings.Builder
		for _, v := range of {
			if c := r.IntN(5) - 2; c != 0 {
				fmt.Fprintf(&b, "%d%s + ", c, v)
			}
		}
		fmt.Fprintf(&b, "%d", r.IntN(9)-4)
		return strings.ReplaceAll(b.String(), "+ -", "- ")
	}
	var cs []string
	for d := 1; d <= dims; d++ {
		of := names[:d]
		if d > 2 { // bounds of two variables, so that few grow with all others
			of = []string{names[0], names[d-1]}
		}
		v := names[d]
		cs = append(cs, fmt.Sprintf("%s <= %d + %d%s", affine(of[:1]), 2+r.IntN(4), 1+r.IntN(3), v))
		cs = append(cs, fmt.Sprintf("%d%s <= %d + %s", 1+r.IntN(3), v, 2+r.IntN(4), affine(of)))
	}
	for range r.IntN(3) {
		cs = append(cs, affine(names)+" >= 0")
	}
	return fmt.Sprintf("[N] -> { [%s] : %s }", strings.Join(names[1:], ", "), strings.Join(cs, " and "))
}

// countsAgree compares a count with enumeration at values of N: the points at all
// of them, and false where the count takes more than its budget.
func countsAgree(t *testing.T, i int, text string, at []int64) (points int, ok bool) {
	t.Helper()
	s, err := ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.WithBudget(20_000_000).Card()
	if err == ErrBudget {
		return 0, false
	}
	if err != nil {
		t.Errorf("%d %s: %v", i, text, err)
		return 0, true
	}
	for _, at := range at {
		seq, err := s.FixParam("N", NewInt(at)).Points()
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for range seq {
			want++
		}
		points += want
		got, err := n.At(map[string]Int{"N": NewInt(at)})
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := got.Int64(); !ok || v != int64(want) {
			t.Errorf("%d card %s at N = %d: %s, want %d\n%.1000s", i, text, at, got, want, n)
			break
		}
	}
	return points, true
}
