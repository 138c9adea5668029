package polyhedral

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A kernel makes the code of a contraction.
type kernel struct {
	*emitter
	*tiling
	at      systems.Names
	a, b    []ir.Value // packed factors of each term
	tile    ir.Value   // sums of a tile that is partial
	inside  ir.Attr
	vector  ir.Type
	sumFlag arith.FastMath
}

// contraction makes the code of a mark that says that its instances are a contraction; zeros, unless it is nil, that of the
// statement before it that makes its target 0.
func (e *emitter) contraction(x *tiling, at systems.Names, outer []codegen.Expr, zeros func()) {
	c := e.B.Ctx()
	if at := x.st.Node.Graph().LocsOf(x.st.Node.Old()); len(at) > 0 {
		e.B.Loc = at[0]
	}
	if e.shared {
		alone := *x
		alone.cores, x = 1, &alone
	}
	for i, v := range outer {
		name := outerName(i)
		at[name] = e.Expr(v, at)
		if x.isSum[i] {
			at[name] = e.Sub(at[name], e.Expr(outer[i+1], at))
		}
		defer delete(at, name)
	}
	k := &kernel{emitter: e, tiling: x, at: at, inside: c.WithDiscardable(0, memref.InBoundsAttr, c.UnitAttr()),
		vector: c.Vector([]int64{x.lanes}, x.elem), sumFlag: x.flags&arith.Contract | arith.Reassoc}
	all := [3]span{k.span(x.all[0]), k.span(x.all[1]), k.span(x.all[2])}
	some := arith.ConstBool(e.B, true)
	for _, s := range all {
		some = e.B.Op(arith.Andi, some, e.less(s.from, s.end))
	}
	begin := func() []ir.Value {
		if zeros != nil {
			zeros()
		}
		return nil
	}
	scf.BuildIf(e.B, some, func() []ir.Value {
		inBlocks := func() []ir.Value { begin(); k.blocks(all); return nil }
		if !k.isDirect() {
			return inBlocks()
		}
		scf.BuildIf(k.B, k.isNarrow(all), func() []ir.Value { k.direct(all, zeros != nil); return nil }, inBlocks)
		return nil
	}, begin)
}

// A span is values from one up to, and without, another.
type span struct{ from, end ir.Value }

func (k *kernel) span(x extent) span {
	return span{k.Expr(x.lower, k.at), arith.AddI(k.B, k.Expr(x.upper, k.at), k.B.Index(1))}
}

func (e *emitter) less(x, y ir.Value) ir.Value { return arith.CmpI(e.B, arith.SLT, x, y) }

func (e *emitter) min(x, y ir.Value) ir.Value { return e.B.Op(arith.Minsi, x, y) }

func (e *emitter) max(x, y ir.Value) ir.Value { return e.B.Op(arith.Maxsi, x, y) }

func (e *emitter) add(x ir.Value, n int64) ir.Value { return arith.AddI(e.B, x, e.B.Index(n)) }

// clip is the values of a span that lie less than n behind a place, of which the span has some.
func (k *kernel) clip(s span, from ir.Value, n int64) span {
	return span{from, k.min(s.end, k.add(from, n))}
}

// count is how many steps of n a span has, rounded up.
func (k *kernel) count(s span, n int64) ir.Value {
	return k.B.Op(arith.Ceildivsi, k.Sub(s.end, s.from), k.B.Index(n))
}

// each makes a loop.
func (e *emitter) each(s span, step int64, body func(i ir.Value)) {
	scf.BuildFor(e.B, s.from, s.end, e.B.Index(step), nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
		body(iv)
		return nil
	})
}

// named makes the code of a body in which a name stands for a value.
func (k *kernel) named(name string, v ir.Value, body func()) {
	old, had := k.at[name]
	k.at[name] = v
	body()
	if delete(k.at, name); had {
		k.at[name] = old
	}
}

// blocks makes the loops over blocks, and packs them.
func (k *kernel) blocks(all [3]span) {
	if k.before {
		k.packBefore(all)
	} else {
		wide, deep := k.clip(all[k.j], all[k.j].from, k.width), k.clip(all[k.k], all[k.k].from, k.depth)
		for range k.terms {
			k.b = append(k.b, k.alloc(k.columns, k.count(wide, k.columns), k.count(deep, 1)))
		}
	}
	k.each(all[k.j], k.width, func(j ir.Value) {
		wide := k.clip(all[k.j], j, k.width)
		k.each(all[k.k], k.depth, func(depth ir.Value) {
			deep := k.clip(all[k.k], depth, k.depth)
			k.named(tileK, depth, func() {
				if !k.before {
					for t := range k.terms {
						k.packB(k.b[t], t, wide, deep, func(panel ir.Value) []ir.Value { return []ir.Value{panel} })
					}
				}
				var rows span
				k.named(tileJ, j, func() { rows = k.span(k.rowsOf) })
				height := k.evenly(rows)
				k.share(rows, height, func(i ir.Value) {
					k.block(all, wide, deep, span{i, k.min(rows.end, arith.AddI(k.B, i, height))})
				})
			})
		})
	})
	k.free(k.b...)
}

