package scf_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// A loop carries values from round to round; its body is a function of Go that builds one.
func ExampleBuildFor() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, scf.Dialect))
	funcs.Function(module, "power", []ir.Type{ir.F64, ir.Index}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		x, n := args[0], args[1]
		one := []ir.Value{arith.ConstF64(b, 1)}
		loop := scf.BuildFor(b, b.Index(0), n, b.Index(1), one, func(_ ir.Value, carried []ir.Value) []ir.Value {
			return []ir.Value{arith.MulF(b, carried[0], x)}
		})
		return b.Results(loop)
	})
	fmt.Println(text.String(module.Finish(), text.PrintOptions{}))
	// Output:
	// func.func @power(%arg0: f64, %arg1: index) -> f64 {
	//   %cst = arith.constant 1.000000e+00 : f64
	//   %c0 = arith.constant 0 : index
	//   %c1 = arith.constant 1 : index
	//   %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %cst) -> (f64) {
	//     %1 = arith.mulf %arg3, %arg0 : f64
	//     scf.yield %1 : f64
	//   }
	//   return %0 : f64
	// }
}

// Of a condition that is known there is no branch.
func ExampleBuildIf() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect, scf.Dialect))
	x, y := b.Param(ir.I64), b.Param(ir.I64)
	give := func(v ir.Value) func() []ir.Value { return func() []ir.Value { return []ir.Value{v} } }
	v := scf.BuildIf(b, arith.ConstBool(b, true), give(x), give(y))
	fmt.Println(v == x)
	// Output:
	// true
}
