package loop

import (
	"reflect"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A Query is rows that are computed from rows. T is a struct of expressions, or one.
type Query[T any] struct{ *node } // makes the array

// From is the rows of an input. Compile is told which argument of the program it is; the
// name is for messages.
func From[T any](name string) Query[T] { return Query[T]{argument(name)} }

func (Query[T]) shape() *shape { return shapeOf(reflect.TypeFor[T]()) }

// Param is a single value that is an input.
func Param[E Expr](name string) E { return wrap[E](argument(name)) }

// query is the rows of the array that build makes.
func query[T any](build func(c *compiler) ir.Value) Query[T] { return Query[T]{made(build)} }

// of makes a function of elements of one of rows, of which an expression comes.
func of[T any, E Expr](c *compiler, f func(T) E) func(ir.Value) ir.Value {
	return func(v ir.Value) ir.Value {
		return within(c, func() ir.Value { return c.value(f(rowOf[T](c, v)).made()) })
	}
}

// Filter is the rows that keep holds for.
func (q Query[T]) Filter(keep func(T) Bool) Query[T] {
	return query[T](func(c *compiler) ir.Value { return collection.Filter(c.b, c.value(q.node), of(c, keep)) })
}

// Take is the first n rows, or all if there are fewer.
func (q Query[T]) Take(n Num[int64]) Query[T] {
	return query[T](func(c *compiler) ir.Value { return collection.Take(c.b, c.value(q.node), c.index(n)) })
}

// Drop is the rows behind the first n.
func (q Query[T]) Drop(n Num[int64]) Query[T] {
	return query[T](func(c *compiler) ir.Value { return collection.Drop(c.b, c.value(q.node), c.index(n)) })
}

// Reverse is the rows from the last to the first.
func (q Query[T]) Reverse() Query[T] {
	return query[T](func(c *compiler) ir.Value { return collection.Reverse(c.b, c.value(q.node)) })
}

// Concat is the rows of this query and then those of others.
func (q Query[T]) Concat(others ...Query[T]) Query[T] {
	return query[T](func(c *compiler) ir.Value {
		rest := lists.Map(others, func(o Query[T]) ir.Value { return c.value(o.node) })
		return collection.Concat(c.b, c.value(q.node), rest...)
	})
}

// Distinct is the different rows, in the order in which they first appear.
func (q Query[T]) Distinct() Query[T] {
	return query[T](func(c *compiler) ir.Value { return collection.Distinct(c.b, c.value(q.node)) })
}

// Len is how many rows there are.
func (q Query[T]) Len() Num[int64] {
	return Num[int64]{made(func(c *compiler) ir.Value { return toI64(c.b, loop.Size(c.b, c.value(q.node))) })}
}

// At is row i; a trap where there is none.
func (q Query[T]) At(i Num[int64]) T {
	s := q.shape()
	at := made(func(c *compiler) ir.Value { return loop.Element(c.b, c.value(q.node), c.index(i)) })
	if s.single != nil {
		return s.row(func(int) *node { return at }).Interface().(T)
	}
	return s.row(func(k int) *node {
		return made(func(c *compiler) ir.Value { return loop.FieldOf(c.b, c.value(at), s.fields[k].name) })
	}).Interface().(T)
}

// An Order is what to sort by: Asc or Desc.
type Order struct {
	by   *node
	down bool
}

// Asc has the least first.
func Asc(x Expr) Order { return Order{x.made(), false} }

// Desc has the greatest first.
func Desc(x Expr) Order { return Order{x.made(), true} }

// SortBy is the rows in order, by the first that is given and then by the others; equal
// ones stay as they stand.
func (q Query[T]) SortBy(orders func(T) []Order) Query[T] {
	return query[T](func(c *compiler) ir.Value {
		list := orders(q.shape().row(func(int) *node { return known(0) }).Interface().(T)) // how many, and which way
		keys := make([]collection.Key, len(list))
		if len(keys) == 0 {
			fail("SortBy is given nothing to sort by")
		}
		for k := range list {
			keys[k] = collection.Key{Descending: list[k].down, Of: func(v ir.Value) ir.Value {
				return within(c, func() ir.Value { return c.value(orders(rowOf[T](c, v))[k].by) })
			}}
		}
		return collection.SortBy(c.b, c.value(q.node), keys...)
	})
}

// Map is f of each row.
func Map[T, U any](q Query[T], f func(T) U) Query[U] {
	return query[U](func(c *compiler) ir.Value {
		return collection.Map(c.b, c.value(q.node), func(v ir.Value) ir.Value {
			return within(c, func() ir.Value { return element(c, f(rowOf[T](c, v))) })
		})
	})
}

// MapIndexed is f of each row and where it stands.
func MapIndexed[T, U any](q Query[T], f func(i Num[int64], row T) U) Query[U] {
	return query[U](func(c *compiler) ir.Value {
		return collection.MapIndexed(c.b, c.value(q.node), func(i, v ir.Value) ir.Value {
			return within(c, func() ir.Value { return element(c, f(Num[int64]{known(toI64(c.b, i))}, rowOf[T](c, v))) })
		})
	})
}

// FlatMap is the rows of f of each row, one query after the other.
func FlatMap[T, U any](q Query[T], f func(T) Query[U]) Query[U] {
	return query[U](func(c *compiler) ir.Value {
		return collection.FlatMap(c.b, c.value(q.node), func(v ir.Value) ir.Value {
			return within(c, func() ir.Value { return c.value(f(rowOf[T](c, v)).node) })
		})
	})
}

// Range is the numbers 0, 1, ... below n, which is not negative.
func Range(n Num[int64]) Query[Num[int64]] {
	return query[Num[int64]](func(c *compiler) ir.Value {
		return collection.Tabulate(c.b, c.index(n), func(i ir.Value) ir.Value { return toI64(c.b, i) })
	})
}

// Join is f of each row of xs and each of ys with the same key, in the order of xs and for one
// of them in that of ys. A key is an expression or a struct of such.
func Join[X, Y, K, U any](xs Query[X], ys Query[Y], keyOfX func(X) K, keyOfY func(Y) K, f func(X, Y) U) Query[U] {
	return query[U](func(c *compiler) ir.Value {
		return collection.Join(c.b, c.value(xs.node), c.value(ys.node), keys(c, keyOfX), keys(c, keyOfY), func(x, y ir.Value) ir.Value {
			return within(c, func() ir.Value { return element(c, f(rowOf[X](c, x), rowOf[Y](c, y))) })
		})
	})
}

// Sums is the sums of f of the rows up to each, from the first.
func Sums[T any, N Number](q Query[T], f func(T) Num[N]) Query[Num[N]] {
	return query[Num[N]](func(c *compiler) ir.Value {
		return collection.Sums(c.b, collection.Map(c.b, c.value(q.node), of(c, f)))
	})
}

// keys makes the function that gives the components of a row's key.
func keys[T, K any](c *compiler, key func(T) K) func(ir.Value) []ir.Value {
	return func(v ir.Value) []ir.Value {
		return within(c, func() []ir.Value { return c.values(shapeOf(reflect.TypeFor[K]()).exprs(key(rowOf[T](c, v)))) })
	}
}

func toI64(b *ir.Builder, x ir.Value) ir.Value { return arith.Cast(b, arith.IndexCast, x, ir.I64) }