// block makes the code of a block of rows, with its own memory: cores may run blocks at the same time.
func (k *kernel) block(all [3]span, columns, depth, rows span) {
	k.tile, k.a = k.alloc(k.columns, k.B.Index(k.rows)), nil
	for t := range k.terms {
		k.a = append(k.a, k.alloc(k.rows, k.count(rows, k.rows), k.count(depth, 1)))
		k.packA(t, rows, depth)
	}
	k.panels(all, columns, depth, rows)
	k.free(append(k.a, k.tile)...)
}

func (k *kernel) free(list ...ir.Value) {
	for _, v := range slices.Backward(list) {
		k.B.Op(memref.Dealloc, v)
	}
}

// unevenBlocks are how many blocks each core gets at least where some have more to do than others, as in a triangle.
const unevenBlocks = 4

// evenly is the height of blocks of which each core gets as many. Tiles, and so sums, are the same for any.
func (k *kernel) evenly(rows span) ir.Value {
	if k.cores == 1 {
		return k.B.Index(k.height)
	}
	up := func(x ir.Value, n int64) ir.Value { return k.B.Op(arith.Ceildivsi, x, k.B.Index(n)) }
	blocks := arith.MulI(k.B, up(k.count(rows, k.height), k.cores), k.B.Index(k.cores))
	if !k.isProduct() {
		blocks = k.max(blocks, k.B.Index(unevenBlocks*k.cores))
	}
	tiles := k.B.Op(arith.Ceildivsi, k.count(rows, k.rows), k.max(blocks, k.B.Index(1)))
	return k.max(arith.MulI(k.B, tiles, k.B.Index(k.rows)), k.B.Index(k.rows))
}

// share makes a loop whose rounds the cores of the target share.
func (k *kernel) share(s span, step ir.Value, body func(i ir.Value)) {
	if k.cores == 1 {
		scf.BuildFor(k.B, s.from, s.end, step, nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			body(iv)
			return nil
		})
		return
	}
	share(k.B, s, step, body)
}

// alloc makes memory of some sizes, of which the last is known.
func (k *kernel) alloc(last int64, sizes ...ir.Value) ir.Value {
	c := k.B.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "alignment", Value: c.IntAttr(64, ir.I64)}, {Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, int64(len(sizes)), 0)}}, nil)
	shape := append(slices.Repeat([]int64{ir.Dynamic}, len(sizes)), last)
	return k.B.Must(ir.Call{Def: memref.Alloc, Args: sizes, Attr: attr, Type: c.MemRef(shape, k.elem)})
}

// packBefore packs all of b at once, before anything is written.
func (k *kernel) packBefore(all [3]span) {
	deep := k.clip(all[k.k], all[k.k].from, k.depth)
	for t := range k.terms {
		b := k.alloc(k.columns, k.count(all[k.k], k.depth), k.count(all[k.j], k.columns), k.count(deep, 1))
		k.b = append(k.b, b)
		k.each(all[k.k], k.depth, func(depth ir.Value) {
			block := k.part(depth, all[k.k].from, k.depth)
			k.packB(b, t, all[k.j], k.clip(all[k.k], depth, k.depth), func(panel ir.Value) []ir.Value { return []ir.Value{block, panel} })
		})
	}
}

// part is in which of the steps of n from a place on a value is.
func (k *kernel) part(x, from ir.Value, n int64) ir.Value {
	return k.B.Op(arith.Divsi, k.Sub(x, from), k.B.Index(n))
}

// packB brings the factors of columns into panels: for each k those of a row of a tile stand side by side. What is
// behind the last column is 0, so that a tile is whole; its sums are not kept.
func (k *kernel) packB(to ir.Value, t int, columns, depth span, in func(panel ir.Value) []ir.Value) {
	k.share(columns, k.B.Index(k.columns), func(j ir.Value) {
		lanes := span{j, k.min(columns.end, k.add(j, k.columns))}
		k.packPanel(to, t, lanes, depth, in(k.part(j, columns.from, k.columns)))
	})
}

