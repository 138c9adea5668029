// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

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
// Above manyBytes, which are data, it leaves a fifth of them free, not half.
func collect() {
	debug.SetGCPercent(200)
	percent := 200
	var again func(*int)
	after := func() {
		mark := new([2]*int) // is gone when the collector next looks
		runtime.AddCleanup(mark, again, &percent)
	}
	again = func(p *int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		want := 50
		if live[0].Value.Uint64() > manyBytes {
			want = 20
		}
		if want != *p {
			*p = want
			debug.SetGCPercent(want)
		}
		after()
	}
	after()
}

const manyBytes = 256 << 20
