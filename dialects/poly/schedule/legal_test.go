package schedule

import (
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// The optimized prefix sum with dependent reductions of Yang, Atkinson and Carbin 2021
// (Listing 3), its order, and that run backwards; and flags of bands that are wrong.
func TestLegal(t *testing.T) {
	const prefix = "domain: \"[N] -> { B[i] : 0 <= i < N; A[i] : 0 < i < N }\"\nchild:\n  schedule: "
	const sums = "[N] -> { B[i] -> B[i + 1]; A[i] -> B[i]; B[i] -> A[i + 1] }"
	const grid = "domain: \"{ S[i, j] : 0 <= i, j < 9 }\"\nchild:\n  schedule: "
	for _, c := range []struct{ name, tree, validity, want string }{
		{"listing 3", prefix + `"[N] -> [{ B[i] -> [i]; A[i] -> [i] }]"
  child:
    sequence:
    - filter: "{ A[i] }"
    - filter: "{ B[i] }"
`, sums, ""},
		{"backwards", prefix + `"[N] -> [{ B[i] -> [-i]; A[i] -> [-i] }]"
  child:
    sequence:
    - filter: "{ A[i] }"
    - filter: "{ B[i] }"
`, sums, "B[1] depends on B[0] but is executed before it, where N = 2"},
		{"the statements exchanged", prefix + `"[N] -> [{ B[i] -> [i]; A[i] -> [i] }]"
  child:
    sequence:
    - filter: "{ B[i] }"
    - filter: "{ A[i] }"
`, sums, "B[1] depends on A[1] but is executed before it, where N = 2"},
		{"no order", prefix + `"[N] -> [{ B[i] -> [i]; A[i] -> [i] }]"
`, sums, "B[1] depends on A[1] but is not executed after it, where N = 2"},
		{"a set", prefix + `"[N] -> [{ B[i] -> [i]; A[i] -> [i] }]"
  child:
    set:
    - filter: "{ A[i] }"
    - filter: "{ B[i] }"
`, sums, "B[1] depends on A[1] but is not executed after it, where N = 2"},
		{"of half the speed", prefix + `"[N] -> [{ B[i] -> [floor(i/2)]; A[i] -> [floor(i/2)] }]"
`, sums, "B[1] depends on B[0] but is not executed after it, where N = 2"},
		{"permutable", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [i + j] }]"
  permutable: 1
`, "{ S[i, j] -> S[i + 1, j - 1] }", ""},
		{"not permutable", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
  permutable: 1
`, "{ S[i, j] -> S[i + 1, j - 1] }", "S[1, 0] depends on S[0, 1], and a member of a permutable band orders it before"},
		{"legal without the flag", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
`, "{ S[i, j] -> S[i + 1, j - 1] }", ""},
		{"coincident", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
  coincident: [ 0, 1 ]
`, "{ S[i, j] -> S[i + 1, j] }", ""},
		{"not coincident", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
  coincident: [ 1, 0 ]
`, "{ S[i, j] -> S[i + 1, j] }", "S[1, 0] depends on S[0, 0], and a coincident member of a band tells them apart"},
		{"an instance that depends on itself", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
`, "{ S[i, j] -> S[i, j] : i = 4 }", "S[4, 0] depends on S[4, 0] but is not executed after it"},
		{"pairs outside", grid + `"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
`, "{ S[i, j] -> S[i - 20, j] }", ""},
	} {
		root, err := Parse(c.tree)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if err := root.Check(); err != nil {
			t.Fatal(c.name, err)
		}
		validity, err := presburger.ParseMap(c.validity)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Legal(root, Dependences{Validity: validity, Coincidence: validity})
		if err != nil {
			t.Fatal(c.name, err)
		}
		got := ""
		if v != nil {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
