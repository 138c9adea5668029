package ordering_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/ir/text"
)

// A load needs the store before it, which may be to the same place.
func ExampleNew() {
	c := ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, memref.Dialect)
	g, list := text.Parse(c, diag.NewSource("f.mlir", `func.func @f(%m: memref<4xi64>, %i: index, %j: index, %x: i64) -> i64 {
  memref.store %x, %m[%i] : memref<4xi64>
  %y = memref.load %m[%j] : memref<4xi64>
  return %y : i64
}`), text.Options{})
	if len(list) > 0 {
		fmt.Println(list[0])
		return
	}
	for n := range g.All() {
		if n.Def() == funcs.Func {
			order := ordering.New(ir.ScheduleOf(n.Children()[0]), ir.Root)
			store, load := order.Body()[0], order.Body()[1]
			fmt.Println(order.Needs(load)[store], order.Needs(store)[load])
		}
	}
	// Output:
	// true false
}
