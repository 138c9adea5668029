package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// panels makes the loops over the tiles of a block, whose columns are packed from one on.
func (k *kernel) panels(all [3]span, packed ir.Value, columns, depth, rows span) {
	k.each(columns, k.columns, func(j ir.Value) {
		panel := []ir.Value{k.part(j, packed, k.columns)}
		if k.before {
			panel = []ir.Value{k.blockOf(depth.from, all[k.k]), k.part(j, all[k.j].from, k.columns)}
		}
		k.named(tileJ, j, func() {
			var some span
			k.named(tileI, rows.from, func() { some = k.span(k.tilesOf) })
			any := k.Less(some.from, some.end)
			first := k.part(k.Max(some.from, rows.from), rows.from, k.rows)
			last := k.Choose(any, k.count(span{rows.from, k.Min(some.end, rows.end)}, k.rows), first)
			k.each(span{first, last}, 1, func(p ir.Value) {
				i := k.Add(rows.from, k.Mul(p, k.Index(k.rows)))
				end := k.Min(k.add(i, k.rows), all[k.i].end)
				k.named(tileI, i, func() { k.sumTile(span{i, end}, j, p, panel, depth, all) })
			})
		})
	})
}

// sumTile sums a tile up and adds it to the target: over the values of k that all of its rows have, which are one
// range, and then, if it lacks points, over those that some have.
func (k *kernel) sumTile(rows span, j, rowPanel ir.Value, panel []ir.Value, depth span, all [3]span) {
	i := rows.from
	common := depth
	if !k.box {
		common = k.edges.common(rows, depth)
	}
	core := span{k.Sub(common.from, depth.from), k.Sub(common.end, depth.from)}
	k.prefetch(i, j)
	whole := k.edges.whole(span{i, k.add(i, k.rows)}, span{j, k.add(j, k.columns)}, depth)
	now := k.inRegisters(depth, all[k.k])
	few := k.Is(arith.SLE, k.Sub(rows.end, i), k.Index(k.few))
	k.IfElse(few, func() {
		k.keep(k.sum(k.few, rowPanel, panel, core))
	}, func() {
		sums := k.sum(k.rows, rowPanel, panel, core)
		k.IfElse(whole, func() {
			for r := range k.rows {
				for v := range k.vectors {
					k.update(k.add(i, r), k.add(j, v*k.lanes), sums[r*k.vectors+v], 0, now)
				}
			}
		}, func() { k.keep(sums) })
	})
	k.IfElse(whole, func() {}, func() {
		k.storePartial(i, j, rowPanel, panel, depth, common)
		if now {
			k.finish(rows, j, depth, all)
		}
	})
	if !now {
		k.finish(rows, j, depth, all)
	}
}

// finish does the epilogue to a tile that is stored.
func (k *kernel) finish(rows span, j ir.Value, depth span, all [3]span) {
	columns, masks := make([]ir.Value, k.vectors), make([]ir.Value, k.vectors)
	for v := range columns {
		columns[v] = k.add(j, int64(v)*k.lanes)
		masks[v] = k.simd.between(k.Index(0), k.Sub(all[k.j].end, columns[v]))
	}
	k.finishTile(rows, columns, masks, depth, all[k.k])
}

// sum sums up the products of some rows of a tile.
func (k *kernel) sum(rows int64, rowPanel ir.Value, panel []ir.Value, depth span) []ir.Value {
	sums := k.simd.identities(rows)
	for t := range k.terms {
		sums = k.For(depth.from, depth.end, sums, func(at ir.Value, sums []ir.Value) []ir.Value {
			return k.step(t, rowPanel, panel, at, sums)
		})
	}
	return sums
}

// keep stores the sums of a tile that is partial.
func (k *kernel) keep(sums []ir.Value) {
	for n, v := range sums {
		row, column := int64(n)/k.vectors, int64(n)%k.vectors*k.lanes
		k.simd.store(v, k.tile, []ir.Value{k.Index(row), k.Index(column)})
	}
}

// prefetch says that the elements of a tile will be updated: they come while it is summed up.
func (k *kernel) prefetch(i, j ir.Value) {
	for r := range k.rows {
		for v := range k.vectors {
			k.simd.hint(k.Memory(k.st.Target), true, k.target(k.add(i, r), k.add(j, v*k.lanes)))
		}
	}
}

