package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/cli"
)

// graphs makes the module of a model, with both densities on the unconstrained scale.
func graphs(ctx *ir.Context, m *bugs.Model, unconstrained bool) (*bugs.Unconstrained, *ir.Graph, *diag.Diagnostic) {
	if !unconstrained {
		g, d := m.Graph(ctx)
		return nil, g, d
	}
	u, d := m.Unconstrained()
	if d != nil {
		return nil, nil, d
	}
	g, d := u.Graph(ctx, true)
	return u, g, d
}

// initialValues evaluates at the initial values. There is a reason to look at a density
// of 0: the nodes are named. On the unconstrained scale a value without a place there is
// an error, as it is for the sampler that would begin with it.
func (m *model) initialValues(p *density.Program, r cli.DensityRequest, yield func(cli.Density) error) error {
	d, st, list, err := m.evaluate(p, syntax.Point{Data: m.inits}, r.Reasons)
	if err != nil {
		return err
	}
	if d.Status == cli.StatusOutside && d.Err != nil {
		return d.Err
	}
	m.warnings = append(m.warnings, list...)
	if d.Err == nil && math.IsInf(d.LogP, -1) {
		m.warnings = append(m.warnings, p.Model.Outside(st)...)
	}
	return yield(d)
}

// eachPoint evaluates at one point after the other as they come.
func (m *model) eachPoint(ctx context.Context, p *density.Program, r cli.DensityRequest, yield func(cli.Density) error) error {
	points := syntax.NewPointReader(r.PointsName, r.Points, m.space != nil)
	for i := 1; ; i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		point, list, err := points.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read '%s': %w", r.PointsName, err)
		case list.Err() != nil:
			return list
		}
		if point.Data == nil {
			point.Data = m.inits
		} else {
			addInits(point.Data, m.inits)
		}
		d, _, more, err := m.evaluate(p, point, r.Reasons)
		if err != nil {
			return atPoint(err, i, r.PointsName)
		}
		if i == 1 { // columns that are no parameters: all points have them
			m.warnings = append(append(m.warnings, list...), more...)
		}
		if d.Err != nil {
			d.Err = atPoint(d.Err, i, r.PointsName)
		}
		if err := yield(d); err != nil {
			return err
		}
	}
}

// addInits completes a point by the initial values: it gives only what it changes.
func addInits(point, inits *syntax.Data) {
	for _, name := range inits.Names {
		if point.Get(name) == nil {
			point.Set(name, inits.Span(name), inits.Get(name))
		}
	}
}

// evaluate computes the density at one point: at the values, or at the vector if there
// is one, for which the values give the discrete parameters. That a node has no density
// there is told in the result; an error is one of the request.
func (m *model) evaluate(p *density.Program, x syntax.Point, reasons bool) (d cli.Density, st bugs.State, list diag.List, err error) {
	var res *density.Result
	var filled []string
	if x.Vector != nil {
		st, list = p.DiscretePoint(x.Data)
		if list.Err() != nil {
			return d, st, nil, list
		}
		res, err = p.LogDensityAt(x.Vector, st)
	} else {
		var given [][]bool
		if st, given, list = p.Assigned(x.Data, m.fill); list.Err() != nil {
			return d, st, nil, list
		}
		if m.fill {
			filled, err = p.Fill(st, given)
		}
		if err == nil {
			res, err = p.LogDensity(st)
		}
	}
	var bad *bugs.NodeError
	if errors.As(err, &bad) {
		d = cli.Density{LogP: math.Inf(-1), Observed: math.NaN(), LogJacobian: math.NaN(), Engine: p.EngineName(), Status: cli.StatusInvalid, Node: bad.Node, Filled: filled, Err: err}
		if bad.Outside {
			d.Status = cli.StatusOutside
		}
		return d, st, list, nil
	}
	if err != nil {
		return d, st, list, err
	}
	d = shown(p, res, filled)
	if math.IsInf(d.LogP, -1) {
		if d.Status = cli.StatusOutside; reasons {
			d.Node = outside(p, res, st)
		}
	}
	return d, st, list, nil
}

// outside names the first node whose density is 0.
func outside(p *density.Program, res *density.Result, st bugs.State) string {
	if p.Space != nil {
		return p.Space.FirstOutside(res.Vector, st)
	}
	return p.Model.FirstOutside(st)
}

// shown is a result as the command line wants it.
func shown(p *density.Program, res *density.Result, filled []string) cli.Density {
	d := cli.Density{LogP: res.Logp, Observed: res.Observed, Engine: p.EngineName(), Filled: filled, LogJacobian: res.LogJacobian, Vector: res.Vector}
	for _, n := range res.Nodes {
		d.Nodes = append(d.Nodes, cli.NodeDensity{Name: n.Name, LogP: n.Logp})
	}
	for name, a := range res.Values {
		if d.Values == nil {
			d.Values = map[string]any{}
		}
		d.Values[name] = nested(a.Dims, a.Values)
	}
	return d
}

// atPoint says of an error at which of several points it is.
func atPoint(err error, i int, name string) error {
	var d *diag.Diagnostic
	var list diag.List
	switch {
	case errors.As(err, &list) && len(list) > 0:
		list[0] = list[0].WithNote(diag.Span{}, "at point %d of '%s'", i, name)
	case errors.As(err, &d):
		d.WithNote(diag.Span{}, "at point %d of '%s'", i, name)
	default:
		return fmt.Errorf("at point %d of '%s': %w", i, name, err)
	}
	return err
}
