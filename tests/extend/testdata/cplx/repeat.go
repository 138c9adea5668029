package main

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Repeat applies its body to numbers. If that is done once, the body is no loop: it runs where
// the op stands, so nothing has to leave it, and what it does is known to happen.
var Repeat = ir.Define(&ir.OpDef{Name: "cplx.repeat", Doc: "Applies its body to numbers, again and again.", Args: []string{"init..."},
	Attrs: []string{"times"}, Traits: ir.SingleRegion | ir.Carries,
	Harmless: func(*ir.Call, int) bool { return true }, // a number that is carried may be poison
	Kind: func(c *ir.Context, attr ir.Attr, _ int) ir.RegionKind {
		if times(c, attr) == 1 {
			return ir.Once
		}
		return ir.Loop
	},
	Infer: func(c *ir.Call) (ir.Type, error) {
		if times(c.Ctx(), c.Attr) < 1 {
			return 0, c.Errorf("has an attribute times, a positive i64")
		}
		if len(c.Regions) != 1 {
			return 0, c.Errorf("has one region")
		}
		g, body := c.Graph(), c.Regions[0]
		types := typesOf(g, c.Args)
		if term := g.Term(body); term == 0 || g.Def(term) != Yield {
			return 0, c.Errorf("has a region that ends with cplx.yield")
		}
		if !slices.Equal(typesOf(g, g.Params(body)), types) || !slices.Equal(typesOf(g, g.Yields(body)), types) {
			return 0, c.Errorf("takes, hands to its region and gets from it values of the same types")
		}
		return c.Ctx().Multi(types...), nil
	}})

// Yield hands on what a body has made.
var Yield = ir.Define(&ir.OpDef{Name: "cplx.yield", Doc: "Ends the body of a repeat.", Args: []string{"z..."}, Traits: ir.Terminator | ir.Carries,
	Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})

// times is the attribute of that name, or 0.
func times(c *ir.Context, attr ir.Attr) int64 {
	a := c.Get(attr, "times")
	if a == 0 || c.TypeOf(a) != ir.I64 {
		return 0
	}
	n, _ := c.Number(a)
	return int64(n)
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = g.Type(v)
	}
	return out
}

// runRepeat is what the op means: the interpreter runs it.
func runRepeat(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	z := m.Temp(len(args))
	copy(z, args)
	for range times(o.G.Ctx, o.G.AttrsOf(o.V)) {
		ys, err := m.Run(o.Regions[0], z)
		if err != nil {
			return err
		}
		copy(z, ys)
	}
	copy(out, z)
	return nil
}

// lowerRepeat makes a loop of scf, or of what is done once nothing but that.
func lowerRepeat(m *ir.Mirror, n ir.Node) ir.Value {
	body, z := n.Region(0), m.All(n.Args())
	if body.Kind() == ir.Once {
		return m.B.Pack(m.Body(body, z...)...)
	}
	args := append([]ir.Value{m.B.Index(0), m.B.Index(times(m.B.Ctx(), n.Attrs())), m.B.Index(1)}, z...)
	params := append([]ir.Type{ir.Index}, body.ParamTypes()...)
	r := m.B.Region(ir.Loop, params, func(p []ir.Value) { m.Op(scf.Yield, m.Body(body, p[1:]...)...) })
	return m.B.Must(ir.Call{Def: scf.For, Args: args, Regions: []ir.Region{r}})
}

// loops says what the op is to passes that look for loops.
var loops = ir.Interface[ir.LoopLike]{Repeat: func(n ir.Node) ir.LoopLike {
	var params []ir.Value
	for _, p := range n.Region(0).Params() {
		params = append(params, p.Old())
	}
	return ir.LoopLike{Body: n.Region(0).Old(), Inits: n.Graph().Args(n.Old()), Carried: params}
}}
