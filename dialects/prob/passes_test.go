package prob_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// rowsOfNormals sums a multivariate density over rows that a loop makes: its factor of the
// precision is the same in every round.
const rowsOfNormals = `func.func @f(%m: memref<5xf64>, %t: memref<5x5xf64>, %s: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %seven = arith.constant 7 : index
  %none = arith.constant 0.0 : f64
  %x = memref.alloca() : memref<5xf64>
  %r = scf.for %i = %zero to %seven step %one iter_args(%a = %none) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %v = arith.mulf %f, %s : f64
    scf.for %j = %zero to %five step %one { memref.store %v, %x[%j] : memref<5xf64> }
    %l = prob.logpdf "dmnorm"(%m, %t) at %x
    %b = arith.addf %a, %l : f64
    scf.yield %b : f64
  }
  return %r : f64
}
`

// weighted sums densities of data with weights, which all are the same in every call, beside
// a count of the same parameter.
const weighted = `func.func @f(%x: memref<20xf64> {func.static, llvm.noalias}, %w: memref<20xf64> {func.static, llvm.noalias}, %a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %none = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %none, %t = %none) -> (f64, f64) {
    %v = memref.load %x[%i] : memref<20xf64>
    %u = memref.load %w[%i] : memref<20xf64>
    %g = prob.logpdf "dgamma"(%a, %b) at %v {prob.terms}
    %sum = arith.addf %s, %g fastmath<reassoc> : f64
    %m = arith.mulf %a, %u : f64
    %c = prob.logpdf "dnorm"(%m, %b) at %v {prob.terms}
    %more = arith.addf %t, %c fastmath<reassoc> : f64
    scf.yield %sum, %more : f64, f64
  }
  %all = arith.addf %r#0, %r#1 : f64
  return %all : f64
}
`

// ring is a map of ten areas, each of which has two neighbours: its checks and islands are the same
// in every call.
const ring = `func.func @f(%x: memref<20xf64> {func.static, llvm.noalias}, %w: memref<20xf64> {func.static, llvm.noalias}, %a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %two = arith.constant 2.0 : f64
  %num = memref.alloca() : memref<10xf64>
  %at = memref.alloca() : memref<10xf64>
  scf.for %i = %zero to %ten step %one {
    memref.store %two, %num[%i] : memref<10xf64>
    %v = memref.load %w[%i] : memref<20xf64>
    %u = arith.mulf %a, %v : f64
    memref.store %u, %at[%i] : memref<10xf64>
    memref.store %b, %at[%zero] : memref<10xf64>
  }
  %r = prob.logpdf "car.normal"(%x, %w, %num, %b) at %at
  return %r : f64
}
`

// columns are densities that an inner loop adds up along columns, of few rounds; a few more stand
// in straight-line code.
const columns = `func.func @f(%x: memref<20xf64>, %w: memref<20xf64>, %a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %n = arith.constant 20 : index
  %none = arith.constant 0.0 : f64
  %m = memref.alloca() : memref<20x20xf64>
  scf.for %i = %zero to %n step %one {
    %u = memref.load %x[%i] : memref<20xf64>
    scf.for %j = %zero to %n step %one {
      %v = memref.load %w[%j] : memref<20xf64>
      %e = arith.mulf %u, %v : f64
      memref.store %e, %m[%i, %j] : memref<20x20xf64>
    }
  }
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %q = scf.for %j = %zero to %n step %one iter_args(%t = %s) -> (f64) {
      %v = memref.load %m[%j, %i] : memref<20x20xf64>
      %l = prob.logpdf "dlogis"(%a, %b) at %v {prob.terms}
      %next = arith.addf %t, %l fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    scf.yield %q : f64
  }
  %p = scf.for %i = %zero to %three step %one iter_args(%s = %r) -> (f64) {
    %v = memref.load %x[%i] : memref<20xf64>
    %l = prob.logpdf "dweib"(%a, %b) at %v
    %next = arith.addf %s, %l : f64
    scf.yield %next : f64
  }
  return %p : f64
}
`

// growth has a mean that is a power of a parameter, of which the datum is the exponent, and a
// precision that depends on the round alone.
const growth = `func.func @f(%x: memref<20xf64> {llvm.noalias}, %w: memref<20xf64> {llvm.noalias}, %a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %q = scf.for %j = %zero to %n step %one iter_args(%t = %s) -> (f64) {
      %v = memref.load %x[%i] : memref<20xf64>
      %u = memref.load %w[%j] : memref<20xf64>
      %e = math.powf %a, %u fastmath<afn> : f64
      %k = arith.index_cast %j : index to i64
      %k1 = arith.sitofp %k : i64 to f64
      %k2 = arith.mulf %k1, %b : f64
      %c = math.exp %k2 : f64
      %l = prob.logpdf "dnorm"(%e, %c) at %v
      %more = arith.addf %t, %l : f64
      scf.yield %more : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
`

