package polybench

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// Native code, whose loops have a version without checks, traps where an array has a row or a
// column too few.
func TestTooSmall(t *testing.T) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	k := Kernels[slices.IndexFunc(Kernels, func(k *Kernel) bool { return k.Name == "gemm" })]
	src, err := os.ReadFile("../../" + k.File())
	if err != nil {
		t.Fatal(err)
	}
	g := built.Parse(t, string(src), text.Options{})
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	for array, dims := range map[int]string{0: "", 1: "0", 2: "01"} { // those of C, and the columns of A, are what the others are held against
		for _, d := range dims {
			args, _, err := k.Arguments(g.Ctx, k.Small)
			if err != nil {
				t.Fatal(err)
			}
			m := args[array].Ref.(*interp.MemRef)
			m.Sizes[d-'0']--
			m.Strides, _, _ = strided.RowMajor(m.Sizes)
			if _, _, err := p.Call(t.Context(), "kernel", args); !ir.IsTrap(err) || !strings.Contains(err.Error(), "out of bounds") {
				t.Errorf("%s is too small along dimension %c: %v", k.Arrays[array].Name, d, err)
			}
		}
	}
}
