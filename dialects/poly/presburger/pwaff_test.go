package presburger

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
)

func mustPwAff(t testing.TB, text string) PwAff {
	t.Helper()
	f, err := ParsePwAff(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPwAffText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{ S[i] -> [i + 1] }", "{ S[i] -> [(i + 1)] }"},
		{"{ [i] -> [(i)/2] }", "{ [i] -> [(i)/2] }"},
		{"{ [i] -> [-3i/6] }", "{ [i] -> [(-i)/2] }"},
		{"{ [i] -> [i + 4/2] }", "{ [i] -> [(i + 2)] }"},
		{"{ [i] -> [((i + 1)/3)] }", "{ [i] -> [(i + 1)/3] }"},
		{"{ [i] -> [i mod 3] : i > 0 }", "{ [i] -> [(i - 3*floor((i)/3))] : i >= 1 }"},
		{"[N] -> { [(N)] : N >= 1 }", "[N] -> { [(N)] : N >= 1 }"},
		{"[N] -> { [i] -> [min(i, N)] }", "[N] -> { [i] -> [(i)] : N >= i; [i] -> [(N)] : i >= N + 1 }"},
		{"{ [i] -> [floor((floor(i/2) + 3)/5)] }", "{ [i] -> [(floor((i + 6)/10))] }"},
		{"{ [i] -> [floor((i + 7)/3) - floor((i + 1)/3)] }", "{ [i] -> [(2)] }"},
		{"{ [i] -> [(i)] : i > 0; [i] -> [(2)] : i < 3 }", "{ [i] -> [(i + 2)] : 1 <= i <= 2; [i] -> [(i)] : i >= 3; [i] -> [(2)] : i <= 0 }"},
		{"{ [i] -> [(1)] : false }", "{ [i] -> [(0)] : false }"},
		{"{ [[i] -> [j]] -> [(i > j ? i : 2j)] }", "{ [[i] -> [j]] -> [(i)] : i >= j + 1; [[i] -> [j]] -> [(2j)] : j >= i }"},
	} {
		f, err := ParsePwAff(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if f.String() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, f, c.want)
		}
		g, err := ParsePwAff(f.String())
		if err != nil {
			t.Errorf("%s is not read: %v", f, err)
			continue
		}
		if eq, err := f.IsEqual(g); !eq || err != nil {
			t.Errorf("%s reads as %s %v", f, g, err)
		}
	}
}

func TestPwAffErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{ [i] -> [i * i] }", "not affine"},
		{"{ [i] -> [i, j] }", "unknown variable j"},
		{"{ [i] -> [i, i] }", "one value"},
		{"{ [i] -> T[i] }", "one value"},
		{"{ [i] -> [i] ; [i, j] -> [i] }", "in one space"},
		{"{ [i] -> [i/0] }", "positive"},
		{"{ [i] -> }", "to open a tuple"},
	} {
		if _, err := ParsePwAff(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	f, g := mustPwAff(t, "{ [i] -> [i] }"), mustPwAff(t, "{ S[i] -> [i] }")
	if _, err := f.Add(g); err == nil {
		t.Error("functions on different spaces add")
	}
	if _, err := f.Mul(f); err == nil {
		t.Error("i * i is affine")
	}
	if _, err := f.Mod(NewInt(0)); err == nil {
		t.Error("mod 0")
	}
	if _, err := mustPwAff(t, "{ [i] -> [min(i, 3)] }").WithBudget(1).Add(f); err != ErrBudget {
		t.Errorf("a budget of 1: %v", err)
	}
	for _, m := range []string{"{ [i] -> [j] : i <= j <= i + 1 }", "{ [i] -> [j] : j <= i }", "{ [i] -> [1]; [i] -> [2] : i = 3 }"} {
		if _, err := mustMap(t, m).AsPwMultiAff(); err != piecewise.ErrNotFunction {
			t.Errorf("%s: %v", m, err)
		}
	}
}

func mustMap(t testing.TB, text string) Map {
	t.Helper()
	m, err := ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustSet(t testing.TB, text string) Set {
	t.Helper()
	s, err := ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDims(t *testing.T) {
	s := mustSet(t, "[N] -> { [i, j] : 0 <= i < N and i <= 2j <= 7 }")
	for _, c := range []struct {
		f    func(int) (PwAff, error)
		i    int
		want string
	}{
		{s.DimMin, 0, "[N] -> { [(0)] : N >= 1 }"},
		{s.DimMax, 0, "[N] -> { [(min(N - 1, 6))] : N >= 1 }"},
		{s.DimMax, 1, "[N] -> { [(3)] : N >= 1 }"},
	} {
		f, err := c.f(c.i)
		if err != nil {
			t.Error(err)
			continue
		}
		if eq, err := f.IsEqual(mustPwAff(t, c.want)); !eq {
			t.Errorf("%s, want %s %v", f, c.want, err)
		}
	}
	if _, err := mustSet(t, "{ [i] : i >= 0 }").DimMax(0); err != ErrUnbounded {
		t.Errorf("no bound: %v", err)
	}
}

func ratText(v Rat, ok bool) string {
	if !ok {
		return "none"
	}
	return fmt.Sprint(v)
}

// TestHostileFunctions reads texts that multiply out: they end within the limits.
func TestHostileFunctions(t *testing.T) {
	var pieces, terms []string
	for i := range 3000 {
		pieces = append(pieces, fmt.Sprintf("[i] -> [%d] : i >= %d", i, i))
	}
	for i := range 40 {
		terms = append(terms, fmt.Sprintf("%di", i-20))
	}
	for _, text := range []string{
		"{ " + strings.Join(pieces, "; ") + " }",
		"{ [i] -> [max(" + strings.Join(terms, ", ") + ")] }",
		"{ [i] -> [" + strings.Repeat("floor((", 150) + "i" + strings.Repeat(" + 1)/3)", 150) + "] }",
		"{ [i] -> [" + strings.Repeat("min(i, 3), ", 20) + "1] }",
	} {
		start := time.Now()
		if _, err := ParsePwMultiAff(text); err == nil {
			t.Errorf("%.60s is read", text)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%.60s takes %v", text, d)
		}
	}
}

// TestBigFunctions leaves 64 bits.
func TestBigFunctions(t *testing.T) {
	f := mustPwAff(t, "{ [i] -> [floor((1000000000000000000000i + 7)/999999999999999999999)] : i > 9000000000000000000 }")
	g, err := f.Scale(Rat{Num: NewInt(1 << 62), Den: NewInt(3)}).Add(f)
	if err != nil {
		t.Fatal(err)
	}
	x := NewInt(9000000000000000001)
	v, ok, err := f.Eval([]Int{x}, nil)
	if err != nil || !ok || v.String() != "9000000000000000001" {
		t.Errorf("f = %s %v %v", v, ok, err)
	}
	v, ok, err = g.Eval([]Int{x}, nil)
	want := lp.NewRat(x.Mul(NewInt(1<<62).Add(NewInt(3))), NewInt(3))
	if err != nil || !ok || v.Cmp(want) != 0 {
		t.Errorf("g = %s, want %s %v %v", v, want, ok, err)
	}
	o, err := mustSet(t, "{ [i] : 1000000000000000000007i >= 1000000000000000000000000000000000000000000 }").MinVal(mustAff(t, "{ [i] -> [(i)] }"))
	if err != nil || o.String() != "999999999999999999994" {
		t.Errorf("minimum %s %v", o, err)
	}
}

// TestSharedFunctions uses one function in several goroutines; go test -race looks.
func TestSharedFunctions(t *testing.T) {
	f := mustPwAff(t, "[N] -> { [i] -> [min(floor(i/2), N)] : i >= 0; [i] -> [3] : i < -2 }")
	s := mustSet(t, "[N] -> { [i] : 0 <= i <= N; [i] : i mod 3 = 1 }")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			g, err := f.Add(f)
			if err == nil {
				g, err = g.IntersectDomain(s)
			}
			if err == nil {
				_, err = g.UnionMax(f)
			}
			if err == nil {
				_, err = s.SimpleHull()
			}
			if err == nil {
				_, err = f.Coalesce()
			}
			if err == nil {
				_, err = f.Gist(s)
			}
			if err != nil {
				t.Error(err)
			}
			_ = f.String()
		})
	}
	all.Wait()
}
