package contraction

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/vector"
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
		common = k.common(rows, depth)
	}
	core := span{k.Sub(common.from, depth.from), k.Sub(common.end, depth.from)}
	k.prefetch(i, j)
	whole := k.whole(span{i, k.add(i, k.rows)}, span{j, k.add(j, k.columns)}, depth)
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
		masks[v] = k.between(k.Index(0), k.Sub(all[k.j].end, columns[v]))
	}
	k.finishTile(rows, columns, masks, depth, all[k.k])
}

// sum sums up the products of some rows of a tile.
func (k *kernel) sum(rows int64, rowPanel ir.Value, panel []ir.Value, depth span) []ir.Value {
	sums := k.nothing(rows)
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
		k.storeVector(v, k.tile, []ir.Value{k.Index(row), k.Index(column)})
	}
}

// nothing is what the sums of some rows begin with: the identity.
func (k *kernel) nothing(rows int64) []ir.Value {
	v := arith.Zero(k.Builder, k.vector)
	if k.isExtreme() {
		v = k.broadcast(identity(k.Builder, k.elem, k.minimum))
	}
	return slices.Repeat([]ir.Value{v}, int(rows*k.vectors))
}

// identity is the greatest or the least integer of a type: that of the least and of the greatest of some.
func identity(b *ir.Builder, t ir.Type, least bool) ir.Value {
	lowest := int64(math.MinInt64)
	if t == ir.I32 {
		lowest = math.MinInt32
	}
	if least {
		lowest = -(lowest + 1)
	}
	return arith.ConstInt(b, t, lowest)
}

// prefetch says that the elements of a tile will be updated: they come while it is summed up.
func (k *kernel) prefetch(i, j ir.Value) {
	for r := range k.rows {
		for v := range k.vectors {
			k.hint(k.Memory(k.st.Target), true, k.target(k.add(i, r), k.add(j, v*k.lanes)))
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
		k.hint(memory, false, append(slices.Clip(panel), at, k.Index(lane)))
	}
}

// hint says that an element will be read, or written: it may lie outside of memory.
func (k *kernel) hint(memory ir.Value, write bool, index []ir.Value) {
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "isDataCache", Value: c.BoolAttr(true)}, {Name: "isWrite", Value: c.BoolAttr(write)}, {Name: "localityHint", Value: c.IntAttr(3, ir.I32)}}, nil)
	k.OpAttr(memref.Prefetch, attr, append([]ir.Value{memory}, index...)...)
}

// whole tests that all points between some are there: each condition on them holds where it is the tightest.
func (k *kernel) whole(rows, columns, depth span) ir.Value {
	all := arith.ConstBool(k.Builder, true)
	for _, r := range k.conditions.Ge {
		v := k.least(r, rows, columns, depth)
		all = k.And(all, k.Is(arith.SGE, v, k.Index(0)))
	}
	return all
}

// least is the least value of a condition between some points.
func (k *kernel) least(r []presburger.Int, rows, columns, depth span) ir.Value {
	// A linear condition is least at a corner of the box, which its signs say.
	dims := make([]ir.Value, 3)
	for d, s := range map[int]span{k.i: rows, k.j: columns, k.k: depth} {
		switch r[1+len(k.conditions.Params)+d].Sign() {
		case 1:
			dims[d] = s.from
		case -1:
			dims[d] = k.add(s.end, -1)
		}
	}
	v, err := k.Row(k.conditions, r, dims)
	if err != nil {
		k.Fail(err)
	}
	return v
}

// common are the values of k that all rows have; there may be none.
func (k *kernel) common(rows, depth span) span {
	out := depth
	at := 1 + len(k.conditions.Params)
	for _, r := range k.conditions.Ge {
		n, _ := r[at+k.k].Int64()
		if n == 0 {
			continue
		}
		r = slices.Clone(r)
		r[at+k.k] = presburger.NewInt(0)
		rest := k.least(r, rows, span{}, span{})
		if n > 0 { // n k + rest >= 0
			out.from = k.Max(out.from, k.Op(arith.Ceildivsi, k.Sub(k.Index(0), rest), k.Index(n)))
		} else {
			out.end = k.Min(out.end, k.add(k.Op(arith.Floordivsi, rest, k.Index(-n)), 1))
		}
	}
	// An empty range moves to the end: storePartial then finds all values of k before it.
	none := k.Less(out.end, out.from)
	return span{k.Choose(none, depth.end, out.from), k.Choose(none, depth.end, out.end)}
}

