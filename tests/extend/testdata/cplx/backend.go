package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tools/irc/cli"
)

// operators are the ops that the backend knows, as C writes them.
var operators = map[string]string{"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*", "arith.divf": "/"}

// EmitC prints the functions of a module as C: straight-line code on doubles.
// What it does not know is an error that names the op.
func EmitC(w io.Writer, module *ir.Graph) error {
	for f := range module.All() {
		if f.Def().Name != "func.func" {
			continue
		}
		name := module.Ctx.AttrInfo(f.Attr("sym_name")).Str
		if err := emitFunction(w, name, f.Children()[0]); err != nil {
			return err
		}
	}
	return nil
}

// emitFunction walks the schedule of one function, in which every op stands
// after its operands.
func emitFunction(w io.Writer, name string, g *ir.Graph) error {
	names := map[ir.Value]string{}
	var params []string
	for i, p := range g.Params(ir.Root) {
		names[p] = fmt.Sprintf("a%d", i)
		params = append(params, "double "+names[p])
	}
	fmt.Fprintf(w, "double %s(%s) {\n", name, strings.Join(params, ", "))
	for i, v := range ir.NewSchedule(g, ir.ScheduleOptions{Copies: true}).Body(ir.Root) {
		args := g.Args(v)
		names[v] = fmt.Sprintf("t%d", i)
		x, constant := g.Const(v)
		switch op, ok := operators[g.Def(v).Name]; {
		case ok:
			fmt.Fprintf(w, "  double %s = %s %s %s;\n", names[v], names[args[0]], op, names[args[1]])
		case constant && g.Type(v) == ir.F64:
			fmt.Fprintf(w, "  double %s = %g;\n", names[v], x.F64())
		case g.Def(v).Name == "func.return" && len(args) == 1:
			fmt.Fprintf(w, "  return %s;\n", names[args[0]])
		default:
			return fmt.Errorf("the C backend does not know %s", g.Def(v).Name)
		}
	}
	fmt.Fprintln(w, "}")
	return nil
}

// CRoute is the lowering pipeline to what EmitC knows: -passes=lower{to=c99} takes it.
var CRoute = lowering.Route{Name: "c99", Doc: "Down to what is printed as C.", Levels: []string{"arith"},
	Legal: []string{"builtin", "func", "arith"}}

// CSource is a form of output: -emit=c99 prints the functions of a program as C.
var CSource = cli.Emit("c99", "C", func(w io.Writer, program *ir.Graph) error {
	module := ir.ScheduleOf(program).Body(ir.Root)[0]
	return EmitC(w, program.Children(module)[0])
})
