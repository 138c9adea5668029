package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// graphs makes the module of a model, with both densities on the unconstrained scale.
func graphs(ctx *ir.Context, m *model.Model, unconstrained bool) (*space.Unconstrained, *ir.Graph, *diag.Diagnostic) {
	if !unconstrained {
		g, d := emit.Graph(m, ctx)
		return nil, g, d
	}
	u, d := space.New(m)
	if d != nil {
		return nil, nil, d
	}
	g, d := emit.UnconstrainedGraph(u, ctx, true)
	return u, g, d
}

// initialValues evaluates at the initial values. There is a reason to look at a density
// of 0: the nodes are named. On the unconstrained scale a value without a place there is
// an error, as it is for the sampler that would begin with it.
func (m *bound) initialValues(p *density.Program, r cli.DensityRequest, yield func(cli.Density) error) error {
	q := question{point: input.Point{Data: m.inits}}
	list, err := m.ask(p, &q)
	if err != nil {
		return err
	}
	asked := []question{q}
	results, errs, err := p.LogDensities(pointsOf(asked))
	if err != nil {
		return err
	}
	a := answers(p, asked, results, errs, r.Reasons)[0]
	if a.err != nil {
		return a.err
	}
	d := a.d
	if d.Status == cli.StatusOutside && d.Err != nil {
		return d.Err
	}
	m.warnings = append(m.warnings, list...)
	if d.Err == nil && math.IsInf(d.LogP, -1) {
		m.warnings = append(m.warnings, eval.Outside(p.Model, q.x.State)...)
	}
	return yield(d)
}

// readAhead is how many points may be read before somebody evaluates them: those that are
// there are evaluated together, and none waits for others.
const readAhead = 128

// A job is questions that are answered together.
type job struct {
	list  []question
	batch *density.Batch
	wrong error // of the point after them, which cannot be asked for
}

// eachPoint evaluates at the points as they come, and yields in their order. They are
// read by a goroutine of its own, since numbers are read about as fast as a density is
// computed.
func (m *bound) eachPoint(ctx context.Context, p *density.Program, r cli.DensityRequest, yield func(cli.Density) error) error {
	stop := make(chan struct{})
	defer close(stop)
	read := m.readPoints(r, stop)
	pool := p.Pool()
	defer pool.Close()
	var list []question // that nobody evaluates yet
	var jobs []job      // in the order of their points
	more := true
	for {
		for ; len(jobs) > 0 && jobs[0].batch.Done(); jobs = jobs[1:] {
			if jobs[0].batch.Err != nil && ctx.Err() != nil { // for whatever it was stopped
				return context.Cause(ctx)
			}
			if err := m.give(p, r, jobs[0], yield); err != nil {
				return err
			}
		}
		if more && pool.Free() && len(jobs) < 2*pool.Most() {
			if len(list)+len(read) > pool.BatchSize() {
				pool.Waiting()
			}
			if list, more = together(read, list, pool.BatchSize()); len(list) > 0 {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				j := m.asked(p, r, list)
				if list = nil; j.wrong != nil {
					more = false
				}
				j.batch = pool.Start(pointsOf(j.list))
				jobs = append(jobs, j)
				continue
			}
		}
		if !more && len(jobs) == 0 {
			return nil
		}
		if len(jobs) == 0 && r.Idle != nil {
			if err := r.Idle(); err != nil {
				return err
			}
		}
		next := read
		if !more || !pool.Free() || len(jobs) >= 2*pool.Most() {
			next = nil
		}
		select {
		case n := <-pool.News():
			pool.Take(n)
		case q, ok := <-next:
			if more = ok; ok {
				list = append(list, q)
			}
		}
	}
}

// asked makes a job of questions: of those before the first that cannot be asked.
func (m *bound) asked(p *density.Program, r cli.DensityRequest, list []question) job {
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
			return job{list: list[:i], wrong: err}
		}
		if q.n == 1 { // columns that are no parameters: all points have them
			m.warnings = append(m.warnings, warnings...)
		}
	}
	return job{list: list}
}

// give yields the densities of a job.
func (m *bound) give(p *density.Program, r cli.DensityRequest, j job, yield func(cli.Density) error) error {
	if j.batch.Err != nil {
		return j.batch.Err
	}
	for i, a := range answers(p, j.list, j.batch.Results, j.batch.Errs, r.Reasons) {
		if a.err != nil {
			return atPoint(a.err, j.list[i].n, r.PointsName)
		}
		if a.d.Err != nil {
			a.d.Err = atPoint(a.d.Err, j.list[i].n, r.PointsName)
		}
		if err := yield(a.d); err != nil {
			return err
		}
	}
	return j.wrong
}

// readPoints reads points until their end, an error, which is the last question's, or
// stop.
func (m *bound) readPoints(r cli.DensityRequest, stop <-chan struct{}) <-chan question {
	out := make(chan question, readAhead)
	points := input.NewPointReader(r.PointsName, r.Points, m.space != nil)
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

// together takes the questions that are there, at most so many with those of a list.
func together(read <-chan question, list []question, most int) (_ []question, more bool) {
	for len(list) < most {
		select {
		case q, ok := <-read:
			if !ok {
				return list, false
			}
			list = append(list, q)
		default:
			return list, true
		}
	}
	return list, true
}

// addInits completes a point by the initial values: it gives only what it changes.
func addInits(point, inits *input.Data) {
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
