package libm_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering/libm"
)

// What rounds by arithmetic gives the bits of the ops.
func TestRoundings(t *testing.T) {
	for _, typ := range []ir.Type{ir.F32, ir.F64} {
		name := map[ir.Type]string{ir.F32: "f32", ir.F64: "f64"}[typ]
		src := strings.ReplaceAll(`func.func @f(%x : T) -> (T, T, T, T, T) {
  %a = math.roundeven %x : T
  %b = math.floor %x : T
  %c = math.ceil %x : T
  %d = math.trunc %x : T
  %e = math.round %x : T
  return %a, %b, %c, %d, %e : T, T, T, T, T
}
`, "T", name)
		low, err := libm.Lower(parse(t, src), libm.Options{Roundings: true})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		if left(low, found); len(found) != 2 {
			t.Errorf("%v stay", found)
		}
		of := func(g *ir.Graph) *interp.Machine {
			m, err := interp.New(g, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		op, made := of(parse(t, src)), of(low)
		rng := rand.New(rand.NewPCG(1, 2))
		values := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 0.49999997, 0.49999999999999994, 1.5, -2.5, 0.3, -0.7, 8388607.5, 8388609, -4503599627370495.5, 1e30, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-40}
		for i := range 600 {
			values = append(values, math.Ldexp(rng.Float64()-0.5, i%64-4), math.Floor(math.Ldexp(rng.Float64()-0.5, i%30))+0.5)
		}
		for _, x := range values {
			args := []ir.Val{ir.FloatVal(x, typ)}
			want, err := op.Call("f", args)
			if err != nil {
				t.Fatal(err)
			}
			got, err := made.Call("f", args)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if want[i].Bits != got[i].Bits && !math.IsNaN(want[i].Float(typ)) {
					t.Errorf("%s, result %d of %v: %v, want %v", name, i, x, got[i].Float(typ), want[i].Float(typ))
				}
			}
		}
	}
}
