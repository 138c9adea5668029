package affine_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Points are affine expressions of values: i + 4 j is one op.
func ExampleBuildApply() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, affine.Dialect))
	funcs.Function(module, "place", []ir.Type{ir.Index, ir.Index}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		p, ok := affine.Just(args[0]).Plus(4, affine.Just(args[1]))
		if !ok {
			panic("the expression is too large")
		}
		return []ir.Value{affine.BuildApply(b, p)}
	})
	fmt.Println(text.String(module.Finish(), text.PrintOptions{}))
	// Output:
	// func.func @place(%arg0: index, %arg1: index) -> index {
	//   %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 4)>()[%arg0, %arg1]
	//   return %0 : index
	// }
}
