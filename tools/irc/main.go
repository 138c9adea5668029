// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/models"
)

func main() {
	engine.ServeIfChild()
	if os.Getenv("GOGC") == "" {
		collect()
	}
	irc := &cli.Program{Dialects: dialects.All, Inputs: models.Inputs}
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collect has the collector wait for the first 8 MB (4 MB for each 100 %), in which most
// runs end. After that it collects often: that is cheap, since a graph holds no pointers.
func collect() {
	debug.SetGCPercent(200)
	first := new([2]*int) // is gone when the collector first looks
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, 50)
}
