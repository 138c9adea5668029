package lower

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// multivariate adds the factor of a node to its sum. Where an index that picks a
// part is none, the term is NaN.
func (l *lowering) multivariate(v ir.Value) {
	g := l.model.g
	c := g.Ctx
	ps, of := l.model.factors[v].parts, l.model.factors[v].law
	views, valid := make([]kit.View, len(ps)), ir.Value(0)
	for i, p := range ps {
		views[i] = l.view(p, &valid)
	}
	k := l.kit()
	obs := c.AttrInfo(g.Attr(v, "observed")).Str
	var mask kit.View
	if obs == "mask" || obs == "parts" {
		mask, views = views[len(views)-1], views[:len(views)-1]
	}
	law := of.Joint
	n := 1 + len(law.Args)
	w := l.model.workspace(v)
	term := ir.Value(0)
	if l.isShared(of) {
		term = l.sharedJoint(of, w, views[:n])
	}
	if term == 0 {
		term = apply.JointDensityOps(law, k, w, views[0], views[1:n])
	}
	if law.Ops.LeastWeight != nil && g.Attr(v, "limits") == 0 {
		term = l.unlessWeightsRounded(law, term, w, views, ps[1].Array)
	}
	if a := g.Attr(v, "limits"); a != 0 {
		var lo, hi []ir.Value
		limits := views[n:]
		if c.Ints(a)[0] != 0 {
			lo, limits = []ir.Value{limits[0].Scalar}, limits[1:]
		}
		if c.Ints(a)[1] != 0 {
			hi = []ir.Value{limits[0].Scalar}
		}
		if g.Attr(v, "truncated") != 0 {
			norm := apply.JointMassOps(law, k, w, views[1:n], lo, hi)
			term = k.Valid(k.Cmp(arith.OGT, norm, k.Num(gomath.Inf(-1))), k.Sub(term, norm))
		}
		term = bounded(k, term, views[0].Scalar, lo, hi)
	}
	if valid != 0 {
		term = k.Valid(valid, term)
	}
	name := c.AttrInfo(g.Attr(v, "name")).Str
	switch obs {
	case "all":
		l.sums.addTo(slot{name, true}, term)
	case "none":
		l.sums.addTo(slot{name, false}, term)
	default:
		l.sums.addParts(name, allOf(k, mask), obs, term)
	}
}

// allOf is the least element of a mask: not 0 if the whole node is observed.
func allOf(k kit.Ops, w kit.View) ir.Value {
	if w.Scalar != 0 {
		return w.Scalar
	}
	var dim func(d int, idx []ir.Value, acc ir.Value) ir.Value
	dim = func(d int, idx []ir.Value, acc ir.Value) ir.Value {
		if d == len(w.Ranged) {
			return k.Least(acc, w.Load(k, idx...))
		}
		return k.Fold(w.N, []ir.Value{acc}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{dim(d+1, append(idx[:d:d], i), acc[0])}
		})[0]
	}
	return dim(0, nil, k.Num(1))
}

// view makes the lowered form of an operand; checks of indices are joined to valid.
func (l *lowering) view(p ops.Part[ir.Value], valid *ir.Value) kit.View {
	if p.Scalar {
		return kit.View{Scalar: l.value(p.Array)}
	}
	var w kit.View
	shape := l.model.g.Ctx.Info(l.model.g.Type(p.Array)).Shape
	var single []ir.Value
	for d, ranged := range p.Ranged {
		lo := p.Bounds[2*d]
		if !ranged {
			single = append(single, lo)
			x, ok := l.checkedIndex(lo, shape[d])
			w.At = append(w.At, x)
			l.join(valid, ok)
			continue
		}
		w.At, w.Ranged = append(w.At, l.zero(lo)), append(w.Ranged, d)
		w.Ext = append(w.Ext, arith.SubI(l.b, l.value(p.Bounds[2*d+1]), l.zero(lo)))
	}
	if len(w.Ext) > 0 {
		w.N = w.Ext[0]
	}
	if len(w.Ranged) == 0 {
		return kit.View{Scalar: l.read(p.Array, single)}
	}
	w.Mem = l.values[p.Array]
	return w
}

func (l *lowering) join(valid *ir.Value, ok ir.Value) {
	switch {
	case ok == 0:
	case *valid == 0:
		*valid = ok
	default:
		*valid = l.b.Op(arith.Andi, *valid, ok)
	}
}
