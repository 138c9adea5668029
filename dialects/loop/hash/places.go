package hash

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// places are the rows where searches begin: of a key x row ((x - low) * factor) >> shift, from 0
// up to last. With the factor hashFactor they are spread by a hash; with 1 and no
// shift, each key from low on has a row of its own.
type places struct {
	factor, low ir.Value // i64
	shift       ir.Value // i64
	last        ir.Value // index: the row behind it is that of the key 0
}

// hashFactor is 2^64 by the golden ratio: for it keys in a row lie apart as far as they can (Knuth,
// The Art of Computer Programming, volume 3, section 6.4, theorem S).
const hashFactor = -0x61c8864680b583eb

// hashed are the places of a table that has memory for so many groups, a power of two.
func hashed(k kit.Kit, groups int64) places {
	n, shift := groups*perGroup, int64(64)
	for i := n; i > 1; i /= 2 {
		shift--
	}
	return places{k.Int(ir.I64, hashFactor), k.Int(ir.I64, 0), k.Int(ir.I64, shift), k.Index(n - 1)}
}

// state is what a loop carries of it: no more than shift and last, if the range of keys does
// not matter.
func (p places) state(t *Table) []ir.Value {
	if t.ranged() {
		return []ir.Value{p.shift, p.last, p.factor, p.low}
	}
	return []ir.Value{p.shift, p.last}
}

func (p *places) set(t *Table, state []ir.Value) (rest []ir.Value) {
	p.shift, p.last, state = state[0], state[1], state[2:]
	if t.ranged() {
		p.factor, p.low, state = state[0], state[1], state[2:]
	}
	return state
}

// doubled are twice as many places.
func (p places) doubled(k kit.Kit) places {
	p.shift, p.last = k.Last(p.shift), k.Next(k.Add(p.last, p.last))
	return p
}

// hash spreads a number over the top bits: a product with an odd number takes all bits below
// there.
func (p places) hash(k kit.Kit, word ir.Value) ir.Value { return k.Mul(k.Sub(word, p.low), p.factor) }

// of is the row where the search for a hash begins.
func (p places) of(k kit.Kit, hash ir.Value) ir.Value {
	return k.Widen(k.Shr(hash, p.shift), ir.Index)
}

// zero is the row of the key 0: the one behind those that a hash may give.
func (p places) zero(k kit.Kit) ir.Value { return k.Next(p.last) }

// after is the row behind one, the first behind the last. (With a row for each key none is
// asked for: a row is empty or has the key.)
func (p places) after(k kit.Kit, at ir.Value) ir.Value { return k.And(k.Next(at), p.last) }

// With manyGroups, no power of two above it, the range of keys is looked at. A row for each
// pays if there are no more of them than rangePerGroup for a group and one for rowsPerRange
// rows: memory stays small beside that of the rows, and groups close enough for caches.
const (
	manyGroups    = 1 << 16
	rangePerGroup = 32
	rowsPerRange  = 4
)

// onePerKey are the places of a table with a row for each key in a range, for how many groups
// there is room then, and whether that pays.
func (t *Table) onePerKey(k kit.Kit) (p places, groups, pays ir.Value) {
	low, high, rows := t.Range()
	span := k.Sub(high, low)
	most := k.Min(k.Div(k.Widen(rows, ir.I64), k.Int(ir.I64, rowsPerRange)), k.Int(ir.I64, manyGroups*rangePerGroup))
	pays = k.Is(arith.ULT, span, most)
	zero, one := k.Int(ir.I64, 0), k.Int(ir.I64, 1)
	last := k.Widen(span, ir.Index)
	return places{one, low, zero, last}, k.Add(last, k.Index(int64(1+t.Extra))), pays
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
