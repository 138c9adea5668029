package mlir_test

import (
	"errors"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

// compiled runs a program through our own LLVM backend.
func compiled(t *testing.T, path, src string) call {
	t.Helper()
	g, err := parse(newContext(), path, src, false)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	e, _, err := engine.New(t.Context(), "llvm", engine.Options{Level: built.Level()})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM (libllvm19): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return func(name string, args []uint64, _ []string) ([]uint64, error) {
		vals := make([]ir.Val, len(args))
		for i, a := range args {
			vals[i].Bits = a
		}
		got, _, err := p.Call(t.Context(), name, vals)
		return bits(got), err
	}
}

func bits(vals []ir.Val) []uint64 {
	out := make([]uint64, len(vals))
	for i, v := range vals {
		out[i] = v.Bits
	}
	return out
}
