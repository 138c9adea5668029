package sdr

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// native: through the default passes, at sizes where orders and strides matter more.
func (b benchmark) native(t *testing.T, program string) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	p := runPeer(t, program, b.large)
	c := built.Context()
	g, in := readExample(t, c, b.eq)
	code, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	args := arguments(t, c, in, b.sizes(b.large), p)
	if _, _, err := code.Call(t.Context(), in.Name, args); err != nil {
		t.Fatal(err)
	}
	b.compare(t, c, in, args, p)
}
