package codegen

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// A band is a number of dimensions of time that are scanned one after another.
type band struct {
	end   int            // the number of dimensions at its end
	inner *schedule.Node // what orders instances after it; nil where nothing is known
	loops func(d int) []option
	then  func(stmts []stmt, sc scope) []Node

	coincident func(d int) bool // nil where no member is
	holds      func(d int) bool // a member from d on is, or one inside of the band
}

// An option says how code is made for values of a dimension and of those before it.
type option struct {
	where presburger.Set // the zero Set is everything
	all   bool
	loop  schedule.Loop
}

// band makes the code of a band: its members become dimensions. Where all or nothing of it is isolated, as the conditions
// are on members around alone, there are two codes: one for what is isolated, of which it knows that it is, and one for the rest.
func (g *generator) band(n *schedule.Node, stmts []stmt, sc scope) []Node {
	b := n.Band()
	d, k := sc.depth(), len(b.Members)
	if where, ok := g.isolatedWhole(b, sc); ok {
		return g.versions(n, where, stmts, sc)
	}
	if k == 0 {
		return g.tree(n.Child(0), stmts, sc)
	}
	var timed []stmt
	for _, x := range stmts {
		s := must(x.set.InsertDims(d, k))
		for j, m := range b.Members {
			var f []presburger.Basic
			for _, p := range m.Function.AlignParams(g.params...).Maps() {
				if in, _ := p.Tuples(); !in.Equal(x.tuple) {
					continue
				}
				for _, c := range p.Basics() {
					from := slices.Repeat([]int{-1}, d+k)
					from[d+j] = x.tuple.Len()
					f = append(f, permute(c, append(from, seq(0, x.tuple.Len())...)))
				}
			}
			s = must(s.Intersect(g.set(f...)))
		}
		if !must(s.IsEmpty()) {
			timed = append(timed, stmt{x.tuple, g.aligned(s)})
		}
	}
	return g.dims(timed, d, band{
		end: d + k, inner: n.Child(0), loops: g.treeLoops(b, d),
		then:       func(stmts []stmt, sc scope) []Node { return g.tree(n.Child(0), stmts, sc) },
		coincident: func(i int) bool { return b.Members[i-d].Coincident },
		holds: func(i int) bool {
			return slices.ContainsFunc(b.Members[i-d:], func(m schedule.Member) bool { return m.Coincident }) || hasCoincident(n.Child(0))
		},
	}, sc)
}

// hasCoincident reports a coincident member.
func hasCoincident(n *schedule.Node) bool {
	for _, c := range n.All() {
		if c.Kind() == schedule.Band && slices.ContainsFunc(c.Band().Members, func(m schedule.Member) bool { return m.Coincident }) {
			return true
		}
	}
	return false
}

// isolatedWhole is what conditions on the dimensions so far isolate all of a band; ok is false where others do, or none.
func (g *generator) isolatedWhole(b schedule.BandData, sc scope) (where presburger.Set, ok bool) {
	isolated := b.Isolate.AlignParams(g.params...).Basics()
	d, k := sc.depth(), len(b.Members)
	if len(isolated) != 1 || len(isolated[0].Divs) > 0 || isolated[0].In.Len()+isolated[0].Out.Len() != d+k {
		return where, false
	}
	for _, r := range slices.Concat(isolated[0].Eq, isolated[0].Ge) {
		for i := range k {
			if r[g.entry(d+i)].Sign() != 0 {
				return where, false
			}
		}
	}
	return must(g.lift(isolated, 0, 0).ProjectOut(d, k)), true
}

// versions makes the two codes of a band that is isolated where a condition holds.
func (g *generator) versions(n *schedule.Node, where presburger.Set, stmts []stmt, sc scope) []Node {
	b := n.Band()
	b.Isolate = presburger.Set{}
	general := schedule.NewBand(b, n.Child(0))
	b.Members = slices.Clone(b.Members)
	for i, m := range b.Members {
		if m.Isolated != schedule.Default {
			b.Members[i].Loop = m.Isolated
		}
	}
	inner := g.assume(sc, where)
	then := g.band(schedule.NewBand(b, n.Child(0)), g.within(stmts, inner.known), inner)
	cond, never := g.condition(must(where.Gist(sc.known)), sc.values)
	if never || len(then) == 0 {
		return g.band(general, stmts, sc)
	}
	if len(cond) == 0 {
		return then
	}
	g.count()
	out := &If{Cond: apply(And, cond...), Then: &Block{then}}
	if rest := g.band(general, stmts, sc); len(rest) > 0 {
		out.Else = &Block{rest}
	}
	return []Node{out}
}