// step adds what one k contributes to the sums of some rows of a tile.
func (k *kernel) step(t int, rowPanel ir.Value, panel []ir.Value, at ir.Value, sums []ir.Value) []ir.Value {
	rows, out, right := int64(len(sums))/k.vectors, slices.Clone(sums), k.packedColumns(t, panel, at)
	k.prefetchPanel(k.a[t], rows, []ir.Value{rowPanel}, k.add(at, rowsAhead))
	k.prefetchPanel(k.b[t], k.columns, panel, k.add(at, columnsAhead))
	for r := range rows {
		left := k.broadcast(k.OpAttr(memref.Load, k.inside, k.a[t], rowPanel, at, k.Index(r)))
		for v := range k.vectors {
			n := r*k.vectors + v
			out[n] = k.plusProduct(out[n], left, right[v])
		}
	}
	return out
}

// packedColumns loads the packed factors of columns for one k.
func (k *kernel) packedColumns(t int, panel []ir.Value, at ir.Value) []ir.Value {
	right := make([]ir.Value, k.vectors)
	for v := range right {
		right[v] = k.loadVector(k.b[t], append(slices.Clip(panel), at, k.Index(int64(v)*k.lanes)))
	}
	return right
}

// plus adds, or takes the greater or the lesser; times multiplies, or adds.
func (k *kernel) plus(x, y ir.Value) ir.Value {
	switch {
	case k.paired:
		return k.Add(x, y)
	case !k.isExtreme():
		return arith.Float(k.Builder, arith.Addf, k.sumFlag, x, y)
	case k.minimum:
		return k.Min(x, y)
	}
	return k.Max(x, y)
}

// plusProduct adds a product, in one op where that is allowed and the machine has it: half as many to compile.
func (k *kernel) plusProduct(sum, x, y ir.Value) ir.Value {
	if k.fuses && !k.paired && !k.isExtreme() && k.flags&arith.Contract != 0 {
		return k.Op(vector.FMA, x, y, sum)
	}
	return k.plus(sum, k.times(x, y))
}

// times is the product for one k. For extremes it is a sum: they are a product in the tropical semiring.
func (k *kernel) times(x, y ir.Value) ir.Value {
	switch {
	case k.paired:
		return k.pairs(x, y)
	case k.isExtreme():
		return k.Op(arith.Addi, x, y)
	}
	return arith.Float(k.Builder, arith.Mulf, k.flags&arith.Contract, x, y)
}

// pairs are the sums of the products of pairs, in the form of which LLVM makes vpmaddwd and, with the sum that they are added to,
// vpdpwssd: of the products of all halves those at even and at odd places are added.
func (k *kernel) pairs(x, y ir.Value) ir.Value {
	c, n := k.Ctx(), 2*int(k.lanes)
	halves := func(v ir.Value) ir.Value {
		v = k.Must(ir.Call{Def: vector.Bitcast, Args: []ir.Value{v}, Type: c.Vector([]int64{int64(n)}, ir.I16)})
		return arith.Cast(k.Builder, arith.Extsi, v, c.Vector([]int64{int64(n)}, ir.I32))
	}
	products := k.Mul(halves(x), halves(y))
	even, odd := make([]int, k.lanes), make([]int, k.lanes)
	for i := range even {
		even[i], odd[i] = 2*i, 2*i+1
	}
	return k.Add(vector.BuildShuffle(k.Builder, products, products, even), vector.BuildShuffle(k.Builder, products, products, odd))
}

// broadcast is a vector with one number in all lanes.
func (k *kernel) broadcast(x ir.Value) ir.Value {
	return k.Must(ir.Call{Def: vector.Broadcast, Args: []ir.Value{x}, Type: k.vectorOf(k.Graph().Type(x))})
}

