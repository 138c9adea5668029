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
	q := question{point: syntax.Point{Data: m.inits}}
	list, err := m.ask(p, &q)
	if err != nil {
		return err
	}
	answers, err := m.answers(p, []question{q}, r.Reasons)
	if err != nil {
		return err
	}
	d := answers[0].d
	if answers[0].err != nil {
		return answers[0].err
	}
	if d.Status == cli.StatusOutside && d.Err != nil {
		return d.Err
	}
	m.warnings = append(m.warnings, list...)
	if d.Err == nil && math.IsInf(d.LogP, -1) {
		m.warnings = append(m.warnings, p.Model.Outside(q.x.State)...)
	}
	return yield(d)
}

// mostAsked is how many points may be read ahead of their densities: those that are
// there are evaluated together, and none waits for others.
const mostAsked = 64

// eachPoint evaluates at the points as they come. They are read by a goroutine of its
// own, since numbers are read about as fast as a density is computed.
func (m *model) eachPoint(ctx context.Context, p *density.Program, r cli.DensityRequest, yield func(cli.Density) error) error {
	stop := make(chan struct{})
	defer close(stop)
	read := m.readPoints(r, stop)
	for {
		list, more, err := m.together(read, r.Idle)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var wrong error // of the first point that cannot be asked for
		for i := range list {
			q := &list[i]
			warnings, err := q.list, q.err
			if err == nil {
				var others diag.List
				if others, err = m.ask(p, q); err != nil {
					err = atPoint(err, q.n, r.PointsName)
				}
				warnings = append(warnings, others...)
			}
			if err != nil {
				wrong, list = err, list[:i]
				break
			}
			if q.n == 1 { // columns that are no parameters: all points have them
				m.warnings = append(m.warnings, warnings...)
			}
		}
		answers, err := m.answers(p, list, r.Reasons)
		if err != nil {
			return err
		}
		for i, a := range answers {
			if a.err != nil {
				return atPoint(a.err, list[i].n, r.PointsName)
			}
			if a.d.Err != nil {
				a.d.Err = atPoint(a.d.Err, list[i].n, r.PointsName)
			}
			if err := yield(a.d); err != nil {
				return err
			}
		}
		if wrong != nil || !more {
			return wrong
		}
	}
}

// readPoints reads points until their end, an error, which is the last question's, or
// stop.
func (m *model) readPoints(r cli.DensityRequest, stop <-chan struct{}) <-chan question {
	out := make(chan question, mostAsked)
	points := syntax.NewPointReader(r.PointsName, r.Points, m.space != nil)
	go func() {
		defer close(out)
		for n := 1; ; n++ {
			q := question{n: n}
			q.point, q.list, q.err = points.Next()
			switch {
			case errors.Is(q.err, io.EOF):
				return
			case q.err != nil:
				q.err = fmt.Errorf("cannot read '%s': %w", r.PointsName, q.err)
			case q.list.Err() != nil:
				q.err = q.list
			case q.point.Data == nil:
				q.point.Data = m.inits
			default:
				addInits(q.point.Data, m.inits)
			}
			select {
			case out <- q:
			case <-stop:
				return
			}
			if q.err != nil {
				return
			}
		}
	}()
	return out
}

// together waits for a point and takes those with it that are there; idle is called
// before it waits.
func (m *model) together(read <-chan question, idle func() error) (list []question, more bool, err error) {
	for len(list) < mostAsked {
		select {
		case q, ok := <-read:
			if !ok {
				return list, false, nil
			}
			list = append(list, q)
			continue
		default:
		}
		if len(list) > 0 {
			return list, true, nil
		}
		if idle != nil {
			if err := idle(); err != nil {
				return nil, false, err
			}
		}
		q, ok := <-read
		if !ok {
			return nil, false, nil
		}
		list = append(list, q)
	}
	return list, true, nil
}

// addInits completes a point by the initial values: it gives only what it changes.
func addInits(point, inits *syntax.Data) {
	for _, name := range inits.Names {
		if point.Get(name) == nil {
			point.Set(name, inits.Span(name), inits.Get(name))
		}
	}
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
