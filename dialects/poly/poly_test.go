package poly_test

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

func print(g *ir.Graph, generic bool) string {
	return text.String(g, text.PrintOptions{Generic: generic})
}

// What is printed reads as the same, in both forms, folded and verbatim.
func TestText(t *testing.T) {
	src, err := os.ReadFile("testdata/prefix.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, verbatim := range []bool{false, true} {
		opts := text.Options{Verbatim: verbatim}
		g := built.Parse(t, string(src), opts)
		for _, generic := range []bool{false, true} {
			once := print(g, generic)
			if again := print(built.Parse(t, once, opts), generic); again != once {
				t.Errorf("verbatim %v, generic %v: printed\n%s\nread and printed\n%s", verbatim, generic, once, again)
			}
		}
	}
}

// B[1] = w[0] + exp(-B[0]) w[1].
func TestEquationsByDemand(t *testing.T) {
	src, err := os.ReadFile("testdata/prefix.mlir")
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	if got, want := built.Run(t, g, "main", "[]"), "[0.5, 1.1065306597126334]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
