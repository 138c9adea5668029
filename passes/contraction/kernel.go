package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A Host makes the code of the system that a contraction is in.
type Host interface {
	// Memory is that of an array.
	Memory(a *poly.ArrayDecl) ir.Value
	// Element is the index at which the instances of a domain access an array by a relation.
	Element(a *poly.ArrayDecl, access presburger.Map, domain presburger.Set, coords []ir.Value) ([]ir.Value, error)
	// Load reads what an instance reads.
	Load(x systems.Access, coords []ir.Value) ir.Value
	// Fail keeps an error.
	Fail(err error)
}

// An Emitter makes the code of contractions.
type Emitter struct {
	kit.Kit
	Host
	*systems.Numbers
	Mirror *ir.Mirror
	Shared bool // in a loop that cores share
}

// element is the index at which an instance accesses an array.
func (e *Emitter) element(a *poly.ArrayDecl, access presburger.Map, domain presburger.Set, coords []ir.Value) []ir.Value {
	index, err := e.Element(a, access, domain, coords)
	if err != nil {
		e.Fail(err)
	}
	return index
}

// A kernel makes the code of a contraction.
type kernel struct {
	*Emitter
	*Tiling
	simd  *simd
	edges *edges
	at    systems.Names
	a, b  []ir.Value // packed factors of each term
	tile  ir.Value   // sums of a tile that is partial
	deep  ir.Value   // how many values of k a block has: about as many each
}

// Emit makes the code of a mark that says that its instances are a contraction, for the values of the members around; zeros and after, unless they are nil, that of the
// statement before it that makes its target 0, and that of its epilogue.
func (e *Emitter) Emit(x *Tiling, at systems.Names, outer []codegen.Expr, zeros, after func()) {
	if at := x.st.Node.Graph().LocsOf(x.st.Node.Old()); len(at) > 0 {
		e.Loc = at[0]
	}
	own := *x
	if x = &own; e.Shared {
		x.cores = 1
	}
	if after == nil {
		x.epilogue = nil
	}
	for i, v := range outer {
		name := OuterName(i)
		at[name] = e.Expr(v, at)
		if x.isSum[i] {
			at[name] = e.Sub(at[name], e.Expr(outer[i+1], at))
		}
		defer delete(at, name)
	}
	k := &kernel{Emitter: e, Tiling: x, simd: newSIMD(e.Kit, x), edges: &edges{e, x.Contraction}, at: at}
	all := [3]span{k.span(x.all[0]), k.span(x.all[1]), k.span(x.all[2])}
	some := arith.ConstBool(e.Builder, true)
	for _, s := range all {
		some = e.And(some, e.Less(s.from, s.end))
	}
	begin := func() {
		if zeros != nil {
			zeros()
		}
	}
	e.IfElse(some, func() {
		inBlocks := func() { begin(); k.blocks(all) }
		if !k.isDirect() {
			inBlocks()
			return
		}
		k.IfElse(k.isNarrow(all), func() { k.direct(all, zeros != nil) }, inBlocks)
	}, func() {
		begin()
		if after != nil {
			after()
		}
	})
}

// A span is values from one up to, and without, another.
type span struct{ from, end ir.Value }

// span computes an extent, whose upper end is its last value.
func (k *kernel) span(x systems.Extent) span {
	return span{k.Expr(x.Lower, k.at), k.Add(k.Expr(x.Upper, k.at), k.Index(1))}
}

func (e *Emitter) add(x ir.Value, n int64) ir.Value { return e.Add(x, e.Index(n)) }

// clip is the values of a span that lie less than n behind a place, of which the span has some.
func (e *Emitter) clip(s span, from, n ir.Value) span {
	return span{from, e.Min(s.end, e.Add(from, n))}
}

// count is how many steps of n a span has, rounded up.
func (e *Emitter) count(s span, n int64) ir.Value { return e.steps(s, e.Index(n)) }

// steps is count for a step that is a value.
func (e *Emitter) steps(s span, n ir.Value) ir.Value {
	return e.Op(arith.Ceildivsi, e.Sub(s.end, s.from), n)
}

// each makes a loop.
func (e *Emitter) each(s span, step int64, body func(i ir.Value)) { e.every(s, e.Index(step), body) }

// every is each for a step that is a value.
func (e *Emitter) every(s span, step ir.Value, body func(i ir.Value)) {
	e.EachStep(s.from, s.end, step, body)
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
	k.deep = k.evenDepth(all[k.k])
	if k.before {
		k.packBefore(all)
	} else {
		wide := k.clip(all[k.j], all[k.j].from, k.Index(k.width))
		for range k.terms {
			k.b = append(k.b, k.alloc(k.columns, k.count(wide, k.columns), k.deep))
		}
	}
	k.each(all[k.j], k.width, func(j ir.Value) {
		wide := k.clip(all[k.j], j, k.Index(k.width))
		k.everyDepth(all[k.k], k.deep, func(deep span) {
			k.named(tileK, deep.from, func() { k.named(endK, deep.end, func() { k.block(all, wide, deep) }) })
		})
	})
	k.free(k.b...)
}

