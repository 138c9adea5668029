package interp_test

import (
	"fmt"
	"log"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// quotient is a program that divides integers.
func quotient() *ir.Graph {
	b := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect))
	funcs.Function(b, "quotient", []ir.Type{ir.I64, ir.I64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		return []ir.Value{b.Op(arith.Divsi, args...)}
	})
	return b.Finish()
}

// A machine runs the functions of a program.
func Example() {
	m, err := interp.New(quotient(), interp.Options{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := m.Call("quotient", []ir.Val{ir.IntVal(17, 64), ir.IntVal(5, 64)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out[0].Int(64))
	// Output:
	// 3
}

// What a program does wrong is a trap: an error, which says why.
func ExampleMachine_Call_trap() {
	m, err := interp.New(quotient(), interp.Options{Fuel: 1000})
	if err != nil {
		log.Fatal(err)
	}
	_, err = m.Call("quotient", []ir.Val{ir.IntVal(17, 64), ir.IntVal(0, 64)})
	fmt.Println(ir.IsTrap(err), err)
	// Output:
	// true 'arith.divsi' op: trap: division by zero in @quotient
}
