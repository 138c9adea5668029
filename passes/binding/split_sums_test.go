package binding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// summing adds %t to a carried number in each round; what makes it is to be filled in.
const summing = `func.func @f(%%x: memref<?xf64>, %%n: index, %%a: f64, %%b: f64, %%init: f64) -> f64 {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%two = arith.constant 2 : index
  %%nan = arith.constant 0x7FF8000000000000 : f64
  %%never = arith.constant 0.0 : f64
  %%r = scf.for %%i = %%zero to %%n step %s iter_args(%%s = %%init) -> (f64) {
    %%v = memref.load %%x[%%i] : memref<?xf64>
    %%pos = arith.cmpf ogt, %%v, %%never : f64
    %%ok = arith.cmpf ogt, %%b, %%never : f64
    %s
    scf.yield %%next : f64
  }
  return %%r : f64
}
`

// What a loop does not change leaves its sum, to be added once; all else stays, and the
// value is the same for numbers whose sums are exact, and for loops that do not run.
func TestSplitSums(t *testing.T) {
	const loose = " fastmath<reassoc> : f64"
	for _, c := range []struct {
		name, step, body string
		left             int // additions and subtractions in the loop after it
	}{
		{"one of two terms", "%one", "%t = arith.addf %v, %a" + loose + "\n%next = arith.addf %s, %t" + loose, 1},
		{"one that is taken away", "%one", "%t = arith.subf %v, %a" + loose + "\n%next = arith.addf %t, %s" + loose, 1},
		{"two, before and behind what varies", "%one", "%u = arith.addf %s, %a" + loose + "\n%w = arith.subf %u, %v" + loose + "\n%next = arith.addf %w, %b" + loose, 1},
		{"all there is", "%one", "%next = arith.addf %s, %a" + loose, 0},
		{"a negated sum", "%one", "%t = arith.addf %v, %a" + loose + "\n%m = arith.negf %t : f64\n%next = arith.addf %s, %m" + loose, 1},
		{"a guard that the loop does not change", "%one", "%t = arith.select %ok, %v, %nan : f64\n%next = arith.addf %s, %t" + loose, 1},
		{"one of two guards", "%one", "%both = arith.andi %ok, %pos : i1\n%u = arith.addf %v, %a" + loose + "\n%t = arith.select %both, %u, %nan : f64\n%next = arith.addf %s, %t" + loose, 1},
		{"twice the same", "%one", "%t = arith.addf %v, %a" + loose + "\n%w = arith.addf %t, %a" + loose + "\n%next = arith.addf %s, %w" + loose, 1},
		{"what may trap", "%one", "%u = memref.load %x[%zero] : memref<?xf64>\n%t = arith.mulf %v, %v : f64\n%w = arith.addf %t, %u" + loose + "\n%next = arith.addf %s, %w" + loose, 1},
		{"what may trap and is written", "%one", "%u = memref.load %x[%zero] : memref<?xf64>\nmemref.store %a, %x[%i] : memref<?xf64>\n%next = arith.addf %s, %u" + loose, -1},
		{"an order that is asked for", "%one", "%t = arith.addf %v, %a : f64\n%next = arith.addf %s, %t" + loose, -1},
		{"a sum in an order", "%one", "%t = arith.addf %v, %a" + loose + "\n%next = arith.addf %s, %t : f64", -1},
		{"what was carried is taken away", "%one", "%t = arith.addf %v, %a" + loose + "\n%next = arith.subf %t, %s" + loose, -1},
		{"a sum that is read on its way", "%one", "%u = arith.addf %s, %a" + loose + "\nmemref.store %u, %x[%i] : memref<?xf64>\n%next = arith.addf %u, %v" + loose, -1},
		{"rounds that are not known by a difference", "%two", "%t = arith.addf %v, %a" + loose + "\n%next = arith.addf %s, %t" + loose, -1},
		{"a choice of two numbers", "%one", "%t = arith.select %ok, %v, %a : f64\n%next = arith.addf %s, %t" + loose, -1},
		{"a guard of nothing", "%one", "%t = arith.select %pos, %never, %nan : f64\n%next = arith.addf %s, %t" + loose, -1},
		{"a number that is no sum", "%one", "%t = arith.addf %v, %a" + loose + "\n%next = arith.mulf %s, %t" + loose, -1},
	} {
		before := built.Parse(t, fmt.Sprintf(summing, c.step, c.body), text.Options{})
		after := built.Through(t, before, "split-sums")
		was, is := text.String(before, text.PrintOptions{}), text.String(after, text.PrintOptions{})
		if c.left < 0 && was != is {
			t.Errorf("%s: changed to\n%s", c.name, is)
		}
		_, loop, ok := strings.Cut(is, "scf.for")
		if loop, _, _ = strings.Cut(loop, "scf.yield"); c.left >= 0 && (strings.Count(loop, "addf")+strings.Count(loop, "subf") != c.left || ok != (c.left > 0)) {
			t.Errorf("%s: want %d additions in the loop\n%s", c.name, c.left, is)
		}
		for _, args := range []string{"[[1, 2, 4], 3, 8, 1, 0.5]", "[[1, 2, 4], 0, 8, 1, 0.5]", "[[], 0, \"Infinity\", -1, 7]", "[[1, -2, 4], 3, 8, 1, 0.5]", "[[1, 2], 2, 8, -1, 0.5]", "[[3], 1, \"NaN\", 1, 2]", "[[1, 2], -4, \"NaN\", -1, 2]"} {
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
				t.Errorf("%s of %s: %s, want %s\n%s", c.name, args, got, want, is)
			}
		}
	}
}

