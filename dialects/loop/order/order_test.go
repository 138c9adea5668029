package order_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/loop/order"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A column is a key and what it may hold: int64, float64 or string.
type column struct {
	kind   kit.Kind
	desc   bool
	random func(r *rand.Rand, distinct int) any
}

func ints(t ir.Type, desc bool) column {
	return column{kit.Scalar(t), desc, func(r *rand.Rand, distinct int) any { return int64(r.IntN(distinct) - distinct/2) }}
}

// wide are numbers with all their bits.
func wide(desc bool) column {
	return column{kit.Scalar(ir.I64), desc, func(r *rand.Rand, distinct int) any { return int64(uint64(r.IntN(distinct)) * 0x9E3779B97F4A7C15) }}
}

func floats(t ir.Type, desc bool) column {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), -math.NaN(), math.Inf(1), math.Inf(-1)}
	return column{kit.Scalar(t), desc, func(r *rand.Rand, distinct int) any {
		if r.IntN(4) == 0 {
			return odd[r.IntN(len(odd))]
		}
		return float64(r.IntN(distinct)-distinct/2) / 4
	}}
}

func texts(prefix int, desc bool) column {
	return column{kit.String, desc, func(r *rand.Rand, distinct int) any {
		n := r.IntN(distinct)
		return strings.Repeat("p", prefix+n%2)[:(prefix+n%2)*min(n, 1)] + strings.Repeat("\x00", n%3) + strings.Repeat("\xff", n%4) + fmt.Sprint(n)[:n%2]
	}}
}

var sorts = []struct {
	name string
	keys []column
}{
	{"i64", []column{ints(ir.I64, false)}},
	{"i64 down", []column{wide(true)}},
	{"wide", []column{wide(false)}},
	{"index", []column{ints(ir.Index, false)}},
	{"i8", []column{ints(ir.I8, false)}},
	{"i1 down", []column{ints(ir.I1, true)}},
	{"f64", []column{floats(ir.F64, false)}},
	{"f64 down", []column{floats(ir.F64, true)}},
	{"f32 down", []column{floats(ir.F32, true)}},
	{"i16 and f32 down and i64", []column{ints(ir.I16, false), floats(ir.F32, true), wide(false)}},
	{"string", []column{texts(0, false)}},
	{"string down", []column{texts(0, true)}},
	{"long string", []column{texts(21, false)}},
	{"string down and i64", []column{texts(9, true), ints(ir.I64, false)}},
	{"f64 down and string", []column{floats(ir.F64, true), texts(0, false)}},
}

// compare is what the order means.
func compare(c column, x, y any) int {
	out := 0
	switch x := x.(type) {
	case int64:
		mask := int64(-1)
		if c.kind == kit.Scalar(ir.I1) {
			mask = 1
		}
		out = cmp.Compare(x&mask, y.(int64)&mask)
	case float64:
		y := y.(float64)
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			out = cmp.Compare(btoi(math.IsNaN(x)), btoi(math.IsNaN(y)))
		default:
			out = cmp.Compare(x, y)
		}
	case string:
		out = cmp.Compare(x, y.(string))
	}
	if c.desc {
		return -out
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func array(c *ir.Context, t ir.Type) ir.Type { return c.MemRef([]int64{ir.Dynamic}, t) }

// sorted are functions of columns and a number of rows that sort them, and of a number of rows that are wanted that finds these.
func sorted(keys []column) func(c *ir.Context) []built.Func {
	return func(c *ir.Context) []built.Func {
		var in []ir.Type
		for _, x := range keys {
			if x.kind.IsString() {
				in = append(in, array(c, ir.Index), array(c, ir.I8))
			} else {
				in = append(in, array(c, x.kind.Type()))
			}
		}
		out := []ir.Type{array(c, ir.Index)}
		return []built.Func{
			{Name: "sorted", In: append(in[:len(in):len(in)], ir.Index), Out: out, Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
				by, rest := keysOf(b, keys, args)
				return []ir.Value{order.Sort(b, rest[0], by...)}
			}},
			{Name: "first", In: append(in[:len(in):len(in)], ir.Index, ir.Index), Out: out, Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
				by, rest := keysOf(b, keys, args)
				return []ir.Value{order.First(b, rest[0], rest[1], by...)}
			}},
		}
	}
}

// keysOf makes keys of the first arguments of a function, and gives the others.
func keysOf(b *ir.Builder, keys []column, args []ir.Value) (by []order.Key, rest []ir.Value) {
	k := kit.Kit{Builder: b}
	rest = args
	for _, x := range keys {
		mem := rest
		at := func(i ir.Value) []ir.Value { return []ir.Value{k.Load(mem[0], i)} }
		rest = rest[1:]
		if x.kind.IsString() {
			at = func(i ir.Value) []ir.Value {
				lo := k.Load(mem[0], i)
				return []ir.Value{mem[1], lo, k.Sub(k.Load(mem[0], k.Next(i)), lo)}
			}
			rest = rest[1:]
		}
		by = append(by, order.Key{Kind: x.kind, Desc: x.desc, At: at})
	}
	return by, rest
}

