package interp

import (
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// FormatPrinted spells visible output; all engines use it.
func FormatPrinted(c *ir.Context, p Printed) string {
	if p.Kind == PrintText {
		return p.Text
	}
	return FormatVal(c, p.Val, p.Type) + "\n"
}

// FormatVal spells a value: floats as the shortest text that reads as the same
// number, vectors and memrefs as nested lists.
func FormatVal(c *ir.Context, v ir.Val, t ir.Type) string {
	return string(appendVal(nil, c, v, t, textForm))
}

// form is what differs between text and JSON.
type form struct{ quote bool }

var (
	textForm = form{}
	jsonForm = form{quote: true}
)

func appendVal(out []byte, c *ir.Context, v ir.Val, t ir.Type, f form) []byte {
	if v.IsPoison() {
		return f.word(out, "poison")
	}
	if s, ok := lookOf(c, t); ok {
		return appendShaped(out, c, v, t, s, f)
	}
	info := c.Info(t)
	if l := c.LoweringOf(t); l != nil && info.Kind != ir.KindTensor {
		return appendLowered(out, c, v, t, l, f)
	}
	switch x := v.Ref.(type) {
	case ir.Vector:
		at := 0
		return appendList(out, c, shapeOf(info, len(x)), info.Elem, f, func() ir.Val { at++; return x[at-1] })
	case *ir.Tensor:
		at := 0
		return appendList(out, c, x.Shape, info.Elem, f, func() ir.Val { at++; return x.Elems[at-1] })
	case *MemRef:
		return appendMemRef(out, c, x, f)
	case nil:
		return appendScalar(out, c, v, t, f)
	}
	return f.word(out, "<"+strings.TrimPrefix(info.Text, "!")+">")
}

// shapeOf returns the extents of a vector of n elements, one extent if its type
// does not give them.
func shapeOf(info *ir.TypeInfo, n int) []int64 {
	size := ir.Elements(info.Shape)
	if info.Kind == ir.KindComplex || size != int64(n) {
		return []int64{int64(n)}
	}
	return info.Shape
}

func (f form) word(out []byte, s string) []byte {
	if f.quote {
		return strconv.AppendQuote(out, s)
	}
	return append(out, s...)
}

func appendMemRef(out []byte, c *ir.Context, r *MemRef, f form) []byte {
	if r.Buf.Freed {
		return f.word(out, "freed")
	}
	if r.Check() != nil {
		return f.word(out, "out of bounds")
	}
	at := make([]int, 0, r.Len())
	r.Each(func(pos int) { at = append(at, pos) })
	i := 0
	return appendList(out, c, r.Sizes, r.Buf.Elem, f, func() ir.Val { i++; return r.Buf.Load(at[i-1]) })
}

// appendList spells the next elements in the given shape.
func appendList(out []byte, c *ir.Context, shape []int64, elem ir.Type, f form, next func() ir.Val) []byte {
	if len(shape) == 0 {
		return appendVal(out, c, next(), elem, f)
	}
	out = append(out, '[')
	for i := range shape[0] {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = appendList(out, c, shape[1:], elem, f, next)
	}
	return append(out, ']')
}

func appendScalar(out []byte, c *ir.Context, v ir.Val, t ir.Type, f form) []byte {
	info := c.Info(t)
	switch {
	case t == ir.I1:
		return strconv.AppendBool(out, v.Bool())
	case info.Kind == ir.KindInteger && info.Sign == ir.Unsigned:
		return strconv.AppendUint(out, v.Bits, 10)
	case info.Kind == ir.KindInteger || info.Kind == ir.KindIndex:
		return strconv.AppendInt(out, v.Int(info.Width), 10)
	case info.Kind == ir.KindFloat:
		return appendFloat(out, v.Float(t), t, f)
	case info.Kind == ir.KindNone:
		return f.word(out, "none")
	}
	return f.word(out, "<"+info.Text+">")
}

// appendFloat spells a float of type t by the fewest digits that read as it.
func appendFloat(out []byte, x float64, t ir.Type, f form) []byte {
	switch {
	case math.IsNaN(x):
		return f.word(out, "NaN")
	case math.IsInf(x, 1):
		return f.word(out, "Infinity")
	case math.IsInf(x, -1):
		return f.word(out, "-Infinity")
	case x == 0 && math.Signbit(x) && f.quote: // no integer, which would lose its sign in other languages
		return append(out, "-0.0"...)
	case t == ir.F32 || t == ir.F16 || t == ir.BF16: // the short ones are exact as f32
		return strconv.AppendFloat(out, x, 'g', -1, 32)
	}
	return strconv.AppendFloat(out, x, 'g', -1, 64)
}