// addsOneInside splits the sums of a nest over a matrix, and tests that the inner loop adds one number in each round and that
// the value is the same.
func addsOneInside(t *testing.T, src string, args ...string) {
	before := built.Parse(t, src, text.Options{})
	after := built.Through(t, before, "split-sums")
	is := text.String(after, text.PrintOptions{})
	_, inner, _ := strings.Cut(is, "memref<?x?xf64>\n")
	if inner, _, _ = strings.Cut(inner, "scf.yield"); strings.Count(inner, "addf")+strings.Count(inner, "subf") != 1 {
		t.Errorf("the inner loop adds more than what varies there:\n%s", is)
	}
	for _, args := range args {
		if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
			t.Errorf("of %s: %s, want %s", args, got, want)
		}
	}
}

// A term leaves all loops of a nest that do not change it, one with what it is added to there.
func TestSplitSumsOfNests(t *testing.T) {
	const nest = `func.func @f(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index, %a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %w = memref.load %y[%i] : memref<?xf64>
    %q = scf.for %j = %zero to %m step %one iter_args(%t = %s) -> (f64) {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %u = arith.addf %v, %w fastmath<reassoc> : f64
      %z = arith.addf %u, %a fastmath<reassoc> : f64
      %next = arith.addf %t, %z fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
`
	addsOneInside(t, nest, "[[[1, 2], [4, 8]], [16, 32], 2, 2, 64]", "[[[1, 2], [4, 8]], [16, 32], 2, 0, 64]", "[[[1, 2], [4, 8]], [16, 32], 0, 2, 64]")
}

// Sums over rows of different lengths leave what only the rows change, and rows of none add
// nothing.
func TestSplitSumsOfRaggedRows(t *testing.T) {
	const rows = `func.func @f(%x: memref<?x?xf64>, %y: memref<?xf64>, %m: memref<?xindex>, %n: index, %a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %w = memref.load %y[%i] : memref<?xf64>
    %k = memref.load %m[%i] : memref<?xindex>
    %q = scf.for %j = %zero to %k step %one iter_args(%t = %s) -> (f64) {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %u = arith.addf %v, %w fastmath<reassoc> : f64
      %z = arith.subf %u, %a fastmath<reassoc> : f64
      %next = arith.addf %t, %z fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
`
	addsOneInside(t, rows, "[[[1, 2], [4, 8]], [16, 32], [2, 1], 2, 64]", "[[[1, 2], [4, 8]], [\"NaN\", 32], [0, 2], 2, 64]", "[[[1, 2], [4, 8]], [16, 32], [0, 0], 2, \"NaN\"]", "[[[1, 2], [4, 8]], [16, 32], [2, 2], 0, 64]")
}

