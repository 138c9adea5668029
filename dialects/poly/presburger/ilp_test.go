package presburger

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
)

func mustAff(t testing.TB, text string) Aff {
	t.Helper()
	a, err := ParseAff(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPrograms(t *testing.T) {
	for _, c := range []struct{ set, f, ilpMin, ilpMax, lpMin string }{
		{"{ [i] : 1 <= 3i <= 20 }", "{ [i] -> [(i)] }", "1", "6", "1"},
		{"{ [i, j] : 3i + 5j >= 1 and 0 <= i and 0 <= j }", "{ [i, j] -> [(i + j)] }", "1", "unbounded", "1/5"},
		{"{ [i, j] : 1 <= 2i - 4j <= 1 }", "{ [i, j] -> [(i)] }", "empty", "empty", "empty"},
		{"{ [i, j] : 10 <= 21i - 14j <= 20 and 0 <= i, j <= 100 }", "{ [i, j] -> [(3j - i)/2] }", "2", "114", "1/4"},
		{"{ [i] : i >= 5 }", "{ [i] -> [floor(i/3)] }", "1", "unbounded", "1"},
		{"[N] -> { [i] : 0 <= i < N and N <= 10 }", "[N] -> { [i] -> [(2N - i)] }", "2", "20", "2"},
		{"{ [i, j] : i > 1000000007 j and j > i }", "{ [i, j] -> [(i)] }", "unbounded", "-2", "unbounded"},
		{"{ [i] : false }", "{ [i] -> [(i)] }", "empty", "empty", "empty"},
		{"{ [i] : i mod 7 = 3 and i >= 100; [i] : i >= 200 }", "{ [i] -> [(i)] }", "101", "unbounded", "100"},
		{"{ [i, j, k] : 2i + 3j = 12k + 7 and 0 <= i <= 50 and 0 <= j <= 50 }", "{ [i, j, k] -> [(k)] }", "0", "20", "-7/12"},
	} {
		s, f := mustSet(t, c.set), mustAff(t, c.f)
		for _, p := range []struct {
			name, want string
			do         func(Aff) (Optimum, error)
		}{{"min", c.ilpMin, s.MinVal}, {"max", c.ilpMax, s.MaxVal}, {"lp min", c.lpMin, s.LPMin}} {
			got, err := p.do(f)
			if err != nil || got.String() != p.want {
				t.Errorf("%s of %s on %s: %s, want %s %v", p.name, c.f, c.set, got, p.want, err)
			}
		}
	}
	if _, err := mustSet(t, "{ S[i] }").MinVal(mustAff(t, "{ [i] -> [(i)] }")); err == nil {
		t.Error("a function of another space")
	}
	o, err := mustPwAff(t, "{ [i] -> [(3 - i)] : 0 <= i <= 5; [i] -> [(i)] : 10 <= i <= 12 }").MinVal()
	if err != nil || o.String() != "-2" {
		t.Errorf("minimum of pieces: %s %v", o, err)
	}
	hard := "{ [a, b, c, d, e] : 0 <= a, b, c, d, e <= 1000000 and 12223a + 12224b + 36674c + 61119d + 85569e = 89643481 }"
	if _, err := mustSet(t, hard).WithBudget(50).MinVal(mustAff(t, "{ [a, b, c, d, e] -> [(a)] }")); err != ErrBudget {
		t.Errorf("a hard program within 50 steps: %v", err)
	}
}

// TestRandomPrograms compares integer optima with enumeration and isl, and rational
// ones with the best vertex.
func TestRandomPrograms(t *testing.T) {
	o := optionalOracle(t)
	quota, over := 0, 0
	for i := range moreCases() {
		g := newGen(*oracleSeed+55, uint64(i))
		r := g.relation(-1, 1+g.IntN(3))
		g.names = append([]string{"N"}, []string{"a", "b", "c"}[:r.out]...)
		text, value := g.affine()
		k := int64(1 + g.IntN(3))
		f := fmt.Sprintf("[N] -> { [%s] -> [%s/%d] }", strings.Join(g.names[1:], ", "), text, k)
		s := mustSet(t, r.text).AlignParams("N").FixParam("N", NewInt(1)).WithBudget(20_000_000)
		got, err := s.MinVal(mustAff(t, f))
		if err == ErrBudget {
			over++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if g.bounded {
			want := "empty"
			var least int64
			for _, x := range r.box()[1] {
				if v := value(append([]int64{1}, x...)); want == "empty" || v < least {
					want, least = big.NewRat(v, k).RatString(), v
				}
			}
			if got.String() != want {
				t.Errorf("%d min of %s on %s: %s, want %s", i, f, r.text, got, want)
			}
		}
		if got.Status == Optimal {
			if ok, _ := s.Contains(got.At.Coords, got.At.Params); !ok {
				t.Errorf("%d: %v is not in %s", i, got.At, s)
			}
			if v, _ := mustAff(t, f).Eval(got.At.Coords, map[string]Int{"N": NewInt(1)}); v != got.Value {
				t.Errorf("%d: the value at %v is %s, not %s", i, got.At, v, got.Value)
			}
		}
		checkRelaxed(t, i, s, mustAff(t, f), got)
		if o != nil && !r.param && k == 1 && // isl takes integer functions without parameters
			!strings.Contains(text, "N") {
			want, err := o.Ask("min", r.text, fmt.Sprintf("{ [%s] -> [%s] }", strings.Join(g.names[1:], ", "), text))
			if err != nil {
				quota++
				continue
			}
			names := map[string]string{"-infty": "unbounded", "NaN": "empty"}
			if n, ok := names[want]; ok {
				want = n
			}
			if got.String() != want {
				t.Errorf("%d min of %s on %s: %s; isl says %s", i, f, r.text, got, want)
			}
		}
	}
	t.Logf("%d cases, over budget %d, isl gave up on %d", moreCases(), over, quota)
}

// checkRelaxed looks at the rational minimum: it is no more than the integer one, and
// that of the lowest vertex of the relaxation.
func checkRelaxed(t *testing.T, i int, s Set, f Aff, best Optimum) {
	t.Helper()
	low, err := s.LPMin(f)
	if err != nil {
		t.Errorf("%d: %v", i, err)
		return
	}
	switch {
	case best.Status == Empty:
	case low.Status == Empty, best.Status == Unbounded && low.Status != Unbounded,
		best.Status == Optimal && low.Status == Optimal && low.Value.Cmp(best.Value) > 0:
		t.Errorf("%d: rational %s, integer %s, of %s on %s", i, low, best, f, s)
	}
	if low.Status != Optimal {
		return
	}
	want, complete := Optimum{Status: Empty}, true
	for _, p := range s.r.Parts {
		for _, c := range p.Conjs {
			c = c.Clone()
			r := piecewise.RowOf(c, f.q)
			v, some := lowestVertex(c, r)
			if complete = complete && some; some {
				want = want.better(Optimum{Value: lp.NewRat(v.Num, v.Den.Mul(f.q.Den))}, -1)
			}
		}
	}
	if complete && want.Status == Optimal && want.Value != low.Value {
		t.Errorf("%d: rational minimum %s, but a vertex with %s, of %s on %s", i, low, want, f, s)
	}
}

// lowestVertex tries all vertices of a conjunction of few rows; ok is false where
// there are none, or too many rows.
func lowestVertex(c *conj.Conj, objective lp.Row) (best Rat, ok bool) {
	n, rows := c.Width()-1, len(c.Ge)
	if c.Empty || rows > 9 || n > 4 || len(c.Eq) > n {
		return best, false
	}
	for pick := range 1 << rows {
		m := lp.CloneRows(c.Eq)
		for k := range rows {
			if pick>>k&1 == 1 {
				m = append(m, c.Ge[k].Clone())
			}
		}
		if len(m) != n {
			continue
		}
		x, unique := solveRational(m, n)
		if !unique {
			continue
		}
		inside := true
		for _, r := range c.Ge {
			inside = inside && valueAt(r, x).Sign() >= 0
		}
		for _, r := range c.Eq {
			inside = inside && valueAt(r, x).Sign() == 0
		}
		if v := valueAt(objective, x); inside && (!ok || v.Cmp(best) < 0) {
			best, ok = v, true
		}
	}
	return best, ok
}

func valueAt(r lp.Row, x []Rat) Rat {
	s := Rat{Num: r[0], Den: NewInt(1)}
	for i, v := range x {
		s = s.Add(v.Mul(Rat{Num: r[1+i], Den: NewInt(1)}))
	}
	return s
}

// solveRational solves n equations.
func solveRational(m []lp.Row, n int) (x []Rat, unique bool) {
	a := make([][]Rat, n)
	for i, r := range m {
		for k := range n + 1 {
			a[i] = append(a[i], Rat{Num: r[k], Den: NewInt(1)})
		}
	}
	for c := 1; c <= n; c++ {
		p := c - 1
		for p < n && a[p][c].Sign() == 0 {
			p++
		}
		if p == n {
			return nil, false
		}
		a[p], a[c-1] = a[c-1], a[p]
		inv := lp.NewRat(a[c-1][c].Den, a[c-1][c].Num)
		for k := range a[c-1] {
			a[c-1][k] = a[c-1][k].Mul(inv)
		}
		for i := range a {
			if f := a[i][c].Neg(); i != c-1 && f.Sign() != 0 {
				for k := range a[i] {
					a[i][k] = a[i][k].Add(f.Mul(a[c-1][k]))
				}
			}
		}
	}
	for i := range n {
		x = append(x, a[i][0].Neg())
	}
	return x, true
}
