//go:build !nojit && linux && (amd64 || arm64)

package product

import (
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/commands"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
	"github.com/irc-lang/irc/tools/irc/internal/emit/code"
)

// ServeIfChild must be called first in main: child processes run native code and the CUDA driver.
func ServeIfChild() { engine.ServeIfChild() }

// What makes code of programs and runs it here.
var (
	engines = engine.All
	machine = []*emit.Kind{code.Assembly, code.Object, code.Shared}
	kernels = []*emit.Kind{code.PTX, code.NVVM}
	parquet = commands.ReadParquet
	clock   = commands.Clock

	tuner cli.Tuner = commands.Tune
)