// What arguments decide that are the same in every call is a sum of its own, with its guards,
// and in nests, where the bounds are the same too.
func TestSplitSumsByBindingTime(t *testing.T) {
	const nest = `func.func @f(%%x: memref<2x3xf64> {func.static, llvm.noalias}, %%y: memref<2xf64>, %%n: index%s) -> f64 {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%none = arith.constant 0.0 : f64
  %%nan = arith.constant 0x7FF8000000000000 : f64
  %%r = scf.for %%i = %%zero to %%n step %%one iter_args(%%s = %%none) -> (f64) {
    %%w = memref.load %%y[%%i] : memref<2xf64>
    %%q = scf.for %%j = %%zero to %%n step %%one iter_args(%%t = %%s) -> (f64) {
      %%v = memref.load %%x[%%i, %%j] : memref<2x3xf64>
      %%vw = arith.mulf %%v, %%w : f64
      %%ok = arith.cmpf oge, %%v, %%none : f64
      %%u = arith.subf %%vw, %%v fastmath<reassoc> : f64
      %%z = arith.select %%ok, %%u, %%nan : f64
      %%next = arith.addf %%t, %%z fastmath<reassoc> : f64
      scf.yield %%next : f64
    }
    scf.yield %%q : f64
  }
  return %%r : f64
}
`
	for _, c := range []struct {
		attr    string
		carried int // by the outer loop
	}{{" {func.static}", 2}, {"", 1}} {
		before := built.Parse(t, fmt.Sprintf(nest, c.attr), text.Options{})
		after := built.Through(t, before, "split-sums")
		is := text.String(after, text.PrintOptions{})
		_, outer, _ := strings.Cut(is, "iter_args(")
		if outer, _, _ = strings.Cut(outer, ")"); strings.Count(outer, "=") != c.carried {
			t.Errorf("the outer loop carries %s, want %d numbers:\n%s", outer, c.carried, is)
		}
		for _, args := range []string{"[[[1, 2, 3], [4, 8, 9]], [16, 32], 2]", "[[[1, 2, 3], [4, -8, 9]], [16, 32], 2]", "[[[1, 2, 3], [4, 8, 9]], [16, 32], 0]", "[[[\"Infinity\", 2, 3], [4, 8, 9]], [16, 32], 2]"} {
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want {
				t.Errorf("of %s: %s, want %s", args, got, want)
			}
		}
	}
}

// Logarithms of products are sums of logarithms where their factors vary in different loops,
// if they allow it.
func TestSplitSumsOfLogarithms(t *testing.T) {
	const loop = `func.func @f(%%x: memref<?xf64>, %%y: memref<?xf64>, %%n: index, %%a: f64, %%b: f64) -> f64 {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%none = arith.constant 0.0 : f64
  %%r = scf.for %%i = %%zero to %%n step %%one iter_args(%%s = %%none) -> (f64) {
    %%v = memref.load %%x[%%i] : memref<?xf64>
    %%k = memref.load %%y[%%i] : memref<?xf64>
    %%va = arith.mulf %%v, %%a : f64
    %%q = arith.%s : f64
    %%log = math.log %%q%s : f64
    %s
    %%next = arith.addf %%s, %%t fastmath<reassoc> : f64
    scf.yield %%next : f64
  }
  return %%r : f64
}
`
	const yes = " {math.factors}"
	for _, c := range []struct {
		name, product, attr, term string
		outside, inside           int // logarithms behind the loop and in it
	}{
		{"a product", "mulf %va, %b", yes, "%t = arith.negf %log : f64", 1, 1},
		{"a quotient", "divf %va, %b", yes, "%t = arith.negf %log : f64", 1, 1},
		{"of what varies below", "divf %a, %v", yes, "%t = arith.negf %log : f64", 1, 1},
		{"times what varies", "mulf %va, %b", yes, "%t = arith.mulf %k, %log : f64", 0, 1},
		{"times a number", "mulf %va, %b", yes, "%t = arith.mulf %a, %log : f64", 1, 1},
		{"0 log 0", "mulf %va, %b", yes, "%tt = arith.mulf %a, %log : f64\n%is = arith.cmpf oeq, %a, %none : f64\n%t = arith.select %is, %none, %tt : f64", 1, 1},
		{"one that does not allow it", "mulf %va, %b", "", "%t = arith.negf %log : f64", 0, 1},
	} {
		before := built.Parse(t, fmt.Sprintf(loop, c.product, c.attr, c.term), text.Options{})
		after := built.Through(t, before, "split-sums")
		is := text.String(after, text.PrintOptions{})
		_, in, _ := strings.Cut(is, "scf.for")
		in, _, _ = strings.Cut(in, "scf.yield")
		inside := strings.Count(in, "math.log")
		if outside := strings.Count(is, "math.log") - inside; inside != c.inside || outside != c.outside {
			t.Errorf("%s: %d logarithms outside of the loop and %d in it\n%s", c.name, outside, inside, is)
		}
		for _, args := range []string{"[[1, 1, 1], [1, 2, 3], 3, 1, 1]", "[[1, 1], [0, 0], 2, 0, 1]", "[[1], [1], 0, -1, 1]", "[[1, 0], [1, 1], 2, 1, 1]"} {
			allowed := c.name == "0 log 0" && args == "[[1, 1], [0, 0], 2, 0, 1]"
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want && !(allowed && strings.Contains(got, "NaN")) {
				t.Errorf("%s of %s: %s, want %s\n%s", c.name, args, got, want, is)
			}
		}
	}
}
