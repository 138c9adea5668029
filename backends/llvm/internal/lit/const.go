package lit

import (
	"fmt"
	"math"
	"strings"

	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// scalarLit returns the constant with the given bits, or nil.
func scalarLit(c *ir.Context, t ir.Type, bits uint64) *Lit {
	typ := LLType(c, t)
	info := c.Info(t)
	switch {
	case typ == nil:
		return nil
	case t == ir.I1:
		return Bit(bits&1 == 1)
	case t == ir.BF16:
		return &Lit{Typ: typ, Text: fmt.Sprint(bits & 0xFFFF)}
	case c.IsInt(t):
		return IntLit(typ, ir.Val{Bits: bits}.Int(info.Width))
	case c.IsFloat(t):
		if text := FloatText(t, bits); text != "" {
			return &Lit{Typ: typ, Text: text}
		}
	}
	return nil
}

// FloatText writes a float as LLVM does: f64 and f32 as the pattern of a double,
// the others as their own.
func FloatText(t ir.Type, bits uint64) string {
	switch t {
	case ir.F64:
		return fmt.Sprintf("0x%016X", bits)
	case ir.F32:
		return fmt.Sprintf("0x%016X", widen(uint32(bits)))
	case ir.F16:
		return fmt.Sprintf("0xH%04X", bits&0xFFFF)
	}
	return ""
}

// widen gives the double pattern of a float; a NaN keeps its payload.
func widen(b uint32) uint64 {
	if b&0x7F800000 == 0x7F800000 && b&0x7FFFFF != 0 {
		return uint64(b>>31)<<63 | 0x7FF<<52 | uint64(b&0x7FFFFF)<<29
	}
	return math.Float64bits(float64(math.Float32frombits(b)))
}

// ConstLit returns the constant of an attribute, or nil.
func ConstLit(c *ir.Context, a ir.Attr) *Lit {
	info := c.AttrInfo(a)
	switch info.Kind {
	case ir.AttrInt:
		return scalarLit(c, info.Type, uint64(info.Int))
	case ir.AttrFloat:
		return scalarLit(c, info.Type, info.Bits)
	}
	if c.Info(info.Type).Kind != ir.KindVector {
		return nil
	}
	if a, err := c.Elements(a); err == nil {
		return vectorLit(c, a, c.AttrInfo(a))
	}
	return nil
}

func vectorLit(c *ir.Context, a ir.Attr, info *ir.AttrInfo) *Lit {
	shaped := c.Info(info.Type)
	typ, ok := LLType(c, info.Type).(*types.VectorType)
	if shaped.Kind != ir.KindVector || !ok {
		return nil
	}
	elems := c.Elems(a)
	parts := make([]string, typ.Len)
	for i := range parts {
		k := i
		if info.Splat {
			k = 0
		}
		e := scalarLit(c, shaped.Elem, elems[k])
		if e == nil {
			return nil
		}
		parts[i] = e.String()
	}
	return &Lit{Typ: typ, Text: "<" + strings.Join(parts, ", ") + ">"}
}

// SplatOf makes a vector type's constant of one scalar, or the scalar itself for a
// scalar type.
func SplatOf(typ types.Type, e *Lit) *Lit {
	v, ok := typ.(*types.VectorType)
	if !ok {
		return e
	}
	parts := make([]string, v.Len)
	for i := range parts {
		parts[i] = e.String()
	}
	return &Lit{Typ: typ, Text: "<" + strings.Join(parts, ", ") + ">"}
}

// Number returns the value of a constant integer.
func Number(v value.Value) (int64, bool) {
	if l, ok := v.(*Lit); ok && l.isN {
		return l.num, true
	}
	return 0, false
}
