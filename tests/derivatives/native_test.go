package derivatives

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	debug.SetGCPercent(400) // numbers of 256 bits are garbage soon
	os.Exit(m.Run())
}

// In native code, by the lowering pipeline, the derivatives are those of real numbers, up to rounding, and all memory is given back.
func TestNative(t *testing.T) {
	t.Parallel()
	n := uint64(80)
	if built.Soaking() {
		n = 2000
	}
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	checked := 0
	for seed := range n {
		d := derivedOf(t, seed)
		if d.grad == nil {
			continue // TestRandom tells which may have none
		}
		f := formats[0]
		if seed%2 == 1 {
			f = formats[1+seed/2%3]
		}
		on := func(mode string) caller {
			g, err := through(parsed(t, strings.ReplaceAll(d.src, "f64", f.name)), d.pipeline(mode))
			if err != nil {
				d.fail("%v", err)
			}
			p, err := built.Prepare(t.Context(), e, g)
			if err != nil {
				d.fail("%v", err)
			}
			return func(name string, args []ir.Val) ([]ir.Val, error) {
				before, err := engine.Heap(t.Context(), p)
				if err != nil {
					return nil, err
				}
				out, _, err := p.Call(t.Context(), name, args)
				if err != nil {
					return nil, err
				}
				if after, err := engine.Heap(t.Context(), p); err != nil || after.Since(before).Kept() != 0 {
					d.fail("%d blocks of memory are left, %v", after.Since(before).Kept(), err)
				}
				return out, nil
			}
		}
		var forth caller
		if seed%3 == 0 {
			forth = on("forward")
		}
		if d.narrower(f, on("reverse"), forth) {
			checked++
		}
	}
	if checked < int(n)*3/4 {
		t.Errorf("only %d of %d programs are compared", checked, n)
	}
}
