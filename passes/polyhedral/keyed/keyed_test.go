package keyed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// guardedProgram is a random program of a reduction that is guarded by an equation on data, and reads
// at the coordinate that this is about.
func guardedProgram(seed uint64) (text, args string) {
	w := built.NewWriter(seed, 16)
	n, k := 1+w.IntN(6), 1+w.IntN(4)
	w.Arrays = []built.Made{{Name: "w", Sizes: []string{"N"}}, {Name: "m", Sizes: []string{"N", "K"}}, {Name: "B", Sizes: []string{"N"}}}
	w.WriteString("program p(N, K) : N >= 1 and K >= 1 {\n")
	w.Line("input w[N] : i64;\n  input m[N,K] : i64;\n  input Z[N] : i32;\n  local B[N] : i64;\n  output X[N] : i64;\n  output Y[N,K] : i64;")
	w.Line("B[i] = %s : { [i] : 0 <= i < N };", strings.ReplaceAll(w.Expr([]string{"i"}, []string{"N"}, 1), "B[", "w["))
	c, sizes := []string{"i", "j", "l"}, []string{"N", "K", "N"}
	op := w.One("+=", "max=", "min=", "*=")
	key := w.One("i", "i", "j")
	read := map[string]string{"i": w.One("w[i]", "B[i]", "B[N-1-i]", "m[i,j]"), "j": w.One("m[l,j]", "m[i,K-1-j]")}[key]
	cut := w.One("", " and l <= i", " and j <= i", " and i <= l")
	with := func(target string) {
		w.Line("%s %s select(%s == %s, %s + %s, %s) : { [i,j,l] : %s%s };", target, op, w.One("Z[l]", "w[Z[l]]", "m[l,0] mod 4"), key, read,
			w.Expr(c, sizes, 1), built.Identities[op], built.Box(c, sizes), cut)
	}
	with("X[i]")
	with("Y[i,j]")
	w.WriteString("}\n")
	list := func(of int, f func() string) string {
		var x []string
		for range of {
			x = append(x, f())
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	small := func() string { return fmt.Sprint(w.IntN(9) - 2) }
	return w.String(), "[" + strings.Join([]string{fmt.Sprint(n), fmt.Sprint(k), list(n, small), list(n, func() string { return list(k, small) }),
		list(n, func() string { return fmt.Sprint(w.IntN(n)) }), built.Zeros(w.Arrays[0], n, k), built.Zeros(w.Arrays[1], n, k)}, ",") + "]"
}

// keyed counts the statements with computed indices.
func keyedIn(g *ir.Graph) (n int) {
	_ = systems.EveryGraph(g, func(g *ir.Graph) error {
		for _, sys := range poly.Systems(g) {
			for _, st := range sys.Statements {
				if st.Keyed {
					n++
				}
			}
		}
		return nil
	})
	return n
}

// Data that takes the place of coordinates changes nothing.
func TestRandomKeys(t *testing.T) {
	most := 40
	if testing.Short() {
		most = 10
	}
	keyed := 0
	for seed := range uint64(most) {
		text, args := guardedProgram(seed)
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		h := built.Through(t, g, "poly-key")
		keyed += keyedIn(h)
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "p", args); got != want {
				t.Fatalf("seed %d, %s: got %s, want %s\n%s", seed, q, got, want, text)
			}
		}
	}
	if keyed < most {
		t.Errorf("only %d reductions of %d have computed indices", keyed, 2*most)
	}
}