// packPanel brings the factors of some columns into one panel.
func (k *kernel) packPanel(to ir.Value, t int, columns, depth span, panel []ir.Value) {
	k.fill(to, panel, columns, k.columns, depth, k.alongDepth(k.terms[t].b), func(j, at ir.Value) ir.Value {
		return k.factor(k.terms[t].b, false, k.coords(columns.from, j, at))
	})
}

// packA does so with the rows of tiles.
func (k *kernel) packA(t int, rows, depth span) {
	along := k.alongDepth(k.terms[t].a)
	k.each(rows, k.rows, func(i ir.Value) {
		panel := []ir.Value{k.part(i, rows.from, k.rows)}
		lanes := span{i, k.min(rows.end, k.add(i, k.rows))}
		k.fill(k.a[t], panel, lanes, k.rows, depth, along, func(i, at ir.Value) ir.Value {
			return k.factor(k.terms[t].a, k.terms[t].negative, k.coords(i, k.B.Index(0), at))
		})
	})
}

// alongDepth reports factors that read memory element by element where k grows.
func (k *kernel) alongDepth(list []ir.Node) bool {
	cone, params := systems.Cone(list), k.st.Node.Region(0).Params()
	for i, r := range k.st.Reads {
		if !cone[params[3+i]] {
			continue
		}
		if rows, ok := linear(r.Map); ok && len(rows) > 1 && rows[len(rows)-1][k.k] != 0 {
			return true
		}
	}
	return false
}

// fill writes a panel: for each k the values of some lanes, and zeros up to n. It goes through memory that is read in
// its order: a lane after the other, or all of them for each k.
func (k *kernel) fill(to ir.Value, panel []ir.Value, lanes span, n int64, depth span, along bool, value func(lane, at ir.Value) ir.Value) {
	put := func(v, at, lane ir.Value) {
		k.B.OpAttr(memref.Store, k.inside, append([]ir.Value{v, to}, append(slices.Clip(panel), k.Sub(at, depth.from), lane)...)...)
	}
	have := k.Sub(lanes.end, lanes.from)
	copied := func(some span) {
		one := func(lane, at ir.Value) { put(value(arith.AddI(k.B, lanes.from, lane), at), at, lane) }
		if along {
			k.each(some, 1, func(lane ir.Value) { k.each(depth, 1, func(at ir.Value) { one(lane, at) }) })
		} else {
			k.each(depth, 1, func(at ir.Value) { k.each(some, 1, func(lane ir.Value) { one(lane, at) }) })
		}
	}
	scf.BuildIf(k.B, arith.CmpI(k.B, arith.EQ, have, k.B.Index(n)), func() []ir.Value {
		copied(span{k.B.Index(0), k.B.Index(n)})
		return nil
	}, func() []ir.Value {
		copied(span{k.B.Index(0), have})
		k.each(depth, 1, func(at ir.Value) {
			k.each(span{have, k.B.Index(n)}, 1, func(lane ir.Value) { put(arith.Zero(k.B, k.elem), at, lane) })
		})
		return nil
	})
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
			v = k.load(access{k.st, i}, coords)
		}
		args = append(args, v)
	}
	at := k.B.Loc // which that of a constant must not replace
	k.m.BodyWithout(body, func(n ir.Node) bool { return !cone[n] }, args...)
	k.B.Loc = at
	out := k.m.Of(list[0])
	for _, f := range list[1:] {
		out = arith.Float(k.B, arith.Mulf, k.flags, out, k.m.Of(f))
	}
	if negative {
		out = k.B.Op(arith.Negf, out)
	}
	return out
}

// panels makes the loops over the tiles of a block.
func (k *kernel) panels(all [3]span, columns, depth, rows span) {
	k.each(columns, k.columns, func(j ir.Value) {
		panel := []ir.Value{k.part(j, columns.from, k.columns)}
		if k.before {
			panel = []ir.Value{k.part(depth.from, all[k.k].from, k.depth), k.part(j, all[k.j].from, k.columns)}
		}
		k.named(tileJ, j, func() {
			var some span
			k.named(tileI, rows.from, func() { some = k.span(k.tilesOf) })
			any := k.less(some.from, some.end)
			first := k.part(k.max(some.from, rows.from), rows.from, k.rows)
			last := arith.Choose(k.B, any, k.count(span{rows.from, k.min(some.end, rows.end)}, k.rows), first)
			k.each(span{first, last}, 1, func(p ir.Value) {
				i := arith.AddI(k.B, rows.from, arith.MulI(k.B, p, k.B.Index(k.rows)))
				end := k.min(k.add(i, k.rows), all[k.i].end)
				k.named(tileI, i, func() { k.sumTile(span{i, end}, j, p, panel, depth) })
			})
		})
	})
}

