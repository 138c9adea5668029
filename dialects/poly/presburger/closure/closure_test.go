package closure

import (
	"fmt"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// cases are relations, their closures ("" is not checked), and whether these are exact.
var cases = []struct {
	name, in, want string
	exact          bool
}{
	{"nothing", "{ [i] -> [j] : false }", "{ [i] -> [j] : false }", true},
	{"translation", "[n] -> { [x] -> [x + 1] : 0 <= x < n }", "[n] -> { [x] -> [y] : 0 <= x < y <= n }", true},
	{"strides", "{ [i] -> [i + 2] : 0 <= i < 100 }", "{ [i] -> [j] : 0 <= i < 100 and i < j <= 101 and (j - i) mod 2 = 0 }", true},
	{"any number", "{ [i] -> [j] : i < j }", "{ [i] -> [j] : i < j }", true},
	{"two translations", "[n] -> { [i, j] -> [i + 1, j] : 0 <= i < n and 0 <= j <= n; [i, j] -> [i, j + 1] : 0 <= i <= n and 0 <= j < n }",
		"[n] -> { [i, j] -> [k, l] : 0 <= i <= k <= n and 0 <= j <= l <= n and i + j < k + l }", true},
	{"a row after the other", "[n] -> { [i, j] -> [i, j + 1] : 1 <= i <= n and 1 <= j < n; [i, n] -> [i + 1, 1] : 1 <= i < n }",
		"[n] -> { [i, j] -> [i, k] : 1 <= i <= n and 1 <= j < k <= n; [i, j] -> [k, l] : 1 <= i < k <= n and 1 <= j, l <= n }", true},
	{"spaces", "[n] -> { A[i] -> B[i] : 0 <= i < n; B[i] -> A[i + 1] : 0 <= i < n }",
		"[n] -> { A[i] -> B[j] : 0 <= i <= j < n; B[i] -> A[j] : 0 <= i < j <= n; A[i] -> A[j] : 0 <= i < j <= n; B[i] -> B[j] : 0 <= i < j < n }", true},
	{"no step after another", "{ [0] -> [1]; [2] -> [3] }", "{ [0] -> [1]; [2] -> [3] }", true},
	{"few steps", "{ [i] -> [2i] : 1 <= i < 20 }", "", true},
	{"a cycle", "{ [0] -> [1]; [1] -> [2]; [2] -> [0] }", "{ [i] -> [j] : 0 <= i, j <= 2 }", true},
	{"both ways", "[n] -> { [i] -> [i + 1] : 0 <= i < n; [i] -> [i - 1] : 0 < i <= n }", "[n] -> { [i] -> [j] : 0 <= i, j <= n and n > 0 }", true},
	{"a parameter's multiples", "[n] -> { [x] -> [y] : 1 <= n <= y - x <= 10 }", "[n] -> { [x] -> [y] : 1 <= n <= 10 and y >= n + x }", false},
	{"a parameter's translation", "[n] -> { [i] -> [i + n] : n > 0 }", "[n] -> { [i] -> [j] : j >= i + n and n > 0 }", false},
	{"doubling", "[n] -> { [i] -> [2i] : 1 <= i < n }", "", false},
	{"dimensions that stay", "[n] -> { S[t, i] -> S[t + 1, j] : 0 <= t < n and -1 <= j - i <= 1 }",
		"[n] -> { S[t, i] -> S[u, j] : 0 <= t < u <= n and t - u <= j - i <= u - t }", true},
}

func parse(t testing.TB, text string) p.Map {
	t.Helper()
	m, err := p.ParseMap(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func equal(t testing.TB, a, b p.Map) bool {
	t.Helper()
	eq, err := a.IsEqual(b)
	if err != nil {
		t.Fatal(err)
	}
	return eq
}

func TestClosure(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.in)
			got, exact := Of(m)
			if exact != c.exact {
				t.Errorf("exact is %v: %s", exact, got)
			}
			if c.want != "" && !equal(t, got, parse(t, c.want)) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPower(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"[n] -> { [i] -> [i + 2] : 0 <= i < n }", "[n] -> { [k] -> [[i] -> [i + 2k]] : k > 0 and 0 <= i and i + 2k <= n + 1 }"},
		{"{ A[i] -> B[i]; B[i] -> A[i + 1] }", `{ [k] -> [A[i] -> A[j]] : k = 2(j - i) > 0; [k] -> [B[i] -> B[j]] : k = 2(j - i) > 0;
			[k] -> [A[i] -> B[j]] : k = 2(j - i) + 1 > 0; [k] -> [B[i] -> A[j]] : k = 2(j - i) - 1 > 0 }`},
	} {
		got, exact := Power(parse(t, c.in))
		if !exact || !equal(t, got, parse(t, c.want)) {
			t.Errorf("%s: %v %s", c.in, exact, got)
		}
	}
}

// TestBudget has too little time: the answer is large, not wrong.
func TestBudget(t *testing.T) {
	m := parse(t, "[n] -> { [i, j] -> [i + 1, j] : 0 <= i, j < n; [i, j] -> [j, i + 1] : 0 <= i, j < n }").WithBudget(2000)
	got, exact := Of(m)
	if exact {
		t.Error("exact")
	}
	full := got.WithBudget(0)
	if ok, err := m.WithBudget(0).IsSubset(full); !ok || err != nil {
		t.Errorf("%v %v: %s", ok, err, got)
	}
}

// TestManyPieces has more conjunctions than are looked at one by one.
func TestManyPieces(t *testing.T) {
	var parts []string
	for i := range 150 {
		parts = append(parts, fmt.Sprintf("[%d] -> [%d]", 5*i, 5*i+3))
	}
	m := parse(t, "{ "+strings.Join(parts, "; ")+" }")
	got, _ := Of(m)
	if ok, err := m.IsSubset(got); !ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}
