package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

func TestMain(m *testing.M) {
	ServeIfChild()
	os.Exit(m.Run())
}

func parse(t testing.TB, src string) *ir.Graph {
	t.Helper()
	return parseAs(t, src, text.Options{})
}

func parseAs(t testing.TB, src string, o text.Options) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("test.mlir", src), o)
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func native(t testing.TB, o Options) Engine {
	t.Helper()
	e, _, err := New(t.Context(), "llvm", o)
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func eval(t testing.TB) Engine {
	e, _, err := New(t.Context(), "eval", Options{Fuel: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func prepare(t testing.TB, e Engine, g *ir.Graph) Program {
	t.Helper()
	if c, ok := e.(*cudaEngine); ok {
		var err error
		if g, err = lowering.Compile(t.Context(), g, c.Target()); err != nil {
			t.Fatal(err)
		}
	}
	ps, err := e.Prepare(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return ps[0]
}

// argument makes the value of an argument of a random program.
func argument(t testing.TB, c *ir.Context, typ ir.Type, a irtest.Arg) ir.Val {
	info := c.Info(typ)
	if info.Kind != ir.KindMemRef {
		return ir.IntVal(int64(a.Bits), info.Width)
	}
	b := interp.NewBuffer(c, info.Elem, len(a.Elems), false)
	for i, x := range a.Elems {
		b.Store(i, ir.IntVal(int64(x), c.Info(info.Elem).Width))
	}
	b.Static = true
	r := &interp.MemRef{Buf: b, Sizes: []int64{int64(len(a.Elems))}, Strides: []int64{1}}
	return r.Val()
}

// outcome is what a run shows, as text; floats up to NaN payloads.
type outcome struct {
	vals, args []string
	printed    string
	trap       bool
	err        error
}

// caller makes a call on arguments, as Program.Call.
type caller func(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error)

// boundCaller makes it on arguments that are bound for it.
func boundCaller(p Program) caller {
	return func(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error) {
		b, err := run.Bind(ctx, p, args...)
		if err != nil {
			return nil, nil, err
		}
		vals, printed, err := b.Call(ctx, name)
		return vals, printed, errors.Join(err, b.Close(ctx))
	}
}

func runOn(t testing.TB, g *ir.Graph, p Program, prog *irtest.Program) outcome {
	return runWith(t, g, p, prog, p.Call)
}

func runWith(t testing.TB, g *ir.Graph, p Program, prog *irtest.Program, call caller) outcome {
	in, out, err := p.Signature(prog.Entry)
	if err != nil {
		t.Fatal(err)
	}
	var args []ir.Val
	for i, typ := range in {
		args = append(args, argument(t, g.Ctx, typ, prog.Args[i]))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	vals, printed, err := call(ctx, prog.Entry, args)
	o := outcome{err: err, trap: ir.IsTrap(err)}
	for _, x := range printed {
		o.printed += interp.FormatPrinted(g.Ctx, x)
	}
	if err != nil {
		return o
	}
	for i, v := range vals {
		o.vals = append(o.vals, interp.FormatVal(g.Ctx, v, out[i]))
	}
	for i, v := range args {
		o.args = append(o.args, interp.FormatVal(g.Ctx, v, in[i]))
	}
	return o
}

// refines says how b differs from the reference a, or "". Where the reference is
// poison anything goes, and what it printed may be poison too.
func refines(a, b outcome) string {
	if a.err != nil && !a.trap {
		return "" // out of fuel
	}
	if a.trap != b.trap || (a.err == nil) != (b.err == nil) {
		return fmt.Sprintf("errors: %v and %v", a.err, b.err)
	}
	if d := texts("printed", []string{a.printed}, []string{b.printed}); d != "" {
		return d
	}
	if d := texts("results", a.vals, b.vals); d != "" {
		return d
	}
	return texts("arguments", a.args, b.args)
}

func texts(what string, a, b []string) string {
	for i := range a {
		x, y := strings.FieldsFunc(a[i], separator), strings.FieldsFunc(b[i], separator)
		if len(x) != len(y) {
			return fmt.Sprintf("%s #%d: %s and %s", what, i, a[i], b[i])
		}
		for k := range x {
			if x[k] != "poison" && x[k] != y[k] {
				return fmt.Sprintf("%s #%d: %s and %s", what, i, a[i], b[i])
			}
		}
	}
	return ""
}

func separator(r rune) bool { return strings.ContainsRune("[], \n", r) }

var (
	programs  = flag.Int("programs", 50, "how many random programs run, as they are and bound")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// Random programs give the same on both engines, called and bound.
func TestRandomPrograms(t *testing.T) {
	e, ref := native(t, Options{Level: level()}), eval(t)
	traps := 0
	for i := range uint64(*programs) {
		seed := *firstSeed + i
		prog := irtest.New(seed, irtest.Config{Ops: 20 + int(seed%5)*30, Traps: seed%2 == 1, Narrow: seed%3 == 0})
		g := parse(t, prog.Text)
		want := runOn(t, g, prepare(t, ref, g), prog)
		p := prepare(t, e, g)
		got := runOn(t, g, p, prog)
		if want.trap {
			traps++
		}
		if d := refines(want, got); d != "" {
			ll, _ := Text(p)
			os.WriteFile(os.TempDir()+"/bad.ll", []byte(ll), 0o644)
			os.WriteFile(os.TempDir()+"/bad.mlir", []byte(prog.Text), 0o644)
			t.Fatalf("seed %d: %s", seed, d)
		}
		p.Close()
		for _, e := range []Engine{e, ref} {
			p := prepare(t, e, g) // with globals as they were
			if d := refines(want, runWith(t, g, p, prog, boundCaller(p))); d != "" {
				t.Fatalf("seed %d, bound on %s: %s", seed, e.Name(), d)
			}
			p.Close()
		}
	}
	t.Logf("%d programs, %d of them trap", *programs, traps)
}

// level is O1, or what IRC_TEST_LEVEL says.
func level() jit.Level {
	n := 1
	if s := os.Getenv("IRC_TEST_LEVEL"); s != "" {
		fmt.Sscan(s, &n)
	}
	return jit.LevelOf(n)
}

// kill ends a process at once.
func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
