// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/models"
)

func main() {
	engine.ServeIfChild()
	irc := &cli.Program{Dialects: dialects.All, Models: models.Frontend{}}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
