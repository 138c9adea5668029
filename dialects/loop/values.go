package loop

import (
	"encoding/binary"
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Values of a running program: an array or a record is the ir.Vector of its elements or
// fields, a string a str, what is emitted an emits, groups are *Groups.

type str string

// emits are the tuples of a sequence, in order.
type emits []ir.Vector

// Str is a string as a value.
func Str(s string) ir.Val { return ir.Val{Ref: str(s)} }

// Text is the string that a value is.
func Text(v ir.Val) string { return string(v.Ref.(str)) }

// Groups are the groups of a bucket generator in the order in which their keys first
// appeared.
type Groups struct {
	Keys [][]ir.Val // of each group
	at   map[string]int
}

// find returns the place of a group, or -1.
func (g *Groups) find(c *ir.Context, ts []ir.Type, keys []ir.Val) int {
	if i, ok := g.at[string(keyOf(c, nil, ts, keys))]; ok {
		return i
	}
	return -1
}

// place is the place of a group, a new one if there is none yet.
func (g *Groups) place(c *ir.Context, ts []ir.Type, keys []ir.Val) (i int, isNew bool) {
	k := string(keyOf(c, nil, ts, keys))
	if i, ok := g.at[k]; ok {
		return i, false
	}
	if g.at == nil {
		g.at = map[string]int{}
	}
	i = len(g.Keys)
	g.at[k] = i
	kept := make([]ir.Val, len(keys))
	for k, x := range keys {
		kept[k] = canonicalVal(c, ts[k], x)
	}
	g.Keys = append(g.Keys, kept)
	return i, true
}

// canonicalVal is the key that groups keep for all that equal it: of the zeros 0, of what
// is no number NaN, and of a nullable without a value one whose value is zero.
func canonicalVal(c *ir.Context, t ir.Type, v ir.Val) ir.Val {
	fields, record := Fields(c, t)
	switch {
	case record && IsNullable(c, t) && !v.Ref.(ir.Vector)[1].Bool():
		return zeroVal(c, t)
	case record:
		out := make(ir.Vector, len(fields))
		for k, f := range fields {
			out[k] = canonicalVal(c, f.Type, v.Ref.(ir.Vector)[k])
		}
		return ir.Val{Ref: out}
	case c.IsFloat(t):
		switch x := v.Float(t); {
		case x == 0:
			return ir.FloatVal(0, t)
		case math.IsNaN(x):
			return ir.FloatVal(math.NaN(), t)
		}
	}
	return v
}

// keyOf appends what tells keys apart: all NaN are one, and so are the two zeros, and
// all values that are none.
func keyOf(c *ir.Context, out []byte, ts []ir.Type, keys []ir.Val) []byte {
	for i, t := range ts {
		fields, record := Fields(c, t)
		switch {
		case record && IsNullable(c, t) && !keys[i].Ref.(ir.Vector)[1].Bool():
			out = append(out, 0)
		case record:
			types := lists.Map(fields, func(f ir.Field) ir.Type { return f.Type })
			out = keyOf(c, append(out, 1), types, keys[i].Ref.(ir.Vector))
		case IsString(c, t):
			s := Text(keys[i])
			out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
		default:
			out = binary.LittleEndian.AppendUint64(out, canonical(c, t, keys[i]))
		}
	}
	return out
}

// canonical are the bits of a number that equal ones have in common.
func canonical(c *ir.Context, t ir.Type, v ir.Val) uint64 {
	if !c.IsFloat(t) {
		return v.Bits
	}
	switch x := v.Float(t); {
	case x == 0:
		return 0
	case math.IsNaN(x):
		return math.Float64bits(math.NaN())
	}
	return v.Bits
}

// lessKey orders two keys: -1, 0 or 1. NaN comes after numbers, true
// after false; no value before any, and a record goes by its fields.
func lessKey(c *ir.Context, t ir.Type, x, y ir.Val) int {
	if fields, ok := Fields(c, t); ok {
		a, b := x.Ref.(ir.Vector), y.Ref.(ir.Vector)
		if IsNullable(c, t) {
			if v, w := a[1].Bool(), b[1].Bool(); !v || !w {
				return falseFirst(v, w)
			}
		}
		for i, f := range fields {
			if d := lessKey(c, f.Type, a[i], b[i]); d != 0 {
				return d
			}
		}
		return 0
	}
	switch {
	case IsString(c, t):
		return compare(Text(x), Text(y))
	case c.IsFloat(t):
		a, b := x.Float(t), y.Float(t)
		if math.IsNaN(a) || math.IsNaN(b) {
			return falseFirst(math.IsNaN(a), math.IsNaN(b))
		}
		return compare(a, b)
	}
	w := c.Info(t).Width
	if w == 1 {
		return falseFirst(x.Bool(), y.Bool())
	}
	return compare(x.Int(w), y.Int(w))
}

// falseFirst puts false before true.
func falseFirst(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

func compare[T ~string | ~int64 | ~float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
