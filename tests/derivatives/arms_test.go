package derivatives

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// An arm that is not taken gives no NaN, whatever its derivative is there: log(x) at 0, x/y at 0/0, sqrt(x) below 0.
func TestArms(t *testing.T) {
	g := parsed(t, `func.func @f(%x: f64, %y: f64, %z: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  %l = math.log %x : f64
  %a = arith.select %c, %l, %z : f64
  %q = arith.divf %x, %y : f64
  %b = arith.select %c, %q, %a : f64
  %r = math.sqrt %x : f64
  %s = arith.mulf %r, %r : f64
  %d = arith.select %c, %s, %b : f64
  return %d : f64
}
`)
	d, err := through(g, "differentiate")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, d)
	for _, x := range []float64{0, -1, math.Copysign(0, -1)} {
		out, err := m.Call("f_grad", []ir.Val{ir.F64Val(x), ir.F64Val(0), ir.F64Val(3), ir.F64Val(1)})
		if err != nil {
			t.Fatal(err)
		}
		if by := [3]float64{out[1].F64(), out[2].F64(), out[3].F64()}; by != [3]float64{0, 0, 1} {
			t.Errorf("at %v: %v", x, by)
		}
	}
}

// An arm that a round of a loop takes is none that the next round takes: log(m) at 0 is chosen by nobody.
func TestArmsOfRounds(t *testing.T) {
	g := parsed(t, `func.func @f(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.maximumf %y, %zero : f64
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%c = %x, %r = %x) -> (f64, f64) {
    %first = arith.cmpi eq, %i, %c0 : index
    %p = arith.select %first, %c, %x : f64
    %s = arith.mulf %r, %p : f64
    %l = math.log %m : f64
    scf.yield %l, %s : f64, f64
  }
  return %r#1 : f64
}
`)
	d, err := through(g, "differentiate")
	if err != nil {
		t.Fatal(err)
	}
	out, err := machine(t, d).Call("f_grad", []ir.Val{ir.F64Val(2), ir.F64Val(-1), ir.F64Val(1)})
	if err != nil {
		t.Fatal(err)
	}
	if by := [3]float64{out[0].F64(), out[1].F64(), out[2].F64()}; by != [3]float64{8, 12, 0} {
		t.Errorf("%v", by)
	}
}

// A loop without a round is an arm that is not taken: what it uses may have an infinite slope.
func TestArmsOfNoRound(t *testing.T) {
	for _, c := range []struct {
		loop string
		n    int64
		want float64
	}{
		{"scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {\n %t = arith.mulf %s, %r : f64\n scf.yield %t : f64\n }", 0, 1},
		{"scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {\n %t = arith.mulf %s, %r : f64\n scf.yield %t : f64\n }", 1, 0}, // of x sqrt(x)
		{"scf.while (%s = %x) : (f64) -> f64 {\n %is = arith.cmpf olt, %s, %x : f64\n scf.condition(%is) %s : f64\n } do {\n ^bb0(%s: f64):\n %t = arith.mulf %s, %r : f64\n scf.yield %t : f64\n }", 0, 1},
	} {
		g := parsed(t, "func.func @f(%x: f64, %n: index) -> f64 {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %r = math.sqrt %x : f64\n %q = "+c.loop+"\n return %q : f64\n}\n")
		d, err := through(g, "differentiate")
		if err != nil {
			t.Fatal(err)
		}
		out, err := machine(t, d).Call("f_grad", []ir.Val{ir.F64Val(0), ir.IntVal(c.n, 64), ir.F64Val(1)})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[1].F64(); got != c.want {
			t.Errorf("%d rounds of\n%s\nhave the derivative %v, not %v", c.n, c.loop, got, c.want)
		}
	}
}