// Where the value depends on what is counted by data alone, the data is counted: each form that a
// reduction takes has the instances that it should, and computes the same.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ name, equation, want string }{
		{"by word", "ll[d,z] += select(doc[w] == d, X[z,v[w]] * s[d] + M[d,z], 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[d, z, a0]"},
		{"greatest by word", "ll[d,z] max= select(doc[w] == d, X[z,v[w]] - M[d,z], i64(-9223372036854775807) - 1) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[d, z, a0]"},
		{"no data", "ll[d,z] += select(d == doc[w], s[d] + i64(z), 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[d, z]"},
		{"product", "ll[d,z] *= select(doc[w] == d, X[z,v[w]] + M[d,z], 1) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[z, w]"},
		{"not by data", "ll[d,z] += select(doc[w] == d, X[z,v[w]] + i64(w), 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[z, w]"},
		{"no bounds", "ll[d,z] += select(doc[w] == d, i64(v[w]) + i64(z), 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[z, w]"},
		{"triangle", "ll[d,z] += select(doc[w] == d, X[z,v[w]], 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and z <= w < W }", "S[z, w]"},
		{"circle", "ll[d,z] += select(doc[w] == d, X[z,v[w]] + select(d > 0, ll[d-1,z], 1), 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W }", "S[d, z, w]"},
		{"circle without cases", "ll[d,z] += select(doc[w] == d, X[z,v[w]] + P[d], 0) : { [d,z,w] : 0 <= d < D and 0 <= z < K and 0 <= w < W };\n  P[d] += ll[e,0] : { [d,e] : 0 <= e < d < D }", "S[d, z, a0]"},
	} {
		text := `program p(W, K, D, A) : W >= 1 and K >= 1 and D >= 1 and A >= 1 {
  input X[K,A], s[D] : i64;
  input doc[W], v[W] : i32;
  output ll[D,K], P[D] : i64;
  local M[D,K] : i64;
  M[d,z] += X[k,a] * s[d] : { [d,z,k,a] : 0 <= d < D and 0 <= z < K and 0 <= k < K and 0 <= a < A };
  S: ` + c.equation + ";\n"
		if !strings.Contains(text, " P[d] +=") {
			text += "  P[d] = s[d] : { [d] : 0 <= d < D };\n"
		}
		text += "}\n"
		const args = "[6, 2, 4, 3, [[1,2,3],[5,-1,4]], [1,2,3,4], [0,1,3,1,9,3], [0,1,2,1,1,0], [[0,0],[0,0],[0,0],[0,0]], [0,0,0,0]]"
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("%s: %s", c.name, want)
		}
		h := built.Through(t, g, "poly-key")
		found := false
		_ = systems.EveryGraph(h, func(g *ir.Graph) error {
			for _, sys := range poly.Systems(g) {
				found = found || strings.Contains(sys.Statement("S").Domain.String(), "{ "+c.want+" :")
			}
			return nil
		})
		if !found {
			t.Errorf("%s: S is not over %s", c.name, c.want)
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "p", args); got != want {
				t.Errorf("%s, %s: got %s, want %s", c.name, q, got, want)
			}
		}
	}
}

// The Dirichlet mixtures, simplified and keyed: what they cost by hand, and what they compute.
func TestMixtures(t *testing.T) {
	const given = "6, 2, 4, 3, [[1,2,3],[0.5,1,4]], [1,2,3,4], [0.3,0.9,0.5,0.1]"
	const words = "[0,1,3,1,1,3], [0,1,2,1,1,0]"
	for _, c := range []struct{ name, pass, args, want string }{
		{"dmm_gs", "poly-key", given + ", [0,1,1,0], " + words + ", [0,0,0,0], [[0,0],[0,0],[0,0],[0,0]]", "W*K + K*D + K*A"},
		{"dmm_gs", "poly-key{group=always}", given + ", [0,1,1,0], " + words + ", [0,0,0,0], [[0,0],[0,0],[0,0],[0,0]]", "K*D*A + W"},
		{"dmm_mh", "poly-key", given + ", [0.9,0.2,0.5,0.7], [0,1,1,0], " + words + ", [0,0,0,0], [0,0,0,0], [0,0,0,0]", "K*D + D*A + W"},
		{"dmm_lw", "poly-key", given + ", [0.4,0.6], " + words + ", [0,0,0,0], [0,0,0,0]", "K*D + D*A + W"},
	} {
		src, err := os.ReadFile("../../../examples/eq/" + c.name + ".eq")
		if err != nil {
			t.Fatal(err)
		}
		g := built.OfEquations(t, string(src))
		args := "[" + c.args + "]"
		want := built.After(t, g, c.name, args)
		h := built.Through(t, g, "simplify-reductions,"+c.pass)
		if got := growth(t, h); got != c.want {
			t.Errorf("%s: costs %s, want %s", c.name, got, c.want)
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), c.name, args); !near(t, got, want) {
				t.Errorf("%s, %s: got %s, want %s", c.name, q, got, want)
			}
		}
	}
}

