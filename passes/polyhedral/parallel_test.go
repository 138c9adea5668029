package polyhedral_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// Random loop nests whose outermost independent loops cores share compute the same, without a race; so do their tiles,
// in the order of wavefronts.
func TestRandomShared(t *testing.T) {
	shared, tiled := 0, 0
	orders := []string{"raise-affine,poly-schedule{alg=pluto budget=2000000}", "raise-affine,poly-schedule{alg=feautrier budget=2000000}", "raise-affine"}
	const contracted = "raise-affine,poly-equations{budget=1000000},poly-schedule,poly-contract" // whose iterations have memory of their own
	built.EachNest(t, *nests/4, *nestSeed+7, func(p *built.RandomNest) bool {
		order := orders[p.Seed%uint64(len(orders))]
		if p.Seed%10 == 0 {
			order = contracted
		}
		up := built.Through(t, p.Graph, order)
		for _, tile := range []string{"", "poly-tile{sizes=2,3,2}"} {
			in := up
			if tile != "" {
				if in = built.ThroughFor(t, built.Tiny(16, 2), up, tile); shown(in) == shown(up) {
					continue
				}
				tiled++
			}
			code := built.ThroughFor(t, built.Tiny(16, 2), in, "poly-codegen{parallel=true}")
			if strings.Contains(shown(code), "scf.parallel") {
				shared++
			}
			p.SameWith(t, code, "on cores", built.NoRaces())
		}
		return true
	})
	if shared < *nests/16 {
		t.Errorf("%d of %d have loops for cores", shared, *nests/4)
	}
	t.Logf("%d of %d have loops for cores, %d got tiles", shared, *nests/4, tiled)
}

// Updates of one element may be made in any order, but not at once: no loop over them is shared, whatever the schedule says of
// them, nor one whose iterations read what others write; one over updates of different elements is.
func TestUpdatesAreNotShared(t *testing.T) {
	const src = `func.func @f(%n: index, %a: memref<?xf64>, %s: memref<f64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" schedule [
      "domain: '[N] -> { S[i] : 0 <= i < N }'",
      "child:",
      "  schedule: '[{ S[i] -> [i] }]'",
      "  coincident: [ 1 ]"] {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %S = poly.bind %s as inout "S" in "{ S[] }" : memref<f64>
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" add %S at "{ S[i] -> S[] }" reading %A at "{ S[i] -> A[i] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}`
	code := func(src string) string {
		g := parse(t, src)
		return shown(built.ThroughFor(t, built.Tiny(16, 2), g, "poly-codegen{parallel=true}"))
	}
	if got := code(src); strings.Contains(got, "scf.parallel") {
		t.Errorf("updates of one element are shared:\n%s", got)
	}
	before := strings.NewReplacer(`    %S = poly.bind %s as inout "S" in "{ S[] }" : memref<f64>
`, "", "as input", "as inout", "add %S", "set %A", "S[i] -> S[]", "S[i] -> A[i]", "reading %A at \"{ S[i] -> A[i] }", "reading %A at \"{ S[i] -> A[i - 1] }", "0 <= i < N }'", "1 <= i < N }'",
		`over "[N] -> { S[i] : 0`, `over "[N] -> { S[i] : 1`).Replace(src)
	if got := code(before); strings.Contains(got, "scf.parallel") || !strings.Contains(got, "scf.for") {
		t.Errorf("what reads what the iteration before writes is shared:\n%s", got)
	}
	each := strings.NewReplacer("memref<f64>", "memref<?xf64>", `"{ S[] }"`, `"[N] -> { S[i] : 0 <= i < N }"`, "S[i] -> S[]", "S[i] -> S[i]").Replace(src)
	if got := code(each); !strings.Contains(got, "scf.parallel") {
		t.Errorf("updates of different elements are not shared:\n%s", got)
	}
}

