package polyhedral_test

import (
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// programs are examples, with arguments.
var programs = map[string]string{
	"prefix": "[4, [1,2,3,4], [0,0,0,0]]",
	"gmm":    "[4, 2, [0.5,1,2,3], [0.1,0.9,0.3,0.7], [0,1,0,1], [0,0,0,0], [[0,0],[0,0],[0,0],[0,0]]]",
}

// Each schedule computes what the equations say, executed as such and as loops.
func TestSchedules(t *testing.T) {
	for name, args := range programs {
		g := example(t, name)
		want := built.After(t, g, name, args)
		for _, alg := range []string{"sequential", "feautrier", "pluto fuse=min", "pluto fuse=smart", "pluto fuse=max"} {
			s := built.Through(t, g, "poly-schedule{alg="+alg+"}")
			built.Gives(t, s, name, args, want, "%s, %s", name, alg)
			built.Gives(t, built.Through(t, s, "poly-codegen"), name, args, want, "%s, %s, as loops", name, alg)
		}
	}
}

// Equations that need one another have no schedule: the paper's equation 3 with 4b.
func TestCircle(t *testing.T) {
	src := `program p(N) : N >= 2 {
  input w : f64;
  output B[N] : f64;
  local A[N] : f64;
  A[0] = w;
  E: B[N-1] += A[j] : { [j] : 0 <= j < N };
  R: B[i] = B[i+1] - A[i+1] : { [i] : 0 <= i < N - 1 };
  F: A[i+1] = 2.0 * B[i] : { [i] : 0 <= i < N - 1 };
}`
	g := built.OfEquations(t, src)
	want := "go round in a circle, where each comes before the next: R[0] -> F[0] -> R[0], where N = 2"
	if err := built.Fails(t, g, "poly-schedule"); !strings.Contains(err, want) {
		t.Errorf("got %s, want %s", err, want)
	}
}

// An array without an end has no memory.
func TestNoExtent(t *testing.T) {
	g := built.Parse(t, `func.func @f(%B: memref<?xf64>) {
  poly.system () {
    %Ba = poly.bind %B as output "B" in "{ B[i] : i >= 0 }" : memref<?xf64>
    poly.statement "S" over "{ S[i] : 0 <= i < 3 }" set %Ba at "{ S[i] -> B[i] }" do (%i: index) {
      %x = arith.constant 1.0 : f64
      poly.yield %x : f64
    }
  }
  return
}`, text.Options{})
	if err := built.Fails(t, g, "poly-schedule,poly-codegen"); !strings.Contains(err, "the extent of an array has no affine bounds") {
		t.Errorf("got %v", err)
	}
}

// A program keeps its order, or gets another in which what each instance reads is the same.
func TestPrograms(t *testing.T) {
	src, err := os.ReadFile("../../dialects/poly/testdata/sweep.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	const args, want = "[4, [1, 2, 3, 4]]", "[4, [1, 6, 21, 56]]"
	for alg, time := range map[string]string{"sequential": "[(j)]", "feautrier": "[(2i + j)]", "pluto": "[(i + j)]"} {
		s := built.Through(t, g, "poly-schedule{alg="+alg+"}")
		if !strings.Contains(shown(s), "S[i, j] -> "+time) {
			t.Errorf("%s: the order is\n%s", alg, shown(s))
		}
		for _, g := range []*ir.Graph{s, built.Through(t, s, "poly-codegen")} {
			built.Gives(t, g, "f", args, want, "%s", alg)
		}
	}
}
