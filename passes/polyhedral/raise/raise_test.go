package raise_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

var (
	nests    = flag.Int("nests", 100, "how many random loop nests are raised")
	nestSeed = flag.Uint64("nestseed", 0, "the first of them")
)

var orders = []string{"sequential", "feautrier", "pluto fuse=smart", "pluto fuse=min", "pluto fuse=max", "ilp"}

// Random loops compute the same raised, with another order, and as loops again.
func TestRandomNests(t *testing.T) {
	raised := built.EachNest(t, *nests, *nestSeed, func(p *built.RandomNest) bool {
		up := built.Through(t, p.Graph, "raise-affine")
		if !strings.Contains(text.String(up, text.PrintOptions{}), "poly.system") {
			return false
		}
		alg := orders[p.Seed%uint64(len(orders))]
		ordered := built.Through(t, up, "poly-schedule{alg="+alg+"}")
		down := built.Through(t, ordered, "poly-codegen")
		p.Same(t, up, "raised")
		p.Same(t, ordered, alg)
		// Memory is accessed at once as loops: an element that is overwritten before it is read, and
		// what was read for it, is not accessed at all, outside of its memory or not.
		if !strings.Contains(p.Want, "out of bounds") {
			p.Same(t, down, alg+", as loops")
		}
		return true
	})
	if raised < *nests/2 {
		t.Errorf("%d of %d were raised", raised, *nests)
	}
	t.Logf("%d of %d were raised", raised, *nests)
}

