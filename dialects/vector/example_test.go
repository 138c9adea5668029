package vector_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// One number becomes four lanes, and a lane is taken out again; arith works on all lanes.
func Example() {
	c := ir.NewContext(ub.Dialect, arith.Dialect, vector.Dialect)
	b := ir.NewBuilder(c)
	x := b.Param(ir.F32)
	four := vector.BuildBroadcast(b, x, 4)
	fmt.Println(text.TypeString(c, b.Graph().Type(arith.AddF(b, four, four))))
	fmt.Println(vector.BuildLane(b, four, 2) == x)
	// Output:
	// vector<4xf32>
	// true
}
