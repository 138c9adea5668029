package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// A Chain is a sum of products with others in it that it alone reads: what it sums, its operands, and what was taken in.
type Chain struct {
	Spec  *Spec
	Args  []Factor
	Taken map[ir.Value]bool
}

// A Factor is an operand of a chain: a tensor, or a number.
type Factor struct {
	ir.Node
	IsNumber bool
}

// mostIndices bounds those of a chain.
const mostIndices = 48

// ChainOf takes into a sum of products those that may be taken, if that lets the order of all cost less. It is nil for what
// is none.
func ChainOf(n ir.Node, may func(a ir.Node) bool) *Chain {
	asIs := ownChain(n)
	if asIs == nil || len(asIs.Args) == 1 {
		return asIs
	}
	f := &Chain{asIs.Spec, asIs.Args, map[ir.Value]bool{}}
	cost := asIs.Spec.Path().Cost
	for i := 0; i < len(f.Args); i++ {
		a := f.Args[i]
		if a.IsNumber || Elem(n.Graph().Ctx, a.Type()) != Elem(n.Graph().Ctx, n.Type()) || !may(a.Node) {
			continue
		}
		inner := ownChain(a.Node)
		if inner == nil || len(inner.Args) < 2 || len(f.Spec.Names)+len(inner.Spec.Names) > mostIndices {
			continue
		}
		cost += inner.Spec.Path().Cost
		f.Spec, f.Args, f.Taken[a.Old()] = f.Spec.With(i, inner.Spec), slices.Concat(f.Args[:i], inner.Args, f.Args[i+1:]), true
		i--
	}
	if len(f.Taken) > 0 && f.Spec.Path().Cost >= cost*(1-1e-9) {
		return asIs
	}
	return f
}

// ownChain is an einsum, or a map that multiplies, as a chain of its own.
func ownChain(n ir.Node) *Chain {
	if n.Def() == Map {
		return productOf(n)
	}
	if n.Def() != Einsum {
		return nil
	}
	c := &Chain{Spec: SpecOf(n.Graph(), n.Old())}
	for _, a := range n.Args() {
		c.Args = append(c.Args, Factor{Node: a})
	}
	return c
}

// productOf is a map of which each element is a product of one of each operand, and of numbers from outside, in any order as
// their flags allow (reassoc, for floats).
func productOf(n ir.Node) *Chain {
	g, r := n.Graph(), n.Region(0).Old()
	params, shape := g.Params(r), Shape(g.Ctx, n.Type())
	inside := ir.ScheduleOf(g).Body(r)
	c := &Chain{Spec: &Spec{}}
	for d, extent := range shape {
		c.Spec.Names, c.Spec.Extents, c.Spec.Out = append(c.Spec.Names, letter(d)), append(c.Spec.Extents, extent), append(c.Spec.Out, d)
	}
	var factors func(y ir.Value) bool
	factors = func(y ir.Value) bool {
		if i := slices.Index(params, y); i >= 0 {
			own := Shape(g.Ctx, n.Arg(i).Type())
			in := make([]int, len(own))
			for d, extent := range own {
				if in[d] = d + len(shape) - len(own); extent == 1 && shape[in[d]] != 1 {
					in[d] = Stretched
				}
			}
			c.Spec.In, c.Args = append(c.Spec.In, in), append(c.Args, Factor{Node: n.Arg(i)})
			return true
		}
		if !slices.Contains(inside, y) {
			c.Spec.In, c.Args = append(c.Spec.In, []int{}), append(c.Args, Factor{g.NodeOf(y), true})
			return true
		}
		free := g.Def(y) == arith.Muli || g.Def(y) == arith.Mulf && arith.FastMathOf(g.Ctx, g.AttrsOf(y))&arith.Reassoc != 0
		return free && len(c.Args) < mostExact && factors(g.Args(y)[0]) && factors(g.Args(y)[1])
	}
	if len(shape) > mostIndices || !factors(g.Args(g.Term(r))[0]) || len(c.Args) < 2 {
		return nil
	}
	for _, a := range n.Args() { // one that is not read says extents
		if !slices.ContainsFunc(c.Args, func(f Factor) bool { return f.Old() == a.Old() }) {
			return nil
		}
	}
	return c
}

// InOrder makes einsums of two operands of a spec of several, in the order that costs least. What comes of some is summed
// up as f32 where the result has 16 bits, so that it is rounded once.
func InOrder(b *ir.Builder, s *Spec, t ir.Type, values []ir.Value) ir.Value {
	c := b.Ctx()
	values, terms := slices.Clone(values), slices.Clone(s.In)
	sets := make([]uint64, len(values))
	for i := range sets {
		sets[i] = 1 << i
	}
	elem := wideOf(Elem(c, t))
	steps := s.Path().Steps
	for k, step := range steps {
		x, y := step[0], step[1]
		sets = append(sets, sets[x]|sets[y])
		out, kept := s.Out, s.Remaining(sets[len(sets)-1])
		if k < len(steps)-1 {
			out = s.Ordered(kept, terms[x], terms[y])
		}
		pair := &Spec{In: [][]int{terms[x], terms[y]}, Out: out, Names: s.Names, Extents: s.Extents}
		if k == len(steps)-1 {
			return narrowed(b, BuildEinsumOf(b, pair, c.Tensor(Shape(c, t), lastElem(elem, Elem(c, t), k)), values[x], values[y]), t)
		}
		values, terms = append(values, BuildEinsum(b, pair, elem, values[x], values[y])), append(terms, out)
	}
	panic("ten.einsum: an order without a step")
}

// lastElem is the type of the elements of the last step, which is the only one if it is the first.
func lastElem(wide, elem ir.Type, step int) ir.Type {
	if step == 0 {
		return elem
	}
	return wide
}

// narrowed rounds elements to those of a type.
func narrowed(b *ir.Builder, x ir.Value, t ir.Type) ir.Value {
	if b.Graph().Type(x) == t {
		return x
	}
	return BuildMap(b, t, []ir.Value{x}, func(xs []ir.Value) ir.Value { return arith.Cast(b, arith.Truncf, xs[0], Elem(b.Ctx(), t)) })
}
