package affine

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
)

const normalForm = "maps and operands are in their normal form, and what is not affine any more is scf, memref and arith"

var folds = []ir.Fold{
	{Of: Apply, Rule: "affine.apply of affine.apply is one", Do: normalIndex},
	{Of: Apply, Rule: "affine.apply of the identity is its operand", Do: applyOperand},
	{Of: Min, Rule: "affine.min has its map in normal form, and each result once", Do: normalIndex},
	{Of: Max, Rule: "affine.max has its map in normal form, and each result once", Do: normalIndex},
	{Of: Min, Rule: "affine.min of one is affine.apply", Do: extremeOfOne},
	{Of: Max, Rule: "affine.max of one is affine.apply", Do: extremeOfOne},
	{Of: Load, Rule: "affine.load: " + normalForm, Do: normalAccess(0, lowerAccess(memref.Load, 0))},
	{Of: Store, Rule: "affine.store: " + normalForm, Do: normalAccess(1, lowerAccess(memref.Store, 1))},
	{Of: Prefetch, Rule: "affine.prefetch: " + normalForm, Do: normalAccess(0, lowerAccess(memref.Prefetch, 0))},
	{Of: Load, Rule: "affine.load of a cast = affine.load of what is cast", Do: memref.ThroughCast(0)},
	{Of: Store, Rule: "affine.store to a cast = affine.store to what is cast", Do: memref.ThroughCast(1)},
	{Of: Load, Rule: "affine.load after affine.store to the same place = the stored value", Do: loadStored},
	{Of: If, Rule: "affine.if: " + normalForm, Do: normalIf},
	{Of: If, Rule: "affine.if at all points or none is its region", Do: ifKnown},
	{Of: For, Rule: "affine.for: " + normalForm, Do: normalFor},
	{Of: For, Rule: "an affine.for that never runs gives its initial values", Do: forNever},
	{Of: For, Rule: "an affine.for that runs once = its body", Do: forOnce},
	{Of: Parallel, Rule: "affine.parallel: " + normalForm, Do: normalParallel},
}

func mapFor(c *ir.Call) *expr.Map { return expr.MapOf(c.Ctx(), c.Get("map")) }

// normalIndex: what is not affine when it is composed stays as it is.
func normalIndex(b *ir.Builder, c *ir.Call) ir.Value {
	m := mapFor(c)
	n := normalise(b.Graph(), m.Results, m.Dims, c.Args, false)
	if !n.ok {
		return 0
	}
	if c.Def != Apply {
		n.exprs = distinct(n.exprs)
		n.compress()
	}
	if n.same(m.Results, m.Dims, c.Args) {
		return 0
	}
	return b.Must(ir.Call{Def: c.Def, Args: n.args(), Attr: b.Ctx().With(c.Attr, "map", n.mapping().Attr(b.Ctx())), Loc: c.Loc})
}

// distinct lists each expression once.
func distinct(list []*expr.Expr) (out []*expr.Expr) {
	for _, e := range list {
		if !slices.ContainsFunc(out, func(x *expr.Expr) bool { return expr.Equal(x, e) }) {
			out = append(out, e)
		}
	}
	return out
}

func applyOperand(b *ir.Builder, c *ir.Call) ir.Value {
	m := mapFor(c)
	x, ok := boundOf(m.Results, m.Dims, c.Args)
	switch {
	case !ok:
		return 0
	case x.Value == 0:
		return b.Index(x.Const)
	}
	return x.Value
}

func extremeOfOne(b *ir.Builder, c *ir.Call) ir.Value {
	if len(mapFor(c).Results) != 1 {
		return 0
	}
	return b.Must(ir.Call{Def: Apply, Args: c.Args, Attr: c.Attr, Loc: c.Loc})
}

// normalAccess is for an access to operand k.
func normalAccess(k int, other func(*ir.Builder, made) ir.Value) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		m, args := mapFor(c), c.Args[k+1:]
		n := normalise(b.Graph(), m.Results, m.Dims, args, true)
		switch {
		case !n.ok:
			return anew(b, c, other)
		case n.same(m.Results, m.Dims, args):
			return 0
		}
		return b.Must(ir.Call{Def: c.Def, Args: slices.Concat(c.Args[:k+1], n.args()), Loc: c.Loc,
			Attr: b.Ctx().With(c.Attr, "map", n.mapping().Attr(b.Ctx()))})
	}
}

