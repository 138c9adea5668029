package polyhedral_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

// unproven are the lines of a program that access memory without a proof that this is inside.
func unproven(g *ir.Graph) (out []string) {
	for line := range strings.Lines(shown(g)) {
		if (strings.Contains(line, "memref.load") || strings.Contains(line, "memref.store")) && !strings.Contains(line, "irc.inbounds") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// Affine accesses of equations lie inside, of all shapes; those by computed indices are checked.
func TestProvenInside(t *testing.T) {
	g := built.Through(t, built.OfEquations(t, `program p(N, M) : N >= 1 and M >= 1 {
  input  w[2 * N + 1, M] : f64;
  input  Z[N] : i32;
  output B[N, M] : f64;
  local  A[N] : f64;
  A[i]   += w[2 * i + 1, j]                  : { [i,j] : 0 <= i < N and 0 <= j < M };
  B[i,j]  = A[N - 1 - i] + w[i mod 2, floor(j / 2)] + select(j > 0, w[i, j-1], 0.0) + A[Z[i]]
                                             : { [i,j] : 0 <= i < N and 0 <= j < M };
}`), "poly-schedule,poly-codegen")
	if got := unproven(g); len(got) != 1 || !strings.Contains(got[0], "memref.load %alloc[") {
		t.Errorf("without a proof:\n%s", strings.Join(got, "\n"))
	}
}

// What is not proven is checked: a read beyond the extent, and memory whose extent begins below 0.
func TestNotProvenInside(t *testing.T) {
	const frame = `func.func @f(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" schedule ["domain: '[N] -> { S[i] : 0 <= i < N }'",
      "child:", "  schedule: '[N] -> [{ S[i] -> [(i)] }]'"] {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : BEGIN <= i < N }" : memref<?xf64>
    %B = poly.bind %b as output "B" in "[N] -> { B[i] : 0 <= i < N }" : memref<?xf64>
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %B at "{ S[i] -> B[i] }" reading %A at "{ S[i] -> A[READ] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}`
	for _, x := range []struct {
		begin, read string
		want        int
	}{
		{"0", "i", 0},
		{"0", "i + 1", 1},
		{"-1", "i", 1},
	} {
		src := strings.NewReplacer("BEGIN", x.begin, "READ", x.read).Replace(frame)
		g := built.Through(t, parse(t, src), "poly-codegen")
		if got := unproven(g); len(got) != x.want {
			t.Errorf("%+v: %q", x, got)
		}
	}
}

// Loops hold for parameters in the context, and stop at others.
func TestContextIsAssumed(t *testing.T) {
	const src = `program p(N) : N >= 2 {
  output B[N] : f64;
  B[i] = 1.0 : { [i] : 0 <= i < N };
}`
	for args, want := range map[string]string{
		"[2, [0, 0]]": "[]",
		"[1, [0]]":    "the parameters are not in the context of the equations",
	} {
		for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
			if got := built.Lowered(t, kind, built.OfEquations(t, src), "p", args); !strings.Contains(got, want) {
				t.Errorf("%s on %s: got %s, want %s", args, kind.Name, got, want)
			}
		}
	}
}

// What seldom holds and is dear to compute is a branch; what is cheap is chosen.
func TestRareChoices(t *testing.T) {
	g := built.Through(t, built.OfEquations(t, `program p(N) : N >= 1 {
  input  x[N] : f64;
  input  z[N] : i32;
  output B[N], C[N], D[N] : f64;
  B[i] = select(z[i] == i, log(x[i]), 0.0) : { [i] : 0 <= i < N };
  C[i] = select(z[i] != i, 0.0, exp(x[i])) : { [i] : 0 <= i < N };
  D[i] = select(z[i] == i, x[i], 0.0) : { [i] : 0 <= i < N };
}`), "poly-schedule,poly-codegen")
	src := shown(g)
	for _, want := range []string{"math.log", "math.exp"} {
		before, _, _ := strings.Cut(src, want)
		if i := strings.LastIndex(before, "scf."); i < 0 || !strings.HasPrefix(before[i:], "scf.if") {
			t.Errorf("%s is computed always:\n%s", want, src)
		}
	}
	if strings.Count(src, "arith.select") != 1 || strings.Count(src, "irc.rare") != 2 || strings.Count(src, "irc.lanes = 1") != 2 {
		t.Errorf("one choice is to stay one, and two are rare, in loops without vectors:\n%s", src)
	}
}
