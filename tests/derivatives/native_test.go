package derivatives

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	debug.SetGCPercent(400) // numbers of 256 bits are garbage soon
	os.Exit(m.Run())
}

// What differentiate makes gives the same as native code, by the lowering pipeline, and before other passes as behind them.
func TestNative(t *testing.T) {
	t.Parallel()
	const n = 60
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	for seed := range uint64(n) {
		passes := "differentiate{of=f wrt=0,1,2,3,4}"
		if seed%3 == 0 {
			passes = "inline,mem2reg,licm,canonicalize," + passes
		} else if seed%3 == 1 {
			passes = "differentiate{of=f wrt=0,1,2,3,4 mode=forward}"
		}
		g, err := through(parsed(t, random(seed)), passes)
		if err != nil {
			continue // TestRandom tells which may have none
		}
		r := rand.New(rand.NewPCG(seed, 7))
		args := []any{}
		array := func() any { return []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
		args = append(args, r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), array(), array(), r.IntN(elements+1), 0.5)
		entry := "f_grad"
		if seed%3 == 1 {
			entry = "f_jvp"
			args = append(args, r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		} else {
			args = append(args, r.NormFloat64())
		}
		in, err := json.Marshal(append(args, array(), array()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, blocks, err := built.Call(t.Context(), p, g, entry, string(in))
		if want := built.Run(t, g, entry, string(in)); err != nil || !isNear(got, want) {
			t.Fatalf("seed %d: %v\n%s\nwant\n%s\n%s", seed, err, got, want, text.String(g, text.PrintOptions{}))
		}
		if blocks.Live != 0 {
			t.Fatalf("seed %d: %d blocks of memory are left\n%s", seed, blocks.Live, text.String(g, text.PrintOptions{}))
		}
		after, want := built.AfterOn(t, e, g, entry, string(in)), built.AfterWith(t, g, entry, string(in), interp.Options{})
		if !isNear(after, want) {
			t.Fatalf("seed %d: memory holds\n%s\nand should\n%s\n%s", seed, after, want, text.String(g, text.PrintOptions{}))
		}
	}
}

// isNear compares numbers in JSON, to rounding.
func isNear(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && near(x, y)
}

func near(x, y any) bool {
	switch x := x.(type) {
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !near(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !near(x[k], y[k]) {
				return false
			}
		}
		return true
	case float64:
		y, ok := y.(float64)
		return ok && math.Abs(x-y) <= 1e-9*(1+math.Abs(y))
	}
	return x == y
}
