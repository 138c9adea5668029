package fusion

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// loop writes a loop with one to three generators.
func (w *writer) loop() {
	if w.budget--; w.budget < 0 {
		return
	}
	size := w.size()
	list := make([]loop.Generator, 1+w.IntN(2)*w.IntN(3))
	for k := range list {
		list[k] = w.generator(0)
	}
	var identities []ir.Value
	var combine []func(xy []ir.Value) []ir.Value
	for _, g := range loop.Regional(list) {
		for _, t := range g.Types {
			identities = append(identities, w.deep(t, 1))
		}
		combine = append(combine, w.combine(g))
	}
	one := make([]bool, len(list))
	results := loop.BuildFor(w.b, size, list, identities, combine, func(i ir.Value) (ys []ir.Value) {
		w.scope(func() {
			w.elements(i, size)
			w.inner()
			for k, g := range list {
				y, single := w.given(g)
				ys, one[k] = append(ys, y...), single
			}
		})
		return ys
	})
	for k, g := range list {
		n := len(g.Results(w.c))
		length := ir.Value(0)
		if one[k] {
			length = size
		}
		w.made(g, results[:n], length)
		results = results[n:]
	}
}

// made adds the results of a generator, which has as many tuples as length says, if known.
func (w *writer) made(g loop.Generator, results []ir.Value, length ir.Value) {
	switch g.Kind {
	case loop.ReduceKind:
		for _, r := range results {
			w.known(r)
		}
	case loop.BucketKind:
		w.grouped(results[0], results[1:]...)
	default:
		for _, r := range results {
			w.array(r, length)
		}
	}
}

// grouped adds groups, their keys, and what was made of each.
func (w *writer) grouped(groups ir.Value, each ...ir.Value) {
	n := loop.Size(w.b, groups)
	w.sizes = append(w.sizes, n)
	keys, _ := loop.KeysOf(w.c, w.typ(groups))
	for k := range keys {
		w.array(loop.KeyOf(w.b, groups, k), n)
	}
	w.array(groups, n)
	for _, r := range each {
		w.array(r, n)
	}
}

// generator is any but emit; buckets stand in others up to a depth.
func (w *writer) generator(depth int) loop.Generator {
	switch k := w.IntN(10); {
	case k < 3:
		t := w.scalar()
		return loop.Generator{Kind: loop.ReduceKind, By: w.named(t), Reassoc: !w.c.IsFloat(t) && w.IntN(2) == 0, Types: []ir.Type{t}}
	case k == 3:
		return loop.Generator{Kind: []loop.Kind{loop.ReduceKind, loop.ScanKind}[w.IntN(2)], Types: w.combined()}
	case k == 4:
		t := w.scalar()
		return loop.Generator{Kind: loop.ScanKind, By: w.named(t), Types: []ir.Type{t}}
	case k == 5 && depth < 2:
		g := loop.Generator{Kind: loop.BucketKind, Types: []ir.Type{w.keyType()}}
		if w.IntN(4) == 0 {
			g.Types = append(g.Types, w.keyType())
		}
		for range w.IntN(4) {
			g.Inner = append(g.Inner, w.generator(depth+1))
		}
		return g
	}
	g := loop.Generator{Kind: loop.CollectKind, Types: []ir.Type{w.element(2 - depth)}}
	if w.IntN(6) == 0 {
		g.Types = append(g.Types, w.element(1))
	}
	return g
}

// named is a way to combine numbers of a type.
func (w *writer) named(t ir.Type) loop.Combine {
	if w.c.IsFloat(t) {
		return []loop.Combine{loop.ByAdd, loop.ByAdd, loop.ByMul, loop.ByMin, loop.ByMax}[w.IntN(5)]
	}
	return []loop.Combine{loop.ByAdd, loop.ByAdd, loop.ByMul, loop.ByMin, loop.ByMax, loop.ByAnd, loop.ByOr, loop.ByXor}[w.IntN(8)]
}

