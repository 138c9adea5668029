package models

import (
	"context"
	"errors"
	"sync"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/sampler"
)

// Sample compiles the density with the step of a chain, and runs chains on as many cores as the target has.
func (m *bound) Sample(ctx context.Context, r cli.SampleRequest) error {
	if err := needValues(m.m); err != nil {
		return err
	}
	start, err := m.start()
	if err != nil {
		return err
	}
	workers := share(&r)
	e, err := r.Engine.Start(ctx)
	if err != nil {
		return err
	}
	defer e.Close()
	code, lib, err := m.chainProgram(ctx, e, r)
	if err != nil {
		return err
	}
	if r.Engine.Runs != nil {
		r.Engine.Runs(code)
	}
	first, err := sampler.NewWorker(ctx, code, lib, r.MaxDepth)
	if err != nil {
		return errors.Join(err, code.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &sampling{m: m, r: r, start: start, ctx: ctx, cancel: cancel, next: make(chan int, r.Chains)}
	for c := range r.Chains {
		s.next <- c
	}
	close(s.next)
	s.choose(first)
	if err := r.Names(s.names); err != nil {
		return errors.Join(err, first.Close(), code.Close())
	}
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			if k == 0 {
				s.work(first)
				return
			}
			p, err := engine.Another(ctx, code)
			if err != nil || p == nil {
				return // the others do its chains
			}
			w, err := sampler.NewWorker(ctx, p, lib, r.MaxDepth)
			if err == nil {
				s.work(w)
				err = w.Close()
			}
			_ = errors.Join(err, p.Close()) // its draws are there
		})
	}
	all.Wait()
	s.fail(errors.Join(first.Close(), code.Close())) // the others are copies of it
	return s.err
}

// share says how many chains run at once, and gives each a core and its part of the memory. A single chain has all cores for its loops.
func share(r *cli.SampleRequest) (workers int) {
	to := r.Engine.Target
	if to == nil || to.Cores <= 1 || r.Chains == 1 {
		return 1
	}
	workers = min(to.Cores, r.Chains)
	alone := *to
	alone.Cores = 1
	r.Engine.Target = &alone
	r.Engine.MemLimit /= int64(workers)
	return workers
}

// start is where chains begin by -inits; nil is anywhere.
func (m *bound) start() ([]float64, error) {
	if len(m.inits.Names) == 0 {
		return nil, nil
	}
	p := &density.Program{Model: m.m, Space: m.space}
	st, given, list := p.Assigned(m.inits, m.fill)
	if list.Err() != nil {
		return nil, list
	}
	m.warnings = append(m.warnings, list...)
	if m.fill {
		if _, err := p.Fill(st, given); err != nil {
			return nil, err
		}
	}
	x, err := p.PointOf(st)
	return x.Vector, err
}

// chainProgram is the program of a chain, ready to run, and what is in it.
func (m *bound) chainProgram(ctx context.Context, e engine.Engine, r cli.SampleRequest) (run.Program, *density.Library, error) {
	lower := func(g *ir.Graph, err error) (*ir.Graph, error) {
		if err != nil {
			return nil, err
		}
		return r.Engine.Lower(g, e.Target())
	}
	g, err := lower(density.SamplerGraph(m.ctx, m.space))
	if err != nil {
		return nil, nil, err
	}
	step, err := lower(sampler.Step(ctx, m.ctx))
	if err != nil {
		return nil, nil, err
	}
	lib, err := density.LibraryOf(m.space, g)
	if err != nil {
		return nil, nil, err
	}
	ps, err := e.Prepare(ctx, sampler.Link(m.ctx, g, step, lib.Gradient))
	if err != nil {
		return nil, nil, err
	}
	return ps[0], lib, nil
}

// sampling is a run of chains.
type sampling struct {
	m      *bound
	r      cli.SampleRequest
	start  []float64
	ctx    context.Context
	cancel context.CancelFunc
	next   chan int // chains that nobody runs
	names  []string
	from   [][2]int // of each name the node of a worker, and the element

	lock sync.Mutex // of what follows, and of the request's functions
	err  error
}

// choose lists the elements of nodes that are drawn or computed of what is drawn.
func (s *sampling) choose(w *sampler.Worker) {
	m := s.m.m
	for i, name := range w.Nodes() {
		v := m.Lookup(name)
		for k := range v.Len() {
			if role := roles.Of(m, v, k); role == roles.RoleParameter || role == roles.TransformedParameter || w.Generates() && role == roles.GeneratedQuantity {
				s.names, s.from = append(s.names, v.ElemName(k)), append(s.from, [2]int{i, k})
			}
		}
	}
}

func (s *sampling) fail(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if err != nil && s.err == nil {
		s.err = err
		s.cancel()
	}
}

// work runs chains as long as there are some.
func (s *sampling) work(w *sampler.Worker) {
	for c := range s.next {
		if s.ctx.Err() != nil {
			s.fail(s.ctx.Err())
			return
		}
		r := s.r
		o := sampler.Options{Seed: r.Seed, Chain: c, Warmup: r.Warmup, Draws: r.Draws, Thin: r.Thin, MaxDepth: r.MaxDepth, TargetAccept: r.TargetAccept, Start: s.start}
		values := make([]float64, len(s.names))
		err := w.Run(o, func(d sampler.Draw) error {
			for i, at := range s.from {
				if d.Nodes != nil {
					values[i] = d.Nodes[at[0]][at[1]]
				}
			}
			s.lock.Lock()
			defer s.lock.Unlock()
			if s.err != nil {
				return s.err
			}
			out := cli.ChainDraw{Chain: c, Iteration: d.Iteration, Stats: d.Stats}
			if d.Nodes != nil {
				out.Values = values
			}
			return r.Draw(out)
		})
		if errors.Is(err, sampler.ErrNoStart) {
			err = diag.Errorf(diag.Span{}, "chain %d: %v, in 100 attempts", c+1, err).
				WithFix("give values with -inits; `irc logdensity -inits` says which node has no density there")
		}
		s.fail(err)
	}
}
