package models

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
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

// points reads where to evaluate: at the initial values without a file. On the
// unconstrained scale a JSON array of arrays of numbers are vectors, one a point.
func (m *model) points(src *diag.Source) (points []*syntax.Data, vectors [][]float64, err error) {
	if src == nil {
		return []*syntax.Data{m.inits}, nil, nil
	}
	if t := strings.TrimSpace(src.Text); m.space != nil && strings.HasPrefix(t, "[") && strings.HasPrefix(strings.TrimSpace(t[1:]), "[") {
		if err := json.Unmarshal([]byte(src.Text), &vectors); err != nil {
			return nil, nil, diag.Errorf(src.At(0), "points on the unconstrained scale are an array of arrays of numbers: %v", err)
		}
		for range vectors {
			points = append(points, m.inits)
		}
		return points, vectors, nil
	}
	points, list := syntax.ParsePoints(src)
	if list.Err() != nil {
		return nil, nil, list
	}
	for _, point := range points {
		addInits(point, m.inits)
	}
	return points, nil, nil
}

// evaluate computes the density at one point: at the values, or at the vector if there
// is one, for which the values give the discrete parameters. With warn the nodes whose
// density is 0 are named.
func evaluate(p *density.Program, values *syntax.Data, vector []float64, fill, warn bool) (*density.Result, []string, diag.List, error) {
	if vector != nil {
		st, list := p.DiscretePoint(values)
		if err := list.Err(); err != nil {
			return nil, nil, nil, err
		}
		res, err := p.LogDensityAt(vector, st)
		return res, nil, list, err
	}
	st, filled, list := p.Point(values, fill)
	if err := list.Err(); err != nil {
		return nil, nil, nil, err
	}
	res, err := p.LogDensity(st)
	if err == nil && warn && math.IsInf(res.Logp, -1) {
		list = append(list, p.Model.Outside(st)...)
	}
	return res, filled, list, err
}
