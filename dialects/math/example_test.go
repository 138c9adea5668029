package math_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// A function of a constant is a constant; Value is the same function, for Go.
func Example() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect, math.Dialect))
	two := arith.ConstF64(b, 2)
	root, _ := b.Graph().Const(b.OpAttr(math.Sqrt, arith.FastMathProps(b.Ctx(), 0), two))
	fmt.Println(root.F64(), math.Value(math.Sqrt, 2))
	// Output:
	// 1.4142135623730951 1.4142135623730951
}
