package lanes

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// choice is a conditional: one of its sides where the condition is the same in all lanes, else both, with masks.
func (f *filler) choice(v, cond ir.Value) ir.Value {
	if !f.differs(cond) && !f.counts(v) {
		return f.uniform(v, f.of(cond))
	}
	return f.apart(v, f.vector(cond))
}

// uniform runs one side of a conditional.
func (f *filler) uniform(v, cond ir.Value) ir.Value {
	side := func(i int) func() []ir.Value {
		rs := f.G.Regions(v)
		if i >= len(rs) || !f.G.HasBlock(rs[i]) {
			return nil
		}
		return func() []ir.Value { return f.side(v, rs[i]) }
	}
	return scf.BuildIf(f.b, cond, side(0), side(1))
}

// side writes a region of a conditional and gives its results.
func (f *filler) side(v ir.Value, r ir.Region) []ir.Value {
	f.region(r)
	var out []ir.Value
	for i, y := range f.G.Yields(r) {
		out = append(out, f.like(y, f.varies[slot{v, i}]))
	}
	return out
}

// apart runs both sides of a conditional.
func (f *filler) apart(v, cond ir.Value) ir.Value {
	var sides [2][]ir.Value
	for i, r := range f.G.Regions(v) {
		if !f.G.HasBlock(r) {
			continue
		}
		c := cond
		if i == 1 {
			c = f.not(cond)
		}
		sides[i] = f.under(f.and(f.mask, c), func() []ir.Value { return f.side(v, r) })
	}
	var out []ir.Value
	for i, x := range sides[0] {
		// A count is one number for all lanes: it grows by how many of them take the side.
		if c := f.countAt(slot{v, i}); c != nil {
			out = append(out, f.grown(c, cond))
			continue
		}
		out = append(out, arith.Choose(f.b, cond, x, sides[1][i]))
	}
	return f.b.Pack(out...)
}

// affineChoice is one whose conditions are linear.
func (f *filler) affineChoice(v ir.Value) ir.Value {
	var cond ir.Value
	list, apart := affinedialect.Conditions(f.G.NodeOf(v)), false
	for _, c := range list {
		apart = apart || f.pointVaries(c.Point)
	}
	for _, c := range list {
		s, _ := f.strideOf(c.Point)
		x, p := f.point(c.Point), arith.SGE
		if c.Equal {
			p = arith.EQ
		}
		zero := f.b.Index(0)
		// One condition that differs between lanes makes vectors of all: they are combined by and.
		if apart {
			x, zero = f.ramp(x, s), f.ramp(zero, 0)
		}
		holds := arith.CmpI(f.b, p, x, zero)
		if cond != 0 {
			holds = f.b.Op(arith.Andi, cond, holds)
		}
		cond = holds
	}
	if apart {
		return f.apart(v, cond)
	}
	return f.uniform(v, cond)
}

// inner is a loop with the same bounds in all lanes, which carries vectors.
func (f *filler) inner(v ir.Value) ir.Value {
	g, node, b := f.G, f.G.NodeOf(v), f.b
	l, _ := ir.As[ir.LoopLike](node)
	var first []ir.Value
	// What a loop carries has one type: a vector if it differs in any iteration, even if it does not at
	// first.
	for k, x := range l.Inits {
		first = append(first, f.like(x, f.differs(l.Carried[k])))
	}
	def, end := node.Def(), scf.Yield
	var args []ir.Value
	attr := node.Attrs()
	if def == affinedialect.For {
		end = affinedialect.Yield
		r := affinedialect.Ranges(node)[0]
		args, attr = affinedialect.ForOf(b, attr, f.points(r.Lower), f.points(r.Upper), r.Step, first)
	} else {
		args = append(args, lists.Map(g.Args(v)[:3], f.of)...)
		args = append(args, first...)
	}
	types := []ir.Type{f.m.Type(g.Type(g.Params(l.Body)[0]))}
	for _, x := range first {
		types = append(types, b.Graph().Type(x))
	}
	at := b.Loc
	r := f.m.RegionAs(node.Region(0), ir.Loop, types, func(params []ir.Value) {
		b.Enter(def, attr, args, 0, params)
		for i, p := range g.Params(l.Body) {
			f.set(p, params[i])
		}
		f.region(l.Body)
		var ys []ir.Value
		for k, y := range g.Yields(l.Body) {
			ys = append(ys, f.like(y, f.differs(l.Carried[k])))
		}
		b.Loc = at
		b.Op(end, ys...)
	})
	return b.Must(ir.Call{Def: def, Args: args, Attr: attr, Regions: []ir.Region{r}, Loc: at})
}

