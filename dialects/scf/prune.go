package scf

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// prune makes if, index_switch, for and while again without the results and carried values
// that nothing needs.
var prune = []ir.Cleanup{
	{Of: If, Rule: "a result of an if that nobody needs is left out", Do: pruneBranch},
	{Of: IndexSwitch, Rule: "a result of an index_switch that nobody needs is left out", Do: pruneBranch},
	{Of: For, Rule: "a value that a for carries for nobody but itself is left out", Do: pruneFor},
	{Of: While, Rule: "a value that a while carries or passes for nobody but itself is left out", Do: pruneWhile},
}

func indicesOf(flags []bool) (out []int) {
	for i, f := range flags {
		if f {
			out = append(out, i)
		}
	}
	return out
}

func resultType(n ir.Node, i int) ir.Type {
	if t := n.Graph().Ctx.Info(n.Type()); t.Kind == ir.KindMulti {
		return t.Types[i]
	}
	return n.Type()
}

// zeroOf is 0 of a type of numbers; 0 for others.
func zeroOf(b *ir.Builder, t ir.Type) ir.Value {
	a := zeroAttr(b.Ctx(), t)
	if a == 0 {
		return 0
	}
	return b.ConstAttr(t, a)
}

// zeroAttr is 0 of a type of numbers; 0 for others, also for those that dialects define, whose values it does not know.
func zeroAttr(c *ir.Context, t ir.Type) ir.Attr {
	if c.Info(t).Def != nil {
		return 0
	}
	return c.AttrOf(ir.Val{}, t)
}

// pruneBranch gives those that use a result which is not needed 0 for it: they go too.
func pruneBranch(m *ir.Mirror, n ir.Node) ir.Value {
	live := liveValues.Of(n.Graph()).of(n.Old())
	if !slices.Contains(live, false) {
		return 0
	}
	used, stands := n.UsedResults(), make([]ir.Value, len(live))
	for i := range live {
		if used[i] && !live[i] {
			stands[i] = zeroOf(m.B, m.Type(resultType(n, i)))
			live[i] = stands[i] == 0
		}
	}
	keep := indicesOf(live)
	if len(keep) == len(live) {
		return 0
	}
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs()}
	for i := range n.NumRegions() {
		old := n.Region(i)
		call.Regions = append(call.Regions, m.RegionWith(old, ir.Branch, nil, func([]ir.Value) {
			m.B.Enter(call.Def, call.Attr, call.Args, i, nil)
			if n.Graph().HasBlock(old.Old()) {
				m.Op(Yield, pick(m.Body(old), keep)...)
			}
		}))
	}
	v := m.B.Must(call)
	if len(stands) == 1 && stands[0] == 0 {
		return v
	}
	for k, i := range keep {
		stands[i] = m.B.Result(v, k)
	}
	for i, x := range stands {
		if x == 0 {
			stands[i] = call.Args[0] // nothing uses it
		}
	}
	return m.B.Pack(stands...)
}

// needs finds what a loop's body needs of the parameters of its regions.
type needs struct {
	g    *ir.Graph
	body map[ir.Region]bool // the regions of the loop
	seen map[ir.Value]bool
	hit  func(r ir.Region, i int) // a parameter of one of the regions is needed
}

func (n *needs) visit(v ir.Value) {
	if n.seen[v] {
		return
	}
	n.seen[v] = true
	if r, i, ok := n.g.Param(v); ok {
		if n.body[r] {
			n.hit(r, i)
		}
		return
	}
	if !n.body[n.g.Home(v)] {
		return // from outside: it cannot depend on the parameters
	}
	n.uses(v)
}

// uses visits all that an op uses, in its regions too.
func (n *needs) uses(v ir.Value) {
	for _, a := range n.g.Args(v) {
		n.visit(a)
	}
	for _, h := range n.g.Hard(v) {
		n.visit(h)
	}
	for _, r := range n.g.Regions(v) {
		for _, w := range n.g.Members(r) {
			n.uses(w)
		}
	}
}

func (n *needs) effects(r ir.Region) {
	for _, v := range n.g.Effs(r) {
		n.visit(v)
	}
}

// pruneFor drops the carried values of a for whose result nobody uses and which
// nothing but themselves needs.
func pruneFor(m *ir.Mirror, n ir.Node) ir.Value {
	old := n.Region(0)
	live := liveValues.Of(n.Graph()).carried(n.Old())
	if !slices.Contains(live, false) {
		return 0
	}
	// A carried value that comes back as it was is dropped by a fold.
	args := m.All(n.Args())
	r := m.RegionWith(old, ir.Loop, nil, func(params []ir.Value) {
		enterFor(m.B, 0, args, 0, params)
		back := m.Body(old, params...)
		for i := range back {
			if !live[i] {
				back[i] = params[i+1]
			}
		}
		m.Op(Yield, back...)
	})
	return m.B.Must(ir.Call{Def: For, Args: args, Attr: n.Attrs(), Regions: []ir.Region{r}})
}

// pruneWhile drops the carried and passed values of a while that nothing needs. A
// fold drops those that are set from outside, so that is what they become.
func pruneWhile(m *ir.Mirror, n ir.Node) ir.Value {
	g, before, after := n.Graph(), n.Region(0), n.Region(1)
	pass, carry := n.UsedResults(), make([]bool, n.NumArgs())
	cond, back := g.Yields(before.Old()), g.Yields(after.Old())
	w := &needs{g: g, body: map[ir.Region]bool{before.Old(): true, after.Old(): true}, seen: map[ir.Value]bool{}}
	w.hit = func(r ir.Region, i int) {
		if r == before.Old() && !carry[i] {
			carry[i] = true
			w.visit(back[i])
		}
		if r == after.Old() && !pass[i] {
			pass[i] = true
			w.visit(cond[i+1])
		}
	}
	for _, j := range indicesOf(pass) {
		w.visit(cond[j+1])
	}
	w.visit(cond[0])
	w.effects(before.Old())
	w.effects(after.Old())
	zero := make([]ir.Value, len(pass))
	change := len(indicesOf(carry)) < len(carry)
	for j, live := range pass {
		t := g.Type(cond[j+1])
		if a := zeroAttr(m.B.Ctx(), t); !live && a != 0 && g.Home(cond[j+1]) == before.Old() {
			zero[j] = m.B.ConstAttr(t, a)
			change = true
		}
	}
	if !change {
		return 0
	}
	args := m.All(n.Args())
	r1 := m.RegionWith(before, ir.Loop, nil, func(params []ir.Value) {
		ys := m.Body(before, params...)
		for j, z := range zero {
			if z != 0 {
				ys[j+1] = z
			}
		}
		m.Op(Condition, ys...)
	})
	r2 := m.RegionWith(after, ir.Loop, nil, func(params []ir.Value) {
		ys := m.Body(after, params...)
		for i, live := range carry {
			if !live {
				ys[i] = args[i]
			}
		}
		m.Op(Yield, ys...)
	})
	return m.B.Must(ir.Call{Def: While, Args: args, Attr: n.Attrs(), Regions: []ir.Region{r1, r2}})
}
