package codegen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

func relation(t testing.TB, text string) presburger.Map {
	t.Helper()
	m, err := presburger.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Ends of statements that can lie in any order would make exponentially many pieces.
func TestManyPieces(t *testing.T) {
	var domain, rows, filters []string
	for _, c := range "ABCDEFGH" {
		domain = append(domain, fmt.Sprintf("%c[i] : 0 <= i < N and i >= P%c", c, c))
		rows, filters = append(rows, fmt.Sprintf("%c[i] -> [i]", c)), append(filters, fmt.Sprintf("{ filter: \"{ %c[i] }\" }", c))
	}
	tree, err := schedule.Parse(fmt.Sprintf(`{ domain: "[N, PA, PB, PC, PD, PE, PF, PG, PH] -> { %s }", child: { schedule: "[{ %s }]", options: "{ separate[0] }", child: { sequence: [ %s ] } } }`,
		strings.Join(domain, "; "), strings.Join(rows, "; "), strings.Join(filters, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	block, err := Generate(tree, presburger.Set{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(block.String(), "for ("); n < 1 || n > 16 {
		t.Errorf("%d loops:\n%s", n, block)
	}
}

func TestTrees(t *testing.T) {
	for _, c := range []struct{ tree, want string }{
		{`{ domain: "[N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }", child: { schedule: "[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]" } }`, `
if (N >= 1)
  for (int c0 = 0; c0 <= M - 1; c0 += 1)
    for (int c1 = 0; c1 <= N - 1; c1 += 1)
      S(c1, c0);
`},
		{`{ domain: "{ A[i] : 0 <= i < 10; B[i] : 0 <= i < 10 }", child: { schedule: "[{ A[i] -> [i]; B[i] -> [i + 1] }]", options: "{ separate[0] }", child: {
			sequence: [ { filter: "{ A[i] }" }, { filter: "{ B[i] }" } ] } } }`, `
A(0);
for (int c0 = 1; c0 <= 9; c0 += 1) {
  A(c0);
  B(c0 - 1);
}
B(9);
`},
		{`{ domain: "[N, K] -> { A[i, k] : 0 <= i < N and 0 <= k < K; B[i, k] : 0 <= i < N and 1 <= k < K }", child: { schedule: "[{ A[i, k] -> [i]; B[i, k] -> [i] }]", options: "{ separate[0] }", child: {
			sequence: [ { filter: "{ A[i, k] }" }, { filter: "{ B[i, k] }" } ] } } }`, `
if (K >= 1)
  for (int c0 = 0; c0 <= N - 1; c0 += 1) {
    for (int c1 = 0; c1 <= K - 1; c1 += 1)
      A(c0, c1);
    if (K >= 2)
      for (int c1 = 1; c1 <= K - 1; c1 += 1)
        B(c0, c1);
  }
`},
		{`{ domain: "{ A[]; B[i] : 0 <= i < 10 }", child: { schedule: "[{ A[] -> [0]; B[i] -> [i] }]", child: {
			sequence: [ { filter: "{ A[] }" }, { filter: "{ B[i] }" } ] } } }`, `
A();
for (int c0 = 0; c0 <= 9; c0 += 1)
  B(c0);
`},
		{`{ domain: "{ A[i] : 0 <= i < 3 }", child: { schedule: "[{ A[i] -> [i] }]", options: "{ unroll[0] }" } }`, `
A(0);
A(1);
A(2);
`},
		{`{ domain: "[N] -> { A[i] : 0 <= i < N }", child: { schedule: "[{ A[i] -> [32*floor(i/32)] }, { A[i] -> [i mod 32] }]" } }`, `
for (int c0 = 0; c0 <= N - 1; c0 += 32)
  for (int c1 = 0; c1 <= min(N - c0 - 1, 31); c1 += 1)
    A(c0 + c1);
`},
		{`{ domain: "{ A[i] : 0 <= i < 4 }", child: { schedule: "[{ A[i] -> [i] }]", child: { mark: "m", child: { extension: "{ [i] -> P[j] : 0 <= j < i }", child: {
			sequence: [ { filter: "{ P[j] }" }, { filter: "{ A[i] }" } ] } } } } }`, `
for (int c0 = 0; c0 <= 3; c0 += 1) {
  // "m"
  for (int c1 = 0; c1 <= c0 - 1; c1 += 1)
    P(c1);
  A(c0);
}
`},
		{`{ domain: "{ A[i] : 0 <= i < 4 }", child: { schedule: "[{ A[i] -> [-i] }]", child: {
			contraction: "{ B[i, k] -> A[i] }", expansion: "{ A[i] -> B[i, k] : 0 <= k < 2 }", child: { schedule: "[{ B[i, k] -> [k] }]" } } } }`, `
for (int c0 = -3; c0 <= 0; c0 += 1)
  for (int c1 = 0; c1 <= 1; c1 += 1)
    B(-c0, c1);
`},
	} {
		n, err := schedule.Parse(c.tree)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Generate(n, presburger.Set{}, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.tree, err)
			continue
		}
		if got := "\n" + b.String(); got != c.want {
			t.Errorf("%s\ngot:%s\nwant:%s", c.tree, got, c.want)
		}
	}
}

func TestMaps(t *testing.T) {
	for _, c := range []struct{ times, context, options, want string }{
		// Copies are a stride apart, from the first value of the class on.
		{"[n, t] -> { S[i] -> [t, i] : (i - t) mod 16 = 0 and 0 <= i < n and i < 64 }", "[t] -> { : 0 <= t <= 15 }", "{ [t, i] -> unroll[1] }", `
if (n >= 1) {
  if (n >= t + 1)
    S(t);
  if (n >= t + 17)
    S(t + 16);
  if (n >= t + 33)
    S(t + 32);
  if (n >= t + 49)
    S(t + 48);
}
`},
		{"[n, t] -> { S[i] -> [t, i] : (i - t) mod 3 = 0 and n <= i < n + 4 }", "[t] -> { : 0 <= t <= 15 }", "{ [t, i] -> unroll[1] }", `
S(t + 3 * floord(n - t + 2, 3));
if ((n - t) % 3 == 0)
  S(n + 3);
`},
		// Bounds that conjunctions do not have in common, far from each other.
		{"[n] -> { A[] -> [0]; B[i] -> [i] : n <= i < n + 2 }", "[n] -> { : -1000000000 <= n <= 1000000000 }", "{ [i] -> atomic[0] }", `
for (int c0 = max(-1000000000, n - 1000000000, min(0, n)); c0 <= min(1000000001, n + 1000000000, max(0, n + 1)); c0 += 1) {
  if (c0 == 0)
    A();
  if (c0 >= n && n + 1 >= c0)
    B(c0);
}
`},
	} {
		context, err := presburger.ParseSet(c.context)
		if err != nil {
			t.Fatal(err)
		}
		b, err := GenerateMap(relation(t, c.times), context, relation(t, c.options), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.times, err)
			continue
		}
		if got := "\n" + b.String(); got != c.want {
			t.Errorf("%s\ngot:%s\nwant:%s", c.times, got, c.want)
		}
	}
}

// TestModulo is code of a schedule whose conditions are modulo a large number. What is
// exact of them need not be divided.
func TestModulo(t *testing.T) {
	m := relation(t, `[n, m] -> { A[i, j] -> [i, j, 0] : exists (e, f : 4294967296e <= n - m - i and 4294967296e >= -4294967295 + n - m and
		0 <= i <= 20 and 4294967296f <= m + i - j and 4294967296f >= -4294967295 + m + i and 0 <= j < 20);
		B[i] -> [i, 3, 1] : exists (e : 4294967296e <= n - m - i and 4294967296e >= -4294967295 + n - m and 0 <= i <= 20) }`)
	context, err := presburger.ParseSet("[n, m] -> { : -2147483648 <= n, m <= 2147483647 }")
	if err != nil {
		t.Fatal(err)
	}
	b, err := GenerateMap(m, context, relation(t, "{ [i, j, k] -> separate[x] }"), Options{Budget: 10_000_000})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := Run(b, map[string]int64{"n": 5, "m": 2}, func(s string, args []int64) bool { n++; return true }); err != nil || n != 4+3+4+5+6 {
		t.Errorf("%d instances, %v", n, err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := GenerateMap(relation(t, "{ A[i] -> [i] : i <= 3 }"), presburger.Set{}, presburger.Map{}, Options{}); err == nil || !strings.Contains(err.Error(), "no lower bound") {
		t.Errorf("a loop without a lower bound: %v", err)
	}
	m := relation(t, "{ A[i] -> [i] : 0 <= i < 100 }")
	if _, err := GenerateMap(m, presburger.Set{}, relation(t, "{ [i] -> unroll[0] }"), Options{MaxNodes: 50}); !errors.Is(err, ErrNodes) {
		t.Errorf("too many nodes: %v", err)
	}
	if _, err := GenerateMap(relation(t, "{ A[i] -> [i]; B[i] -> [i, 0] }"), presburger.Set{}, presburger.Map{}, Options{}); err == nil {
		t.Error("times of 1 and 2 dimensions")
	}
	b, err := GenerateMap(relation(t, "[N] -> { A[i] -> [i] : 0 <= i < N }"), presburger.Set{}, presburger.Map{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := GenerateMap(m, presburger.Set{}, presburger.Map{}, Options{Budget: 10}); !errors.Is(err, presburger.ErrBudget) {
		t.Errorf("too much work: %v", err)
	}
	endless, err := GenerateMap(relation(t, "{ A[i] -> [i] : i >= 0 }"), presburger.Set{}, presburger.Map{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(endless, nil, func(string, []int64) bool { return true }, 1000); !errors.Is(err, ErrSteps) {
		t.Errorf("a loop without an end: %v", err)
	}
	if err := Run(b, nil, func(string, []int64) bool { return true }); err == nil || !strings.Contains(err.Error(), "N has no value") {
		t.Errorf("a parameter without a value: %v", err)
	}
}

// randomMap is a random schedule of up to three statements with two coordinates.
func randomMap(r *rand.Rand) string {
	terms := []string{"i", "j", "i + j", "2i", "2j + 1", "i - j", "floor(i/2)", "i mod 2", "3i + j", "floor((i + j)/3)", "0", "1", "N - i"}
	bounds := []string{"0 <= i < N and 0 <= j < N", "0 <= i < 5 and 0 <= j <= i", "0 <= i, j < 4 and (i + j) mod 2 = 0", "1 <= i <= N and i <= 2j < 9", "0 <= i < 3 and j = N", "i = 2 and 0 <= j < N", "0 <= i < 6 and (j = 0 or j = i)",
		"exists (e, f : 3e <= i + j and 5e >= i + 2f - 3 and 0 <= f <= 2 and 0 <= i < 5 and 0 <= j < N)", "exists (e : 2i <= 7e <= 2i + j and 0 <= i < N and 0 <= j < 5)"}
	pick := func(xs []string) string { return xs[r.IntN(len(xs))] }
	var parts []string
	for _, s := range []string{"A", "B", "C"}[:1+r.IntN(3)] {
		parts = append(parts, fmt.Sprintf("%s[i, j] -> [%s, %s, %s] : %s", s, pick(terms), pick(terms), pick(terms), pick(bounds)))
	}
	return "[N] -> { " + strings.Join(parts, "; ") + " }"
}

// sequence is what a schedule executes, by points: text and time, by time.
func sequence(t *testing.T, m presburger.Map, n int64) (names []string, times map[string]string) {
	t.Helper()
	times = map[string]string{}
	for _, p := range m.FixParam("N", presburger.NewInt(n)).Maps() {
		in, _ := p.Tuples()
		points, err := p.Wrap().Points()
		if err != nil {
			t.Fatal(err)
		}
		for x := range points {
			name := in.Name() + fmt.Sprint(x[:in.Len()])
			names = append(names, name)
			key := ""
			for _, c := range x[in.Len():] {
				v, _ := c.Int64()
				key += fmt.Sprintf("%08d ", v+1000)
			}
			times[name] = key
		}
	}
	return names, times
}

func TestRandomSchedules(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	options := []string{"{ }", "{ [a, b, c] -> separate[x] }", "{ [a, b, c] -> atomic[x] }", "{ [a, b, c] -> unroll[2] }", "{ [a, b, c] -> separate[0] : a >= 2; [a, b, c] -> unroll[1] : a < 1 }"}
	hard := 0 // more work than allowed
	for range 60 {
		text := randomMap(r)
		m := relation(t, text)
		option := options[r.IntN(len(options))]
		b, err := GenerateMap(m, presburger.Set{}, relation(t, option), Options{Budget: 10_000_000})
		if errors.Is(err, presburger.ErrBudget) {
			hard++
			continue
		}
		if err != nil {
			t.Fatalf("%s %s: %v", text, option, err)
		}
		tree, err := schedule.FromMap(m)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Generate(tree, presburger.Set{}, Options{})
		if err != nil {
			t.Fatalf("%s as a tree: %v", text, err)
		}
		for _, n := range []int64{0, 1, 3, 6} {
			names, times := sequence(t, m, n)
			slices.Sort(names)
			for _, code := range []*Block{b, c} {
				var got []string
				last := ""
				err := run(code, map[string]int64{"N": n}, func(s string, args []int64) bool {
					name := s + fmt.Sprint(args)
					if times[name] < last {
						t.Errorf("%s %s, N = %d: %s comes too late in\n%s", text, option, n, name, code)
					}
					last = times[name]
					got = append(got, name)
					return len(got) < 10_000
				}, 5_000_000)
				if err != nil {
					t.Fatalf("%s %s, N = %d: %v in\n%s", text, option, n, err, code)
				}
				slices.Sort(got)
				if !slices.Equal(got, names) {
					t.Errorf("%s %s, N = %d: executed\n%v\nnot\n%v\nby\n%s", text, option, n, got, names, code)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if hard > 3 {
		t.Errorf("%d of 60 schedules take more work than allowed", hard)
	}
}
