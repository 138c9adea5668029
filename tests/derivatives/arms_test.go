package derivatives

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/ir"
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
