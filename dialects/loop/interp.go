package loop

import (
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{For: runFor}

// runFor is what a loop means: rounds in order, tuples in the order in which they are
// emitted.
func runFor(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	if n < 0 {
		return ir.Trapf("a loop of %d rounds", n)
	}
	list := Generators(o.G.NodeOf(o.V))
	ids, regions := args[1:], o.Regions[1:]
	sinks := lists.Map(list, func(g Generator) sink { return newSink(m, o.G.Ctx, g, &ids, &regions)() })
	in := make([]ir.Val, 1)
	for i := range n {
		in[0] = ir.IntVal(i, 64)
		ys, err := m.Run(o.Regions[0], in)
		if err != nil {
			return err
		}
		if err := give(list, sinks, append([]ir.Val(nil), ys...)); err != nil {
			return err
		}
	}
	k := 0
	for _, s := range sinks {
		k += copy(out[k:], s.results())
	}
	return nil
}

// give hands what a body yields to the generators.
func give(list []Generator, sinks []sink, ys []ir.Val) error {
	for i, s := range sinks {
		if ys[0].Ref != nil {
			if seq, ok := ys[0].Ref.(emits); ok {
				for _, t := range seq {
					if err := s.add(t); err != nil {
						return err
					}
				}
				ys = ys[1:]
				continue
			}
		}
		n := len(list[i].Tuple())
		if err := s.add(ys[:n]); err != nil {
			return err
		}
		ys = ys[n:]
	}
	return nil
}

// A sink is a generator at work.
type sink interface {
	add(tuple []ir.Val) error
	results() []ir.Val
}

// newSink returns a function that starts a generator; the identities and regions that it
// needs are taken from the front of the lists.
func newSink(m *interp.Machine, c *ir.Context, g Generator, ids *[]ir.Val, regions *[]*interp.Code) func() sink {
	switch g.Kind {
	case CollectKind:
		return func() sink { return &collected{cols: make([]ir.Vector, len(g.Types))} }
	case EmitKind:
		return func() sink { return &emitted{} }
	case BucketKind:
		inner := lists.Map(g.Inner, func(x Generator) func() sink { return newSink(m, c, x, ids, regions) })
		return func() sink { return &bucketed{c: c, g: g, inner: inner} }
	}
	var step func(a, b []ir.Val) ([]ir.Val, error)
	zero := make([]ir.Val, len(g.Types))
	if g.By == ByRegion {
		copy(zero, *ids)
		code := (*regions)[0]
		*ids, *regions = (*ids)[len(zero):], (*regions)[1:]
		step = func(a, b []ir.Val) ([]ir.Val, error) {
			return m.Run(code, append(append(make([]ir.Val, 0, 2*len(a)), a...), b...))
		}
	} else {
		for i, t := range g.Types {
			zero[i] = g.By.Identity(c, t)
		}
		step = func(a, b []ir.Val) ([]ir.Val, error) {
			out := make([]ir.Val, len(a))
			for i, t := range g.Types {
				out[i] = g.By.Apply(c, t, a[i], b[i])
			}
			return out, nil
		}
	}
	return func() sink {
		r := &reduced{acc: append([]ir.Val(nil), zero...), step: step}
		if g.Kind == ScanKind {
			r.steps = &collected{cols: make([]ir.Vector, len(zero))}
		}
		return r
	}
}

type collected struct{ cols []ir.Vector }

func (s *collected) add(t []ir.Val) error {
	for i, v := range t {
		s.cols[i] = append(s.cols[i], v)
	}
	return nil
}

func (s *collected) results() []ir.Val {
	out := make([]ir.Val, len(s.cols))
	for i, c := range s.cols {
		out[i].Ref = c
	}
	return out
}

type emitted struct{ seq emits }

func (s *emitted) add(t []ir.Val) error {
	s.seq = append(s.seq, append(ir.Vector(nil), t...))
	return nil
}

func (s *emitted) results() []ir.Val { return []ir.Val{{Ref: s.seq}} }

// reduced combines tuples; steps, of a scan, collects what it has after each.
type reduced struct {
	acc   []ir.Val
	step  func(a, b []ir.Val) ([]ir.Val, error)
	steps *collected
}

func (s *reduced) add(t []ir.Val) error {
	ys, err := s.step(s.acc, t)
	if err != nil {
		return err
	}
	s.acc = append([]ir.Val(nil), ys...)
	if s.steps != nil {
		return s.steps.add(s.acc)
	}
	return nil
}

func (s *reduced) results() []ir.Val {
	if s.steps != nil {
		return s.steps.results()
	}
	return s.acc
}

type bucketed struct {
	c      *ir.Context
	g      Generator
	inner  []func() sink
	groups Groups
	sinks  [][]sink // of each group
}

func (s *bucketed) add(t []ir.Val) error {
	n := len(s.g.Types)
	keys := append([]ir.Val(nil), t[:n]...)
	for _, k := range keys {
		if k.IsPoison() {
			return ir.Trapf("a key is poison")
		}
	}
	i, isNew := s.groups.place(s.c, s.g.Types, keys)
	if isNew {
		s.sinks = append(s.sinks, s.group())
	}
	rest := t[n:]
	for k, x := range s.sinks[i] {
		n := len(s.g.Inner[k].Tuple())
		if err := x.add(rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// group starts the generators of a new group.
func (s *bucketed) group() []sink {
	out := make([]sink, len(s.inner))
	for k, f := range s.inner {
		out[k] = f()
	}
	return out
}

func (s *bucketed) results() []ir.Val {
	out := []ir.Val{{Ref: &s.groups}}
	for k, g := range s.g.Inner {
		cols := make([]ir.Vector, len(g.Results(s.c)))
		for i := range cols {
			cols[i] = ir.Vector{}
		}
		for _, group := range s.sinks {
			for i, v := range group[k].results() {
				cols[i] = append(cols[i], v)
			}
		}
		for _, c := range cols {
			out = append(out, ir.Val{Ref: c})
		}
	}
	return out
}

// Identity is the number that a named way to combine begins with. The least and the greatest of floats leave NaN out, so that NaN
// changes no number, and -inf would change NaN.
func (b Combine) Identity(c *ir.Context, t ir.Type) ir.Val {
	w := c.Info(t).Width
	if c.IsFloat(t) {
		return ir.FloatVal([]float64{ByAdd: 0, ByMul: 1, ByMin: math.NaN(), ByMax: math.NaN()}[b], t)
	}
	least := int64(-1) << (w - 1)
	return ir.IntVal([]int64{ByAdd: 0, ByMul: 1, ByMin: ^least, ByMax: least, ByAnd: -1, ByOr: 0, ByXor: 0}[b], w)
}

// Apply combines two numbers of type t.
func (b Combine) Apply(c *ir.Context, t ir.Type, x, y ir.Val) ir.Val {
	switch w := c.Info(t).Width; {
	case x.IsPoison() || y.IsPoison():
		return ir.Val{Ref: ir.Poison}
	case c.IsFloat(t):
		return ir.FloatVal(b.floats(x.Float(t), y.Float(t)), t)
	default:
		return ir.IntVal(b.ints(x.Int(w), y.Int(w)), w)
	}
}

func (b Combine) floats(x, y float64) float64 {
	switch b {
	case ByAdd:
		return x + y
	case ByMul:
		return x * y
	}
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	case b == ByMin:
		return math.Min(x, y)
	}
	return math.Max(x, y)
}

func (b Combine) ints(x, y int64) int64 {
	switch b {
	case ByAdd:
		return x + y
	case ByMul:
		return x * y
	case ByMin:
		return min(x, y)
	case ByMax:
		return max(x, y)
	case ByAnd:
		return x & y
	case ByOr:
		return x | y
	}
	return x ^ y
}
