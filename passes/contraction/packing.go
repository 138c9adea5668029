package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// packBefore packs all of b at once, before anything is written.
func (k *kernel) packBefore(all [3]span) {
	for t := range k.terms {
		b := k.alloc(k.columns, k.steps(all[k.k], k.deep), k.count(all[k.j], k.columns), k.deep)
		k.b = append(k.b, b)
		k.every(all[k.k], k.deep, func(depth ir.Value) {
			block := k.blockOf(depth, all[k.k])
			k.packB(b, t, all[k.j], k.clip(all[k.k], depth, k.deep), func(panel ir.Value) []ir.Value { return []ir.Value{block, panel} })
		})
	}
}

// part is in which of the steps of n from a place on a value is.
func (k *kernel) part(x, from ir.Value, n int64) ir.Value {
	return k.Op(arith.Divsi, k.Sub(x, from), k.Index(n))
}

// blockOf is in which block a value of k is.
func (k *kernel) blockOf(depth ir.Value, all span) ir.Value {
	return k.Op(arith.Divsi, k.Sub(depth, all.from), k.deep)
}

// packB brings the factors of columns into panels: for each k those of a row of a tile stand side by side. What is
// behind the last column is 0, so that a tile is whole; its sums are not kept.
func (k *kernel) packB(to ir.Value, t int, columns, depth span, in func(panel ir.Value) []ir.Value) {
	p := k.packingB(to, t, columns.from, depth)
	place := func(j ir.Value) {
		p.lanes, p.at = k.clip(columns, j, k.Index(k.columns)), in(k.part(j, columns.from, k.columns))
	}
	if p.along {
		k.share(columns, k.Index(k.columns), func(j ir.Value) { place(j); p.fill() })
		return
	}
	group := k.Index(packedPanels * k.columns)
	k.share(columns, group, func(j ir.Value) {
		some := k.clip(columns, j, group)
		whole := k.Sub(some.end, k.Op(arith.Remsi, k.Sub(some.end, some.from), k.Index(k.columns)))
		k.each(depth, 1, func(at ir.Value) {
			k.each(span{some.from, whole}, k.columns, func(j ir.Value) { place(j); p.whole(at) })
		})
		k.IfOnly(k.Less(whole, some.end), func() { place(whole); p.some() })
	})
}

// packingB is how the factors of columns are packed, in which nothing depends on i.
func (k *kernel) packingB(to ir.Value, t int, i ir.Value, depth span) *packing {
	p := &packing{kernel: k, to: to, depth: depth, n: k.columns, factors: k.terms[t].b, across: -1,
		coords: func(j, at ir.Value) []ir.Value { return k.coords(i, j, at) }}
	if p.read(); k.isInPlace(t) {
		p.across = k.readOf(k.terms[t].b)
	}
	return p
}

// packPanel brings the factors of some columns into one panel.
func (k *kernel) packPanel(to ir.Value, t int, columns, depth span, panel []ir.Value) {
	p := k.packingB(to, t, columns.from, depth)
	p.lanes, p.at = columns, panel
	p.fill()
}

// packedPanels are how many panels of columns are packed at once, so that what is read of a row is long.
const packedPanels = 8

// packA does so with the rows of tiles.
func (k *kernel) packA(t int, rows, depth span) {
	p := &packing{kernel: k, to: k.a[t], depth: depth, n: k.rows, factors: k.terms[t].a, negative: k.terms[t].negative, across: -1,
		coords: func(i, at ir.Value) []ir.Value { return k.coords(i, k.Index(0), at) }}
	p.read()
	k.each(rows, k.rows, func(i ir.Value) {
		p.lanes, p.at = k.clip(rows, i, k.Index(k.rows)), []ir.Value{k.part(i, rows.from, k.rows)}
		p.fill()
	})
}

// A packing brings factors into panels, of n lanes for each k.
type packing struct {
	*kernel
	to       ir.Value
	at       []ir.Value // which panel
	lanes    span       // of rows or columns, in it
	depth    span
	n        int64
	factors  []ir.Node
	negative bool
	coords   func(lane, at ir.Value) []ir.Value
	along    bool      // memory is read element by element where k grows
	line     int       // the read whose elements for some k are loaded as a vector, or -1
	across   int       // that whose elements for one k are loaded as vectors, or -1
	scale    []ir.Node // by what these are multiplied
}

