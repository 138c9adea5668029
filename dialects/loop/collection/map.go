package collection

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// Tabulate is the array of f(i) for 0 <= i < n: for i < n, collect f(i).
func Tabulate(b *ir.Builder, n ir.Value, f func(i ir.Value) ir.Value) ir.Value {
	return each(b, n, nil, func(i ir.Value) []output { return []output{collects(b, f(i))} })[0]
}

// Map is the array of f(x): for i < len(xs), collect f(xs[i]).
func Map(b *ir.Builder, xs ir.Value, f func(x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output { return []output{collects(b, f(x))} })[0]
}

// MapIndexed is the array of f(i, x): for i < len(xs), collect f(i, xs[i]).
func MapIndexed(b *ir.Builder, xs ir.Value, f func(i, x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(i, x ir.Value) []output { return []output{collects(b, f(i, x))} })[0]
}

// Zip is the array of structs with the given columns, which are equally long: loop.zip.
func Zip(b *ir.Builder, names []string, columns ...ir.Value) ir.Value {
	fields := make([]ir.Field, len(columns))
	for i, x := range columns {
		elem, _ := loop.ElemOf(b.Ctx(), b.Graph().Type(x))
		fields[i] = ir.Field{Name: names[i], Type: elem}
	}
	return loop.Zipped(b, loop.Array(b.Ctx(), loop.StructOf(b.Ctx(), fields...)), columns...)
}

// ZipWith is the array of f(x, y), of arrays that are equally long: the map of their zip.
func ZipWith(b *ir.Builder, xs, ys ir.Value, f func(x, y ir.Value) ir.Value) ir.Value {
	return Map(b, Zip(b, []string{"x", "y"}, xs, ys), func(r ir.Value) ir.Value {
		return f(loop.FieldOf(b, r, "x"), loop.FieldOf(b, r, "y"))
	})
}

// ZipWithIndex is the array of structs of an element, value, and where it stands, index:
// for i < len(xs), collect {xs[i], i}.
func ZipWithIndex(b *ir.Builder, xs ir.Value) ir.Value {
	return MapIndexed(b, xs, func(i, x ir.Value) ir.Value { return Record(b, []string{"value", "index"}, x, i) })
}

// Record is the struct of the given fields.
func Record(b *ir.Builder, names []string, values ...ir.Value) ir.Value {
	fields := make([]ir.Field, len(values))
	for i, v := range values {
		fields[i] = ir.Field{Name: names[i], Type: b.Graph().Type(v)}
	}
	return loop.MakeStruct(b, loop.StructOf(b.Ctx(), fields...), values...)
}

// Reverse is the array from its end: for i < n, collect xs[n - 1 - i].
func Reverse(b *ir.Builder, xs ir.Value) ir.Value {
	n := loop.Size(b, xs)
	return Tabulate(b, n, func(i ir.Value) ir.Value {
		return loop.Element(b, xs, arith.SubI(b, arith.SubI(b, n, b.Index(1)), i))
	})
}

// Gather is the array of the elements at some places: for i < len(places), collect
// xs[places[i]].
func Gather(b *ir.Builder, xs, places ir.Value) ir.Value {
	return Map(b, places, func(k ir.Value) ir.Value { return loop.Element(b, xs, k) })
}
