package affine

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{For: runFor, If: runIf, Parallel: runParallel, Load: runLoad, Store: runStore, Prefetch: runNothing,
	VectorLoad: runVectorLoad, VectorStore: runVectorStore}

func runNothing(*interp.Machine, *interp.Op, []ir.Val, []ir.Val) error { return nil }

// once works out something about an op when it first runs.
func once[T any](o *interp.Op, f func() T) T {
	if o.Data == nil {
		o.Data = f()
	}
	return o.Data.(T)
}

// bound is the least or greatest result.
func bound(exprs []*expr.Expr, dims int, args []ir.Val, better func(x, y int64) bool) (int64, error) {
	vs, err := at(exprs, dims, args)
	if err != nil {
		return 0, err
	}
	v := extreme(vs, better)
	if v.Ref != nil {
		return 0, ir.Trapf("a loop's bound is poison")
	}
	return int64(v.Bits), nil
}

func less(x, y int64) bool    { return x < y }
func greater(x, y int64) bool { return x > y }

func runFor(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	b := once(o, func() bounds { return boundsOf(o.G.Ctx, o.G.AttrsOf(o.V), o.G.Args(o.V)) })
	l, u := len(b.lowerArgs), len(b.lowerArgs)+len(b.upperArgs)
	lower, err := bound(b.lower.Results, b.lower.Dims, args[:l], greater)
	if err != nil {
		return err
	}
	upper, err := bound(b.upper.Results, b.upper.Dims, args[l:u], less)
	if err != nil {
		return err
	}
	trips, _ := iteration.Trips(lower, upper, b.step)
	in := m.Temp(1 + len(args) - u)
	copy(in[1:], args[u:])
	if err := iteration.Run(m, o.Regions[0], trips, lower, b.step, 64, in); err != nil {
		return err
	}
	copy(out, in[1:])
	return nil
}

func runIf(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	s := once(o, func() *expr.Set { return expr.SetOf(o.G.Ctx, o.Call.Get("condition")) })
	vs, err := at(s.Exprs(), s.Dims, args)
	if err != nil {
		return err
	}
	branch := 0
	for i, v := range vs {
		if v.Ref != nil {
			return ir.Trapf("a condition is poison")
		}
		if n := int64(v.Bits); n < 0 || n > 0 && s.Constraints[i].Equal {
			branch = 1
		}
	}
	ys, err := m.Run(o.Regions[branch], nil)
	if err == nil {
		copy(out, ys)
	}
	return err
}

// runParallel runs the iterations in order; reductions are the tree of scf.parallel.
func runParallel(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	b := once(o, func() box { b, _ := boxOf(o.G.Ctx, o.G.AttrsOf(o.V), o.G.Args(o.V)); return b })
	l := len(b.lowerArgs)
	lower, trips := make([]int64, len(b.steps)), make([]uint64, len(b.steps))
	empty := false
	for d, step := range b.steps {
		lo, err := bound(results(b.lower, b.lowerN, d), b.lower.Dims, args[:l], greater)
		if err != nil {
			return err
		}
		up, err := bound(results(b.upper, b.upperN, d), b.upper.Dims, args[l:], less)
		if err != nil {
			return err
		}
		lower[d] = lo
		trips[d], _ = iteration.Trips(lo, up, step)
		empty = empty || trips[d] == 0
	}
	g := o.G
	types := g.Ctx.Results(g.Type(o.V))
	for i, k := range b.kinds {
		out[i] = k.identity(g.Ctx, types[i])
	}
	if empty {
		return nil
	}
	lanes := lists.Map(b.kinds, func(k reduction) bool { return k.op == arith.Addf || k.op == arith.Mulf })
	tree := iteration.NewTree(out[:len(b.kinds)], lanes, func(i int, x, y ir.Val) (ir.Val, error) {
		return b.kinds[i].combine(g.Ctx, types[i], x, y)
	})
	endScope := m.Scope()
	k, in := make([]uint64, len(trips)), make([]ir.Val, len(trips))
	begin, end := iteration.Watched(m, o)
	defer end()
	for {
		for d := range in {
			in[d] = ir.Val{Bits: uint64(lower[d]) + k[d]*uint64(b.steps[d])}
		}
		begin(in)
		ys, err := m.Run(o.Regions[0], in)
		if err != nil {
			return err
		}
		if err := tree.Add(ys); err != nil {
			return err
		}
		endScope()
		if !lists.NextPoint(k, trips) {
			all, err := tree.Result()
			copy(out, all)
			return err
		}
	}
}

// elementOf finds the place of an access: operand n of the op is its memref.
func elementOf(o *interp.Op, args []ir.Val, n int) (*interp.MemRef, int, error) {
	r, err := interp.AsMemRef(args[n])
	if err != nil {
		return nil, 0, err
	}
	is, err := subscriptsOf(o, args, n)
	if err != nil {
		return nil, 0, err
	}
	i, err := r.At(is)
	return r, i, err
}

func runLoad(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r, i, err := elementOf(o, args, 0)
	if err == nil {
		out[0] = r.Buf.Load(i)
	}
	return err
}

func runStore(_ *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	r, i, err := elementOf(o, args, 1)
	if err == nil {
		r.Buf.Store(i, args[0])
	}
	return err
}

// subscriptsOf are the indices of an access to memory, operand n.
func subscriptsOf(o *interp.Op, args []ir.Val, n int) ([]ir.Val, error) {
	f := once(o, func() *expr.Map { return expr.MapOf(o.G.Ctx, o.Call.Get("map")) })
	return at(f.Results, f.Dims, args[n+1:])
}

func runVectorLoad(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	is, err := subscriptsOf(o, args, 0)
	if err == nil {
		out[0], err = vector.ReadPart(m, o.Call.ArgType(0), o.Call.Type, args[0], is)
	}
	return err
}

func runVectorStore(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	is, err := subscriptsOf(o, args, 1)
	if err == nil {
		err = vector.WritePart(m, o.Call.ArgType(1), o.Call.ArgType(0), args[0], args[1], is)
	}
	return err
}