// How many values of k the factors of rows and of columns come before they are needed: 16 of a tile of 14 rows are some
// 200 cycles. docs/performance.md says what it gains, and that loops over rows gain little.
const (
	rowsAhead    = 16
	columnsAhead = 8
)

// cacheLine is how many bytes a prefetch brings.
const cacheLine = 64

// prefetchPanel says that the n elements from a place on, of one value of k, will be read.
func (k *kernel) prefetchPanel(memory ir.Value, n int64, panel []ir.Value, at ir.Value) {
	for lane := int64(0); lane < n; lane += cacheLine / k.bytes {
		k.simd.hint(memory, false, append(slices.Clip(panel), at, k.Index(lane)))
	}
}

// step adds what one k contributes to the sums of some rows of a tile.
func (k *kernel) step(t int, rowPanel ir.Value, panel []ir.Value, at ir.Value, sums []ir.Value) []ir.Value {
	rows, out, right := int64(len(sums))/k.vectors, slices.Clone(sums), k.packedColumns(t, panel, at)
	k.prefetchPanel(k.a[t], rows, []ir.Value{rowPanel}, k.add(at, rowsAhead))
	k.prefetchPanel(k.b[t], k.columns, panel, k.add(at, columnsAhead))
	for r := range rows {
		left := k.simd.broadcast(k.OpAttr(memref.Load, k.simd.inside, k.a[t], rowPanel, at, k.Index(r)))
		for v := range k.vectors {
			n := r*k.vectors + v
			out[n] = k.simd.plusProduct(out[n], left, right[v])
		}
	}
	return out
}

// packedColumns loads the packed factors of columns for one k.
func (k *kernel) packedColumns(t int, panel []ir.Value, at ir.Value) []ir.Value {
	right := make([]ir.Value, k.vectors)
	for v := range right {
		right[v] = k.simd.load(k.b[t], append(slices.Clip(panel), at, k.Index(int64(v)*k.lanes)))
	}
	return right
}

// update adds sums to a vector of the target; complete says that the epilogue is done to what they become.
func (k *kernel) update(row, column, sums, mask ir.Value, complete bool) {
	sums = k.simd.plus(k.simd.loadMasked(k.Memory(k.st.Target), k.target(row, column), mask), sums)
	k.storeSums(sums, row, column, mask, complete)
}

// target is where the element of a row and a column is.
func (k *kernel) target(i, j ir.Value) []ir.Value {
	return k.element(k.st.Target, k.st.Write, k.st.Domain, k.coords(i, j, k.Index(0)))
}

// storePartial adds what a tile has that lacks points, row by row: the sums that it keeps, what the row has of values of k that not
// all rows have, and of that the columns that the row has.
func (k *kernel) storePartial(i, j, rowPanel ir.Value, panel []ir.Value, depth, common span) {
	k.each(k.span(k.storedRows), 1, func(row ir.Value) {
		k.named(tileRow, row, func() {
			r := k.Sub(row, i)
			sums := make([]ir.Value, k.vectors)
			for v := range sums {
				sums[v] = k.simd.load(k.tile, []ir.Value{r, k.Index(int64(v) * k.lanes)})
			}
			if !k.box {
				s := k.span(k.sums)
				sums = k.more(r, rowPanel, panel, depth, span{s.from, k.Min(s.end, common.from)}, sums)
				sums = k.more(r, rowPanel, panel, depth, span{k.Max(s.from, common.end), s.end}, sums)
			}
			columns := k.span(k.storedCols)
			for v, sum := range sums {
				from := k.add(j, int64(v)*k.lanes)
				k.update(row, from, sum, k.simd.between(k.Sub(columns.from, from), k.Sub(columns.end, from)), false)
			}
		})
	})
}

// more adds what some values of k contribute to a row of a tile.
func (k *kernel) more(r, rowPanel ir.Value, panel []ir.Value, depth, s span, sums []ir.Value) []ir.Value {
	for t := range k.terms {
		sums = k.For(s.from, s.end, sums, func(x ir.Value, sums []ir.Value) []ir.Value {
			at, out := k.Sub(x, depth.from), make([]ir.Value, len(sums))
			left := k.simd.broadcast(k.OpAttr(memref.Load, k.simd.inside, k.a[t], rowPanel, at, r))
			for v, right := range k.packedColumns(t, panel, at) {
				out[v] = k.simd.plusProduct(sums[v], left, right)
			}
			return out
		})
	}
	return sums
}
