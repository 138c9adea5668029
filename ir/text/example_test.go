package text_test

import (
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A program is read, normalised as it is built, and printed.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect)
	g, list := text.Parse(c, diag.NewSource("f.mlir", `
func.func @f(%x: i64) -> i64 {
  %one = arith.constant 1 : i64
  %y = arith.muli %x, %one : i64
  %z = arith.addi %y, %one : i64
  return %z : i64
}`), text.Options{})
	if err := list.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.String(g, text.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i64) -> i64 {
	//     %c1_i64 = arith.constant 1 : i64
	//     %0 = arith.addi %arg0, %c1_i64 : i64
	//     return %0 : i64
	//   }
	// }
}

// What is wrong comes as a list, each with its place.
func ExampleParse_errors() {
	c := ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect)
	_, list := text.Parse(c, diag.NewSource("f.mlir", "func.func @f(%x: i64) -> i64 {\n  return %y : i64\n}"), text.Options{})
	fmt.Println(list.Err())
	// Output:
	// f.mlir:2:10: error: use of undefined value '%y'
	//     return %y : i64
	//            ^~
	// help: did you mean '%x'?
}

// A dialect says in its Syntax how its ops are written.
func ExampleSyntax() {
	twice := ir.Define(&ir.OpDef{Name: "num.twice", Doc: "Two times x.", Args: []string{"x"},
		Infer: func(c *ir.Call) (ir.Type, error) { return c.ArgType(0), nil }})
	num := &ir.Dialect{Name: "num", Doc: "Numbers.", Ops: []*ir.OpDef{twice},
		Tables: []any{text.Syntax{twice: {Format: "$x attr-dict `:` type($x)"}}}}
	c := ir.NewContext(builtin.Dialect, funcs.Dialect, num)
	g, list := text.Parse(c, diag.NewSource("f.mlir", "func.func @f(%x: i64) -> i64 {\n  %y = num.twice %x : i64\n  return %y : i64\n}"), text.Options{})
	if err := list.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.String(g, text.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i64) -> i64 {
	//     %0 = num.twice %arg0 : i64
	//     return %0 : i64
	//   }
	// }
}
