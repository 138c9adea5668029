package density

import (
	"context"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
)

// A Point is where a density is wanted: a state whose parameters have values; on the
// unconstrained scale a vector, and the state for the discrete parameters.
type Point struct {
	State  eval.State
	Vector []float64
}

// LogDensity evaluates the model at a state whose parameters have values. On the
// unconstrained scale it is at the vector that these have there, and parameters that
// have none there are an error.
func (p *Program) LogDensity(st eval.State) (*Result, error) {
	x, err := p.PointOf(st)
	if err != nil {
		return nil, err
	}
	return p.at(x)
}

// PointOf is the point of a state whose parameters have values.
func (p *Program) PointOf(st eval.State) (x Point, err error) {
	x.State = st
	if p.Space != nil {
		x.Vector, err = p.Space.Vector(st)
	}
	return x, err
}

// LogDensityAt evaluates the density at a vector on the unconstrained scale; the state
// gives the discrete parameters.
func (p *Program) LogDensityAt(vec []float64, st eval.State) (*Result, error) {
	if err := p.CheckVector(vec); err != nil {
		return nil, err
	}
	return p.at(Point{st, vec})
}

// CheckVector refuses vectors of another length than the model's.
func (p *Program) CheckVector(vec []float64) error {
	if len(vec) != p.Space.Len() {
		return diag.Errorf(diag.Span{}, "the vector is of length %d, and the model has %d on the unconstrained scale", len(vec), p.Space.Len()).
			WithFix("-scale=unconstrained -json prints the names as \"vector\"")
	}
	return nil
}

func (p *Program) at(x Point) (*Result, error) {
	results, errs, err := p.LogDensities([]Point{x})
	if err != nil {
		return nil, err
	}
	return results[0], errs[0]
}

// LogDensities evaluates at several points, many in one request to the engine. Each has
// a result or an error of its own; err ends all.
func (p *Program) LogDensities(points []Point) (results []*Result, errs []error, err error) {
	for list := range slices.Chunk(points, p.BatchLimit()) {
		b := &Batch{Points: list, w: p.first}
		b.run(p.context(), b.calls(p.context()))
		if b.finish(); b.Err != nil {
			return nil, nil, b.Err
		}
		results, errs = append(results, b.Results...), append(errs, b.Errs...)
	}
	return results, errs, nil
}

// A Batch is at most BatchSize points and what comes of them.
type Batch struct {
	Points  []Point
	Results []*Result
	Errs    []error // of a point that has no result
	Err     error   // there are no results

	w   *worker
	out []run.Result
}

// calls enters the points into the frames of the worker.
func (b *Batch) calls(ctx context.Context) []run.BoundCall {
	w, p := b.w, b.w.p
	out := make([]run.BoundCall, len(b.Points))
	for k, x := range b.Points {
		if k == len(w.frames) {
			if _, b.Err = w.addFrame(ctx); b.Err != nil {
				return nil
			}
		}
		p.enter(x, w.frames[k].data)
		out[k] = p.call(w.frames[k])
	}
	return out
}

// run makes the calls. It looks at nothing but the worker.
func (b *Batch) run(ctx context.Context, calls []run.BoundCall) {
	if b.Err == nil {
		b.out, b.Err = b.w.bound.Batch(ctx, calls)
	}
	for k := 0; k < len(b.out) && b.Err == nil; k++ {
		if b.out[k].Err == nil {
			b.Err = b.w.fetch(ctx, b.w.frames[k])
		}
	}
}

// finish makes results of what the calls left in the frames.
func (b *Batch) finish() {
	if b.Err != nil {
		return
	}
	b.Results, b.Errs = make([]*Result, len(b.Points)), make([]error, len(b.Points))
	for k, o := range b.out {
		if b.Errs[k] = o.Err; o.Err == nil {
			b.Results[k], b.Errs[k] = b.w.result(b.Points[k], b.w.frames[k], outcomeOf(o.Values))
		}
	}
}

// An outcome is what the function returns: the density, never NaN, bugs.StatusOK or
// bugs.StatusInvalid, and then the sum in which a term has no meaning, else -1.
type outcome struct {
	value        float64
	status, node int
	adjoints     []ir.Val // of the numbers among the parameters, in the order of the arguments
}

func outcomeOf(out []ir.Val) outcome {
	return outcome{out[0].F64(), int(int32(out[1].Bits)), int(int32(out[2].Bits)), out[3:]}
}

// result makes one of what a call left in its frame.
func (w *worker) result(x Point, f *frame, out outcome) (*Result, error) {
	p := w.p
	if out.status != ops.StatusOK {
		r, err := p.reference(x)
		if r != nil {
			r.Vector = x.Vector
		}
		return r, err
	}
	r := &Result{Logp: out.value, Vector: x.Vector, Nodes: p.noSums()}
	sums := f.data[p.sums]
	for i, s := range p.slots {
		if s.name == ops.JacobianName {
			r.LogJacobian = sums[i]
			continue
		}
		if s.observed {
			r.Observed += sums[i]
		}
		r.Nodes[s.node].Logp += sums[i]
	}
	r.define()
	r.Gradient = p.gradient(f, out)
	for _, v := range p.values {
		data := x.State[v.ID]
		for i := range p.args {
			if p.args[i].Name == v.Name && !p.args[i].Shadow {
				data = w.frames[0].data[i]
				if f.data[i] != nil {
					data = f.data[i]
				}
			}
		}
		r.show(v, data)
	}
	return r, nil
}
