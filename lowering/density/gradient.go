package density

import (
	"context"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A coordinate is where the derivative by a parameter's element, or by an element of the vector, is found.
type coordinate struct {
	name    string
	arg     int // whose shadow has it, or
	element int
	adjoint int // of the results, if it is not -1
}

// function is the name of what is called.
func (p *Program) function() string {
	if p.opts.Gradient {
		return p.symbol() + differentiate.Suffix
	}
	return p.symbol()
}

// discreteParameter says which node has no derivative, as its value varies in steps and is not known; nil is none. On the
// unconstrained scale such nodes take part as data.
func (p *Program) discreteParameter() error {
	if p.Space != nil {
		return nil
	}
	for _, s := range p.Model.Statements {
		if i := discrete(s, func(i int) bool { return s.Var.ClassAt(i) == model.Parameter }); i >= 0 {
			return diag.Errorf(s.Span(), "%s has the law %s, of numbers in steps, and no value in the data: there is no derivative by it",
				s.Var.ElemName(i), s.Dist.Name).
				WithFix("observe it, write the model with it summed out, or ask with -scale=unconstrained, where it takes part as data")
		}
	}
	return nil
}

// discrete finds the first of some elements that a statement draws from a law of numbers in steps, else -1.
func discrete(s *model.Statement, of func(i int) bool) int {
	if s.Sample == nil || !s.Var.Has(model.Parameter) || !s.Dist.Counts && !s.Dist.Law.Atoms {
		return -1
	}
	for i := range s.Var.Len() {
		if int(s.Var.DrawnBy(i).Stmt) == s.Index+1 && of(i) {
			return i
		}
	}
	return -1
}

// withGradient is the program with the function that gives derivatives, too, in the place of the density.
func (p *Program) withGradient(g *ir.Graph) (*ir.Graph, error) {
	if err := p.discreteParameter(); err != nil {
		return nil, err
	}
	g, err := through(g, "lower{to=scf},inline{threshold=-1}")
	if err != nil {
		return nil, err
	}
	owner, v, err := findFunction(g, p.symbol())
	if err != nil {
		return nil, err
	}
	sums := -1
	c := g.Ctx
	for i, a := range c.AttrInfo(owner.Attr(v, "arg_attrs")).List {
		if c.Get(a, ops.NameAttr) == 0 {
			sums = i
		}
	}
	if g, err = through(g, fmt.Sprintf("differentiate{of=%s constant=%d}", p.symbol(), sums)); err != nil {
		return nil, err
	}
	return ir.Rewrite(c, ir.ScheduleOf(g), ir.Rules{funcs.Func: func(m *ir.Mirror, n ir.Node) ir.Value {
		if symbols.Of(n) == p.symbol() {
			return m.B.Pack()
		}
		return 0
	}}, nil), nil
}

func through(g *ir.Graph, pipeline string) (*ir.Graph, error) {
	list, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{}).Run(context.Background(), g, list)
}

// findCoordinates lists what the derivatives are by: the elements of the vector, or those elements of parameters that are
// not data, in the order of the model.
func (p *Program) findCoordinates() {
	if !p.opts.Gradient {
		return
	}
	if p.Space != nil {
		for i := range p.Space.Len() {
			p.coords = append(p.coords, coordinate{name: p.Space.At(i).Name(), arg: p.shadowOf(ops.VectorName), element: i, adjoint: -1})
		}
		return
	}
	adjoints := map[string]int{}
	for _, a := range p.args {
		if v := p.Model.Lookup(a.Name); a.Scalar && v != nil && !a.Fixed {
			adjoints[a.Name] = len(adjoints)
		}
	}
	for _, v := range p.Model.Vars {
		if !v.Has(model.Parameter) {
			continue
		}
		k, isScalar := adjoints[v.Name]
		if !isScalar {
			k = -1
		}
		for i := range v.Len() {
			if v.ClassAt(i) == model.Parameter {
				p.coords = append(p.coords, coordinate{name: v.ElemName(i), arg: p.shadowOf(v.Name), element: i, adjoint: k})
			}
		}
	}
}

func (p *Program) shadowOf(name string) int {
	for i, a := range p.args {
		if a.Shadow && a.Name == name {
			return i
		}
	}
	return -1
}

// Coordinates are the names of what the derivatives of results are by.
func (p *Program) Coordinates() []string {
	if p.names == nil {
		for _, c := range p.coords {
			p.names = append(p.names, c.name)
		}
	}
	return p.names
}

// NoGradient is that of a point without a density.
func (p *Program) NoGradient() []float64 {
	if !p.opts.Gradient {
		return nil
	}
	out := make([]float64, len(p.coords))
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// gradient reads what a call left in its frame.
func (p *Program) gradient(f *frame, out outcome) []float64 {
	g := p.NoGradient()
	if math.IsInf(out.value, -1) {
		return g
	}
	for i, c := range p.coords {
		switch {
		case c.adjoint >= 0:
			g[i] = out.adjoints[c.adjoint].F64()
		case c.arg >= 0:
			g[i] = f.data[c.arg][c.element]
		default: // the density does not depend on it
			g[i] = 0
		}
	}
	return g
}
