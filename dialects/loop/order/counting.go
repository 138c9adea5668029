package order

import (
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Counting lays n rows out by the numbers of their groups, a memref<?xindex>, of which
// there are count: where each group begins and the last ends, count+1 elements, and its
// rows, n, in their order; both memref<?xindex> and the caller's to free.
func Counting(b *ir.Builder, groups, n, count ir.Value) (offsets, rows ir.Value) {
	k := kit.Kit{Builder: b}
	zero, one, two := k.Index(0), k.Index(1), k.Index(2)
	// Group g is counted at g+2, begins at g+1 when the counts are added up, and has moved
	// that to where it ends when its rows are placed.
	at := k.Zeros(ir.Index, k.Add(count, two))
	k.Each(zero, n, func(i ir.Value) {
		g := k.Add(k.Load(groups, i), two)
		k.Store(k.Next(k.Load(at, g)), at, g)
	})
	k.For(two, k.Add(count, two), []ir.Value{zero}, func(g ir.Value, c []ir.Value) []ir.Value {
		sum := k.Add(c[0], k.Load(at, g))
		k.Store(sum, at, g)
		return []ir.Value{sum}
	})
	rows = k.Alloc(ir.Index, n)
	k.Each(zero, n, func(i ir.Value) {
		g := k.Add(k.Load(groups, i), one)
		place := k.Load(at, g)
		k.Store(k.Next(place), at, g)
		k.Store(i, rows, place)
	})
	return k.Prefix(at, k.Next(count)), rows
}
