package collection

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Filter is the array of the elements that keep holds for: for i < len(xs), collect xs[i]
// if keep(xs[i]).
func Filter(b *ir.Builder, xs ir.Value, keep func(x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{collects(b, When(b, keep(x), func() ir.Value { return One(b, x) }))}
	})[0]
}

// FlatMap is the elements of the arrays f(x), one array after the other: for i < len(xs),
// collect all that f(xs[i]) has.
func FlatMap(b *ir.Builder, xs ir.Value, f func(x ir.Value) ir.Value) ir.Value {
	return Emit(b, xs, func(x ir.Value) ir.Value { return Elements(b, f(x)) })
}

// Emit is the array of what is emitted for each element, a sequence of type !loop.emit: for
// i < len(xs), collect f(xs[i]).
func Emit(b *ir.Builder, xs ir.Value, f func(x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output { return []output{collects(b, f(x))} })[0]
}

// Elements is the sequence of the elements of an array: for i < len(xs), emit xs[i].
func Elements(b *ir.Builder, xs ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output { return []output{emits(b, x)} })[0]
}

// Present is the array of the values that are not null: for i < len(xs), collect the value
// of xs[i] if it is valid.
func Present(b *ir.Builder, xs ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{collects(b, present(b, x, func(x ir.Value) []ir.Value { return []ir.Value{x} })...)}
	})[0]
}

// Concat is the elements of all arrays, which are of one type: for i < 1, collect the
// elements of each in turn (loop.seq).
func Concat(b *ir.Builder, first ir.Value, rest ...ir.Value) ir.Value {
	return once(b, func() []ir.Value {
		parts := []ir.Value{Elements(b, first)}
		for _, xs := range rest {
			parts = append(parts, Elements(b, xs))
		}
		return parts
	})
}

// Of is the array of the given values, which are of one type: for i < 1, collect each in
// turn (loop.seq).
func Of(b *ir.Builder, values ...ir.Value) ir.Value {
	return once(b, func() []ir.Value {
		return lists.Map(values, func(v ir.Value) ir.Value { return One(b, v) })
	})
}

// once collects sequences, at least one, in a loop of one round.
func once(b *ir.Builder, parts func() []ir.Value) ir.Value {
	return each(b, b.Index(1), nil, func(ir.Value) []output {
		list := parts()
		t := b.Graph().Type(list[0])
		return []output{collects(b, b.Must(ir.Call{Def: loop.Seq, Args: list, Type: t}))}
	})[0]
}
