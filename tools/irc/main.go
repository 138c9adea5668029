// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/tools/irc/cli"
)

func main() {
	jit.ServeIfChild()
	os.Exit(cli.Main(dialects.All, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
