package fusion

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/ir"
)

// collections are what is done with an array by the functions of dialects/loop/collection.
var collections = slices.Concat(maps, filters, reductions, groupings, orders)

// collection writes one of them.
func (w *writer) collection() {
	if w.budget--; w.budget < 0 {
		return
	}
	if xs := w.any(); xs != 0 {
		collections[w.IntN(len(collections))](w, xs)
	}
}

// any is a known array.
func (w *writer) any() ir.Value {
	list := w.arrays(func(ir.Type) bool { return true })
	if len(list) == 0 {
		return 0
	}
	return pick(w, list)
}

// numbers is an array of numbers, of null at times: a known one, or what is made of xs.
func (w *writer) numbers(xs ir.Value) ir.Value {
	list := w.arrays(func(elem ir.Type) bool {
		if fields, ok := loop.Fields(w.c, elem); ok && loop.IsNullable(w.c, elem) {
			elem = fields[0].Type
		}
		return w.numeric(elem)
	})
	if len(list) > 0 && w.IntN(4) > 0 {
		return pick(w, list)
	}
	ys := collection.Map(w.b, xs, w.function(scalars[w.IntN(9)]))
	w.array(ys, w.length[xs])
	return ys
}

// function is one of an element, of a type.
func (w *writer) function(t ir.Type) func(x ir.Value) ir.Value {
	return func(x ir.Value) (y ir.Value) {
		w.scope(func() {
			w.open(x)
			y = w.value(t)
		})
		return y
	}
}

func (w *writer) predicate() func(x ir.Value) ir.Value { return w.function(ir.I1) }

// keysOf are keys of an element.
func (w *writer) keysOf(types ...ir.Type) func(x ir.Value) []ir.Value {
	return func(x ir.Value) (out []ir.Value) {
		w.scope(func() {
			w.open(x)
			for _, t := range types {
				out = append(out, w.key(t))
			}
		})
		return out
	}
}

// joined is a value of a type made of two elements.
func (w *writer) joined(t ir.Type) func(x, y ir.Value) ir.Value {
	return func(x, y ir.Value) (z ir.Value) {
		w.scope(func() {
			w.open(x)
			w.open(y)
			z = w.value(t)
		})
		return z
	}
}

type operations = []func(w *writer, xs ir.Value)

var maps = operations{
	func(w *writer, xs ir.Value) {
		w.array(collection.Map(w.b, xs, w.function(w.element(2))), w.length[xs])
	},
	func(w *writer, xs ir.Value) {
		w.array(collection.MapIndexed(w.b, xs, w.joined(w.element(2))), w.length[xs])
	},
	func(w *writer, xs ir.Value) {
		w.array(collection.Zip(w.b, names[:2], xs, w.asLong(xs)), w.length[xs])
	},
	func(w *writer, xs ir.Value) {
		w.array(collection.ZipWith(w.b, xs, w.asLong(xs), w.joined(w.element(1))), w.length[xs])
	},
	func(w *writer, xs ir.Value) { w.array(collection.ZipWithIndex(w.b, xs), w.length[xs]) },
	func(w *writer, xs ir.Value) { w.array(collection.Reverse(w.b, xs), w.length[xs]) },
	func(w *writer, xs ir.Value) {
		n := w.size()
		w.array(collection.Tabulate(w.b, n, w.function(w.element(2))), n)
	},
	func(w *writer, xs ir.Value) {
		elem, _ := loop.ElemOf(w.c, w.typ(xs))
		fields, _ := loop.Fields(w.c, elem)
		for _, f := range fields {
			w.array(loop.ColumnOf(w.b, xs, f.Name), w.length[xs])
		}
	},
}

// asLong is an array that is as long as another one.
func (w *writer) asLong(xs ir.Value) ir.Value {
	var list []ir.Value
	for _, ys := range w.arrays(func(ir.Type) bool { return true }) {
		if w.length[ys] == w.length[xs] {
			list = append(list, ys)
		}
	}
	return pick(w, list)
}

var filters = operations{
	func(w *writer, xs ir.Value) { w.array(collection.Filter(w.b, xs, w.predicate()), 0) },
	func(w *writer, xs ir.Value) { w.array(collection.Filter(w.b, xs, w.predicate()), 0) },
	func(w *writer, xs ir.Value) {
		t := w.element(1)
		w.array(collection.FlatMap(w.b, xs, func(x ir.Value) ir.Value {
			return collection.Tabulate(w.b, w.few(), func(i ir.Value) ir.Value { return w.joined(t)(x, i) })
		}), 0)
	},
	func(w *writer, xs ir.Value) {
		ys := w.have(func(t ir.Type) bool { return t == w.typ(xs) })
		w.array(collection.Concat(w.b, xs, pick(w, ys)), 0)
	},
	func(w *writer, xs ir.Value) {
		t := w.element(1)
		w.array(collection.Of(w.b, w.value(t), w.value(t), w.value(t)), 0)
	},
	func(w *writer, xs ir.Value) {
		if elem, _ := loop.ElemOf(w.c, w.typ(xs)); loop.IsNullable(w.c, elem) {
			w.array(collection.Present(w.b, xs), 0)
			return
		}
		w.array(collection.Map(w.b, xs, w.function(loop.Nullable(w.c, w.flat()))), w.length[xs])
	},
}

