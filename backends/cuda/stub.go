//go:build nojit || !linux || !(amd64 || arm64)

package cuda

import (
	"errors"

	"github.com/irc-lang/irc/backends/jit"
)

// Service serves nothing: no child is ever started in this build.
var Service = jit.Service{Name: serviceName, Open: func() func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return nil, errors.New("this irc was built without native code") }
}}
