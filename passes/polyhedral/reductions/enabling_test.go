package reductions_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// enabled is a random program of what is composed, multiplied out and raised to powers.
func enabled(seed uint64) (src, args string) {
	w := rand.New(rand.NewPCG(seed, 18))
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	n := 1 + w.IntN(6)
	op := one("+=", "*=", "max=", "min=")
	two := one("0 <= i < N and 0 <= j < N", "0 <= j <= i < N", "0 <= i < N and i <= j < N", "0 <= i < N and 0 <= j < N and i - 2 <= j <= i + 1", "0 <= i < N and 0 <= j < 3")
	src = fmt.Sprintf(`program p(N) : N >= 1 {
  input x[2*N], y[N + 3] : i64;
  input m[N, N + 3] : i64;
  output T[N], P[N], Q[N], S[N], all : i64;
  local A[N] : i64;
  A[%s] %s %s : { [i,j] : %s };
  %s %s A[%s] : { [i] : %s };
  T[0] %s i64(2);
  all %s i64(2);
  P[i] *= %s : { [i,j] : %s };
  Q[%s] *= %s : { [i,j,k] : %s and 0 <= k <= j };
  S[%s] += %s : { [i,j] : %s };
}
`, one("i", "N-1-i"), op, one("x[i]", "y[j]", "x[i] * y[j]", "x[i] + y[j]", "m[i,j]", "y[j] - 1", "3"), two,
		one("T[i]", "T[N-1-i]", "T[0]", "all"), op, one("i", "N-1-i"), one("0 <= i < N", "1 <= i < N", "0 <= i < N - 1", "0 <= 2*i < N"), op, op,
		one("x[i]", "x[i] * y[j]", "2", "x[0]", "(x[i] + 1) * y[i]"), two,
		one("i", "0"), one("x[i]", "y[j]", "x[0] * y[j]", "m[i,j]"), two,
		one("i", "N-1-i", "0"), one("(y[j] - x[i]) * (y[j] - x[i])", "(y[j] - x[i]) * (y[j] + x[i] + 1)", "(y[j] + 1) * (x[i] - y[j]) * x[i]", "(m[i,j] - x[i]) * (y[j] - 2)",
			"(y[j] - (x[i] - 3)) * (0 - (y[j] - x[i]))"), two)
	list := func(n int) string {
		var xs []string
		for range n {
			xs = append(xs, fmt.Sprint(w.IntN(9)-4))
		}
		return "[" + strings.Join(xs, ", ") + "]"
	}
	var rows []string
	for range n {
		rows = append(rows, list(n+3))
	}
	zero := "[" + strings.Repeat("0, ", n-1) + "0]"
	return src, fmt.Sprintf("[%d, %s, %s, [%s], %s, %s, %s, %s, 0]", n, list(2*n), list(n+3), strings.Join(rows, ", "), zero, zero, zero, zero)
}

// What is composed, multiplied out and counted, and what is not: floats that would cancel, answers that
// are read twice or by others, too, and what costs no less.
func TestEnabling(t *testing.T) {
	const square = "V[i] += (x[j] - c[i]) * (x[j] - c[i]) : { [i,j] : 0 <= j <= i < N };"
	const conv, over = "A[i] += x[i+j] * c[j] : { [i,j] : 0 <= i < N and 0 <= j < N }; ", "V[i] += x[i] + c[i] : { [i] : 0 <= i < N };"
	for _, c := range []struct{ elem, equations, step, cost string }{
		{"i64", square, "multiplied", "N"},
		{"f64", square, "", "N^2"},
		{"i32", "V[i] *= c[i] : { [i,j] : 0 <= j <= i < N };", "counted", "N"},
		{"f64", "V[i] *= c[i] * x[j] : { [i,j] : 0 <= j <= i < N };", "counted", "N"},
		{"f64", conv + "s += A[i] : { [i] : 0 <= i < N };" + over, "composed", "N"},
		{"f64", conv + "V[i] += A[i] : { [i] : 0 <= i < N };" + over, "", "N^2"},
		{"f64", conv + "s += A[i] : { [i,j] : 0 <= i < N and 0 <= j < 2 };" + over, "", "N^2"},
		{"f64", conv + "s max= A[i] : { [i] : 0 <= i < N };" + over, "", "N^2"},
		{"f64", conv + "s += A[i] : { [i] : 0 <= i < N }; V[i] += A[i] : { [i] : 0 <= i < N };", "", "N^2"},
	} {
		src := fmt.Sprintf("program p(N) : N >= 1 {\n  input x[2*N], c[N] : %[1]s;\n  output V[N] : %[1]s;\n  output s : %[1]s;\n  local A[N] : %[1]s;\n%[2]s\n", c.elem, c.equations)
		if !strings.Contains(c.equations, "s +=") && !strings.Contains(c.equations, "s max=") {
			src += "s = x[0];\n"
		}
		if !strings.Contains(c.equations, "A[i] +=") {
			src += "A[i] = c[i] : { [i] : 0 <= i < N };\n"
		}
		src += "}\n"
		told := remarks(t, src, "simplify-reductions")
		for _, step := range []string{"composed", "multiplied", "counted"} {
			if strings.Contains(told, step) != (step == c.step) && (step != "counted" || c.step == "") {
				t.Errorf("%s %s is %s, want %s", c.elem, c.equations, told, c.step)
			}
		}
		if got := total(t, built.Through(t, parse(t, src), "simplify-reductions")); got != c.cost {
			t.Errorf("%s %s costs %s, want %s", c.elem, c.equations, got, c.cost)
		}
	}
}

// Reductions that are composed, multiplied out and raised to powers compute the same, and cost no more.
func TestRandomEnabling(t *testing.T) {
	steps := map[string]int{}
	for seed := range uint64(*enabledPrograms) {
		src, args := enabled(seed)
		g := parse(t, src)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, src)
		}
		told := remarks(t, src, "simplify-reductions")
		for _, step := range []string{"composed", "multiplied", "counted"} {
			if strings.Contains(told, step) {
				steps[step]++
			}
		}
		if got := built.After(t, built.Through(t, g, "simplify-reductions"), "p", args); got != want {
			t.Fatalf("seed %d: %s, want %s\n%s\n%s", seed, got, want, args, src)
		}
	}
	for _, step := range []string{"composed", "multiplied", "counted"} {
		if steps[step] < *enabledPrograms/20 {
			t.Errorf("only %d of %d programs are %s", steps[step], *enabledPrograms, step)
		}
	}
}
