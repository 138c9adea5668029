package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// A Kind is what a component of a key is: a number of a type, or a string. It stands for
// Parts values.
type Kind struct{ elem ir.Type }

// Scalar is the kind of an integer of at most 64 bits, an index or a float: -0 and 0 are
// one key, and so are all NaN.
func Scalar(t ir.Type) Kind { return Kind{t} }

// String is the kind of a string: three values, memref<?xi8>, where it begins in that and
// how long it is, both index. All bytes of the memory are to have a value: more are read than
// the string has.
var String = Kind{}

// IsString reports a string.
func (k Kind) IsString() bool { return k == String }

// Type is the type of a number.
func (k Kind) Type() ir.Type { return k.elem }

// Parts is how many values a component has.
func (k Kind) Parts() int {
	if k.IsString() {
		return 3
	}
	return 1
}

// Bits is how many bits tell numbers of a kind apart.
func (k Kind) Bits(c *ir.Context) int { return c.Info(k.elem).Width }

// Split deals the values of a key out to its components.
func Split(kinds []Kind, vals []ir.Value) [][]ir.Value {
	out := make([][]ir.Value, len(kinds))
	for i, kind := range kinds {
		out[i], vals = vals[:kind.Parts()], vals[kind.Parts():]
	}
	return out
}

// Canonical is the number that stands for all that are one key with x: 0 for -0, and one
// NaN for all.
func (k Kit) Canonical(x ir.Value) ir.Value {
	t := k.Graph().Type(x)
	if !k.Ctx().IsFloat(t) {
		return x
	}
	zero := arith.Zero(k.Builder, t)
	x = k.Choose(arith.CmpF(k.Builder, arith.OEQ, x, zero), zero, x)
	nan := k.Const(t, quiet(t))
	return k.Choose(arith.CmpF(k.Builder, arith.UNO, x, x), nan, x)
}

// quiet is the NaN without sign and payload: all bits of the exponent, and the first
// behind.
func quiet(t ir.Type) ir.Val {
	bits := map[ir.Type]uint64{ir.F64: 0x7ff8 << 48, ir.F32: 0x7fc0 << 16, ir.F16: 0x7e00, ir.BF16: 0x7fc0}
	return ir.Val{Bits: bits[t]}
}

// Bits is a canonical number as an integer of its width: equal where the numbers are.
func (k Kit) Bits(x ir.Value) ir.Value {
	switch info := k.Ctx().Info(k.Graph().Type(x)); info.Kind {
	case ir.KindIndex:
		return k.Widen(x, ir.I64)
	case ir.KindFloat:
		return arith.Cast(k.Builder, arith.Bitcast, x, k.Ctx().Int(info.Width))
	}
	return x
}

// FromBits is the inverse of Bits.
func (k Kit) FromBits(x ir.Value, t ir.Type) ir.Value {
	if k.Ctx().IsFloat(t) {
		return arith.Cast(k.Builder, arith.Bitcast, x, t)
	}
	return k.Widen(x, t)
}

// Same compares two canonical numbers.
func (k Kit) Same(x, y ir.Value) ir.Value { return k.Is(arith.EQ, k.Bits(x), k.Bits(y)) }
