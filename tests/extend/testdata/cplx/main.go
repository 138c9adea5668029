package main

import (
	"os"

	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

func main() {
	product.ServeIfChild() // compiled programs run in a child process of this one
	os.Exit(program().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is irc with what this module adds.
func program() *cli.Program {
	irc := product.All()
	irc.Dialects = append(irc.Dialects, Dialect)
	irc.Passes = lowering.Along(append(lowering.Routes, CRoute), append(irc.Passes, SquarePass, FusePass, UnswitchPass))
	irc.Inputs = append(irc.Inputs, Calc)
	irc.Emits = append(irc.Emits, CSource)
	return irc
}
