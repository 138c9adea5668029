package ir_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// distance makes a program: the function |x - y| of integers, written with a subtraction too many.
func distance(c *ir.Context) *ir.Graph {
	b := ir.NewBuilder(c)
	funcs.Function(b, "distance", []ir.Type{ir.I64, ir.I64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		d := arith.SubI(b, args[0], args[1])
		again := arith.SubI(b, args[0], args[1]) // found again: it is d
		zero := b.Const(ir.I64, ir.IntVal(0, 64))
		return []ir.Value{arith.Choose(b, arith.CmpI(b, arith.SLT, d, zero), arith.SubI(b, zero, d), again)}
	})
	return b.Finish()
}

// A Builder makes a graph, in which nothing is computed twice, and All reads it in order.
func Example() {
	g := distance(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect))
	for n := range g.All() {
		fmt.Println(n.Def().Name)
	}
	// Output:
	// func.func
	// arith.subi
	// arith.constant
	// arith.cmpi
	// arith.subi
	// arith.select
	// func.return
}

// An op is defined once, as data: here one whose Eval is its meaning, for folds as for runs.
func ExampleDefine() {
	gcd := ir.Define(&ir.OpDef{Name: "num.gcd", Doc: "The greatest common divisor.", Args: []string{"x", "y"}, Traits: ir.Elementwise,
		Infer: func(c *ir.Call) (ir.Type, error) { return c.ArgType(0), nil },
		Eval: func(c *ir.Call, args []ir.Val) (ir.Val, error) {
			x, y := args[0].Int(64), args[1].Int(64)
			for y != 0 {
				x, y = y, x%y
			}
			return ir.IntVal(x, 64), nil
		}})
	c := ir.NewContext(&ir.Dialect{Name: "num", Doc: "Numbers.", Ops: []*ir.OpDef{gcd}}, arith.Dialect)
	b := ir.NewBuilder(c)
	v := b.Op(gcd, b.Const(ir.I64, ir.IntVal(12, 64)), b.Const(ir.I64, ir.IntVal(18, 64)))
	x, _ := b.Graph().Const(v)
	fmt.Println(b.Graph().Def(v).Name, x.Int(64))
	// Output:
	// arith.constant 6
}

// Rules say what becomes of the ops of a graph; the others are copied. The old graph stays as it was.
func ExampleRewrite() {
	c := ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect)
	g := distance(c)
	maximum := ir.Rules{arith.Select: func(m *ir.Mirror, n ir.Node) ir.Value {
		return m.Op(arith.Maxsi, m.Of(n.Arg(1)), m.Of(n.Arg(2)))
	}}
	for n := range ir.Rewrite(c, ir.ScheduleOf(g), maximum, nil).All() {
		fmt.Println(n.Def().Name)
	}
	// Output:
	// func.func
	// arith.subi
	// arith.constant
	// arith.subi
	// arith.maxsi
	// func.return
}
