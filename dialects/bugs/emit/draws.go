package emit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Drawable reports a variable all of whose elements are drawn, with no part in the density, from laws of numbers that have a
// quantile, between no limits.
func Drawable(u *space.Unconstrained, v *model.Var) bool {
	some := false
	for _, s := range u.Model.Statements {
		if s.Var != v {
			continue
		}
		if some = true; s.Sample == nil || !noDensity(u, s) || s.Sample.Bound != nil || s.Dist.Law.Joint != nil || eval.NodeRank(s) > 0 || !apply.HasCDF(s.Dist.Law) {
			return false
		}
	}
	return some && v.Count(model.Parameter) == v.Len()
}

// draw writes a node without a part in the density: a draw by the seed and the stream in the array ops.RandomName, of which
// each element of the model has a counter.
func (e *Emitter) draw(s *model.Statement) {
	b, c := e.Builder, e.Builder.Ctx()
	b.Loc, e.exprs.stmt = ir.Loc(s.Span().Start+1), s
	whole := func(x ir.Value) ir.Value { return arith.Cast(b, arith.Fptosi, x, ir.I64) }
	random := func(i int64) ir.Value { return whole(b.Op(ops.Read, e.onto.random, b.Index(i))) }
	idx := e.exprs.indices(s.Var, s.LHS)
	at := b.Index(0)
	for d, i := range idx {
		at = arith.AddI(b, arith.MulI(b, at, b.Index(int64(s.Var.Dims[d]))), arith.SubI(b, i, b.Index(1)))
	}
	first := int64(0)
	for _, v := range e.Source.Vars[:s.Var.ID] {
		first += int64(v.Len())
	}
	counter := arith.Cast(b, arith.IndexCast, arith.AddI(b, at, b.Index(first)), ir.I64)
	args := append([]ir.Value{random(1), random(2), counter}, lists.Map(s.Sample.Args, e.exprs.scalar)...)
	x := b.Must(ir.Call{Def: prob.Draw, Args: args, Loc: b.Loc, Attr: c.Props([]ir.NamedAttr{{Name: "law", Value: c.StringAttr(s.Dist.Name)}}, nil)})
	b.Must(ir.Call{Def: ops.Assign, Args: append([]ir.Value{x, e.exprs.mem[s.Var]}, idx...), Loc: b.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.Var.Name)}}, nil)})
}
