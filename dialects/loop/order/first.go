package order

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

const (
	// blockRows are looked at together: whether one of them is among the first is asked without a branch for each.
	blockRows = 512
	// minGathered is how many rows are gathered at least before they are sorted.
	minGathered = 64
	// Of sampled rows and more, or perWanted for each one that is wanted, the limit at the start is found, where there are perSampled times as many.
	sampled, perWanted, perSampled = 1024, 16, 4
)

// first finds the first rows of an order.
type first struct {
	sorter
	keys    []Key
	compare int      // how many keys, none of them a string, rows are compared by before they are gathered
	count   ir.Value // of the rows that are wanted, at most n
	rows    ir.Value // memory of the best so far, and what is gathered behind them
}

// First is Sort of which the first count rows are wanted, or all if there are fewer: as memref<?xindex> of at least as many elements.
//
// A row is left out if as many as are wanted are known to come before it: it comes behind these if it is equal to the last of them, for rows
// are looked at in their order. The first limit is taken from rows evenly spaced between the first and the last. So few rows are gathered
// where each comes before those that were looked at, too, as in what is sorted the other way round.
func First(b *ir.Builder, n, count ir.Value, keys ...Key) ir.Value {
	f := first{sorter: sorter{Kit: kit.Kit{Builder: b}, n: n}, keys: keys}
	for f.compare < len(keys) && !keys[f.compare].Kind.IsString() {
		f.compare++
	}
	f.count = f.Max(f.Index(0), f.Min(count, n))
	full := f.Add(f.count, f.Max(f.count, f.Index(minGathered)))
	f.rows = f.Alloc(ir.Index, f.Add(full, f.Index(blockRows)))
	blocks := f.Div(f.Add(n, f.Index(blockRows-1)), f.Index(blockRows))
	// Carried: how many rows there are, whether the limit is one, and the limit, the words of the last of the best.
	inits := append([]ir.Value{f.Index(0)}, f.start()...)
	f.For(f.Index(0), blocks, inits, func(block ir.Value, c []ir.Value) []ir.Value {
		low := f.Mul(block, f.Index(blockRows))
		high := f.Min(f.Add(low, f.Index(blockRows)), n)
		have := f.gather(low, high, c[0], c[1], c[2:])
		ends := f.Or(f.Is(arith.SGE, have, full), f.Is(arith.EQ, high, n))
		return f.If(ends, func() []ir.Value { return f.best(have) }, func() []ir.Value { return append([]ir.Value{have}, c[1:]...) })
	})
	return f.rows
}

// start is whether there is a limit at the start, and that. A row that is equal to the last of the sample may come before it, so that the limit
// is the next one.
func (f first) start() []ir.Value {
	size := f.Max(f.Index(sampled), f.Mul(f.count, f.Index(perWanted)))
	few := f.Is(arith.SLT, f.Div(f.n, f.Index(perSampled)), size)
	none := func() []ir.Value { return append([]ir.Value{arith.ConstBool(f.Builder, false)}, f.zeros()...) }
	if f.compare == 0 {
		return none()
	}
	return f.If(f.Or(few, f.Is(arith.SLT, f.count, f.Index(1))), none, func() []ir.Value {
		step := f.Div(f.n, size)
		in := sorted(f.Builder, size, func(i ir.Value) ir.Value { return f.Mul(i, step) }, f.keys)
		limit := f.words(f.Load(in, f.Last(f.count)))
		f.Free(in)
		last := &limit[len(limit)-1]
		*last = f.Add(*last, f.Int(ir.I64, 1))
		return append([]ir.Value{f.Is(arith.NE, *last, f.Int(ir.I64, 0))}, limit...)
	})
}

// zeros are words of no limit.
func (f first) zeros() (out []ir.Value) {
	for range f.compare {
		out = append(out, f.Int(ir.I64, 0))
	}
	return out
}

// words are the keys of a row by which rows are compared.
func (f first) words(row ir.Value) (out []ir.Value) {
	return lists.Map(f.keys[:f.compare], func(key Key) ir.Value { return f.word(key, row) })
}

// comes reports a row that may come before the limit: where not all keys are compared, one that is equal as far as they are.
func (f first) comes(row ir.Value, limit []ir.Value) ir.Value {
	out := arith.ConstBool(f.Builder, f.compare < len(f.keys))
	words := f.words(row)
	for k := len(words) - 1; k >= 0; k-- {
		out = f.Or(f.Is(arith.ULT, words[k], limit[k]), f.And(f.Is(arith.EQ, words[k], limit[k]), out))
	}
	return out
}

// gather adds the rows low <= i < high that may come before the limit, or all if there is none, to those that there are.
func (f first) gather(low, high, have, limited ir.Value, limit []ir.Value) ir.Value {
	some := f.If(limited, func() []ir.Value {
		return f.For(low, high, []ir.Value{arith.ConstBool(f.Builder, false)}, func(i ir.Value, c []ir.Value) []ir.Value {
			return []ir.Value{f.Or(c[0], f.comes(i, limit))}
		})
	}, func() []ir.Value { return []ir.Value{arith.ConstBool(f.Builder, true)} })[0]
	return f.If(some, func() []ir.Value {
		return f.For(low, high, []ir.Value{have}, func(i ir.Value, c []ir.Value) []ir.Value {
			f.Store(i, f.rows, c[0])
			takes := f.Or(f.Not(limited), f.comes(i, limit))
			return []ir.Value{f.Add(c[0], f.Widen(takes, ir.Index))}
		})
	}, func() []ir.Value { return []ir.Value{have} })[0]
}

// best sorts the rows that there are and keeps the first of them: what is carried then.
func (f first) best(have ir.Value) []ir.Value {
	in := sorted(f.Builder, have, func(i ir.Value) ir.Value { return f.Load(f.rows, i) }, f.keys)
	kept := f.Min(f.count, have)
	f.Each(f.Index(0), kept, func(i ir.Value) { f.Store(f.Load(in, i), f.rows, i) })
	f.Free(in)
	limited := f.And(f.Is(arith.EQ, kept, f.count), f.Less(f.Index(0), kept))
	limit := f.If(limited, func() []ir.Value { return f.words(f.Load(f.rows, f.Last(kept))) }, f.zeros)
	return append([]ir.Value{kept, limited}, limit...)
}
