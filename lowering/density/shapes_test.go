package density

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// A model that is compiled from the shapes of its data has the density of the one that
// is compiled from the data, once these are there.
func TestShapes(t *testing.T) {
	files, _ := filepath.Glob(examples + "*.bug")
	agreed := 0
	for _, file := range files {
		stem := strings.TrimSuffix(file, ".bug")
		if _, err := os.Stat(stem + "-inits.json"); err != nil {
			continue
		}
		prog, list := syntax.Parse(read(t, file), syntax.Options{})
		data, more := input.ParseData(read(t, stem+"-data.json"), input.JSON)
		inits, less := input.ParseData(read(t, stem+"-inits.json"), input.JSON)
		if list.Err() != nil || more.Err() != nil || less.Err() != nil {
			continue
		}
		shapes := input.NewData()
		for _, name := range data.Names {
			a := data.Get(name)
			if (a.Dims != nil || !a.IsInt) && a.Missing == nil {
				a = &input.Array{Dims: a.Dims, Shape: true}
			}
			shapes.Set(name, data.Span(name), a)
		}
		// Bounds, sizes and left sides that data tell are an error here.
		abstract, list := bugs.Analyze(prog, shapes, bugs.Options{})
		if list.Err() != nil {
			continue
		}
		ctx := newContext()
		g, d := emit.Graph(abstract, ctx)
		if d != nil {
			continue
		}
		m, list := bugs.Analyze(prog, data, bugs.Options{})
		if list.Err() != nil {
			t.Fatal(file, list)
		}
		want := evaluate(t, &Program{Model: m}, nil, ctx, inits)
		got := evaluate(t, &Program{Model: m}, g, ctx, inits)
		if math.Abs(got-want) > 1e-11*math.Abs(want) {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
		agreed++
	}
	if t.Logf("%d models are compiled from shapes", agreed); agreed < 10 {
		t.Error("too few")
	}
}

// evaluate lowers a graph of the model, or its own, and runs it on the data.
func evaluate(t *testing.T, p *Program, g *ir.Graph, ctx *ir.Context, inits *input.Data) float64 {
	t.Helper()
	if g == nil {
		var d error
		if g, d = graphOf(p.Model, ctx); d != nil {
			t.Fatal(d)
		}
	}
	p.Lowered = ir.Rewrite(ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), lower.Lower(target.Host()), nil)
	p.Lowered = ir.Rewrite(ctx, ir.NewSchedule(p.Lowered, ir.ScheduleOptions{}), nil, nil)
	err := p.signature()
	if err == nil {
		err = p.load()
	}
	if err != nil {
		t.Fatal(err)
	}
	st, _, list := p.Point(inits, true)
	if list.Err() != nil {
		t.Fatal(list)
	}
	r, err := p.LogDensity(st)
	if err != nil {
		t.Fatal(err)
	}
	return r.Logp
}

func graphOf(m *model.Model, ctx *ir.Context) (*ir.Graph, error) {
	g, d := emit.Graph(m, ctx)
	if d != nil {
		return nil, d
	}
	return g, nil
}
