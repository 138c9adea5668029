package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// mostDots is how many columns behind the last whole vector of them are summed up along k: a vector of a tile, of which they use
// a few lanes, takes as long as all lanes do, and these take a round for as many k as a vector has.
const mostDots = 4

// leastDots is how many k each of these columns has at least: the lanes of a sum are added up at its end.
const leastDots = 32

// A rest is such columns of a panel.
type rest struct {
	columns int64
	at      ir.Value // the first of them
	mask    ir.Value // of the lanes that they are
	packed  ir.Value // their factors, column by column, in vectors along k
	chunks  ir.Value // how many vectors each has
}

// restOf is how many of a known number of columns of the last panel are summed up so: where a row, and its factors side by side, are of known
// numbers of whole vectors.
func (d *direct) restOf(all [3]span, left int64) int64 {
	some := left % d.lanes
	if some == 0 || some > mostDots || !d.Ctx().IsFloat(d.elem) {
		return 0
	}
	g := d.Graph()
	deep, ok := g.Const(d.Sub(d.deep.end, d.deep.from))
	_, known := g.Const(d.Sub(all[d.i].end, all[d.i].from))
	a := d.st.Reads[d.readOf(d.terms[0].a)]
	if !ok || !known || deep.Int(64)%d.lanes != 0 || deep.Int(64) < leastDots*some || a.Array.Elem != d.elem || a.Array.Rank < 2 || !d.isAlong(a, d.k) {
		return 0
	}
	return some
}

// withRest makes the code of a panel that has n columns behind those of its vectors.
func (d *direct) withRest(all [3]span, j ir.Value, vectors, n int64) {
	r := &rest{columns: n, at: d.add(j, vectors*d.lanes), mask: d.simd.below(d.Index(n)), chunks: d.count(d.deep, d.lanes)}
	r.packed = d.alloc(d.lanes, d.Index(n), r.chunks)
	zero := d.Index(0)
	for c := range n {
		d.each(span{zero, r.chunks}, 1, func(p ir.Value) {
			d.each(span{zero, d.Index(d.lanes)}, 1, func(lane ir.Value) {
				at := d.Add(d.chunk(p), lane)
				v := d.factor(d.terms[0].b, false, d.coords(all[d.i].from, d.add(r.at, c), at))
				d.OpAttr(memref.Store, d.simd.inside, v, r.packed, d.Index(c), p, lane)
			})
		})
	}
	d.masks, d.dots = make([]ir.Value, vectors), r
	d.tiles(all[d.i], j)
	d.dots = nil
	d.kernel.free(r.packed)
}

// chunk is the first k of a vector of them.
func (d *direct) chunk(p ir.Value) ir.Value {
	return d.Add(d.deep.from, d.Mul(p, d.Index(d.lanes)))
}

// sumDots sums up the rest of some rows, and makes it the target.
func (d *direct) sumDots(rows []ir.Value) {
	r, masks := d.dots, d.masks
	d.masks = []ir.Value{r.mask}
	begun := d.begun(rows, []ir.Value{r.at})
	zero, n := arith.Zero(d.Builder, d.simd.vector), int(d.directSums/r.columns)
	for first := 0; first < len(rows); first += n {
		some := rows[first:min(first+n, len(rows))]
		loop := d.dotLoop(some)
		for i, row := range some {
			sum := zero
			for c := range r.columns {
				v := vector.BuildReduction(d.Builder, arith.Addf, d.simd.sumFlag, d.Result(loop, i*int(r.columns)+int(c)), arith.Zero(d.Builder, d.elem))
				sum = vector.BuildWithLane(d.Builder, v, sum, c)
			}
			d.storeColumns(row, r.at, d.simd.plus(begun[first+i], sum), 0)
		}
	}
	d.masks = masks
}

// dotLoop makes the loop over vectors along k for some rows.
func (d *direct) dotLoop(rows []ir.Value) ir.Value {
	r := d.dots
	sums := slices.Repeat([]ir.Value{arith.Zero(d.Builder, d.simd.vector)}, len(rows)*int(r.columns))
	a := d.st.Reads[d.readOf(d.terms[0].a)]
	return scf.BuildFor(d.Builder, d.Index(0), r.chunks, d.Index(1), sums, func(p ir.Value, sums []ir.Value) []ir.Value {
		out := make([]ir.Value, 0, len(sums))
		right := make([]ir.Value, r.columns)
		for c := range right {
			right[c] = d.simd.load(r.packed, []ir.Value{d.Index(int64(c)), p, d.Index(0)})
		}
		for _, row := range rows {
			index := d.element(a.Array, a.Map, d.st.Domain, d.coords(row, r.at, d.chunk(p)))
			left := d.simd.load(d.Memory(a.Array), index)
			if d.terms[0].negative {
				left = d.Op(arith.Negf, left)
			}
			for _, x := range right {
				out = append(out, d.simd.plusProduct(sums[len(out)], left, x))
			}
		}
		return out
	})
}
