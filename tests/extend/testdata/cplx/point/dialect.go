package point

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// Dialect is all that irc needs to know.
var Dialect = &ir.Dialect{Name: "fx", Doc: "Fixed-point numbers.", Clean: true,
	Types: []ir.Defined{qType},
	Ops:   []*ir.OpDef{Raw, Pack, Add, Div, Sum, Yield, Fill},
	Folds: []ir.Fold{
		{Of: Raw, Rule: "raw(pack(x)) = x", Is: &ir.Pattern{
			From: &ir.Term{Args: []*ir.Term{{Def: Pack, Args: []*ir.Term{{Var: 1}}}}}, To: &ir.Term{Var: 1}}},
		{Of: Pack, Rule: "pack(raw(x)) = x, in the type of x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			g := b.Graph()
			if g.Def(c.Args[0]) != Raw || g.Type(g.Args(c.Args[0])[0]) != c.Type {
				return 0
			}
			return g.Args(c.Args[0])[0]
		}},
	},
	Tables: []any{
		text.Syntax{
			Raw:   {Format: "$x attr-dict"},
			Pack:  {Format: "$bits attr-dict `:` type($result)"},
			Add:   {Format: "$x `,` $y attr-dict"},
			Div:   {Format: "$x `,` $y attr-dict"},
			Sum:   {Format: "$n regions attr-dict"},
			Yield: {Format: "$x attr-dict"},
			Fill:  {Format: "$memory `,` $x attr-dict"},
		},
		lowerings,
		lower.Order{"fx": "arith", "arith": "scf"},
		typeLowerings,
		interp.Table{Sum: runSum, Fill: runFill},
		ir.Interface[ir.LoopLike]{Sum: func(n ir.Node) ir.LoopLike {
			g, body := n.Graph(), n.Region(0).Old()
			return ir.LoopLike{Body: body, Indices: g.Params(body), Lower: []ir.Bound{{}}, Upper: ir.Bounds(g.Args(n.Old())...), Step: []ir.Bound{{Const: 1}}}
		}},
	},
}

// lowerings: at level arith numbers are their bits before any rule is asked. Arrays of numbers are arrays of bits then, so
// that an op on one has its rule at a level before.
var lowerings = lower.Table{
	{Level: "fx", Rules: ir.Rules{Fill: lowerFill}},
	{Level: "arith", Rules: ir.Rules{
		Add: binary(func(m *ir.Mirror, _ q, x, y ir.Value) ir.Value { return arith.AddI(m.B, x, y) }),
		Div: binary(func(m *ir.Mirror, t q, x, y ir.Value) ir.Value {
			return m.Op(arith.Divsi, m.Op(arith.Shli, x, arith.ConstInt(m.B, ir.I64, t.Frac)), y)
		}),
		Sum: lowerSum,
	}},
}

// binary computes with 64 bits, and gives the nearest number.
func binary(do func(m *ir.Mirror, t q, x, y ir.Value) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		t, _ := qType.Of(m.B.Ctx(), n.Type())
		wide := func(i int) ir.Value { return arith.Cast(m.B, arith.Extsi, m.Op(Raw, m.Of(n.Arg(i))), ir.I64) }
		bound := func(x int64) ir.Value { return arith.ConstInt(m.B, ir.I64, t.clamp(x)) }
		z := m.Op(arith.Minsi, do(m, t, wide(0), wide(1)), bound(1<<40))
		z = m.Op(arith.Maxsi, z, bound(-1<<40))
		return pack(m.B, n.Type(), arith.Cast(m.B, arith.Trunci, z, m.B.Ctx().Int(t.width())))
	}
}

func lowerSum(m *ir.Mirror, n ir.Node) ir.Value {
	t, _ := qType.Of(m.B.Ctx(), n.Type())
	zero := pack(m.B, n.Type(), arith.ConstInt(m.B, m.B.Ctx().Int(t.width()), 0))
	return scf.BuildFor(m.B, m.B.Index(0), m.Of(n.Arg(0)), m.B.Index(1), []ir.Value{zero}, func(i ir.Value, sum []ir.Value) []ir.Value {
		return []ir.Value{m.Op(Add, sum[0], m.Body(n.Region(0), i)[0])}
	})
}

func lowerFill(m *ir.Mirror, n ir.Node) ir.Value {
	memory, x := m.Of(n.Arg(0)), m.Of(n.Arg(1))
	size := m.Op(memref.Dim, memory, m.B.Index(0))
	return scf.BuildFor(m.B, m.B.Index(0), size, m.B.Index(1), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		m.Op(memref.Store, x, memory, i)
		return nil
	})
}