// sumTile sums a tile up and adds it to the target: over the values of k that all of its rows have, which are one
// range, and then, if it lacks points, over those that some have.
func (k *kernel) sumTile(rows span, j, rowPanel ir.Value, panel []ir.Value, depth span) {
	i := rows.from
	common := depth
	if !k.box {
		common = k.common(rows, depth)
	}
	core := span{k.Sub(common.from, depth.from), k.Sub(common.end, depth.from)}
	k.prefetch(i, j)
	sums := k.nothing(k.rows)
	for t := range k.terms {
		loop := scf.BuildFor(k.B, core.from, core.end, k.B.Index(1), sums, func(at ir.Value, sums []ir.Value) []ir.Value {
			return k.step(t, rowPanel, panel, at, sums)
		})
		for n := range sums {
			sums[n] = k.B.Result(loop, n)
		}
	}
	whole := k.whole(span{i, k.add(i, k.rows)}, span{j, k.add(j, k.columns)}, depth)
	scf.BuildIf(k.B, whole, func() []ir.Value {
		for r := range k.rows {
			for v := range k.vectors {
				index := k.target(k.add(i, r), k.add(j, v*k.lanes))
				old := k.loadVector(k.memory[k.st.Target].memory, index)
				k.storeVector(k.plus(old, sums[r*k.vectors+v]), k.memory[k.st.Target].memory, index)
			}
		}
		return nil
	}, func() []ir.Value {
		k.storePartial(i, j, rowPanel, panel, depth, common, sums)
		return nil
	})
}

// nothing is what the sums of some rows begin with: the identity.
func (k *kernel) nothing(rows int64) []ir.Value {
	v := arith.Zero(k.B, k.vector)
	if k.isExtreme() {
		v = k.broadcast(identity(k.B, k.elem, k.minimum))
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
	c := k.B.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "isDataCache", Value: c.BoolAttr(true)}, {Name: "isWrite", Value: c.BoolAttr(true)}, {Name: "localityHint", Value: c.IntAttr(3, ir.I32)}}, nil)
	for r := range k.rows {
		for v := range k.vectors {
			k.B.OpAttr(memref.Prefetch, attr, append([]ir.Value{k.memory[k.st.Target].memory}, k.target(k.add(i, r), k.add(j, v*k.lanes))...)...)
		}
	}
}

// whole tests that all points between some are there: each condition on them holds where it is the tightest.
func (k *kernel) whole(rows, columns, depth span) ir.Value {
	all := arith.ConstBool(k.B, true)
	for _, r := range k.conditions.Ge {
		v := k.least(r, rows, columns, depth)
		all = k.B.Op(arith.Andi, all, arith.CmpI(k.B, arith.SGE, v, k.B.Index(0)))
	}
	return all
}

// least is the least value of a condition between some points.
func (k *kernel) least(r []presburger.Int, rows, columns, depth span) ir.Value {
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
		k.reason = err
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
			out.from = k.max(out.from, k.B.Op(arith.Ceildivsi, k.Sub(k.B.Index(0), rest), k.B.Index(n)))
		} else {
			out.end = k.min(out.end, k.add(k.B.Op(arith.Floordivsi, rest, k.B.Index(-n)), 1))
		}
	}
	none := k.less(out.end, out.from)
	return span{arith.Choose(k.B, none, depth.end, out.from), arith.Choose(k.B, none, depth.end, out.end)}
}

// step adds what one k contributes to the sums of a tile.
func (k *kernel) step(t int, rowPanel ir.Value, panel []ir.Value, at ir.Value, sums []ir.Value) []ir.Value {
	out := slices.Clone(sums)
	right := make([]ir.Value, k.vectors)
	for v := range right {
		right[v] = k.loadVector(k.b[t], append(slices.Clip(panel), at, k.B.Index(int64(v)*k.lanes)))
	}
	for r := range k.rows {
		left := k.broadcast(k.B.OpAttr(memref.Load, k.inside, k.a[t], rowPanel, at, k.B.Index(r)))
		for v := range k.vectors {
			n := r*k.vectors + v
			out[n] = k.plus(out[n], k.times(left, right[v]))
		}
	}
	return out
}

