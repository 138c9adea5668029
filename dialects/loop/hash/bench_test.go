package hash_test

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/built"
)

const benchRows = 10_000_000

// totals groups rows and gives the number of groups and the sum of their sums.
func totals(c *ir.Context, name string, ranged bool) built.Func {
	array := func(t ir.Type) ir.Type { return c.MemRef([]int64{ir.Dynamic}, t) }
	return built.Func{Name: name, In: []ir.Type{array(ir.I64), array(ir.F64)}, Out: []ir.Type{ir.Index, ir.F64}, Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
		k := kit.Kit{Builder: b}
		n := k.Len(args[0])
		o := hash.Options{Kinds: []kit.Kind{kit.Scalar(ir.I64)}, Values: []ir.Value{arith.ConstF64(b, 0)}}
		if ranged {
			o.Range = func() (low, high, rows ir.Value) {
				low, high = hash.Range(b, n, func(i ir.Value) ir.Value { return k.Load(args[0], i) })
				return low, high, n
			}
		}
		tab := hash.New(b, o)
		s := k.For(k.Index(0), n, tab.State(), func(i ir.Value, s []ir.Value) []ir.Value {
			tab := tab.With(s).Reserve(b)
			row, _, tab := tab.Insert(b, tab.Keys.Of(b, []ir.Value{k.Load(args[0], i)}))
			tab.SetValue(b, 0, row, arith.AddF(b, tab.Value(b, 0, row), k.Load(args[1], i)))
			return tab.State()
		})
		tab = tab.With(s)
		keys, values := tab.Columns(b, k.Alloc)
		tab.Free(b)
		total := k.For(k.Index(0), tab.Count(), []ir.Value{arith.ConstF64(b, 0)}, func(i ir.Value, s []ir.Value) []ir.Value {
			return []ir.Value{arith.AddF(b, s[0], k.Load(values[0], i))}
		})
		k.Free(keys[0], values[0])
		return []ir.Value{tab.Count(), total[0]}
	}}
}

// BenchmarkSums sums 10^7 rows by 10, 10^4 and 10^6 keys, in a row and spread.
func BenchmarkSums(b *testing.B) {
	e, _, err := engine.LLVM.Start(b.Context(), engine.Options{})
	if err != nil {
		b.Skip(err)
	}
	defer e.Close()
	c := built.Context()
	p, err := built.Program(b.Context(), e, c, totals(c, "hash", false), totals(c, "ranged", true))
	if err != nil {
		b.Fatal(err)
	}
	for _, keys := range []uint64{10, 10_000, 1_000_000} {
		sumOf(b, p, "hash", fmt.Sprintf("hash/%d/in a row", keys), benchKeys(keys, false))
		sumOf(b, p, "hash", fmt.Sprintf("hash/%d/spread", keys), benchKeys(keys, true))
		sumOf(b, p, "ranged", fmt.Sprintf("ranged/%d", keys), benchKeys(keys, false))
	}
}

// sumOf measures a function on keys that are bound to it.
func sumOf(b *testing.B, p engine.Program, function, name string, keys ir.Val) {
	bind, err := run.Bind(b.Context(), p, keys, benchValues())
	if err != nil {
		b.Fatal(err)
	}
	defer bind.Close(b.Context())
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			if _, _, err := bind.Call(b.Context(), function); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchKeys(keys uint64, spread bool) ir.Val {
	data, s := make([]byte, 8*benchRows), uint64(12345)
	for i := range benchRows {
		s ^= s << 13
		s ^= s >> 7
		s ^= s << 17
		q := s % keys
		if spread {
			q = (q+1)*0x2545F4914F6CDD1D ^ q*q*77777777777
		}
		for j := range 8 {
			data[8*i+j] = byte(q >> (8 * j))
		}
	}
	buf := interp.NewBuffer(built.Context(), ir.I64, benchRows, false)
	buf.Memory.Overwrite(data)
	return (&interp.MemRef{Buf: buf, Sizes: []int64{benchRows}, Strides: []int64{1}}).Val()
}

func benchValues() ir.Val {
	xs := make([]float64, benchRows)
	for i := range xs {
		xs[i] = float64(i%1000) / 8
	}
	return (&interp.MemRef{Buf: interp.Floats(xs), Sizes: []int64{benchRows}, Strides: []int64{1}}).Val()
}
