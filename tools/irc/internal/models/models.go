// Package models gives the irc command its BUGS models: it reads programs, data,
// initial values and points, and runs the compiled log density on the engine that
// the command line asks for.
package models

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/stage"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// Frontend is the front end for BUGS models.
type Frontend struct{}

// Compile binds a model to its data.
func (Frontend) Compile(ctx *ir.Context, r cli.ModelRequest) (cli.Model, error) {
	data, list := readAll(r.Data)
	list = append(list, parameters(data, r.Params)...)
	list = append(list, shapes(data, r.Shapes)...)
	if list.Err() != nil {
		return nil, list
	}
	inits, more := readAll(r.Inits)
	if r.Forget != nil {
		r.Forget()
	}
	if list = append(list, more...); list.Err() != nil {
		return nil, list
	}
	name := strings.TrimSuffix(filepath.Base(r.Source.Name), filepath.Ext(r.Source.Name))
	x := readAs(r, name, data)
	m := x.m
	if list = append(list, x.list...); list.Err() != nil {
		if d := firstError(list); len(r.Data) == 0 && len(data.Names) == 0 && strings.Contains(d.Fix, "in the data") {
			d.WithNote(diag.Span{}, "the model is given no data (-data FILE)")
		}
		return nil, list
	}
	if r.Scale == "unconstrained" {
		if err := needValues(m); err != nil {
			return nil, err
		}
	}
	again := func(data *input.Data) *reading { return readAs(r, name, data) }
	room, g, d := graphs(ctx, m, r.Scale == "unconstrained")
	if d != nil {
		return nil, append(list, d)
	}
	if room != nil {
		list = append(list, room.Warnings...)
	}
	return &bound{ctx: ctx, m: m, g: g, space: room, data: data, again: again, inits: inits, fill: r.FillInits == "prior", warnings: list}, nil
}

// longText is how long a text is that is given up once it was read, in bytes.
const longText = 1 << 20

// readAll reads files of data into one table; a name in two of them is an error.
func readAll(files []*diag.Source) (*input.Data, diag.List) {
	all := input.NewData()
	var list diag.List
	for _, src := range files {
		d, more := input.ParseData(src, input.DetectKind(src.Name, src.Text))
		list = append(list, more...)
		if more.Err() != nil {
			continue
		}
		if size := len(src.Text); len(more) == 0 && size >= longText {
			d.Detach(src)
			if size >= 64*longText {
				debug.FreeOSMemory() // what follows has other memory before the collector looks
			}
		}
		list = append(list, all.Merge(d)...)
	}
	return all, list
}

// shapes enters the data of which -shapes gives the sizes alone.
func shapes(data *input.Data, src *diag.Source) diag.List {
	if src == nil {
		return nil
	}
	d, list := input.ParseShapes(src)
	if list.Err() != nil {
		return list
	}
	for _, name := range d.Names {
		if data.Get(name) == nil {
			data.Set(name, d.Span(name), d.Get(name))
		} else if d.Get(name).Shape {
			list = append(list, diag.Errorf(d.Span(name), "%s is in the data, too", name).WithNote(data.Span(name), "here").
				WithFix("leave it out of -shapes"))
		}
	}
	return list
}

// needValues is the error for a model that was compiled from shapes.
func needValues(m *model.Model) error {
	if !m.Abstract() {
		return nil
	}
	return diag.Errorf(diag.Span{}, "the model cannot run: -shapes gives sizes of its data, and no values").WithFix("give the data with -data")
}

// parameters enters the values of -D.
func parameters(data *input.Data, params map[string]string) diag.List {
	var list diag.List
	for name, text := range params {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			list = append(list, diag.Errorf(diag.Span{}, "-D %s=%s is no number", name, text))
			continue
		}
		data.Set(name, diag.Span{}, &input.Array{Values: []float64{x}})
	}
	return list
}

