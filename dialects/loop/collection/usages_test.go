package collection_test

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/ir"
)

type (
	builder = *ir.Builder
	value   = ir.Value
	values  = []ir.Value
)

func positive(b builder) func(x value) value {
	return func(x value) value { return arith.CmpI(b, arith.SGT, x, arith.ConstInt(b, ir.I64, 0)) }
}

func field(b builder, name string) func(r value) value {
	return func(r value) value { return loop.FieldOf(b, r, name) }
}

func keyed(b builder, name string) func(r value) values {
	return func(r value) values { return values{loop.FieldOf(b, r, name)} }
}

func third(b builder) func(x value) values {
	return func(x value) values { return values{b.Op(arith.Remsi, x, arith.ConstInt(b, ir.I64, 3))} }
}

var usages = slices.Concat(maps, filters, reductions, groups, orders)

var maps = []usage{
	{"map", ints, func(b builder, in values) values {
		return values{collection.Map(b, in[0], func(x value) value { return arith.MulI(b, x, x) })}
	}, func(d data) []any { return []any{mapped(d.xs, func(x int64) int64 { return x * x })} }},
	{"zip", both, func(b builder, in values) values {
		return values{collection.Zip(b, []string{"k", "x"}, in...)}
	}, func(d data) []any {
		out := make([]row, len(d.xs))
		for i, x := range d.xs {
			out[i] = row{x, d.ys[i]}
		}
		return []any{out}
	}},
	{"zip with", both, func(b builder, in values) values {
		return values{collection.ZipWith(b, in[0], in[1], func(x, y value) value { return arith.AddF(b, collection.Float64(b, x), y) })}
	}, func(d data) []any {
		out := make([]float64, len(d.xs))
		for i, x := range d.xs {
			out[i] = float64(x) + d.ys[i]
		}
		return []any{out}
	}},
	{"zip with index", words, func(b builder, in values) values { return values{collection.ZipWithIndex(b, in[0])} },
		func(d data) []any {
			type pair struct {
				Value string `json:"value"`
				Index int    `json:"index"`
			}
			out := []pair{}
			for i, s := range d.names {
				out = append(out, pair{s, i})
			}
			return []any{out}
		}},
	{"tabulate", ints, func(b builder, in values) values {
		return values{collection.Tabulate(b, loop.Size(b, in[0]), func(i value) value { return arith.MulI(b, i, i) })}
	}, func(d data) []any {
		out := []int{}
		for i := range d.xs {
			out = append(out, i*i)
		}
		return []any{out}
	}},
	{"reverse", words, func(b builder, in values) values { return values{collection.Reverse(b, in[0])} },
		func(d data) []any {
			out := slices.Clone(d.names)
			slices.Reverse(out)
			return []any{out}
		}},
}

var filters = []usage{
	{"filter", ints, func(b builder, in values) values { return values{collection.Filter(b, in[0], positive(b))} },
		func(d data) []any { return []any{kept(d.xs, func(x int64) bool { return x > 0 })} }},
	{"flatMap", ints, func(b builder, in values) values {
		return values{collection.FlatMap(b, collection.Filter(b, in[0], positive(b)), func(x value) value {
			return collection.Tabulate(b, arith.Cast(b, arith.IndexCast, x, ir.Index), func(i value) value { return i })
		})}
	}, func(d data) []any {
		out := []int64{}
		for _, x := range d.xs {
			for i := range x {
				out = append(out, i)
			}
		}
		return []any{out}
	}},
	{"present", holes, func(b builder, in values) values { return values{collection.Present(b, in[0])} },
		func(d data) []any { return []any{valid(d.holes)} }},
	{"concat", words, func(b builder, in values) values {
		return values{collection.Concat(b, in[0], in[0], collection.Reverse(b, in[0]))}
	}, func(d data) []any {
		back := slices.Clone(d.names)
		slices.Reverse(back)
		return []any{append([]string{}, slices.Concat(d.names, d.names, back)...)}
	}},
	{"fixed-size array", ints, func(b builder, in values) values {
		n := loop.Size(b, in[0])
		return values{collection.Of(b, n, b.Index(3), arith.AddI(b, n, n))}
	}, func(d data) []any { return []any{[]int{len(d.xs), 3, 2 * len(d.xs)}} }},
}

