package sequence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/stage"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/sequence"
)

func all() pass.List { return append(lowering.AllPasses(), sequence.Passes()...) }

func bind(t *testing.T, text string) *model.Model {
	t.Helper()
	prog, list := syntax.Parse(diag.NewSource("m.bug", text), syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	m, list := bugs.Analyze(prog, nil, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return m
}

// run takes a model as it is written through a pipeline.
func run(t *testing.T, m *model.Model, pipeline string) (*ir.Graph, *pass.Manager, error) {
	t.Helper()
	p, err := pass.Parse(pipeline, all())
	if err != nil {
		t.Fatal(err)
	}
	g, d := stage.SourceStage(m).Graph(ir.NewContext(dialects.All...))
	if d != nil {
		t.Fatal(d)
	}
	man := &pass.Manager{VerifyEach: true, Count: true}
	n, err := man.Run(stage.WithModel(context.Background(), m), g, p)
	return n, man, err
}

func show(g *ir.Graph) string { return text.String(ir.Settle(g), text.PrintOptions{}) }

const toReconstruct = "bugs-statement-graph,bugs-remove-transformed-data,bugs-fission,bugs-classify,bugs-order,bugs-fuse,bugs-reconstruct"

// Each pass does something to its example, after those before it.
func TestExamples(t *testing.T) {
	if err := all().Validate(); err != nil {
		t.Error(err)
	}
	before := ""
	for _, info := range sequence.Passes() {
		if info.Model {
			m := bind(t, info.Example)
			was, _, err := run(t, m, before)
			if err != nil {
				t.Fatal(err)
			}
			before = strings.TrimPrefix(before+","+info.Name, ",")
			is, man, err := run(t, m, before)
			if err != nil {
				t.Fatalf("%s: %v", info.Name, err)
			}
			if show(was) == show(is) {
				t.Errorf("%s changes nothing in\n%s", info.Name, show(is))
			}
			if _, _, err := run(t, m, info.Pipeline); err != nil {
				t.Errorf("%s: %v", info.Pipeline, err)
			}
			if info.Statistics != nil && man.Stats(info.Name, "removed") == 0 {
				t.Errorf("%s counts nothing", info.Name)
			}
			continue
		}
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("m.mlir", info.Example), text.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		p, _ := pass.Parse(info.Name, all())
		n, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, p)
		if err != nil || !strings.Contains(show(n), "func.func @logdensity") {
			t.Errorf("%s: %v\n%s", info.Name, err, show(n))
		}
	}
}

// The passes one by one end where the model goes at once.
func TestPipeline(t *testing.T) {
	for _, info := range sequence.Passes() {
		if !info.Model {
			continue
		}
		m := bind(t, info.Example)
		got, _, err := run(t, m, sequence.Pipeline+",bugs-log-density")
		if err != nil {
			t.Fatal(err)
		}
		g, d := emit.Graph(m, ir.NewContext(dialects.All...))
		if d != nil {
			t.Fatal(d)
		}
		p, _ := pass.Parse("bugs-log-density", all())
		want, err := (&pass.Manager{}).Run(context.Background(), g, p)
		if err != nil {
			t.Fatal(err)
		}
		if show(got) != show(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", info.Name, show(got), show(want))
		}
	}
}

// A pass that comes too early says what is to run before it.
func TestTooEarly(t *testing.T) {
	m := bind(t, sequence.Passes()[0].Example)
	for pipeline, want := range map[string]string{
		"bugs-fuse":                                           "run bugs-order before",
		"bugs-fission,bugs-fuse":                              "run bugs-order before",
		"bugs-reconstruct":                                    "run bugs-order before",
		"bugs-lower-observations":                             "run bugs-order, bugs-fuse and bugs-reconstruct before",
		"bugs-order,bugs-lower-observations":                  "run bugs-order, bugs-fuse and bugs-reconstruct before",
		"bugs-order,bugs-log-density":                         "bugs-lower-observations before",
		toReconstruct + ",bugs-lower-observations,bugs-order": "give the pass the .bug file",
	} {
		if _, _, err := run(t, m, pipeline); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", pipeline, err, want)
		}
	}
	p, _ := pass.Parse("bugs-order", all())
	g, _ := stage.SourceStage(m).Graph(ir.NewContext(dialects.All...))
	if _, err := (&pass.Manager{}).Run(context.Background(), g, p); err == nil || !strings.Contains(err.Error(), "needs a model and its data") {
		t.Error(err)
	}
}

// The statement graph of the example: what is drawn.
func TestStatementGraph(t *testing.T) {
	m := bind(t, sequence.Passes()[0].Example)
	g, _, err := run(t, m, "bugs-statement-graph,bugs-classify")
	if err != nil {
		t.Fatal(err)
	}
	dot, err := stage.StatementGraph(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"2" -> "1" [ label="x: zero, negative (-) (0)"`, `"5" -> "2" [ label="m: unknown"`, `"1" -> "3" [ label="y: zero (0)"`, `label="(4) w[i] <- i * 2"`} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %s in\n%s", want, dot)
		}
	}
	plain, _ := emit.Graph(m, ir.NewContext(dialects.All...))
	if dot, _ := stage.StatementGraph(plain); dot != "" {
		t.Errorf("a graph without dependences is drawn:\n%s", dot)
	}
}
