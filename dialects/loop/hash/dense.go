package hash

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Dense makes an empty table of keys that are in a range, both ends included, which are
// i64: of one integer or index, signed, or of several components of 64 bits at most,
// packed, unsigned. A key out of it traps in Insert, and is not there in Find.
func Dense(b *ir.Builder, low, high ir.Value, o Options) Table {
	k := kit.Kit{Builder: b}
	t := Table{Options: o, shape: dense, home: low}
	t.index = k.Zeros(ir.I32, k.Widen(k.Next(k.Sub(high, low)), ir.Index))
	groups := k.Index(firstGroups)
	if o.Groups != 0 {
		groups = k.Max(o.Groups, groups)
	}
	t.rows, t.count = t.newRows(k, groups), k.Index(0)
	return t
}

// Range gives the smallest and the largest of n keys, integers or index, as i64; of none
// the largest number and the smallest. It is a loop that LLVM makes vectors of.
func Range(b *ir.Builder, n ir.Value, key func(i ir.Value) ir.Value) (low, high ir.Value) {
	k := kit.Kit{Builder: b}
	none := []ir.Value{k.Int(ir.I64, math.MaxInt64), k.Int(ir.I64, math.MinInt64)}
	s := k.For(k.Index(0), n, none, func(i ir.Value, s []ir.Value) []ir.Value {
		x := k.WidenSigned(key(i), ir.I64)
		return []ir.Value{k.Min(s[0], x), k.Max(s[1], x)}
	})
	return s[0], s[1]
}

// What a dense table may have: denseSlots in any case, and one for every slotRows rows.
// With more, clearing it costs more than a search where there are few keys.
const (
	denseSlots = 1024
	slotRows   = 4
)

// DensePays is an i1: a dense table of a range of keys pays for n rows.
func DensePays(b *ir.Builder, low, high, n ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	most := k.Max(k.Div(k.Widen(n, ir.I64), k.Int(ir.I64, slotRows)), k.Int(ir.I64, denseSlots))
	return k.Is(arith.ULT, k.Sub(high, low), most)
}
