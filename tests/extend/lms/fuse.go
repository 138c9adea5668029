package lms

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Vertical fusion: an element of arr(n){i => f(i)} is f(i). The loop that makes the
// array is gone with the last read of it.

// fuse makes the element that n reads, which is there, where it is read; 0 leaves the read.
// One iteration of the phase goes one array deep: by then, equal elements are one again, so that
// what is read twice at each of many depths is not made 2^depth times.
func fuse(e *lower.Env, m *ir.Mirror, n ir.Node) ir.Value {
	f := m.Once(fuserKey{}, func() any { return &fuser{e: e, s: m.Schedule()} }).(*fuser)
	array := n.Arg(0)
	if n.Def() != Read || array.Def() != Arr || f.inside || !f.pays(array.Old()) {
		return 0
	}
	f.inside = true
	defer func() { f.inside = false }()
	return m.Body(array.Region(0), m.Of(n.Arg(1)))[0]
}

type fuserKey struct{}

// A fuser decides which arrays of a graph are fused.
type fuser struct {
	e      *lower.Env
	s      *ir.Schedule
	inside bool // an element is being made
}

// pays compares how many operations it takes to make the elements where they are read
// with what it takes to store and load them, each as often as the schedule says. An
// array that is not only read has to be stored anyway.
func (f *fuser) pays(array ir.Value) bool {
	g := f.s.Graph()
	r := g.Regions(array)[0]
	ops, pure := f.body(r)
	if !pure {
		return false
	}
	access, made := f.e.Target.Costs.Access, f.s.Freq(r)
	again, kept := 0.0, made*(ops+access)
	for _, u := range ir.Uses(g).Of(array) {
		switch freq := f.s.Freq(f.s.Place(u)); g.Def(u) {
		case Read:
			again, kept = again+freq*ops, kept+freq*access
		case Len: // folds
		default:
			again += made * (ops + access)
		}
	}
	return again <= kept
}

// body counts the operations of an element. It is not pure if it may matter where and how often
// it is made.
func (f *fuser) body(r ir.Region) (ops float64, pure bool) {
	g := f.s.Graph()
	if len(g.EffectsOf(r)) > 0 {
		return 0, false
	}
	for _, v := range f.s.Body(r) {
		switch def := g.Def(v); {
		case def.Has(ir.Unique), len(g.Regions(v)) > 0:
			return 0, false
		case def == Read:
			ops += f.e.Target.Costs.Access
		case !def.Has(ir.Terminator) && !def.Has(ir.ConstantLike):
			ops++
		}
	}
	return ops, true
}
