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
func (b Benchmark) native(t *testing.T, peer *Peer) { b.compiled(t, peer, "naive", "") }

// compiled: through some passes first, beside a form of the peer.
func (b Benchmark) compiled(t *testing.T, peer *Peer, form, passes string) {
	t.Helper()
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	d := b.data(t, peer, form, b.Large)
	c := built.Context()
	g, in := b.read(t, c)
	code, err := built.Prepare(t.Context(), e, built.Through(t, g, passes))
	if err != nil {
		t.Fatal(err)
	}
	args := b.arguments(t, c, in, b.Large, d)
	if _, _, err := code.Call(t.Context(), in.Name, args); err != nil {
		t.Fatal(err)
	}
	if err := b.Compare(c, in, args, d); err != nil {
		t.Error(err)
	}
}
