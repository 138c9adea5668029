package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// counter is the tally of what is collected: how many tuples there are.
type counter struct {
	count ir.Value
	marks bool     // the last round that emits
	last  ir.Value // the round behind that
	index ir.Value // of the round
}

func (s *counter) begin(d down, _ ir.Value, _ int, _ bool) {
	s.count, s.last = d.kit().Index(0), d.kit().Index(0)
}

func (s *counter) round(i ir.Value) { s.index = i }

func (s *counter) add(d down, _ []ir.Value) {
	if s.count = d.kit().Next(s.count); s.marks {
		s.last = d.kit().Next(s.index)
	}
}

func (s *counter) canMask() bool { return true }

func (s *counter) addMasked(d down, cond ir.Value, _ []ir.Value) {
	k := d.kit()
	if s.count = d.arrays.counted(s.count, cond); s.marks {
		s.last = k.Max(s.last, k.Choose(cond, k.Next(s.index), k.Index(0)))
	}
}

// counted is one more where a condition holds.
func (m arrays) counted(count, cond ir.Value) ir.Value {
	return m.kit().Add(count, arith.Cast(m.B, arith.IndexCastui, cond, ir.Index))
}

func (s *counter) state() []ir.Value {
	if s.marks {
		return []ir.Value{s.count, s.last}
	}
	return []ir.Value{s.count}
}

func (s *counter) set(state []ir.Value) {
	if s.count = state[0]; s.marks {
		s.last = state[1]
	}
}

func (s *counter) results(down) []ir.Value { return nil }

// joined: the last round is that of the second part alone.
func (s *counter) joined(d down, x, y []ir.Value) []ir.Value {
	return append([]ir.Value{d.kit().Add(x[0], y[0])}, y[1:]...)
}

func (s *counter) ofTuples() bool { return false }

func (s *collector) tally(down) (tally, bool) {
	switch {
	case s.grows || s.hasArrays():
		return nil, false
	case s.exact:
		return nil, true
	}
	return &counter{}, true
}

func (s *collector) resumes() bool { return true }

func (s *collector) resume(tallied []ir.Value) { s.count = tallied[0] }

// isExact reports what combines integers, in which the order of more than two makes no difference.
func (r *reducer) isExact(c *ir.Context) bool {
	for _, t := range r.g.Types {
		if r.g.IsRegional() || !c.IsInt(t) && t != ir.Index {
			return false
		}
	}
	return true
}

// tally of numbers is the number.
func (r *reducer) tally(d down) (tally, bool) {
	if !r.isExact(d.B.Ctx()) {
		return nil, false
	}
	return &reducer{g: r.g, zero: r.zero, combine: r.combine}, true
}

func (r *reducer) resumes() bool { return false }

func (r *reducer) resume(tallied []ir.Value) { r.acc = tallied }

func (r *reducer) ofTuples() bool { return true }

func (r *reducer) joined(d down, x, y []ir.Value) []ir.Value {
	return r.combined(d, x, d.arrays.wholes(r.g.Types, y))
}

// scanTally is that of a scan: what is combined, and how many steps there are.
type scanTally struct {
	*reducer
	steps tally // nil if each round has one
}

func (s *scanner) tally(d down) (tally, bool) {
	sum, ok := s.reducer.tally(d)
	steps, okSteps := s.steps.tally(d)
	if !ok || !okSteps {
		return nil, false
	}
	return &scanTally{sum.(*reducer), steps}, true
}

func (s *scanner) resumes() bool { return true }

func (s *scanner) resume(tallied []ir.Value) { s.set(tallied) }

func (s *scanTally) begin(d down, size ir.Value, most int, exact bool) {
	s.reducer.begin(d, size, most, exact)
	if s.steps != nil {
		s.steps.begin(d, size, most, exact)
	}
}

func (s *scanTally) add(d down, tuple []ir.Value) {
	s.reducer.add(d, tuple)
	if s.steps != nil {
		s.steps.add(d, tuple)
	}
}

func (s *scanTally) addMasked(d down, cond ir.Value, tuple []ir.Value) {
	s.reducer.addMasked(d, cond, tuple)
	if s.steps != nil {
		s.steps.(maskable).addMasked(d, cond, tuple)
	}
}

func (s *scanTally) state() []ir.Value {
	if s.steps == nil {
		return s.acc
	}
	return append(s.acc[:len(s.acc):len(s.acc)], s.steps.state()...)
}

func (s *scanTally) set(state []ir.Value) {
	n := len(s.acc)
	s.acc = state[:n:n]
	if s.steps != nil {
		s.steps.set(state[n:])
	}
}

func (s *scanTally) joined(d down, x, y []ir.Value) []ir.Value {
	n := len(s.acc)
	out := s.reducer.joined(d, x[:n], y[:n])
	if s.steps != nil {
		out = append(out[:len(out):len(out)], s.steps.joined(d, x[n:], y[n:])...)
	}
	return out
}
