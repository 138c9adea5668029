// Command core is an irc with the core alone: five dialects, one pass, the interpreter and text. What it does not
// name is no part of it.
package main

import (
	"os"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/cli"
)

func main() {
	irc := &cli.Program{
		Dialects: []*ir.Dialect{builtin.Dialect, arith.Dialect, funcs.Dialect, scf.Dialect, memref.Dialect},
		Passes:   pass.List{basic.CanonicalizeInfo},
	}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
