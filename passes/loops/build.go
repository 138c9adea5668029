package loops

import (
	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A span is what a loop runs over, in values of the graph that is made: from the greatest of its lower bounds up to
// the least of its upper bounds. A loop of scf has one of each.
type span struct {
	lower, upper []affinedialect.Point
	step         int64
}

// spanOf is that of an old loop, in old values.
func spanOf(n ir.Node, step int64) span {
	if n.Def() == affinedialect.For {
		r := affinedialect.Ranges(n)[0]
		return span{r.Lower, r.Upper, r.Step}
	}
	return span{[]affinedialect.Point{pointOf(n.Arg(0))}, []affinedialect.Point{pointOf(n.Arg(1))}, step}
}

// pointOf is a bound: a number where it is one.
func pointOf(n ir.Node) affinedialect.Point {
	if c, ok := n.Graph().Const(n.Old()); ok && c.Ref == nil && n.Type() == ir.Index {
		return affinedialect.Number(c.Int(64))
	}
	return affinedialect.Just(n.Old())
}

// mirrored is a span of old values in new ones.
func (s span) mirrored(m *ir.Mirror, g *ir.Graph) span {
	in := func(ps []affinedialect.Point) []affinedialect.Point {
		out := make([]affinedialect.Point, len(ps))
		for i, p := range ps {
			out[i] = p.Map(func(v ir.Value) ir.Value { return m.Of(g.NodeOf(v)) })
		}
		return out
	}
	return span{in(s.lower), in(s.upper), s.step}
}

// A loopBody fills an iteration and gives what is carried on.
type loopBody func(iv ir.Value, carried []ir.Value) []ir.Value

// makeLoop makes a loop of the kind of an old one, which carries values of any types. It stands where the old one stood, and its end where
// that of the old one did. Others that become the same loop are joined.
func makeLoop(m *ir.Mirror, like ir.Node, attr ir.Attr, s span, inits []ir.Value, body loopBody, joined ...ir.Value) []ir.Value {
	b := m.B
	def, end := like.Def(), scf.Yield
	var args []ir.Value
	if def == scf.Parallel {
		end = scf.Reduce
	}
	if def == affinedialect.For {
		end = affinedialect.Yield
		args, attr = affinedialect.ForOf(b, attr, s.lower, s.upper, s.step, inits)
	} else {
		t := m.Type(like.Arg(0).Type())
		step := b.Const(t, ir.IntVal(s.step, widthOf(m, t)))
		args = append([]ir.Value{affinedialect.ComputeGreatest(b, s.lower), affinedialect.ComputeLeast(b, s.upper), step}, inits...)
	}
	around, at := b.Loc, b.Loc
	if list := like.Graph().LocsOf(like.Old()); len(list) > 0 {
		at = list[0]
	}
	b.Loc = at
	types := []ir.Type{m.Type(like.Region(0).Params()[0].Type())}
	for _, v := range inits {
		types = append(types, b.Graph().Type(v))
	}
	r := m.RegionAs(like.Region(0), ir.Loop, types, func(params []ir.Value) {
		b.Enter(def, attr, args, 0, params)
		ys := body(params[0], params[1:])
		if term, ok := like.Region(0).Term(); ok {
			if list := like.Graph().LocsOf(term.Old()); len(list) > 0 {
				b.Loc = list[0]
			}
		}
		b.Op(end, ys...)
		b.Loc = at
	})
	made := b.Must(ir.Call{Def: def, Args: args, Attr: attr, Regions: []ir.Region{r}, Loc: at})
	for _, v := range joined {
		b.JoinLocs(made, like.Graph().LocsOf(v))
	}
	b.Loc = around
	return b.Results(made)
}

// widthOf is how many bits a constant of a type has: an index has 64.
func widthOf(m *ir.Mirror, t ir.Type) int {
	if t == ir.Index {
		return 64
	}
	return m.B.Ctx().Info(t).Width
}

// inits are the first values of what an old loop carries.
func inits(m *ir.Mirror, n ir.Node) []ir.Value {
	l, _ := ir.As[ir.LoopLike](n)
	return lists.Map(l.Inits, func(v ir.Value) ir.Value { return m.Of(n.Graph().NodeOf(v)) })
}

// iteration makes what a nest does in one iteration, in the new loops that are open; ivs are the values of the indices of
// its loops.
func (n *nest) iteration(m *ir.Mirror, ivs, carried []ir.Value) []ir.Value {
	last := len(n.loops) - 1
	for k, v := range n.loops[:last] {
		inner, params := n.loops[k+1], append([]ir.Value{ivs[k]}, carried...)
		skip := func(x ir.Node) bool { return x.Old() == inner }
		// A nest of sums takes of the outermost loop what it needs; what that carries is for the rest of the
		// loop.
		if k == 0 && n.outer != nil {
			params = append([]ir.Value{ivs[k]}, make([]ir.Value, len(n.g.Params(n.body(v)))-1)...)
			skip = func(x ir.Node) bool { return !n.outer[x.Old()] }
		}
		m.BodyWithout(n.g.NodeOf(v).Region(0), skip, params...)
	}
	return m.Body(n.g.NodeOf(n.loops[last]).Region(0), append([]ir.Value{ivs[last]}, carried...)...)
}

// compute makes a value of an affine expression in the dialect of a loop.
func compute(m *ir.Mirror, like ir.Node, p affinedialect.Point) ir.Value {
	if like.Def() == affinedialect.For {
		return affinedialect.BuildApply(m.B, p)
	}
	return affinedialect.Compute(m.B, p)
}
