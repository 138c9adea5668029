package scf

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf/combine"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{
	ExecuteRegion: runRegion,
	For:           runFor,
	Forall:        runForall,
	If:            runIf,
	IndexSwitch:   runSwitch,
	Parallel:      runParallel,
	While:         runWhile,
}

func runRegion(m *interp.Machine, o *interp.Op, _, out []ir.Val) error { return branch(m, o, 0, out) }

// branch runs a region without parameters and returns what it yields.
func branch(m *interp.Machine, o *interp.Op, i int, out []ir.Val) error {
	ys, err := m.Run(o.Regions[i], nil)
	if err == nil {
		copy(out, ys)
	}
	return err
}

func runIf(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c, err := interp.Bool(args[0])
	switch {
	case err != nil:
		return err
	case c:
		return branch(m, o, 0, out)
	}
	return branch(m, o, 1, out)
}

func runSwitch(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	cases := o.G.Ctx.Ints(o.Call.Get("cases"))
	return branch(m, o, slices.Index(cases, n)+1, out)
}

// number reads an integer of a width.
func number(v ir.Val, width int) (int64, error) {
	if v.Ref != nil {
		return 0, ir.Trapf("a loop's bound or step is poison")
	}
	return v.Int(width), nil
}

func runFor(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	w := o.G.Ctx.Info(o.G.Type(o.G.Args(o.V)[0])).Width
	var b [3]int64
	for i := range b {
		n, err := number(args[i], w)
		if err != nil {
			return err
		}
		b[i] = n
	}
	trips, ok := iteration.Trips(b[0], b[1], b[2])
	if !ok {
		return ir.Trapf("the step of a loop is %d, it must be positive", b[2])
	}
	in := m.Temp(len(args) - 2)
	copy(in[1:], args[3:])
	if err := iteration.Run(m, o.Regions[0], trips, b[0], b[2], w, in); err != nil {
		return err
	}
	copy(out, in[1:])
	return nil
}

func runWhile(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	in := args
	for {
		ys, err := m.Run(o.Regions[0], in)
		if err != nil {
			return err
		}
		more, err := interp.Bool(ys[0])
		if err != nil {
			return err
		}
		if !more {
			copy(out, ys[1:])
			return nil
		}
		if in, err = m.Run(o.Regions[1], ys[1:]); err != nil {
			return err
		}
	}
}

// box is the iteration space of parallel and forall.
type box struct{ lower, upper, step []int64 }

func (b *box) check() error {
	for _, s := range b.step {
		if s <= 0 {
			return ir.Trapf("a step of a parallel loop is %d, it must be positive", s)
		}
	}
	return nil
}

// each calls f for every point in lexicographic order. Points are ours to keep
// only until f returns.
func (b *box) each(at []ir.Val, f func() error) error {
	trips := make([]uint64, len(at))
	for d := range at {
		n, ok := iteration.Trips(b.lower[d], b.upper[d], b.step[d])
		if !ok || n == 0 {
			return b.check()
		}
		trips[d] = n
	}
	k := make([]uint64, len(at))
	for {
		for d := range at {
			at[d] = ir.Val{Bits: uint64(b.lower[d]) + k[d]*uint64(b.step[d])}
		}
		if err := f(); err != nil {
			return err
		}
		if !lists.NextPoint(k, trips) {
			return nil
		}
	}
}

func indices(vs []ir.Val) ([]int64, error) {
	out := make([]int64, len(vs))
	for i, v := range vs {
		n, err := interp.Index(v)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// inLanes says which values of a parallel loop's iterations are combined so.
func inLanes(o *interp.Op) []bool {
	if o.Data == nil {
		out := lists.Map(o.G.Regions(o.G.Term(o.G.Regions(o.V)[0])), func(r ir.Region) bool { return combine.InLanes(o.G, r) })
		o.Data = out
	}
	return o.Data.([]bool)
}

// runParallel runs the iterations in order; reductions are a tree.
func runParallel(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n := o.Regions[0].Params
	var b box
	var err error
	for i, p := range []*[]int64{&b.lower, &b.upper, &b.step} {
		if *p, err = indices(args[i*n : (i+1)*n]); err != nil {
			return err
		}
	}
	if err := b.check(); err != nil {
		return err
	}
	body := o.Regions[0]
	at := make([]ir.Val, n)
	pair := make([]ir.Val, 2)
	tree := iteration.NewTree(args[3*n:], inLanes(o), func(k int, x, y ir.Val) (ir.Val, error) {
		pair[0], pair[1] = x, y
		r, err := m.Run(body.Term.Regions[k], pair)
		if err != nil {
			return ir.Val{}, err
		}
		return r[0], nil
	})
	endScope := m.Scope()
	begin, end := iteration.Watched(m, o)
	defer end()
	err = b.each(at, func() error {
		begin(at)
		ys, err := m.Run(body, at)
		if err != nil {
			return err
		}
		if err := tree.Add(slices.Clone(ys)); err != nil {
			return err
		}
		endScope()
		return nil
	})
	if err != nil {
		return err
	}
	all, err := tree.Result()
	copy(out, all)
	return err
}

// runForall runs forall without shared outputs, whose parts only tensor ops
// can put together.
func runForall(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	c := o.G.Ctx
	var b box
	rest := args
	for _, p := range []struct {
		name string
		to   *[]int64
	}{{"staticLowerBound", &b.lower}, {"staticUpperBound", &b.upper}, {"staticStep", &b.step}} {
		*p.to = c.Ints(o.Call.Get(p.name))
		for i, n := range *p.to {
			if n != ir.Dynamic {
				continue
			}
			v, err := interp.Index(rest[0])
			if err != nil {
				return err
			}
			(*p.to)[i], rest = v, rest[1:]
		}
	}
	if len(rest) > 0 {
		return &interp.Unsupported{Reason: "scf.forall with shared outputs", Fix: "bufferize: tensors do not run"}
	}
	if err := b.check(); err != nil {
		return err
	}
	at := make([]ir.Val, len(b.lower))
	endScope := m.Scope()
	begin, end := iteration.Watched(m, o)
	defer end()
	return b.each(at, func() error {
		begin(at)
		if _, err := m.Run(o.Regions[0], at); err != nil {
			return err
		}
		endScope()
		return nil
	})
}
