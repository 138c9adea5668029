package sampler

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering/density"
)

// Options of a chain.
type Options struct {
	Seed         uint64
	Chain        int // from 0
	Warmup       int
	Draws        int // that are kept, of which each is Thin iterations behind the one before
	Thin         int
	MaxDepth     int
	TargetAccept float64
	Start        []float64 // on the unconstrained scale; nil is somewhere between -2 and 2
}

// A Draw is what an iteration gives: what the chain says of it, by Stats, and the values of nodes, by memory of Names. Both are
// of the chain again once the function that is given them returns.
type Draw struct {
	Iteration int // from 0, warm-up included
	Stats     []float64
	Nodes     [][]float64 // by Worker.Nodes; nil of warm-up
}

// A Worker runs chains, one after the other, in a process of its own. It is for one goroutine.
type Worker struct {
	lib   *density.Library
	bound *run.Binding
	ctx   context.Context

	memory   *Memory
	own      []int          // bound arguments of the step
	shared   map[string]int // data that several functions have
	gradient []int          // and of the gradient
	vector   []float64      // of the gradient
	slope    []float64
	values   *density.Routine // writes the nodes of a vector
	frames   []frame          // of its arguments, for as many draws
	room     int              // iterations that Draws holds
}

// Generates reports that nodes have the values of generated quantities, too.
func (w *Worker) Generates() bool { return w.lib.Generate != nil }

// A frame is what a call for the values of nodes has of its own.
type frame struct {
	args    []int
	changes []run.Change // for each call
	at      []float64    // the vector
	random  []float64    // seed and stream; nil where nothing is drawn
	nodes   []node
}

// mostFrames and mostBytes bound the draws whose values one request asks for, by number and by what they take.
const (
	mostFrames = 32
	mostBytes  = 32 << 20
)

// together is how many draws are asked for at once.
func (w *Worker) together() int {
	bytes := 1
	for _, n := range w.frames[0].nodes {
		bytes += 8 * len(n.data)
	}
	return max(1, min(mostFrames, mostBytes/bytes))
}

// A node is memory that values are written to.
type node struct {
	name string
	arg  int
	data []float64
}

// pause is how long a call takes: then the host has its turn.
const pause = 100 * time.Millisecond

// mostRoom bounds the bytes of the draws of a call.
const mostRoom = 4 << 20

// NewWorker binds what chains need. The program is what Link made, lowered and ready.
func NewWorker(ctx context.Context, code run.Program, lib *density.Library, maxDepth int) (*Worker, error) {
	w := &Worker{lib: lib, ctx: ctx, values: cmp.Or(lib.Generate, lib.Constrain), shared: map[string]int{}}
	n := lib.Space.Len()
	w.room = max(1, min(1000, mostRoom/8/n))
	w.memory = NewMemory(n, maxDepth, w.room)
	var err error
	if w.bound, err = run.Bind(ctx, code); err != nil {
		return nil, err
	}
	m := w.memory
	for _, x := range []*[]float64{&m.Position, &m.Gradient, &m.Rows, &m.Numbers, &m.Draws, &m.Stats} {
		i, data, err := w.add(&density.Arg{Dims: []int{len(*x)}}, *x)
		if err != nil {
			return nil, err
		}
		*x = data
		w.own = append(w.own, i)
	}
	for _, v := range []ir.Val{ir.IntVal(0, 64), ir.IntVal(0, 64), ir.IntVal(0, 64), ir.IntVal(0, 64), ir.F64Val(0), ir.IntVal(0, 64)} {
		w.own = append(w.own, w.bound.Len())
		if err := w.bound.Add(ctx, v); err != nil {
			return nil, err
		}
	}
	if w.gradient, err = w.bind(lib.Gradient, func(a *density.Arg, _ int, data []float64) {
		if a.IsVector() {
			w.vector = data
		} else if a.IsSlope() {
			w.slope = data
		}
	}); err != nil {
		return nil, err
	}
	if err := w.addFrame(); err != nil {
		return nil, err
	}
	for _, i := range Passed(lib.Gradient) {
		w.own = append(w.own, w.gradient[i])
	}
	return w, nil
}

