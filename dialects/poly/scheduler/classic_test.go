package scheduler

import (
	"fmt"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

func parsed(t *testing.T, domain, validity string) Problem {
	t.Helper()
	d, err := p.ParseSet(domain)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.ParseMap(validity)
	if err != nil {
		t.Fatal(err)
	}
	return Problem{Domain: d, Validity: m, Proximity: m, Coincidence: m}
}

// outline is a tree without its sets: what members are, and the names of filters.
func outline(n *schedule.Node) string {
	var children []string
	for _, c := range n.Children() {
		if s := outline(c); s != "" {
			children = append(children, s)
		}
	}
	inner := strings.Join(children, "; ")
	switch n.Kind() {
	case schedule.Sequence:
		return "(" + inner + ")"
	case schedule.Set:
		return "{" + inner + "}"
	case schedule.Filter:
		var names []string
		for _, s := range n.Set().Sets() {
			names = append(names, s.Tuple().Name())
		}
		return strings.TrimSuffix(strings.Join(names, " ")+": "+inner, ": ")
	case schedule.Band:
		var members []string
		for _, m := range n.Band().Members {
			var fs []string
			for _, f := range m.Function.Maps() {
				g, err := f.AsPwMultiAff()
				if err != nil {
					return err.Error()
				}
				text := g.String()
				in, _ := f.Tuples()
				text = text[strings.Index(text, "-> [(")+5:]
				fs = append(fs, in.Name()+" "+text[:strings.Index(text, ")]")])
			}
			text := strings.Join(fs, ", ")
			if m.Coincident {
				text += " parallel"
			}
			members = append(members, text)
		}
		text := "[" + strings.Join(members, " | ") + "]"
		if n.Band().Permutable {
			text = "permutable " + text
		}
		return strings.TrimSpace(text + " " + inner)
	}
	return inner
}

// The examples that papers use.
func TestClassic(t *testing.T) {
	const (
		matmul   = "[N] -> { S[i, j, k] : 0 <= i, j, k < N }"
		jacobi   = "[N, T] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1; R[t, i] : 0 <= t < T and 0 < i < N - 1 }"
		seidel   = "[N, T] -> { S[t, i, j] : 0 <= t < T and 0 < i, j < N - 1 }"
		lu       = "[N] -> { D[k, j] : 0 <= k < j < N; U[k, i, j] : 0 <= k < i, j < N }"
		prefix   = "[N] -> { S[i, j] : 0 <= j <= i < N; F[i] : 0 <= i < N; A[i] : 0 <= i < N - 1 }"
		producer = "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N; M[i, j] : 0 <= i, j < N }"
		reversal = "[N] -> { A[i] : 0 <= i < N; B[i] : 0 <= i < N }"
	)
	for _, c := range []struct {
		name, domain, validity string
		options                Options
		want                   string
	}{
		{"matmul", matmul, "{ S[i, j, k] -> S[i, j, k + 1] }", Options{}, "permutable [S i parallel | S j parallel | S k]"},
		{"jacobi-1d", jacobi, "{ S[t, i] -> R[t, i]; R[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1; S[t, i] -> R[t, j] : i - 1 <= j <= i + 1 }", Options{},
			"permutable [S t, R t | S 2t + i, R 2t + i + 1] (S; R)"},
		{"gauss-seidel", seidel, "{ S[t, i, j] -> S[t, i, j + 1]; S[t, i, j] -> S[t, i + 1, jj] : j - 1 <= jj <= j + 1; S[t, i, j] -> S[t + 1, ii, jj] : i - 1 <= ii <= i and j - 1 <= jj <= j + 1; S[t, i, j] -> S[t + 1, i + 1, j - 1] }", Options{},
			"permutable [S t | S t + i | S 2t + i + j]"},
		{"lu", lu, "{ D[k, j] -> U[k, i, j] : i > k; U[k, i, j] -> D[k + 1, j] : i = k + 1; U[k, i, j] -> U[k + 1, i, j]; U[k, i, k + 1] -> U[k + 1, i, j] : j > k + 1 }", Options{}, "permutable [D k, U k | D j, U j | D k, U i] (D; U)"},
		{"prefix sum", prefix, "{ S[i, j] -> F[i]; F[i] -> A[i]; A[i] -> S[ii, i + 1] }", Options{}, "permutable [S i, F i, A i | S j, F i, A i] (S; F; A)"},
		{"prefix sum by Feautrier", prefix, "{ S[i, j] -> F[i]; F[i] -> A[i]; A[i] -> S[ii, i + 1] }", Options{Algorithm: Feautrier}, "[S 3i, F 3i + 1, A 3i + 2] {S: [S j parallel]; F; A}"},
		{"prefix sum in sequence", prefix, "{ S[i, j] -> F[i]; F[i] -> A[i]; A[i] -> S[ii, i + 1] }", Options{Algorithm: Sequential}, "[S i, F i, A i] (S: [S j parallel]; F; A)"},
		{"prefix sum by one program", prefix, "{ S[i, j] -> F[i]; F[i] -> A[i]; A[i] -> S[ii, i + 1] }", Options{Algorithm: ILP}, "[S 3i, F 3i + 1, A 3i + 2] (S: [S j parallel]; F; A)"},
		{"no fusion", producer, "{ P[i] -> C[i]; C[i] -> M[i, j] }", Options{Fusion: Minimal}, "(P: [P i parallel]; C: [C i parallel]; M: permutable [M i parallel | M j parallel])"},
		{"smart fusion", producer, "{ P[i] -> C[i]; C[i] -> M[i, j] }", Options{}, "(P C: [P i, C i parallel] (P; C); M: permutable [M i parallel | M j parallel])"},
		{"maximal fusion", producer, "{ P[i] -> C[i]; C[i] -> M[i, j] }", Options{Fusion: Maximal}, "permutable [P i, C i, M i parallel | P 0, C 0, M j] (P; C; M)"},
		{"reversal", reversal, "[N] -> { A[i] -> B[N - 1 - i] }", Options{}, "[A i + 1, B N - i parallel] (A; B)"},
	} {
		problem := parsed(t, c.domain, c.validity)
		r, err := Schedule(problem, c.options)
		if err != nil || len(r.Notes) > 0 {
			t.Errorf("%s: %v %v", c.name, r.Notes, err)
			continue
		}
		if v, err := schedule.Legal(r.Tree, schedule.Dependences{Validity: problem.Validity, Coincidence: problem.Coincidence}); v != nil || err != nil {
			t.Errorf("%s: %v %v\n%s", c.name, v, err, r.Tree)
		}
		if got := outline(r.Tree); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Equation 3 of the paper beside 4b: the sums go down, what they add up goes up.
func TestCycle(t *testing.T) {
	problem := parsed(t, "[N] -> { B[i] : 0 <= i < N; A[i] : 0 < i < N }", "[N] -> { B[i] -> B[i - 1]; A[i] -> B[i]; B[i] -> A[i + 1]; A[i] -> B[N - 1] }")
	for _, o := range everyOption {
		if r, err := Schedule(problem, o); err != ErrNone {
			t.Errorf("%v: %v %v", o, r.Tree, err)
		}
	}
	c, _, err := FindCycle(problem, nil)
	if err != nil || c == nil || c.String() != "B[1] -> B[0] -> A[1] -> B[1], where N = 2" {
		t.Errorf("%v %v", c, err)
	}
	c, _, err = FindCycle(problem, map[string]p.Int{"N": p.NewInt(4)})
	if err != nil || c == nil || len(c.Instances) != 3 {
		t.Errorf("%v %v", c, err)
	}
	none := parsed(t, "{ S[i] : 0 <= i < 9 }", "{ S[i] -> S[i + 1] }")
	if c, complete, err := FindCycle(none, nil); c != nil || !complete || err != nil {
		t.Errorf("%v %v %v", c, complete, err)
	}
}

// A search that takes too long gives the original schedule, with a note.
func TestBudget(t *testing.T) {
	problem := parsed(t, "[N] -> { S[i, j] : 0 <= i, j < N }", "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }")
	r, err := Schedule(problem, Options{Algorithm: Sequential})
	if err != nil {
		t.Fatal(err)
	}
	problem.Original = r.Tree
	r, err = Schedule(problem, Options{Budget: 200})
	if err != nil || r.Tree != problem.Original || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "budget") {
		t.Errorf("%v %v %v", r.Tree, r.Notes, err)
	}
}

// A dependence of all instances on all of another statement, in boxes of so many
// dimensions that their corners cannot be listed, is respected by the statements' order.
func TestWide(t *testing.T) {
	const k = 12
	var xs, ys, inside, both []string
	for i := range k {
		x, y := fmt.Sprintf("x%d", i), fmt.Sprintf("y%d", i)
		xs, ys = append(xs, x), append(ys, y)
		inside = append(inside, fmt.Sprintf("0 <= %s < N", x))
		both = append(both, fmt.Sprintf("0 <= %s, %s < N", x, y))
	}
	x, y := strings.Join(xs, ", "), strings.Join(ys, ", ")
	in := strings.Join(inside, " and ")
	problem := parsed(t, fmt.Sprintf("[N] -> { A[%s] : %s; B[%s] : %s }", x, in, x, in),
		fmt.Sprintf("[N] -> { B[%s] -> A[%s] : %s }", x, y, strings.Join(both, " and ")))
	for _, o := range everyOption {
		o.Budget = 20_000_000
		r, err := Schedule(problem, o)
		if err != nil {
			t.Errorf("%v: %v", o, err)
			continue
		}
		if v, err := schedule.Legal(r.Tree, schedule.Dependences{Validity: problem.Validity, Coincidence: problem.Coincidence}); v != nil || err != nil {
			t.Errorf("%v: %v %v", o, v, err)
		}
	}
}
