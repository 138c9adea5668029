package llvm

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func newContext() *ir.Context {
	return ir.NewContext(dialects.All...)
}

func parse(t testing.TB, src string) *ir.Graph {
	t.Helper()
	g, err := text.Parse(newContext(), diag.NewSource("test.mlir", src), text.Options{})
	if err := err.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTry(t *testing.T) {
	src, err := os.ReadFile(os.Getenv("TRY"))
	if err != nil {
		t.Skip("needs TRY")
	}
	s, err := Text(parse(t, string(src)), Options{Thunks: os.Getenv("THUNKS") != ""})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/lltest/out.ll", []byte(s), 0o644)
}