// addFrame binds what one more call for values has of its own.
func (w *Worker) addFrame() (err error) {
	var f frame
	f.args, err = w.bind(w.values, func(a *density.Arg, i int, data []float64) {
		switch {
		case a.IsVector():
			f.at, f.changes = data, append(f.changes, run.Wrote(i))
		case a.IsRandom():
			f.random, f.changes = data, append(f.changes, run.Wrote(i))
		case a.Out && a.Name != "" && !a.Shadow:
			f.nodes = append(f.nodes, node{a.Name, i, data})
		}
	})
	w.frames = append(w.frames, f)
	return err
}

// bind binds the arguments of a function, data of several once, and has it compute what it computes once.
func (w *Worker) bind(r *density.Routine, hear func(a *density.Arg, i int, data []float64)) (list []int, err error) {
	for k := range r.Args {
		a := &r.Args[k]
		isData := a.Fixed && a.Name != ""
		if i, ok := w.shared[a.Name]; ok && isData {
			list = append(list, i)
			continue
		}
		if r == w.values && a.Fixed && len(w.frames) > 0 {
			list = append(list, w.frames[0].args[k])
			continue
		}
		i, data, err := w.add(a, a.Contents())
		if err != nil {
			return nil, err
		}
		if isData {
			w.shared[a.Name] = i
		}
		hear(a, i, data)
		list = append(list, i)
	}
	if r.Setup != "" && (r != w.values || len(w.frames) == 0) {
		_, err = w.bound.Batch(w.ctx, []run.BoundCall{{Name: r.Setup, Args: list}})
	}
	return list, err
}

// add binds an argument: which it is, and where the host sees it.
func (w *Worker) add(a *density.Arg, data []float64) (int, []float64, error) {
	v, err := a.Value(data)
	if err != nil {
		return 0, nil, err
	}
	i := w.bound.Len()
	if err := w.bound.Add(w.ctx, v); err != nil {
		return 0, nil, err
	}
	if r, ok := v.Ref.(*interp.MemRef); ok { // it may have moved
		data = r.Buf.Floats()
	}
	return i, data, nil
}

// Close ends the binding.
func (w *Worker) Close() error { return w.bound.Close(w.ctx) }

// Nodes are the names of variables whose values draws have, row by row.
func (w *Worker) Nodes() (names []string) {
	for _, n := range w.frames[0].nodes {
		names = append(names, n.name)
	}
	return names
}

// ErrNoStart is that no initial values with a density were found.
var ErrNoStart = errors.New("no initial values with a density were found")

// attempts are how many initial values are looked at.
const attempts = 100

// begin finds initial values.
func (w *Worker) begin(o Options) error {
	for try := range attempts {
		if o.Start != nil {
			copy(w.vector, o.Start)
		}
		r := draw.CounterOf(o.Seed, uint64(o.Chain)<<40|(1<<40-1), uint64(try)<<32)
		if o.Start == nil || try > 0 {
			for i := range w.vector {
				u := 4*r.Uniform(i) - 2
				if o.Start != nil {
					u = o.Start[i] + u/8
				}
				w.vector[i] = u
			}
		}
		lp, _, err := w.evaluate(w.vector)
		if err != nil {
			return err
		}
		if !math.IsInf(lp, 0) && !math.IsNaN(lp) {
			copy(w.memory.Position, w.vector)
			return nil
		}
	}
	return ErrNoStart
}

// evaluate is the log density at a vector, -Inf where the model has no meaning, and its gradient.
func (w *Worker) evaluate(at []float64) (lp float64, gradient []float64, err error) {
	copy(w.vector, at)
	clear(w.slope)
	var changes []run.Change
	slope := 0
	for k := range w.lib.Gradient.Args {
		switch a := &w.lib.Gradient.Args[k]; {
		case a.IsVector():
			changes = append(changes, run.Wrote(w.gradient[k]))
		case a.IsSlope():
			slope = w.gradient[k]
			changes = append(changes, run.Wrote(slope))
		}
	}
	out, err := w.bound.Batch(w.ctx, []run.BoundCall{{Name: w.lib.Gradient.Name, Args: w.gradient, Changes: changes}})
	if err == nil {
		err = w.bound.Fetch(w.ctx, slope)
	}
	switch {
	case err != nil:
		return 0, nil, err
	case out[0].Err != nil || int32(out[0].Values[1].Bits) != ops.StatusOK:
		return math.Inf(-1), w.slope, nil
	}
	return out[0].Values[0].F64(), w.slope, nil
}