func mapped[X, Y any](xs []X, f func(X) Y) []Y {
	out := make([]Y, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

func kept[X any](xs []X, f func(X) bool) []X {
	out := []X{}
	for _, x := range xs {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}

func valid(xs []*float64) []float64 {
	return mapped(kept(xs, func(x *float64) bool { return x != nil }), func(x *float64) float64 { return *x })
}

func total(xs []float64) (s float64) {
	for _, x := range xs {
		s += x
	}
	return s
}

func mean(xs []float64) *float64 {
	if len(xs) == 0 {
		return nil
	}
	m := total(xs) / float64(len(xs))
	return &m
}

var reductions = []usage{
	{"sum", holes, func(b builder, in values) values { return values{collection.Sum(b, collection.InOrder, in[0])} },
		func(d data) []any { return []any{total(valid(d.holes))} }},
	{"sum in any order", ints, func(b builder, in values) values {
		return values{collection.Sum(b, collection.AnyOrder, in[0]), collection.Reduce(b, loop.ByMax, collection.AnyOrder, in[0])}
	}, func(d data) []any {
		s, most := int64(0), int64(-1<<63)
		for _, x := range d.xs {
			s, most = s+x, max(most, x)
		}
		return []any{s, most}
	}},
	{"fold", ints, func(b builder, in values) values {
		seven := arith.ConstInt(b, ir.I64, 7)
		return values{collection.Fold(b, in[0], arith.ConstInt(b, ir.I64, 1), func(x, y value) value { return b.Op(arith.Remsi, arith.MulI(b, x, y), seven) })}
	}, func(d data) []any {
		p := int64(1)
		for _, x := range d.xs {
			p = p * x % 7
		}
		return []any{p}
	}},
	{"count, any and all", ints, func(b builder, in values) values {
		return values{collection.Count(b, in[0], positive(b)), collection.Any(b, in[0], positive(b)), collection.All(b, in[0], positive(b))}
	}, func(d data) []any {
		n := len(kept(d.xs, func(x int64) bool { return x > 0 }))
		return []any{n, n > 0, n == len(d.xs)}
	}},
	{"average", holes, func(b builder, in values) values { return values{collection.Average(b, collection.InOrder, in[0])} },
		func(d data) []any { return []any{mean(valid(d.holes))} }},
	{"average of integers", ints, func(b builder, in values) values { return values{collection.Average(b, collection.AnyOrder, in[0])} },
		func(d data) []any { return []any{mean(mapped(d.xs, func(x int64) float64 { return float64(x) }))} }},
	{"least and greatest", ints, func(b builder, in values) values {
		return values{collection.MinIndex(b, in[0]), collection.MaxIndex(b, in[0])}
	}, func(d data) []any { return extremes(d.xs) }},
	{"least and greatest of what may be null", holes, func(b builder, in values) values {
		return values{collection.MinIndex(b, in[0]), collection.MaxIndex(b, in[0])}
	}, func(d data) []any { return extremesOf(d.holes) }},
	{"sums", floats, func(b builder, in values) values { return values{collection.Sums(b, in[0])} },
		func(d data) []any {
			s := 0.0
			return []any{mapped(d.ys, func(x float64) float64 { s += x; return s })}
		}},
	{"scan", ints, func(b builder, in values) values {
		return values{collection.Scan(b, in[0], arith.ConstInt(b, ir.I64, -100), func(x, y value) value { return b.Op(arith.Maxsi, x, y) })}
	}, func(d data) []any {
		s := int64(-100)
		return []any{mapped(d.xs, func(x int64) int64 { s = max(s, x); return s })}
	}},
}

type found[T any] struct {
	Value T   `json:"value"`
	Index int `json:"index"`
}

// extremes are the least and the greatest number and where they first stand.
func extremes[T cmp.Ordered](xs []T) []any {
	if len(xs) == 0 {
		return []any{nil, nil}
	}
	least, most := slices.Min(xs), slices.Max(xs)
	return []any{found[T]{least, slices.Index(xs, least)}, found[T]{most, slices.Index(xs, most)}}
}

func extremesOf(xs []*float64) []any {
	out := extremes(valid(xs))
	for k, x := range out {
		if f, ok := x.(found[float64]); ok {
			f.Index = slices.IndexFunc(xs, func(y *float64) bool { return y != nil && *y == f.Value })
			out[k] = f
		}
	}
	return out
}

var groups = []usage{
	{"distinct", words, func(b builder, in values) values { return values{collection.Distinct(b, in[0])} },
		func(d data) []any { return []any{distinct(d.names)} }},
	{"distinct structs", table, func(b builder, in values) values { return values{collection.Distinct(b, in[0])} },
		func(d data) []any { return []any{distinct(d.rows)} }},
	{"groupBy", ints, func(b builder, in values) values {
		g, members := collection.GroupBy(b, in[0], third(b), func(x value) value { return x })
		return values{loop.KeyOf(b, g, 0), members}
	}, func(d data) []any {
		keys := distinct(mapped(d.xs, func(x int64) int64 { return x % 3 }))
		return []any{keys, mapped(keys, func(k int64) []int64 { return kept(d.xs, func(x int64) bool { return x%3 == k }) })}
	}},
	{"groupByReduce", table, func(b builder, in values) values {
		g, r := collection.GroupByReduce(b, in[0], keyed(b, "k"), func(x value) []collection.Aggregate {
			return []collection.Aggregate{{By: loop.ByAdd, Value: field(b, "x")(x)}, {By: loop.ByAdd, Value: b.Index(1)}, {By: loop.ByMax, Value: field(b, "x")(x)}}
		})
		return append(values{loop.KeyOf(b, g, 0)}, r...)
	}, func(d data) []any {
		keys := distinct(mapped(d.rows, func(r row) int64 { return r.K }))
		of := func(k int64) []float64 {
			return mapped(kept(d.rows, func(r row) bool { return r.K == k }), func(r row) float64 { return r.X })
		}
		return []any{keys, mapped(keys, func(k int64) float64 { return total(of(k)) }),
			mapped(keys, func(k int64) int { return len(of(k)) }), mapped(keys, func(k int64) float64 { return slices.Max(of(k)) })}
	}},
	{"groupByReduce of what may be null", holes, func(b builder, in values) values {
		_, r := collection.GroupByReduce(b, in[0], func(x value) values { return values{loop.FieldOf(b, x, "valid")} }, func(x value) []collection.Aggregate {
			return []collection.Aggregate{{By: loop.ByAdd, Value: x}, {By: loop.ByMax, Value: x}}
		})
		return r
	}, func(d data) []any {
		keys := distinct(mapped(d.holes, func(x *float64) bool { return x != nil }))
		return []any{mapped(keys, func(ok bool) float64 {
			if !ok {
				return 0
			}
			return total(valid(d.holes))
		}), mapped(keys, func(ok bool) *float64 {
			if !ok {
				return nil
			}
			largest := slices.Max(valid(d.holes))
			return &largest
		})}
	}},
	{"join", func(c *ir.Context) []ir.Type { return append(table(c), ints(c)...) }, func(b builder, in values) values {
		return values{collection.Join(b, in[0], in[1], keyed(b, "k"), func(y value) values { return values{y} }, func(x, y value) value {
			return collection.Record(b, []string{"k", "x"}, y, field(b, "x")(x))
		})}
	}, func(d data) []any {
		out := []row{}
		for _, r := range d.rows {
			for _, x := range d.xs {
				if x == r.K {
					out = append(out, row{x, r.X})
				}
			}
		}
		return []any{out}
	}},
	{"semijoin", func(c *ir.Context) []ir.Type { return append(table(c), ints(c)...) }, func(b builder, in values) values {
		return values{collection.Semijoin(b, in[0], in[1], keyed(b, "k"), func(y value) values { return values{y} })}
	}, func(d data) []any {
		return []any{kept(d.rows, func(r row) bool { return slices.Contains(d.xs, r.K) })}
	}},
}

func distinct[T comparable](xs []T) []T {
	out := []T{}
	for _, x := range xs {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

var orders = []usage{
	{"sort", ints, func(b builder, in values) values { return values{collection.Sort(b, in[0])} },
		func(d data) []any { return []any{append([]int64{}, slices.Sorted(slices.Values(d.xs))...)} }},
	{"sortBy", table, func(b builder, in values) values {
		return values{collection.SortBy(b, in[0], collection.Key{Of: field(b, "k"), Descending: true}, collection.Key{Of: field(b, "x")})}
	}, func(d data) []any {
		out := slices.Clone(d.rows)
		slices.SortStableFunc(out, func(x, y row) int { return cmp.Or(cmp.Compare(y.K, x.K), cmp.Compare(x.X, y.X)) })
		return []any{out}
	}},
	{"take, drop and slice", words, func(b builder, in values) values {
		four, n := b.Index(4), loop.Size(b, in[0])
		return values{collection.Take(b, in[0], four), collection.Drop(b, in[0], four),
			collection.Slice(b, in[0], b.Op(arith.Divui, n, b.Index(2)), n)}
	}, func(d data) []any {
		k := min(4, len(d.names))
		return []any{d.names[:k], d.names[k:], d.names[len(d.names)/2:]}
	}},
}
