package density

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/differentiate"
)

// A Library is all that a sampler asks of a model, as functions: see LibraryGraph.
type Library struct {
	Model *model.Model
	Space *space.Unconstrained

	Density, Gradient, Product *Routine // Product: of the Hessian and a vector
	Constrain, Unconstrain     *Routine
}

// A Routine is a function of a library.
type Routine struct {
	Name  string
	Setup string // the name of the function that runs once before, with the same arguments; "" if there is none
	Args  []Arg
	Sums  []string // what the argument without a name takes, by name
}

// Contents are what an argument holds before a call.
func (a *Arg) Contents() []float64 {
	if a.contents != nil {
		return a.contents()
	}
	return a.Data
}

// Len is the number of elements.
func (a *Arg) Len() int { return a.len() }

// LibraryGraph is the program with the functions of a library: @logdensity_unconstrained with its gradient and the
// derivative of that in a direction, @constrain, which writes all nodes of a vector, and @unconstrain.
func LibraryGraph(ctx *ir.Context, u *space.Unconstrained) (*ir.Graph, error) {
	for _, s := range u.Model.Statements {
		if k := discrete(s, func(k int) bool { return roles.Of(u.Model, s.Var, k) == roles.RoleParameter }); k >= 0 {
			return nil, diag.Errorf(s.Span(), "%s has the law %s, of numbers in steps, and no value in the data: a sampler that goes by gradients cannot move it",
				s.Var.ElemName(k), s.Dist.Name).WithFix("observe it, or write the model with it summed out")
		}
	}
	if u.Len() == 0 {
		return nil, diag.Errorf(diag.Span{}, "the model has no parameters: there is nothing to sample").WithFix("`irc logdensity` evaluates it")
	}
	g, d := emit.SpaceGraph(u, ctx, Computed(u.Model))
	if d != nil {
		return nil, d
	}
	g, err := through(g, "lower{to=scf},inline{threshold=-1},differentiate{of="+UnconstrainedSymbol+"}")
	if err != nil {
		return nil, err
	}
	p := &Program{Model: u.Model, Space: u, Lowered: g}
	if err := p.signatureOf(gradientSymbol); err != nil {
		return nil, err
	}
	for i, a := range p.args {
		if a.Name == ops.VectorName && !a.Shadow {
			return through(g, fmt.Sprintf("differentiate{of=%s wrt=%d mode=forward}", gradientSymbol, i))
		}
	}
	return nil, fmt.Errorf("density: the function has no argument for the vector")
}

const gradientSymbol = UnconstrainedSymbol + differentiate.Suffix

// Computed lists the variables with elements that are computed of parameters and that observations depend on.
func Computed(m *model.Model) (out []string) {
	for _, v := range m.Vars {
		if v.Has(model.Logical) && roles.Counts(m, v)[roles.TransformedParameter] > 0 {
			out = append(out, v.Name)
		}
	}
	return out
}

// LibraryOf describes the functions of a library's program once it is lowered.
func LibraryOf(u *space.Unconstrained, lowered *ir.Graph) (*Library, error) {
	l := &Library{Model: u.Model, Space: u}
	for _, x := range []struct {
		to   **Routine
		name string
	}{{&l.Density, UnconstrainedSymbol}, {&l.Gradient, gradientSymbol}, {&l.Product, gradientSymbol + differentiate.Onward},
		{&l.Constrain, ops.ConstrainName}, {&l.Unconstrain, ops.UnconstrainName}} {
		p := &Program{Model: u.Model, Space: u, Lowered: lowered, inverse: x.name == ops.UnconstrainName}
		if err := p.signatureOf(x.name); err != nil {
			return nil, err
		}
		r := &Routine{Name: x.name, Setup: p.setup, Args: p.args}
		for _, s := range p.slots {
			r.Sums = append(r.Sums, s.name)
		}
		*x.to = r
	}
	return l, nil
}