// storeOverwrites: a store to the same place leaves nothing to see of another.
func storeOverwrites(c *ir.Call, prev ir.Value) bool {
	g := c.Graph()
	return g.Def(prev) == c.Def && g.Attr(prev, "map") == c.Get("map") && slices.Equal(g.Args(prev)[1:], c.Args[1:])
}

// maxForwarded bounds how many stores to other places a load looks past, as in memref.
const maxForwarded = 64

// loadStored forwards a store, past stores to what is certainly another element.
func loadStored(b *ir.Builder, c *ir.Call) ir.Value {
	g, m := b.Graph(), c.Args[0]
	w := b.LastWrite(b.ResourceOf(m))
	for range maxForwarded {
		if g.Def(w) != Store || g.Args(w)[1] != m {
			return 0
		}
		to, f := g.Args(w)[2:], expr.MapOf(b.Ctx(), g.Attr(w, "map"))
		switch {
		case f == mapFor(c) && slices.Equal(to, c.Args[1:]):
			return g.Args(w)[0]
		case !layouts.Injective(b.Ctx(), g.Type(m)) || !differ(b, f, to, mapFor(c), c.Args[1:]) || len(g.Hard(w)) != 1:
			return 0
		}
		w = g.Hard(w)[0]
	}
	return 0
}

// differ reports that two places certainly differ in a subscript.
func differ(b *ir.Builder, f *expr.Map, x []ir.Value, h *expr.Map, y []ir.Value) bool {
	o := operands{g: b.Graph()}
	known := affine.In(b)
	xd, xs := o.leaves(f.Dims, x)
	yd, ys := o.leaves(h.Dims, y)
	for i := range f.Results {
		p, q := f.Results[i].Replace(xd, xs), h.Results[i].Replace(yd, ys)
		if p == nil || q == nil {
			continue
		}
		d := expr.Sub(p, q).Simplify()
		if known.Extreme(affine.MinSigned, []*expr.Expr{d}, o.dims, o.syms).Nonzero() {
			return true
		}
	}
	return false
}

func normalIf(b *ir.Builder, c *ir.Call) ir.Value {
	s := expr.SetOf(b.Ctx(), c.Get("condition"))
	n := normalise(b.Graph(), s.Exprs(), s.Dims, c.Args, true)
	if !n.ok {
		return anew(b, c, lowerIf)
	}
	var cs []expr.Constraint
	for i, e := range n.exprs {
		x := expr.Constraint{Expr: e, Equal: s.Constraints[i].Equal}
		if holds, known := decided(x); known && !holds {
			cs = []expr.Constraint{{Expr: expr.Const(-1)}}
			break
		} else if !known && !slices.ContainsFunc(cs, func(y expr.Constraint) bool { return x.Equal == y.Equal && expr.Equal(x.Expr, y.Expr) }) {
			cs = append(cs, x)
		}
	}
	if len(cs) == 0 { // all points
		cs = []expr.Constraint{{Expr: expr.Const(0), Equal: true}}
	}
	n.exprs = (&expr.Set{Constraints: cs}).Exprs()
	n.compress()
	for i := range cs {
		cs[i].Expr = n.exprs[i]
	}
	if len(cs) == len(s.Constraints) && n.same(s.Exprs(), s.Dims, c.Args) {
		return 0
	}
	t := &expr.Set{Dims: len(n.dims), Syms: len(n.syms), Constraints: cs}
	return b.Must(ir.Call{Def: If, Args: n.args(), Attr: b.Ctx().WithDiscardable(b.Ctx().With(c.Attr, "condition", 0), "condition", t.Attr(b.Ctx())),
		Regions: c.Regions, Type: c.Type, Loc: c.Loc})
}

// decided is what is known of a constraint on numbers alone.
func decided(c expr.Constraint) (holds, known bool) {
	if !c.Expr.IsConst() {
		return false, false
	}
	return c.Expr.N == 0 || c.Expr.N > 0 && !c.Equal, true
}

