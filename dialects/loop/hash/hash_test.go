package hash_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A column is a component of keys and what it may hold.
type column struct {
	kind   kit.Kind
	random func(r *rand.Rand, distinct int) any // an int64, a float64 or a string
}

func number(t ir.Type) column {
	return column{kit.Scalar(t), func(r *rand.Rand, distinct int) any { return int64(r.IntN(distinct) - distinct/2) }}
}

// spread are numbers that differ in high bits.
func spread(t ir.Type) column {
	return column{kit.Scalar(t), func(r *rand.Rand, distinct int) any { return int64(r.IntN(distinct)) * 0x2545F4914F6CDD1D }}
}

func float(t ir.Type) column {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), -math.NaN(), math.Inf(1), math.Inf(-1), math.Float64frombits(0x7ff8_0000_dead_0000)}
	return column{kit.Scalar(t), func(r *rand.Rand, distinct int) any {
		if r.IntN(4) == 0 {
			return odd[r.IntN(len(odd))]
		}
		return float64(r.IntN(distinct)) / 4
	}}
}

// texts are strings of several lengths, with bytes of all values, alike in their first
// ones.
func texts(prefix int) column {
	return column{kit.String, func(r *rand.Rand, distinct int) any {
		n := r.IntN(distinct)
		s := strings.Repeat("p", prefix) + fmt.Sprint(n)
		return s[:min(len(s), prefix+n%9)] + strings.Repeat("\x00", n%3) + strings.Repeat("\xff", n%5) + fmt.Sprint(n)[:n%2]
	}}
}

var tables = []struct {
	name    string
	columns []column
	ranged  bool // the range of keys is known
}{
	{"i64", []column{number(ir.I64)}, false},
	{"i64 spread", []column{spread(ir.I64)}, false},
	{"index", []column{number(ir.Index)}, false},
	{"i32", []column{number(ir.I32)}, false},
	{"i8", []column{number(ir.I8)}, false},
	{"i1", []column{number(ir.I1)}, false},
	{"f64", []column{float(ir.F64)}, false},
	{"f32", []column{float(ir.F32)}, false},
	{"i8 and i8", []column{number(ir.I8), number(ir.I8)}, false},
	{"i32 and f32", []column{number(ir.I32), float(ir.F32)}, false},
	{"i64 and i1", []column{number(ir.I64), number(ir.I1)}, false},
	{"i64 and f64 and i16", []column{spread(ir.I64), float(ir.F64), number(ir.I16)}, false},
	{"string", []column{texts(0)}, false},
	{"long string", []column{texts(30)}, false},
	{"string and string", []column{texts(0), texts(5)}, false},
	{"ranged i64", []column{number(ir.I64)}, true},
	{"ranged i32", []column{number(ir.I32)}, true},
	{"ranged spread", []column{spread(ir.I64)}, true},
	{"i64 and string and f32", []column{number(ir.I64), texts(3), float(ir.F32)}, false},
}

// params are the types of what a column is in memory.
func params(c *ir.Context, columns []column) (out []ir.Type) {
	for _, x := range columns {
		out = append(out, arrays(c, x.kind)...)
	}
	return out
}

func array(c *ir.Context, t ir.Type) ir.Type { return c.MemRef([]int64{ir.Dynamic}, t) }

func arrays(c *ir.Context, kind kit.Kind) []ir.Type {
	if kind.IsString() {
		return []ir.Type{array(c, ir.Index), array(c, ir.I8)}
	}
	return []ir.Type{array(c, kind.Type())}
}

// row reads the key of row i.
func row(k kit.Kit, columns []column, args []ir.Value, i ir.Value) (vals []ir.Value) {
	for _, x := range columns {
		if x.kind.IsString() {
			lo := k.Load(args[0], i)
			vals = append(vals, args[1], lo, k.Sub(k.Load(args[0], k.Next(i)), lo))
			args = args[2:]
			continue
		}
		vals = append(vals, k.Load(args[0], i))
		args = args[1:]
	}
	return vals
}

func kinds(columns []column) (out []kit.Kind) {
	for _, x := range columns {
		out = append(out, x.kind)
	}
	return out
}

