package affine

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lower"
)

// lowerings: at level scf nothing affine is left.
var lowerings = lower.Table{{Level: "scf", Rules: Lowerings}}

// Lowerings are the rules that make scf, memref and arith of affine ops.
var Lowerings = ir.Rules{
	Apply: lowered(func(b *ir.Builder, c made) ir.Value {
		m := expr.MapOf(b.Ctx(), b.Ctx().Get(c.attr, "map"))
		return expand(b, m.Dims, c.args).value(m.Results[0])
	}),
	Min:              lowered(lowerExtreme(arith.Minsi)),
	Max:              lowered(lowerExtreme(arith.Maxsi)),
	DelinearizeIndex: lowered(lowerDelinearize),
	Load:             lowered(lowerAccess(memref.Load, 0)),
	Store:            lowered(lowerAccess(memref.Store, 1)),
	Prefetch:         lowered(lowerAccess(memref.Prefetch, 0)),
	VectorLoad:       lowered(lowerVectorLoad),
	VectorStore:      lowered(lowerVectorStore),
	For:              lowered(lowerFor),
	If:               lowered(lowerIf),
	Parallel:         lowered(lowerParallel),
}

// made is an affine op that is to be made of other ops: its operands are those of the graph
// under construction. region makes region i of it again, for another op, and end the terminator
// of that, by what the region yielded.
type made struct {
	args   []ir.Value
	attr   ir.Attr
	types  []ir.Type
	region func(i int, enter func(params []ir.Value), end func(ys []ir.Value)) ir.Region
}

// lowered is a rule of a rebuild.
func lowered(do func(b *ir.Builder, c made) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		c := made{args: m.All(n.Args()), attr: n.Attrs()}
		for _, t := range m.B.Ctx().Results(n.Type()) {
			c.types = append(c.types, m.Type(t))
		}
		c.region = func(i int, enter func([]ir.Value), end func([]ir.Value)) ir.Region {
			old := n.Region(i)
			return m.RegionWith(old, old.Kind(), nil, func(params []ir.Value) {
				if n.Graph().HasBlock(old.Old()) {
					enter(params)
					end(m.Body(old, params...))
				}
			})
		}
		return do(m.B, c)
	}
}

// anew is the op of a fold that is to be made of other ops.
func anew(b *ir.Builder, c *ir.Call, do func(b *ir.Builder, c made) ir.Value) ir.Value {
	n := made{args: c.Args, attr: c.Attr, types: b.Ctx().Results(c.Type)}
	n.region = func(i int, enter func([]ir.Value), end func([]ir.Value)) ir.Region {
		old := c.Regions[i]
		return b.RegionLike(old, typesOf(b.Graph(), b.Graph().Params(old)), func(params []ir.Value) {
			if !b.Graph().HasBlock(old) {
				b.NoBlock()
				return
			}
			enter(params)
			end(b.Splice(old, params))
		})
	}
	return do(b, n)
}

// discardable are the attributes of an op that are none of its own.
func discardable(c *ir.Context, attr ir.Attr, own ...string) ir.Attr {
	if attr == 0 {
		return 0
	}
	out := c.Props(nil, append([]ir.NamedAttr(nil), c.AttrInfo(attr).Attrs...))
	for _, name := range own {
		if c.Get(out, name) != 0 {
			out = c.WithDiscardable(out, name, 0)
		}
	}
	return out
}

func lowerExtreme(op *ir.OpDef) func(*ir.Builder, made) ir.Value {
	return func(b *ir.Builder, c made) ir.Value {
		m := expr.MapOf(b.Ctx(), b.Ctx().Get(c.attr, "map"))
		return expand(b, m.Dims, c.args).extreme(op, m.Results)
	}
}

func lowerDelinearize(b *ir.Builder, c made) ir.Value {
	return b.Pack(expand(b, 1, c.args).all(delinearized(len(c.args) - 1))...)
}

// lowerAccess makes an access of memref; operand n is the memref.
func lowerAccess(op *ir.OpDef, n int) func(*ir.Builder, made) ir.Value {
	return func(b *ir.Builder, c made) ir.Value {
		x := b.Ctx()
		m := expr.MapOf(x, x.Get(c.attr, "map"))
		args := append(append([]ir.Value(nil), c.args[:n+1]...), expand(b, m.Dims, c.args[n+1:]).all(m.Results)...)
		call := ir.Call{Def: op, Args: args, Attr: x.With(c.attr, "map", 0)}
		if len(c.types) > 0 {
			call.Type = c.types[0]
		}
		return b.Must(call)
	}
}