// treeLoops are the options of a band of a tree whose first member is dimension first.
func (g *generator) treeLoops(b schedule.BandData, first int) func(d int) []option {
	isolated := b.Isolate.AlignParams(g.params...).Basics()
	return func(d int) (out []option) {
		m := b.Members[d-first]
		if len(isolated) > 0 {
			s := g.lift(isolated, 0, 0)
			if dimsOf(s) != first+len(b.Members) {
				return nil
			}
			s = must(s.ProjectOut(d+1, dimsOf(s)-d-1))
			out = append(out, option{where: s, loop: m.Isolated})
		}
		if m.Loop != schedule.Default {
			out = append(out, option{all: true, loop: m.Loop})
		}
		return out
	}
}

// mapLoops are the options of a flat map whose times have n dimensions.
func (g *generator) mapLoops(options presburger.Map, n int) func(d int) []option {
	return func(d int) (out []option) {
		for _, l := range []schedule.Loop{schedule.Separate, schedule.Unroll, schedule.Atomic} {
			var bs []presburger.Basic
			for _, m := range options.Maps() {
				in, t := m.Tuples()
				if _, _, pair := t.Pair(); pair || t.Name() != l.String() || t.Len() != 1 || in.Len() != n {
					continue
				}
				only := presburger.NewInt(int64(d))
				for _, s := range []presburger.Set{g.lift(m.Basics(), 0, 0).Fix(n, only)} {
					if len(s.Basics()) > 0 {
						bs = append(bs, must(s.ProjectOut(d+1, n-d)).Basics()...)
					}
				}
			}
			if len(bs) > 0 {
				out = append(out, option{where: g.lift(bs, 0, 0), loop: l})
			}
		}
		return out
	}
}

// A projected statement has its set on the dimensions up to the present one.
type projected struct {
	stmt
	on presburger.Set
}

// dims makes the code of the dimensions of a band from d on.
func (g *generator) dims(stmts []stmt, d int, b band, sc scope) []Node {
	if d >= b.end {
		return b.then(stmts, sc)
	}
	var ps []projected
	for _, x := range stmts {
		on := around(must(x.set.ProjectOut(d+1, dimsOf(x.set)-d-1)), d)
		if len(on.Basics()) > 1 {
			on = must(on.Coalesce())
		}
		if len(on.Basics()) > 0 {
			ps = append(ps, projected{x, on})
		}
	}
	var out []Node
	for _, c := range g.components(ps, d, b) {
		out = append(out, g.component(c, d, b, sc)...)
	}
	return out
}

// around is a set that holds s, whose last dimension is d, and is s where all that
// exists in s are floors. Where code for the values of dimension d is divided, exact sets
// are not needed: an instance is tested for what loops around it do not establish.
func around(s presburger.Set, d int) presburger.Set {
	for _, b := range s.Basics() {
		if slices.ContainsFunc(b.Divs, func(v presburger.Div) bool { return v.Den.Sign() == 0 }) {
			return must(s.OuterFloors(d + 1))
		}
	}
	return s
}

// component makes the code of statements that are not taken apart.
func (g *generator) component(ps []projected, d int, b band, sc scope) (out []Node) {
	els := g.ordered(g.elements(ps, d, b), d)
	for _, e := range els {
		var stmts []stmt
		for _, p := range ps {
			x := p.stmt
			if len(els) > 1 {
				x.set = must(x.set.Intersect(must(e.exact.InsertDims(d+1, dimsOf(x.set)-d-1))))
				if must(x.set.IsEmpty()) {
					continue
				}
			}
			stmts = append(stmts, x)
		}
		out = append(out, g.loops(e, stmts, d, b, sc)...)
	}
	return out
}
