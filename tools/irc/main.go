// Command irc reads, transforms, runs and compiles programs; see package cli.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/irc-lang/irc/tools/irc/product"
)

func main() {
	product.ServeIfChild()
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) > n { // which others may have set, and what runs here takes for cores
		runtime.GOMAXPROCS(n)
	}
	if os.Getenv("GOGC") == "" {
		collect()
	}
	os.Exit(product.All().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collect has the collector wait for the first 8 MB (4 MB for each 100 %), in which most runs end, and then until there are
// roomyBytes: what compilers make dies young, and to look for it every few megabytes takes longer than all the rest.
// Of more it leaves a third free, which is cheap, since a graph holds no pointers; above manyBytes, which are data, a sixth.
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
		if want := growth(int64(live[0].Value.Uint64())); want != *p {
			*p = want
			debug.SetGCPercent(want)
		}
		after()
	}
	after()
}

// growth is how many per cent of some live bytes may be added before the collector looks again.
func growth(live int64) int {
	if live > manyBytes {
		return 20
	}
	return int(max(50, min(1600, (roomyBytes-live)*100/max(live, 1))))
}

const (
	roomyBytes = 32 << 20  // live: so little may grow to many times its size
	manyBytes  = 256 << 20 // live: from here on memory matters more than time
)
