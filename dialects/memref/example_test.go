package memref_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// What is stored in memory of one's own is known when it is loaded.
func ExampleBuildAlloc() {
	c := ir.NewContext(arith.Dialect, memref.Dialect)
	b := ir.NewBuilder(c)
	x, i := b.Param(ir.F64), b.Index(3)
	m := memref.BuildAlloc(b, c.MemRef([]int64{8}, ir.F64), 0)
	b.Op(memref.Store, x, m, i)
	fmt.Println(b.Op(memref.Load, m, i) == x, b.Graph().Def(b.Op(memref.Load, m, b.Index(4))).Name)
	// Output:
	// true memref.load
}
