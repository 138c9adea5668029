package tensors

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programs  = flag.Int("programs", 300, "how many random programs of tensors are run")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
	native    = flag.Int("native", 8, "of how many programs one runs as native code too, which takes longest to make")
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// together is how many functions are compiled at once.
const together = 50

// What is lowered gives what the ops mean, on the interpreter and as native code, and leaves nothing on the heap.
func TestPrograms(t *testing.T) {
	var engines []engine.Engine
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e, _, err := kind.Start(t.Context(), engine.Options{CountHeap: true})
		if errors.Is(err, jit.ErrMissing) {
			t.Log("without native code, which needs libLLVM (libllvm19)")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		engines = append(engines, e)
	}
	ran := 0
	for done := 0; done < *programs && !t.Failed(); done += together {
		var all strings.Builder
		var list []Program
		for i := range min(together, *programs-done) {
			p := Generate(*firstSeed+uint64(done+i), i)
			list = append(list, p)
			all.WriteString(p.Text)
		}
		some := engines
		if done/together%*native != 0 {
			some = engines[:1]
		}
		ran += batch(t, some, all.String(), list)
	}
	if ran < *programs*9/10 {
		t.Errorf("of %d programs %d gave something", *programs, ran)
	}
}

// unsigned forgets the sign of zeros, which of a sum depends on its order.
func unsigned(s string) string { return strings.ReplaceAll(s, "-0.0", "0") }

// batch runs functions that are compiled together, and counts those that do not trap.
func batch(t *testing.T, engines []engine.Engine, src string, list []Program) (ran int) {
	g, written := built.Parse(t, src, text.Options{}), built.Parse(t, src, text.Options{Verbatim: true})
	want := make([]string, len(list))
	for i, p := range list {
		out, err := built.Interpret(g, fmt.Sprintf("f%d", i), p.Args, interp.Options{Fuel: 1 << 24})
		if want[i] = out; ir.IsTrap(err) {
			want[i] = "trap"
		} else if err != nil {
			t.Fatalf("%v\n%s%s", err, p.Text, p.Args)
		}
		if want[i] != "trap" {
			ran++
		}
		// As written: what traps and is not needed is gone when it is built.
		if as, err := built.Interpret(written, fmt.Sprintf("f%d", i), p.Args, interp.Options{Fuel: 1 << 24}); !ir.IsTrap(err) && (err != nil || unsigned(as) != unsigned(out)) {
			t.Errorf("built it gives %s, and as written %s, %v:\n%s%s", out, as, err, p.Text, p.Args)
		}
	}
	for _, e := range engines {
		program, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range list {
			got, n, err := built.Call(t.Context(), program, g, fmt.Sprintf("f%d", i), p.Args)
			if err != nil && strings.Contains(err.Error(), "trap") {
				got, err = "trap", nil
			}
			if err != nil || unsigned(got) != unsigned(want[i]) {
				t.Errorf("%s gives %s, %v, and the ops mean %s:\n%s%s", e.Name(), got, err, want[i], p.Text, p.Args)
			}
			if left := n.Left - n.Results; err == nil && got != "trap" && left > 0 {
				t.Errorf("%s leaves %d blocks:\n%s%s", e.Name(), left, p.Text, p.Args)
			}
		}
	}
	return ran
}
