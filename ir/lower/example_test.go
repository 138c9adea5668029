package lower_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// A dialect says what its ops become at a level. The pass lower takes a program there.
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

	p, err := pass.Parse("lower{to=arith}", lowering.Passes())
	if err != nil {
		log.Fatal(err)
	}
	g, err := new(pass.Manager).Run(context.Background(), b.Finish(), p)
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
