package space

import (
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/model"
)

// Coordinates are the chosen elements in order, whatever part of them there is.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := places{v: &model.Var{}, has: model.Mask{Len: 1 + rng.IntN(2000)}}
		want := make([]bool, p.has.Len)
		for range rng.IntN(4) {
			from := rng.IntN(p.has.Len)
			to := from + rng.IntN(p.has.Len-from+1)
			p.has.SetRange(from, to)
			for k := from; k < to; k++ {
				want[k] = true
			}
		}
		for range rng.IntN(100) {
			k := rng.IntN(p.has.Len)
			p.has.Set(k)
			want[k] = true
		}
		first := rng.IntN(10)
		p.count(first)
		n := 0
		for k, is := range want {
			at := 0
			if is {
				n++
				at = first + n
			}
			if got := p.of(k); got != at {
				t.Fatalf("element %d of %d has the coordinate %d, want %d", k, len(want), got, at)
			}
			if is && p.element(n-1) != k {
				t.Fatalf("coordinate %d of %d is of element %d, want %d", n, len(want), p.element(n-1), k)
			}
		}
		if p.has.Count != n {
			t.Fatalf("%d elements, want %d", p.has.Count, n)
		}
	}
}
