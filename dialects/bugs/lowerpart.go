package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// view is an operand of bugs.multivariate in the lowered function: a number, or a
// vector or matrix in memory. Its indices count from 0.
type view struct {
	scalar ir.Value // or the following
	mem    ir.Value
	at     []ir.Value // an index for each dimension of mem: where the part starts
	ranged []int      // dimensions of mem that the part has
	ext    []ir.Value // the extents of these
	n      ir.Value   // the first of them, which is that of all in a bugs.multivariate
}

// load reads an element.
func (w view) load(k kit, idx ...ir.Value) ir.Value {
	at := append([]ir.Value{w.mem}, w.at...)
	for i, d := range w.ranged {
		at[1+d] = arith.AddI(k.b, w.at[d], idx[i])
	}
	return k.b.Op(memref.Load, at...)
}

// straight says that a loop of n rounds over the parts of a node becomes straight code,
// in which the factor of its matrix is values, not memory.
func (k kit) straight(n int64) bool { return n < 1 || n <= int64(k.split)/n }

// fold runs body for i from 0 up to n, n excluded, over values that it carries on.
func (k kit) fold(n ir.Value, inits []ir.Value, body func(i ir.Value, acc []ir.Value) []ir.Value) []ir.Value {
	if c, ok := k.b.Graph().Const(n); ok && k.straight(int64(c.Bits)) {
		for i := range int64(c.Bits) {
			inits = body(k.b.Index(i), inits)
		}
		return inits
	}
	loop := scf.BuildFor(k.b, k.b.Index(0), n, k.b.Index(1), inits, body)
	out := make([]ir.Value, len(inits))
	for i := range out {
		out[i] = k.b.Result(loop, i)
	}
	return out
}

// Conditions are carried through loops as numbers, 1 and 0: the least of all tells
// whether each held. NaN is no condition's number, and least keeps it.
func (k kit) flag(cond ir.Value) ir.Value { return arith.Choose(k.b, cond, k.num(1), k.num(0)) }

func (k kit) least(x, y ir.Value) ir.Value { return arith.Float(k.b, arith.Minimumf, 0, x, y) }

func (k kit) isFinite(x ir.Value) ir.Value {
	return k.cmp(arith.OLT, k.abs(x), k.num(gomath.Inf(1)))
}

// toFloat is an index as a number.
func (k kit) toFloat(i ir.Value) ir.Value {
	return arith.Cast(k.b, arith.Sitofp, arith.Cast(k.b, arith.IndexCast, i, ir.I64), ir.F64)
}

// plus adds to a sum, in the order of the program.
func (k kit) plus(sum, x ir.Value) ir.Value { return arith.AddF(k.b, sum, x) }

// multivariate adds the factor of a node to its sum. Where an index that picks a
// part is none, the term is NaN.
func (l *lowering) multivariate(v ir.Value) {
	g := l.g
	c := g.Ctx
	args := g.Args(v)
	ps, _ := operandParts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return arrayRank(c, g.Type(args[i])) })
	views, valid := make([]view, len(ps)), ir.Value(0)
	for i, p := range ps {
		views[i] = l.view(p, &valid)
	}
	k := l.kit()
	obs := c.AttrInfo(g.Attr(v, "observed")).Str
	var mask view
	if obs == "mask" || obs == "parts" {
		mask, views = views[len(views)-1], views[:len(views)-1]
	}
	dist := c.AttrInfo(g.Attr(v, "dist")).Str
	n := 1 + len(joints[dist].args)
	w := l.work
	w.factored = l.factored[v]
	term := jointDensities[dist](k, w, views[0], views[1:n])
	if a := g.Attr(v, "limits"); a != 0 {
		var lo, hi []ir.Value
		limits := views[n:]
		if c.Ints(a)[0] != 0 {
			lo, limits = []ir.Value{limits[0].scalar}, limits[1:]
		}
		if c.Ints(a)[1] != 0 {
			hi = []ir.Value{limits[0].scalar}
		}
		if g.Attr(v, "truncated") != 0 {
			norm := jointMasses[dist](k, views[1:n], lo, hi)
			term = k.valid(k.cmp(arith.OGT, norm, k.num(gomath.Inf(-1))), k.sub(term, norm))
		}
		term = k.bounded(term, views[0].scalar, lo, hi)
	}
	if valid != 0 {
		term = k.valid(valid, term)
	}
	name := c.AttrInfo(g.Attr(v, "name")).Str
	switch obs {
	case "all":
		l.addTo(slot{name, true}, term)
	case "none":
		l.addTo(slot{name, false}, term)
	default:
		l.addParts(name, k.allOf(mask), obs, term)
	}
}

