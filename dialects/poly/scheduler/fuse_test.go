package scheduler

import (
	"slices"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// A fusion is a problem whose loops are fused, or not, for the sake of arrays.
type fusionCase struct {
	name, domain, validity string
	lifetimes              []string
	want                   string // the bands and filters of the tree, a letter each statement
}

var fusionCases = []fusionCase{{
	name:      "what is read where it is written",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N }",
	validity:  "{ P[i] -> C[i] }",
	lifetimes: []string{"{ P[i] -> C[i] }"},
	want:      "PC(P C)",
}, {
	name:      "no array is to be kept small",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N }",
	validity:  "{ P[i] -> C[i] }",
	lifetimes: nil,
	want:      "(P[P] C[C])",
}, {
	name:      "what is read turned round is there as a whole",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N }",
	validity:  "[N] -> { P[i] -> C[N - 1 - i] }",
	lifetimes: []string{"[N] -> { P[i] -> C[N - 1 - i] }"},
	want:      "(P[P] C[C])",
}, {
	name:      "so is what something else reads as a whole: all or none",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N; D[i] : 0 <= i < N }",
	validity:  "[N] -> { P[i] -> C[i]; P[i] -> D[N - 1 - i] }",
	lifetimes: []string{"[N] -> { P[i] -> C[i]; P[i] -> D[N - 1 - i] }"},
	want:      "(P[P] C[C] D[D])",
}, {
	name:      "what is read one round later needs two rounds",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 < i < N }",
	validity:  "{ P[i] -> C[i + 1] }",
	lifetimes: []string{"{ P[i] -> C[i + 1] }"},
	want:      "(P[P] C[C])",
}, {
	name:      "something else keeps them apart",
	domain:    "[N] -> { P[i] : 0 <= i < N; C[i] : 0 <= i < N }",
	validity:  "{ P[i] -> C[i]; P[i] -> C[0] }",
	lifetimes: []string{"{ P[i] -> C[i] }"},
	want:      "(P[P] C[C])",
}, {
	name:      "columns: a band's members may be exchanged",
	domain:    "[N] -> { P[i, j] : 0 <= i < N and 0 <= j < N; C[i, j] : 0 <= i < N and 0 <= j < N }",
	validity:  "{ P[i, j] -> C[j, i] }",
	lifetimes: []string{"{ P[i, j] -> C[j, i] }"},
	want:      "PC PC(P C)",
}, {
	name:      "one between needs the first and is needed by the last: it comes along",
	domain:    "[N] -> { P[i] : 0 <= i < N; Q[i] : 0 <= i < N; C[i] : 0 <= i < N }",
	validity:  "{ P[i] -> C[i]; P[i] -> Q[i]; Q[i] -> C[i] }",
	lifetimes: []string{"{ P[i] -> C[i] }"},
	want:      "PQC(P Q C)",
}, {
	name:      "one between that needs all of the first stays between",
	domain:    "[N] -> { P[i] : 0 <= i < N; Q[]; C[i] : 0 <= i < N }",
	validity:  "{ P[i] -> C[i]; P[i] -> Q[]; Q[] -> C[i] }",
	lifetimes: []string{"{ P[i] -> C[i] }"},
	want:      "(P[P] Q C[C])",
}, {
	name:      "a reduction begins, accumulates and is used in one round of two loops",
	domain:    "[N] -> { B[i, j] : 0 <= i < N and 0 <= j < N; S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N; C[i, j] : 0 <= i < N and 0 <= j < N }",
	validity:  "{ B[i, j] -> S[i, j, k]; B[i, j] -> C[i, j]; S[i, j, k] -> C[i, j] }",
	lifetimes: []string{"{ B[i, j] -> S[i, j, k]; B[i, j] -> C[i, j]; S[i, j, k] -> C[i, j] }"},
	want:      "BSC BSC(B S[S] C)",
}, {
	name:      "what a recurrence is made from and what is made from it take part in its rounds; its first element is made in the first round",
	domain:    "[N, K] -> { F[k] : 0 <= k < K; P[i, k] : 0 <= i < N and 0 <= k < K; R[i, k] : 0 < i < N and 0 <= k < K; C[i] : 0 <= i < N }",
	validity:  "[N, K] -> { F[k] -> R[1, k]; F[k] -> C[0]; P[i, k] -> R[i, k']; R[i, k] -> R[i + 1, k']; R[i, k] -> C[i] }",
	lifetimes: []string{"{ P[i, k] -> R[i, k'] }", "[N, K] -> { F[k] -> R[1, k]; F[k] -> C[0]; R[i, k] -> R[i + 1, k']; R[i, k] -> C[i] }"},
	want:      "FPRC(F[F] P[P] R[R] C)",
}, {
	name:      "what is made the other way round is made before",
	domain:    "[N, K] -> { P[i, k] : 0 <= i < N and 0 <= k < K; R[i, k] : 0 <= i < N and 0 <= k < K }",
	validity:  "[N, K] -> { P[i, k] -> P[i - 1, k']; P[i, k] -> R[i, k']; R[i, k] -> R[i + 1, k'] }",
	lifetimes: []string{"{ P[i, k] -> P[i - 1, k']; P[i, k] -> R[i, k'] }", "{ R[i, k] -> R[i + 1, k'] }"},
	want:      "(P[PP] R[RR])",
}, {
	name:      "what needs all rounds and what one round needs of it keep the loop to itself",
	domain:    "[N, K] -> { R[i, k] : 0 <= i < N and 0 <= k < K; A[]; C[i] : 0 <= i < N }",
	validity:  "[N, K] -> { R[i, k] -> R[i + 1, k']; R[i, k] -> A[]; A[] -> C[i]; R[i, k] -> C[i] }",
	lifetimes: []string{"[N, K] -> { R[i, k] -> R[i + 1, k']; R[i, k] -> A[]; R[i, k] -> C[i] }"},
	want:      "(R[RR] A C[C])",
}, {
	name:      "a statement of fewer loops goes round with the others",
	domain:    "[N, K] -> { Z[i] : 0 <= i < N; C[k] : 0 <= k < K; R[i, k] : 1 < i < N and 0 <= k < K }",
	validity:  "[N, K] -> { Z[0] -> C[k]; C[k] -> R[2, k]; C[k] -> Z[1]; R[i, k] -> R[i + 1, k]; Z[i] -> R[i + 1, k]; R[i, k] -> Z[i] }",
	lifetimes: nil,
	want:      "ZCR(R[R] Z C[C])",
}}

