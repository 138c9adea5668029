package reduce_test

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// contains holds for programs with all of some words.
func contains(words ...string) reduce.Check {
	return func(_ context.Context, s string) bool {
		for _, w := range words {
			if !strings.Contains(s, w) {
				return false
			}
		}
		return true
	}
}

// What each rule leaves of a program that has nothing else to take away.
var rules = []struct {
	name, src, want string
	keep            []string
}{
	{"a carried value", `
func.func @f(%n: index) {
  scf.for %i = %n to %n step %n iter_args(%s = %n, %t = %n) -> (index, index) {
    "x.keep"(%t) : (index) -> ()
    scf.yield %s, %t : index, index
  }
  return
}`, `
module {
  func.func @f(%arg0: index) {
    scf.for %arg1 = %arg0 to %arg0 step %arg0 {
      "x.keep"() : () -> ()
    }
    return
  }
}
`, []string{"x.keep", "scf.for"}},
	{"what a while passes on", `
func.func @f(%n: index, %c: i1) -> i32 {
  %z = arith.constant 7 : i32
  %r:2 = scf.while (%a = %n, %b = %z) : (index, i32) -> (index, i32) {
    scf.condition(%c) %a, %b : index, i32
  } do {
  ^bb0(%a: index, %b: i32):
    "x.keep"() : () -> ()
    scf.yield %a, %b : index, i32
  }
  return %r#1 : i32
}`, `
module {
  func.func @f(%arg0: i1) {
    scf.while : () -> () {
      scf.condition(%arg0)
    } do {
      "x.keep"() : () -> ()
      scf.yield
    }
    return
  }
}
`, []string{"x.keep", "scf.while"}},
	{"cases and an else", `
func.func @f(%n: index, %c: i1) -> i32 {
  %z = arith.constant 7 : i32
  %r = scf.index_switch %n -> i32
  case 2 {
    "x.a"() : () -> ()
    scf.yield %z : i32
  }
  case 5 {
    "x.keep"() : () -> ()
    scf.yield %z : i32
  }
  default {
    scf.yield %z : i32
  }
  scf.if %c {
    "x.then"() : () -> ()
  } else {
    "x.b"() : () -> ()
  }
  return %r : i32
}`, `
module {
  func.func @f(%arg0: index, %arg1: i1) {
    scf.index_switch %arg0
    case 5 {
      "x.keep"() : () -> ()
      scf.yield
    }
    default {
    }
    scf.if %arg1 {
      "x.then"() : () -> ()
    }
    return
  }
}
`, []string{"x.keep", "x.then", "index_switch", "scf.if", "case 5"}},
	{"a reduction", `
func.func @f(%n: index, %x: f32) -> (f32, f32) {
  %r:2 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x, %x) -> (f32, f32) {
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      scf.reduce.return %0 : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.mulf %a, %b : f32
      scf.reduce.return %0 : f32
    }
  }
  return %r#0, %r#1 : f32, f32
}`, `
module {
  func.func @f(%arg0: index, %arg1: f32) {
    %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
      scf.reduce(%arg1 : f32) {
      ^bb0(%arg3: f32, %arg4: f32):
        %1 = arith.mulf %arg1, %arg1 : f32
        scf.reduce.return %arg1 : f32
      }
    }
    return
  }
}
`, []string{"mulf", "scf.parallel", "scf.reduce"}},
	{"functions, their parameters and their results", `
func.func private @unused(%x: i64) -> i64 {
  return %x : i64
}
func.func private @recursive(%x: i64) -> i64 {
  %0 = func.call @recursive(%x) : (i64) -> i64
  return %0 : i64
}
memref.global @g : memref<2xi8> = dense<[3, 4]>
func.func @f(%a: i32, %b: f64 {x.y = 3 : i8}) -> (f64, i32) {
  return %b, %a : f64, i32
}
func.func @main(%a: i32, %b: f64) -> f64 {
  %m = memref.get_global @g : memref<2xi8>
  %r:2 = func.call @f(%a, %b) : (i32, f64) -> (f64, i32)
  return %r#0 : f64
}`, `
module {
  func.func @f() {
    return
  }
  func.func @main() {
    call @f() : () -> ()
    return
  }
}
`, []string{"@main", "call @f"}},
	{"types, attributes and numbers", `
func.func @f(%m: memref<4x?xi32, strided<[?, 1], offset: ?>, 3>) -> vector<4xf64> {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf64>
  %w = arith.addf %v, %v fastmath<nnan> {note = "n", other = 17 : i8} : vector<4xf64>
  "x.keep"(%m, %w) {a = 100 : i32, b = dense<[5, 6]> : tensor<2xi8>} : (memref<4x?xi32, strided<[?, 1], offset: ?>, 3>, vector<4xf64>) -> ()
  return %w : vector<4xf64>
}`, `
module {
  func.func @f(%arg0: memref<1x1xi1>) {
    "x.keep"(%arg0) {a = 0 : i32, b = dense<0> : tensor<2xi8>} : (memref<1x1xi1>) -> ()
    return
  }
}
`, []string{"x.keep\"(%", "a =", "b =", "memref<"}},
}