// What keeps a loop from being raised is told, with its place.
func TestStays(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"product": {`%j = arith.muli %i, %i : index
    memref.store %x, %a[%j] : memref<?xf64>`, "line 2: the loop stays as it is: arith.muli makes an index that is not affine, at line 3"},
		"index that is computed": {`%y = memref.load %b[%i] : memref<?xf64>
    %z = arith.fptosi %y : f64 to i64
    %j = arith.index_cast %z : i64 to index
    memref.store %x, %a[%j] : memref<?xf64>`, "line 2: the loop stays as it is: arith.fptosi makes an index that is not affine, at line 4"},
		"call": {`func.call @g() : () -> ()`, "line 2: the loop stays as it is: func.call does more than to compute a value, at line 3"},
		"condition": {`%y = memref.load %b[%i] : memref<?xf64>
    %c = arith.cmpf olt, %y, %x : f64
    scf.if %c {
      memref.store %x, %a[%i] : memref<?xf64>
    }`, "line 2: the loop stays as it is: it is not known that memref.store under a condition on data is inside of its memory, at line 6"},
		"one memory": {`%y = memref.load %d[%i] : memref<?xf64>
    memref.store %y, %a[%i] : memref<?xf64>`, "line 2: the loop stays as it is: two of the arrays may be the same memory: arguments are apart where they are declared {llvm.noalias}"},
		"raised": {`memref.store %x, %a[%i] : memref<?xf64>`, "line 2: the loop is raised: 1 statement over 1 array"},
	} {
		src := "func.func @f(%n: index, %x: f64, %a: memref<?xf64>, %b: memref<?xf64> {llvm.noalias}, %d: memref<?xf64>) {\n  affine.for %i = 0 to %n {\n    " +
			c.body + "\n  }\n  return\n}\nfunc.func private @g()\n"
		remarks := built.Remarks(t, src, built.Parse(t, src, text.Options{}), "raise-affine")
		if got := strings.Join(remarks, "\n"); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// A loop that makes more than it carries is none of memory.
func TestGenerators(t *testing.T) {
	const src = `func.func @f(%n: index, %x: f64) -> !loop.array<f64> {
  %a = loop.for %i < %n -> collect(f64) {
    loop.yield %x : f64
  }
  return %a : !loop.array<f64>
}
`
	got := built.Remarks(t, src, built.Parse(t, src, text.Options{}), "raise-affine")
	if want := "line 2: the loop stays as it is: loop.for gives what it does not carry from round to round, at line 2"; strings.Join(got, "\n") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Loops of scf with bounds of minima, a step, a floor and a condition, which carry a value.
func TestRaised(t *testing.T) {
	const src = `func.func @f(%n: index, %a: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 0 : i64
  %end = arith.minsi %n, %c9 : index
  %sum = scf.for %i = %c1 to %end step %c2 iter_args(%s = %z) -> (i64) {
    %h = arith.floordivsi %i, %c2 : index
    %even = arith.cmpi slt, %h, %c2 : index
    %v = scf.if %even -> (i64) {
      %x = memref.load %a[%h] : memref<?xi64>
      scf.yield %x : i64
    } else {
      scf.yield %z : i64
    }
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %sum : i64
}
`
	g := built.Through(t, built.Parse(t, src, text.Options{}), "raise-affine")
	sys := system(t, g)
	first, last := sys.Statement("S1"), sys.Statement("S3")
	if first == nil || last == nil || last.Operator != poly.Add {
		t.Fatalf("the statements are other ones:\n%s", text.String(g, text.PrintOptions{}))
	}
	if want := "[n0] -> { S1[i] : 0 < i < n0 and i mod 2 = 1 and i <= 3 }"; !equal(t, first.Domain.Identity(), want) {
		t.Errorf("got %s, want %s", first.Domain, want)
	}
	if want := "[n0] -> { S1[i] -> A1[floor(i/2)] }"; !equal(t, first.Reads[0].Map, want) {
		t.Errorf("got %s, want %s", first.Reads[0].Map, want)
	}
	if got, want := built.Run(t, g, "f", "[8, [1, 20, 300, 4000]]"), "[21]"; got != want {
		t.Errorf("the sum is %s, want %s", got, want)
	}
}

// system is the one system of a program.
func system(t *testing.T, g *ir.Graph) (out *poly.System) {
	t.Helper()
	err := systems.EveryGraph(g, func(g *ir.Graph) error {
		for _, s := range poly.Systems(g) {
			out = s
		}
		return nil
	})
	if err != nil || out == nil {
		t.Fatalf("no system: %v", err)
	}
	return out
}

// equal compares a relation, or a set as an identity, with what is written.
func equal(t *testing.T, got presburger.Map, want string) bool {
	t.Helper()
	s, m, isMap, err := presburger.Parse(want)
	if !isMap && err == nil {
		m = s.Identity()
	}
	same := false
	if err == nil {
		same, err = got.IsEqual(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return same
}

// Statements that share memory in ways that are easily taken for others.
func TestMeaning(t *testing.T) {
	for name, body := range map[string]string{
		"a loop writes what was read before it": `affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    affine.for %k = 0 to %n {
      %k1 = arith.index_cast %k : index to i64
      %y = arith.addi %x, %k1 : i64
      affine.store %y, %a[%k] : memref<?xi64>
    }
  }`,
		"something is added to another element": `affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xi64>
    %y = arith.addi %x, %one : i64
    affine.store %y, %a[%i] : memref<?xi64>
  }`,
		"two elements change places": `affine.for %i = 1 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = affine.load %a[%i - 1] : memref<?xi64>
    affine.store %x, %a[%i - 1] : memref<?xi64>
    affine.store %y, %a[%i] : memref<?xi64>
  }`,
		"what is carried changes places": `%f:2 = affine.for %i = 0 to %n iter_args(%p = %one, %q = %one) -> (i64, i64) {
    %s = arith.addi %p, %q : i64
    affine.store %p, %a[%i] : memref<?xi64>
    affine.yield %q, %s : i64, i64
  }
  affine.store %f#0, %a[0] : memref<?xi64>`,
		"two are carried in another loop": `affine.for %i = 0 to %n {
    %z = affine.load %a[%i] : memref<?xi64>
    %f:2 = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%p = %z, %q = %one) -> (i64, i64) {
      %x = affine.load %a[%k] : memref<?xi64>
      %s = arith.addi %p, %x : i64
      affine.yield %s, %p : i64, i64
    }
    affine.store %f#1, %a[%i] : memref<?xi64>
  }`,
		"both results of one op": `affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    %l, %h = arith.mulsi_extended %x, %x : i64
    %s = arith.subi %l, %h : i64
    affine.store %s, %a[%i] : memref<?xi64>
  }`,
		"an element is subtracted from": `affine.for %i = 0 to %n {
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i] : memref<?xi64>
      %y = affine.load %a[%k] : memref<?xi64>
      %z = arith.subi %x, %y : i64
      affine.store %z, %a[%i] : memref<?xi64>
    }
  }`,
	} {
		g := built.Parse(t, "func.func @f(%n: index, %a: memref<?xi64>) {\n  %one = arith.constant 1 : i64\n  "+body+"\n  return\n}\n", text.Options{})
		const args = "[5, [3, 14, 159, 2653, 58979]]"
		want := built.After(t, g, "f", args)
		for _, alg := range orders {
			up := built.Through(t, g, "raise-affine,poly-schedule{alg="+alg+"}")
			system(t, up)
			if got := built.After(t, up, "f", args); got != want {
				t.Errorf("%s, %s: got %s, want %s", name, alg, got, want)
			}
		}
	}
}

// An access outside of its memory ends the program before the loops, where there is one; not
// where its loop has no round.
func TestOutside(t *testing.T) {
	const src = `func.func @f(%n: index, %a: memref<?xi64>) {
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i + 1] : memref<?xi64>
  }
  return
}
`
	g := built.Through(t, built.Parse(t, src, text.Options{}), "raise-affine")
	for args, want := range map[string]string{
		"[2, [0, 0, 0]]": "[2, [0, 1, 1]]", "[3, [0, 0, 0]]": "an access of the loops is outside of its memory", "[0, []]": "[0, []]", "[-9223372036854775808, [0]]": "[-9223372036854775808, [0]]",
	} {
		if got := built.After(t, g, "f", args); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}

// A condition that is poison where the loop around it runs no round does not decide anything before it.
func TestPoisonBesideNoRound(t *testing.T) {
	const src = `func.func @f(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 2147483647 : i32
  %y = arith.addi %x, %most overflow<nsw> : i32
  %p = arith.cmpi eq, %y, %zero : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {
    %b = scf.if %p -> (i32) {
      scf.yield %x : i32
    } else {
      scf.yield %zero : i32
    }
    scf.yield %b : i32
  }
  return %r : i32
}
`
	g := built.Through(t, built.Parse(t, src, text.Options{}), "raise-affine,poly-codegen")
	if got := built.Run(t, g, "f", `[0, 1]`); got != "[0]" {
		t.Errorf("got %s of\n%s", got, text.String(g, text.PrintOptions{}))
	}
}

// What is known of a bound holds where it is no poison: nothing follows for what it is frozen to.
func TestBoundThatMayBePoison(t *testing.T) {
	const src = `func.func @f(%n: index, %x: i8, %A: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %most = arith.constant 2147483647 : i32
  %wide = arith.extui %x : i8 to i32
  %y = arith.addi %wide, %most overflow<nsw> : i32
  %low = arith.andi %y, %three : i32
  %m = arith.index_castui %low : i32 to index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      memref.store %wide, %A[%j] : memref<8xi32>
    }
  }
  return
}
`
	g := built.Through(t, built.Parse(t, src, text.Options{}), "raise-affine,poly-codegen")
	if got := built.Run(t, g, "f", `[0, 1, [0, 0, 0, 0, 0, 0, 0, 0]]`); got != "[]" {
		t.Errorf("got %s of\n%s", got, text.String(g, text.PrintOptions{}))
	}
}
