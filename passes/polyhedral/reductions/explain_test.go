package reductions_test

import (
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// explained is what the pass says of programs of examples/reductions, and of one whose parts are
// subtracted in three dimensions.
var explained = []struct{ name, src, want string }{
	{"prefix_sum", "", `
line 5: S_C, N^2 -> N
  { [i, j] : j >= 0 and i >= j and N >= i + 1 }: reuses along (1, 0), N^2 -> N; it adds, where (-1, 0) subtracts at the same cost
    j = 0      reuse     non-boundary
    j = i      add       non-boundary
    i = N - 1  subtract  strong boundary, no answer beyond it
    added on j = i: { [i, j] : j = i and i >= 0 and N >= i + 1 }: as it is, N -> N
`},
	{"dependent_suffix", "", `
line 7: B along (1) would close a cycle: A[0] -> B[0] -> B[1] -> A[0], where N = 2
line 7: S_B, N^2 -> N
  { [i, j] : i >= 0 and j >= i and N >= j + 1 }: reuses along (-1, 0), N^2 -> N
    i = 0      subtract  strong boundary, no answer beyond it
    j = i      add       non-boundary
    j = N - 1  reuse     non-boundary
    added on j = i: { [i, j] : j = i and i >= 0 and N >= i + 1 }: as it is, N -> N
`},
	{"two-dimensional trapezoid", `program p(N) : N >= 1 {
  input A[2*N] : i64;
  output C[N] : i64;
  C[i] += A[j] : { [i,j] : 0 <= i < N and i <= j < 2*N - i };
}
`, `
line 4: S_C, N^2 -> N
  { [i, j] : i >= 0 and N >= i + 1 and j >= i and 2N >= i + j + 1 }: reuses along (1, 0), N^2 -> N
    i = 0           add       strong boundary
    i = N - 1       subtract  strong boundary, no answer beyond it
    j = i           subtract  non-boundary
    j = 2N - i - 1  subtract  non-boundary
    added on i = 0: { [i, j] : i = 0 and j >= 0 and 2N >= j + 1 }: as it is, N -> N
    subtracted on j = i: { [i, j] : j = i and i >= 0 and N >= i + 2 }: as it is, N -> N
    subtracted on j = 2N - i - 1: { [i, j] : j = 2N - i - 1 and i >= 0 and N >= i + 2 }: as it is, N -> N
`},
	{"tent_max", "", `
line 6: S_Y, N^2 -> N
  { [i, j] : j >= 0 and i >= j and N >= i + j }: split, N^2 -> N
    { [i, j] : j >= 0 and N >= i + j and 2i >= N }: reuses along (-1, 0), N^2 -> N
      j = 0      reuse     non-boundary
      j = N - i  add       non-boundary
      2i = N     subtract  strong boundary, no answer beyond it
      added on j = N - i: { [i, j] : j = N - i and N >= i and 2i >= N }: as it is, N -> N
    { [i, j] : j >= 0 and i >= j and N >= 2i + 1 }: reuses along (1, 0), N^2 -> N
      j = 0       reuse     non-boundary
      j = i       add       non-boundary
      2i = N - 1  subtract  strong boundary, no answer beyond it
      added on j = i: { [i, j] : j = i and i >= 0 and N >= 2i + 1 }: as it is, N -> N
`},
	{"growing_window_min", "", `
line 5: S_M, N^2 -> N
  { [i, j] : i >= 0 and N >= i + 1 and i + j + 1 >= N and N + i >= j }: reuses along (1, 0), N^2 -> N
    i = 0          add       strong boundary
    i = N - 1      subtract  strong boundary, no answer beyond it
    j = N - i - 1  add       non-boundary
    j = N + i      add       non-boundary
    added on i = 0: { [i, j] : i = 0 and 0 <= N - j <= 1 }: as it is, 1 -> 1
    added on j = N - i - 1: { [i, j] : j = N - i - 1 and i >= 1 and N >= i + 1 }: as it is, N -> N
    added on j = N + i: { [i, j] : j = N + i and i >= 1 and N >= i + 1 }: as it is, N -> N
`},
	{"trapezoid_max", "", `
line 5: S_X, N^3 -> N^2
  { [i, j, k] : N >= i + 2 and j >= 0 and i >= j and k >= 0 and N >= i + k + 1 }: decomposed, with an answer for each (i, j), N^3 -> N^2
    { [i, j, k] : N >= i + 2 and j >= 0 and i >= j and k >= 0 and N >= i + k + 1 }: reuses along (-1, 0, 0), N^3 -> N^2
      i = N - 2      add       strong boundary
      j = 0          reuse     strong boundary
      j = i          subtract  strong boundary, no answer beyond it
      k = 0          reuse     non-boundary
      k = N - i - 1  add       non-boundary
      added on i = N - 2: { [i, j, k] : i = N - 2 and j >= 0 and N >= j + 2 and 0 <= k <= 1 }: as it is, N -> N
      added on k = N - i - 1: { [i, j, k] : k = N - i - 1 and N >= i + 3 and j >= 0 and i >= j }: as it is, N^2 -> N^2
    { [i, j] : N >= i + 2 and j >= 0 and i >= j }: as it is, N^2 -> N^2
`},
	{"window", `program p(N, W) : N > W and W >= 1 {
  input A[N] : f64;
  output C[N] : f64;
  C[i] += A[j] : { [i,j] : 0 <= i < N and i - W <= j <= i and 0 <= j < N };
}
`, `
line 4: S_C, N*W -> N
  { [i, j] : N >= i + 1 and W + j >= i and i >= j and j >= 0 }: reuses along (1, 0), N*W -> N
    i = N - 1   subtract  strong boundary, no answer beyond it
    j = -W + i  subtract  non-boundary
    j = i       add       non-boundary
    j = 0       reuse     non-boundary
    added on j = i: { [i, j] : j = i and N >= i + 1 and i >= 0 }: as it is, N -> N
    subtracted on j = -W + i: { [i, j] : j = -W + i and N >= i + 2 and i >= W }: as it is, N -> N
line 4: C is subtracted from (once): the last digits of floats may differ by more than by another order of the sum
`},
	{"identical_answers", "", `
line 5: S_Y, N^2 -> N
  { [i, j] : i >= 0 and N >= i and j >= 0 and N >= j }: is equal along (1, 0), N^2 -> N
    i = 0  add       strong boundary
    i = N  subtract  strong boundary, no answer beyond it
    j = 0  copy      non-boundary
    j = N  copy      non-boundary
    added on i = 0: { [i, j] : i = 0 and j >= 0 and N >= j }: as it is, N -> N
`},
	{"block", `program p(N, W) : N > W and W >= 1 {
  input A[N, N] : i64;
  output C[N] : i64;
  C[i] += A[j,k] : { [i,j,k] : 0 <= i < N and i <= j <= i + W and j < N and 0 <= k <= j };
}
`, `
line 4: S_C, N^2*W -> N^2
  { [i, j, k] : i >= 0 and j >= i and W + i >= j and N >= j + 1 and k >= 0 and j >= k }: reuses along (-1, 0, 0), N^2*W -> N^2
    i = 0      subtract  strong boundary, no answer beyond it
    j = i      add       weak boundary
    j = W + i  subtract  weak boundary
    j = N - 1  reuse     weak boundary
    k = 0      reuse     weak boundary
    k = j      reuse     weak boundary
    added on j = i: { [i, j, k] : j = i and N >= i + 1 and k >= 0 and i >= k }: as it is, N^2 -> N^2
    subtracted on j = W + i: { [i, j, k] : j = W + i and i >= 1 and N >= W + i + 1 and k >= 0 and W + i >= k }: as it is, N^2 -> N^2
`},
}

func TestExplained(t *testing.T) {
	for _, c := range explained {
		src := c.src
		if src == "" {
			data, err := os.ReadFile("../../../examples/reductions/" + c.name + ".eq")
			if err != nil {
				t.Fatal(err)
			}
			src = string(data)
		}
		if got := "\n" + remarks(t, src, "simplify-reductions") + "\n"; got != c.want {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}

// Who does not ask is told nothing.
func TestNothingToTell(t *testing.T) {
	if got := remarks(t, prefix, "simplify-reductions{only=S9}"); strings.Contains(got, "reuses") {
		t.Error(got)
	}
}

// A direction that is asked for and not taken has a reason, and so has one that only the operator is in the way of.
func TestReasons(t *testing.T) {
	const prefix = "program p(N) : N >= 1 {\n  input A[N] : i64;\n  output B[N] : i64;\n  B[i] max= A[j] : { [i,j] : 0 <= i < N and 0 <= j <= i };\n}\n"
	window := strings.Replace(prefix, "0 <= j <= i", "i <= 2 * j <= 2 * i", 1)
	for _, c := range []struct{ src, along, want string }{
		{prefix, "(-1,0)", "B along (-1, 0): max has no inverse, and what is at j = i (a non-boundary) would have to be taken away"},
		{prefix, "(1,1)", "B along (1, 1): the body has not one value along it"},
		{prefix, "(1)", "B along (1): an instance has 2 coordinates"},
		{strings.Replace(prefix, "A[j]", "A[i]", 1), "(0,1)", "B along (0, 1): it stays within an answer"},
		{window, "", "B along (1, 0): max has no inverse, and what is at 2j = i (a non-boundary) would have to be taken away"},
	} {
		pass := "simplify-reductions{reuse=true}"
		if c.along != "" {
			pass = "simplify-reductions{reuse=true along=" + c.along + "}"
		}
		if got, want := strings.Join(built.Remarks(t, c.src, parse(t, c.src), pass), "\n"), "line 4: "+c.want; got != want {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", c.src, pass, got, want)
		}
	}
}
