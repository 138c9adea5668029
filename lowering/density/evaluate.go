package density

import (
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
)

// A Point is where a density is wanted: a state whose parameters have values; on the
// unconstrained scale a vector, and the state for the discrete parameters.
type Point struct {
	State  bugs.State
	Vector []float64
}

// LogDensity evaluates the model at a state whose parameters have values. On the
// unconstrained scale it is at the vector that these have there, and parameters that
// have none there are an error.
func (p *Program) LogDensity(st bugs.State) (*Result, error) {
	x, err := p.PointOf(st)
	if err != nil {
		return nil, err
	}
	return p.at(x)
}

// PointOf is the point of a state whose parameters have values.
func (p *Program) PointOf(st bugs.State) (x Point, err error) {
	x.State = st
	if p.Space != nil {
		x.Vector, err = p.Space.Vector(st)
	}
	return x, err
}

// LogDensityAt evaluates the density at a vector on the unconstrained scale; the state
// gives the discrete parameters.
func (p *Program) LogDensityAt(vec []float64, st bugs.State) (*Result, error) {
	if err := p.CheckVector(vec); err != nil {
		return nil, err
	}
	return p.at(Point{st, vec})
}

// CheckVector refuses vectors of another length than the model's.
func (p *Program) CheckVector(vec []float64) error {
	if len(vec) != len(p.Space.Coords) {
		return diag.Errorf(diag.Span{}, "the vector is of length %d, and the model has %d on the unconstrained scale", len(vec), len(p.Space.Coords)).
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
	results, errs = make([]*Result, len(points)), make([]error, len(points))
	for from, n := 0, p.room(); from < len(points); from += n {
		to := min(from+n, len(points))
		if err := p.request(points[from:to], results[from:to], errs[from:to]); err != nil {
			return nil, nil, err
		}
	}
	return results, errs, nil
}

// request evaluates at as many points as there may be frames.
func (p *Program) request(points []Point, results []*Result, errs []error) error {
	calls := make([]run.BoundCall, len(points))
	for k, x := range points {
		if k == len(p.frames) {
			if _, err := p.addFrame(); err != nil {
				return err
			}
		}
		p.enter(x, p.frames[k].data)
		calls[k] = p.call(p.frames[k])
	}
	out, err := p.bound.Batch(p.context(), calls)
	if err != nil {
		return err
	}
	for k, o := range out {
		if errs[k] = o.Err; o.Err != nil {
			continue
		}
		if err := p.fetch(p.frames[k]); err != nil {
			return err
		}
		results[k], errs[k] = p.result(points[k], p.frames[k], outcomeOf(o.Values))
	}
	return nil
}

// An outcome is what the function returns: the density, never NaN, bugs.StatusOK or
// bugs.StatusInvalid, and then the sum in which a term has no meaning, else -1.
type outcome struct {
	value        float64
	status, node int
}

func outcomeOf(out []ir.Val) outcome {
	return outcome{out[0].F64(), int(int32(out[1].Bits)), int(int32(out[2].Bits))}
}

// result makes one of what a call left in its frame.
func (p *Program) result(x Point, f *frame, out outcome) (*Result, error) {
	if out.status != bugs.StatusOK {
		r, err := p.reference(x)
		if r != nil {
			r.Vector = x.Vector
		}
		return r, err
	}
	r := &Result{Logp: out.value, Vector: x.Vector}
	sums := f.data[len(f.data)-1]
	for i, s := range p.slots {
		if s.name == bugs.JacobianName {
			r.LogJacobian = sums[i]
			continue
		}
		if s.observed {
			r.Observed += sums[i]
		}
		r.add(s.name, sums[i])
	}
	r.define()
	for _, v := range p.values {
		data := x.State[v.ID]
		for i := range p.args {
			if p.args[i].Name == v.Name {
				data = p.frames[0].data[i]
				if f.data[i] != nil {
					data = f.data[i]
				}
			}
		}
		r.show(v, data)
	}
	return r, nil
}
