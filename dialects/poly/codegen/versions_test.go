package codegen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// generated is the code of a tree.
func generated(t *testing.T, tree string) *Block {
	t.Helper()
	n, err := schedule.Parse(tree)
	if err != nil {
		t.Fatalf("%v in %s", err, tree)
	}
	b, err := Generate(n, presburger.Set{}, Options{})
	if err != nil {
		t.Fatalf("%v of %s", err, tree)
	}
	return b
}

// Where conditions on tiles alone isolate the loops in them, these have two codes, of which one knows the conditions.
func TestVersions(t *testing.T) {
	const want = `
for (int c0 = 0; c0 <= floord(N + 7, 8) - 1; c0 += 1)
  if (N >= 8 * c0 + 8) {
    for (int c1 = 8 * c0; c1 <= 8 * c0 + 7; c1 += 1)
      A(c1);
  } else {
    for (int c1 = 8 * c0; c1 <= min(N - 1, 8 * c0 + 7); c1 += 1)
      A(c1);
  }
`
	got := "\n" + generated(t, `{ domain: "[N] -> { A[i] : 0 <= i < N }", child: { schedule: "[{ A[i] -> [floor(i/8)] }]", child: {
		schedule: "[{ A[i] -> [i] }]", options: "[N] -> { isolate[[t] -> [i]] : 8t + 7 < N }" } } }`).String()
	if got != want {
		t.Errorf("got:%s\nwant:%s", got, want)
	}
}

// executed is what code does, in its order.
func executed(t *testing.T, b *Block, n int64) (out []string) {
	t.Helper()
	err := run(b, map[string]int64{"N": n}, func(s string, args []int64) bool {
		out = append(out, s+fmt.Sprint(args))
		return true
	}, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// With such conditions, whatever they are, code executes what it does without, in the same order.
func TestRandomVersions(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	bounds := []string{"0 <= i, j < N", "0 <= i < N and 0 <= j <= i", "1 <= i < N - 1 and i <= j < N + 2", "0 <= i < 9 and 0 <= j < N"}
	choices := 0
	for range 40 {
		s := 2 + r.IntN(4)
		second := []string{"j", "i + j", "j - i"}[r.IntN(3)]
		members := func(of string) string {
			var parts []string
			for _, f := range []string{"i", second} {
				part := fmt.Sprintf(of, f)
				parts = append(parts, fmt.Sprintf("{ A[i, j] -> [%s]; B[i, j] -> [%[1]s] }", part))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		var conditions []string
		for range 1 + r.IntN(3) {
			conditions = append(conditions, fmt.Sprintf("%d t + %d u + %d >= %d N", r.IntN(9)-4, r.IntN(9)-4, r.IntN(17)-8, r.IntN(3)-1))
		}
		tree := func(option string) string {
			return fmt.Sprintf(`{ domain: "[N] -> { A[i, j] : %s; B[i, j] : %s }", child: { schedule: "%s", child: { schedule: "%s"%s, child: {
				sequence: [ { filter: "{ A[i, j] }" }, { filter: "{ B[i, j] }" } ] } } } }`, bounds[s%len(bounds)], bounds[(s+len(conditions))%len(bounds)],
				members(fmt.Sprintf("floor((%%s)/%d)", s)), members("%s"), option)
		}
		option := fmt.Sprintf(`, options: "[N] -> { isolate[[t, u] -> [x, y]] : %s }"`, strings.Join(conditions, " and "))
		plain, apart := generated(t, tree("")), generated(t, tree(option))
		if strings.Contains(apart.String(), "else") {
			choices++
		}
		for _, n := range []int64{0, 1, 4, 11} {
			if want, got := executed(t, plain, n), executed(t, apart, n); !slices.Equal(got, want) {
				t.Fatalf("%s, N = %d: executed\n%v\nnot\n%v\nby\n%s", tree(option), n, got, want, apart)
			}
		}
	}
	if choices < 15 {
		t.Errorf("%d of 40 have two codes", choices)
	}
}
