package arith_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Ops are built by functions for the usual ones, by their definition for others, and with flags where there are some.
func Example() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect))
	funcs.Function(module, "f", []ir.Type{ir.I32, ir.F64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		n, x := args[0], args[1]
		next := arith.Int(b, arith.Addi, arith.NSW, n, arith.ConstInt(b, ir.I32, 1))
		y := arith.Float(b, arith.Addf, arith.Reassoc, x, arith.Cast(b, arith.Sitofp, next, ir.F64))
		return []ir.Value{arith.Choose(b, arith.CmpF(b, arith.OLT, y, x), x, y)}
	})
	fmt.Println(text.String(module.Finish(), text.PrintOptions{}))
	// Output:
	// func.func @f(%arg0: i32, %arg1: f64) -> f64 {
	//   %c1_i32 = arith.constant 1 : i32
	//   %0 = arith.addi %arg0, %c1_i32 overflow<nsw> : i32
	//   %1 = arith.sitofp %0 : i32 to f64
	//   %2 = arith.addf %arg1, %1 fastmath<reassoc> : f64
	//   %3 = arith.cmpf olt, %2, %arg1 : f64
	//   %4 = arith.select %3, %arg1, %2 : f64
	//   return %4 : f64
	// }
}

// An op of constants is the constant that it gives, and x * 1 is x.
func ExampleMulI() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect))
	x, six := b.Param(ir.I64), arith.ConstInt(b, ir.I64, 6)
	product, _ := b.Graph().Const(arith.MulI(b, six, arith.ConstInt(b, ir.I64, 7)))
	fmt.Println(product.Int(64), arith.MulI(b, x, arith.ConstInt(b, ir.I64, 1)) == x)
	// Output:
	// 42 true
}
