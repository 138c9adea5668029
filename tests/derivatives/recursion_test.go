package derivatives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	mathd "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/derivatives/wide"
)

// chain calls itself n times, one call in the other, and takes one sine in each.
const chain = `
func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %end -> (f64) {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %s = math.sin %x : f64
    %y = func.call @f(%s, %m) : (f64, index) -> f64
    %z = arith.addf %y, %x : f64
    scf.yield %z : f64
  }
  return %r : f64
}`

// Work grows as that of the function does, however deep the calls are: it runs once where the records are few, and else twice. The way
// back runs nothing again.
func TestRecursionIsLinear(t *testing.T) {
	t.Parallel()
	g := parsed(t, chain)
	back, err := through(g, "differentiate{of=f}")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{0, 1, 2, 1000, 10_000} {
		count := map[*ir.OpDef]int64{}
		m, err := interp.New(back, interp.Options{Count: count})
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Call("f_grad", []ir.Val{ir.F64Val(0.7), ir.IntVal(n, 64), ir.F64Val(1)})
		if err != nil {
			t.Fatal(err)
		}
		value, slope := chained(0.7, n)
		if !isNear(out[0].F64(), value) || !isNear(out[1].F64(), slope) {
			t.Errorf("%d calls: %v with the derivative %v, and should be %v and %v", n, out[0].F64(), out[1].F64(), value, slope)
		}
		runs := int64(1)
		if n > 4096 {
			runs = 2
		}
		// That of the outermost call may stand outside of everything.
		if count[mathd.Sin] > max(1, runs*n) || count[mathd.Cos] > max(1, n) {
			t.Errorf("%d calls: %d sines and %d cosines, %d and %d are enough", n, count[mathd.Sin], count[mathd.Cos], runs*n, n)
		}
	}
}

// chained is what chain gives, and its derivative.
func chained(x float64, n int64) (value, slope float64) {
	value, slope = x, 1
	for d := 1.0; n > 0; n-- {
		x, d = math.Sin(x), d*math.Cos(x)
		value, slope = value+x, slope+d
	}
	return value, slope
}

func isNear(x, y float64) bool { return math.Abs(x-y) <= 1e-11*(1+math.Abs(y)) }

// Native code goes 100,000 calls deep, and gives all memory back.
func TestDeepRecursion(t *testing.T) {
	t.Parallel()
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	g, err := through(parsed(t, chain), "differentiate{of=f}")
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	const n = 100_000
	before, err := engine.Heap(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := p.Call(t.Context(), "f_grad", []ir.Val{ir.F64Val(0.7), ir.IntVal(n, 64), ir.F64Val(1)})
	if err != nil {
		t.Fatal(err)
	}
	if value, slope := chained(0.7, n); !isNear(out[0].F64(), value) || !isNear(out[1].F64(), slope) {
		t.Errorf("%v with the derivative %v, and should be %v and %v", out[0].F64(), out[1].F64(), value, slope)
	}
	if after, err := engine.Heap(t.Context(), p); err != nil || after.Since(before).Kept() != 0 {
		t.Errorf("%d blocks of memory are left, %v", after.Since(before).Kept(), err)
	}
}

// tree calls itself twice, and each call writes memory that others read. Its records are more than a chunk, so all runs
// twice. %s is where the outermost calls stand.
const tree = `
func.func private @h(%%x: f64, %%m: memref<4xf64>, %%n: index) -> f64 {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c4 = arith.constant 4 : index
  %%half = arith.constant 0.5 : f64
  %%k = arith.remsi %%n, %%c4 : index
  %%v = memref.load %%m[%%k] : memref<4xf64>
  %%w = arith.mulf %%v, %%x : f64
  %%s = math.sin %%w : f64
  %%more = arith.cmpi sgt, %%n, %%c0 : index
  %%r = scf.if %%more -> (f64) {
    %%j = arith.subi %%n, %%c1 : index
    %%p = func.call @h(%%s, %%m, %%j) : (f64, memref<4xf64>, index) -> f64
    memref.store %%p, %%m[%%k] : memref<4xf64>
    %%q = func.call @h(%%x, %%m, %%j) : (f64, memref<4xf64>, index) -> f64
    %%u = arith.mulf %%p, %%q : f64
    %%a = arith.addf %%u, %%s : f64
    %%b = arith.mulf %%a, %%half : f64
    scf.yield %%b : f64
  } else {
    scf.yield %%s : f64
  }
  return %%r : f64
}
func.func @f(%%x: f64, %%m: memref<4xf64>) -> f64 {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c2 = arith.constant 2 : index
  %%n = arith.constant 11 : index
  %%one = arith.constant 1.0 : f64
%s
  return %%r : f64
}`

// Where all runs once more it finds memory as it was, in loops that run again, too. Both modes agree.
func TestRecursionAnew(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]string{
		"alone": `  %r = func.call @h(%x, %m, %n) : (f64, memref<4xf64>, index) -> f64`,
		"for": `  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> (f64) {
    %z = func.call @h(%y, %m, %n) : (f64, memref<4xf64>, index) -> f64
    scf.yield %z : f64
  }`,
		"while": `  %all:2 = scf.while (%y = %x, %i = %c0) : (f64, index) -> (f64, index) {
    %z = func.call @h(%y, %m, %n) : (f64, memref<4xf64>, index) -> f64
    %t = arith.cmpi slt, %i, %c2 : index
    scf.condition(%t) %z, %i : f64, index
  } do {
  ^bb0(%z: f64, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %z, %j : f64, index
  }
  %r = arith.addf %all#0, %one : f64`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			anew(t, fmt.Sprintf(tree, calls))
		})
	}
}

