package density

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
)

// The names of the compiled functions.
const (
	Symbol              = "logdensity"
	UnconstrainedSymbol = "logdensity_unconstrained"
)

// An Arg is an argument of the function: a number (Data[0]), or a row-major array.
type Arg struct {
	Name   string // of the variable; "" for the sums, and for what @setup computes
	Scalar bool
	Dims   []int
	Data   []float64
	Fixed  bool // data alone: it never changes once @setup has run
	Out    bool // the function writes it
	Shadow bool // it takes the derivatives by the elements of the variable
	Onward bool // it holds how the elements, or with Shadow those derivatives, change in the direction that is asked for

	contents func() []float64 // makes Data where that is not fixed: there may be much of it, for each frame
}

// Options of Compile.
type Options struct {
	// Prepare makes the lowered program ready to run; nil is the interpreter's way.
	Prepare func(*ir.Graph) (run.Program, error)
	// Replicate makes it ready again, in a process beside that of Prepare's program; nil where
	// there is none. Another goroutine calls it.
	Replicate func(context.Context, run.Program) (run.Program, error)
	Context   context.Context // of all calls; nil is none
	Values    []string        // logical nodes that results show
	// Unconstrained compiles the density of a sampler's vector in place of the joint one.
	Unconstrained *space.Unconstrained
	Target        *target.Target // what Prepare makes code for; nil is the interpreter's
	Gradient      bool           // results have the derivatives by what Program.Coordinates lists
	Source        *ir.Graph      // that of the joint density without Values, if it is there already
	// Lower takes the program down to the target; nil is lowering.Compile.
	Lower func(*ir.Graph, *target.Target) (*ir.Graph, error)
}

// A Program is a compiled model. It is for one goroutine.
type Program struct {
	Model   *model.Model
	Space   *space.Unconstrained // nil on the constrained scale
	Source  *ir.Graph            // at the model's own level
	Lowered *ir.Graph

	opts    Options
	names   []string     // of coords
	coords  []coordinate // of the derivatives, with Options.Gradient
	setup   string       // the name of the function that runs once; "" if there is none
	inverse bool         // the vector is written, of nodes that are given
	args    []Arg
	sums    int // which of args takes the sums
	slots   []slot
	nodes   map[string]int // where they stand in Result.Nodes
	values  []*model.Var

	first *worker
	start time.Duration // that making it ready took
}

// A slot is one of the sums; a variable with observed and other elements has two.
type slot struct {
	name     string
	observed bool
	node     int // of Result.Nodes
}

// A Result is the log density at a point. On the unconstrained scale Logp is the sum of
// the nodes and of LogJacobian.
type Result struct {
	Logp, Observed float64
	LogJacobian    float64
	Vector         []float64
	Gradient       []float64 // with Options.Gradient: by Program.Coordinates, NaN where there is no density
	Nodes          []Node    // by variable, in the order of the model
	Values         map[string]*input.Array
}

// A Node is the part of one variable.
type Node struct {
	Name string
	Logp float64
}

// Compile compiles a model, and binds its data. The context must have the dialects of
// Dialects.
func Compile(ctx *ir.Context, m *model.Model, opts Options) (*Program, error) {
	p, err := Lower(ctx, m, opts)
	if err != nil {
		return nil, err
	}
	if err := p.signature(); err != nil {
		return nil, err
	}
	return p, p.load()
}

// Lower is Compile up to the program that would be run, and neither makes it ready nor
// memory for its arguments.
func Lower(ctx *ir.Context, m *model.Model, opts Options) (*Program, error) {
	p := &Program{Model: m, Space: opts.Unconstrained, opts: opts}
	for _, name := range opts.Values {
		v := m.Lookup(name)
		if v == nil {
			return nil, unknownValue(m, name)
		}
		p.values = append(p.values, v)
	}
	g := opts.Source
	if g == nil || len(opts.Values) > 0 || p.Space != nil {
		var d *diag.Diagnostic
		if g, d = p.graph(ctx, opts.Values); d != nil {
			return nil, d
		}
	}
	p.Source = g
	var err error
	if opts.Gradient {
		if g, err = p.withGradient(g); err != nil {
			return nil, err
		}
	}
	if p.Lowered, err = opts.lower(g); err != nil {
		return nil, err
	}
	return p, nil
}