// read finds how the factors read memory.
func (p *packing) read() {
	cone, params := systems.Cone(p.factors), p.st.Node.Region(0).Params()
	for i, r := range p.st.Reads {
		if !cone[params[3+i]] {
			continue
		}
		if rows, ok := systems.Linear(r.Map); ok && len(rows) > 1 && rows[len(rows)-1][p.k] != 0 {
			p.along = true
		}
	}
	p.line = -1
	for i, f := range p.factors {
		if at := p.readOf([]ir.Node{f}); at >= 0 && p.st.Reads[at].Array.Rank > 1 && p.isAlong(p.st.Reads[at], p.k) {
			p.scale = slices.Delete(slices.Clone(p.factors), i, i+1)
			if cone := systems.Cone(p.scale); !slices.ContainsFunc(params, func(n ir.Node) bool { return cone[n] }) {
				p.line = at
			}
			return
		}
	}
}

// fill writes a panel: for each k the values of some lanes, and zeros up to n.
func (p *packing) fill() {
	have := p.Sub(p.lanes.end, p.lanes.from)
	if wide := p.square(); p.line >= 0 && wide > 1 {
		p.IfElse(p.Less(have, p.Index(wide)), func() { p.some() }, func() {
			p.transposed(wide)
			p.zeros()
		})
		return
	}
	p.IfElse(p.Is(arith.EQ, have, p.Index(p.n)), func() {
		if p.across >= 0 {
			p.each(p.depth, 1, p.whole)
		} else {
			p.elements(p.Index(p.n), p.depth)
		}
	}, func() { p.some() })
}

// some writes a panel some of whose lanes may have nothing.
func (p *packing) some() {
	if p.across >= 0 {
		masks := make([]ir.Value, p.vectors)
		for v := range masks {
			masks[v] = p.simd.below(p.add(p.Sub(p.lanes.end, p.lanes.from), -int64(v)*p.kernel.lanes))
		}
		p.each(p.depth, 1, func(at ir.Value) { p.wide(at, masks) })
		return
	}
	p.elements(p.Sub(p.lanes.end, p.lanes.from), p.depth)
	p.zeros()
}

// elements writes the first lanes one by one. It goes through memory that is read in its order: a lane after the other, or all
// of them for each k.
func (p *packing) elements(lanes ir.Value, depth span) {
	if !p.along {
		p.each(depth, 1, func(at ir.Value) { p.row(at, lanes) })
		return
	}
	p.each(span{p.Index(0), lanes}, 1, func(lane ir.Value) { p.each(depth, 1, func(at ir.Value) { p.one(lane, at) }) })
}

// wide writes all lanes for one k as vectors: zeros where a mask has none.
func (p *packing) wide(at ir.Value, masks []ir.Value) {
	r := p.st.Reads[p.across]
	for v, mask := range masks {
		lane := int64(v) * p.kernel.lanes
		index := p.element(r.Array, r.Map, p.st.Domain, p.coords(p.add(p.lanes.from, lane), at))
		p.simd.store(p.simd.loadMasked(p.Memory(r.Array), index, mask), p.to, p.place(at, p.Index(lane)))
	}
}

// whole writes all lanes for one k.
func (p *packing) whole(at ir.Value) {
	if p.across >= 0 {
		p.wide(at, make([]ir.Value, p.vectors))
		return
	}
	p.row(at, p.Index(p.n))
}

// row writes the first lanes for one k, one by one.
func (p *packing) row(at, lanes ir.Value) {
	p.each(span{p.Index(0), lanes}, 1, func(lane ir.Value) { p.one(lane, at) })
}

// one writes the factor of a lane for one k, as the body of the statement computes it.
func (p *packing) one(lane, at ir.Value) {
	v := p.factor(p.factors, p.negative, p.coords(p.Add(p.lanes.from, lane), at))
	p.OpAttr(memref.Store, p.simd.inside, append([]ir.Value{v, p.to}, p.place(at, lane)...)...)
}

// place is where the element of a k and a lane is.
func (p *packing) place(at, lane ir.Value) []ir.Value {
	return append(slices.Clip(p.at), p.Sub(at, p.depth.from), lane)
}

// zeros writes what is behind the lanes that there are.
func (p *packing) zeros() {
	have := p.Sub(p.lanes.end, p.lanes.from)
	p.IfOnly(p.Less(have, p.Index(p.n)), func() {
		p.each(p.depth, 1, func(at ir.Value) {
			p.each(span{have, p.Index(p.n)}, 1, func(lane ir.Value) {
				p.OpAttr(memref.Store, p.simd.inside, append([]ir.Value{arith.Zero(p.Builder, p.elem), p.to}, p.place(at, lane)...)...)
			})
		})
	})
}