// TestRange: the smallest and the largest of the keys.
func TestRange(t *testing.T) {
	build := func(c *ir.Context) []built.Func {
		return []built.Func{{Name: "range", In: []ir.Type{array(c, ir.I32)}, Out: []ir.Type{ir.I64, ir.I64},
			Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
				k := kit.Kit{Builder: b}
				low, high := hash.Range(b, k.Len(args[0]), func(i ir.Value) ir.Value { return k.Load(args[0], i) })
				return []ir.Value{low, high}
			}}}
	}
	built.On(t, build, func(t *testing.T, r *built.Runner) {
		for _, x := range []struct {
			keys      []int64
			low, high int64
		}{
			{nil, math.MaxInt64, math.MinInt64},
			{[]int64{-5}, -5, -5},
			{[]int64{7, -3, 100, 20}, -3, 100},
			{[]int64{math.MinInt32, math.MaxInt32, 0}, math.MinInt32, math.MaxInt32},
		} {
			out := r.Call(0, "range", r.Ints(ir.I32, x.keys))
			if low, high := int64(out[0].Bits), int64(out[1].Bits); low != x.low || high != x.high {
				t.Errorf("%v: from %d to %d; wanted %d to %d", x.keys, low, high, x.low, x.high)
			}
		}
	})
}

// grouped is a function of columns of rows, columns of keys to look for, how many rows
// and keys there are. It gives the
// group of each row, which was new, the groups of the keys looked for, sums of 1 + row,
// and the keys.
func grouped(name string, columns []column, ranged bool) func(c *ir.Context) []built.Func {
	return func(c *ir.Context) []built.Func {
		in := params(c, columns)
		out := []ir.Type{array(c, ir.Index), array(c, ir.I1), array(c, ir.Index), array(c, ir.F64)}
		return []built.Func{{Name: "grouped", Out: append(out, in...),
			In: slices.Concat(in, in, []ir.Type{ir.Index, ir.Index}),
			Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
				k, w := kit.Kit{Builder: b}, len(in)
				rows, wanted, args := args[:w], args[w:2*w], args[2*w:]
				o := hash.Options{Kinds: kinds(columns), Values: []ir.Value{arith.ConstF64(b, 0)}, Numbered: true}
				if ranged {
					o.Range = func() (low, high, n ir.Value) {
						low, high = hash.Range(b, args[0], func(i ir.Value) ir.Value { return k.Load(rows[0], i) })
						return low, high, args[0]
					}
				}
				return group(k, hash.New(b, o), columns, rows, wanted, args[0], args[1])
			}}}
	}
}

func group(k kit.Kit, t hash.Table, columns []column, rows, wanted []ir.Value, n, m ir.Value) []ir.Value {
	b, zero := k.Builder, k.Index(0)
	groups, fresh, found := k.Alloc(ir.Index, n), k.Alloc(ir.I1, n), k.Alloc(ir.Index, m)
	s := k.For(zero, n, t.State(), func(i ir.Value, s []ir.Value) []ir.Value {
		x := arith.Cast(b, arith.Sitofp, k.Widen(k.Next(i), ir.I64), ir.F64)
		t := t.With(s).Reserve(b)
		at, isNew, t := t.Insert(b, t.Keys.Of(b, row(k, columns, rows, i)))
		t.SetValue(b, 0, at, arith.AddF(b, t.Value(b, 0, at), x))
		k.Store(t.Group(b, at), groups, i)
		k.Store(isNew, fresh, i)
		return t.State()
	})
	t = t.With(s)
	k.Each(zero, m, func(i ir.Value) {
		k.Store(t.Find(b, t.Keys.Of(b, row(k, columns, wanted, i))), found, i)
	})
	keys, sums := t.Columns(b, k.Alloc)
	out := append([]ir.Value{groups, fresh, found, sums[0]}, keys...)
	t.Free(b)
	return out
}

// data are random keys: rows of components.
func data(r *rand.Rand, columns []column, n, distinct int) [][]any {
	out := make([][]any, n)
	for i := range out {
		for _, x := range columns {
			out[i] = append(out[i], x.random(r, distinct))
		}
	}
	return out
}

// args are rows as memory.
func args(r *built.Runner, columns []column, rows [][]any) (out []ir.Val) {
	for i, x := range columns {
		var ints []int64
		var floats []float64
		var texts []string
		for _, row := range rows {
			switch v := row[i].(type) {
			case int64:
				ints = append(ints, v)
			case float64:
				floats = append(floats, v)
			case string:
				texts = append(texts, v)
			}
		}
		switch {
		case x.kind.IsString():
			at, bytes := r.Strings(texts)
			out = append(out, at, bytes)
		case r.Context().IsFloat(x.kind.Type()):
			out = append(out, r.Floats(x.kind.Type(), floats))
		default:
			out = append(out, r.Ints(x.kind.Type(), ints))
		}
	}
	return out
}

