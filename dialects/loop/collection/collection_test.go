package collection_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A usage is a function of arrays made with the package, and the same in plain Go.
type usage struct {
	name  string
	in    func(c *ir.Context) []ir.Type
	build func(b *ir.Builder, in []ir.Value) []ir.Value
	plain func(d data) []any
}

// data are the arguments; a usage takes as many of its fields as it has parameters of such types.
type data struct {
	xs    []int64
	ys    []float64
	names []string
	holes []*float64 // nil is null
	rows  []row
}

type row struct {
	K int64   `json:"k"`
	X float64 `json:"x"`
}

var sets = map[string]data{
	"nothing": {[]int64{}, []float64{}, []string{}, []*float64{}, []row{}},
	"one":     {[]int64{7}, []float64{-1.5}, []string{"a"}, []*float64{nil}, []row{{7, 2}}},
	"many":    many(),
}

func many() (d data) {
	words := []string{"the", "quick", "fox", "", "the", "dog"}
	for i := range 57 {
		k := int64(i*i*31%23 - 9)
		d.xs = append(d.xs, k)
		x := float64(i*17%29) / 4
		d.ys = append(d.ys, x)
		d.names = append(d.names, words[i*5%len(words)])
		d.holes = append(d.holes, nil)
		if i%3 > 0 {
			d.holes[i] = &x
		}
		d.rows = append(d.rows, row{int64(i * 7 % 11), x})
	}
	return d
}

func ints(c *ir.Context) []ir.Type   { return []ir.Type{loop.Array(c, ir.I64)} }
func floats(c *ir.Context) []ir.Type { return []ir.Type{loop.Array(c, ir.F64)} }
func both(c *ir.Context) []ir.Type   { return append(ints(c), floats(c)...) }
func words(c *ir.Context) []ir.Type  { return []ir.Type{loop.Array(c, loop.String(c))} }
func holes(c *ir.Context) []ir.Type  { return []ir.Type{loop.Array(c, loop.Nullable(c, ir.F64))} }
func table(c *ir.Context) []ir.Type {
	return []ir.Type{loop.Array(c, loop.StructOf(c, ir.Field{Name: "k", Type: ir.I64}, ir.Field{Name: "x", Type: ir.F64}))}
}

// arguments are what a usage takes of some data.
func (u usage) arguments(c *ir.Context, d data) []any {
	var out []any
	for _, t := range u.in(c) {
		switch t {
		case ints(c)[0]:
			out = append(out, d.xs)
		case floats(c)[0]:
			out = append(out, d.ys)
		case words(c)[0]:
			out = append(out, d.names)
		case holes(c)[0]:
			out = append(out, d.holes)
		default:
			out = append(out, d.rows)
		}
	}
	return out
}

// function makes a module of one function, @f.
func (u usage) function(c *ir.Context) *ir.Graph {
	module := ir.NewBuilder(c)
	funcs.Function(module, "f", u.in(c), u.build)
	b := ir.NewBuilder(c)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{module.Finish()}})
	return b.Finish()
}

// engines starts those that there are.
func engines(t *testing.T) (out []engine.Engine) {
	t.Helper()
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e, _, err := kind.Start(t.Context(), engine.Options{Level: built.Level()})
		if errors.Is(err, jit.ErrMissing) {
			t.Logf("not tried as native code, which needs libLLVM: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		out = append(out, e)
	}
	return out
}

// TestUsages: every function of the package gives what plain Go gives, on the interpreter
// as it is built, and lowered on each engine.
func TestUsages(t *testing.T) {
	list := engines(t)
	for _, u := range usages {
		t.Run(u.name, func(t *testing.T) {
			c := ir.NewContext(dialects.All...)
			g := u.function(c)
			m, err := interp.New(g, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := m.Resolve("f")
			if err != nil {
				t.Fatal(err)
			}
			check(t, u, c, f, "", func(args []ir.Val) ([]ir.Val, error) { return m.Invoke(f, args) })
			for _, e := range list {
				check(t, u, c, f, e.Name(), lowered(t, e, g, f))
			}
		})
	}
}

// check compares what a function gives of all data with what plain Go does.
func check(t *testing.T, u usage, c *ir.Context, f *interp.Function, where string, call func([]ir.Val) ([]ir.Val, error)) {
	t.Helper()
	for name, d := range sets {
		vals, err := interp.ArgsFromJSON(c, f.Params, []byte(marshal(t, u.arguments(c, d))), nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := call(vals)
		if err != nil {
			t.Fatal(err)
		}
		js, err := interp.ToJSON(c, out, f.Results)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.ReplaceAll(string(js), " ", ""), marshal(t, u.plain(d)); got != want {
			t.Errorf("%s, of %s: gives %s, want %s", where, name, got, want)
		}
	}
}

// lowered is a function as an engine runs it.
func lowered(t *testing.T, e engine.Engine, g *ir.Graph, f *interp.Function) func([]ir.Val) ([]ir.Val, error) {
	t.Helper()
	low, err := lowering.Compile(t.Context(), g, e.Target())
	if err != nil {
		t.Fatalf("for %s: %v", e.Name(), err)
	}
	ps, err := e.Prepare(t.Context(), low)
	if err != nil {
		t.Fatal(err)
	}
	return func(args []ir.Val) ([]ir.Val, error) {
		flat, _ := partwise.Flatten(g.Ctx, f.Params, args)
		out, _, err := ps[0].Call(t.Context(), "f", flat)
		if err != nil {
			return nil, err
		}
		return partwise.Unflatten(g.Ctx, f.Results, out)
	}
}

func marshal(t *testing.T, x any) string {
	t.Helper()
	js, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(js)
}
