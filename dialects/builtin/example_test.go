package builtin_test

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// A module holds the functions of a program: its one graph. Functions finds it in what was read.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcs.Dialect)
	module := ir.NewBuilder(c)
	for _, name := range []string{"first", "second"} {
		funcs.Function(module, name, []ir.Type{ir.F64}, func(b *ir.Builder, args []ir.Value) []ir.Value { return args })
	}
	b := ir.NewBuilder(c)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{module.Finish()}})

	g := builtin.Functions(b.Finish())
	for _, f := range ir.ScheduleOf(g).Body(ir.Root) {
		fmt.Println(funcs.NameOf(g, f))
	}
	// Output:
	// first
	// second
}