// show writes a key so that equal keys, and no others, are written alike.
func show(c *ir.Context, columns []column, row []any) string {
	var s strings.Builder
	for i, v := range row {
		switch v := v.(type) {
		case int64:
			fmt.Fprintf(&s, "%d,", ir.IntVal(v, c.Info(columns[i].kind.Type()).Width).Bits)
		case float64:
			v = ir.FloatVal(v, columns[i].kind.Type()).Float(columns[i].kind.Type())
			fmt.Fprintf(&s, "%v,", v+0)
		case string:
			fmt.Fprintf(&s, "%q,", v)
		}
	}
	return s.String()
}

// keysOf reads rows of keys from the results of a call.
func keysOf(c *ir.Context, columns []column, vals []ir.Val) (out []string) {
	rows := map[int][]any{}
	for _, x := range columns {
		switch {
		case x.kind.IsString():
			for i, s := range built.StringsOf(vals[0], vals[1]) {
				rows[i] = append(rows[i], s)
			}
			vals = vals[1:]
		case c.IsFloat(x.kind.Type()):
			for i, n := range built.IntsOf(vals[0]) {
				rows[i] = append(rows[i], ir.BitsToFloat(uint64(n), x.kind.Type()))
			}
		default:
			for i, n := range built.IntsOf(vals[0]) {
				rows[i] = append(rows[i], n)
			}
		}
		vals = vals[1:]
	}
	for i := range len(rows) {
		out = append(out, show(c, columns, rows[i]))
	}
	return out
}

func TestGroups(t *testing.T) {
	for _, tab := range tables {
		t.Run(tab.name, func(t *testing.T) {
			built.On(t, grouped(tab.name, tab.columns, tab.ranged), func(t *testing.T, r *built.Runner) {
				rng := rand.New(rand.NewPCG(1, 2))
				for _, n := range []int{0, 1, 2, 17, 300, 1500} {
					for _, distinct := range []int{1, 3, 2 * max(n, 1)} {
						checkGroups(t, r, rng, tab.columns, n, distinct)
					}
				}
				if tab.ranged { // there are enough groups for a row for each key in the range
					checkGroups(t, r, rng, tab.columns, 300_000, 75_000)
				}
			})
		})
	}
}

func checkGroups(t *testing.T, r *built.Runner, rng *rand.Rand, columns []column, n, distinct int) {
	t.Helper()
	c := r.Context()
	rows, wanted := data(rng, columns, n, distinct), data(rng, columns, 50, 2*distinct)
	in := append(args(r, columns, rows), args(r, columns, wanted)...)
	for _, n := range []int{n, 50} {
		in = append(in, ir.IntVal(int64(n), 64))
	}
	out := r.Call(4+len(params(c, columns)), "grouped", in...)

	number, sums := map[string]int64{}, []float64{}
	var keys []string
	groups, fresh := built.IntsOf(out[0]), built.IntsOf(out[1])
	for i, row := range rows {
		s := show(c, columns, row)
		g, old := number[s]
		if !old {
			g = int64(len(keys))
			number[s], keys, sums = g, append(keys, s), append(sums, 0)
		}
		sums[g] += float64(i + 1)
		if groups[i] != g || (fresh[i] == 0) != old {
			t.Fatalf("%d rows: row %d, %s, is in group %d, new: %d; wanted %d, new: %v", n, i, s, groups[i], fresh[i], g, !old)
		}
	}
	for i, g := range built.IntsOf(out[2]) {
		s := show(c, columns, wanted[i])
		if want, ok := number[s]; ok && g != want || !ok && g != -1 {
			t.Fatalf("%d rows: %s is found in group %d, wanted %d, %v", n, s, g, want, ok)
		}
	}
	if got := built.FloatsOf(out[3]); !slices.Equal(got, sums) {
		t.Fatalf("%d rows: sums %v, wanted %v", n, got, sums)
	}
	if got := keysOf(c, columns, out[4:]); !slices.Equal(got, keys) {
		t.Fatalf("%d rows: keys %v, wanted %v", n, got, keys)
	}
}
