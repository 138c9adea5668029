package grid_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return built.Parse(t, src, text.Options{})
}

// onDevice calls run with options of the interpreter by which races, accesses out of bounds and reads of what nobody wrote are errors, and
// then with those by which the device has memory of its own; and returns what was counted.
func onDevice(run func(o interp.Options)) (simt.Counts, transfers.Counts) {
	kernels, moves := simt.New(), transfers.New()
	run(interp.Options{Watch: kernels, Wrap: kernels.Wrap})
	run(interp.Options{Watch: moves, Wrap: moves.Wrap})
	return kernels.Counts(), moves.Counts()
}

// loopsOnDevice compares what kernels of the loops of a program give with what the loops mean.
func loopsOnDevice(t *testing.T, src, args, pipeline string) (simt.Counts, transfers.Counts) {
	t.Helper()
	g := parse(t, src)
	want, err := built.Interpret(g, "main", args, interp.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	low := built.Through(t, g, pipeline)
	return onDevice(func(o interp.Options) {
		t.Helper()
		if got, err := built.Interpret(low, "main", args, o); err != nil || got != want {
			t.Fatalf("%v\n%s\n%s\ngot  %s\nwant %s", err, src, args, got, want)
		}
	})
}
