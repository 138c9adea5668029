package bind

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// iterations finds the domain of a statement.
func (b *Builder) iterations(s *model.Statement) error {
	s.Domain, s.Iterations = model.Domain{Depth: len(s.Loops)}, 0
	if done, err := b.boxDomain(s); done || err != nil {
		s.Iterations = s.Domain.Iterations
		return err
	}
	e := &enumerator{b: b, s: s, f: eval.NewFrame(b.Model, s)}
	e.count = true // that the loops are too long shows before their iterations are kept
	err := e.loop(0)
	if e.count, e.steps = false, 0; err == nil {
		err = e.loop(0)
	}
	if err != nil {
		return err
	}
	s.Domain.Iterations = e.n
	if s.Domain.Iters = e.iters; s.Domain.Iters == nil {
		s.Domain.Iters = []int32{}
	}
	s.Domain.Bound()
	s.Iterations = s.Domain.Iterations
	return nil
}

// boxDomain finds a domain whose loops have bounds without loop variables; done is
// false if this is none.
func (b *Builder) boxDomain(s *model.Statement) (done bool, err error) {
	if b.Elementwise && len(s.Loops) > 0 {
		return false, nil
	}
	f := eval.NewFrame(b.Model, s)
	bounds := make([]int32, 0, 2*len(s.Loops))
	n, steps := 1, 0
	for _, l := range s.Loops {
		r, ok := l.Node.Over.(*syntax.Range)
		if !ok || !eval.LoopFree(b.Model, r) {
			return false, nil
		}
		lo, hi, err := loopBounds(f, l, r)
		if err != nil {
			return false, err
		}
		if lo > hi {
			return true, nil
		}
		if n = ir.Times(n, hi-lo+1); n > function.MaxIterations || steps+n > function.MaxIterations {
			return false, tooLong(s, function.MaxIterations)
		}
		steps += n
		bounds = append(bounds, int32(lo), int32(hi))
	}
	s.Domain.Box, s.Domain.Iterations = bounds, n
	return true, nil
}

func tooLong(s *model.Statement, most int) error {
	return diag.Errorf(s.Span(), "the loops around this statement run more than %d times", most)
}

// loopBounds evaluates the bounds of one of the loops of a frame. An error tells the indices of those around it alone.
func loopBounds(f *eval.Frame, l *model.Loop, r *syntax.Range) (lo, hi int, err error) {
	if lo, hi, err = boundsIn(f, l, r); err != nil {
		around := *f
		around.Loops = f.Loops[:slices.Index(f.Loops, l)]
		return boundsIn(&around, l, r)
	}
	return lo, hi, nil
}

func boundsIn(f *eval.Frame, l *model.Loop, r *syntax.Range) (lo, hi int, err error) {
	if lo, err = f.Integer(r.From, "the lower bound of the loop over "+l.Var); err != nil {
		return lo, hi, err
	}
	hi, err = f.Integer(r.To, "the upper bound of the loop over "+l.Var)
	return lo, hi, err
}

// An enumerator walks the loops of a statement.
type enumerator struct {
	b     *Builder
	s     *model.Statement
	f     *eval.Frame
	iters []int32
	n     int
	steps int  // of the loops of all levels
	count bool // only count the steps
}

func (e *enumerator) loop(k int) error {
	if k == len(e.s.Loops) {
		if !e.count {
			e.n++
			e.iters = append(e.iters, e.f.At...)
		}
		return nil
	}
	r := e.s.Loops[k].Node.Over.(*syntax.Range) // byPosition makes it one
	lo, hi, err := loopBounds(e.f, e.s.Loops[k], r)
	if err != nil {
		return err
	}
	if e.steps += max(hi-lo+1, 0); e.steps > function.MaxStored {
		return tooLong(e.s, function.MaxStored)
	}
	if e.count && k == len(e.s.Loops)-1 {
		return nil
	}
	for i := lo; i <= hi; i++ {
		e.f.At[k] = int32(i)
		if err := e.loop(k + 1); err != nil {
			return err
		}
	}
	return nil
}

// iteration stores the indices on the left of an iteration.
func (e *enumerator) iteration() error {
	v, l := e.s.Var, &e.s.Defines
	idx := e.s.LHS.Indices
	if len(idx) == 0 && len(v.Dims) > 0 {
		if v.Len() != 1 {
			return diag.Errorf(e.s.LHS.Span(), "%s is an array", v.Name).WithFix("write %s[] for the whole of it, or give an index", v.Name)
		}
		for range v.Dims {
			l.Spans = append(l.Spans, 1, 1)
		}
	}
	for d, x := range idx {
		lo, hi, err := e.lhsIndex(v, d, x)
		if err != nil {
			return err
		}
		l.Spans = append(l.Spans, int32(lo), int32(hi))
		l.Dims[d] = max(l.Dims[d], hi)
	}
	return nil
}
