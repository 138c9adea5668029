package models

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Simulate draws every node that has no value, in dependence order. Initial values, and
// those of a point, are values: what is drawn is drawn given them.
func (m *bound) Simulate(ctx context.Context, r cli.SimulationRequest, yield func([]string, map[string]any) error) error {
	if err := needValues(m.m); err != nil {
		return err
	}
	if r.Points == nil {
		return m.simulate(m.inits, r.Seed, 0, yield)
	}
	points := input.NewPointReader(r.PointsName, r.Points, false)
	for n := 1; ; n++ {
		x, list, err := points.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read '%s': %w", r.PointsName, err)
		case list.Err() != nil:
			return list
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		addInits(x.Data, m.inits)
		// Each point has random numbers of its own; those of the first are those of the seed.
		if err := m.simulate(x.Data, r.Seed+uint64(n-1)*streamStep, n, yield); err != nil {
			return atPoint(err, n, r.PointsName)
		}
	}
}

// streamStep is between the seeds of points: 2^64 divided by the golden ratio, so that they
// are not those of other small seeds.
const streamStep = 0x9E3779B97F4A7C15

// simulate draws once, given a point; warnings are those of the first.
func (m *bound) simulate(point *input.Data, seed uint64, n int, yield func([]string, map[string]any) error) error {
	st := eval.NewState(m.m)
	given, list := eval.Assign(m.m, st, point)
	if err := list.Err(); err != nil {
		return list
	}
	if n <= 1 {
		m.warnings = append(m.warnings, list...)
	}
	st, err := eval.SimulateGiven(m.m, st, given, seed)
	if err != nil {
		return err
	}
	return yield(m.drawn(st))
}

// drawn are the values of the nodes.
func (m *bound) drawn(st eval.State) ([]string, map[string]any) {
	var names []string
	values := map[string]any{}
	for _, v := range m.m.Vars {
		if v.Has(model.Parameter) || v.Has(model.Logical) || v.Has(model.Observed) {
			names = append(names, v.Name)
			values[v.Name] = nested(v.Dims, st[v.ID])
		}
	}
	return names, values
}
