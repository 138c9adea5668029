package loop

import (
	"reflect"
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/ir"
)

// Rows are what is summed up: a Query, or the rows of a Group.
type Rows[T any] interface {
	reduce(by loop.Combine, order collection.Order, f func(T) *node) *node
}

func (q Query[T]) reduce(by loop.Combine, order collection.Order, f func(T) *node) *node {
	return made(func(c *compiler) ir.Value {
		return collection.Reduce(c.b, by, order, collection.Map(c.b, c.value(q.node), func(v ir.Value) ir.Value {
			return within(c, func() ir.Value { return c.value(f(rowOf[T](c, v))) })
		}))
	})
}

// Sum is the sum of f of the rows, from the first to the last.
func Sum[T any, N Number](rows Rows[T], f func(T) Num[N]) Num[N] {
	return Num[N]{rows.reduce(loop.ByAdd, collection.InOrder, func(r T) *node { return f(r).node })}
}

// SumInAnyOrder is Sum, of floats in an order that is faster.
func SumInAnyOrder[T any, N Number](rows Rows[T], f func(T) Num[N]) Num[N] {
	return Num[N]{rows.reduce(loop.ByAdd, collection.AnyOrder, func(r T) *node { return f(r).node })}
}

// Count is how many rows keep holds for; of nil, how many there are.
func Count[T any](rows Rows[T], keep func(T) Bool) Num[int64] {
	return Num[int64]{rows.reduce(loop.ByAdd, collection.AnyOrder, func(r T) *node {
		if keep == nil {
			return Lit[int64](1).node
		}
		return If(keep(r), Lit[int64](1), Lit[int64](0)).node
	})}
}

// Mean is the mean of f of the rows, NaN of none.
func Mean[T any, N Number](rows Rows[T], f func(T) Num[N]) Num[float64] {
	total := Sum(rows, func(r T) Num[float64] { return To[float64](f(r)) })
	return total.Div(To[float64](Count(rows, nil)))
}

// Any says whether keep holds for a row, false of none.
func Any[T any](rows Rows[T], keep func(T) Bool) Bool {
	return Bool{rows.reduce(loop.ByOr, collection.AnyOrder, func(r T) *node { return keep(r).node })}
}

// All says whether keep holds for each row, true of none.
func All[T any](rows Rows[T], keep func(T) Bool) Bool {
	return Bool{rows.reduce(loop.ByAnd, collection.AnyOrder, func(r T) *node { return keep(r).node })}
}

// Min is the least f of the rows of a group, which has one at least: of floats the least that is no NaN, and NaN if all are.
func Min[T any, N Number](g *Group[T], f func(T) Num[N]) Num[N] {
	return Num[N]{g.reduce(loop.ByMin, collection.AnyOrder, func(r T) *node { return f(r).node })}
}

// Max is the greatest f of the rows of a group, which has one at least: of floats the greatest that is no NaN, and NaN if all are.
func Max[T any, N Number](g *Group[T], f func(T) Num[N]) Num[N] {
	return Num[N]{g.reduce(loop.ByMax, collection.AnyOrder, func(r T) *node { return f(r).node })}
}

// A Group is the rows with one key, while GroupBy asks what to make of them.
type Group[T any] struct {
	list []aggregate[T]
	row  func(k int) *node // the value of aggregate k
}

type aggregate[T any] struct {
	by    loop.Combine
	order collection.Order
	f     func(T) *node
}

func (g *Group[T]) reduce(by loop.Combine, order collection.Order, f func(T) *node) *node {
	if g.row != nil {
		fail("a group is summed up outside of the function that was given it")
	}
	g.list = append(g.list, aggregate[T]{by, order, f})
	k := len(g.list) - 1
	return made(func(c *compiler) ir.Value {
		if g.row == nil {
			fail("the sum of a group is used to make a sum of its rows: that would take two loops; use it in the row that GroupBy makes")
		}
		return c.value(g.row(k))
	})
}

// GroupBy is f of each key and its rows, in the order in which the keys first appear. A
// key is an expression or a struct of such; f sums the rows up, by Sum, Count and the like.
func GroupBy[T, K, U any](q Query[T], key func(T) K, f func(K, *Group[T]) U) Query[U] {
	return query[U](func(c *compiler) ir.Value { return groupBy(c, c.value(q.node), key, f) })
}

func groupBy[T, K, U any](c *compiler, xs ir.Value, key func(T) K, f func(K, *Group[T]) U) ir.Value {
	s := shapeOf(reflect.TypeFor[K]())
	g := &Group[T]{}
	var at ir.Value // the group
	var home *scope // where it is
	var groups ir.Value
	k := s.row(func(i int) *node {
		return made(func(c *compiler) ir.Value {
			c.inside(home)
			return loop.Element(c.b, loop.KeyOf(c.b, groups, i), at)
		})
	}).Interface().(K)
	result := f(k, g)                 // which says what the aggregates are
	place := make([]int, len(g.list)) // of each aggregate among those that differ
	var arrays []ir.Value
	groups, arrays = collection.GroupByReduce(c.b, xs, keys(c, key), func(v ir.Value) []collection.Aggregate {
		var out []collection.Aggregate
		for i, a := range g.list {
			x := collection.Aggregate{By: a.by, Order: a.order, Value: within(c, func() ir.Value { return c.value(a.f(rowOf[T](c, v))) })}
			if place[i] = slices.Index(out, x); place[i] < 0 {
				place[i], out = len(out), append(out, x)
			}
		}
		return out
	})
	g.row = func(k int) *node {
		return made(func(c *compiler) ir.Value {
			c.inside(home)
			return loop.Element(c.b, arrays[place[k]], at)
		})
	}
	return collection.Tabulate(c.b, loop.Size(c.b, groups), func(i ir.Value) ir.Value {
		return within(c, func() ir.Value {
			at, home = i, c.here()
			return element(c, result)
		})
	})
}
