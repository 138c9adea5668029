package engine

import (
	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/jit"
)

// ServeIfChild must be called first in main, and in TestMain of tests that use an
// engine: child processes run native code and the CUDA driver.
func ServeIfChild() { jit.ServeIfChild(cuda.Service) }
