package contraction

import (
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// leastShared is how many products cores share, which one does in some twenty microseconds: others take about as long to begin.
const leastShared = 1 << 20

// isDirect reports a product of matrices that can be summed up without blocks, in any tile: coordinates that do not depend
// on one another, one term, and one element for a row.
func (c *Contraction) isDirect() bool {
	return !c.before && len(c.terms) == 1 && c.readOf(c.terms[0].a) >= 0 && c.isProduct()
}

// isInPlace reports factors of columns of a term that can be read where they are: one element, those for growing j side by side.
func (c *Contraction) isInPlace(t int) bool {
	b := c.readOf(c.terms[t].b)
	return b >= 0 && c.isAlong(c.st.Reads[b], c.j)
}

// isAlong reports a read of elements that stand side by side where one coordinate grows.
func (c *Contraction) isAlong(r poly.Access, coordinate int) bool {
	rows, ok := systems.Linear(r.Map)
	last := len(rows) - 1
	if !ok || last < 0 || !systems.IsDense(r.Array) || rows[last][coordinate] != 1 || used(rows[last:]) != 1<<coordinate || used(rows[:last])&(1<<coordinate) != 0 {
		return false
	}
	all, err := c.st.Domain.IsSubset(r.Map.Domain())
	return err == nil && all
}

// isCompact reports factors of columns that are known to stay in the second cache, in rows that do not fall onto one another in
// the first, and to be used by few tiles: to pack them would take longer than it gains.
func (k *kernel) isCompact(rows span) bool {
	if n, ok := k.Graph().Const(k.Sub(rows.end, rows.from)); !ok || n.Int(64) > fewTiles*k.directRows() {
		return false
	}
	a := k.st.Reads[k.readOf(k.terms[0].b)].Array
	if a.Node.Def() != poly.Bind {
		return false
	}
	elements := int64(1)
	shape := k.Ctx().Info(a.Node.Arg(0).Type()).Shape
	for _, n := range shape {
		if elements = ir.Times(elements, n); n == ir.Dynamic || elements > k.small {
			return false
		}
	}
	return len(shape) > 1 && shape[len(shape)-1]%(16*k.lanes) != 0
}

// fewTiles are so few that a panel of columns is not packed for them.
const fewTiles = 8

// isProduct reports coordinates that do not depend on one another.
func (c *Contraction) isProduct() bool {
	for _, r := range c.conditions.Ge {
		coords := 0
		for d := range 3 {
			coords += bits.OnesCount8(uint8(abs(r[1+len(c.conditions.Params)+d].Sign())))
		}
		if coords > 1 {
			return false
		}
	}
	return true
}

// abs makes a sign 1 or 0, so that coefficients that are not zero are counted.
func abs(x int) int { return max(x, -x) }

// readOf is which read one factor is, or -1.
func (c *Contraction) readOf(factors []ir.Node) int {
	if len(factors) != 1 {
		return -1
	}
	if at := slices.Index(c.st.Node.Region(0).Params(), factors[0]); at >= 3 {
		return at - 3
	}
	return -1
}

// isNarrow tests that the rows of a product stay in the second cache, or that it has so few columns that these do and that each
// row is read a few times only: to pack rows would take longer than it gains.
func (k *kernel) isNarrow(all [3]span) ir.Value {
	size := func(d int) ir.Value { return k.Sub(all[d].end, all[d].from) }
	fits := func(d int) ir.Value { return k.Less(k.Mul(size(d), size(k.k)), k.Index(k.small+1)) }
	few := k.Less(size(k.j), k.Index(mostDirect*k.columns))
	return k.Or(fits(k.i), k.And(fits(k.j), few))
}

// mostDirect is how many panels of columns read rows where they are, of which there may be any number.
const mostDirect = 4

// direct makes the code of a product whose rows are read where they are: for one core without a question, if there is
// little to do. fresh says that the sums are the result, which had nothing.
func (k *kernel) direct(all [3]span, fresh bool) {
	products := k.Index(1)
	for _, s := range all {
		products = k.Mul(products, k.Sub(s.end, s.from))
	}
	k.IfElse(k.Less(products, k.Index(leastShared)), func() {
		d := &direct{kernel: k, deep: all[k.k], depth: all[k.k], fresh: fresh, rest: []int64{8, 4}}
		if !k.isInPlace(0) {
			d.pack()
		}
		d.panels(all)
		d.free()
	}, func() {
		k.directBlocks(all, fresh)
	})
}

// directBlocks cuts what is summed over, so that the factors of a panel of columns, side by side, stay in the innermost cache, or exceed it
// by a third at most, where what comes next is prefetched (evenDepth). Cores share the columns.
func (k *kernel) directBlocks(all [3]span, fresh bool) {
	k.everyDepth(all[k.k], k.evenDepth(all[k.k]), func(deep span) {
		first := ir.Value(0)
		if fresh && !k.isWhole(deep, all[k.k]) {
			first = k.Is(arith.EQ, deep.from, all[k.k].from)
		}
		k.share(all[k.j], k.Index(k.columns), func(j ir.Value) {
			d := &direct{kernel: k, deep: deep, depth: all[k.k], fresh: fresh, first: first, rest: []int64{4}}
			if !k.isInPlace(0) || !k.isCompact(all[k.i]) {
				d.pack()
			}
			d.panel(all, j)
			d.free()
		})
	})
}

// stepEnd is the end of the step of a span that begins at a place, of which the span has some.
func (k *kernel) stepEnd(s span, at, step ir.Value) ir.Value {
	end := k.Add(at, step)
	if left, ok := k.Graph().Const(k.Op(arith.Remsi, k.Sub(s.end, s.from), step)); ok && left.Int(64) == 0 {
		return end
	}
	return k.Min(s.end, end)
}

// A direct is the code of tiles whose rows are read where they are.
type direct struct {
	*kernel
	deep   span // what is summed over
	depth  span // and what is in all
	fresh  bool
	first  ir.Value // whether it is the first part of what is summed over, if there are others
	rest   []int64  // rows of the other tiles that the last one may be, downwards: those with fewer rows than a whole one are made
	packed ir.Value // a panel of columns, unless these are read where they are
	masks  []ir.Value
	dots   *rest // columns behind those of the vectors, if they are summed up along k
}

// directRows is how many rows a tile has at most whose rows are read where they are.
func (s Sizes) directRows() int64 { return s.directSums / s.vectors }

// pack says that the factors of a panel of columns are brought side by side.
func (d *direct) pack() { d.packed = d.alloc(d.columns, d.Index(1), d.count(d.deep, 1)) }

// free gives back the packed panel, if there is one.
func (d *direct) free() {
	if d.packed != 0 {
		d.kernel.free(d.packed)
	}
}

// panels makes the loop over all columns, a panel at a time.
func (d *direct) panels(all [3]span) {
	d.each(all[d.j], d.columns, func(j ir.Value) { d.panel(all, j) })
}

// panel makes the code of a panel of columns. The last one may have fewer: masks say which; where it is known how many it has,
// there is no code for others.
func (d *direct) panel(all [3]span, j ir.Value) {
	if d.packed != 0 {
		d.packPanel(d.packed, 0, span{j, d.stepEnd(all[d.j], j, d.Index(d.columns))}, d.deep, []ir.Value{d.Index(0)})
	}
	have := d.Sub(all[d.j].end, j)
	isLast := d.Less(have, d.Index(d.columns))
	whole := func() {
		d.masks = make([]ir.Value, d.vectors)
		d.tiles(all[d.i], j)
	}
	part := func(vectors int64) func() {
		return func() { d.masked(have, vectors, func() { d.tiles(all[d.i], j) }) }
	}
	some := func() { d.ofVectors(have, d.vectors, part) }
	if n, ok := d.Graph().Const(d.Sub(all[d.j].end, all[d.j].from)); ok {
		left := n.Int(64) % d.columns
		if left == 0 {
			whole()
			return
		}
		have = d.Index(left) // of the last panel, which alone is masked
		if n := d.restOf(all, left); n > 0 {
			part = func(vectors int64) func() {
				return func() { d.withRest(all, j, vectors-1, n) }
			}
		}
		if some = part((left + d.lanes - 1) / d.lanes); n.Int(64) < d.columns {
			some()
			return
		}
	}
	d.IfElse(isLast, some, whole)
}

// ofVectors makes the code for the least number of vectors, of some at most, that so many columns need.
func (d *direct) ofVectors(have ir.Value, most int64, part func(vectors int64) func()) {
	if most == 1 {
		part(1)()
		return
	}
	d.IfElse(d.Less(d.Index((most-1)*d.lanes), have), part(most), func() { d.ofVectors(have, most-1, part) })
}

// masked makes the code for so few columns that the last vector has less than all.
func (d *direct) masked(have ir.Value, vectors int64, body func()) {
	d.masks = make([]ir.Value, vectors)
	last := vectors - 1
	if n, ok := d.Graph().Const(have); ok && n.Int(64) == vectors*d.lanes {
		body()
		return
	}
	d.masks[last] = d.simd.below(d.add(have, -last*d.lanes))
	body()
}

// tiles makes the loop over the tiles of some columns, and the code of the last one, which has fewer rows: where it is not known
// how many it computes its last row several times, and stores it once.
func (d *direct) tiles(rows span, j ir.Value) {
	most := d.directRows()
	if have, ok := d.Graph().Const(d.Sub(rows.end, rows.from)); ok {
		d.knownTiles(rows.from, j, have.Int(64), most*d.vectors/max(1, int64(len(d.masks))))
		return
	}
	left := d.Op(arith.Remsi, d.Sub(rows.end, rows.from), d.Index(most))
	whole := d.Sub(rows.end, left)
	d.each(span{rows.from, whole}, most, func(i ir.Value) { d.tile(i, j, most, 0) })
	d.IfOnly(d.Less(d.Index(0), left), func() {
		smaller := slices.DeleteFunc(slices.Clone(d.rest), func(n int64) bool { return n >= most })
		d.last(whole, j, rows.end, left, append([]int64{most}, smaller...))
	})
}

// last makes the code of a last tile, of the least number of rows of some that is enough.
func (d *direct) last(i, j, end, left ir.Value, rows []int64) {
	if len(rows) == 1 {
		d.tile(i, j, rows[0], end)
		return
	}
	d.IfElse(d.Less(d.Index(rows[1]), left), func() {
		d.tile(i, j, rows[0], end)
	}, func() {
		d.last(i, j, end, left, rows[1:])
	})
}

// knownTiles makes tiles of about as many rows each.
func (d *direct) knownTiles(from, j ir.Value, have, most int64) {
	// Tiles of like heights leave no last one whose few sums would wait for one another.
	tiles := (have + most - 1) / most
	n := (have + tiles - 1) / tiles
	d.each(span{from, d.add(from, have/n*n)}, n, func(i ir.Value) { d.tile(i, j, n, 0) })
	if have%n > 0 {
		d.tile(d.add(from, have/n*n), j, have%n, 0)
	}
}

// tile makes the code of one of n rows, or of those of them before an end.
func (d *direct) tile(i, j ir.Value, n int64, end ir.Value) {
	rows := make([]ir.Value, n)
	for r := range rows {
		if rows[r] = d.add(i, int64(r)); end != 0 && r > 0 {
			rows[r] = d.Min(rows[r], d.add(end, -1))
		}
	}
	width := len(d.masks)
	columns := make([]ir.Value, width)
	for v := range columns {
		columns[v] = d.add(j, int64(v)*d.lanes)
	}
	loop := ir.Value(0)
	if width > 0 {
		loop = scf.BuildFor(d.Builder, d.deep.from, d.deep.end, d.Index(1), d.begun(rows, columns), func(at ir.Value, sums []ir.Value) []ir.Value {
			return d.step(rows, columns, at, sums)
		})
	}
	for r := range rows {
		one := func() {
			for v := range columns {
				d.storeColumns(rows[r], columns[v], d.Result(loop, r*width+v), v)
			}
		}
		if end == 0 || r == 0 {
			one()
			continue
		}
		d.IfOnly(d.Less(d.add(i, int64(r)), end), one)
	}
	masks := d.masks
	if d.dots != nil {
		d.sumDots(rows)
		columns, masks = append(columns, d.dots.at), append(slices.Clip(masks), d.dots.mask)
	}
	if !d.inRegisters(d.deep, d.depth) {
		last := d.add(i, n)
		if end != 0 {
			last = d.Min(last, end)
		}
		d.finishTile(span{i, last}, columns, masks, d.deep, d.depth)
	}
}

// begun is what the sums of a tile begin with: with what is in the target, unless that is nothing yet.
func (d *direct) begun(rows, columns []ir.Value) []ir.Value {
	none := d.simd.identities(int64(len(rows)))[:len(rows)*len(columns)]
	had := func() []ir.Value {
		sums := make([]ir.Value, 0, len(none))
		for _, row := range rows {
			for v, column := range columns {
				sums = append(sums, d.simd.loadMasked(d.Memory(d.st.Target), d.target(row, column), d.masks[v]))
			}
		}
		return sums
	}
	switch {
	case !d.fresh:
		return had()
	case d.first == 0:
		return none
	}
	return d.If(d.first, func() []ir.Value { return none }, had)
}

// step adds the products of one value of k to the sums of a tile.
func (d *direct) step(rows, columns []ir.Value, at ir.Value, sums []ir.Value) []ir.Value {
	width := len(columns)
	out := slices.Clone(sums)
	right := make([]ir.Value, width)
	for v := range right {
		right[v] = d.right(at, columns[v], v)
	}
	if d.packed != 0 {
		d.prefetchPanel(d.packed, int64(width)*d.lanes, []ir.Value{d.Index(0)}, d.add(d.Sub(at, d.deep.from), columnsAhead))
	}
	for r, row := range rows {
		// The factor of a row does not depend on the column: any column will do.
		left := d.simd.broadcast(d.factor(d.terms[0].a, false, d.coords(row, columns[0], at)))
		if d.terms[0].negative {
			left = d.Op(arith.Negf, left)
		}
		for v := range right {
			out[r*width+v] = d.simd.plusProduct(out[r*width+v], left, right[v])
		}
	}
	return out
}

// right loads a vector of the factors of columns.
func (d *direct) right(at, column ir.Value, v int) ir.Value {
	if d.packed != 0 {
		return d.simd.load(d.packed, []ir.Value{d.Index(0), d.Sub(at, d.deep.from), d.Index(int64(v) * d.lanes)})
	}
	r := d.st.Reads[d.readOf(d.terms[0].b)]
	return d.columnsOf(r, d.coords(d.Index(0), column, at), v)
}

// columnsOf loads a vector of what the instances from one on read.
func (d *direct) columnsOf(r poly.Access, coords []ir.Value, v int) ir.Value {
	index := d.element(r.Array, r.Map, d.st.Domain, coords)
	return d.simd.loadMasked(d.Memory(r.Array), index, d.masks[v])
}

// storeColumns makes sums a vector of the target.
func (d *direct) storeColumns(row, column, sums ir.Value, v int) {
	d.storeSums(sums, row, column, d.masks[v], d.inRegisters(d.deep, d.depth))
}
