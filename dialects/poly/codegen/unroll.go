package codegen

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// maxCopies is how many values a loop may have that is unrolled.
const maxCopies = 4096

// unrolled makes a copy for each value of a dimension that is at most a constant more than
// one of its lower bounds, the one with the fewest. ok is false if there is none.
func (g *generator) unrolled(e element, stmts []stmt, d int, b band, sc scope) (out []Node, ok bool) {
	s, ok := g.shapeOf(e.exact, d, sc)
	if !ok {
		return nil, true
	}
	if _, _, ok := g.value(s, d, sc); ok {
		return g.loop(e.exact, stmts, d, b, sc), true
	}
	all := must(must(e.exact.Intersect(s.full)).Intersect(s.known))
	col := g.entry(d)
	best, count := -1, presburger.NewInt(0)
	for i, r := range s.bounds.Ge {
		if r[col].Sign() <= 0 {
			continue
		}
		n, ok := g.above(all, s.bounds, r, d)
		if ok && (best < 0 || n.Cmp(count) < 0) {
			best, count = i, n
		}
	}
	step, isSmall := s.stride.Int64()
	n, fits := count.Int64()
	if best < 0 || !fits || !isSmall || n/max(step, 1) > maxCopies {
		return nil, false
	}
	first := g.firstSlice(s, all, s.bounds.Ge[best], d)
	for k := int64(0); k <= n/max(step, 1); k++ {
		slice := must(e.exact.Intersect(first.at(g, k, d)))
		if must(must(slice.Intersect(all)).IsEmpty()) {
			continue
		}
		var part []stmt
		for _, x := range stmts {
			x.set = must(x.set.Intersect(must(slice.InsertDims(d+1, dimsOf(x.set)-d-1))))
			if !must(x.set.IsEmpty()) {
				part = append(part, x)
			}
		}
		out = append(out, g.loop(slice, part, d, b, sc)...)
	}
	return out, true
}

// A progression has the values floor(row / den) and a step further each, row being of a
// conjunction.
type progression struct {
	of   presburger.Basic
	row  []integer
	den  integer
	step integer
}

// at is the set in which dimension d is value k.
func (p progression) at(g *generator, k int64, d int) presburger.Set {
	r := slices.Clone(p.row)
	r[0] = r[0].Add(p.den.Mul(p.step).Mul(presburger.NewInt(k)))
	return g.assign(p.of, r, p.den, d)
}

// firstSlice are the values of dimension d, or more, from a lower bound on: x d + rest >= 0
// says d >= low = floor((x - 1 - rest) / x). The first one of the class off + stride q has
// the least q that is at least (low - off) / stride.
func (g *generator) firstSlice(s shape, all presburger.Set, low []integer, d int) progression {
	x := low[g.entry(d)]
	row := without(low, g.entry(d), true)
	row[0] = row[0].Add(x).Sub(one)
	if s.stride.Cmp(one) <= 0 {
		return progression{s.bounds, row, x, one}
	}
	n, k := g.entry(s.bounds.Out.Len()), len(s.class.Divs)
	wide := func(r []integer) []integer { return slices.Insert(slices.Clone(r), n, make([]integer, k)...) }
	of := presburger.Basic{Params: s.bounds.Params, Out: s.bounds.Out}
	class := func(r []integer) []integer { return append(slices.Clone(r), make([]integer, len(s.bounds.Divs))...) }
	for _, v := range s.class.Divs {
		of.Divs = append(of.Divs, presburger.Div{Num: class(v.Num), Den: v.Den})
	}
	for _, v := range s.bounds.Divs {
		of.Divs = append(of.Divs, presburger.Div{Num: wide(v.Num), Den: v.Den})
	}
	off := make([]integer, n+len(of.Divs))
	if r := g.offsetRow(s, d); r != nil {
		off = class(r)
	}
	num, den := wide(row), x.Mul(s.stride) // q = floor(num / den)
	num[0] = num[0].Add(x.Mul(s.stride.Sub(one)))
	for i := range num {
		num[i] = num[i].Sub(x.Mul(off[i]))
	}
	if q, ok := constantFloor(all, num, den, of.Divs); ok {
		off[0] = off[0].Add(s.stride.Mul(q))
		return progression{of, off, one, s.stride}
	}
	for i, v := range of.Divs {
		of.Divs[i].Num = append(v.Num, zero)
	}
	of.Divs = append(of.Divs, presburger.Div{Num: append(num, zero), Den: den})
	return progression{of, append(off, s.stride), one, s.stride}
}

// constantFloor is floor(num / den) where it is the same in all points of a set.
func constantFloor(all presburger.Set, num []integer, den integer, divs []presburger.Div) (q integer, ok bool) {
	f := must(presburger.AffOf(all, num, den, divs)).Floor()
	low, high := must(all.MinVal(f)), must(all.MaxVal(f))
	ok = low.Status == presburger.Optimal && high.Status == presburger.Optimal && low.Value.Cmp(high.Value) == 0
	return low.Value.Num, ok
}

// above is the most by which dimension d is more than the lower bound r.
func (g *generator) above(all presburger.Set, b presburger.Basic, r []integer, d int) (n integer, ok bool) {
	k := r[g.entry(d)]
	low, err := presburger.AffOf(all, without(r, g.entry(d), false), k, b.Divs)
	if err != nil {
		return n, false
	}
	unit := make([]integer, len(r)-len(b.Divs))
	unit[g.entry(d)] = one
	x := must(presburger.AffOf(all, unit, one, nil))
	o := must(all.MaxVal(must(x.Add(low.Floor()))))
	if o.Status != presburger.Optimal {
		return n, o.Status == presburger.Empty
	}
	return o.Value.Num, true
}
