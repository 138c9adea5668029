package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// mostPicked is up to how many ops the branches may have together that are done to each element, whatever the condition is.
const mostPicked = 16

// A picking is a result of an if that may be a map of what both branches make of the elements of tensors from around it.
type picking struct {
	m     *ir.Mirror
	n     ir.Node
	shape []int64
	args  []ir.Node  // tensors from around the if
	own   []ir.Value // what is done to elements in the branches, and is in the map
	ops   int
}

// pickedMap makes a map of each result of an if for which that lets a product be summed up in its loops. The others stay.
func pickedMap(m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	if !g.HasBlock(n.Region(1).Old()) {
		return 0
	}
	then, els := n.Region(0).Yields(), n.Region(1).Yields()
	picked := make([]ir.Value, len(then))
	some, all := false, true
	for i, y := range then {
		if p := (&picking{m: m, n: n, shape: Shape(g.Ctx, y.Type())}); Takes(g.Ctx, y.Type()) && p.takes(0, y) && p.takes(1, els[i]) && p.gains(i) {
			picked[i] = p.build(y, els[i])
		}
		some, all = some || picked[i] != 0, all && picked[i] != 0
	}
	if !some {
		return 0
	}
	if !all {
		rest := m.Copy(n)
		for i := range picked {
			if picked[i] == 0 {
				picked[i] = m.B.Result(rest, i)
			}
		}
	}
	return m.B.Pack(picked...)
}

// isInside reports what stands in a branch.
func (p *picking) isInside(branch int, v ir.Value) bool {
	x, _, _ := p.n.Graph().Projection(v)
	return slices.Contains(p.m.Schedule().Body(p.n.Region(branch).Old()), x)
}

// takes reports a tensor from around the if, a constant, or one that a branch makes of the elements of such, each at its own place, by arithmetic
// on numbers that are there before the if or may be computed before it.
func (p *picking) takes(branch int, y ir.Node) bool {
	c := y.Graph().Ctx
	if !Takes(c, y.Type()) {
		return p.isEarly(branch, y.Old())
	}
	if !p.isInside(branch, y.Old()) || y.Def().Has(ir.ConstantLike) {
		if !slices.ContainsFunc(p.args, func(a ir.Node) bool { return a.Old() == y.Old() }) {
			p.args = append(p.args, y)
		}
		return true
	}
	if y.Def() == Fill && slices.Equal(Shape(c, y.Type()), p.shape) && !isOpen(p.shape) {
		return p.isEarly(branch, y.Arg(0).Old())
	}
	if !isPointwise(y) || !slices.Equal(Shape(c, y.Type()), p.shape) || carried(p.m)[y.Old()] != 0 || !p.isArithmetic(y) {
		return false
	}
	p.own = append(p.own, y.Old())
	ok := true
	captured(p.m, y, func(v ir.Value) { ok = ok && p.isEarly(branch, v) })
	return ok && !slices.ContainsFunc(y.Args(), func(a ir.Node) bool { return !p.takes(branch, a) })
}

// isArithmetic counts the ops that are done to each element.
func (p *picking) isArithmetic(y ir.Node) bool {
	g := y.Graph()
	done := []ir.Value{y.Old()}
	if y.Def() == Map {
		done = p.m.Schedule().Body(y.Region(0).Old())
		done = done[:len(done)-1] // what yields
	}
	p.ops += len(done)
	return p.ops <= mostPicked && !slices.ContainsFunc(done, func(v ir.Value) bool { return !slices.Contains(arith.Dialect.Ops, g.Def(v)) })
}

// isEarly reports a number that is there before the if, or may be.
func (p *picking) isEarly(branch int, v ir.Value) bool {
	g := p.n.Graph()
	if !p.isInside(branch, v) {
		return true
	}
	p.ops++
	return p.ops <= mostPicked && g.IsPure(v) && len(g.Regions(v)) == 0 && g.Results(v) == 1 && !g.Ctx.IsTensor(g.Type(v)) &&
		!slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return !p.isEarly(branch, a) })
}

// gains reports something done to elements, of which one tensor is a product that is read for nothing else, in both branches, since it would
// stand in the one otherwise. Where its extents are open nothing else is an operand of the map: one of two such tensors may trap.
func (p *picking) gains(at int) bool {
	g := p.n.Graph()
	isOwn := func(v ir.Value) bool {
		for _, u := range ir.Uses(g).Of(v) {
			if slices.Contains(p.own, u) {
				continue
			}
			i := slices.IndexFunc(p.n.Graph().Regions(p.n.Old()), func(r ir.Region) bool { return g.Term(r) == u })
			if i < 0 {
				return false
			}
			for k, y := range g.Args(u) {
				if y == v && k != at {
					return false
				}
			}
		}
		return true
	}
	return len(p.own) > 0 && !slices.ContainsFunc(p.own, func(v ir.Value) bool { return !isOwn(v) }) &&
		slices.ContainsFunc(p.args, func(a ir.Node) bool {
			return isProduct(a) && slices.Equal(Shape(g.Ctx, a.Type()), p.shape) && p.m.Schedule().Place(a.Old()) == p.m.Schedule().Place(p.n.Old()) && isOwn(a.Old())
		})
}

func (p *picking) build(then, els ir.Node) ir.Value {
	m := p.m
	for _, a := range p.args { // constants, which are where they are needed
		p.hoist(0, a.Old())
		p.hoist(1, a.Old())
	}
	return BuildMap(m.B, then.Type(), m.All(p.args), func(xs []ir.Value) ir.Value {
		return arith.Choose(m.B, m.Of(p.n.Arg(0)), p.element(0, then, xs), p.element(1, els, xs))
	})
}

// element is that of a tensor in the map, or a number.
func (p *picking) element(branch int, y ir.Node, xs []ir.Value) ir.Value {
	if i := slices.IndexFunc(p.args, func(a ir.Node) bool { return a.Old() == y.Old() }); i >= 0 {
		return xs[i]
	}
	if !Takes(y.Graph().Ctx, y.Type()) {
		p.hoist(branch, y.Old())
		return p.m.Of(y)
	}
	if y.Def() == Fill {
		return p.element(branch, y.Arg(0), xs)
	}
	args := make([]ir.Value, y.NumArgs())
	for i, a := range y.Args() {
		args[i] = p.element(branch, a, xs)
	}
	captured(p.m, y, func(v ir.Value) { p.hoist(branch, v) })
	return onElements(p.m, y, args)
}

// hoist computes a number of a branch before the if.
func (p *picking) hoist(branch int, v ir.Value) {
	if !p.isInside(branch, v) {
		return
	}
	g := p.n.Graph()
	for _, a := range g.Args(v) {
		p.hoist(branch, a)
	}
	p.m.Set(g.NodeOf(v), p.m.Copy(g.NodeOf(v)))
}