func (o Options) lower(g *ir.Graph) (*ir.Graph, error) {
	to := o.Target
	if to == nil {
		to = target.Interp()
	}
	if o.Lower != nil {
		return o.Lower(g, to)
	}
	return lowering.Compile(context.Background(), g, to)
}

func (p *Program) graph(ctx *ir.Context, values []string) (*ir.Graph, *diag.Diagnostic) {
	if p.Space != nil {
		return emit.UnconstrainedGraph(p.Space, ctx, false, values...)
	}
	return emit.Graph(p.Model, ctx, values...)
}

func (p *Program) symbol() string {
	if p.Space != nil {
		return UnconstrainedSymbol
	}
	return Symbol
}

func unknownValue(m *model.Model, name string) error {
	d := diag.Errorf(diag.Span{}, "the model has no node %s", name)
	names := lists.Map(m.Vars, func(v *model.Var) string { return v.Name })
	if whole, _, ok := strings.Cut(name, "["); ok && slices.Contains(names, whole) {
		d.WithFix("%s is the name of the whole array, all of which is shown", whole)
	} else if near := diag.Nearest(name, names); near != "" {
		d.WithFix("did you mean %s?", near)
	}
	return d
}

// Close releases what is bound, and the code.
func (p *Program) Close() error {
	if p.first == nil {
		return nil
	}
	return p.first.close(p.context())
}

// EngineName is the name of the engine that runs the program.
func (p *Program) EngineName() string {
	name, _ := p.first.code.Engine()
	return name
}

// signature reads from the function what its arguments and sums are, and makes their memory.
func (p *Program) signature() error {
	if err := p.signatureOf(p.function()); err != nil {
		return err
	}
	p.findCoordinates()
	return nil
}

func (p *Program) signatureOf(name string) error {
	g, v, err := findFunction(p.Lowered, name)
	if err != nil {
		return err
	}
	c := g.Ctx
	body := g.Children(v)[0]
	attrs := c.AttrInfo(g.Attr(v, "arg_attrs")).List
	params := body.Params(ir.Root)
	names := c.AttrInfo(g.Attr(v, ops.NodesAttr)).List
	observed := c.AttrInfo(g.Attr(v, ops.ObservedAttr)).List
	p.nodes = map[string]int{}
	for i := range names {
		s := slot{name: c.AttrInfo(names[i]).Str, observed: c.AttrInfo(observed[i]).Int == 1}
		if _, ok := p.nodes[s.name]; !ok && s.name != ops.JacobianName {
			p.nodes[s.name] = len(p.nodes)
		}
		s.node = p.nodes[s.name]
		p.slots = append(p.slots, s)
	}
	for i, x := range params {
		a, err := p.describe(body.Type(x), c, attrs[i])
		if err != nil {
			return err
		}
		if a.Out && a.Name == "" && !a.Shadow && !a.Onward {
			p.sums = i
		}
		p.args = append(p.args, a)
	}
	return nil
}

// describe makes the memory of an argument with some attributes: of a variable, of the
// buffer that a setup fills, or of the sums.
func (p *Program) describe(t ir.Type, c *ir.Context, attrs ir.Attr) (Arg, error) {
	for _, e := range c.AttrInfo(attrs).Dict {
		switch e.Name {
		case ops.NameAttr:
			a, err := p.argument(c.AttrInfo(e.Value).Str)
			a.Scalar = t == ir.F64
			return a, err
		case funcs.Staged:
			p.setup = c.AttrInfo(e.Value).Str
			n := c.Info(t).Shape[0]
			return Arg{Dims: []int{int(n)}, Data: make([]float64, n), Fixed: true}, nil
		case differentiate.Seed: // the density is what is derived
			return Arg{Scalar: true, Data: []float64{1}, Fixed: true}, nil
		case differentiate.Shadow:
			of := p.args[c.AttrInfo(e.Value).Int]
			return Arg{Name: of.Name, Dims: of.Dims, contents: zeros(of.len()), Out: true, Shadow: true}, nil
		case differentiate.Tangent:
			of := p.args[c.AttrInfo(e.Value).Int]
			return Arg{Name: of.Name, Dims: of.Dims, contents: zeros(of.len()), Out: true, Shadow: of.Shadow, Onward: true}, nil
		}
	}
	n := len(p.slots)
	return Arg{Dims: []int{n}, contents: zeros(n), Out: true}, nil
}

