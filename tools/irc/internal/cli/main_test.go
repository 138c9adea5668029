package cli_test

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	cli.Everything = product.All
	os.Exit(m.Run())
}
