package sampler

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}