// zeros makes numbers for what is written before it is read.
func zeros(n int) func() []float64 { return func() []float64 { return make([]float64, n) } }

// argument makes the memory of a variable, filled with what is known.
func (p *Program) argument(name string) (Arg, error) {
	v := p.Model.Lookup(name)
	mask := emit.MaskOf(p.Model, name)
	if p.Space != nil {
		switch base, table := p.Space.Table(name); {
		case name == ops.VectorName:
			n := p.Space.Len()
			return Arg{Name: name, Dims: []int{n}, contents: zeros(n)}, nil
		case name == ops.RandomName:
			return Arg{Name: name, Dims: []int{2}, contents: zeros(2)}, nil
		case base != nil:
			return Arg{Name: name, Dims: base.Dims, Data: table, Fixed: true}, nil
		}
	}
	switch {
	case v != nil:
		a := Arg{Name: name, Dims: v.Dims, Out: v.Has(model.Logical) || p.Space != nil && p.Space.Has(v) && !p.inverse}
		if a.Fixed = !a.Out && !v.Has(model.Parameter); a.Fixed {
			a.Data = v.Elements()
		} else {
			a.contents = v.WithGaps
		}
		return a, nil
	case mask != nil:
		return Arg{Name: name, Dims: mask.Dims, Data: emit.MaskValues(mask), Fixed: true}, nil
	}
	return Arg{}, fmt.Errorf("density: the function has an argument for %q, which the model lacks", name)
}

func findFunction(g *ir.Graph, name string) (*ir.Graph, ir.Value, error) {
	for n := range g.All() {
		if n.Def() == funcs.Func && funcs.NameOf(n.Graph(), n.Old()) == name {
			return n.Graph(), n.Old(), nil
		}
	}
	return nil, 0, fmt.Errorf("density: the module has no function @%s", name)
}

// noSums are the nodes of a result, to which sums are added.
func (p *Program) noSums() []Node {
	out := make([]Node, len(p.nodes))
	for _, s := range p.slots {
		if s.name != ops.JacobianName {
			out[s.node].Name = s.name
		}
	}
	return out
}

// define makes a sum of infinities of both signs -Inf: outside of the support there is
// no density, whatever the other factors are.
func (r *Result) define() {
	defined := func(x *float64) {
		if math.IsNaN(*x) {
			*x = math.Inf(-1)
		}
	}
	defined(&r.Logp)
	defined(&r.Observed)
	defined(&r.LogJacobian)
	for i := range r.Nodes {
		defined(&r.Nodes[i].Logp)
	}
}

// reference evaluates a point of which the compiled function says that it has no
// meaning. The error names the element; if there is none, the function met infinities
// of both signs or the edge of what has a meaning (a matrix that is nearly singular),
// and this is the result.
func (p *Program) reference(x Point) (*Result, error) {
	st := x.State
	c := make(eval.State, len(st))
	for i := range st {
		c[i] = append([]float64(nil), st[i]...)
	}
	r := &Result{Nodes: p.noSums()}
	factor := func(f eval.Factor) {
		r.Logp += f.Logp
		if f.Observed {
			r.Observed += f.Logp
		}
		if i, ok := p.nodes[f.Var.Name]; ok {
			r.Nodes[i].Logp += f.Logp
		}
	}
	var err error
	if p.Space != nil {
		r.LogJacobian, err = p.Space.Visit(x.Vector, c, factor)
		r.Logp += r.LogJacobian
	} else {
		err = eval.Visit(p.Model, c, factor)
	}
	if err != nil {
		return nil, err
	}
	r.define()
	for _, v := range p.values {
		r.show(v, c[v.ID])
	}
	r.Gradient = p.NoGradient()
	return r, nil
}

func (r *Result) show(v *model.Var, data []float64) {
	if r.Values == nil {
		r.Values = map[string]*input.Array{}
	}
	r.Values[v.Name] = &input.Array{Dims: v.Dims, Values: append([]float64(nil), data...)}
}
