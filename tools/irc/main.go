// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"
	"runtime/debug"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/models"
)

func main() {
	engine.ServeIfChild()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // a graph holds no pointers: to collect often is cheap
	}
	irc := &cli.Program{Dialects: dialects.All, Inputs: models.Inputs}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