// What a while loop stores is used, though its result is in an arm that is not taken.
func TestArmsOfStores(t *testing.T) {
	g := parsed(t, `func.func @f(%x: f64, %m: memref<1xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %q = arith.mulf %x, %x : f64
  %r = scf.while (%a = %zero) : (f64) -> f64 {
    %c = arith.cmpf olt, %a, %one : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%a: f64):
    memref.store %q, %m[%c0] : memref<1xf64>
    %next = arith.addf %a, %q : f64
    scf.yield %next : f64
  }
  %is = arith.cmpf olt, %x, %zero : f64
  %s = arith.select %is, %r, %x : f64
  return %s : f64
}
`)
	d, err := through(g, "differentiate")
	if err != nil {
		t.Fatal(err)
	}
	memory := func(x float64) (ir.Val, []float64) {
		buf := interp.Floats([]float64{x})
		return (&interp.MemRef{Buf: buf, Sizes: []int64{1}, Strides: []int64{1}}).Val(), buf.Floats()
	}
	m, held := memory(5)
	shadow, left := memory(10)
	out, err := machine(t, d).Call("f_grad", []ir.Val{ir.F64Val(3), m, ir.F64Val(1), shadow})
	if err != nil {
		t.Fatal(err)
	}
	if by := out[1].F64(); by != 61 || held[0] != 9 || left[0] != 0 {
		t.Errorf("the derivative is %v, m holds %v, and its shadow %v", by, held, left)
	}
}

// Forward, memory that a copy overwrites with what has no tangents has none.
func TestForwardCopy(t *testing.T) {
	g := parsed(t, `func.func @f(%x: f64, %m: memref<4xf64>, %k: memref<4xf64> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  memref.copy %k, %m : memref<4xf64> to memref<4xf64>
  %v = memref.load %m[%c0] : memref<4xf64>
  %p = arith.mulf %v, %x : f64
  return %p : f64
}
`)
	d, err := through(g, "differentiate{wrt=0,1 mode=forward}")
	if err != nil {
		t.Fatal(err)
	}
	memory := func(x, y float64) ir.Val { v, _ := array([elements]float64{x, y}); return v }
	out, err := machine(t, d).Call("f_jvp", []ir.Val{ir.F64Val(2), memory(3, 4), memory(5, 6), ir.F64Val(10), memory(7, 8)})
	if err != nil {
		t.Fatal(err)
	}
	if got := [2]float64{out[0].F64(), out[1].F64()}; got != [2]float64{10, 50} {
		t.Errorf("%v", got)
	}
}

// A choice that stands for 0 times infinity is the product that it guards: by x at 0 its slope is y, in both modes, and at
// y = log(0) what y is made of gets 0.
func TestGuardedProducts(t *testing.T) {
	const src = `func.func @f(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf oeq, %x, %zero : f64
  %l = math.log %y : f64
  %p = arith.mulf %x, %l : f64
  %r = arith.select %c, %zero, %p : f64
  return %r : f64
}
`
	back, err := through(parsed(t, src), "differentiate")
	if err != nil {
		t.Fatal(err)
	}
	forth, err := through(parsed(t, src), "differentiate{mode=forward}")
	if err != nil {
		t.Fatal(err)
	}
	reverse, forward := machine(t, back), machine(t, forth)
	for _, c := range []struct{ x, y, byX, byY float64 }{
		{0, 8, math.Log(8), 0}, {2, 8, math.Log(8), 0.25}, {0, 0, math.Inf(-1), 0},
	} {
		x, y, one, zero := ir.F64Val(c.x), ir.F64Val(c.y), ir.F64Val(1), ir.F64Val(0)
		out, err := reverse.Call("f_grad", []ir.Val{x, y, one})
		if err != nil {
			t.Fatal(err)
		}
		if out[1].F64() != c.byX || out[2].F64() != c.byY {
			t.Errorf("at %v, %v: %v and %v", c.x, c.y, out[1].F64(), out[2].F64())
		}
		out, err = forward.Call("f_jvp", []ir.Val{x, y, zero, one})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[len(out)-1].F64(); got != c.byY {
			t.Errorf("forward at %v, %v by y: %v", c.x, c.y, got)
		}
	}
}
