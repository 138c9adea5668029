package function

import (
	"math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// A function of data is the one of nodes, at subnormal numbers, next to 1 and outside of its domain, too.
func TestNumbersAreOps(t *testing.T) {
	c := ir.NewContext(arith.Dialect, md.Dialect, special.Dialect)
	at := []float64{0, 5e-324, 1e-310, 0x1p-1022, 1e-300, 1e-9, 0.25, 0.5, 0.75, 1 - 0x1p-53, 1, 2, 30, 1e9, math.Inf(1), math.NaN()}
	for _, x := range slices.Clone(at) {
		at = append(at, -x)
	}
	arity := map[string]int{"pow": 2, "modulo": 2, "equals": 2, "ifelse": 3}
	for name, build := range NumbersAsOps {
		n := max(1, arity[name])
		for _, x := range at {
			b := ir.NewBuilder(c)
			args := []ir.Value{arith.ConstF64(b, x), arith.ConstF64(b, 0.75), arith.ConstF64(b, 3)}
			v, ok := b.Graph().Const(build(b, args[:n]))
			got, want := scalarFunctions[name]([]float64{x, 0.75, 3}[:n]), v.F64()
			same := got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= 1e-15*math.Abs(want)
			if ok && !same {
				t.Errorf("%s(%g) is %g of data, %g of nodes", name, x, got, want)
			}
		}
	}
}
