package lower_test

import (
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
)

// A dialect says what its ops become at a level. The pass lower takes a program there; here its phase is run by hand.
func Example() {
	twice := ir.Define(&ir.OpDef{Name: "num.twice", Doc: "Two times x.", Args: []string{"x"},
		Infer: func(c *ir.Call) (ir.Type, error) { return c.ArgType(0), nil }})
	num := &ir.Dialect{Name: "num", Doc: "Numbers.", Ops: []*ir.OpDef{twice}, Tables: []any{lower.Table{
		{Level: "arith", Rules: ir.Rules{twice: func(m *ir.Mirror, n ir.Node) ir.Value {
			x := m.Of(n.Arg(0))
			return arith.AddI(m.B, x, x)
		}}},
	}}}
	c := ir.NewContext(arith.Dialect, num)
	b := ir.NewBuilder(c)
	b.Op(keep, b.Op(twice, b.Param(ir.I64)))

	plan, err := lower.NewPlan(c, "arith")
	if err != nil {
		log.Fatal(err)
	}
	g, err := plan.Phase(target.Interp(), nil).Run(b.Finish())
	if err != nil {
		log.Fatal(err)
	}
	for n := range g.All() {
		fmt.Println(n.Def().Name)
	}
	// Output:
	// arith.addi
	// num.keep
}

// keep is an op that needs its operand: what nothing needs is not in a graph.
var keep = ir.Define(&ir.OpDef{Name: "num.keep", Args: []string{"x"}, Traits: ir.Terminator,
	Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