// square is how many lanes and how many k are transposed at once: a power of two.
func (p *packing) square() int64 {
	wide := p.kernel.lanes
	for wide > p.n {
		wide /= 2
	}
	return wide
}

// transposed writes the lanes of a panel, of which there are at least wide, in squares: vectors of wide k of a lane become
// vectors of lanes. The last square of lanes begins where it ends with them, so that it may write some of the one before again.
func (p *packing) transposed(wide int64) {
	t := p.Ctx().Vector([]int64{wide}, p.elem)
	var by ir.Value
	if len(p.scale) > 0 {
		by = p.Must(ir.Call{Def: vector.Broadcast, Args: []ir.Value{p.factor(p.scale, false, p.coords(p.lanes.from, p.depth.from))}, Type: t})
	}
	have := p.Sub(p.lanes.end, p.lanes.from)
	whole := p.Sub(p.depth.end, p.Op(arith.Remsi, p.Sub(p.depth.end, p.depth.from), p.Index(wide)))
	p.each(span{p.depth.from, whole}, wide, func(at ir.Value) {
		p.each(span{p.Index(0), have}, wide, func(lane ir.Value) {
			lane = p.Min(lane, p.add(have, -wide))
			rows := make([]ir.Value, wide)
			for r := range rows {
				rows[r] = p.lineOf(t, p.Add(p.lanes.from, p.add(lane, int64(r))), at)
				if by != 0 {
					rows[r] = arith.Float(p.Builder, arith.Mulf, p.flags, rows[r], by)
				}
				if p.negative {
					rows[r] = p.Op(arith.Negf, rows[r])
				}
			}
			for q, v := range transpose(p.Builder, rows) {
				p.simd.store(v, p.to, p.place(p.add(at, int64(q)), lane))
			}
		})
	})
	p.elements(have, span{whole, p.depth.end})
}

// lineOf loads what a lane has for some k from one on.
func (p *packing) lineOf(t ir.Type, lane, at ir.Value) ir.Value {
	r := p.st.Reads[p.line]
	index := p.element(r.Array, r.Map, p.st.Domain, p.coords(lane, at))
	return p.Must(ir.Call{Def: vector.Load, Args: append([]ir.Value{p.Memory(r.Array)}, index...), Attr: p.simd.inside, Type: t})
}

// transpose makes of n vectors of n lanes those of their first lanes, of their second ones, and so on: each of log n
// rounds shuffles the vectors of both halves like cards.
func transpose(b *ir.Builder, rows []ir.Value) []ir.Value {
	n := len(rows)
	low, high := make([]int, n), make([]int, n)
	for i := range n {
		low[i], high[i] = i/2+i%2*n, n/2+i/2+i%2*n
	}
	for round := 1; round < n; round *= 2 {
		next := make([]ir.Value, n)
		for i := range n / 2 {
			x, y := rows[i], rows[n/2+i]
			next[2*i], next[2*i+1] = vector.BuildShuffle(b, x, y, low), vector.BuildShuffle(b, x, y, high)
		}
		rows = next
	}
	return rows
}

// coords are coordinates of an instance.
func (k *kernel) coords(i, j, at ir.Value) []ir.Value {
	out := make([]ir.Value, 3)
	out[k.i], out[k.j], out[k.k] = i, j, at
	return out
}

// factor makes the product of some factors of an instance.
func (k *kernel) factor(list []ir.Node, negative bool, coords []ir.Value) ir.Value {
	body := k.st.Node.Region(0)
	cone := systems.Cone(list)
	args := slices.Clone(coords)
	for i := range k.st.Reads {
		v := ir.Value(0)
		if cone[body.Params()[len(coords)+i]] {
			v = k.Host.Load(systems.ReadBy(k.st, i), coords)
		}
		args = append(args, v)
	}
	at := k.Loc // which that of a constant must not replace
	k.Mirror.BodyWithout(body, func(n ir.Node) bool { return !cone[n] }, args...)
	k.Loc = at
	out := k.Mirror.Of(list[0])
	for _, f := range list[1:] {
		out = arith.Float(k.Builder, arith.Mulf, k.flags, out, k.Mirror.Of(f))
	}
	if negative {
		out = k.Op(arith.Negf, out)
	}
	return out
}
