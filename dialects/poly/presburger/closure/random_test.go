package closure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/internal/oracle"
	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// relation is a random one, bounded for each value of its parameter n.
func relation(r *rand.Rand) string {
	names := []string{"i", "j"}[:1+r.IntN(2)]
	spaces := []string{"A", "B"}[:1+r.IntN(2)]
	var parts []string
	for range 1 + r.IntN(3) {
		var to, where []string
		high := fmt.Sprint(3 + r.IntN(4))
		if r.IntN(2) == 0 {
			high = "n"
		}
		for i, v := range names {
			step := fmt.Sprintf("%s' = %s + %d", v, v, r.IntN(5)-2)
			switch r.IntN(6) {
			case 0:
				step = fmt.Sprintf("%s <= %s' <= %s + %d", v, v, v, 1+r.IntN(2))
			case 1:
				step = fmt.Sprintf("%s' = %s", v, names[r.IntN(len(names))])
			case 2:
				step = fmt.Sprintf("(%s' - %s) mod 2 = 0 and %s' > %s", v, v, v, v)
			}
			if r.IntN(12) == 0 {
				step = fmt.Sprintf("%s' = 2%s", v, v)
			}
			where = append(where, step, fmt.Sprintf("0 <= %s, %s' <= %s", v, v, high))
			if i > 0 && r.IntN(3) == 0 {
				where = append(where, "j <= i")
			}
			to = append(to, v+"'")
		}
		parts = append(parts, fmt.Sprintf("%s[%s] -> %s[%s] : %s", spaces[r.IntN(len(spaces))], strings.Join(names, ", "),
			spaces[r.IntN(len(spaces))], strings.Join(to, ", "), strings.Join(where, " and ")))
	}
	return "[n] -> { " + strings.Join(parts, "; ") + " }"
}

// pairs lists the pairs of a bounded map without free parameters.
func pairs(t *testing.T, m p.Map) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	for _, q := range m.Maps() {
		in, to := q.Tuples()
		points, err := q.Wrap().Points()
		if err != nil {
			t.Fatal(err)
		}
		for x := range points {
			a, b := fmt.Sprint(in.Name(), x[:in.Len()]), fmt.Sprint(to.Name(), x[in.Len():])
			if out[a] == nil {
				out[a] = map[string]bool{}
			}
			out[a][b] = true
		}
	}
	return out
}

// walk adds what any number of steps lead to.
func walk(steps map[string]map[string]bool) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for a := range steps {
		seen := map[string]bool{}
		var visit func(x string)
		visit = func(x string) {
			for y := range steps[x] {
				if !seen[y] {
					seen[y] = true
					visit(y)
				}
			}
		}
		visit(a)
		out[a] = seen
	}
	return out
}

func missing(a, b map[string]map[string]bool) string {
	for x, ys := range a {
		for y := range ys {
			if !b[x][y] {
				return x + " -> " + y
			}
		}
	}
	return ""
}

// TestRandom compares closures of random relations with paths that are walked.
func TestRandom(t *testing.T) {
	exacts := 0
	const cases = 40
	for seed := range uint64(cases) {
		text := relation(rand.New(rand.NewPCG(1, seed)))
		m := parse(t, text)
		c, exact := Of(m)
		if exact {
			exacts++
		}
		for _, n := range []int64{0, 2, 5} {
			want := walk(pairs(t, m.FixParam("n", p.NewInt(n))))
			got := pairs(t, c.FixParam("n", p.NewInt(n)))
			if x := missing(want, got); x != "" {
				t.Fatalf("%s\nn = %d: the closure has no %s:\n%s", text, n, x, c)
			}
			if x := missing(got, want); x != "" && exact {
				t.Fatalf("%s\nn = %d: the closure is not exact, it has %s:\n%s", text, n, x, c)
			}
		}
	}
	if exacts < cases*3/4 {
		t.Errorf("of %d closures %d are exact", cases, exacts)
	}
	t.Logf("%d of %d exact", exacts, cases)
}

// TestOracle compares what is exact here and in isl, and counts what is exact in one.
func TestOracle(t *testing.T) {
	o := oracle.Start(t, "../testdata/isl_oracle.c", 2_000_000)
	if o == nil {
		t.Skip("needs a C compiler and libisl-dev")
	}
	both, ours, theirs := 0, 0, 0
	for seed := range uint64(25) {
		text := relation(rand.New(rand.NewPCG(2, seed)))
		answer, err := o.Ask("transitive_closure", text)
		if err != nil {
			continue
		}
		isExact := strings.HasPrefix(answer, "exact=1")
		_, closure, _ := strings.Cut(answer, " ")
		got, exact := Of(parse(t, text))
		switch {
		case exact && isExact:
			both++
			if eq, err := o.Ask("is_equal", got.String(), closure); err != nil || eq != "true" {
				t.Errorf("%s (%v)\ngot  %s\nisl %s", text, err, got, closure)
			}
		case exact:
			ours++
		case isExact:
			theirs++
			t.Logf("isl alone has it: %s\nours: %s", text, got)
		}
	}
	t.Logf("exact in both %d, here alone %d, in isl alone %d", both, ours, theirs)
	if theirs > ours {
		t.Error("isl has more that are exact")
	}
}