// staged is a driver of a function that specialize-data has divided.
const staged = `func.func @main(%x: memref<20xf64>, %w: memref<20xf64>, %a: f64, %b: f64) -> f64 {
  %buffer = memref.alloc() : memref<BUFFER>
  func.call @f_setup(%x, %w, %a, %b, %buffer) : (memref<20xf64>, memref<20xf64>, f64, f64, memref<BUFFER>) -> ()
  %r = func.call @f(%x, %w, %a, %b, %buffer) : (memref<20xf64>, memref<20xf64>, f64, f64, memref<BUFFER>) -> f64
  memref.dealloc %buffer : memref<BUFFER>
  return %r : f64
}
`

// The passes that models need serve any program of densities: each finds something, and the
// value stays, on the interpreter and as native code.
func TestPassesOnDensities(t *testing.T) {
	numbers := func(f func(i int) float64) string {
		var out []string
		for i := range 20 {
			out = append(out, strconv.FormatFloat(f(i), 'g', -1, 64))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	data := "[" + numbers(func(i int) float64 { return 0.5 + float64(i*7%20) }) + ", " + numbers(func(i int) float64 { return float64(i % 3) }) + ", 1.5, 0.25]"
	var next, ones []string
	for i := range 10 {
		next, ones = append(next, strconv.Itoa((i+9)%10+1), strconv.Itoa((i+1)%10+1)), append(ones, "1", "1")
	}
	neighbours := "[[" + strings.Join(next, ", ") + "], [" + strings.Join(ones, ", ") + "], 0.5, 0.25]"
	const down = "lower{to=scf},sroa,mem2reg,licm,split-sums,factor-sums,specialize-data,promote-buffers-to-stack"
	for _, c := range []struct {
		name, src, args string
		finds           map[string]string // a statistic of a pass
		pipeline        string
	}{
		{"rows of normals", rowsOfNormals, "[[1, 2, 0, -1, 0.5], [[9, 1, 2, 0, 1], [1, 8, 0, 1, 2], [2, 0, 7, 1, 0], [0, 1, 1, 6, 1], [1, 2, 0, 1, 9]], 0.25]",
			map[string]string{"licm": "memory", "promote-buffers-to-stack": "promoted"}, down},
		{"weighted densities", weighted, data, map[string]string{"split-sums": "terms", "factor-sums": "sums", "specialize-data": "elements"}, down},
		{"areas of a map", ring, neighbours, map[string]string{"specialize-data": "elements"}, down},
		{"columns", columns, data, map[string]string{"loop-interchange": "interchanged", "unroll": "fully", "superword": "packed"},
			"lower{to=scf},mem2reg,licm,loop-interchange{sums=true over=64},unroll{short=true},superword{width=4}"},
		{"a growth curve", growth, data, map[string]string{"version-powers": "powers", "tabulate": "tables"}, "lower{to=scf},licm,tabulate,version-powers"},
	} {
		before := built.Parse(t, c.src, text.Options{})
		p, err := pass.Parse(c.pipeline, lowering.AllPasses())
		if err != nil {
			t.Fatal(err)
		}
		m := &pass.Manager{Count: true}
		after, err := m.Run(t.Context(), before, p)
		if err != nil {
			t.Fatal(err)
		}
		is := text.String(after, text.PrintOptions{})
		for name, what := range c.finds {
			if m.Stats(name, what) == 0 {
				t.Errorf("%s: %s finds nothing\n%s", c.name, name, is)
			}
		}
		if _, rest, _ := strings.Cut(is, "@f("); c.name == "areas of a map" && strings.Contains(rest, "scf.while") {
			t.Errorf("each call looks for the islands:\n%s", rest)
		}
		entry := "f"
		if size := regexp.MustCompile(`memref<(\d+xf64)> \{func\.staged`).FindStringSubmatch(is); size != nil {
			entry = "main"
			is = strings.TrimSuffix(strings.TrimSpace(is), "}") + strings.ReplaceAll(staged, "BUFFER", size[1]) + "}\n"
		}
		want := result(t, built.Run(t, before, "f", c.args))
		t.Run(c.name, func(t *testing.T) {
			for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
				got := result(t, built.Lowered(t, kind, built.Parse(t, is, text.Options{}), entry, c.args))
				if !(math.Abs(got-want) <= 1e-13*math.Abs(want)) {
					t.Errorf("%s: %v, want %v", kind.Name, got, want)
				}
			}
		})
	}
}

// result reads the number that a function gives.
func result(t *testing.T, shown string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.Trim(shown, "[] \n"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