func ifKnown(b *ir.Builder, c *ir.Call) ir.Value {
	s := expr.SetOf(b.Ctx(), c.Get("condition"))
	if len(s.Constraints) != 1 {
		return 0
	}
	if holds, known := decided(s.Constraints[0]); !known {
		return 0
	} else if holds {
		return b.Pack(b.Splice(c.Regions[0], nil)...)
	}
	if !b.Graph().HasBlock(c.Regions[1]) {
		return b.Pack()
	}
	return b.Pack(b.Splice(c.Regions[1], nil)...)
}

func normalFor(b *ir.Builder, c *ir.Call) ir.Value {
	l := boundsOf(b.Ctx(), c.Attr, c.Args)
	lower := normalise(b.Graph(), l.lower.Results, l.lower.Dims, l.lowerArgs, true)
	upper := normalise(b.Graph(), l.upper.Results, l.upper.Dims, l.upperArgs, true)
	if !lower.ok || !upper.ok {
		return anew(b, c, lowerFor)
	}
	for _, n := range []*normal{&lower, &upper} {
		n.exprs = distinct(n.exprs)
		n.compress()
	}
	if lower.same(l.lower.Results, l.lower.Dims, l.lowerArgs) && upper.same(l.upper.Results, l.upper.Dims, l.upperArgs) {
		return 0
	}
	l.lower, l.lowerArgs, l.upper, l.upperArgs = lower.mapping(), lower.args(), upper.mapping(), upper.args()
	return b.Must(ir.Call{Def: For, Args: l.args(), Attr: l.attr(b.Ctx(), c.Attr), Regions: c.Regions, Type: c.Type, Loc: c.Loc})
}

// constTrips is how often a loop with constant bounds runs.
func constTrips(c *ir.Call) (l bounds, lower int64, trips uint64, ok bool) {
	l = boundsOf(c.Ctx(), c.Attr, c.Args)
	most := func(m *expr.Map, better func(x, y int64) bool) (best int64, ok bool) {
		for i, e := range m.Results {
			if !e.IsConst() {
				return 0, false
			}
			if i == 0 || better(e.N, best) {
				best = e.N
			}
		}
		return best, true
	}
	lower, ok1 := most(l.lower, greater)
	upper, ok2 := most(l.upper, less)
	if !ok1 || !ok2 {
		return l, 0, 0, false
	}
	trips, ok = iteration.Trips(lower, upper, l.step)
	return l, lower, trips, ok
}

func forNever(b *ir.Builder, c *ir.Call) ir.Value {
	if l, _, n, ok := constTrips(c); ok && n == 0 {
		return b.Pack(l.inits...)
	}
	return 0
}

func forOnce(b *ir.Builder, c *ir.Call) ir.Value {
	l, lower, n, ok := constTrips(c)
	if !ok || n != 1 {
		return 0
	}
	return b.Pack(b.Splice(c.Regions[0], append([]ir.Value{b.Index(lower)}, l.inits...))...)
}

func normalParallel(b *ir.Builder, c *ir.Call) ir.Value {
	x := b.Ctx()
	l, _ := boxOf(x, c.Attr, c.Args)
	lower := normalise(b.Graph(), l.lower.Results, l.lower.Dims, l.lowerArgs, true)
	upper := normalise(b.Graph(), l.upper.Results, l.upper.Dims, l.upperArgs, true)
	if !lower.ok || !upper.ok {
		return anew(b, c, lowerParallel)
	}
	if lower.same(l.lower.Results, l.lower.Dims, l.lowerArgs) && upper.same(l.upper.Results, l.upper.Dims, l.upperArgs) {
		return 0
	}
	attr := x.With(x.With(c.Attr, "lowerBoundsMap", lower.mapping().Attr(x)), "upperBoundsMap", upper.mapping().Attr(x))
	return b.Must(ir.Call{Def: Parallel, Args: slices.Concat(lower.args(), upper.args()), Attr: attr, Regions: c.Regions, Type: c.Type, Loc: c.Loc})
}
