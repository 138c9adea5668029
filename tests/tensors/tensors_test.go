package tensors

import (
	"errors"
	"flag"
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
	native    = flag.Int("native", 25, "of how many programs one runs as native code too, which takes longest to make")
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// together is how many functions are compiled at once.
const together = 50

// What is lowered gives what the ops mean, on the interpreter and as native code, and leaves nothing on the heap.
func TestPrograms(t *testing.T) {
	loops, compiled := started(t, engine.Eval), started(t, engine.LLVM)
	ran := 0
	var some []expected // that run as native code, too
	for done := 0; done < *programs && !t.Failed(); done += together {
		var list []Program
		for i := range min(together, *programs-done) {
			list = append(list, Generate(*firstSeed+uint64(done+i), done+i))
		}
		all := meaning(t, list)
		compare(t, loops, all)
		for i, x := range all {
			if x.want != "trap" {
				ran++
			}
			if (done+i)%*native == 0 {
				some = append(some, x)
			}
		}
		if len(some) >= together || done+together >= *programs {
			compare(t, compiled, some)
			some = nil
		}
	}
	if ran < *programs*9/10 {
		t.Errorf("of %d programs %d gave something", *programs, ran)
	}
}

// started is an engine for a test, nil if it is native code and libLLVM is not there.
func started(t *testing.T, kind *engine.Kind) engine.Engine {
	e, _, err := kind.Start(t.Context(), engine.Options{CountHeap: true, Level: built.Level()})
	if errors.Is(err, jit.ErrMissing) {
		t.Log("without native code, which needs libLLVM (libllvm19)")
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// expected is a program with what its ops give.
type expected struct {
	Program
	want string
}

// module has the programs of a list, each by its name.
func module(t *testing.T, list []Program, opts text.Options) *ir.Graph {
	var all strings.Builder
	for _, p := range list {
		all.WriteString(p.Text)
	}
	return built.Parse(t, all.String(), opts)
}

// meaning interprets the ops of programs, and compares what they give as written: what traps and is not needed is gone
// when it is built.
func meaning(t *testing.T, list []Program) (all []expected) {
	g, written := module(t, list, text.Options{}), module(t, list, text.Options{Verbatim: true})
	for _, p := range list {
		out, err := built.Interpret(g, p.Name, p.Args, interp.Options{Fuel: 1 << 24})
		x := expected{p, out}
		if ir.IsTrap(err) {
			x.want = "trap"
		} else if err != nil {
			t.Fatalf("%v\n%s%s", err, p.Text, p.Args)
		}
		if as, err := built.Interpret(written, p.Name, p.Args, interp.Options{Fuel: 1 << 24}); !ir.IsTrap(err) && (err != nil || !p.isSame(as, out)) {
			t.Errorf("built it gives %s, and as written %s, %v:\n%s%s", out, as, err, p.Text, p.Args)
		}
		all = append(all, x)
	}
	return all
}

// compare runs programs that are compiled together.
func compare(t *testing.T, e engine.Engine, all []expected) {
	if e == nil || len(all) == 0 {
		return
	}
	var list []Program
	for _, x := range all {
		list = append(list, x.Program)
	}
	g := module(t, list, text.Options{})
	program, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		for _, p := range list {
			if alone, err := built.Prepare(t.Context(), e, module(t, []Program{p}, text.Options{})); err == nil {
				alone.Close()
			} else {
				t.Fatalf("%v\n%s%s", err, p.Text, p.Args)
			}
		}
		t.Fatal(err)
	}
	defer program.Close()
	for _, x := range all {
		got, n, err := built.Call(t.Context(), program, g, x.Name, x.Args)
		if err != nil && strings.Contains(err.Error(), "trap") {
			got, err = "trap", nil
		}
		if err != nil || !x.isSame(got, x.want) {
			t.Errorf("%s gives %s, %v, and the ops mean %s:\n%s%s", e.Name(), got, err, x.want, x.Text, x.Args)
		}
		if left := n.Live - n.Results; err == nil && got != "trap" && left > 0 {
			t.Errorf("%s leaves %d blocks:\n%s%s", e.Name(), left, x.Text, x.Args)
		}
	}
}

// unsigned forgets the sign of zeros, which of a sum depends on its order.
func unsigned(s string) string { return strings.ReplaceAll(s, "-0.0", "0") }
