package keyed_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// names are those of the statements of a program.
func names(g *ir.Graph) (out []string) {
	_ = systems.EveryGraph(g, func(g *ir.Graph) error {
		for _, sys := range poly.Systems(g) {
			for _, st := range sys.Statements {
				out = append(out, st.Name)
			}
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// Sums of what has the same data come from tables: what comes in and goes out of these, by where the
// sums are of and by the operator.
func TestRunning(t *testing.T) {
	for _, c := range []struct{ name, equation, statements string }{
		{"before", "X[i] += select(doc[j] == doc[i], w[j], 0.0) : { [i,j] : 0 <= j < i < N }", "S S_in"},
		{"behind, of floats", "X[i] += select(doc[j] == doc[i], w[j], 0.0) : { [i,j] : 0 <= i < j < N }", "S S_in"},
		{"behind, of integers", "Y[i] += select(doc[j] == doc[i], Z[j], i64(0)) : { [i,j] : 0 <= i < j < N }", "S S_in S_out"},
		{"window", "X[i] += select(doc[i] == doc[j], w[j], 0.0) : { [i,j] : 0 <= i < N and 0 <= j < N and i - 2 <= j <= i + 1 }", "S S_in S_out"},
		{"all", "X[i] += select(doc[j] == doc[i], w[j], 0.0) : { [i,j] : 0 <= i < N and 0 <= j < N }", "S S_in"},
		{"greatest before", "X[i] max= select(doc[j] == doc[i], w[j], -1.0e308 * 10.0) : { [i,j] : 0 <= j < i < N }", "S S_in"},
		{"product behind", "X[i] *= select(doc[j] == doc[i], w[j], 1.0) : { [i,j] : 0 <= i < j < N }", "S S_in"},
		{"product of a window", "X[i] *= select(doc[j] == doc[i], w[j], 1.0) : { [i,j] : 0 <= i < N and 0 <= j < N and i - 1 <= j <= i + 1 }", "S"},
		{"of answers before", "X[i] += select(doc[j] == doc[i], select(j > 0, X[j], 1.0) + 1.0, 0.0) : { [i,j] : 0 <= j < i < N }", "S"},
		{"of its answers before", "X[i] += select(doc[j] == doc[i], B[j], 0.0) : { [i,j] : 0 <= j < i < N }", "S S_in"},
		{"of its answers behind", "X[i] += select(doc[j] == doc[i], B[j], 0.0) : { [i,j] : 0 <= i < j < N }", "S S_in"},
		{"two keys", "Y[i] += i64(doc[j] == doc[i] and n[j] == n[i]) : { [i,j] : 0 <= j < i < N }", "S S_in"},
		{"and another condition", "Y[i] += i64(doc[j] == doc[i] and w[j] > 1.0) : { [i,j] : 0 <= j < i < N }", "S S_in"},
		{"value of the answer", "X[i] += select(doc[j] == doc[i], w[j] * w[i], 0.0) : { [i,j] : 0 <= j < i < N }", "S"},
		{"condition of the answer", "Y[i] += i64(doc[j] == doc[i] and w[j] > w[i]) : { [i,j] : 0 <= j < i < N }", "S"},
		{"no order", "Y[i] += i64(doc[j] == doc[i]) : { [i,j] : 0 <= i < N and 0 <= j < N and (j mod 2 = 0 and i mod 2 = 1 or j mod 3 = 1 and i mod 2 = 0) }", "S"},
		{"key of the answer", "G[i,k] += i64(doc[j] == doc[i] and n[i] == k) : { [i,k,j] : 0 <= j < i < N and 0 <= k < K }", "S"},
		{"key of both", "G[i,k] += i64(doc[j] == doc[i] and (n[i] + n[j]) mod K == k) : { [i,k,j] : 0 <= j < i < N and 0 <= k < K }", "S"},
		{"key of the sum", "G[i,k] += i64(doc[j] == doc[i] and (n[j] + 1) mod K == k) : { [i,k,j] : 0 <= j < i < N and 0 <= k < K }", "S S_in"},
		{"no index", "Y[i] += i64(Z[j] == Z[i]) : { [i,j] : 0 <= j < i < N }", "S"},
	} {
		rest := "  X[i] += 1.0 : { [i] : 0 <= i < N };\n"
		if strings.Contains(c.equation, "X[i]") {
			rest = "  Y[i] += i64(1) : { [i] : 0 <= i < N };\n"
		}
		if strings.Contains(c.equation, "G[i,k]") {
			rest += "  Y[i] += i64(1) : { [i] : 0 <= i < N };\n"
		} else {
			rest += "  G[i,k] += i64(1) : { [i,k] : 0 <= i < N and 0 <= k < K };\n"
		}
		text := `program p(N, K) : N >= K and K >= 1 {
  input w[N] : f64;
  input Z[N] : i64;
  input doc[N], n[N] : i32;
  output X[N] : f64;
  output Y[N], D[K], E[K,K], G[N,K] : i64;
  local B[N] : f64;
  B[i] = 2.0 * X[i] + w[i] : { [i] : 0 <= i < N };
  D[doc[i]] += 1 : { [i] : 0 <= i < N };
  E[doc[i],n[i]] += 1 : { [i] : 0 <= i < N };
` + rest + "  S: " + c.equation + ";\n}\n"
		const args = "[7, 3, [1,2,-1,0.5,3,2,4], [5,6,5,5,6,1,1], [0,2,1,0,2,2,0], [1,2,2,1,2,0,0], [0,0,0,0,0,0,0], [0,0,0,0,0,0,0], [0,0,0], [[0,0,0],[0,0,0],[0,0,0]], [[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]]"
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Errorf("%s: %s", c.name, want)
			continue
		}
		h := built.Through(t, g, "poly-key")
		got := slices.DeleteFunc(names(h), func(s string) bool { return s != "S" && s != "S_in" && s != "S_out" })
		if got := strings.Join(got, " "); got != c.statements {
			t.Errorf("%s: the statements are %s, want %s", c.name, got, c.statements)
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "p", args); got != want {
				t.Errorf("%s, %s: got %s, want %s", c.name, q, got, want)
			}
		}
	}
}

// Sums into one array by the same data have one table, unless digits of floats would cancel.
func TestRunningTogether(t *testing.T) {
	for _, c := range []struct {
		name, equations string
		tables          int
	}{
		{"integers", "Y[i] += select(doc[j] == doc[i], Z[j], 0) : { [i,j] : 0 <= j < i < N }; Y[i] += select(doc[j] == doc[i], w[j], 0) : { [i,j] : 0 <= i < j < N }", 1},
		{"new and old", "Y[i] += select(doc[j] == doc[i], B[j], 0) : { [i,j] : 0 <= j < i < N }; Y[i] += select(doc[j] == doc[i], w[j], 0) : { [i,j] : 0 <= i < j < N }", 1},
		{"new on both sides of two", "Y[i] += select(doc[j] == doc[i], B[j], 0) : { [i,j] : 0 <= j < i < N }; X[i] += select(doc[j] == doc[i], B[j], 0) : { [i,j] : 0 <= j < i < N }", 2},
		{"other coordinates", "Y[i] += select(doc[j] == doc[i], Z[j], 0) : { [i,j] : 0 <= j < i < N }; Y[a] += select(doc[b] == doc[a], w[b], 0) : { [b,a] : 0 <= a <= b < N }", 1},
		{"one way and the other", "Y[i] += select(doc[j] == doc[i], B[j], 0) : { [i,j] : 0 <= i < j < N }; Y[i] += select(n[j] == n[i], w[j], 0) : { [i,j] : 0 <= j <= i < N }", 2},
		{"other data", "Y[i] += select(doc[j] == doc[i], Z[j], 0) : { [i,j] : 0 <= j < i < N }; Y[i] += select(n[j] == n[i], w[j], 0) : { [i,j] : 0 <= j < i < N }", 2},
		{"another element", "Y[i] += select(doc[j] == doc[i], Z[j], 0) : { [i,j] : 0 <= j < i < N }; Y[N-1-i] += select(doc[j] == doc[i], w[j], 0) : { [i,j] : 0 <= j < i < N }", 2},
		{"floats that only come", "F[i] += select(doc[j] == doc[i], f[j], 0.0) : { [i,j] : 0 <= j < i < N }; F[i] += select(doc[j] == doc[i], 1.0, 0.0) : { [i,j] : 0 <= j <= i < N }", 1},
		{"floats", "F[i] += select(doc[j] == doc[i], f[j], 0.0) : { [i,j] : 0 <= j < i < N }; F[i] += select(doc[j] == doc[i], f[j], 0.0) : { [i,j] : 0 <= i < j < N }", 2},
	} {
		text := `program p(N, K) : N >= K and K >= 1 {
  input f[N] : f64;
  input w[N], Z[N] : i64;
  input doc[N], n[N] : i32;
  output X[N], Y[N], D[K,K], B[N] : i64;
  output F[N] : f64;
  D[doc[i],n[i]] += 1 : { [i] : 0 <= i < N };
  B[i] = 2 * Y[i] + w[i] : { [i] : 0 <= i < N };
`
		for _, x := range []string{"X", "Y", "F"} {
			if !strings.Contains(c.equations, x+"[i] +=") {
				text += "  " + x + "[i] " + map[string]string{"X": "= 1", "Y": "= 2", "F": "= f[i]"}[x] + " : { [i] : 0 <= i < N };\n"
			}
		}
		text += "  " + c.equations + ";\n}\n"
		const zero = "[0,0,0,0,0,0]"
		const args = "[6, 3, [1,2,-1,0.5,3,2], [5,6,-5,7,6,1], [2,3,1,-4,5,1], [0,2,1,0,2,2], [1,2,2,1,2,0], " + zero + "," + zero + ", [[0,0,0],[0,0,0],[0,0,0]], " + zero + "," + zero + "]"
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Errorf("%s: %s", c.name, want)
			continue
		}
		h := built.Through(t, g, "poly-key")
		tables := 0
		_ = systems.EveryGraph(h, func(g *ir.Graph) error {
			for _, sys := range poly.Systems(g) {
				for _, a := range sys.Arrays {
					if strings.HasSuffix(a.Name, "_table") {
						tables++
					}
				}
			}
			return nil
		})
		if tables != c.tables {
			t.Errorf("%s: %d tables, want %d", c.name, tables, c.tables)
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "p", args); got != want {
				t.Errorf("%s, %s: got %s, want %s", c.name, q, got, want)
			}
		}
	}
}

