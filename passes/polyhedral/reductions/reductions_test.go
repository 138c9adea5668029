package reductions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// systemOf is the only system of a program.
func systemOf(t *testing.T, g *ir.Graph) (out *poly.System) {
	t.Helper()
	err := pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error {
		for _, s := range poly.Systems(body) {
			out = s
		}
		return nil
	})
	if err != nil || out == nil {
		t.Fatal("no system", err)
	}
	return out
}

// total is the complexity of the instances of a program.
func total(t *testing.T, g *ir.Graph) string {
	t.Helper()
	c, err := systemOf(t, g).Costs()
	if err != nil {
		t.Fatal(err)
	}
	return c.Total.String()
}

func remarks(t *testing.T, src, pipeline string) string {
	t.Helper()
	return strings.Join(built.Remarks(t, src, parse(t, src), pipeline), "\n")
}

const prefix = `program p(N) : N >= 1 {
  input w[N] : f64;
  output B[N] : f64;
  local A[N] : f64;
  A[0] = w[0];
  B[i] += A[j] : { [i,j] : 0 <= i < N and 0 <= j <= i };
  A[i+1] = sqrt(B[i]) * w[i+1] : { [i] : 0 <= i < N - 1 };
}
`

// The paper's equation 3 with 4b: from the last element to the first there is a cycle. The other
// direction is found.
func TestCycle(t *testing.T) {
	got := remarks(t, prefix, "simplify-reductions{along=(-1,0)}")
	want := "line 6: B along (-1) would close a cycle: "
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "A[1]") || strings.Contains(got, "->  N") {
		t.Errorf("got %s, want %s...", got, want)
	}
	if got := total(t, built.Through(t, parse(t, prefix), "simplify-reductions{along=(-1,0)}")); got != "N^2" {
		t.Errorf("%s along (-1,0)", got)
	}
	if got := total(t, built.Through(t, parse(t, prefix), "simplify-reductions")); got != "N" {
		t.Errorf("%s in the direction that is found", got)
	}
}

// What is done is told, subtraction of floats, too.
func TestRemarks(t *testing.T) {
	const window = `program p(N, W) : N > W and W >= 1 {
  input A[N] : %s;
  output C[N] : %s;
  C[i] += A[j] : { [i,j] : 0 <= i < N and i - W <= j <= i and 0 <= j < N };
}
`
	for elem, loss := range map[string]bool{"f64": true, "i64": false} {
		src := fmt.Sprintf(window, elem, elem)
		got := remarks(t, src, "simplify-reductions")
		if !strings.Contains(got, "N*W -> N") || !strings.Contains(got, "subtracted on j = -W + i: ") || strings.Contains(got, "the last digits") != loss {
			t.Errorf("%s: %s", elem, got)
		}
	}
}

// Where each answer has a bounded number of instances it is their number that counts: half of them is
// worth another equation, but no digits.
func TestBounded(t *testing.T) {
	const window = `program p(N) : N >= 20 {
  input A[N] : %s;
  output C[N] : %s;
  C[i] += A[j] : { [i,j] : 0 <= i < N and i - %d <= j <= i and 0 <= j < N };
}
`
	const before = `program p(N, R) : N >= 20 and R = %d {
  input A[N, R] : f64;
  output C[N, R] : f64;
  C[i,r] += A[i,q] : { [i,r,q] : 0 <= i < N and 0 <= q < r < R };
}
`
	for src, want := range map[string]bool{
		fmt.Sprintf(window, "i64", "i64", 8): true, fmt.Sprintf(window, "i64", "i64", 2): false, fmt.Sprintf(window, "f64", "f64", 8): false,
		fmt.Sprintf(before, 8): true, fmt.Sprintf(before, 3): false,
	} {
		if got := strings.Contains(remarks(t, src, "simplify-reductions"), "reuse"); got != want {
			t.Errorf("reuse is %v, want %v:\n%s", got, want, src)
		}
	}
}

