package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// stochastic adds the factor of a node to its sum.
func (l *lowering) stochastic(v ir.Value) {
	g := l.model.g
	seg, _ := ops.Segments(g.Ctx.Ints(g.Attr(v, "operandSegmentSizes")), g.Args(v))
	x := l.read(seg[ops.SegNode][0], seg[ops.SegIndices])
	p := lists.Map(seg[ops.SegArgs], l.value)
	k := l.kit()
	law, small := lawOf(g, v), g.Attr(v, ops.SmallAttr) != 0
	term := l.linked(law, small, x, p)
	if term == 0 {
		term = l.density(law, small, x, p)
	}
	if law.Ops.AtLink != nil {
		term = l.unlessRounded(law, term, seg[ops.SegArgs][0], x, p, g.Attr(v, "truncated") != 0)
	}
	if g.Attr(v, "truncated") != 0 {
		term = l.truncated(term, law, p, seg)
	}
	var lo, hi []ir.Value
	lo = append(lo, lists.Map(seg[ops.SegLower], l.value)...)
	hi = append(hi, lists.Map(seg[ops.SegUpper], l.value)...)
	term = bounded(k, term, x, lo, hi)
	name := g.Ctx.AttrInfo(g.Attr(v, "name")).Str
	switch g.Ctx.AttrInfo(g.Attr(v, "observed")).Str {
	case "all":
		l.sums.addTo(slot{name, true}, term)
	case "none":
		l.sums.addTo(slot{name, false}, term)
	default:
		l.sums.addParts(name, l.read(seg[ops.SegMask][0], seg[ops.SegIndices]), g.Ctx.AttrInfo(g.Attr(v, "observed")).Str, term)
	}
}

// bounded is a term within bounds, of which there may be none. Outside of them a node
// without meaning has none still.
func bounded(k kit.Ops, term, x ir.Value, lo, hi []ir.Value) ir.Value {
	ok := k.Cmp(arith.ORD, term, term)
	for _, lo := range lo {
		ok, term = k.And(ok, k.Cmp(arith.ORD, lo, x)), k.Within(k.Cmp(arith.OGE, x, lo), term)
	}
	for _, hi := range hi {
		ok, term = k.And(ok, k.Cmp(arith.ORD, hi, x)), k.Within(k.Cmp(arith.OLE, x, hi), term)
	}
	if len(lo) == 1 && len(hi) == 1 {
		ok = k.And(ok, k.Cmp(arith.OLE, lo[0], hi[0]))
	}
	if len(lo)+len(hi) > 0 {
		term = k.Valid(ok, term)
	}
	return term
}

// addParts adds the factor of a node that is data, a parameter, or left out, by whether
// the number of its mask is above 0, 0 or below.
func (t *sums) addParts(name string, mask ir.Value, observed string, term ir.Value) {
	k := t.k
	zero := k.Num(0)
	data := k.Cmp(arith.OGT, mask, zero)
	t.addTo(slot{name, true}, arith.Choose(t.k.B, data, term, zero))
	if observed == "mask" {
		t.addTo(slot{name, false}, arith.Choose(t.k.B, data, zero, term))
		return
	}
	t.addTo(slot{name, false}, arith.Choose(t.k.B, k.Cmp(arith.OEQ, mask, zero), term, zero))
}

// truncated takes away the log probability between the bounds, without which a node
// has no meaning.
func (l *lowering) truncated(term ir.Value, law *family.Law, p []ir.Value, seg [ops.NumSegments][]ir.Value) ir.Value {
	k := l.kit()
	var ends [2]*ir.Value
	for i, s := range [][]ir.Value{seg[ops.SegLower], seg[ops.SegUpper]} {
		if len(s) == 1 {
			x := l.value(s[0])
			ends[i] = &x
		}
	}
	norm, ok := apply.LogMassOps(law, k, p, ends[0], ends[1])
	if law.Ops.TailsAtLink != nil {
		if c, linked := l.chanceOf(p[0]); linked {
			norm, ok = apply.LogMassOpsAtLink(law, k, p, c, ends[0], ends[1])
		}
	}
	return k.Valid(ok, k.Sub(term, norm))
}

func (l *lowering) kit() kit.Ops { return kit.Ops{B: l.b, Split: l.target.Costs.MaxSplit} }

// lawOf is the law of a stochastic op.
func lawOf(g *ir.Graph, v ir.Value) *family.Law {
	return prob.Lookup(g.Ctx.AttrInfo(g.Attr(v, "dist")).Str)
}

func (l *lowering) function(v ir.Value) ir.Value {
	x := lists.Map(l.model.g.Args(v), l.value)
	return function.KitFunction(l.model.g.Ctx.AttrInfo(l.model.g.Attr(v, "name")).Str)(l.kit(), x)
}
