package model

import (
	"math/rand/v2"
	"testing"
)

// An array that grows, row by row or otherwise, keeps its elements, and who defines them; what is new has none.
func TestGrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		v := &Var{Dims: []int{1 + rng.IntN(70), 1 + rng.IntN(3)}}
		v.Resize()
		if rng.IntN(2) == 0 {
			v.Drawn.Dense = make([]Origin, v.Size)
		}
		type element struct {
			known bool
			value float64
			by    Origin
		}
		want := map[[2]int]element{}
		fill := func() {
			all := rng.IntN(3) == 0
			for k := range v.Size {
				if v.Known.Has(k) || !all && rng.IntN(4) > 0 {
					continue
				}
				e := element{known: true, value: float64(1 + rng.IntN(9))}
				v.SetValue(k, e.value)
				if v.Drawn.Dense != nil {
					e.by = Origin{Stmt: int32(1 + k)}
					v.Drawn.Dense[k] = e.by
				}
				want[[2]int{k / v.Dims[1], k % v.Dims[1]}] = e
			}
		}
		for range 4 {
			fill()
			dims := []int{v.Dims[0] + rng.IntN(80), v.Dims[1]}
			if rng.IntN(4) == 0 {
				dims[1]++
			}
			v.Grow(dims)
			if v.Size != dims[0]*dims[1] || v.Known.Len != v.Size || v.FromFile.Len != v.Size || v.Known.Count != len(want) {
				t.Fatalf("%v: %d elements, known %d of %d, want %d", dims, v.Size, v.Known.Count, v.Known.Len, len(want))
			}
			for k := range v.Size {
				e := want[[2]int{k / dims[1], k % dims[1]}]
				if v.Known.Has(k) != e.known || e.known && v.Value[k] != e.value || v.Drawn.Dense != nil && v.Drawn.Dense[k] != e.by {
					t.Fatalf("%v: element %d is not %v", dims, k, e)
				}
			}
		}
	}
}
