package presburger

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
)

func TestComplexity(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }", "N^2"},
		{"[N, K] -> { [i, k] : 0 <= i < N and 0 <= k < K }", "N*K"},
		{"[N, K] -> { [i] : 0 <= i < N + K }", "N + K"},
		{"[N, K] -> { [i] : 0 <= i < N + K and K <= N }", "N"},
		{"[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < N + K }", "N^2 + N*K"},
		{"[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < N and j < K }", "N^2"}, // N min(N, K)
		{"[N, K] -> { [i, j] : 0 <= i and 0 <= j and (i < N or i < K) and (j < N or j < K) }", "N^2 + K^2"},
		{"[N] -> { [i] : 0 <= i < N and i <= 20 }", "1"},
		{"[N] -> { [i] : 0 <= i and N + i <= 20 }", "1"},
		{"[N] -> { [i] : 0 <= i < N and N <= 0 }", "0"},
		{"[N] -> { [i] : 2i = N }", "1"},
		{"{ [i, j] : 0 <= i, j < 100 }", "1"},
		{"{ [i] : false }", "0"},
		{"[N] -> { [i, j] : 0 <= 2i < N and 0 <= 3j < N + i }", "N^2"},
		{"[N] -> { [i] : 0 <= i < N and i mod 1000 = 3 }", "N"},
		{"[N] -> { [i, j] : 0 <= i < N and N - 4 <= 2j + i <= N + 4 }", "N"},
		{"[N, B] -> { [t, i] : 0 <= t < N and 4t <= i < 4t + 4 and i < N and 1 <= B <= 16 }", "N"}, // N/4 tiles of 4,
		{"[N, B] -> { [i, b] : 0 <= i < N and 0 <= b < B and B <= 16 }", "N"},
		{"[N, M] -> { [i, j] : 0 <= i < N and 0 <= j < M and M = 2N }", "N^2"},
		{"[N, M, K] -> { [i, j, k] : 0 <= i < N and 0 <= j < M and 0 <= k < K and K <= N }", "N*M*K"},
		{"[N, W] -> { [i, j] : 0 <= i < N and i <= j < i + W and j < N }", "N^2"}, // N min(N, W)
		{"[N, W] -> { [i, j] : 0 <= i < N and i <= j < i + W and j < N and W <= N }", "N*W"},
		{"[N] -> { [i] : 0 <= i < N mod 7 }", "1"},
		{"[N, K] -> { [i] : 0 <= i < N and (K = 1 or i < K and K = 2) }", "N"},
		{"[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < N and K <= 3; [i, j] : 0 <= i < K and j = 0 }", "K"},
	} {
		n, err := mustSet(t, c.set).Card()
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		got, err := n.Complexity()
		if err != nil || got.String() != c.want {
			t.Errorf("%s: %s, want %s %v of %s", c.set, got, c.want, err, n)
		}
	}
	n, _ := mustSet(t, "[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < N + K }").Card()
	c, _ := n.Complexity()
	if c.Degree() != 2 || fmt.Sprint(c.Monomials()) != "[[2 0] [1 1]]" {
		t.Errorf("degree %d, monomials %v", c.Degree(), c.Monomials())
	}
}

// The domains of counts that are added may cut each other at will: forty of them have more
// pieces than can be told apart.
func TestSumComplexity(t *testing.T) {
	count := func(set string) *Count {
		n, err := mustSet(t, set).Card()
		if err != nil {
			t.Fatalf("%s: %v", set, err)
		}
		return n
	}
	var many []*Count
	for i := range 40 {
		many = append(many, count(fmt.Sprintf("[N, K, M] -> { [i, j] : 0 <= j <= i < N and j <= K + %d and i + j <= M + %d }", i, 2*i)))
	}
	for _, c := range []struct {
		counts []*Count
		want   string
	}{
		{nil, "0"},
		{[]*Count{count("[N, K] -> { [i] : 0 <= i < N }"), count("[N, K] -> { [i] : 0 <= i < K }")}, "N + K"},
		{[]*Count{count("[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < N and j < K }"), count("[N, K] -> { [i, j] : 0 <= i < N and 0 <= j < K }")}, "N*K"},
		{[]*Count{count("[N, K] -> { [i] : 0 <= i < N and K <= N }"), count("[N, K] -> { [i] : 0 <= i < K and K <= N }")}, "N"},
		{many, "N^2"},
	} {
		if got, err := SumComplexity(c.counts...); err != nil || got.String() != c.want {
			t.Errorf("of %d counts: %s, want %s %v", len(c.counts), got, c.want, err)
		}
	}
	if _, err := SumComplexity(count("[N] -> { [i] : 0 <= i < N }"), count("[K] -> { [i] : 0 <= i < K }")); err == nil {
		t.Error("counts of other parameters are added")
	}
}