var runningPrograms = flag.Int("running", 12, "how many random programs of running sums there are")

// runningProgram is a random program of sums of what has the same data, some of which depend on each
// other in one direction or the other.
func runningProgram(seed uint64) (text, args string) {
	w := built.NewWriter(seed, 17)
	n, k := 3+w.IntN(5), 1+w.IntN(3)
	w.WriteString("program p(N, K) : N >= K and K >= 1 {\n")
	w.Line("input w[N] : i64;\n  input doc[N], v[N] : i32;\n  output X[N], Y[N,K], D[K,K,K] : i64;\n  local B[N], L[N] : i64;")
	w.Line("D[doc[i],v[i],0] += 1 : { [i] : 0 <= i < N };")
	w.Line("B[i] = X[i] * 3 + w[i] : { [i] : 0 <= i < N };")
	w.Line("L[i] = (X[i] + Y[i,0] + w[i]) mod K : { [i] : 0 <= i < N };")
	behind := w.IntN(2) == 0 // what is new is behind, not before
	with := func(target, bounds string) {
		cut, values := w.One("j < i", "j > i", "j <= i", "i - 2 <= j <= i", "i <= j <= i + 1", "j <= 2", "j != i"), []string{"w[j]", "1", "w[j] * w[j] - 1"}
		same := []string{"v[j] == v[i]", "w[j] > 0"}
		if cut == "j < i" && !behind || cut == "j > i" && behind {
			values, same = append(values, "B[j]", "B[j] + L[j]"), append(same, "L[j] == 0")
		}
		guard := "doc[j] == doc[i]"
		if w.IntN(2) == 0 {
			guard += " and " + w.One(same...)
		}
		if target == "Y[i,k]" {
			guard += " and " + w.One("v[j] == k", "doc[j] == k", "v[i] == k", "(v[i] + v[j]) mod K == k", map[bool]string{true: "L[j] == k", false: "v[j] == k"}[len(same) == 3])
		}
		w.Line("%s += select(%s, %s, 0) : { %s and 0 <= i < N and 0 <= j < N and %s };", target, guard, w.One(values...), bounds, cut)
	}
	for range 1 + w.IntN(3) {
		with("X[i]", "[i,j] : N >= 1")
	}
	with("Y[i,k]", "[i,k,j] : 0 <= k < K")
	w.WriteString("}\n")
	list := func(of int) string {
		var x []string
		for range n {
			x = append(x, fmt.Sprint(w.IntN(of)))
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	return w.String(), "[" + strings.Join([]string{fmt.Sprint(n), fmt.Sprint(k), list(9), list(k), list(k), built.Zeros(built.Made{Name: "X", Sizes: []string{"N"}}, n, k), built.Zeros(built.Made{Name: "Y", Sizes: []string{"N", "K"}}, n, k),
		built.Zeros(built.Made{Name: "D", Sizes: []string{"K", "K", "K"}}, n, k)}, ",") + "]"
}

// Tables of running sums change nothing, whatever else the system computes meanwhile.
func TestRandomRunning(t *testing.T) {
	most := *runningPrograms
	if testing.Short() {
		most = min(most, 4)
	}
	tables := 0
	for seed := range uint64(most) {
		text, args := runningProgram(seed)
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		h := built.Through(t, g, "poly-key")
		for _, s := range names(h) {
			if strings.HasSuffix(s, "_in") {
				tables++
			}
		}
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, built.Through(t, h, q), "p", args); got != want {
				t.Fatalf("seed %d, %s: got %s, want %s\n%s", seed, q, got, want, text)
			}
		}
	}
	if tables < most/2 {
		t.Errorf("only %d tables in %d programs", tables, most)
	}
}
