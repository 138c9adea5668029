package pass_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// Shift makes multiplications by a power of two shifts. Its fields are its options.
type Shift struct {
	Most int `opt:"most" doc:"the largest shift"`
}

// Run makes a new graph.
func (s *Shift) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{arith.Muli: func(m *ir.Mirror, n ir.Node) ir.Value {
		x, ok := n.Arg(1).Const()
		for k := range s.Most {
			if ok && x.Int(64) == 2<<k {
				ctx.Count("shifts", 1)
				return arith.Int(m.B, arith.Shli, 0, m.Of(n.Arg(0)), arith.ConstInt(m.B, ir.I64, int64(k+1)))
			}
		}
		return 0 // it stays
	}}, nil), nil
}

var shiftPass = &pass.Info{Name: "shift", Doc: "Makes multiplications shifts.", Why: "A shift takes less time.",
	Statistics: []pass.Statistic{{Name: "shifts", Doc: "multiplications that became shifts"}},
	New:        func() pass.Pass { return &Shift{Most: 4} }}

// A pass is a struct with a method Run and a row; a pipeline is text, and a Manager runs it.
func Example() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect))
	funcs.Function(module, "f", []ir.Type{ir.I64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		return []ir.Value{arith.MulI(b, args[0], arith.ConstInt(b, ir.I64, 8))}
	})
	pipeline, err := pass.Parse("func(shift{most=3})", pass.List{shiftPass})
	if err != nil {
		log.Fatal(err)
	}
	g, err := new(pass.Manager).Run(context.Background(), module.Finish(), pipeline)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.String(g, text.PrintOptions{}))
	// Output:
	// func.func @f(%arg0: i64) -> i64 {
	//   %c3_i64 = arith.constant 3 : i64
	//   %0 = arith.shli %arg0, %c3_i64 : i64
	//   return %0 : i64
	// }
}

// A mistake in a pipeline is told at its place.
func ExampleParse() {
	_, err := pass.Parse("shift{must=3}", pass.List{shiftPass})
	fmt.Println(err)
	// Output:
	// pipeline:1:7: error: pass "shift" has no option "must"
	//   shift{must=3}
	//         ^~~~
	// help: did you mean "most"?
}