// plus adds, or takes the greater or the lesser; times multiplies, or adds.
func (k *kernel) plus(x, y ir.Value) ir.Value {
	switch {
	case !k.isExtreme():
		return arith.Float(k.B, arith.Addf, k.sumFlag, x, y)
	case k.minimum:
		return k.B.Op(arith.Minsi, x, y)
	}
	return k.B.Op(arith.Maxsi, x, y)
}

func (k *kernel) times(x, y ir.Value) ir.Value {
	if k.isExtreme() {
		return k.B.Op(arith.Addi, x, y)
	}
	return arith.Float(k.B, arith.Mulf, k.flags&arith.Contract, x, y)
}

func (k *kernel) broadcast(x ir.Value) ir.Value {
	return k.B.Must(ir.Call{Def: vector.Broadcast, Args: []ir.Value{x}, Type: k.vector})
}

func (k *kernel) loadVector(memory ir.Value, index []ir.Value) ir.Value {
	return k.B.Must(ir.Call{Def: vector.Load, Args: append([]ir.Value{memory}, index...), Attr: k.inside, Type: k.vector})
}

func (k *kernel) storeVector(v, memory ir.Value, index []ir.Value) {
	k.B.OpAttr(vector.Store, k.inside, append([]ir.Value{v, memory}, index...)...)
}

// target is where the element of a row and a column is.
func (k *kernel) target(i, j ir.Value) []ir.Value {
	index, err := k.element(k.st.Target, k.st.Write, k.st.Domain, k.coords(i, j, k.B.Index(0)))
	if err != nil {
		k.reason = err
	}
	return index
}

// storePartial adds what a tile has that lacks points: for each row the values of k that not all rows have, and then
// the columns that the row has.
func (k *kernel) storePartial(i, j, rowPanel ir.Value, panel []ir.Value, depth, common span, sums []ir.Value) {
	for r := range k.rows {
		for v := range k.vectors {
			k.storeVector(sums[r*k.vectors+v], k.tile, []ir.Value{k.B.Index(r), k.B.Index(v * k.lanes)})
		}
	}
	k.each(k.span(k.storedRows), 1, func(row ir.Value) {
		k.named(tileRow, row, func() {
			r := k.Sub(row, i)
			if !k.box {
				s := k.span(k.sums)
				k.more(r, rowPanel, panel, depth, span{s.from, k.min(s.end, common.from)})
				k.more(r, rowPanel, panel, depth, span{k.max(s.from, common.end), s.end})
			}
			k.each(k.span(k.storedCols), 1, func(column ir.Value) {
				v := k.B.OpAttr(memref.Load, k.inside, k.tile, r, k.Sub(column, j))
				index := k.target(row, column)
				k.put(k.st, k.plus(k.get(access{k.st, -1}, index), v), index)
			})
		})
	})
}

// more adds what some values of k contribute to a row of a tile.
func (k *kernel) more(r, rowPanel ir.Value, panel []ir.Value, depth, s span) {
	for t := range k.terms {
		k.each(s, 1, func(x ir.Value) {
			at := k.Sub(x, depth.from)
			left := k.broadcast(k.B.OpAttr(memref.Load, k.inside, k.a[t], rowPanel, at, r))
			for v := range k.vectors {
				column := k.B.Index(v * k.lanes)
				sum := k.loadVector(k.tile, []ir.Value{r, column})
				right := k.loadVector(k.b[t], append(slices.Clip(panel), at, column))
				k.storeVector(k.plus(sum, k.times(left, right)), k.tile, []ir.Value{r, column})
			}
		})
	}
}

// contractionOf is the tiling of a mark.
func (e *emitter) contractionOf(x *codegen.Mark) *tiling {
	if x.Name != contractionMark {
		return nil
	}
	for _, t := range e.tilings {
		if instanceOf(x.Body, t.st.Name) {
			return t
		}
	}
	return nil
}

// instanceOf reports code that has an instance of a statement.
func instanceOf(b *codegen.Block, name string) bool {
	return slices.ContainsFunc(b.Nodes, func(n codegen.Node) bool {
		switch n := n.(type) {
		case *codegen.Block:
			return instanceOf(n, name)
		case *codegen.Mark:
			return instanceOf(n.Body, name)
		case *codegen.If:
			return instanceOf(n.Then, name)
		case *codegen.For:
			return instanceOf(n.Body, name)
		case *codegen.User:
			return n.Statement == name
		}
		return false
	})
}