// A read of what is simplified may be of one element at the instances of its statement only.
func TestReadInside(t *testing.T) {
	const src = `program p(N) : N >= 1 {
  input A[8 + 4*N], B[8 + 4*N, 8 + 4*N] : i64;
  output X0[N] : i64;
  output YX0[N] : i64;
  X0[i] += YX0[j] * B[k, floor(k/2)] : { [i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N and i + j >= N - 2 and j < i };
  YX0[i] = X0[i] - A[i] : { [i] : 0 <= i < N };
}
`
	const args = `[3, [5, -2, 7, 1, 4, -3, 2, 6, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], %s, [0, 0, 0], [0, 0, 0]]`
	row := "[" + strings.Repeat("2, ", 19) + "3]"
	given := fmt.Sprintf(args, "["+strings.Repeat(row+", ", 19)+row+"]")
	g := parse(t, src)
	want := built.After(t, g, "p", given)
	if got := built.After(t, built.Through(t, g, "simplify-reductions,poly-schedule,poly-contract,poly-codegen"), "p", given); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is done is done in the order of the program, however often it is run.
func TestOrder(t *testing.T) {
	var decls, body strings.Builder
	want := ""
	for i := range 8 {
		fmt.Fprintf(&decls, "  output X%d[N] : i64;\n", i)
		fmt.Fprintf(&body, "  X%d[i] += A[j] : { [i,j] : 0 <= j <= i < N };\n", i)
		want += fmt.Sprintf("S_X%d ", i)
	}
	src := "program p(N) : N >= 1 {\n  input A[N] : i64;\n" + decls.String() + body.String() + "}\n"
	got := ""
	for line := range strings.SplitSeq(remarks(t, src, "simplify-reductions"), "\n") {
		if _, rest, _ := strings.Cut(line, ": "); strings.HasPrefix(rest, "S_X") {
			got += rest[:4] + " "
		}
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Sums of floats go in the direction that adds; an operator without inverse has no other.
func TestDirections(t *testing.T) {
	for _, c := range []struct{ elem, op, domain, want string }{
		{"f64", "+=", "i <= j < N", "reuses along (-1, 0)"},
		{"i64", "+=", "i <= j < N", "subtracted on j = i: "},
		{"i64", "max=", "i <= j < N", "reuses along (-1, 0)"},
		{"i64", "max=", "0 <= j <= i", "reuses along (1, 0)"},
		{"i64", "*=", "0 <= j <= i", "reuses along (1, 0)"},
		{"f64", "max=", "0 <= j <= i and j < N - i", "split"},
		{"f64", "max=", "0 <= j < N", "is equal along (1, 0)"},
	} {
		src := fmt.Sprintf("program p(N) : N >= 1 {\n  input A[N] : %s;\n  output C[N] : %s;\n  C[i] %s A[j] : { [i,j] : 0 <= i < N and %s };\n}\n", c.elem, c.elem, c.op, c.domain)
		if got := remarks(t, src, "simplify-reductions"); !strings.Contains(got, c.want) || !strings.Contains(got, "N^2 -> N\n") {
			t.Errorf("%s %s over %s: %s\nwant %s", c.elem, c.op, c.domain, got, c.want)
		}
	}
}

// A sum is taken out of a maximum of floats, whose rounding is monotone, and not of integers, of which the
// greatest wraps around here.
func TestWraps(t *testing.T) {
	for elem, c := range map[string][3]string{
		"i64": {"[2, [9223372036854775807, -5], [1, -1], [0, 0]]", "[-4, 9223372036854775806]]", "N^2"},
		"f64": {"[2, [7, -5], [1, -1], [0, 0]]", "[8, 6]]", "N"},
	} {
		src := fmt.Sprintf("program p(N) : N >= 1 {\n  input A[N], B[N] : %s;\n  output X[N] : %s;\n  X[i] max= A[j] + B[i] : { [i, j] : 0 <= i < N and 0 <= j < N };\n}\n", elem, elem)
		g := built.Through(t, parse(t, src), "simplify-reductions")
		if got := built.After(t, g, "p", c[0]); !strings.HasSuffix(got, c[1]) || total(t, g) != c[2] {
			t.Errorf("%s costs %s and computes %s, want %s and %s", elem, total(t, g), got, c[2], c[1])
		}
	}
}

// max and min leave NaN out, maximum and minimum do not; a reduction of NaN alone is the identity.
func TestNaN(t *testing.T) {
	for _, c := range []struct{ equations, cost string }{
		{"X[i] max= maximum(A[i], B[j]) : { [i,j] : 0 <= i < N and 0 <= j < N };", "N^2"},
		{"X[i] min= max(A[i], B[j]) : { [i,j] : 0 <= i < N and 0 <= j < N };", "N^2"},
		{"X[i] min= maximum(A[i], B[j]) : { [i,j] : 0 <= i < N and 0 <= j < N };", "N"},
		{"L[i] max= B[i] : { [i] : 0 <= i < N }; X[i] max= A[i] : { [i] : 0 <= i < N - 1 }; X[N-1] = L[0];", "N"},
		{"L[i] max= max(A[i], B[i]) : { [i] : 0 <= i < N }; X[i] = L[i] : { [i] : 0 <= i < N };", "N"},
	} {
		src := fmt.Sprintf("program p(N) : N >= 2 {\n  input A[N], B[N] : f64;\n  output X[N] : f64;\n%s  %s\n}\n",
			map[bool]string{true: "  local L[N] : f64;\n"}[strings.HasPrefix(c.equations, "L")], c.equations)
		g := parse(t, src)
		simple := built.Through(t, g, "simplify-reductions")
		if got := total(t, simple); got != c.cost {
			t.Errorf("%s: %s, want %s", c.equations, got, c.cost)
		}
		for _, args := range []string{`[2, [1, "NaN"], ["NaN", 5], [0, 0]]`, `[2, ["NaN", 2], ["NaN", "NaN"], [0, 0]]`} {
			want := built.After(t, g, "p", args)
			for name, h := range map[string]*ir.Graph{"simplified": simple, "as loops": built.Through(t, g, "poly-schedule,poly-codegen"),
				"copies": built.Through(t, g, "poly-key,poly-schedule,poly-codegen")} {
				if got := built.After(t, h, "p", args); got != want {
					t.Errorf("%s\n%s: %s, want %s", c.equations, name, got, want)
				}
			}
		}
	}
}

// Sizes decide between complexities that no order of degrees does.
func TestSizes(t *testing.T) {
	src := "program p(N, M) : N >= 1 and M >= 1 {\n  input A[N] : i64;\n  output C[N, M] : i64;\n  C[i,m] += A[j] : { [i,m,j] : 0 <= j <= i < N and 0 <= m < M };\n}\n"
	if got := total(t, built.Through(t, parse(t, src), "simplify-reductions{sizes=N=2;M=1000}")); got != "N*M" {
		t.Error(got)
	}
	for option, want := range map[string]string{
		"sizes=N=2;X=3": "sizes=N=2;X=3 has X, which is no parameter; there are N, M",
		"sizes=N":       `sizes=N has "N" where NAME=SIZE is wanted`,
		"along=(1,x)":   `along=(1,x) has "x" where an integer is wanted; write (1,0);(0,-1)`,
	} {
		if got := built.Fails(t, parse(t, src), "simplify-reductions{"+option+"}"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", option, got)
		}
	}
}

// What differs in all coordinates of an answer is not shared.
func TestNotReducible(t *testing.T) {
	src := "program p(N) : N >= 1 {\n  input A[N], B[N, N] : i64;\n  output C[N] : i64;\n  C[i] += A[j] * B[i, j] : { [i,j] : 0 <= j <= i < N };\n}\n"
	if got := total(t, built.Through(t, parse(t, src), "simplify-reductions")); got != "N^2" || !slices.Equal(built.Remarks(t, src, parse(t, src), "simplify-reductions"), nil) {
		t.Error(got)
	}
}

// An array that is copied in part is not read through: where nothing accumulated it has the identity.
func TestForward(t *testing.T) {
	src := "program p(N) : N >= 1 {\n  input A[N] : i64;\n  output Y[N, N] : i64;\n  local X[N, N] : i64;\n" +
		"  X[i,z] += A[j] : { [i,z,j] : 0 <= z <= i < N and 0 <= j <= i };\n  Y[i,z] = X[i,z] + 1 : { [i,z] : 0 <= i < N and 0 <= z < N };\n}\n"
	g := built.Through(t, parse(t, src), "simplify-reductions")
	if got := total(t, g); got != "N^2" {
		t.Error(got)
	}
	const want = "[4, 1], [8, 8]"
	if got := built.After(t, g, "p", "[2, [3, 4], [[0, 0], [0, 0]]]"); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An array that two reductions accumulate in stays when one of them has become the sum of what is in another.
func TestForwardOfTwo(t *testing.T) {
	for _, op := range []string{"+=", "max="} {
		src := "program p(N) : N >= 2 {\n  input A[N], B[N] : i64;\n  output Y[N] : i64;\n  local P[N] : i64;\n" +
			"  P[i] " + op + " A[j] : { [i,j] : 0 <= i <= j < N };\n  P[i] " + op + " B[j] : { [i,j] : 0 <= j < i < N };\n  Y[i] = P[i] : { [i] : 0 <= i < N };\n}\n"
		g := parse(t, src)
		simple := built.Through(t, g, "simplify-reductions")
		if got := total(t, simple); got != "N" {
			t.Errorf("%s: %s", op, got)
		}
		const args = "[3, [3, 4, 5], [-1, 10, 100], [0, 0, 0]]"
		if got, want := built.After(t, simple, "p", args), built.After(t, g, "p", args); got != want {
			t.Errorf("%s: got %s, want %s", op, got, want)
		}
	}
}

// A weight that is affine in the coordinates is taken apart: what an answer has in common, and what the data have. Of floats
// only sums are, and it is said.
func TestAffineWeights(t *testing.T) {
	const data = "[3, 1, 4, 1, 5, 9, 2, 6]"
	const out = "[0, 0, 0, 0, 0, 0, 0, 0]"
	for _, c := range []struct{ head, body, args, total string }{
		{"ramp(N) : N >= 1 {\n  input A[N] : i64;\n  output S[N] : i64;", "S[i] += (i - j) * A[j] : { [i,j] : 0 <= j <= i < N };", "[8, " + data + ", " + out + "]", "N"},
		{"ramp(N) : N >= 1 {\n  input A[N] : f64;\n  output S[N] : f64;", "S[i] max= A[j] - f64(i - j) : { [i,j] : 0 <= j <= i < N };", "[8, " + data + ", " + out + "]", "N"},
		{"ramp(N) : N >= 1 {\n  input A[N] : f64;\n  output S[N] : f64;", "S[i] += f64(i - j) * A[j] : { [i,j] : 0 <= j <= i < N };", "[8, " + data + ", " + out + "]", "N^2"},
		{"bartlett(N, W) : W >= 1 and 2W <= N {\n  input A[N] : i64;\n  output S[N] : i64;",
			"S[i] += (W - d) * A[i+d] : { [i,d] : 0 <= i < N and 0 <= d < W and i + d < N };\n  S[i] += (W - d) * A[i-d] : { [i,d] : 0 <= i < N and 1 <= d < W and 0 <= i - d };",
			"[8, 3, " + data + ", " + out + "]", "N"},
	} {
		g := parse(t, "program "+c.head+"\n  "+c.body+"\n}\n")
		simple := built.Through(t, g, "simplify-reductions")
		if got := total(t, simple); got != c.total {
			t.Errorf("%s: %s, want %s", c.body, got, c.total)
		}
		name, _, _ := strings.Cut(c.head, "(")
		if got, want := built.After(t, simple, name, c.args), built.After(t, g, name, c.args); got != want {
			t.Errorf("%s: got %s, want %s", c.body, got, want)
		}
	}
}

// Reductions from both sides into an array that depends on itself go in opposite directions, each in a temporary: one
// equation with cases, two of one array, or of two that depend on each other.
func TestBothWays(t *testing.T) {
	const args = "[4, 6, [3, -4, 5, 2, -7, 1], " + zeros + "]"
	for name, c := range map[string]struct{ decls, body, args string }{
		"two equations": {"output V[T, K] : i64;", "V[t,a] max= V[t-1,b] + e[b] : { [t,a,b] : 1 <= t < T and 0 <= b <= a < K };\n" +
			"  V[t,a] max= V[t-1,b] - e[b] : { [t,a,b] : 1 <= t < T and 0 <= a < b < K };", args},
		"cases": {"output V[T, K] : i64;", "V[t,a] max= select(b <= a, V[t-1,b] + e[b], V[t-1,b] - e[b]) : { [t,a,b] : 1 <= t < T and 0 <= b < K and 0 <= a < K };", args},
		"two arrays": {"output V[T, K], W[T, K] : i64;", "W[0,a] = e[a] : { [a] : 0 <= a < K };\n  V[t,a] max= W[t-1,b] + e[b] : { [t,a,b] : 1 <= t < T and 0 <= b <= a < K };\n" +
			"  V[t,a] max= V[t-1,b] - e[b] : { [t,a,b] : 1 <= t < T and 0 <= a < b < K };\n  W[t,a] min= V[t,b] - e[b] : { [t,a,b] : 1 <= t < T and 0 <= a <= b < K };\n" +
			"  W[t,a] min= W[t-1,b] + e[b] : { [t,a,b] : 1 <= t < T and 0 <= b < a < K };", strings.TrimSuffix(args, "]") + ", " + zeros + "]"},
	} {
		g := parse(t, "program p(T, K) : T >= 2 and K >= 2 {\n  input e[K] : i64;\n  "+c.decls+"\n  V[0,a] = e[a] : { [a] : 0 <= a < K };\n  "+c.body+"\n}\n")
		want := built.After(t, g, "p", c.args)
		for _, mode := range []string{"heuristic", "exact"} {
			simple := built.Through(t, g, "simplify-reductions{mode="+mode+"}")
			if got := total(t, simple); got != "T*K" {
				t.Errorf("%s, %s: %s", name, mode, got)
			}
			if got := built.After(t, built.Through(t, simple, "poly-schedule,poly-contract,poly-codegen"), "p", c.args); got != want {
				t.Errorf("%s, %s: got %s, want %s", name, mode, got, want)
			}
		}
	}
}

const zeros = "[[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]"

// A choice by an affine condition in a sum or a product divides the domain, also of integers that become floats.
func TestChoices(t *testing.T) {
	for _, c := range []struct{ elem, equation string }{
		{"i64", "X[i] += B[j] * select(j <= i, A[j], 0 - A[j])"},
		{"f64", "X[i] max= A[j] + select(j <= i, B[j], 0.0)"},
		{"i64", "X[i] += select(j <= i, i64(i - j), i64(j - i)) * A[j]"},
		{"f64", "X[i] += f64(select(j <= i, i64(j), 0))"},
		{"f64", "X[i] min= f64(select(j <= i, 0, i64(j))) - select(i <= j, A[j], B[j])"},
	} {
		src := "program p(N) : N >= 1 {\n  input A[N], B[N] : " + c.elem + ";\n  output X[N] : " + c.elem + ";\n  " + c.equation + " : { [i,j] : 0 <= i < N and 0 <= j < N };\n}\n"
		g := parse(t, src)
		simple := built.Through(t, g, "simplify-reductions")
		if got := total(t, simple); got != "N" {
			t.Errorf("%s costs %s", c.equation, got)
		}
		const args = "[4, [3, -4, 5, 2], [-1, 6, 7, 9], [0, 0, 0, 0]]"
		if got, want := built.After(t, simple, "p", args), built.After(t, g, "p", args); got != want {
			t.Errorf("%s: %s, want %s", c.equation, got, want)
		}
	}
}