// combined are the types of tuples that a region combines: no arrays, which groups do not have,
// nor strings.
func (w *writer) combined() []ir.Type {
	out := []ir.Type{w.scalar()}
	if w.IntN(3) == 0 {
		out = append(out, w.scalar())
	}
	switch w.IntN(6) {
	case 0:
		out[0] = loop.StructOf(w.c, ir.Field{Name: "a", Type: w.scalar()}, ir.Field{Name: "b", Type: w.scalar()})
	case 1:
		out[0] = loop.Nullable(w.c, w.scalar())
	}
	return out
}

// combine makes of two tuples one: values made of both, or one of them.
func (w *writer) combine(g loop.Generator) func(xy []ir.Value) []ir.Value {
	return func(xy []ir.Value) (out []ir.Value) {
		n := len(g.Types)
		w.scope(func() {
			for _, x := range xy {
				w.open(x)
			}
			for k, t := range g.Types {
				switch {
				case w.IntN(3) == 0:
					out = append(out, w.fresh(t, 2))
				case t == ir.I64:
					out = append(out, w.b.Op(arith.Addi, w.b.Op(arith.Subi, xy[k], xy[n+k]), w.value(t)))
				case t == ir.F64:
					out = append(out, w.b.Op(arith.Addf, w.b.Op(arith.Mulf, xy[k], arith.ConstF64(w.b, 0.5)), xy[n+k]))
				default:
					out = append(out, arith.Choose(w.b, w.value(ir.I1), xy[k], xy[n+k]))
				}
			}
		})
		return out
	}
}

// elements adds what a body has: elements at its index, at times one at another, its index.
func (w *writer) elements(i, size ir.Value) {
	w.add(i)
	w.add(arith.Cast(w.b, arith.IndexCast, i, ir.I64))
	arrays := w.arrays(func(ir.Type) bool { return true })
	if w.IntN(10) == 0 && len(arrays) > 0 {
		w.open(w.at(pick(w, arrays), w.value(ir.Index)))
	}
	var here []ir.Value
	for _, a := range arrays {
		if w.length[a] == size {
			here = append(here, a)
		}
	}
	for range 1 + w.IntN(3) {
		if len(here) > 0 {
			w.open(loop.Element(w.b, pick(w, here), i))
		}
	}
	for range w.IntN(3) {
		w.add(w.fresh(w.scalar(), 2))
	}
	if w.IntN(12) == 0 {
		w.print()
	}
}

// inner writes loops in a body: of an array that is an element, or any.
func (w *writer) inner() {
	rows := w.arrays(func(elem ir.Type) bool { return w.numeric(elem) })
	if w.depth < 4 && len(rows) > 0 && w.IntN(4) == 0 {
		w.ofRow(rows[len(rows)-1])
	}
	if w.depth < 3 && w.IntN(5) == 0 {
		w.statement()
	}
	if w.depth < 3 && w.IntN(5) == 0 {
		w.loop()
	}
}

// ofRow reduces an array of numbers.
func (w *writer) ofRow(row ir.Value) {
	elem, _ := loop.ElemOf(w.c, w.typ(row))
	list := []loop.Generator{{Kind: loop.ReduceKind, By: w.named(elem), Types: []ir.Type{elem}}}
	r := loop.BuildFor(w.b, w.length[row], list, nil, nil, func(i ir.Value) (ys []ir.Value) {
		w.scope(func() {
			w.open(loop.Element(w.b, row, i))
			ys, _ = w.given(list[0])
		})
		return ys
	})
	w.add(r[0])
}

// anyOrder sums up numbers that are not negative in any order: by how much such a sum may
// differ is known as long as nothing is made of it.
func (w *writer) anyOrder() {
	if w.depth > 0 || w.IntN(2) == 0 {
		w.loop()
		return
	}
	size := w.size()
	list := []loop.Generator{{Kind: loop.ReduceKind, By: loop.ByAdd, Reassoc: true, Types: []ir.Type{ir.F64}}}
	w.loose = append(w.loose, loop.BuildFor(w.b, size, list, nil, nil, func(i ir.Value) (ys []ir.Value) {
		w.scope(func() {
			w.elements(i, size)
			ys = []ir.Value{w.b.Op(math.Absf, w.value(ir.F64))}
		})
		return ys
	})[0])
}
