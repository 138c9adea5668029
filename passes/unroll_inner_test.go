package passes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
)

// rowSums adds up, for each of LONG rows, what SHORT columns give; the short loop is of OPS.
const rowSums = `func.func @f(%x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %long = arith.constant LONG : index
  %short = arith.constant SHORT : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %long step %c1 iter_args(%a = %zero) -> (i64) {
    %k = arith.index_cast %i : index to i64
    INNER
    scf.yield %s : i64
  }
  return %r : i64
}`

const (
	addUp = `%s = scf.for %j = %c0 to %short step %c2 iter_args(%b = %a) -> (i64) {
      %l = arith.index_cast %j : index to i64
      %y = arith.muli %k, %l : i64
      %z = arith.xori %y, %x : i64
      %t = arith.addi %b, %z : i64
      scf.yield %t : i64
    }`
	addSome = `%s = scf.for %j = %c0 to %short step %c2 iter_args(%b = %a) -> (i64) {
      %c = arith.cmpi slt, %j, %i : index
      %t = scf.if %c -> (i64) { special.print %j : index scf.yield %k : i64 } else { scf.yield %b : i64 }
      scf.yield %t : i64
    }`
	onlyPrint = `scf.for %j = %c0 to %short step %c2 { special.print %j : index }
    %s = arith.addi %a, %k : i64`
)

// A loop of few rounds in one of many becomes straight-line code, if it carries something and has
// nothing but straight-line code in it.
func TestUnrollInner(t *testing.T) {
	for _, k := range []struct {
		long, short string
		inner       string
		loops       int
	}{
		{"24", "16", addUp, 1}, {"1000", "3", addUp, 1},
		{"23", "16", addUp, 2},  // too few around it
		{"24", "17", addUp, 2},  // nine rounds
		{"24", "8", addSome, 2}, // branches
		{"24", "8", onlyPrint, 2},
	} {
		g := read(t, strings.NewReplacer("LONG", k.long, "SHORT", k.short, "INNER", k.inner).Replace(rowSums))
		n, m := apply(t, g, "unroll{inner=true}")
		if got := strings.Count(show(n), "scf.for"); got != k.loops || m.Stats("unroll", "fully") != 2-k.loops {
			t.Errorf("%s by %s: %d loops, want %d\n%s", k.long, k.short, got, k.loops, show(n))
		}
		for _, x := range []int64{0, 5, -9} {
			if want, got := call(t, g, x), call(t, n, x); got != want {
				t.Errorf("%s by %s: %q, want %q", k.long, k.short, got, want)
			}
		}
	}
}

// The target says how few rounds are few, and how many are many; what other dialects lower
// to is unrolled like any loop.
func TestUnrollInnerOfTargets(t *testing.T) {
	const product = `func.func @f(%a: tensor<40x6xf64>, %b: tensor<6xf64>) -> tensor<40xf64> {
  %c = ten.einsum "ij,j->i" %a, %b : tensor<40x6xf64>, tensor<6xf64> -> tensor<40xf64>
  return %c : tensor<40xf64>
}`
	const rows = `func.func @f(%a: memref<40x6xf64>, %b: memref<6xf64>, %c: memref<40xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 40 {
    %r = affine.for %j = 0 to 6 iter_args(%s = %zero) -> (f64) {
      %x = affine.load %a[%i, %j] : memref<40x6xf64>
      %y = affine.load %b[%j] : memref<6xf64>
      %z = arith.mulf %x, %y : f64
      %t = arith.addf %s, %z : f64
      affine.yield %t : f64
    }
    affine.store %r, %c[%i] : memref<40xf64>
  }
  return
}`
	for i, src := range []string{product, rows} {
		g := read(t, src)
		for _, k := range []struct {
			set   func(*target.Costs)
			loops int
		}{{func(*target.Costs) {}, 1}, {func(c *target.Costs) { c.MaxInner = 5 }, 2}, {func(c *target.Costs) { c.MinOuter = 41 }, 2}} {
			machine := *target.Host()
			k.set(&machine.Costs)
			p, err := pass.Parse("lower{to=affine},lower{to=scf},sroa,mem2reg,unroll{inner=true}", all())
			if err != nil {
				t.Fatal(err)
			}
			n, err := (&pass.Manager{VerifyEach: true, Target: &machine}).Run(context.Background(), g, p)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(show(n), "scf.for"); got != k.loops {
				t.Errorf("program %d: %d loops, want %d\n%s", i, got, k.loops, show(n))
			}
		}
	}
}

// inner decides by itself what disappears.
func TestUnrollInnerOptions(t *testing.T) {
	for _, o := range []string{"full=true", "factor=2"} {
		if _, err := pass.Parse(fmt.Sprintf("unroll{inner=true %s}", o), all()); err == nil || !strings.Contains(err.Error(), "leave out full and factor") {
			t.Errorf("%s: %v", o, err)
		}
	}
}

// A loop of at most four rounds that stands in no other becomes straight-line code; its functions of
// an element are those of the code around.
func TestUnrollShort(t *testing.T) {
	const src = `func.func @f(%p: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant ROUNDS : index
  %k = arith.constant 7 : i64
  %m = memref.alloca() : memref<4xi64>
  BEGIN
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (i64) {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %a, %k : i64
    %z = arith.addi %y, %x : i64
    %j = arith.remui %i, %c1 : index
    memref.store %z, %m[%j] : memref<4xi64>
    scf.yield %z : i64
  }
  END
}`
	for _, c := range []struct {
		rounds, begin, end string
		loops              int
	}{
		{"4", "", "return %r : i64", 0},
		{"5", "", "return %r : i64", 1},
		{"0", "", "return %r : i64", 0},
		{"3", "%h = arith.cmpi sgt, %p, %k : i64\n%b = scf.if %h -> (i64) {", "scf.yield %r : i64\n} else {\nscf.yield %k : i64\n}\nreturn %b : i64", 0},
		{"3", "%c9 = arith.constant 9 : index\n%b = scf.for %o = %c0 to %c9 step %c1 iter_args(%q = %p) -> (i64) {", "scf.yield %r : i64\n}\nreturn %b : i64", 2},
	} {
		g := read(t, strings.NewReplacer("ROUNDS", c.rounds, "BEGIN", c.begin, "END", c.end).Replace(src))
		n, _ := apply(t, g, "unroll{short=true}")
		if got := strings.Count(show(n), "scf.for"); got != c.loops {
			t.Errorf("%s rounds, %s: %d loops, want %d\n%s", c.rounds, c.begin, got, c.loops, show(n))
		}
		for _, x := range []int64{0, 9, -3} {
			if was, is := call(t, g, x), call(t, n, x); was != is {
				t.Errorf("%s rounds, %s: %s, want %s", c.rounds, c.begin, is, was)
			}
		}
	}
	for _, options := range []string{"short=true inner=true", "short=true full=true", "short=true factor=2"} {
		if _, err := pass.Parse("unroll{"+options+"}", all()); err == nil {
			t.Errorf("%s is no error", options)
		}
	}
}