// growth is the order of growth of the instances of a program.
func growth(t *testing.T, g *ir.Graph) (text string) {
	t.Helper()
	err := systems.EveryGraph(g, func(g *ir.Graph) error {
		list := poly.Systems(g)
		if len(list) == 0 || text != "" {
			return nil
		}
		all, err := list[0].Instances()
		if err != nil {
			return err
		}
		n, err := all.Card()
		if err != nil {
			return err
		}
		c, err := n.Complexity()
		text = c.String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// near compares results whose floats may differ in the last digits.
func near(t *testing.T, got, want string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(got), &x), json.Unmarshal([]byte(want), &y)); err != nil {
		t.Fatalf("%s, %s: %v", got, want, err)
	}
	return closeTo(x, y)
}

func closeTo(x, y any) bool {
	switch x := x.(type) {
	case float64:
		v, ok := y.(float64)
		return ok && math.Abs(x-v) <= 1e-9*(1+math.Abs(v))
	case []any:
		v, ok := y.([]any)
		if !ok || len(v) != len(x) {
			return false
		}
		for i := range x {
			if !closeTo(x[i], v[i]) {
				return false
			}
		}
		return true
	}
	return x == y
}

// Who reads a copy reads what it is a copy of, if all of it is.
func TestForward(t *testing.T) {
	for _, c := range []struct {
		name, equations string
		gone            bool
	}{
		{"copy", "M[i,j] += L[N-1-i] : { [i,j] : 0 <= i < N and 0 <= j < N };", true},
		{"copy that is set", "M[i,j] = L[i] : { [i,j] : 0 <= i < N and 0 <= j < N };", true},
		{"twice", "M[i,j] += L[i] : { [i,j,k] : 0 <= i < N and 0 <= j < N and 0 <= k < 2 };", false},
		{"part", "M[i,j] += L[i] : { [i,j] : 0 <= i < N and 0 <= j <= i };", false},
		{"two", "M[i,j] += L[i] : { [i,j] : 0 <= i < N and 0 <= j < N }; M[i,i] += L[i] : { [i] : 0 <= i < N };", false},
		{"more", "M[i,j] += L[i] + 1 : { [i,j] : 0 <= i < N and 0 <= j < N };", false},
	} {
		text := `program p(N) : N >= 2 {
  input w[N] : i64;
  output X[N] : i64;
  local L[N], M[N,N] : i64;
  L[i] = 2 * w[i] + i64(i) : { [i] : 0 <= i < N };
  ` + c.equations + `
  X[i] += M[j,i] * M[i,N-1-j] : { [i,j] : 0 <= i < N and 0 <= j < N };
}`
		const args = "[3, [1,-2,4], [0,0,0]]"
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		h := built.Through(t, g, "poly-key")
		if got := built.After(t, h, "p", args); got != want {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
		gone := true
		_ = systems.EveryGraph(h, func(g *ir.Graph) error {
			for _, sys := range poly.Systems(g) {
				gone = gone && !slices.ContainsFunc(sys.Arrays, func(a *poly.ArrayDecl) bool { return a.Name == "M" })
			}
			return nil
		})
		if gone != c.gone {
			t.Errorf("%s: M is gone: %v", c.name, gone)
		}
	}
}
