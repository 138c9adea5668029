package bind_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/model"
)

// Loops with constant bounds and left sides of loop variables take no memory an
// iteration; others are stored.
func TestStoredIterations(t *testing.T) {
	m := bugstest.MustAnalyze(t, `
	  for (i in 1:N) { for (j in 1:2) { y[i,j] ~ dnorm(mu[i,j+1], 1)  mu[i,j+1] <- a } }
	  for (i in 1:N) { mu[i,1] <- 0  mu[N+1-i,4] <- 1 }
	  for (i in 1:3) { for (j in 1:i) { x[i,j] ~ dnorm(0, 1)  z[i*(i-1)/2+j] <- a } }
	  a ~ dnorm(0, 1)`, `{"N": 1000}`)
	for _, want := range []struct {
		stmt, iters, spans int
		region             string
	}{{0, 0, 0, "[1 1000 1 2]"}, {1, 0, 0, "[1 1000 2 3]"}, {2, 0, 0, "[1 1000 1 1]"}, {3, 0, 0, "[1 1000 4 4]"},
		{4, 12, 0, "[]"}, {5, 12, 12, "[]"}, {6, 0, 0, "[]"}} {
		s := m.Statements[want.stmt]
		if len(s.Domain.Iters) != want.iters || len(s.Defines.Spans) != want.spans || fmt.Sprint(s.Defines.Region) != want.region {
			t.Errorf("statement %d: %d iterations and %d indices are stored, the region is %v", want.stmt, len(s.Domain.Iters), len(s.Defines.Spans), s.Defines.Region)
		}
	}
	mu := m.Lookup("mu")
	if mu.Assigned.Dense != nil || len(mu.Assigned.Parts) != 3 {
		t.Error("mu is stored element by element")
	}
	for k := range mu.Len() {
		by := mu.AssignedBy(k)
		found := false
		m.Elements(m.Statements[by.Stmt-1], int(by.Iter), func(e int) { found = found || e == k })
		if !found {
			t.Fatalf("%s is not defined by iteration %d of statement %d", mu.ElemName(k), by.Iter, by.Stmt)
		}
	}
}

func TestMask(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		n := rng.IntN(300)
		m, set := model.Mask{Len: n}, make([]bool, n)
		for range rng.IntN(2*n + 1) {
			k := rng.IntN(n)
			m.Set(k)
			set[k] = true
		}
		if rng.IntN(4) == 0 {
			for k := range n {
				m.Set(k)
				set[k] = true
			}
		}
		from := rng.IntN(n + 1)
		to := from + rng.IntN(n-from+1)
		count, between := 0, 0
		for k, x := range set {
			if x != m.Has(k) {
				t.Fatalf("element %d of %d", k, n)
			}
			if x {
				count++
				if from <= k && k < to {
					between++
				}
			}
		}
		if m.Count != count || m.Between(from, to) != between || m.All() != (count == n) || m.None() != (count == 0) && n > 0 {
			t.Fatalf("%d of %d elements, %d in %d:%d; want %d, %d", m.Count, n, m.Between(from, to), from, to, count, between)
		}
	}
}

// The runs of a region are its elements in order.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		dims := make([]int, rng.IntN(4))
		r := make(model.Region, 2*len(dims))
		for d := range dims {
			dims[d] = 1 + rng.IntN(4)
			r[2*d] = int32(1 + rng.IntN(dims[d]))
			r[2*d+1] = r[2*d] + int32(rng.IntN(dims[d]-int(r[2*d])+1))
		}
		var got, want []int
		r.Runs(dims, func(from, to int) {
			for k := from; k < to; k++ {
				got = append(got, k)
			}
		})
		if len(dims) == 0 {
			want = []int{0}
		} else {
			model.EachInBox(dims, r, 0, 0, func(k int) { want = append(want, k) })
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || r.Size() != len(want) {
			t.Fatalf("%v in %v: %v, want %v", r, dims, got, want)
		}
		for _, k := range want {
			if index := model.IndicesOf(dims, k, make([]int32, len(dims))); !r.Has(index) {
				t.Fatalf("%d is %v, which is not in %v", k, index, r)
			}
		}
	}
}
