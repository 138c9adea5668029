package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Rules that bring what makes elements and what takes them together across conditionals and loops, so that the loops of both become
// one (package lowering): a product, of matrices or a convolution, and what is done to each of its elements. Where it is read in one
// branch alone it stands there already, by the schedule.
var controlCleanups = []ir.Cleanup{
	{Of: Map, Rule: "a map of what a loop carries as what the map makes of it is that", Do: carriedAs},
	{Of: scf.For, Rule: "a product that a loop carries, and that one map alone reads, in the loop and behind it, is carried as what the map makes of it", Do: carriedMap},
	{Of: scf.If, Rule: "what the branches of an if make of the elements of one product is a map, which picks by the condition", Do: pickedMap},
	{Of: Map, Rule: "a map that alone reads the results of a conditional is in its branches, where one of them makes the elements", Do: sunk},
	{Of: Reduce, Rule: "a reduction that alone reads the result of a conditional is in its branches, where one of them makes the elements", Do: sunk},
	{Of: Einsum, Rule: "a sum that alone reads the result of a conditional is in its branches, where one of them makes the elements", Do: sunk},
}

// isProduct reports what sums up products for each of its elements.
func isProduct(n ir.Node) bool { return n.Def() == Conv || n.Def() == Einsum && n.NumArgs() > 1 }

// isPointwise reports a map, or an op on the elements of tensors, that cannot trap.
func isPointwise(n ir.Node) bool {
	return (n.Def() == Map || n.Def().Has(ir.Elementwise)) && Takes(n.Graph().Ctx, n.Type()) && !n.Graph().IsPartial(n.Old())
}

// outside reports that what an op reads besides one tensor does not stand in a region, nor is a parameter of it.
func outside(m *ir.Mirror, n ir.Node, r ir.Region, but ir.Value) bool {
	g := n.Graph()
	own := slices.Concat(g.Params(r), m.Schedule().Body(r))
	ok := true
	check := func(v ir.Value) {
		x, _, _ := g.Projection(v)
		ok = ok && (v == but || !slices.Contains(own, v) && !slices.Contains(own, x))
	}
	for _, a := range n.Args() {
		check(a.Old())
	}
	captured(m, n, check)
	return ok
}

// captured calls f for what the region of an op reads from around it.
func captured(m *ir.Mirror, n ir.Node, f func(v ir.Value)) {
	g := n.Graph()
	for i := range n.NumRegions() {
		r := n.Region(i).Old()
		own := slices.Concat(g.Params(r), m.Schedule().Body(r))
		for _, v := range m.Schedule().Body(r) {
			for _, a := range g.Args(v) {
				if !slices.Contains(own, a) {
					f(a)
				}
			}
		}
	}
}

// onElements is what a map, or an op on elements, makes of one element of each operand, in the region that is open.
func onElements(m *ir.Mirror, n ir.Node, xs []ir.Value) ir.Value {
	if n.Def() == Map {
		return m.Body(n.Region(0), xs...)[0]
	}
	return m.B.Must(ir.Call{Def: n.Def(), Args: xs, Attr: n.Attrs(), Type: Elem(m.B.Ctx(), n.Type()), Loc: m.B.Loc})
}

// applied is a map, or an op on elements, of other operands.
func applied(m *ir.Mirror, n ir.Node, args []ir.Value) ir.Value {
	if n.Def() == Map {
		return BuildMap(m.B, n.Type(), args, func(xs []ir.Value) ir.Value { return onElements(m, n, xs) })
	}
	return m.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: n.Type(), Loc: m.B.Loc})
}

// sunk makes an op again in each branch of the conditional whose results it reads, of what that branch yields.
func sunk(m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	if n.Def() != Map && n.NumArgs() > 1 {
		return 0
	}
	for _, a := range n.Args() {
		from, at, _ := g.Projection(a.Old())
		f := g.NodeOf(from)
		if def := f.Def(); def != scf.If && def != scf.IndexSwitch || !movesTo(m, f, n) || !makesFor(m, f, at, n) {
			continue
		}
		now, _, _ := m.B.Graph().Projection(m.Of(a))
		if m.B.Graph().Def(now) != f.Def() {
			continue // it has become something else
		}
		return sinkInto(m, n, f, now)
	}
	return 0
}

// movesTo reports a conditional that may as well run where an op stands that alone reads its results.
func movesTo(m *ir.Mirror, f, n ir.Node) bool {
	g := n.Graph()
	return onlyReads(m, n, f) && !g.IsPinned(f.Old()) && !g.HasEffect(f.Old()) && len(g.Hard(f.Old())) == 0 &&
		!slices.ContainsFunc(g.Regions(f.Old()), func(r ir.Region) bool { return !g.HasBlock(r) })
}

// makesFor reports a conditional one of whose branches yields, as a result, what it makes element by element for nothing else.
func makesFor(m *ir.Mirror, f ir.Node, at int, n ir.Node) bool {
	g := n.Graph()
	return slices.ContainsFunc(g.Regions(f.Old()), func(r ir.Region) bool {
		y := g.NodeOf(g.Yields(r)[at])
		if m.Schedule().Place(y.Old()) != r || y.NumUses() != 1 {
			return false
		}
		if n.Def() != Map {
			return isPointwise(y)
		}
		return (isPointwise(y) || isProduct(y)) && slices.Equal(Shape(g.Ctx, y.Type()), Shape(g.Ctx, n.Type()))
	})
}

// sinkInto: now is what the conditional has become.
func sinkInto(m *ir.Mirror, n, f ir.Node, now ir.Value) ir.Value {
	b, g := m.B, n.Graph()
	of := b.Graph()
	call := ir.Call{Def: f.Def(), Args: slices.Clone(of.Args(now)), Attr: of.AttrsOf(now), Loc: b.Loc}
	for _, r := range of.Regions(now) {
		call.Regions = append(call.Regions, b.CopyRegion(r, func(ys []ir.Value) {
			args := make([]ir.Value, n.NumArgs())
			for i, a := range n.Args() {
				if from, k, _ := g.Projection(a.Old()); from == f.Old() {
					args[i] = ys[k]
				} else {
					args[i] = m.Of(a)
				}
			}
			b.Op(scf.Yield, applied(m, n, args))
		}))
	}
	return b.Must(call)
}
