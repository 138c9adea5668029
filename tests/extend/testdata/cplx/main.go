package main

import (
	"fmt"
	"os"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/cli"
)

func main() {
	engine.ServeIfChild() // compiled programs run in a child process of this one
	if len(os.Args) == 3 && os.Args[1] == "-c" {
		if err := printC(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	irc := &cli.Program{Dialects: append(dialects.All, Dialect), Passes: append(cli.AllPasses(), SquarePass), Inputs: append(cli.Inputs, Calc)}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// printC reads a file and prints its functions as C.
func printC(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ctx := ir.NewContext(append(dialects.All, Dialect)...)
	g, ds := text.Parse(ctx, diag.NewSource(file, string(src)), text.Options{})
	if err := ds.Err(); err != nil {
		return err
	}
	plan, err := lower.NewPlan(ctx, "arith")
	if err != nil {
		return err
	}
	if g, err = plan.Phase(target.Host(), nil).Run(g); err != nil {
		return err
	}
	module := ir.NewSchedule(g, ir.ScheduleOptions{}).Body(ir.Root)[0]
	return EmitC(os.Stdout, g.Children(module)[0])
}