// points are bounds in new values, which are scalars: bounds are the same in all lanes.
func (f *filler) points(ps []affinedialect.Point) []affinedialect.Point {
	return lists.Map(ps, func(p affinedialect.Point) affinedialect.Point { return p.Map(f.of) })
}

// while is a loop that ends in each lane by itself: it carries, beside what it did, which lanes still run and what the others have
// left with.
func (f *filler) while(v ir.Value) ir.Value {
	g, b := f.G, f.b
	before, after := g.Regions(v)[0], g.Regions(v)[1]
	term := g.Args(g.Term(before))
	carries := func(vs []ir.Value) (out []ir.Value) {
		for i, p := range g.Params(before) {
			out = append(out, f.like(vs[i], f.differs(p)))
		}
		return out
	}
	first := carries(g.Args(v))
	pass := func() (out []ir.Value) {
		for i, p := range g.Params(after) {
			out = append(out, f.like(term[1+i], f.differs(p)))
		}
		return out
	}
	if !f.differs(term[0]) {
		return scf.BuildWhile(b, first, func(args []ir.Value) (ir.Value, []ir.Value) {
			f.bind(before, args)
			f.region(before)
			return f.of(term[0]), pass()
		}, func(args []ir.Value) []ir.Value {
			f.bind(after, args)
			f.region(after)
			return carries(g.Yields(after))
		})
	}
	return f.whileAny(v, first, carries, pass)
}

// whileAny makes a loop that goes on while the condition of any lane holds: a lane whose condition does not keeps the
// values that it passed on then.
func (f *filler) whileAny(v ir.Value, first []ir.Value, carries func([]ir.Value) []ir.Value, pass func() []ir.Value) ir.Value {
	g, b := f.G, f.b
	before, after := g.Regions(v)[0], g.Regions(v)[1]
	term, n := g.Args(g.Term(before)), len(first)
	runs := f.mask
	if runs == 0 {
		runs = f.all(true)
	}
	first = append(first, runs)
	k, used := len(g.Params(after)), g.NodeOf(v).UsedResults()
	var leaves []int // results that are used
	for i, p := range g.Params(after) {
		if used[i] {
			first, leaves = append(first, f.zero(f.row(f.m.Type(g.Type(p))))), append(leaves, i)
		}
	}
	out := b.Results(scf.BuildWhile(b, first, func(args []ir.Value) (ir.Value, []ir.Value) {
		f.bind(before, args[:n])
		runs, left := args[n], args[n+1:]
		var still ir.Value
		passed := f.under(runs, func() []ir.Value {
			f.region(before)
			// Only lanes that run are asked: the condition of the others may be poison.
			still = f.and(runs, f.vector(term[0]))
			return pass()
		})
		passed = append(passed, still)
		// A lane overwrites what it leaves with in each iteration that it runs: the last values stay.
		for j, i := range leaves {
			passed = append(passed, arith.Choose(b, runs, f.vector(term[1+i]), left[j]))
		}
		return f.any(still), passed
	}, func(args []ir.Value) []ir.Value {
		f.bind(after, args[:k])
		out := f.under(args[k], func() []ir.Value {
			f.region(after)
			return carries(g.Yields(after))
		})
		return append(out, args[k:]...)
	}))
	results := slices.Clone(out[:k]) // of what nobody uses whatever comes last
	for j, i := range leaves {
		results[i] = out[k+1+j]
	}
	return b.Pack(results...)
}

// bind says what the parameters of a region are in the new graph.
func (f *filler) bind(r ir.Region, args []ir.Value) {
	for i, p := range f.G.Params(r) {
		f.set(p, args[i])
	}
}
