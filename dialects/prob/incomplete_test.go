package prob_test

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// The incomplete functions as loops are what they mean, at the edges of their domains, too. The inverses are found to what
// rounding of the probability makes of them.
func TestIncompleteFunctionsAsLoops(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	shapes := []float64{1e-3, 0.5, 1, 2.5, 30, 1e4, 1e6, 0, -1, inf, nan}
	points := []float64{0, 1e-12, 0.01, 0.3, 0.75, 1, 2, 25, 9300, 9990, 10800, 9.93e5, 1.001e6, 1.01e6, inf, -1, nan}
	ctx := built.Context()
	var fs []built.Func
	ops := []*ir.OpDef{special.Gammainc, special.Gammaincc, special.Gammaincinv, special.Betainc, special.Betaincinv}
	for _, op := range ops {
		in := make([]ir.Type, len(op.Args))
		for i := range in {
			in[i] = ir.F64
		}
		fs = append(fs, built.Func{Name: op.Name[len("special."):], In: in, Out: []ir.Type{ir.F64},
			Body: func(b *ir.Builder, args []ir.Value) []ir.Value { return []ir.Value{b.Op(op, args...)} }})
	}
	g, err := built.Graph(ctx, fs...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pass.Parse("lower{to=scf}", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	if g, err = (&pass.Manager{}).Run(t.Context(), g, list); err != nil {
		t.Fatal(err)
	}
	e, _, err := engine.Eval.Start(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	for i, op := range ops {
		for _, a := range shapes {
			for _, x := range points {
				args := []float64{a, x}
				if len(op.Args) == 3 {
					args = []float64{a, 1.5, x}
				}
				vals := make([]ir.Val, len(args))
				for k, v := range args {
					vals[k] = ir.F64Val(v)
				}
				out, _, err := p.Call(t.Context(), fs[i].Name, vals)
				if err != nil {
					t.Fatal(err)
				}
				got, want := out[0].F64(), special.Value(op, args...)
				if same := math.IsNaN(got) && math.IsNaN(want) || got == want; !same && !(math.Abs(got-want) <= 1e-11*math.Abs(want)+1e-300) {
					t.Errorf("%s%v: %.17g, and as a loop %.17g", op.Name, args, want, got)
				}
			}
		}
	}
}
