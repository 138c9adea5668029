package depend

import (
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// test1 tests two accesses of a loop over a domain.
func test1(t *testing.T, domain, a, b string) Dependence {
	t.Helper()
	tester := NewTester("N")
	var acc [2]*Access
	for i, m := range []string{a, b} {
		var err error
		if acc[i], err = tester.Access(mustSet(t, domain), mustMap(t, m)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := tester.Test(acc[0], acc[1], 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCoefficients: what does not fit into 31 bits, or leaves them as it is solved, is
// as exact, but for the distance.
func TestCoefficients(t *testing.T) {
	for _, c := range []struct{ domain, a, b, want string }{
		{"[N] -> { S[i] : 0 <= i < N }", "{ S[i] -> A[3000000000i] }", "{ S[i] -> A[3000000000i - 6000000000] }", "(+)"},
		{"[N] -> { S[i] : 0 <= i < N }", "{ S[i] -> A[3000000000i] }", "{ S[i] -> A[3000000000i - 1] }", "none"},
		{"[N] -> { S[i] : 0 <= i < N }", "{ S[i] -> A[99999999999999999999i] }", "{ S[i] -> A[99999999999999999999i + 99999999999999999999] }", "(-)"},
		{"[N] -> { S[i] : 0 <= i < N }", "{ S[i] -> A[2000000011i] }", "{ S[i] -> A[1999999973i + 1] }", "(+)"},
		{"[N] -> { S[i] : 0 <= i < 4000000000 }", "{ S[i] -> A[i] }", "{ S[i] -> A[i + 3999999999] }", "(-)"},
		{"[N] -> { S[i] : 0 <= i < 4000000000 }", "{ S[i] -> A[i] }", "{ S[i] -> A[i + 4000000000] }", "none"},
		{"[N] -> { S[i] : 0 <= i < N }", "[N] -> { S[i] -> A[i] }", "[N] -> { S[i] -> A[i + N - 1] }", "(-N + 1)"},
		{"[N] -> { S[i] : 0 <= i < N }", "[N] -> { S[i] -> A[i] }", "[N] -> { S[i] -> A[i + N] }", "none"},
	} {
		got := test1(t, c.domain, c.a, c.b).String()
		if got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestSigns looks at what the texts and questions of a dependence say.
func TestSigns(t *testing.T) {
	d, err := NewTester().Of(mustMap(t, "[N] -> { S[i, j] -> S[k, l] : k = i + 1 and 0 <= i, j, k, l < N; S[i, j] -> S[i, l] : l > j }"), 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.String(), "(0+, *) of (0, +) (+, -) (+, 0) (+, +)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := d.Direction(), NewVector(NonNegative, Mixed); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if d.Parallel(0) || d.Parallel(1) || d.Carries(2) || !d.Exists() {
		t.Errorf("levels %v", d.Levels())
	}
	if back := d.Reverse(); back.Forward(true).Exists() || back.String() != "(0-, *) of (-, -) (-, 0) (-, +) (0, -)" {
		t.Errorf("reversed %v", back)
	}
	if outer := d.Forward(false); len(outer.Vectors) != 4 || outer.Distances[0].Known {
		t.Errorf("forward %v", outer)
	}
	same, err := NewTester().Of(mustMap(t, "{ S[i] -> T[i] }"), 1)
	if err != nil || same.Forward(false).Exists() || !same.Forward(true).Exists() || !same.Parallel(0) {
		t.Errorf("in one iteration: %v (%v)", same, err)
	}
}

func TestErrors(t *testing.T) {
	tester := NewTester("N")
	s := mustSet(t, "[N] -> { S[i] : 0 <= i < N }")
	for text, want := range map[string]string{
		"{ S[i] -> A[i]; S[i] -> B[i] }": "one statement and one array",
		"[K] -> { S[i] -> A[i + K] }":    "parameter K",
	} {
		if _, err := tester.Access(s, mustMap(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if err := tester.Assume(mustSet(t, "[N] -> { : N mod 2 = 0 }")); err == nil {
		t.Error("an assumption with a variable that exists is taken")
	}
	a := Accesses{Sink: mustMap(t, "{ S[i] -> A[i] }"), Must: mustMap(t, "{ T[i] -> A[i] }"), Schedule: mustMap(t, "{ S[i] -> [i, 0]; T[i] -> [i] }")}
	if _, err := a.Flow(); err == nil || !strings.Contains(err.Error(), "one space of time") {
		t.Errorf("times of two lengths: %v", err)
	}
	n := nestMaker{newRandom(1_000_109), true}.nest().accesses(t)
	n.Budget = 100
	if _, err := n.Flow(); !errors.Is(err, presburger.ErrBudget) {
		t.Errorf("with a budget of 100 steps: %v", err)
	}
}

// TestAssume: what holds of the sizes may rule a dependence out.
func TestAssume(t *testing.T) {
	for context, want := range map[string]string{
		"[N] -> { : }":         "(10)",
		"[N] -> { : N <= 10 }": "none",
		"[N] -> { : N = 11 }":  "(10)",
	} {
		tester := NewTester("N")
		if err := tester.Assume(mustSet(t, context)); err != nil {
			t.Fatal(err)
		}
		var acc [2]*Access
		for i, m := range []string{"{ S[i] -> A[i] }", "{ S[i] -> A[i - 10] }"} {
			var err error
			if acc[i], err = tester.Access(mustSet(t, "[N] -> { S[i] : 0 <= i < N }"), mustMap(t, m)); err != nil {
				t.Fatal(err)
			}
		}
		if d, err := tester.Test(acc[0], acc[1], 1); err != nil || d.String() != want {
			t.Errorf("%s: %v, want %s (%v)", context, d, want, err)
		}
	}
}
