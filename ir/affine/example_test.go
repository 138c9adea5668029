package affine_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// What is known of x urem 10 * 4: the range, the step, and a number that it cannot be.
func Example() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect))
	x := b.Param(ir.I64)
	v := arith.MulI(b, b.Op(arith.Remui, x, arith.ConstInt(b, ir.I64, 10)), arith.ConstInt(b, ir.I64, 4))
	n := affine.Of(b.Graph()).Number(v)
	fmt.Println(n.Low, n.High, n.Step, n.Has(6))
	// Output:
	// 0 36 4 false
}

// A sum of values is a linear form, in which what cancels is gone.
func ExampleAnalysis_Linear() {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect))
	x, y := b.Param(ir.I64), b.Param(ir.I64)
	seven := arith.ConstInt(b, ir.I64, 7)
	sum := arith.AddI(b, arith.AddI(b, x, seven), arith.SubI(b, y, x))
	l := affine.Of(b.Graph()).Linear(sum)
	fmt.Println(len(l.Terms), l.Terms[0].Value == y, l.Terms[0].Coef, l.Const)
	// Output:
	// 1 true 1 7
}