func TestFusion(t *testing.T) {
	for _, c := range fusionCases {
		domain, err := p.ParseSet(c.domain)
		if err != nil {
			t.Fatal(err)
		}
		problem := Problem{Domain: domain, Validity: relation(t, c.validity)}
		for _, l := range c.lifetimes {
			problem.Lifetimes = append(problem.Lifetimes, relation(t, l))
		}
		for _, alg := range []Algorithm{Sequential, Feautrier, Pluto} {
			tree := legal(t, problem, Options{Algorithm: alg})
			if got := loopsOf(tree.Child(0)); alg == Sequential && got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
		least := legal(t, problem, Options{Algorithm: Sequential, Fusion: Minimal})
		problem.Lifetimes = nil
		if plain := legal(t, problem, Options{Algorithm: Sequential}); least.String() != plain.String() {
			t.Errorf("%s: minimal fusion makes\n%swant\n%s", c.name, least, plain)
		}
	}
}

// legal is a schedule, which is checked.
func legal(t *testing.T, problem Problem, o Options) *schedule.Node {
	t.Helper()
	r, err := Schedule(problem, o)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := schedule.Legal(r.Tree, schedule.Dependences{Validity: problem.Validity}); v != nil || err != nil {
		t.Errorf("%s: %v, %v\n%s", o.Algorithm, v, err, r.Tree)
	}
	return r.Tree
}

func relation(t *testing.T, text string) p.Map {
	t.Helper()
	m, err := p.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loopsOf is a tree in short: the statements of each member of a band, and in parentheses those of the
// children of a sequence, with their loops in brackets.
func loopsOf(n *schedule.Node) string {
	switch n.Kind() {
	case schedule.Leaf:
		return ""
	case schedule.Band:
		var members []string
		for _, m := range n.Band().Members {
			members = append(members, names(m.Function.Domain()))
		}
		return strings.Join(members, " ") + loopsOf(n.Child(0))
	}
	var out []string
	for _, c := range n.Children() {
		text := names(c.Set())
		if inner := loopsOf(c.Child(0)); inner != "" {
			text += "[" + inner + "]"
		}
		out = append(out, text)
	}
	return "(" + strings.Join(out, " ") + ")"
}

func names(s p.Set) (out string) {
	for _, x := range s.Sets() {
		out += x.Tuple().Name()
	}
	return out
}

// What is done in some rounds only of the outermost loop that others take part in is no condition in all
// of them, whatever is done before it. B is needed by all rounds, F makes what the first needs.
func TestSeparated(t *testing.T) {
	domain, err := p.ParseSet("[N, K] -> { B[k] : 0 <= k < K; F[k] : 0 <= k < K; R[i, k] : 0 < i < N and 0 <= k < K; C[i] : 0 <= i < N }")
	if err != nil {
		t.Fatal(err)
	}
	problem := Problem{
		Domain:    domain,
		Validity:  relation(t, "[N, K] -> { B[k] -> R[i, k']; F[k] -> R[1, k]; F[k] -> C[0]; R[i, k] -> R[i + 1, k']; R[i, k] -> C[i] }"),
		Lifetimes: []p.Map{relation(t, "{ B[k] -> R[i, k'] }"), relation(t, "[N, K] -> { F[k] -> R[1, k]; F[k] -> C[0]; R[i, k] -> R[i + 1, k']; R[i, k] -> C[i] }")},
	}
	tree := legal(t, problem, Options{Algorithm: Sequential})
	if got, want := loopsOf(tree.Child(0)), "(B[B] FRC[FRC(F[F] R[R] C)])"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var separated []string
	for _, x := range tree.All() {
		if x.Kind() != schedule.Band {
			continue
		}
		for _, m := range x.Band().Members {
			if m.Loop == schedule.Separate {
				separated = append(separated, names(m.Function.Domain()))
			}
		}
	}
	if !slices.Equal(separated, []string{"FRC"}) {
		t.Errorf("%v are separated", separated)
	}
}