var reductions = operations{
	func(w *writer, xs ir.Value) { w.add(collection.Sum(w.b, collection.InOrder, w.numbers(xs))) },
	func(w *writer, xs ir.Value) {
		ys := w.numbers(xs)
		elem, _ := loop.ElemOf(w.c, w.typ(ys))
		if fields, ok := loop.Fields(w.c, elem); ok {
			elem = fields[0].Type
		}
		w.add(collection.Reduce(w.b, w.named(elem), collection.Order(!w.c.IsFloat(elem)), ys))
	},
	func(w *writer, xs ir.Value) {
		t := w.scalar()
		ys := collection.Map(w.b, xs, w.function(t))
		w.add(collection.Fold(w.b, ys, w.deep(t, 0), w.joined(t)))
	},
	func(w *writer, xs ir.Value) {
		t := w.scalar()
		ys := collection.Map(w.b, xs, w.function(t))
		w.array(collection.Scan(w.b, ys, w.deep(t, 0), w.joined(t)), w.length[xs])
	},
	func(w *writer, xs ir.Value) { w.array(collection.Sums(w.b, w.numbers(xs)), 0) },
	func(w *writer, xs ir.Value) { w.add(collection.Count(w.b, xs, w.predicate())) },
	func(w *writer, xs ir.Value) { w.add(collection.Any(w.b, xs, w.predicate())) },
	func(w *writer, xs ir.Value) { w.add(collection.All(w.b, xs, w.predicate())) },
	func(w *writer, xs ir.Value) {
		w.open(collection.Average(w.b, collection.InOrder, w.numbers(xs)))
	},
	func(w *writer, xs ir.Value) { w.open(collection.MinIndex(w.b, w.numbers(xs))) },
	func(w *writer, xs ir.Value) { w.open(collection.MaxIndex(w.b, w.numbers(xs))) },
}

// keyed reports elements that may be keys: such as have no arrays in them.
func (w *writer) keyed(t ir.Type) bool {
	if _, ok := loop.ElemOf(w.c, t); ok {
		return loop.IsString(w.c, t)
	}
	if _, ok := loop.KeysOf(w.c, t); ok {
		return false
	}
	fields, _ := loop.Fields(w.c, t)
	return !slices.ContainsFunc(fields, func(f ir.Field) bool { return !w.keyed(f.Type) })
}

var groupings = operations{
	func(w *writer, xs ir.Value) {
		if elem, _ := loop.ElemOf(w.c, w.typ(xs)); w.keyed(elem) {
			w.array(collection.Distinct(w.b, xs), 0)
		}
	},
	func(w *writer, xs ir.Value) {
		g, members := collection.GroupBy(w.b, xs, w.keysOf(w.keyType()), w.function(w.element(1)))
		w.grouped(g, members)
	},
	func(w *writer, xs ir.Value) {
		g, values := collection.GroupByReduce(w.b, xs, w.keysOf(w.keyType()), w.aggregates)
		w.grouped(g, values...)
	},
	func(w *writer, xs ir.Value) {
		k := w.keyType()
		ys := w.any()
		w.array(collection.Join(w.b, xs, ys, w.keysOf(k), w.keysOf(k), w.joined(w.element(1))), 0)
	},
	func(w *writer, xs ir.Value) {
		k := w.keyType()
		w.array(collection.Semijoin(w.b, xs, w.any(), w.keysOf(k), w.keysOf(k)), 0)
	},
}

// aggregates are reductions of an element of a group.
func (w *writer) aggregates(x ir.Value) (out []collection.Aggregate) {
	w.scope(func() {
		w.open(x)
		for range 1 + w.IntN(3) {
			t := scalars[w.IntN(9)]
			a := collection.Aggregate{By: w.named(t), Value: w.value(t)}
			if w.IntN(4) == 0 {
				a.Value = w.value(loop.Nullable(w.c, t))
			}
			out = append(out, a)
		}
	})
	return out
}

var orders = operations{
	func(w *writer, xs ir.Value) {
		if elem, _ := loop.ElemOf(w.c, w.typ(xs)); w.keyed(elem) {
			w.array(collection.Sort(w.b, xs), w.length[xs])
		}
	},
	func(w *writer, xs ir.Value) {
		keys := make([]collection.Key, 1+w.IntN(2))
		for k := range keys {
			keys[k] = collection.Key{Of: w.function(w.keyType()), Descending: w.IntN(2) == 0}
		}
		w.array(collection.SortBy(w.b, xs, keys...), w.length[xs])
	},
	func(w *writer, xs ir.Value) { w.array(collection.Take(w.b, xs, w.few()), 0) },
	func(w *writer, xs ir.Value) { w.array(collection.Drop(w.b, xs, w.few()), 0) },
	func(w *writer, xs ir.Value) {
		half := w.b.Op(arith.Divui, w.length[xs], w.b.Index(2))
		w.array(collection.Slice(w.b, xs, half, w.length[xs]), 0)
	},
}
