package built

import (
	"context"
	"errors"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// Parse reads a program that is right.
func Parse(t *testing.T, src string, opts text.Options) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(Context(), diag.NewSource("t.mlir", src), opts)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// Run calls a function with JSON arguments on the interpreter.
func Run(t *testing.T, g *ir.Graph, entry, args string) string {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(entry)
	if err != nil {
		t.Fatal(err)
	}
	vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(args))
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Invoke(f, vals)
	if err != nil {
		return err.Error()
	}
	js, err := interp.ToJSON(g.Ctx, out, f.Results)
	if err != nil {
		t.Fatal(err)
	}
	return printed(g.Ctx, m.Printed()) + string(js)
}

// printed is what a program has printed.
func printed(c *ir.Context, list []interp.Printed) (out string) {
	for _, p := range list {
		out += interp.FormatPrinted(c, p)
	}
	return out
}

// Lowered calls a function of a program that was taken down to an engine's target, with JSON
// arguments, and reports what it left on the heap besides its results.
func Lowered(t *testing.T, kind *engine.Kind, g *ir.Graph, entry, args string) string {
	t.Helper()
	e, _, err := kind.Start(t.Context(), engine.Options{CountHeap: true})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("native code needs libLLVM (libllvm19): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(entry)
	if err != nil {
		t.Fatal(err)
	}
	vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(args))
	if err != nil {
		t.Fatal(err)
	}
	low, err := lowering.Compile(context.Background(), g, e.Target())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String(g, text.PrintOptions{}))
	}
	ps, err := e.Prepare(t.Context(), low)
	if err != nil {
		t.Fatal(err)
	}
	flat, _ := interp.Flatten(g.Ctx, f.Params, vals)
	before, err := engine.Heap(t.Context(), ps[0])
	if err != nil {
		t.Fatal(err)
	}
	results, prints, err := ps[0].Call(t.Context(), entry, flat)
	if err != nil {
		return err.Error()
	}
	after, err := engine.Heap(t.Context(), ps[0])
	if err != nil {
		t.Fatal(err)
	}
	if left := after.Since(before).Kept() - newMemory(flat, results); left > 0 { // native results are copies, and more
		t.Errorf("%s leaves %d blocks in the memory of %s", entry, left, e.Name())
	}
	out, err := interp.Unflatten(g.Ctx, f.Results, results)
	if err != nil {
		t.Fatal(err)
	}
	js, err := interp.ToJSON(g.Ctx, out, f.Results)
	if err != nil {
		t.Fatal(err)
	}
	return printed(g.Ctx, prints) + string(js)
}

// newMemory counts the blocks of results that are none of the arguments'.
func newMemory(args, results []ir.Val) (n int64) {
	seen := map[*interp.Memory]bool{}
	for _, v := range args {
		if m, ok := v.Ref.(*interp.MemRef); ok {
			seen[m.Buf.Memory] = true
		}
	}
	for _, v := range results {
		if m, ok := v.Ref.(*interp.MemRef); ok && !seen[m.Buf.Memory] {
			seen[m.Buf.Memory] = true
			n++
		}
	}
	return n
}
