package collection

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// Order says in which order a reduction combines.
type Order bool

// From the first to the last; or in any, which a machine does faster.
const (
	InOrder  Order = false
	AnyOrder Order = true
)

// Reduce combines the numbers of an array by a named way, from its identity: for
// i < len(xs), reduce(by) xs[i].
func Reduce(b *ir.Builder, by loop.Combine, order Order, xs ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{reduces(b, loop.ReduceKind, by, order, present(b, x, self)...)}
	})[0]
}

func self(x ir.Value) []ir.Value { return []ir.Value{x} }

// Sum adds up the numbers of an array, 0 of none: Reduce by add.
func Sum(b *ir.Builder, order Order, xs ir.Value) ir.Value { return Reduce(b, loop.ByAdd, order, xs) }

// Fold combines the elements of an array by an associative f with the identity zero: for
// i < len(xs), reduce(zero, f) xs[i].
func Fold(b *ir.Builder, xs, zero ir.Value, f func(x, y ir.Value) ir.Value) ir.Value {
	return combined(b, loop.ReduceKind, xs, zero, f)
}

// Scan is the array of what Fold has after each element: for i < len(xs), scan(zero, f)
// xs[i]. Null elements have no place in it.
func Scan(b *ir.Builder, xs, zero ir.Value, f func(x, y ir.Value) ir.Value) ir.Value {
	return combined(b, loop.ScanKind, xs, zero, f)
}

// Sums is the array of the sums of the elements up to each: for i < len(xs), scan(add) xs[i].
func Sums(b *ir.Builder, xs ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{reduces(b, loop.ScanKind, loop.ByAdd, InOrder, present(b, x, self)...)}
	})[0]
}

func combined(b *ir.Builder, kind loop.Kind, xs, zero ir.Value, f func(x, y ir.Value) ir.Value) ir.Value {
	t := []ir.Type{b.Graph().Type(zero)}
	o := output{Generator: loop.Generator{Kind: kind, Types: t}, identity: []ir.Value{zero},
		combine: func(xy []ir.Value) []ir.Value { return []ir.Value{f(xy[0], xy[1])} }}
	return each(b, loop.Size(b, xs), []output{o}, func(i ir.Value) []output {
		o.gives = present(b, loop.Element(b, xs, i), self)
		return []output{o}
	})[0]
}

// Count is how many elements keep holds for: for i < len(xs), reduce(add) 1 if keep(xs[i]).
func Count(b *ir.Builder, xs ir.Value, keep func(x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{reduces(b, loop.ReduceKind, loop.ByAdd, AnyOrder, present(b, x, func(x ir.Value) []ir.Value {
			return self(arith.Choose(b, keep(x), b.Index(1), b.Index(0)))
		})...)}
	})[0]
}

// Any says whether keep holds for an element, false of none: for i < len(xs), reduce(or)
// keep(xs[i]).
func Any(b *ir.Builder, xs ir.Value, keep func(x ir.Value) ir.Value) ir.Value {
	return quantified(b, loop.ByOr, xs, keep)
}

// All says whether keep holds for all elements, true of none: for i < len(xs), reduce(and)
// keep(xs[i]).
func All(b *ir.Builder, xs ir.Value, keep func(x ir.Value) ir.Value) ir.Value {
	return quantified(b, loop.ByAnd, xs, keep)
}

func quantified(b *ir.Builder, by loop.Combine, xs ir.Value, keep func(x ir.Value) ir.Value) ir.Value {
	return over(b, xs, func(_, x ir.Value) []output {
		return []output{reduces(b, loop.ReduceKind, by, AnyOrder, present(b, x, func(x ir.Value) []ir.Value { return self(keep(x)) })...)}
	})[0]
}

// Average is the mean of numbers as a nullable f64, null of none: for i < len(xs),
// reduce(add) xs[i] and reduce(add) 1, the one by the other.
func Average(b *ir.Builder, order Order, xs ir.Value) ir.Value {
	one := arith.ConstF64(b, 1)
	r := over(b, xs, func(_, x ir.Value) []output {
		total := present(b, x, func(x ir.Value) []ir.Value { return self(Float64(b, x)) })
		count := present(b, x, func(ir.Value) []ir.Value { return self(one) })
		return []output{reduces(b, loop.ReduceKind, loop.ByAdd, order, total...), reduces(b, loop.ReduceKind, loop.ByAdd, AnyOrder, count...)}
	})
	some := arith.CmpF(b, arith.OGT, r[1], arith.ConstF64(b, 0))
	return loop.MakeStruct(b, loop.Nullable(b.Ctx(), ir.F64), arith.DivF(b, r[0], r[1]), some)
}

// Float64 is a number as f64; integers are signed.
func Float64(b *ir.Builder, x ir.Value) ir.Value {
	switch t := b.Graph().Type(x); {
	case t == ir.F64:
		return x
	case b.Ctx().IsFloat(t):
		return arith.Cast(b, arith.Extf, x, ir.F64)
	case t == ir.Index:
		return arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, x, ir.I64), ir.F64)
	}
	return arith.Cast(b, arith.Sitofp, x, ir.F64)
}
