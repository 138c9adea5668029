package scf

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/lists"
)

// structured is how regions of several blocks come in.
var structured = &cfg.Structured{
	If: func(b *ir.Builder, cond ir.Value, then, els func() []ir.Value) []ir.Value {
		return b.Results(BuildIf(b, cond, then, els))
	},
	Switch: buildSwitch,
	While: func(b *ir.Builder, inits []ir.Value, before func([]ir.Value) (ir.Value, []ir.Value), after func([]ir.Value) []ir.Value) []ir.Value {
		return b.Results(BuildWhile(b, inits, before, after))
	},
	Is: func(b *ir.Builder, v ir.Value, n int64) ir.Value {
		t := b.Graph().Type(v)
		if t == ir.Index {
			return arith.CmpI(b, arith.EQ, v, b.Index(n))
		}
		return arith.CmpI(b, arith.EQ, v, arith.ConstInt(b, t, n))
	},
	Not: func(b *ir.Builder, v ir.Value) ir.Value {
		return b.Op(arith.Xori, v, arith.ConstBool(b, true))
	},
	Poison: ub.Of,
}

// buildSwitch makes an index_switch on an index, or on an integer, which is taken without its sign. The last arm is for what is
// in no case.
func buildSwitch(b *ir.Builder, on ir.Value, cases []int64, arms []func() []ir.Value) []ir.Value {
	c := b.Ctx()
	if t := b.Graph().Type(on); t != ir.Index {
		mask := uint64(math.MaxUint64) >> (64 - c.Info(t).Width)
		unsigned := lists.Map(cases, func(n int64) int64 { return int64(uint64(n) & mask) })
		on, cases = arith.Cast(b, arith.IndexCastui, on, ir.Index), unsigned
	}
	attr := c.Props([]ir.NamedAttr{{Name: "cases", Value: c.DenseArray(ir.I64, cases...)}}, nil)
	args := []ir.Value{on}
	region := func(i int, arm func() []ir.Value) ir.Region {
		return b.Region(ir.Branch, nil, func([]ir.Value) {
			b.Enter(IndexSwitch, attr, args, i, nil)
			b.Op(Yield, arm()...)
		})
	}
	regions := []ir.Region{region(0, arms[len(arms)-1])}
	for i, arm := range arms[:len(arms)-1] {
		regions = append(regions, region(i+1, arm))
	}
	return b.Results(b.Must(ir.Call{Def: IndexSwitch, Args: args, Attr: attr, Regions: regions}))
}
