package loop_test

import (
	"os"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

func parse(t *testing.T, src string, opts text.Options) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), opts)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

func print(g *ir.Graph, generic bool) string {
	return text.String(g, text.PrintOptions{Generic: generic})
}

func sample(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("testdata/loop.mlir")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// run calls a function with JSON arguments on the interpreter.
func run(t *testing.T, g *ir.Graph, entry, args string) string {
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

// What is printed reads as the same, in both forms, folded and verbatim, and no op is
// without a sample.
func TestText(t *testing.T) {
	for _, verbatim := range []bool{false, true} {
		opts := text.Options{Verbatim: verbatim}
		g := parse(t, sample(t), opts)
		for _, generic := range []bool{false, true} {
			once := print(g, generic)
			if again := print(parse(t, once, opts), generic); again != once {
				t.Errorf("verbatim %v, generic %v: printed\n%s\nread and printed\n%s", verbatim, generic, once, again)
			}
		}
		if !verbatim {
			continue
		}
		seen := map[*ir.OpDef]bool{}
		var walk func(g *ir.Graph)
		walk = func(g *ir.Graph) {
			ir.ScheduleOf(g).Walk(func(v ir.Value) {
				seen[g.Def(v)] = true
				for _, k := range g.Children(v) {
					walk(k)
				}
			})
		}
		walk(g)
		for _, def := range g.Ctx.Dialect("loop").Ops {
			if !seen[def] {
				t.Errorf("%s has no sample", def.Name)
			}
		}
	}
}

func TestMeaning(t *testing.T) {
	table := `[[{"name": "b", "x": 1.5, "per cent": null}, {"name": "a", "x": 2.5, "per cent": 3}, {"name": "b", "x": 7, "per cent": 3}]]`
	for _, x := range []struct{ entry, args, want string }{
		{"map_filter_reduce", `[5]`, `[30, 3, 30, [20, 10]]`},
		{"map_filter_reduce", `[0]`, `[0, 0, 0, []]`},
		{"flat_map", `[4]`, `[[0, 0, 1, 0, 1, 2, 0, 1, 2, 3]]`},
		{"records", table, `[[1, 2, 0], [7, 1.5], {"n": 3, "s": "b"}, false]`},
		{"keyed", `[[{"a": 1, "b": -0.0}, {"a": 2, "b": "NaN"}, {"a": 1, "b": 0}, {"a": 2, "b": "NaN"}]]`, `[[[{"a": 1, "b": -0.0}, {"a": 2, "b": "NaN"}]]]`},
		{"parts", `[["", "abc", "d"]]`, `[["", "abc", "d"]]`},
	} {
		for _, verbatim := range []bool{false, true} {
			if got := run(t, parse(t, sample(t), text.Options{Verbatim: verbatim}), x.entry, x.args); got != x.want {
				t.Errorf("@%s of %s, verbatim %v: %s, want %s", x.entry, x.args, verbatim, got, x.want)
			}
		}
	}
}