// bound is a model that is bound to its data, with its graph.
type bound struct {
	ctx      *ir.Context
	m        *model.Model
	g        *ir.Graph
	data     *input.Data
	again    func(*input.Data) *reading // reads the program with other data
	inits    *input.Data
	fill     bool
	space    *space.Unconstrained // with -scale=unconstrained
	warnings diag.List
}

func (m *bound) Graph() *ir.Graph { return m.g }

func (m *bound) Warnings() diag.List { return m.warnings }

func (m *bound) Facts() cli.ModelFacts {
	observed, drawn := m.m.Counts()
	parameters := parametersOf(m.m)
	f := cli.ModelFacts{Name: m.m.Name, Parameters: parameters, Generated: drawn - parameters, Observed: observed, Order: order.Sequence(m.m)}
	f.Tables = sync.OnceValue(m.tables)
	if m.space != nil {
		f.Unconstrained, f.Coordinates = true, m.space.Len()
		f.Coordinate = func(i int) (string, string) {
			c := m.space.At(i)
			return c.Name(), c.Kind.String()
		}
	}
	return f
}

// tables are the arguments of the density that are no variables, but for the vector.
func (m *bound) tables() map[string]jsontext.Array {
	out := map[string]jsontext.Array{}
	for n := range m.g.All() {
		if n.Def() != ops.Data {
			continue
		}
		name := m.g.Ctx.AttrInfo(n.Attr("name")).Str
		if mask := emit.MaskOf(m.m, name); mask != nil {
			out[name] = jsontext.Array{Dims: mask.Dims, Values: emit.MaskValues(mask)}
		} else if m.space != nil {
			if v, table := m.space.Table(name); v != nil {
				out[name] = jsontext.Array{Dims: v.Dims, Values: table}
			}
		}
	}
	return out
}

// Source is the program as it is written.
func (m *bound) Source() (*ir.Graph, error) {
	g, d := stage.SourceStage(m.m).Graph(m.ctx)
	if d != nil {
		return nil, d
	}
	return g, nil
}

// Context gives the model to passes.
func (m *bound) Context(ctx context.Context) context.Context { return stage.WithModel(ctx, m.m) }

// StatementGraph draws the statement graph of a program on its way to sequential code.
func (m *bound) StatementGraph(g *ir.Graph) (string, error) { return stage.StatementGraph(g) }

// LogDensity compiles the density once and evaluates it at each point.
func (m *bound) LogDensity(ctx context.Context, r cli.DensityRequest, yield func(cli.Density) error) error {
	if err := needValues(m.m); err != nil {
		return err
	}
	e, err := r.Start(ctx)
	if err != nil {
		return err
	}
	defer e.Close()
	runs := e
	lower := func(g *ir.Graph, _ *target.Target) (low *ir.Graph, err error) {
		runs, low, err = engine.Lowered(e, g, r.Lower)
		return low, err
	}
	prepare := func(g *ir.Graph) (run.Program, error) {
		ps, err := runs.Prepare(ctx, g)
		if err != nil {
			return nil, err
		}
		if r.Runs != nil {
			r.Runs(ps[0])
		}
		return ps[0], nil
	}
	opts := density.Options{Prepare: prepare, Replicate: engine.Another, Context: ctx, Values: r.Values, Gradient: r.Gradient, Unconstrained: m.space, Target: e.Target(), Lower: lower, Source: m.g}
	p, err := density.Compile(m.ctx, m.m, opts)
	if err != nil {
		return err
	}
	defer p.Close()
	if r.Points == nil {
		return m.initialValues(p, r, yield)
	}
	return m.eachPoint(ctx, p, r, yield)
}

// nested makes a row-major array nested lists.
func nested(dims []int, values []float64) any {
	if len(dims) == 0 {
		return values[0]
	}
	if len(dims) == 1 {
		return values
	}
	out := make([]any, dims[0])
	n := len(values) / max(dims[0], 1)
	for i := range out {
		out[i] = nested(dims[1:], values[i*n:(i+1)*n])
	}
	return out
}
