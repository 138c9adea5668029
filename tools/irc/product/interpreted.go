//go:build nojit || !linux || !(amd64 || arm64)

package product

import (
	"context"
	"os"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
	"github.com/irc-lang/irc/tools/irc/internal/emit/code"
)

// ServeIfChild has nothing to serve: no process here holds native code in, and none is started.
func ServeIfChild() {}

// What this system has not is no part of the lists: programs are interpreted.
var (
	engines = []*contract.Kind{contract.Eval}
	machine []*emit.Kind
	kernels = []*emit.Kind{code.NVVM}
	parquet func(context.Context, string, *os.File, int64, []table.Want) (*table.Table, error)
	clock   *cli.Clock
	tuner   cli.Tuner
)