// anew compares both modes.
func anew(t *testing.T, src string) {
	g := parsed(t, src)
	back, err := through(g, "differentiate{of=f}")
	if err != nil {
		t.Fatal(err)
	}
	forth, err := through(g, "differentiate{of=f mode=forward}")
	if err != nil {
		t.Fatal(err)
	}
	start := [elements]float64{0.3, 0.9, 1.1, 0.7}
	weights := [elements]float64{0.5, -1, 2, 0.25}
	memory, held := array(start)
	shadow, slopes := array(weights)
	out, err := machine(t, back).Call("f_grad", []ir.Val{ir.F64Val(0.8), memory, ir.F64Val(1), shadow})
	if err != nil {
		t.Fatal(err)
	}
	got := append([]float64{out[1].F64()}, slopes...)
	for i := range got {
		memory, end := array(start)
		direction := [1 + elements]float64{}
		direction[i] = 1
		shadow, moved := array([elements]float64(direction[1:]))
		to, err := machine(t, forth).Call("f_jvp", []ir.Val{ir.F64Val(0.8), memory, ir.F64Val(direction[0]), shadow})
		if err != nil {
			t.Fatal(err)
		}
		want := to[1].F64()
		for k := range moved {
			want += weights[k] * moved[k]
		}
		if !isNear(got[i], want) {
			t.Errorf("derivative %d is %v, and forward %v", i, got[i], want)
		}
		for k := range end {
			if end[k] != held[k] || to[0].F64() != out[0].F64() {
				t.Errorf("with its gradient it gives %v and writes %v, and forward %v and %v", out[0].F64(), held, to[0].F64(), end)
			}
		}
	}
}

// What floats decided when a function ran is not decided again on its way back, where they may be rounded otherwise: the records would be those of
// another way.
func TestRecursionDecides(t *testing.T) {
	t.Parallel()
	g := parsed(t, `
func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %part = arith.constant 0.7 : f64
  %e = math.exp %x : f64
  %a = arith.mulf %e, %part : f64
  %above = arith.cmpf ogt, %a, %part : f64
  %more = arith.cmpi sgt, %n, %c0 : index
  %m = arith.subi %n, %c1 : index
  %r = scf.if %above -> (f64) {
    %y = scf.if %more -> (f64) {
      %v = func.call @f(%x, %m) : (f64, index) -> f64
      scf.yield %v : f64
    } else {
      scf.yield %x : f64
    }
    %z = arith.mulf %y, %e : f64
    scf.yield %z : f64
  } else {
    %some = arith.cmpi sgt, %n, %c1 : index
    %y = scf.if %some -> (f64) {
      %k = arith.subi %m, %c1 : index
      %z = func.call @f(%a, %k) : (f64, index) -> f64
      scf.yield %z : f64
    } else {
      scf.yield %x : f64
    }
    scf.yield %y : f64
  }
  return %r : f64
}`)
	// slopes are those of runs with random errors; 0.7 exp(0) is next to 0.7, on either side.
	slopes := func(mode, name string, runs uint64) (out []float64) {
		d, err := through(g, "differentiate{of=f mode="+mode+"}")
		if err != nil {
			t.Fatal(err)
		}
		m := wide.New(d)
		for seed := range runs {
			r := m.Start(wide.Mode{Error: 1e-3, Most: math.MaxFloat64, Rand: rand.New(rand.NewPCG(seed, 1))})
			out = append(out, floatOf(r.Number(r.Call(name, r.Float(0), wide.Index(6), r.Float(1))[1])))
		}
		return out
	}
	forth, ways := slopes("forward", "f_jvp", 1000), map[float64]bool{}
	for seed, x := range slopes("reverse", "f_grad", 200) {
		ways[math.Round(x)] = true
		if !slices.ContainsFunc(forth, func(y float64) bool { return math.Abs(x-y) <= 0.02*y }) {
			t.Errorf("seed %d: the derivative is %v, which no way through the function has", seed, x)
		}
	}
	if len(ways) < 5 {
		t.Errorf("all runs decide in %d ways", len(ways))
	}
}
