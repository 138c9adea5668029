package main

import (
	"os"

	"example.org/cplx/point"
	"example.org/cplx/toy"
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
	irc.Dialects = append(irc.Dialects, Dialect, toy.Dialect, point.Dialect)
	irc.Passes = lowering.Along(append(lowering.Routes, CRoute), append(irc.Passes, SquarePass, FusePass, UnswitchPass, StrengthPass, toy.ShapesPass))
	irc.Inputs = append(irc.Inputs, Calc, toy.Toy)
	irc.Emits = append(irc.Emits, CSource)
	return irc
}
