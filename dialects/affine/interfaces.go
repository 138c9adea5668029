package affine

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

var tables = []any{syntax, table, takesPoison, loops, accesses, forms, lowerings, regionNames}

// regionNames are what people call the regions of ops that have two.
var regionNames = ir.RegionNames{If: {"then", "else"}}

// loops says how far loops run and what they carry. Bounds that are no number and no value
// have no word for it: then it is a loop that only it knows the indices of.
var loops = ir.Interface[ir.LoopLike]{
	For: func(n ir.Node) ir.LoopLike {
		g := n.Graph()
		b, body := boundsOf(g.Ctx, n.Attrs(), g.Args(n.Old())), g.Regions(n.Old())[0]
		params := g.Params(body)
		l := ir.LoopLike{Body: body, Inits: b.inits, Carried: params[1:]}
		lower, ok1 := boundOf(b.lower.Results, b.lower.Dims, b.lowerArgs)
		upper, ok2 := boundOf(b.upper.Results, b.upper.Dims, b.upperArgs)
		if ok1 && ok2 {
			l.Indices, l.Lower, l.Upper, l.Step = params[:1], []ir.Bound{lower}, []ir.Bound{upper}, []ir.Bound{{Const: b.step}}
		}
		return l
	},
	Parallel: func(n ir.Node) ir.LoopLike {
		g := n.Graph()
		b, _ := boxOf(g.Ctx, n.Attrs(), g.Args(n.Old()))
		body := g.Regions(n.Old())[0]
		l := ir.LoopLike{Body: body, Parallel: true, Indices: g.Params(body)}
		for d, step := range b.steps {
			lower, ok1 := boundOf(results(b.lower, b.lowerN, d), b.lower.Dims, b.lowerArgs)
			upper, ok2 := boundOf(results(b.upper, b.upperN, d), b.upper.Dims, b.upperArgs)
			if !ok1 || !ok2 {
				return ir.LoopLike{Body: body, Parallel: true}
			}
			l.Lower, l.Upper, l.Step = append(l.Lower, lower), append(l.Upper, upper), append(l.Step, ir.Bound{Const: step})
		}
		return l
	},
}

// boundOf is a bound that is a number or an operand.
func boundOf(exprs []*expr.Expr, dims int, args []ir.Value) (ir.Bound, bool) {
	if len(exprs) != 1 {
		return ir.Bound{}, false
	}
	switch e := exprs[0]; e.Op {
	case expr.OpConst:
		return ir.Bound{Const: e.N}, true
	case expr.OpDim:
		return ir.Bound{Value: args[e.N]}, true
	case expr.OpSym:
		return ir.Bound{Value: args[dims+int(e.N)]}, true
	}
	return ir.Bound{}, false
}

// accesses says which elements ops touch: any of the memory, where a subscript is no operand.
var accesses = ir.Interface[ir.AccessLike]{
	Load: touches(0, -1, ir.Access{Reads: true}), Store: touches(1, 0, ir.Access{Writes: true}),
	Prefetch:   func(ir.Node) ir.AccessLike { return ir.AccessLike{} },
	VectorLoad: all(0, ir.Access{Reads: true}), VectorStore: all(1, ir.Access{Writes: true}),
}

// all is an access to several elements of memory, of which nobody says which.
func all(m int, a ir.Access) func(ir.Node) ir.AccessLike {
	return func(n ir.Node) ir.AccessLike {
		a := a
		a.Memory = n.Arg(m).Old()
		return ir.AccessLike{Accesses: []ir.Access{a}}
	}
}

func touches(m, stored int, a ir.Access) func(ir.Node) ir.AccessLike {
	return func(n ir.Node) ir.AccessLike {
		args, a := n.Graph().Args(n.Old()), a
		f := expr.MapOf(n.Graph().Ctx, n.Attr("map"))
		a.Memory = args[m]
		for _, e := range f.Results {
			b, ok := boundOf([]*expr.Expr{e}, f.Dims, args[m+1:])
			if !ok || b.Value == 0 {
				a.Indices = nil
				break
			}
			a.Indices = append(a.Indices, b.Value)
		}
		if stored >= 0 {
			a.Stored = args[stored]
		}
		return ir.AccessLike{Accesses: []ir.Access{a}}
	}
}

// branches: what an affine.if gives is what one of its regions yields.
func branches(c *ir.Call) (r ir.Refs) {
	for _, in := range c.Regions {
		r.Alias = append(r.Alias, c.Graph().Yields(in)...)
	}
	return r
}
