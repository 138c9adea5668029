// Package built runs functions that tests build with Go, on every engine that there is,
// and counts what they leave on the heap.
package built

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// A Func is a function to build: body makes its ops and gives its results.
type Func struct {
	Name    string
	In, Out []ir.Type
	Body    func(b *ir.Builder, args []ir.Value) []ir.Value
}

// Context has all dialects, and asks rules although what they need is not there.
func Context() *ir.Context {
	c := ir.NewContext(dialects.All...)
	c.AskAll = true
	return c
}

// Graph is a file of functions.
func Graph(c *ir.Context, fs ...Func) (*ir.Graph, error) {
	b := ir.NewBuilder(c)
	for _, f := range fs {
		funcs.Define(b, f.Name, f.In, f.Out, f.Body)
	}
	g := b.Finish()
	return g, ir.Verify(g)
}

// Program lowers functions for an engine and makes them ready to run.
func Program(ctx context.Context, e engine.Engine, c *ir.Context, fs ...Func) (engine.Program, error) {
	g, err := Graph(c, fs...)
	if err != nil {
		return nil, err
	}
	return Prepare(ctx, e, g)
}

// Prepare lowers a program for an engine and makes it ready to run.
func Prepare(ctx context.Context, e engine.Engine, g *ir.Graph) (engine.Program, error) {
	low, err := lowering.Compile(ctx, g, e.Target())
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text.String(g, text.PrintOptions{}))
	}
	ps, err := e.Prepare(ctx, low)
	if err != nil {
		return nil, err
	}
	return ps[0], nil
}

// Level is how much LLVM optimises what tests compile. What our IR promises and does not keep shows
// at O1 as well, in less than half of the time; make soak sets IRC_TEST_LEVEL=3, as users have it.
func Level() jit.Level { return levelOr(jit.O1) }

func levelOr(usual jit.Level) jit.Level {
	if n, err := strconv.Atoi(os.Getenv("IRC_TEST_LEVEL")); err == nil {
		return jit.LevelOf(n)
	}
	return usual
}

// Soaking says that make soak runs the test: it looks at all there is, of which make test takes a part.
func Soaking() bool { return os.Getenv("IRC_TEST_LEVEL") != "" }

// Start starts an engine that counts what is left on the heap. A test that wants native code
// ends where libLLVM is missing.
func Start(t *testing.T, kind *engine.Kind) engine.Engine {
	t.Helper()
	return start(t, kind, Level())
}

func start(t *testing.T, kind *engine.Kind, level jit.Level) engine.Engine {
	t.Helper()
	e, _, err := kind.Start(t.Context(), engine.Options{CountHeap: true, Level: level})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("native code needs libLLVM (libllvm19): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// On builds functions for the interpreter and for native code, where libLLVM is, and runs
// a test on each. Native code is not optimised: what is tested is what the functions say.
func On(t *testing.T, fs func(c *ir.Context) []Func, test func(t *testing.T, r *Runner)) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			e := start(t, kind, levelOr(jit.O0))
			defer e.Close()
			c := Context()
			p, err := Program(t.Context(), e, c, fs(c)...)
			if err != nil {
				t.Fatal(err)
			}
			test(t, &Runner{t, c, p})
		})
	}
}

// A Runner calls what was built.
type Runner struct {
	t *testing.T
	c *ir.Context
	p engine.Program
}

// Call runs a function that must not fail and must leave as many blocks on the heap as
// said: those of its results.
func (r *Runner) Call(kept int, name string, args ...ir.Val) []ir.Val {
	r.t.Helper()
	before := r.heap()
	out, _, err := r.p.Call(r.t.Context(), name, args)
	if err != nil {
		r.t.Fatalf("@%s: %v", name, err)
	}
	if n := r.heap().Since(before).Kept(); n != int64(kept) {
		r.t.Errorf("@%s leaves %d blocks of memory, wanted %d", name, n, kept)
	}
	return out
}

func (r *Runner) heap() interp.Heap {
	h, err := engine.Heap(r.t.Context(), r.p)
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

// Ints is memory of integers of a type, or of index.
func (r *Runner) Ints(elem ir.Type, xs []int64) ir.Val {
	b := interp.NewBuffer(r.c, elem, len(xs), false)
	for i, x := range xs {
		b.Store(i, ir.IntVal(x, r.c.Info(elem).Width))
	}
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(len(xs))}, Strides: []int64{1}}).Val()
}

// Floats is memory of floats of a type.
func (r *Runner) Floats(elem ir.Type, xs []float64) ir.Val {
	b := interp.NewBuffer(r.c, elem, len(xs), false)
	for i, x := range xs {
		b.Store(i, ir.FloatVal(x, elem))
	}
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(len(xs))}, Strides: []int64{1}}).Val()
}

// Strings is memory of bytes and of the positions where strings begin and the last ends.
func (r *Runner) Strings(xs []string) (offsets, bytes ir.Val) {
	at, data := []int64{0}, []int64{}
	for _, s := range xs {
		for i := range len(s) {
			data = append(data, int64(s[i]))
		}
		at = append(at, int64(len(data)))
	}
	return r.Ints(ir.Index, at), r.Ints(ir.I8, data)
}

// IntsOf reads memory of integers; those of 8 bits and fewer as they are, without a sign.
func IntsOf(v ir.Val) []int64 {
	m := v.Ref.(*interp.MemRef)
	out := make([]int64, m.Sizes[0])
	for i := range out {
		out[i] = int64(m.Buf.Load(int(m.Offset + int64(i)*m.Strides[0])).Bits)
	}
	return out
}

// FloatsOf reads memory of f64.
func FloatsOf(v ir.Val) []float64 {
	ints := IntsOf(v)
	out := make([]float64, len(ints))
	for i, n := range ints {
		out[i] = math.Float64frombits(uint64(n))
	}
	return out
}

// StringsOf is the inverse of Strings.
func StringsOf(offsets, bytes ir.Val) []string {
	at, data := IntsOf(offsets), IntsOf(bytes)
	out := make([]string, len(at)-1)
	for i := range out {
		s := make([]byte, 0, at[i+1]-at[i])
		for _, c := range data[at[i]:at[i+1]] {
			s = append(s, byte(c))
		}
		out[i] = string(s)
	}
	return out
}

// Context is that of the functions.
func (r *Runner) Context() *ir.Context { return r.c }
