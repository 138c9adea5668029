package collection

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A Key is what to sort by: f of each element, the least first unless Descending.
type Key struct {
	Of         func(x ir.Value) ir.Value
	Descending bool
}

// Sort is the elements from the least to the greatest, equal ones as they stand: loop.sort
// of the array, and what stands at the places that it gives.
func Sort(b *ir.Builder, xs ir.Value) ir.Value {
	return SortBy(b, xs, Key{Of: func(x ir.Value) ir.Value { return x }})
}

// SortBy is the elements in the order of their keys, the first key before the others, equal
// ones as they stand: a map for each key, loop.sort of these, and what stands at the places that
// it gives.
func SortBy(b *ir.Builder, xs ir.Value, keys ...Key) ir.Value {
	columns := make([]ir.Value, len(keys))
	down := make([]int64, len(keys))
	for k, key := range keys {
		columns[k] = Map(b, xs, key.Of)
		if key.Descending {
			down[k] = 1
		}
	}
	attr := b.Ctx().Props([]ir.NamedAttr{{Name: "descending", Value: b.Ctx().DenseArray(ir.I64, down...)}}, nil)
	return Gather(b, xs, b.OpAttr(loop.Sort, attr, columns...))
}

// Slice is the elements from <= i < to, a view: loop.slice.
func Slice(b *ir.Builder, xs, from, to ir.Value) ir.Value { return b.Op(loop.Slice, xs, from, to) }

// Take is the first n elements, or all if there are fewer, a view: loop.slice from 0.
func Take(b *ir.Builder, xs, n ir.Value) ir.Value {
	return Slice(b, xs, b.Index(0), b.Op(arith.Minsi, n, loop.Size(b, xs)))
}

// Drop is the elements behind the first n, a view: loop.slice from n to the end.
func Drop(b *ir.Builder, xs, n ir.Value) ir.Value {
	size := loop.Size(b, xs)
	return Slice(b, xs, b.Op(arith.Minsi, n, size), size)
}
