package polyhedral_test

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// example is a program of examples/eq.
func example(t *testing.T, name string) *ir.Graph {
	t.Helper()
	src, err := os.ReadFile("../../examples/eq/" + name + ".eq")
	if err != nil {
		t.Fatal(err)
	}
	return built.OfEquations(t, string(src))
}

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return built.Parse(t, src, text.Options{})
}

func shown(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }
