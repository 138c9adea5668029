package codegen

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// loops makes the loops of an element, which are copies where it is to be unrolled.
func (g *generator) loops(e element, stmts []stmt, d int, b band, sc scope) []Node {
	if e.loop == schedule.Unroll {
		if out, ok := g.unrolled(e, stmts, d, b, sc); ok {
			return out
		}
	}
	return g.loop(e.exact, stmts, d, b, sc)
}

// A shape is what is known of one loop before it is made.
type shape struct {
	bounds presburger.Basic   // what its values satisfy, less what is known
	hull   map[string]integer // constants of bounds of several conjunctions, by what is left
	known  presburger.Set     // what is known outside, on one more dimension
	full   presburger.Set
	class  presburger.Basic // of its residue
	stride integer
}

// shapeOf takes the bounds of a set together; ok is false if it is empty.
func (g *generator) shapeOf(exact presburger.Set, d int, sc scope) (s shape, ok bool) {
	hull := exact
	if len(exact.Basics()) != 1 {
		hull = must(exact.SimpleHull())
	} else {
		hull = must(exact.DetectEqualities())
	}
	if len(hull.Basics()) == 0 {
		return s, false
	}
	var class presburger.Set
	s.stride, class = stride(exact, hull, d)
	s.known, s.full = must(sc.known.InsertDims(d, 1)), must(sc.full.InsertDims(d, 1))
	left := must(must(hull.OuterFloors(d)).Gist(s.known))
	if len(left.Basics()) == 0 {
		return s, false
	}
	s.bounds, s.class = left.Basics()[0], class.Basics()[0]
	if len(exact.Basics()) > 1 {
		s.hull = map[string]integer{}
		for _, r := range s.bounds.Ge {
			key, con := g.parallels(s.bounds, r, d, sc)
			s.hull[key] = con
		}
	}
	if g.tighten(&s, d) {
		again := must(g.set(s.bounds).Gist(s.known)).Basics()
		if len(again) == 0 {
			return s, false
		}
		s.bounds = again[0]
	}
	return s, true
}

// tighten makes the bounds of a dimension those of values in its class, where this is the
// value of an affine function modulo the stride.
func (g *generator) tighten(s *shape, d int) (changed bool) {
	if s.stride.Cmp(one) <= 0 || len(s.class.Divs) != 1 {
		return false
	}
	col, n := g.entry(d), g.entry(s.class.Out.Len())
	i := slices.IndexFunc(s.class.Eq, func(e []integer) bool { return e[col].Abs().Cmp(one) == 0 })
	if i < 0 {
		return false
	}
	e := s.class.Eq[i]
	off := without(e, col, e[col].Sign() > 0)[:n]
	for i, r := range s.bounds.Ge {
		k := r[col]
		if k.Sign() == 0 || g.isBound(s.bounds, r) {
			continue
		}
		factor, con := k.Mul(s.stride), r[0].Add(k.Mul(off[0])) // of k (off + stride t) + rest
		for j := 1; j < len(r); j++ {
			switch {
			case j == col:
			case j < n:
				factor = factor.GCD(r[j].Add(k.Mul(off[j])))
			default:
				factor = factor.GCD(r[j])
			}
		}
		if over := con.Mod(factor); over.Sign() != 0 {
			r = slices.Clone(r)
			r[0] = r[0].Sub(over)
			s.bounds.Ge[i], changed = r, true
		}
	}
	return changed
}

func stride(exact, hull presburger.Set, d int) (integer, presburger.Set) {
	if len(exact.Basics()) == 1 {
		exact = hull
	}
	k, class, err := exact.Stride(d)
	must(class, err)
	if len(class.Basics()) == 0 {
		k = one
	}
	return k, class
}

// value is that of a dimension which has one value at most, as a sum and as a set.
func (g *generator) value(s shape, d int, sc scope) (v sum, at presburger.Set, ok bool) {
	col := g.entry(d)
	set := func(b presburger.Basic, r []integer, den integer) (sum, presburger.Set, bool) { // floor(r / den)
		v := g.rowSum(b, r, sc.values).floor(den)
		return v, g.assign(b, r, den, d), true
	}
	for _, e := range s.bounds.Eq {
		if k := e[col]; k.Sign() != 0 {
			return set(s.bounds, without(e, col, k.Sign() > 0), k.Abs())
		}
	}
	if s.stride.Sign() == 0 {
		for _, e := range s.class.Eq {
			if k := e[col]; k.Abs().Cmp(one) == 0 {
				return set(s.class, without(e, col, k.Sign() > 0), one)
			}
		}
	}
	for _, h := range s.bounds.Ge {
		if h[col].Sign() >= 0 {
			continue
		}
		k := h[col].Neg()
		for _, l := range s.bounds.Ge {
			if !opposite(l, h) {
				continue
			}
			room := l[0].Add(h[0])
			if room.Cmp(k) < 0 {
				return set(s.bounds, without(h, col, false), k)
			}
			if k.Cmp(one) == 0 && s.stride.Sign() > 0 && room.Cmp(s.stride) < 0 {
				return g.lastOf(s, h, d, sc)
			}
		}
	}
	return sum{}, at, false
}

// lastOf is the greatest value of the class that is at most a bound.
func (g *generator) lastOf(s shape, h []integer, d int, sc scope) (sum, presburger.Set, bool) {
	high := g.rowSum(s.bounds, h, sc.values)
	first := g.offset(s, d, sc)
	v := first.plus(s.stride, high.plus(one.Neg(), first).floor(s.stride))
	near := presburger.Basic{Params: s.bounds.Params, Out: s.bounds.Out, Divs: s.bounds.Divs}
	less := without(h, -1, true) // it is less than a stride below the bound
	less[0] = less[0].Add(s.stride).Sub(one)
	near.Ge = [][]integer{h, less}
	return v, must(g.set(near).Intersect(g.set(s.class))), true
}

// without is a row without a column, the other way round where negate says so.
func without(r []integer, col int, negate bool) []integer {
	out := make([]integer, len(r))
	for i, x := range r {
		switch {
		case i == col:
		case negate:
			out[i] = x.Neg()
		default:
			out[i] = x
		}
	}
	return out
}

func opposite(a, b []integer) bool {
	for i := 1; i < len(a); i++ {
		if a[i].Cmp(b[i].Neg()) != 0 {
			return false
		}
	}
	return true
}

// assign is the set in which dimension d is floor(r / den).
func (g *generator) assign(b presburger.Basic, r []integer, den integer, d int) presburger.Set {
	out := presburger.Basic{Params: b.Params, Out: b.Out}
	k := len(b.Divs)
	wide := func(r []integer) []integer { return append(append([]integer(nil), r...), zero) }
	for _, v := range b.Divs {
		out.Divs = append(out.Divs, presburger.Div{Num: wide(v.Num), Den: v.Den})
	}
	out.Divs = append(out.Divs, presburger.Div{Num: wide(r), Den: den})
	e := make([]integer, len(r)+1)
	e[g.entry(d)], e[len(r)] = one, one.Neg()
	if den.Cmp(one) == 0 {
		out.Divs = out.Divs[:k]
		for i := range out.Divs {
			out.Divs[i] = b.Divs[i]
		}
		e = without(r, g.entry(d), true)
		e[g.entry(d)] = one
	}
	out.Eq = [][]integer{e}
	return g.set(out)
}

// offset is a value of the class of a stride, as a sum of outer dimensions.
func (g *generator) offset(s shape, d int, sc scope) sum {
	if r := g.offsetRow(s, d); r != nil {
		return g.rowSum(s.class, r, sc.values)
	}
	return sum{}
}

// offsetRow is that value as a row of the class; nil is 0.
func (g *generator) offsetRow(s shape, d int) []integer {
	col := g.entry(d)
	for _, e := range s.class.Eq {
		k := e[col]
		if k.Abs().Cmp(one) != 0 {
			continue
		}
		r := without(e, col, k.Sign() > 0)
		for i, v := range s.class.Divs { // the quotient
			c := g.entry(s.class.Out.Len() + i)
			if r[c].Sign() != 0 && v.Num[col].Sign() != 0 {
				r[c] = zero
			}
		}
		return r
	}
	return nil
}

// loop makes the loop over the values of a dimension in a set.
func (g *generator) loop(exact presburger.Set, stmts []stmt, d int, b band, sc scope) []Node {
	g.count()
	s, ok := g.shapeOf(exact, d, sc)
	if !ok || len(stmts) == 0 {
		return nil
	}
	if v, at, ok := g.value(s, d, sc); ok {
		return g.single(s, v, at, stmts, d, b, sc)
	}
	col := g.entry(d)
	f := g.newFor(stmts, d, b, sc)
	strided := s.stride.Cmp(one) > 0
	var first sum
	if strided {
		k, ok := s.stride.Int64()
		if !ok {
			g.fail(errBig)
		}
		f.Stride, first = k, g.offset(s, d, sc)
	}
	lower := func(x sum) sum { // -x, or the first value of the class from there on
		low := sum{}.plus(one.Neg(), x)
		if strided {
			low = first.plus(s.stride.Neg(), first.plus(one.Neg(), low).floor(s.stride))
		}
		return low
	}
	outside := presburger.Basic{Params: s.bounds.Params, Out: s.bounds.Out, Divs: s.bounds.Divs}
	outside.Eq = s.bounds.Eq
	for _, r := range s.bounds.Ge {
		x := g.rowSum(s.bounds, r, sc.values)
		switch r[col].Sign() {
		case 0:
			outside.Ge = append(outside.Ge, r)
		case 1:
			f.Lower = append(f.Lower, lower(x.floor(r[col])).expr())
		default:
			f.Upper = append(f.Upper, x.floor(r[col].Neg()).expr())
		}
	}
	inner := scope{loops: sc.loops + 1}
	inner.values = append(sc.values[:d:d], nameSum(f.Iterator))
	held := g.set(s.bounds)
	if strided {
		held = must(held.Intersect(g.set(s.class)))
	}
	inner.known, inner.full = must(s.known.Intersect(held)), must(s.full.Intersect(held))
	f.Lower = g.bounds(exact, s, d, sc, f.Lower, 1, lower)
	if len(f.Lower) == 0 {
		g.fail(fmt.Errorf("codegen: dimension %d of the schedule has no lower bound in %s", d, exact))
	}
	f.Upper = g.bounds(exact, s, d, sc, f.Upper, -1, func(x sum) sum { return x })
	body := g.dims(stmts, d+1, b, inner)
	if len(body) == 0 {
		return nil
	}
	f.Body = &Block{body}
	cond, never := g.conditionsOf(outside, sc.values)
	return g.where(cond, never, []Node{f})
}

// newFor is a loop over dimension d without its bounds and body.
func (g *generator) newFor(stmts []stmt, d int, b band, sc scope) *For {
	f := &For{Iterator: fmt.Sprintf("%s%d", g.prefix, sc.loops), Stride: 1, Parallel: b.coincident != nil && b.coincident(d)}
	if f.Parallel && len(g.tied) > 0 {
		f.Instances = instancesOf(stmts)
	}
	return f
}

// instancesOf are those of statements, without their times.
func instancesOf(stmts []stmt) presburger.Set {
	var out []presburger.Basic
	for _, x := range stmts {
		for _, b := range must(x.set.ProjectOut(0, dimsOf(x.set)-x.tuple.Len())).Basics() {
			b.Out = x.tuple
			out = append(out, b)
		}
	}
	return presburger.SetOf(out...)
}

// single is the code of a dimension of one value.
func (g *generator) single(s shape, v sum, at presburger.Set, stmts []stmt, d int, b band, sc scope) []Node {
	known := must(s.known.Intersect(at))
	cond := must(g.set(s.bounds).Gist(known))
	inner := scope{values: append(sc.values[:d:d], v), loops: sc.loops}
	inner.known = must(known.Intersect(cond))
	inner.full = must(must(s.full.Intersect(at)).Intersect(cond))
	all, never := g.condition(cond, inner.values)
	if never {
		return nil
	}
	return g.where(all, never, g.dims(stmts, d+1, b, inner))
}