// TestRandomComplexity looks at counts along curves on which the parameters grow: by
// the complexity they are bounded, and by no single monomial less of one curve.
func TestRandomComplexity(t *testing.T) {
	done := 0
	for i := range moreCases() / 3 {
		g := newGen(*oracleSeed+22, uint64(i))
		text := g.growing()
		n, err := mustSet(t, text).WithBudget(50_000_000).Card()
		if err == ErrBudget {
			continue
		}
		if err != nil {
			t.Fatalf("%d %s: %v", i, text, err)
		}
		c, err := n.Complexity()
		if err != nil {
			t.Fatalf("%d %s: %v", i, text, err)
		}
		done++
		for _, curve := range [][2]int64{{1, 1}, {1, 2}, {2, 1}, {3, 1}, {1, 3}} {
			ratio := func(t int64) (r float64, some bool) {
				x := []Int{NewInt(power(t, curve[0])), NewInt(power(t, curve[1]))}
				v, err := n.At(map[string]Int{"N": x[0], "K": x[1]})
				if err != nil {
					panic(err)
				}
				bound := Int{}
				for _, m := range c.Monomials() {
					p := NewInt(1)
					for k, e := range m {
						for range e {
							p = p.Mul(x[k])
						}
					}
					bound = bound.Add(p)
				}
				if bound.Sign() == 0 {
					return float64(v.Sign()), false
				}
				r, _ = new(big.Rat).SetFrac(v.Big(), bound.Big()).Float64()
				return r, true
			}
			a, _ := ratio(60)
			b, _ := ratio(240)
			if b > 2*a+1 {
				t.Errorf("%d %s: %s grows more than %s along %v: %g, %g", i, text, n, c, curve, a, b)
			}
		}
	}
	if done < moreCases()/4 {
		t.Errorf("%d counts", done)
	}
}

func power(x, n int64) int64 {
	p := int64(1)
	for range n {
		p *= x
	}
	return p
}

// growing is a random set of two or three dimensions bounded by N and K.
func (g *gen) growing() string {
	names := []string{"i", "j", "k"}[:2+g.IntN(2)]
	var all []string
	for k, v := range names {
		bounds := append([]string{"N", "K", "N + K", "10", "2N", "N - K"}, names[:k]...)
		all = append(all, fmt.Sprintf("0 <= %d%s < %s", 1+g.IntN(2), v, g.pick(bounds...)))
	}
	for range g.IntN(3) {
		all = append(all, g.pick("i + j <= N", "2i >= j", "i < K", "j + 3 >= i", "i mod 2 = 0", "K <= N", "i + N >= 2j + K"))
	}
	return fmt.Sprintf("[N, K] -> { [%s] : %s }", strings.Join(names, ", "), strings.Join(all, " and "))
}

// TestReductions: the work of the reductions that are to be simplified.
func TestReductions(t *testing.T) {
	text, err := os.ReadFile("testdata/reductions.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Name, Domain, Orig string }
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 10 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		n, err := mustSet(t, c.Domain).Card()
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if got, err := n.Complexity(); err != nil || got.String() != c.Orig {
			t.Errorf("%s: %s, want %s %v", c.Name, got, c.Orig, err)
		}
	}
}
