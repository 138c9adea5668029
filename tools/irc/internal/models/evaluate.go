package models

import (
	"errors"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A question is a point at which a density is wanted.
type question struct {
	n     int // from 1
	point input.Point
	list  diag.List // of reading it
	err   error     // it was not read

	x      density.Point
	filled eval.Names
	bad    *eval.NodeError // it has no place in the model
}

// An answer is its density, or why there is none. That a node has no density there is
// told in the density.
type answer struct {
	d   cli.Density
	err error
}

// ask completes a question: at the values, or at the vector if there is one, for which
// the values give the discrete parameters.
func (m *bound) ask(p *density.Program, q *question) (list diag.List, err error) {
	if q.point.Vector != nil {
		q.x.Vector = q.point.Vector
		if q.x.State, list = p.DiscretePoint(q.point.Data); list.Err() != nil {
			return nil, list
		}
		return list, p.CheckVector(q.x.Vector)
	}
	st, given, list := p.Assigned(q.point.Data, m.fill)
	if list.Err() != nil {
		return nil, list
	}
	q.x.State = st
	if m.fill {
		q.filled, err = p.Fill(st, given)
	}
	if err == nil {
		q.x, err = p.PointOf(st)
	}
	if errors.As(err, &q.bad) {
		return list, nil
	}
	return list, err
}

// pointsOf are those at which a density is to be computed.
func pointsOf(list []question) (points []density.Point) {
	for _, q := range list {
		if q.bad == nil {
			points = append(points, q.x)
		}
	}
	return points
}

// answers are those to a list of questions, of the results at their points.
func answers(p *density.Program, list []question, results []*density.Result, errs []error, reasons bool) []answer {
	out := make([]answer, len(list))
	for i, q := range list {
		if q.bad != nil {
			out[i].d = without(p, q, q.bad)
			continue
		}
		out[i] = answerOf(p, q, results[0], errs[0], reasons)
		results, errs = results[1:], errs[1:]
	}
	return out
}

func answerOf(p *density.Program, q question, res *density.Result, err error, reasons bool) answer {
	var bad *eval.NodeError
	if errors.As(err, &bad) {
		return answer{d: without(p, q, bad)}
	}
	if err != nil {
		return answer{err: err}
	}
	d := shown(p, res, q.filled)
	if math.IsInf(d.LogP, -1) {
		if d.Status = cli.StatusOutside; reasons {
			d.Node = outside(p, res, q.x.State)
		}
	}
	return answer{d: d}
}

// without is the answer where a node has no density.
func without(p *density.Program, q question, bad *eval.NodeError) cli.Density {
	d := cli.Density{LogP: math.Inf(-1), Observed: math.NaN(), LogJacobian: math.NaN(), Engine: p.EngineName(),
		Status: cli.StatusInvalid, Node: bad.Node, Filled: cli.Names(q.filled), Err: bad}
	if bad.Outside {
		d.Status = cli.StatusOutside
	}
	d.Gradient, d.Coordinates = p.NoGradient(), p.Coordinates()
	return d
}

// outside names the first node whose density is 0.
func outside(p *density.Program, res *density.Result, st eval.State) string {
	if p.Space != nil {
		return p.Space.FirstOutside(res.Vector, st)
	}
	return eval.FirstOutside(p.Model, st)
}

// shown is a result as the command line wants it.
func shown(p *density.Program, res *density.Result, filled eval.Names) cli.Density {
	d := cli.Density{LogP: res.Logp, Observed: res.Observed, Engine: p.EngineName(), Filled: cli.Names(filled), LogJacobian: res.LogJacobian, Vector: res.Vector,
		Gradient: res.Gradient, Coordinates: p.Coordinates()}
	for _, n := range res.Nodes {
		d.Nodes = append(d.Nodes, cli.NodeDensity{Name: n.Name, LogP: n.Logp})
	}
	for name, a := range res.Values {
		if d.Values == nil {
			d.Values = map[string]jsontext.Array{}
		}
		d.Values[name] = jsontext.Array{Dims: a.Dims, Values: a.Values}
	}
	return d
}
