package funcs_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// One function calls the other, and a third that stands elsewhere.
func Example() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect))
	one := []ir.Type{ir.F64}
	funcs.Declare(module, "noise", one, one)
	funcs.Function(module, "square", one, func(b *ir.Builder, args []ir.Value) []ir.Value {
		return []ir.Value{arith.MulF(b, args[0], args[0])}
	})
	funcs.Function(module, "main", one, func(b *ir.Builder, args []ir.Value) []ir.Value {
		return []ir.Value{funcs.CallTo(b, "square", one, funcs.CallTo(b, "noise", one, args...))}
	})
	fmt.Println(text.String(module.Finish(), text.PrintOptions{}))
	// Output:
	// func.func private @noise(f64) -> f64
	// func.func @square(%arg0: f64) -> f64 {
	//   %0 = arith.mulf %arg0, %arg0 : f64
	//   return %0 : f64
	// }
	// func.func @main(%arg0: f64) -> f64 {
	//   %0 = call @noise(%arg0) : (f64) -> f64
	//   %1 = call @square(%0) : (f64) -> f64
	//   return %1 : f64
	// }
}
