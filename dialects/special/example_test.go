package special_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// The logarithm of 5! in a program, where it is folded, and in Go.
func Example() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect, special.Dialect))
	v, _ := b.Graph().Const(b.Op(special.Logfact, arith.ConstF64(b, 5)))
	fmt.Printf("%.12f %.12f\n", v.F64(), special.Value(special.Logfact, 5))
	// Output:
	// 4.787491742782 4.787491742782
}
