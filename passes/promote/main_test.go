package promote_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func read(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return ir.Settle(built.Parse(t, src, text.Options{}))
}

func show(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// call runs @f on integers.
func call(t *testing.T, g *ir.Graph, args ...int64) string {
	t.Helper()
	return built.Run(t, g, "f", strings.ReplaceAll(fmt.Sprint(args), " ", ", "))
}
