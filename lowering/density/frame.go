package density

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run"
)

// A frame is a set of bound arguments of the function: what is fixed is in all frames the
// same, the rest is of its own, so that points in different frames are one request.
type frame struct {
	take []int       // which of the bound arguments
	data [][]float64 // where the host sees each; nil of what other frames have too
}

// mostFrames and mostRoom bound the points of a request, by number and by bytes.
const (
	mostFrames = 64
	mostRoom   = 32 << 20
)

func (p *Program) context() context.Context {
	if p.opts.Context == nil {
		return context.Background()
	}
	return p.opts.Context
}

// A worker runs the code: a program that is ready, and what is bound to it.
type worker struct {
	p      *Program
	code   run.Program
	bound  *run.Binding // of the arguments of all frames
	frames []*frame
	memory []*interp.Memory
}

// load makes the lowered program ready, binds its data and runs @setup.
func (p *Program) load() error {
	start := time.Now()
	var code run.Program
	var err error
	if p.opts.Prepare == nil {
		code, err = run.Interpret(p.Lowered, interp.Options{})
	} else {
		code, err = p.opts.Prepare(p.Lowered)
	}
	if err != nil {
		return err
	}
	p.first = &worker{p: p, code: code}
	err = p.first.bind(p.context())
	p.start = time.Since(start)
	return err
}

// bind binds the data and runs @setup.
func (w *worker) bind(ctx context.Context) (err error) {
	if w.bound, err = run.Bind(ctx, w.code); err != nil {
		return err
	}
	if _, err := w.addFrame(ctx); err != nil || w.p.setup == "" {
		return err
	}
	_, _, err = w.bound.Call(ctx, w.p.setup)
	return err
}

func (w *worker) close(ctx context.Context) error {
	var err error
	for _, m := range w.memory {
		m.Discard()
	}
	if w.bound != nil {
		err = w.bound.Close(ctx)
	}
	return errors.Join(err, w.code.Close())
}

// addFrame binds what a frame has of its own. The first worker has the data of the
// program's arguments, others have copies.
func (w *worker) addFrame(ctx context.Context) (*frame, error) {
	p := w.p
	f := &frame{take: make([]int, len(p.args)), data: make([][]float64, len(p.args))}
	for i, a := range p.args {
		data := a.Data
		switch {
		case !a.Fixed:
			data = a.contents()
		case len(w.frames) > 0:
			f.take[i] = w.frames[0].take[i]
			continue
		case w != p.first:
			data = slices.Clone(data)
		}
		v, err := a.Value(data)
		if err != nil {
			return nil, err
		}
		f.take[i] = w.bound.Len()
		if err := w.bound.Add(ctx, v); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		f.data[i] = data
		if r, ok := v.Ref.(*interp.MemRef); ok { // it may have moved
			f.data[i] = r.Buf.Floats()
			w.memory = append(w.memory, r.Buf.Memory)
		}
	}
	w.frames = append(w.frames, f)
	return f, nil
}

// Value is an argument as the function takes it, over memory of the host.
func (a *Arg) Value(data []float64) (ir.Val, error) {
	if a.Scalar {
		return ir.F64Val(data[0]), nil
	}
	sizes := lists.Map(a.Dims, func(n int) int64 { return int64(n) })
	strides, n, ok := strided.RowMajor(sizes)
	if !ok || int(n) != len(data) {
		return ir.Val{}, fmt.Errorf("density: %d elements of %q for the sizes %v", len(data), a.Name, sizes)
	}
	buf := interp.Floats(data)
	buf.Static = true
	return (&interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}).Val(), nil
}

// len is the number of elements.
func (a *Arg) len() int {
	return ir.Elements(a.Dims)
}

// BatchLimit is how many points there may be in a request.
func (p *Program) BatchLimit() int {
	bytes := 1
	for _, a := range p.args {
		if !a.Fixed {
			bytes += 8 * a.len()
		}
	}
	return max(1, min(mostFrames, mostRoom/bytes))
}

// enter puts a point into the memory of arguments.
func (p *Program) enter(x Point, data [][]float64) {
	for i := range p.args {
		a := &p.args[i]
		if a.Fixed {
			continue
		}
		if a.Shadow {
			clear(data[i])
		} else if p.Space != nil && a.Name == ops.VectorName {
			copy(data[i], x.Vector)
		} else if v := p.Model.Lookup(a.Name); v != nil {
			copy(data[i], x.State[v.ID])
		}
	}
}

// call asks for the function at the point of a frame.
func (p *Program) call(f *frame) run.BoundCall {
	c := run.BoundCall{Name: p.function(), Args: f.take}
	for i := range p.args {
		a := &p.args[i]
		switch {
		case a.Fixed:
		case a.Scalar:
			c.Changes = append(c.Changes, run.Set(f.take[i], ir.F64Val(f.data[i][0])))
		default:
			c.Changes = append(c.Changes, run.Wrote(f.take[i]))
		}
	}
	return c
}

// fetch makes what the function wrote seen in a frame.
func (w *worker) fetch(ctx context.Context, f *frame) error {
	for i := range w.p.args {
		if w.p.args[i].Out {
			if err := w.bound.Fetch(ctx, f.take[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Args is the arguments of the function at a point, for who calls it by himself, and
// the name of the function that is called once before, or "".
func (p *Program) Args(x Point) (args []Arg, setup string, err error) {
	if p.args == nil {
		if err := p.signature(); err != nil {
			return nil, "", err
		}
	}
	data := make([][]float64, len(p.args))
	for i := range p.args {
		if a := &p.args[i]; a.contents != nil && a.Data == nil {
			a.Data = a.contents()
		}
		data[i] = p.args[i].Data
	}
	p.enter(x, data)
	return p.args, p.setup, nil
}
