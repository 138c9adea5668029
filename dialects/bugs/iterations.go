package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// iterations finds the domain of a statement.
func (b *builder) iterations(s *Statement) error {
	s.dom, s.n = domain{depth: len(s.Loops)}, 0
	if done, err := b.boxDomain(s); done || err != nil {
		s.n = s.dom.n
		return err
	}
	e := &enumerator{b: b, s: s, f: newFrame(b.m, s)}
	e.count = true // that the loops are too long shows before their iterations are kept
	err := e.loop(0)
	if e.count, e.steps = false, 0; err == nil {
		err = e.loop(0)
	}
	if err != nil {
		return err
	}
	s.dom.n = e.n
	if s.dom.iters = e.iters; s.dom.iters == nil {
		s.dom.iters = []int32{}
	}
	s.dom.bound()
	s.n = s.dom.n
	return nil
}

// boxDomain finds a domain whose loops have bounds without loop variables; done is
// false if this is none.
func (b *builder) boxDomain(s *Statement) (done bool, err error) {
	if b.elementwise && len(s.Loops) > 0 {
		return false, nil
	}
	f := newFrame(b.m, s)
	bounds := make([]int32, 0, 2*len(s.Loops))
	n, steps := 1, 0
	for _, l := range s.Loops {
		r, ok := l.Node.Over.(*syntax.Range)
		if !ok || !b.m.loopFree(r) {
			return false, nil
		}
		lo, hi, err := f.loopBounds(l, r)
		if err != nil {
			return false, err
		}
		if lo > hi {
			return true, nil
		}
		if n *= hi - lo + 1; n > maxIterations || steps+n > maxIterations {
			return false, tooLong(s, maxIterations)
		}
		steps += n
		bounds = append(bounds, int32(lo), int32(hi))
	}
	s.dom.box, s.dom.n = bounds, n
	return true, nil
}

func tooLong(s *Statement, most int) error {
	return diag.Errorf(s.Span(), "the loops around this statement run more than %d times", most)
}

func (f *frame) loopBounds(l *Loop, r *syntax.Range) (lo, hi int, err error) {
	if lo, err = f.integer(r.From, "the lower bound of the loop over "+l.Var); err != nil {
		return lo, hi, err
	}
	hi, err = f.integer(r.To, "the upper bound of the loop over "+l.Var)
	return lo, hi, err
}

// An enumerator walks the loops of a statement.
type enumerator struct {
	b     *builder
	s     *Statement
	f     *frame
	iters []int32
	n     int
	steps int  // of the loops of all levels
	count bool // only count the steps
}

func (e *enumerator) loop(k int) error {
	if k == len(e.s.Loops) {
		if !e.count {
			e.n++
			e.iters = append(e.iters, e.f.at...)
		}
		return nil
	}
	r := e.s.Loops[k].Node.Over.(*syntax.Range) // byPosition makes it one
	lo, hi, err := e.f.loopBounds(e.s.Loops[k], r)
	if err != nil {
		return err
	}
	if e.steps += max(hi-lo+1, 0); e.steps > maxStored {
		return tooLong(e.s, maxStored)
	}
	if e.count && k == len(e.s.Loops)-1 {
		return nil
	}
	for i := lo; i <= hi; i++ {
		e.f.at[k] = int32(i)
		if err := e.loop(k + 1); err != nil {
			return err
		}
	}
	return nil
}

// iteration stores the indices on the left of an iteration.
func (e *enumerator) iteration() error {
	v, l := e.s.v, &e.s.lhs
	idx := e.s.LHS.Indices
	if len(idx) == 0 && len(v.Dims) > 0 {
		if v.Len() != 1 {
			return diag.Errorf(e.s.LHS.Span(), "%s is an array", v.Name).WithFix("write %s[] for the whole of it, or give an index", v.Name)
		}
		for range v.Dims {
			l.spans = append(l.spans, 1, 1)
		}
	}
	for d, x := range idx {
		lo, hi, err := e.left(v, d, x)
		if err != nil {
			return err
		}
		l.spans = append(l.spans, int32(lo), int32(hi))
		l.dims[d] = max(l.dims[d], hi)
	}
	return nil
}