// lowerVectorLoad and lowerVectorStore leave over what is no part without gaps.
func lowerVectorLoad(b *ir.Builder, c made) ir.Value {
	if !vector.Fits(b.Ctx(), b.Graph().Type(c.args[0]), c.types[0]) {
		return 0
	}
	return lowerAccess(vector.Load, 0)(b, c)
}

func lowerVectorStore(b *ir.Builder, c made) ir.Value {
	if !vector.Fits(b.Ctx(), b.Graph().Type(c.args[1]), b.Graph().Type(c.args[0])) {
		return 0
	}
	return lowerAccess(vector.Store, 1)(b, c)
}

func lowerFor(b *ir.Builder, c made) ir.Value {
	l, at := boundsOf(b.Ctx(), c.attr, c.args), b.Loc
	args := append([]ir.Value{
		expand(b, l.lower.Dims, l.lowerArgs).extreme(arith.Maxsi, l.lower.Results),
		expand(b, l.upper.Dims, l.upperArgs).extreme(arith.Minsi, l.upper.Results),
		b.Index(l.step)}, l.inits...)
	r := c.region(0, func(params []ir.Value) { b.Enter(scf.For, 0, args, 0, params) },
		func(ys []ir.Value) { b.Loc = at; b.Op(scf.Yield, ys...) })
	return b.Must(ir.Call{Def: scf.For, Args: args, Attr: discardable(b.Ctx(), c.attr), Regions: []ir.Region{r}, Loc: at})
}

func lowerIf(b *ir.Builder, c made) ir.Value {
	s, at := expr.SetOf(b.Ctx(), b.Ctx().Get(c.attr, "condition")), b.Loc
	args := []ir.Value{expand(b, s.Dims, c.args).holds(s.Constraints)}
	var rs []ir.Region
	for i := range 2 {
		rs = append(rs, c.region(i, func([]ir.Value) { b.Enter(scf.If, 0, args, i, nil) }, func(ys []ir.Value) { b.Loc = at; b.Op(scf.Yield, ys...) }))
	}
	return b.Must(ir.Call{Def: scf.If, Args: args, Attr: discardable(b.Ctx(), c.attr, "condition"), Regions: rs, Loc: at})
}

func lowerParallel(b *ir.Builder, c made) ir.Value {
	x, at := b.Ctx(), b.Loc
	l, _ := boxOf(x, c.attr, c.args)
	var lower, upper, steps, inits []ir.Value
	for d, step := range l.steps {
		lower = append(lower, expand(b, l.lower.Dims, l.lowerArgs).extreme(arith.Maxsi, results(l.lower, l.lowerN, d)))
		upper = append(upper, expand(b, l.upper.Dims, l.upperArgs).extreme(arith.Minsi, results(l.upper, l.upperN, d)))
		steps = append(steps, b.Index(step))
	}
	for i, k := range l.kinds {
		inits = append(inits, b.Const(c.types[i], k.identity(x, c.types[i])))
	}
	n := int64(len(steps))
	attr := x.With(discardable(x, c.attr), "operandSegmentSizes", x.DenseArray(ir.I32, n, n, n, int64(len(inits))))
	args := append(append(append(lower, upper...), steps...), inits...)
	r := c.region(0, func(params []ir.Value) { b.Enter(scf.Parallel, attr, args, 0, params) }, func(ys []ir.Value) {
		var rs []ir.Region
		for i, k := range l.kinds {
			rs = append(rs, b.Region(ir.Loop, []ir.Type{c.types[i], c.types[i]}, func(p []ir.Value) {
				b.Op(scf.ReduceReturn, k.of(b, p[0], p[1]))
			}))
		}
		b.Must(ir.Call{Def: scf.Reduce, Args: ys, Regions: rs})
	})
	return b.Must(ir.Call{Def: scf.Parallel, Args: args, Attr: attr, Regions: []ir.Region{r}, Loc: at})
}