// everyDepth makes the loop over parts of the values of k; of all of them there is none, if it is known that one part has all.
func (k *kernel) everyDepth(all span, step ir.Value, body func(deep span)) {
	g := k.Graph()
	if n, ok := g.Const(k.Sub(all.end, all.from)); ok {
		if s, ok := g.Const(step); ok && n.Int(64) <= s.Int(64) {
			body(all)
			return
		}
	}
	k.every(all, step, func(from ir.Value) { body(span{from, k.stepEnd(all, from, step)}) })
}

// evenDepth is how many values of k each block has, where all have as many: a third more than the depth at most, so that
// no block has only a few.
func (k *kernel) evenDepth(s span) ir.Value {
	blocks := k.Max(k.count(span{k.add(s.from, k.depth/3), s.end}, k.depth), k.Index(1))
	return k.steps(s, blocks)
}

// block makes the code of some columns for some values of k.
func (k *kernel) block(all [3]span, columns, depth span) {
	if !k.before {
		for t := range k.terms {
			k.packB(k.b[t], t, columns, depth, func(panel ir.Value) []ir.Value { return []ir.Value{panel} })
		}
	}
	var rows span
	k.named(tileJ, columns.from, func() { rows = k.span(k.rowsOf) })
	k.shareRows(rows, columns, func(rows, some span) { k.rowBlock(all, columns.from, some, depth, rows) })
}

// rowBlock makes the code of a block of rows and some of the columns that are packed from one on, with its own memory: cores
// may run blocks at the same time.
func (k *kernel) rowBlock(all [3]span, packed ir.Value, columns, depth, rows span) {
	k.tile, k.a = k.alloc(k.columns, k.Index(k.rows)), nil
	for t := range k.terms {
		k.a = append(k.a, k.alloc(k.rows, k.count(rows, k.rows), k.Sub(depth.end, depth.from)))
		k.packA(t, rows, depth)
	}
	k.panels(all, packed, columns, depth, rows)
	k.free(append(k.a, k.tile)...)
}

// free gives memory back in the reverse order of its allocation.
func (k *kernel) free(list ...ir.Value) {
	for _, v := range slices.Backward(list) {
		k.Op(memref.Dealloc, v)
	}
}

// unevenBlocks are how many blocks each core gets at least where some have more to do than others, as in a triangle.
const unevenBlocks = 4

// shareRows makes the loop over blocks of rows, which cores share. Tiles, and so sums, are the same for any blocks.
func (k *kernel) shareRows(rows, columns span, body func(rows, columns span)) {
	height := k.Index(k.height)
	block := func(i ir.Value) span { return k.clip(rows, i, height) }
	if k.cores == 1 {
		k.every(rows, height, func(i ir.Value) { body(block(i), columns) })
		return
	}
	tiles := k.count(rows, k.rows)
	up := func(x ir.Value) ir.Value { return k.Op(arith.Ceildivsi, x, k.Index(k.cores)) }
	times := func(x ir.Value, n int64) ir.Value { return k.Mul(x, k.Index(n)) }
	parts, blocks := k.Index(1), times(up(k.count(rows, k.height)), k.cores)
	if k.isProduct() {
		// Where so few tiles come of the rows that a core would wait for another by more than an eighth, all share the columns, too.
		unlike := k.Less(times(tiles, 9), times(up(tiles), 8*k.cores))
		parts = k.Choose(unlike, k.Index(k.cores), parts)
		blocks = k.Choose(unlike, k.count(rows, k.height), blocks)
	} else {
		blocks = k.Max(blocks, k.Index(unevenBlocks*k.cores))
	}
	height = k.Max(times(k.Op(arith.Ceildivsi, tiles, k.Max(blocks, k.Index(1))), k.rows), k.Index(k.rows))
	width := times(k.Op(arith.Ceildivsi, k.count(columns, k.columns), parts), k.columns)
	blocks = k.steps(rows, height)
	k.share(span{k.Index(0), k.Mul(blocks, parts)}, k.Index(1), func(n ir.Value) {
		row, column := k.Op(arith.Divsi, n, parts), k.Op(arith.Remsi, n, parts)
		if k.widens() {
			row = k.add(k.Sub(blocks, row), -1)
		}
		i := k.Add(rows.from, k.Mul(row, height))
		body(block(i), k.clip(columns, k.Add(columns.from, k.Mul(column, width)), width))
	})
}

// widens reports rows of which the last ones have the most points. They come first: a core that has the last block to do
// lets others wait for it.
func (c *Contraction) widens() bool {
	at := 1 + len(c.conditions.Params)
	// A condition on j or k with a positive coefficient of i gets weaker from row to row.
	signs := map[int]bool{}
	for _, r := range c.conditions.Ge {
		if r[at+c.j].Sign() != 0 || r[at+c.k].Sign() != 0 {
			signs[r[at+c.i].Sign()] = true
		}
	}
	return signs[1] && !signs[-1]
}

// share makes a loop whose rounds the cores of the target share.
func (k *kernel) share(s span, step ir.Value, body func(i ir.Value)) {
	if k.cores == 1 {
		k.every(s, step, body)
		return
	}
	scf.BuildParallel(k.Builder, s.from, s.end, step, body)
}

// alloc makes memory of some sizes, of which the last is known.
func (k *kernel) alloc(last int64, sizes ...ir.Value) ir.Value {
	shape := append(slices.Repeat([]int64{ir.Dynamic}, len(sizes)), last)
	return memref.BuildAlloc(k.Builder, k.Ctx().MemRef(shape, k.elem), 64, sizes...)
}
