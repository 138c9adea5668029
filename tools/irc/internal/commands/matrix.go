package commands

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering/derived"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/differentiate/sparse"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Matrix adds to a program, which it takes down to loops, the derivatives of which few runs have a sparse Jacobian or Hessian.
func Matrix(s *cli.Session, g *ir.Graph, src *diag.Source, r cli.MatrixRequest) (*cli.Matrix, error) {
	for _, forward := range []bool{false, true} {
		if x := differentiate.InterfaceOf(g, r.Entry, forward); x != nil {
			return nil, diag.Errorf(diag.Span{}, "the program has @%s, which is the name of what -jacobian and -hessian run", x.Name).WithFix("rename it")
		}
	}
	g, err := through(s, g, src, derived.Loops)
	if err != nil {
		return nil, err
	}
	c := &sparse.Call{Module: g, Function: r.Entry, Args: r.Args, Of: sparse.Place(r.Of), By: sparse.Place(r.By)}
	o := interp.Options{Context: s.Context, Fuel: s.Fuel(), MemLimit: r.Memory}
	if r.Second {
		return hessian(s, src, c, o)
	}
	return jacobian(s, src, c, o)
}

// jacobian is the matrix of the derivatives of the first order. Where a function has no way back, nothing is left to it.
func jacobian(s *cli.Session, src *diag.Source, c *sparse.Call, o interp.Options) (*cli.Matrix, error) {
	pattern, err := c.Pattern(o)
	if err != nil {
		return nil, err
	}
	plan := sparse.Compress(pattern, true)
	g, err := through(s, c.Module, src, strings.Join(plan.Passes(c), ","))
	if err != nil && len(plan.Dense) > 0 {
		plan = sparse.Compress(pattern, false)
		g, err = through(s, c.Module, src, strings.Join(plan.Passes(c), ","))
	}
	if err != nil {
		return nil, err
	}
	c.Module = g
	out := matrixOf(pattern, c)
	out.Forward, out.Reverse = plan.Colours, len(plan.Dense)
	out.Values = func(run func(string, []ir.Val) ([]ir.Val, error)) ([]float64, []ir.Val, error) {
		c.Run = run
		values, err := c.Jacobian(plan)
		return values, c.Results, err
	}
	return out, nil
}

// hessian is the matrix of the derivatives of the second order of a sum: those of its gradient.
func hessian(s *cli.Session, src *diag.Source, c *sparse.Call, o interp.Options) (*cli.Matrix, error) {
	var err error
	if c.Module, err = through(s, c.Module, src, sparse.Reverse(c)); err != nil {
		return nil, err
	}
	d := c.Gradient()
	pattern, err := d.Pattern(o)
	if err != nil {
		return nil, err
	}
	plan := sparse.Star(pattern.Symmetric())
	if d.Module, err = through(s, c.Module, src, sparse.Forward(d)); err != nil {
		return nil, err
	}
	out := matrixOf(plan.Pattern, d)
	out.Forward = plan.Colours
	out.Values = func(run func(string, []ir.Val) ([]ir.Val, error)) ([]float64, []ir.Val, error) {
		d.Run = run
		values, err := d.Hessian(plan)
		if err != nil {
			return nil, nil, err
		}
		return values, d.Results[:len(differentiate.InterfaceOf(d.Module, c.Function, false).Out)], nil
	}
	return out, nil
}

// matrixOf lists the entries of a pattern, and the functions that a call may run.
func matrixOf(p *sparse.Pattern, c *sparse.Call) *cli.Matrix {
	out := &cli.Matrix{Graph: c.Module, Shape: [2]int{len(p.Rows), p.Columns}}
	for i, r := range p.Rows {
		for _, j := range r {
			out.Rows, out.Columns = append(out.Rows, i), append(out.Columns, int(j))
		}
	}
	for _, forward := range []bool{true, false} {
		if x := differentiate.InterfaceOf(c.Module, c.Function, forward); x != nil {
			out.Entries = append(out.Entries, x.Name)
		}
	}
	return out
}
