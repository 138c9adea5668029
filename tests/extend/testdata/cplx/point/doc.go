// Package point is a dialect of fixed-point numbers. It shows what package main and the toy do not: a type that becomes one
// part, which is no ir.Vector when it runs; an op on an array of such, which is lowered before the type is; an op that traps;
// and an op with a region that carries nothing.
package point

import (
	"errors"

	"github.com/irc-lang/irc/ir"
)

// q is the Go value of the type !fx.q<int, frac>: a number with a sign, of int bits before the point and frac behind it.
type q struct{ Int, Frac int64 }

func (t q) width() int { return int(t.Int + t.Frac) }

// clamp is the number of the type that is nearest to x, in units of its last bit.
func (t q) clamp(x int64) int64 {
	most := int64(1)<<(t.width()-1) - 1
	return max(-most-1, min(most, x))
}

var qType = ir.DefineType(&ir.TypeDef[q]{Name: "fx.q", Doc: "A number with some bits before the point, its sign among them, and some behind it.",
	Params: []ir.Param[q]{
		ir.IntParam("int", func(t *q) *int64 { return &t.Int }),
		ir.IntParam("frac", func(t *q) *int64 { return &t.Frac }),
	},
	Verify: func(_ *ir.Context, t q) error {
		if t.Int < 1 || t.Frac < 0 || t.Int+t.Frac > 30 {
			return errors.New("has at least the bit of its sign, and at most 30 bits")
		}
		return nil
	}})

// of is the format of a number, an operand of an op.
func of(c *ir.Call, i int) q {
	t, _ := qType.Of(c.Ctx(), c.ArgType(i))
	return t
}

// typeLowerings: from level arith on a number is its bits. When it runs it is a number too, which Split and Join
// have to say: without them it would be an ir.Vector of one.
var typeLowerings = ir.TypeLowerings{"arith": {qType: {
	Parts: func(c *ir.Context, t ir.Type) []ir.Type {
		f, _ := qType.Of(c, t)
		return []ir.Type{c.Int(f.width())}
	},
	Unpack: func(b *ir.Builder, x ir.Value) []ir.Value { return []ir.Value{b.Op(Raw, x)} },
	Pack:   func(b *ir.Builder, t ir.Type, parts []ir.Value) ir.Value { return pack(b, t, parts[0]) },
	Split:  func(_ *ir.Context, _ ir.Type, v ir.Val) []ir.Val { return []ir.Val{v} },
	Join:   func(_ *ir.Context, _ ir.Type, parts []ir.Val) ir.Val { return parts[0] },
}}}

func pack(b *ir.Builder, t ir.Type, bits ir.Value) ir.Value {
	return b.Must(ir.Call{Def: Pack, Args: []ir.Value{bits}, Type: t})
}