// Run runs a chain, and tells of each iteration. An error that yield returns ends it.
func (w *Worker) Run(o Options, yield func(Draw) error) error {
	if err := w.begin(o); err != nil {
		return err
	}
	clear(w.memory.Numbers)
	total := o.Warmup + o.Draws*o.Thin
	size := 1
	for at := 0; at < total; {
		k := min(size, total-at, w.room)
		start := time.Now()
		if err := w.iterate(o, o.Chain, k, at == 0); err != nil {
			return err
		}
		took := time.Since(start)
		for i := 0; i < k; i += w.together() {
			if err := w.tell(o, at, i, min(i+w.together(), k), yield); err != nil {
				return err
			}
		}
		at += k
		size = max(1, min(2*size, int(float64(k)*float64(pause)/float64(took+1))))
	}
	return nil
}

// iterate makes some iterations of a chain, which are in Draws and Stats then. wrote says that the state was written here.
func (w *Worker) iterate(o Options, chain, iterations int, wrote bool) error {
	integer := func(i, n int) run.Change { return run.Set(w.own[i], ir.IntVal(int64(n), 64)) }
	call := run.BoundCall{Name: StepSymbol, Args: w.own, Changes: []run.Change{run.Set(w.own[6], ir.Val{Bits: o.Seed}), integer(7, chain), integer(8, o.Warmup),
		integer(9, o.MaxDepth), run.Set(w.own[10], ir.F64Val(o.TargetAccept)), integer(11, iterations)}}
	if wrote {
		for _, i := range w.own[:4] {
			call.Changes = append(call.Changes, run.Wrote(i))
		}
	}
	out, err := w.bound.Batch(w.ctx, []run.BoundCall{call})
	if err == nil {
		err = out[0].Err
	}
	if err == nil {
		err = w.bound.Fetch(w.ctx, w.own[4], w.own[5])
	}
	return err
}

// isKept reports an iteration whose draw is kept.
func (o Options) isKept(iteration int) bool {
	return iteration >= o.Warmup && (iteration-o.Warmup+1)%o.Thin == 0
}

// tell tells of iterations from one to another of the last call, which began with the iteration first. Values of nodes are had in one request.
func (w *Worker) tell(o Options, first, from, to int, yield func(Draw) error) error {
	c := w.lib.Space.Len()
	var calls []run.BoundCall
	for i := from; i < to; i++ {
		if !o.isKept(first + i) {
			continue
		}
		if len(calls) == len(w.frames) {
			if err := w.addFrame(); err != nil {
				return err
			}
		}
		f := &w.frames[len(calls)]
		copy(f.at, w.memory.Draws[i*c:(i+1)*c])
		if f.random != nil {
			f.random[0], f.random[1] = float64(o.Seed), float64(o.Chain<<40+first+i)
		}
		calls = append(calls, run.BoundCall{Name: w.values.Name, Args: f.args, Changes: f.changes})
	}
	out, err := w.bound.Batch(w.ctx, calls)
	if err != nil {
		return err
	}
	used := 0
	for i := from; i < to; i++ {
		d := Draw{Iteration: first + i, Stats: w.memory.Stats[i*len(Stats) : (i+1)*len(Stats)]}
		if o.isKept(d.Iteration) {
			f := &w.frames[used]
			if err := out[used].Err; err != nil {
				return err
			}
			used++
			for _, x := range f.nodes {
				if err := w.bound.Fetch(w.ctx, x.arg); err != nil {
					return err
				}
				d.Nodes = append(d.Nodes, x.data)
			}
		}
		if err := yield(d); err != nil {
			return err
		}
	}
	return nil
}
