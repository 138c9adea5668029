package built

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	eq "github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/text"
)

// Parse reads a program that is right.
func Parse(t *testing.T, src string, opts text.Options) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(Context(), diag.NewSource("t.mlir", src), opts)
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

// OfEquations reads a program of equations.
func OfEquations(t *testing.T, text string) *ir.Graph {
	t.Helper()
	g, list := eq.Read(Context(), diag.NewSource("p.eq", text))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

// An ending is how a program ends that does not return.
type ending struct{ error }

// Unwrap gives what the program ended with.
func (e ending) Unwrap() error { return e.error }

// Run calls a function with JSON arguments on the interpreter, and shows what it prints and
// gives, or why it ends.
func Run(t *testing.T, g *ir.Graph, entry, args string) string {
	t.Helper()
	return shown(t)(Interpret(g, entry, args, interp.Options{}))
}

// Outcome calls @f and shows what it prints and gives, or "trap", and how often each op ran.
func Outcome(t *testing.T, g *ir.Graph, args string) (string, map[*ir.OpDef]int64) {
	t.Helper()
	count := map[*ir.OpDef]int64{}
	out, err := Interpret(g, "f", args, interp.Options{Count: count})
	switch {
	case ir.IsTrap(err):
		return "trap", count
	case err != nil:
		t.Fatal(err)
	}
	return out, count
}

// Lowered calls a function of a program that was taken down to an engine's target, with JSON
// arguments, and reports what it left on the heap besides its results. Native code is not optimised.
func Lowered(t *testing.T, kind *engine.Kind, g *ir.Graph, entry, args string) string {
	t.Helper()
	e := start(t, kind, levelOr(jit.O0))
	defer e.Close()
	p, err := Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	out, n, err := Call(t.Context(), p, g, entry, args)
	if left := n.Live - n.Results; left > 0 {
		t.Errorf("%s leaves %d blocks in the memory of %s", entry, left, e.Name())
	}
	return shown(t)(out, err)
}

// shown is what a call says: an error of the program too.
func shown(t *testing.T) func(out string, err error) string {
	return func(out string, err error) string {
		t.Helper()
		var end ending
		switch {
		case errors.As(err, &end):
			return end.Error()
		case err != nil:
			t.Fatal(err)
		}
		return out
	}
}

// Interpret calls a function with JSON arguments on the interpreter, and shows what it prints and
// gives.
func Interpret(g *ir.Graph, entry, args string, opts interp.Options) (string, error) {
	var b strings.Builder
	opts.Output = func(p interp.Printed) { b.WriteString(interp.FormatPrinted(g.Ctx, p)) }
	m, err := interp.New(g, opts)
	if err != nil {
		return "", err
	}
	f, vals, err := arguments(m, g, entry, args)
	if err != nil {
		return "", err
	}
	out, err := m.Invoke(f, vals)
	if err != nil {
		return "", ending{err}
	}
	js, err := interp.ToJSON(g.Ctx, out, f.Results)
	return b.String() + string(js), err
}

// arguments finds a function and reads its arguments.
func arguments(m *interp.Machine, g *ir.Graph, entry, args string) (*interp.Function, []ir.Val, error) {
	f, err := m.Resolve(entry)
	if err != nil {
		return nil, nil, err
	}
	vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(args), nil)
	return f, vals, err
}

// Blocks counts the blocks of memory that a call leaves, and those of its results that are none
// of its arguments'. Results of native code are copies: there may be more of them.
type Blocks struct{ Live, Results int64 }

// Call calls a function of a program that was taken down from g, with JSON arguments, and shows
// what that prints and gives.
func Call(ctx context.Context, p engine.Program, g *ir.Graph, entry, args string) (out string, n Blocks, err error) {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return "", n, err
	}
	f, vals, err := arguments(m, g, entry, args)
	if err != nil {
		return "", n, err
	}
	flat, _ := partwise.Flatten(g.Ctx, f.Params, vals)
	before, err := engine.Heap(ctx, p)
	if err != nil {
		return "", n, err
	}
	results, printed, err := p.Call(ctx, entry, flat)
	if err != nil {
		return "", n, ending{err}
	}
	after, err := engine.Heap(ctx, p)
	if err != nil {
		return "", n, err
	}
	n = Blocks{after.Since(before).Kept(), newMemory(flat, results)}
	whole, err := partwise.Unflatten(g.Ctx, f.Results, results)
	if err != nil {
		return "", n, err
	}
	js, err := interp.ToJSON(g.Ctx, whole, f.Results)
	var b strings.Builder
	for _, x := range printed {
		b.WriteString(interp.FormatPrinted(g.Ctx, x))
	}
	return b.String() + string(js), n, err
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

// Invoke calls a function on the interpreter; it must not fail.
func Invoke(t *testing.T, g *ir.Graph, entry string, args []ir.Val) {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(entry)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Invoke(f, args); err != nil {
		t.Fatal(err)
	}
}

// After calls a function with JSON arguments on the interpreter, and shows these as they are
// then, or why it ends.
func After(t *testing.T, g *ir.Graph, entry, args string) string {
	t.Helper()
	return AfterWith(t, g, entry, args, interp.Options{})
}

// AfterWith is After on an interpreter with options.
func AfterWith(t *testing.T, g *ir.Graph, entry, args string, opts interp.Options) string {
	t.Helper()
	m, err := interp.New(g, opts)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(entry)
	if err != nil {
		t.Fatal(err)
	}
	vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(args), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Invoke(f, vals); err != nil {
		return err.Error()
	}
	js, err := interp.ToJSON(g.Ctx, vals, f.Params)
	if err != nil {
		t.Fatal(err)
	}
	return string(js)
}