func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			out, err := reduce.Reduce(context_(), r.src, contains(r.keep...), reduce.Options{Valid: symbols.Check})
			if want := strings.TrimPrefix(r.want, "\n"); err != nil || out != want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, out, want)
			}
		})
	}
}

// The dead loop of a program whose other ops are all wanted.
func TestDeadLoop(t *testing.T) {
	src, err := os.ReadFile("testdata/dead-loop.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range [][]string{{"addui_extended", "index_switch"}, {"memref.store", "subi", "addui_extended"}, {"addui_extended", "case 0", "memref.store", "andi", "subi"}} {
		out, err := reduce.Reduce(context_(), string(src), contains(keep...), reduce.Options{Valid: symbols.Check})
		if n := ops(t, out); err != nil || n["scf.for"]+n["memref.load"]+n["arith.addi"] != 0 {
			t.Errorf("%v: %v\n%s", keep, err, out)
		}
	}
}

// Whatever is looked for, no single step can be taken further, all that is checked
// is a valid program, and the result does not depend on how many look.
func TestOneMinimal(t *testing.T) {
	names := []string{"scf.for", "scf.while", "scf.if", "memref.load", "memref.store", "func.call", "arith.select", "special.print", "divsi", "mulf", "memref.alloc", "scf.yield"}
	tried := 0
	seeds := uint64(40)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		p := irtest.New(seed, irtest.Config{Ops: 60, Vars: seed%2 == 1})
		first, second := names[seed%12], names[(seed*5+3)%12]
		var wrong atomic.Pointer[string]
		check := func(_ context.Context, s string) bool {
			g, errs := text.Parse(context_(), diag.NewSource("r.mlir", s), text.Options{Verbatim: true})
			if errs.Err() != nil || ir.Verify(g) != nil || symbols.Check(g) != nil {
				wrong.Store(&s)
			}
			return strings.Contains(s, first) && strings.Contains(s, second)
		}
		if !check(ctx, p.Text) {
			continue
		}
		tried++
		var results []string
		for _, workers := range []int{1, 4} {
			out, err := reduce.Reduce(context_(), p.Text, check, reduce.Options{Workers: workers, Valid: symbols.Check})
			if err != nil || !check(ctx, out) {
				t.Fatalf("seed %d: %v\n%s", seed, err, out)
			}
			results = append(results, out)
		}
		if w := wrong.Load(); w != nil {
			t.Fatalf("seed %d: a program that is not valid is checked:\n%s", seed, *w)
		}
		if results[0] != results[1] {
			t.Errorf("seed %d: with four workers the result is\n%s\nand with one\n%s", seed, results[1], results[0])
		}
		smaller := reduce.Smaller(context_(), results[0], true, symbols.Check)
		if len(smaller) == 0 {
			t.Errorf("seed %d: there is no smaller program than\n%s", seed, results[0])
		}
		for _, s := range smaller {
			if check(ctx, s) {
				t.Errorf("seed %d: the result is not minimal:\n%s\nthis is smaller:\n%s", seed, results[0], s)
				break
			}
		}
	}
	if tried < int(seeds)/4 {
		t.Errorf("only %d programs have what is looked for", tried)
	}
}

// The number of checks grows with what is left, not with the size of the input.
func TestFewChecks(t *testing.T) {
	sizes := []int{250, 2500}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		checks, lines := 0, 0
		for seed := uint64(0); seed < 3; seed++ {
			p := irtest.New(seed, irtest.Config{Ops: n / 3, Vars: true})
			lines += strings.Count(p.Text, "\n")
			if _, err := reduce.Reduce(context_(), p.Text, func(_ context.Context, s string) bool {
				checks++
				return strings.Contains(s, "memref.store") && strings.Contains(s, "scf.while") && strings.Contains(s, "cmpi")
			}, reduce.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d checks for %d lines", checks/3, lines/3)
		if checks/3 > 150 {
			t.Errorf("%d checks for %d lines", checks/3, lines/3)
		}
	}
}
