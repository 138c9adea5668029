package cf_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// An assertion that does not hold stops the program, with its message.
func Example() {
	module := ir.NewBuilder(ir.NewContext(builtin.Dialect, funcs.Dialect, arith.Dialect, cf.Dialect))
	funcs.Function(module, "checked", []ir.Type{ir.I64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		message := b.Ctx().Props([]ir.NamedAttr{{Name: "msg", Value: b.Ctx().StringAttr("n is negative")}}, nil)
		b.OpAttr(cf.Assert, message, arith.CmpI(b, arith.SGE, args[0], arith.ConstInt(b, ir.I64, 0)))
		return args
	})
	m, err := interp.New(module.Finish(), interp.Options{})
	if err != nil {
		panic(err)
	}
	_, err = m.Call("checked", []ir.Val{ir.IntVal(-1, 64)})
	fmt.Println(err)
	// Output:
	// 'cf.assert' op: trap: assertion failed: n is negative in @checked
}