// allOf is the least element of a mask: not 0 if the whole node is observed.
func (k kit) allOf(w view) ir.Value {
	if w.scalar != 0 {
		return w.scalar
	}
	var dim func(d int, idx []ir.Value, acc ir.Value) ir.Value
	dim = func(d int, idx []ir.Value, acc ir.Value) ir.Value {
		if d == len(w.ranged) {
			return k.least(acc, w.load(k, idx...))
		}
		return k.fold(w.n, []ir.Value{acc}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{dim(d+1, append(idx[:d:d], i), acc[0])}
		})[0]
	}
	return dim(0, nil, k.num(1))
}

// view makes the lowered form of an operand; checks of indices are joined to valid.
func (l *lowering) view(p operandPart[ir.Value], valid *ir.Value) view {
	if p.scalar {
		return view{scalar: l.value(p.array)}
	}
	var w view
	shape := l.g.Ctx.Info(l.g.Type(p.array)).Shape
	var single []ir.Value
	for d, ranged := range p.ranged {
		lo := p.bounds[2*d]
		if !ranged {
			single = append(single, lo)
			x, ok := l.checkedIndex(lo, shape[d])
			w.at = append(w.at, x)
			l.join(valid, ok)
			continue
		}
		w.at, w.ranged = append(w.at, l.zero(lo)), append(w.ranged, d)
		w.ext = append(w.ext, arith.SubI(l.b, l.value(p.bounds[2*d+1]), l.zero(lo)))
	}
	if len(w.ext) > 0 {
		w.n = w.ext[0]
	}
	if len(w.ranged) == 0 {
		return view{scalar: l.read(p.array, single)}
	}
	w.mem = l.values[p.array]
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

// jointVectors is how many work vectors the lowering of a joint needs.
var jointVectors = map[string]int64{"dmnorm.vcov": 1, "dsample": 1}

// jointDensities are the log densities of nodes of joints as ops. Support and
// validity are as there.
var jointDensities = map[string]func(k kit, w workspace, x view, p []view) ir.Value{
	"dmulti": lowerMultinomial, "ddirch": lowerDirichlet,
	"dmnorm": lowerMultinormal, "dmt": lowerMultiStudent, "dwish": lowerWishart,
	"dmnorm.vcov": lowerCovarianceNormal, "dscaled.wishart": lowerScaledWishart, "dsample": lowerSample,
	"dnormmix": lowerNormalMixture, "dinterval": lowerInterval,
	"dordered.logit":  lowerOrdered(logisticBetween[ir.Value, ir.Value]),
	"dordered.probit": lowerOrdered(normalBetween[ir.Value, ir.Value]),
	"dcat": func(k kit, _ workspace, x view, p []view) ir.Value {
		total, ok := k.weights(p[0])
		inside := k.and(k.whole(x.scalar, 1), k.cmp(arith.OLE, x.scalar, k.toFloat(p[0].n)))
		i := arith.Choose(k.b, inside, x.scalar, k.num(1))
		at := arith.Cast(k.b, arith.IndexCast, arith.Cast(k.b, arith.Fptosi, arith.Float(k.b, math.Floor, 0, i), ir.I64), ir.Index)
		px := p[0].load(k, arith.SubI(k.b, at, k.b.Index(1)))
		return k.valid(ok, k.within(inside, k.sub(k.log(px), k.log(total))))
	},
}

// jointMasses are log P(lo <= x <= hi) of single nodes.
var jointMasses = map[string]func(k kit, p []view, lo, hi []ir.Value) ir.Value{
	"dcat": func(k kit, p []view, lo, hi []ir.Value) ir.Value {
		total, _ := k.weights(p[0])
		in := k.fold(p[0].n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			x, w := k.toFloat(arith.AddI(k.b, i, k.b.Index(1))), p[0].load(k, i)
			for _, b := range lo {
				w = arith.Choose(k.b, k.cmp(arith.OGE, x, b), w, k.num(0))
			}
			for _, b := range hi {
				w = arith.Choose(k.b, k.cmp(arith.OLE, x, b), w, k.num(0))
			}
			return []ir.Value{k.plus(acc[0], w)}
		})[0]
		return k.sub(k.log(in), k.log(total))
	},
}

// weights is the sum of probabilities that need no normalising, and whether they are
// valid.
func (k kit) weights(p view) (total, ok ir.Value) {
	out := k.fold(p.n, []ir.Value{k.num(0), k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x := p.load(k, i)
		return []ir.Value{k.plus(acc[0], x), k.least(acc[1], x)}
	})
	ok = k.and(k.cmp(arith.OGE, out[1], k.num(0)), k.and(k.positive(out[0]), k.isFinite(out[0])))
	return out[0], ok
}
