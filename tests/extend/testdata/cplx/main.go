package main

import (
	"os"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/emit"
)

func main() {
	engine.ServeIfChild() // compiled programs run in a child process of this one
	irc := &cli.Program{
		Dialects: append(dialects.All, Dialect),
		Routes:   append(lowering.Routes, CRoute),
		Passes:   append(cli.AllPasses(), SquarePass, FusePass, UnswitchPass),
		Inputs:   append(cli.Inputs, Calc),
		Emits:    append(emit.All, CSource),
	}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