// What an iteration alone writes and reads is its own, though the storage of a local array is one place for all: then cores share the loop.
// What goes from one iteration to the next is no iteration's own.
func TestOwnMemory(t *testing.T) {
	const src = `func.func @f(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 1 }" schedule [
      "domain: '[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }'",
      "child:",
      "  schedule: '[{ S[i] -> [i]; T[i] -> [i] }]'",
      "  child:",
      "    sequence:",
      "    - filter: '{ S[i] }'",
      "    - filter: '{ T[i] }'"] {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %B = poly.bind %b as output "B" in "[N] -> { B[i] : 0 <= i < N }" : memref<?xf64>
    %L = poly.local "L" in "[N] -> { L[i] : 0 <= i < N }" stored "{ L[i] -> [] }" : f64
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %L at "{ S[i] -> L[i] }" reading %A at "{ S[i] -> A[i] }" do (%i: index, %x: f64) {
      %y = arith.addf %x, %x : f64
      poly.yield %y : f64
    }
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" set %B at "{ T[i] -> B[i] }" reading %L at "{ T[i] -> L[i] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}`
	for _, cores := range []int{1, 2} {
		g := parse(t, src)
		got := shown(built.ThroughFor(t, built.Tiny(16, cores), g, "poly-codegen{parallel=true}"))
		if !strings.Contains(got, "scf.parallel") || strings.Contains(got, "memref.alloc") {
			t.Errorf("on %d cores what an iteration alone uses is no value of its own:\n%s", cores, got)
		}
	}
	next := strings.NewReplacer(`reading %L at "{ T[i] -> L[i] }"`, `reading %L at "{ T[i] -> L[i - 1] }"`, "T[i] : 0 <=", "T[i] : 1 <=",
		"    - filter: '{ S[i] }'\",\n      \"    - filter: '{ T[i] }'\"", "    - filter: '{ T[i] }'\",\n      \"    - filter: '{ S[i] }'\"").Replace(src)
	if next == src {
		t.Fatal("the text is another one")
	}
	g := parse(t, next)
	if got := shown(built.ThroughFor(t, built.Tiny(16, 2), g, "poly-codegen{parallel=true}")); strings.Contains(got, "scf.parallel") {
		t.Errorf("what the iteration before left is shared:\n%s", got)
	}
}

// What one loop writes and reads is its iterations' own; what another loop reads of the same array, from before it, is not.
func TestOwnOfLoops(t *testing.T) {
	const src = `func.func @f(%n: index, %b: memref<?xi64>, %c: memref<?xi64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 1 }" schedule [
      "domain: '[N] -> { R[]; S[i] : 0 <= i < N; T[i] : 0 <= i < N; U[i] : 0 <= i < N }'",
      "child:",
      "  sequence:",
      "  - filter: '{ R[] }'",
      "  - filter: '{ S[i]; T[i] }'",
      "    child:",
      "      schedule: '[{ S[i] -> [i]; T[i] -> [i] }]'",
      "      child:",
      "        sequence:",
      "        - filter: '{ S[i] }'",
      "        - filter: '{ T[i] }'",
      "  - filter: '{ U[i] }'",
      "    child:",
      "      schedule: '[{ U[i] -> [i] }]'"] {
    %B = poly.bind %b as output "B" in "[N] -> { B[i] : 0 <= i < N }" : memref<?xi64>
    %C = poly.bind %c as output "C" in "[N] -> { C[i] : 0 <= i < N }" : memref<?xi64>
    %L = poly.local "L" in "[N] -> { L[0, i] : 0 <= i < N; L[1, 0] }" stored "{ L[r, i] -> [r] }" : i64
    poly.statement "R" over "{ R[] }" set %L at "{ R[] -> L[1, 0] }" do () {
      %x = arith.constant 40 : i64
      poly.yield %x : i64
    }
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %L at "{ S[i] -> L[0, i] }" do (%i: index) {
      %x = arith.index_cast %i : index to i64
      poly.yield %x : i64
    }
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" set %B at "{ T[i] -> B[i] }" reading %L at "{ T[i] -> L[0, i] }" do (%i: index, %x: i64) {
      poly.yield %x : i64
    }
    poly.statement "U" over "[N] -> { U[i] : 0 <= i < N }" set %C at "{ U[i] -> C[i] }" reading %L at "{ U[i] -> L[1, 0] }" do (%i: index, %x: i64) {
      poly.yield %x : i64
    }
  }
  return
}`
	code := built.ThroughFor(t, built.Tiny(16, 2), parse(t, src), "poly-codegen{parallel=true}")
	if n := strings.Count(shown(code), "scf.parallel"); n != 2 {
		t.Errorf("cores share %d loops:\n%s", n, shown(code))
	}
	built.GivesOnCores(t, code, "[3, [0, 0, 0], [0, 0, 0]]", "[3, [0, 1, 2], [40, 40, 40]]", "%s", shown(code))
}
