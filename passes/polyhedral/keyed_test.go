package polyhedral_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// keyedProgram is a random program whose reductions have computed indices, and the naive one that
// says the same: it goes over all elements, and has the identity where the index is another.
func keyedProgram(seed uint64) (keyed, naive, args string) {
	w := built.NewWriter(seed, 15)
	n, k := 1+w.IntN(6), 1+w.IntN(4)
	w.Arrays = []built.Made{{Name: "w", Sizes: []string{"N"}}, {Name: "m", Sizes: []string{"N", "K"}}}
	var a, b strings.Builder
	both := func(format string, args ...any) {
		fmt.Fprintf(&a, format+"\n", args...)
		fmt.Fprintf(&b, format+"\n", args...)
	}
	both("program p(N, K) : N >= 1 and K >= 1 {\n  input w[N] : i64;\n  input m[N,K] : i64;\n  input Z[N] : i32;")
	var out []string
	for i := range 1 + w.IntN(3) {
		x := built.Made{Name: fmt.Sprintf("A%d", i), Sizes: [][]string{{"N"}, {"K"}, {"N", "K"}, {"K", "N"}, {"N", "N", "K"}}[w.IntN(5)]}
		role := w.One("local", "output")
		both("  %s %s : i64;", role, x.With(x.Sizes))
		if role == "output" {
			out = append(out, built.Zeros(x, n, k))
		}
		op := w.One("+=", "+=", "max=", "min=", "*=")
		for range 1 + w.IntN(2) {
			one, other := keyedIn(w, x, op)
			a.WriteString("  " + one + "\n")
			b.WriteString("  " + other + "\n")
		}
		if w.IntN(3) == 0 {
			both("  %s %s %s : { [%s,l] : %s };", x.With(coordinates3[:len(x.Sizes)]), op, w.Expr(coordinates3[:len(x.Sizes)], x.Sizes, 1),
				strings.Join(coordinates3[:len(x.Sizes)], ","), built.Box(coordinates3[:len(x.Sizes)], x.Sizes)+" and 0 <= l < 2")
		}
		w.Arrays = append(w.Arrays, x)
	}
	both("  output L[N] : i64;\n  L[i] = %s : { [i] : 0 <= i < N };\n}", w.Expr([]string{"i"}, []string{"N"}, 2))
	out = append(out, built.Zeros(built.Made{Name: "L", Sizes: []string{"N"}}, n, k))
	list := func(of int, f func() string) string {
		var x []string
		for range of {
			x = append(x, f())
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	small := func() string { return fmt.Sprint(w.IntN(20) - 10) }
	ws := list(n, small)
	ms := list(n, func() string { return list(k, small) })
	zs := list(n, func() string { return fmt.Sprint(w.IntN(n)) })
	return a.String(), b.String(), "[" + strings.Join(append([]string{fmt.Sprint(n), fmt.Sprint(k), ws, ms, zs}, out...), ",") + "]"
}

var coordinates3 = []string{"i", "j", "o"}

// keyedIn is a reduction some of whose indices are computed, and the naive one.
func keyedIn(w *built.Writer, x built.Made, op string) (keyed, naive string) {
	at := w.IntN(len(x.Sizes)) // this one is
	var coords, sizes, target, guards []string
	isKey := make([]bool, len(x.Sizes))
	for d, size := range x.Sizes {
		if isKey[d] = d == at || w.IntN(3) == 0; !isKey[d] {
			coords, sizes = append(coords, coordinates3[d]), append(sizes, size)
		}
	}
	coords, sizes = append(coords, "l"), append(sizes, "N")
	domain := built.Box(coords, sizes)
	if coords[0] != "l" && w.IntN(2) == 0 {
		domain += " and l <= " + coords[0]
	}
	for d := range x.Sizes {
		if !isKey[d] {
			target = append(target, coordinates3[d])
			continue
		}
		key := w.One("Z[l]", "w[Z[l]]", "Z[l] - 1", w.Expr(coords, sizes, 2)+" mod 4", w.Expr(coords, sizes, 2))
		if !strings.ContainsAny(key, "[") {
			key = "i64(Z[0]) + " + key // one that is computed
		}
		target = append(target, key)
		guards = append(guards, fmt.Sprintf("%s == %s", key, coordinates3[d]))
	}
	e := w.Expr(coords, sizes, 2)
	keyed = fmt.Sprintf("%s %s %s : { [%s] : %s };", x.With(target), op, e, strings.Join(coords, ","), domain)
	all := slices.Clone(coordinates3[:len(x.Sizes)])
	return keyed, fmt.Sprintf("%s %s select(%s, %s, %s) : { [%s,l] : %s and %s };", x.With(all), op, strings.Join(guards, " and "), e, built.Identities[op],
		strings.Join(all, ","), built.Box(all, x.Sizes), domain)
}

// Random reductions at computed indices: by demand, by each schedule and as loops they compute what
// the naive ones do.
func TestRandomKeyed(t *testing.T) {
	for i := range uint64(*systems / 3) {
		seed := *systemSeed + i
		keyed, naive, args := keyedProgram(seed)
		g := built.OfEquations(t, keyed)
		want := built.After(t, built.OfEquations(t, naive), "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, naive)
		}
		built.Gives(t, g, "p", args, want, "seed %d\n%s\n%s", seed, keyed, naive)
		// The naive one becomes one with computed indices.
		built.Gives(t, built.Through(t, built.OfEquations(t, naive), "poly-key"), "p", args, want, "seed %d, poly-key\n%s", seed, naive)
		p := pipelines[seed%uint64(len(pipelines))]
		for _, q := range []string{p, p + ",poly-contract", p + ",poly-contract,poly-codegen"} {
			built.Gives(t, built.Through(t, g, q), "p", args, want, "seed %d, %s\n%s", seed, q, keyed)
		}
	}
	t.Logf("%d systems with keys", *systems/3)
}

// Indices that a relation has not, far away ones too, go nowhere: by demand, as equations in an order,
// as a program, as loops and as machine code.
func TestKeysOutside(t *testing.T) {
	src, err := os.ReadFile("../../dialects/poly/testdata/keyed.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	const n = "6, [2, 0, 2, 9223372036854775807, -9223372036854775808, 0]"
	const want = "[" + n + ", [2, 0, 1, 0, 0, 0], [5, -9223372036854775808, 2]]"
	args := "[" + n + ", [7,7,7,7,7,7], [-3,-3,-3]]"
	built.Gives(t, g, "f", args, want, "by demand")
	for _, q := range append(slices.Clone(pipelines), "poly-schedule,poly-contract,poly-codegen") {
		built.Gives(t, built.Through(t, g, q), "f", args, want, "%s", q)
	}
	g = built.Parse(t, string(src)+`
func.func @main(%n: index, %keys: memref<?xi64>, %a: memref<?xi64>, %b: memref<?xi64>) -> (i64, i64, i64, i64) {
  func.call @f(%n, %keys, %a, %b) : (index, memref<?xi64>, memref<?xi64>, memref<?xi64>) -> ()
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = memref.load %a[%c0] : memref<?xi64>
  %y = memref.load %a[%c2] : memref<?xi64>
  %z = memref.load %b[%c0] : memref<?xi64>
  %v = memref.load %b[%c2] : memref<?xi64>
  return %x, %y, %z, %v : i64, i64, i64, i64
}`, text.Options{})
	if got, want := built.Lowered(t, engine.LLVM, g, "main", args), "[2, 1, 5, 2]"; got != want {
		t.Errorf("as machine code: got %s, want %s", got, want)
	}
}