func TestSort(t *testing.T) {
	for _, s := range sorts {
		t.Run(s.name, func(t *testing.T) {
			built.On(t, sorted(s.keys), func(t *testing.T, r *built.Runner) {
				rng := rand.New(rand.NewPCG(3, 4))
				for _, n := range []int{0, 1, 2, 8, 9, 33, 200} {
					for _, distinct := range []int{1, 3, 50, 4 * max(n, 1)} {
						checkSort(t, r, rng, s.keys, n, distinct)
					}
				}
				checkSort(t, r, rng, s.keys, 1200, 50) // several blocks, of which the first few rows are wanted
				if strings.HasPrefix(s.name, "f64 down") {
					checkSort(t, r, rng, s.keys, 4100, 50) // and a limit at the start
				}
			})
		})
	}
}

func checkSort(t *testing.T, r *built.Runner, rng *rand.Rand, keys []column, n, distinct int) {
	t.Helper()
	rows := make([][]any, len(keys))
	var in []ir.Val
	for i, x := range keys {
		for range n {
			rows[i] = append(rows[i], x.random(rng, min(distinct, 200)))
		}
		switch {
		case x.kind.IsString():
			at, bytes := r.Strings(of[string](rows[i]))
			in = append(in, at, bytes)
		case r.Context().IsFloat(x.kind.Type()):
			in = append(in, r.Floats(x.kind.Type(), of[float64](rows[i])))
		default:
			in = append(in, r.Ints(x.kind.Type(), of[int64](rows[i])))
		}
	}
	want := make([]int64, n)
	for i := range want {
		want[i] = int64(i)
	}
	slices.SortStableFunc(want, func(x, y int64) int {
		for i, key := range keys {
			if c := compare(key, rows[i][x], rows[i][y]); c != 0 {
				return c
			}
		}
		return 0
	})
	in = append(in, ir.IntVal(int64(n), 64))
	got := built.IntsOf(r.Call(1, "sorted", in...)[0])
	if !slices.Equal(got, want) {
		t.Fatalf("%d rows %q: order %v, wanted %v", n, rows, got, want)
	}
	counts := []int{-1, 1, 5, n - n/3, n + 3}
	if n > 100 {
		counts = []int{5, n - n/3}
	}
	for _, count := range counts {
		got := built.IntsOf(r.Call(1, "first", append(in[:len(in):len(in)], ir.IntVal(int64(count), 64))...)[0])
		if few := max(0, min(count, n)); len(got) < few || !slices.Equal(got[:few], want[:few]) {
			t.Fatalf("%d rows %q: the first %d are %v, wanted %v", n, rows, count, got, want[:few])
		}
	}
}

func of[T any](xs []any) []T {
	out := make([]T, len(xs))
	for i, x := range xs {
		out[i] = x.(T)
	}
	return out
}

func TestCounting(t *testing.T) {
	build := func(c *ir.Context) []built.Func {
		return []built.Func{{Name: "counting", In: []ir.Type{array(c, ir.Index), ir.Index}, Out: []ir.Type{array(c, ir.Index), array(c, ir.Index)},
			Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
				offsets, rows := order.Counting(b, args[0], kit.Kit{Builder: b}.Len(args[0]), args[1])
				return []ir.Value{offsets, rows}
			}}}
	}
	built.On(t, build, func(t *testing.T, r *built.Runner) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, size := range [][2]int{{0, 0}, {0, 3}, {1, 1}, {20, 1}, {20, 7}, {300, 40}, {50, 400}} {
			groups, begins, rows := make([]int64, size[0]), make([]int64, size[1]+1), []int64{}
			for i := range groups {
				groups[i] = int64(rng.IntN(size[1]))
			}
			for g := range size[1] {
				for i, x := range groups {
					if x == int64(g) {
						rows = append(rows, int64(i))
					}
				}
				begins[g+1] = int64(len(rows))
			}
			out := r.Call(2, "counting", r.Ints(ir.Index, groups), ir.IntVal(int64(size[1]), 64))
			if got := built.IntsOf(out[0]); !slices.Equal(got, begins) {
				t.Errorf("%v: groups begin at %v, wanted %v", groups, got, begins)
			}
			if got := built.IntsOf(out[1]); !slices.Equal(got, rows) {
				t.Errorf("%v: rows %v, wanted %v", groups, got, rows)
			}
		}
	})
}