// vectorOf is that of as many elements of a type as a vector of sums has.
func (k *kernel) vectorOf(elem ir.Type) ir.Type { return k.Ctx().Vector([]int64{k.lanes}, elem) }

// vectorIn is that of the elements of memory.
func (k *kernel) vectorIn(memory ir.Value) ir.Type {
	return k.vectorOf(k.Ctx().Info(k.Graph().Type(memory)).Elem)
}

// loadVector loads a whole vector, all of which is inside of the memory.
func (k *kernel) loadVector(memory ir.Value, index []ir.Value) ir.Value {
	return k.Must(ir.Call{Def: vector.Load, Args: append([]ir.Value{memory}, index...), Attr: k.inside, Type: k.vectorIn(memory)})
}

// storeVector stores one, under the same condition.
func (k *kernel) storeVector(v, memory ir.Value, index []ir.Value) {
	k.OpAttr(vector.Store, k.inside, append([]ir.Value{v, memory}, index...)...)
}

// loadMasked loads a vector, or of a mask, if there is one, the lanes that it has.
func (k *kernel) loadMasked(memory ir.Value, index []ir.Value, mask ir.Value) ir.Value {
	if mask == 0 {
		return k.loadVector(memory, index)
	}
	t := k.vectorIn(memory)
	args := append(append([]ir.Value{memory}, index...), mask, arith.Zero(k.Builder, t))
	return k.Must(ir.Call{Def: vector.MaskedLoad, Args: args, Attr: k.inside, Type: t})
}

// storeMasked stores the lanes of a mask, or all lanes if there is none.
func (k *kernel) storeMasked(v, memory ir.Value, index []ir.Value, mask ir.Value) {
	if mask == 0 {
		k.storeVector(v, memory, index)
		return
	}
	k.OpAttr(vector.MaskedStore, k.inside, append(append([]ir.Value{memory}, index...), mask, v)...)
}

// update adds sums to a vector of the target; complete says that the epilogue is done to what they become.
func (k *kernel) update(row, column, sums, mask ir.Value, complete bool) {
	sums = k.plus(k.loadMasked(k.Memory(k.st.Target), k.target(row, column), mask), sums)
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
				sums[v] = k.loadVector(k.tile, []ir.Value{r, k.Index(int64(v) * k.lanes)})
			}
			if !k.box {
				s := k.span(k.sums)
				sums = k.more(r, rowPanel, panel, depth, span{s.from, k.Min(s.end, common.from)}, sums)
				sums = k.more(r, rowPanel, panel, depth, span{k.Max(s.from, common.end), s.end}, sums)
			}
			columns := k.span(k.storedCols)
			for v, sum := range sums {
				from := k.add(j, int64(v)*k.lanes)
				k.update(row, from, sum, k.between(k.Sub(columns.from, from), k.Sub(columns.end, from)), false)
			}
		})
	})
}

// between is a mask of the lanes from one up to, and without, another.
func (k *kernel) between(from, end ir.Value) ir.Value {
	return k.And(k.below(end), k.Xor(k.below(from), k.below(k.Index(k.lanes))))
}

// below is a mask of the first n lanes.
func (k *kernel) below(n ir.Value) ir.Value {
	return k.Must(ir.Call{Def: vector.CreateMask, Args: []ir.Value{n}, Type: k.Ctx().Vector([]int64{k.lanes}, ir.I1)})
}

// more adds what some values of k contribute to a row of a tile.
func (k *kernel) more(r, rowPanel ir.Value, panel []ir.Value, depth, s span, sums []ir.Value) []ir.Value {
	for t := range k.terms {
		sums = k.For(s.from, s.end, sums, func(x ir.Value, sums []ir.Value) []ir.Value {
			at, out := k.Sub(x, depth.from), make([]ir.Value, len(sums))
			left := k.broadcast(k.OpAttr(memref.Load, k.inside, k.a[t], rowPanel, at, r))
			for v, right := range k.packedColumns(t, panel, at) {
				out[v] = k.plusProduct(sums[v], left, right)
			}
			return out
		})
	}
	return sums
}
