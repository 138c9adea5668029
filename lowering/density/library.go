package density

import (
	"fmt"
	"slices"

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
	Generate                   *Routine // Constrain with generated quantities; nil where there are none, or one cannot be drawn
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
// derivative of that in a direction, @constrain, which writes all nodes of a vector, and @unconstrain; with both
// also @logdensity.
func LibraryGraph(ctx *ir.Context, u *space.Unconstrained, both bool) (*ir.Graph, error) {
	if err := samplable(u); err != nil {
		return nil, err
	}
	computed, generated := Computed(u)
	g, d := emit.SpaceGraph(u, ctx, both, computed, generated)
	if d != nil {
		g, d = emit.SpaceGraph(u, ctx, both, computed, nil)
	}
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
	vector := slices.IndexFunc(p.args, func(a Arg) bool { return a.Name == ops.VectorName && !a.Shadow })
	return through(g, fmt.Sprintf("differentiate{of=%s wrt=%d mode=forward}", gradientSymbol, vector))
}

// samplable says why there is nothing to move, or what cannot be moved by gradients.
func samplable(u *space.Unconstrained) error {
	for _, s := range u.Model.Statements {
		if k := discrete(s, func(k int) bool { return roles.Of(u.Model, s.Var, k) == roles.RoleParameter }); k >= 0 {
			return diag.Errorf(s.Span(), "%s has the law %s, of numbers in steps, and no value in the data: a sampler that goes by gradients cannot move it",
				s.Var.ElemName(k), s.Dist.Name).WithFix("observe it, or write the model with it summed out")
		}
	}
	if u.Len() > 0 {
		return nil
	}
	for _, s := range u.Model.Statements {
		if s.Dist != nil && roles.Counts(u.Model, s.Var)[roles.GeneratedQuantity] > 0 {
			return diag.Errorf(s.Span(), "the model has no parameters: no observation depends on %s, so that it is drawn and not sampled", s.Var.Name).
				WithFix("give the data that depend on it: a loop whose range is empty, as 1:0, has none")
		}
	}
	return diag.Errorf(diag.Span{}, "the model has no parameters: there is nothing to sample").WithFix("`irc logdensity` evaluates it, and `irc run` simulates it")
}

const gradientSymbol = UnconstrainedSymbol + differentiate.Suffix

// Computed lists the variables with elements that are computed of parameters, and that observations depend on; and those
// with elements on which none depends, or nothing where some of these cannot be drawn.
func Computed(u *space.Unconstrained) (computed, generated []string) {
	m, all := u.Model, true
	for _, v := range m.Vars {
		n := roles.Counts(m, v)
		if v.Has(model.Logical) && n[roles.TransformedParameter] > 0 {
			computed = append(computed, v.Name)
		}
		if n[roles.GeneratedQuantity] > 0 {
			generated = append(generated, v.Name)
			all = all && (!v.Has(model.Parameter) || emit.Drawable(u, v))
		}
	}
	if !all {
		generated = nil
	}
	return computed, generated
}

// LibraryOf describes the functions of a library's program once it is lowered, nil for those that it lacks.
func LibraryOf(u *space.Unconstrained, lowered *ir.Graph) (*Library, error) {
	l := &Library{Model: u.Model, Space: u}
	for _, x := range []struct {
		to   **Routine
		name string
	}{{&l.Density, UnconstrainedSymbol}, {&l.Gradient, gradientSymbol}, {&l.Product, gradientSymbol + differentiate.Onward},
		{&l.Constrain, ops.ConstrainName}, {&l.Unconstrain, ops.UnconstrainName}, {&l.Generate, ops.GenerateName}} {
		if _, _, err := findFunction(lowered, x.name); err != nil {
			continue
		}
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
