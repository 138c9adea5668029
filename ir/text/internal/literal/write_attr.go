package literal

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/number"
)

// Attr prints an attribute with its type.
func (w *Writer) Attr(a ir.Attr) { w.attr(a, true) }

// AttrNoType prints an attribute without the type that a number or string has.
func (w *Writer) AttrNoType(a ir.Attr) { w.attr(a, false) }

// elided prints an attribute without a type that reading would add: i64 of an
// integer, f64 of a decimal.
func (w *Writer) elided(a ir.Attr) {
	typed := true
	switch kind, t := w.ctx.KindOf(a), w.ctx.TypeOf(a); {
	case kind == ir.AttrInt:
		typed = t != ir.I64
	case kind == ir.AttrFloat && t == ir.F64:
		bits, _ := w.ctx.Number(a)
		typed = bits>>52&0x7FF == 0x7FF // a pattern would be read as an integer
	}
	w.attr(a, typed)
}

// attr prints an attribute. Reading `1` gives i64 where nothing else is wanted, so the type of a number is said unless it is
// known where the number stands.
func (w *Writer) attr(a ir.Attr, typed bool) {
	if bits, ok := w.ctx.Number(a); ok {
		w.number(a, bits, w.ctx.TypeOf(a), typed)
		return
	}
	info := w.ctx.AttrInfo(a)
	switch info.Kind {
	case ir.AttrUnit:
		w.Str("unit")
	case ir.AttrInt:
		w.Str(info.Big.String())
		w.suffix(info.Type, typed)
	case ir.AttrString:
		w.Quoted(info.Str)
		w.suffix(info.Type, typed)
	case ir.AttrType:
		w.Type(info.Type)
	case ir.AttrArray:
		w.Byte('[')
		for i, x := range info.List {
			if i > 0 {
				w.Str(", ")
			}
			w.elided(x)
		}
		w.Byte(']')
	case ir.AttrDict:
		w.Byte('{')
		w.Entries(info.Dict)
		w.Byte('}')
	case ir.AttrSymbol:
		w.Symbol(info.Str)
		for _, x := range info.List {
			w.Str("::")
			w.Symbol(w.ctx.AttrInfo(x).Str)
		}
	default:
		w.longAttr(info, typed)
	}
}

// suffix prints ` : t`.
func (w *Writer) suffix(t ir.Type, typed bool) {
	if typed && t != ir.NoType {
		w.Str(" : ")
		w.Type(t)
	}
}

// number prints an integer or a float of up to 64 bits.
func (w *Writer) number(a ir.Attr, bits uint64, t ir.Type, typed bool) {
	switch {
	case w.ctx.KindOf(a) == ir.AttrFloat:
		w.floatAttr(a, bits, t)
	case t == ir.I1:
		w.bool(bits&1 == 1)
		return
	default:
		w.integer(int64(bits), t)
	}
	w.suffix(t, typed)
}

// bool prints a number of one bit, as MLIR does.
func (w *Writer) bool(v bool) {
	if v {
		w.Str("true")
	} else {
		w.Str("false")
	}
}

// integer prints an integer by the sign of its type: the bits of a signed one of one bit are 0 and -1.
func (w *Writer) integer(n int64, t ir.Type) {
	switch info := w.ctx.Info(t); {
	case info.Sign == ir.Unsigned:
		w.Buf = strconv.AppendUint(w.Buf, uint64(n), 10)
	case info.Sign == ir.Signed && info.Width == 1:
		w.Int(-n)
	default:
		w.Int(n)
	}
}

// floatAttr prints a float; the text of each is made once.
func (w *Writer) floatAttr(a ir.Attr, bits uint64, t ir.Type) {
	if s, ok := w.floats[a]; ok {
		w.Str(s)
		return
	}
	s := w.floatText(bits, t)
	if w.floats != nil {
		w.floats[a] = s
	}
	w.Str(s)
}

// floatText is the shortest decimal that reads as the same bits, or the bits of a format that has no decimals.
func (w *Writer) floatText(bits uint64, t ir.Type) string {
	info := w.ctx.Info(t)
	if f, ok := number.FormatOf(info.Text); ok {
		return f.Text(bits)
	}
	return "0x" + strings.ToUpper(number.PadHex(strconv.FormatUint(bits, 16), (info.Width+3)/4))
}

// longAttr prints the attributes that are written word<...>.
func (w *Writer) longAttr(info *ir.AttrInfo, typed bool) {
	if w.elide && w.elides(info) {
		w.Str("dense_resource<__elided__>")
		w.suffix(info.Type, typed)
		return
	}
	switch info.Kind {
	case ir.AttrMap:
		w.Str("affine_map<", info.Str, ">")
	case ir.AttrSet:
		w.Str("affine_set<", info.Str, ">")
	case ir.AttrStrided:
		w.stridedAttr(info)
	case ir.AttrDense:
		w.denseAttr(info)
		w.suffix(info.Type, typed)
	case ir.AttrDenseText:
		w.Str("dense<", info.Str, ">")
		w.suffix(info.Type, typed)
	case ir.AttrDenseArray:
		w.denseArray(info)
	case ir.AttrOpaque:
		w.keepBlobs(info)
		w.Str("#", info.Str)
		w.suffix(info.Type, typed)
	case ir.AttrDefined:
		w.Str("#", info.Str)
		if s := w.ctx.AttrDefNamed(info.Str); s != nil {
			w.formats.Write(w, s, info.List)
		}
	case ir.AttrOther:
		w.keepBlobs(info)
		w.Str(info.Str)
		w.suffix(info.Type, typed)
	case ir.AttrLoc:
		w.Str("loc(", info.Str, ")")
	case ir.AttrProps:
		w.Byte('{')
		w.Entries(info.Dict)
		w.Byte('}')
	default:
		w.Str("<invalid attribute>")
	}
}

// elides reports elements that are too many to be printed.
func (w *Writer) elides(info *ir.AttrInfo) bool {
	n, shape := int64(1), w.ctx.Info(info.Type).Shape
	switch {
	case (info.Kind == ir.AttrDense || info.Kind == ir.AttrDenseText) && !info.Splat:
		for _, extent := range shape {
			n = ir.Times(n, extent)
		}
	case info.Kind == ir.AttrOther && strings.HasPrefix(info.Str, "sparse<"): // MLIR counts its indices
		n = int64((strings.Count(info.Str, ",") + 1) * len(shape) / (len(shape) + 1))
	default:
		return false
	}
	return n > w.maxElements
}

// stridedAttr prints strided<[4, ?], offset: ?>; an offset of 0 is not said.
func (w *Writer) stridedAttr(info *ir.AttrInfo) {
	w.Str("strided<[")
	for i, n := range info.Shape {
		if i > 0 {
			w.Str(", ")
		}
		w.Extent(n)
	}
	w.Byte(']')
	if info.Int != 0 {
		w.Str(", offset: ")
		w.Extent(info.Int)
	}
	w.Byte('>')
}

// hexElements is the number of elements beyond which MLIR prints hexadecimal.
const hexElements = 100

// denseAttr prints dense<...> without its type.
func (w *Writer) denseAttr(info *ir.AttrInfo) {
	t := w.ctx.Info(info.Type)
	width, size := w.ctx.Info(t.Elem).Width, w.ctx.ElemSize(t.Elem)
	w.Str("dense<")
	switch n := len(info.Str) / size; {
	case n == 0:
	case info.Splat:
		w.scalar(elem(info.Str, 0, size), t.Elem, width)
	case n > hexElements:
		w.hexElements(info.Str, n, width)
	default:
		w.nested(info.Str, t.Shape, size, func(bits uint64) { w.scalar(bits, t.Elem, width) })
	}
	w.Byte('>')
}

// hexElements prints elements as the bytes of their memory; those of one bit are packed, the lowest first.
func (w *Writer) hexElements(data string, n, width int) {
	const hex = "0123456789ABCDEF"
	if width == 1 {
		packed := make([]byte, (n+7)/8)
		for i := range n {
			packed[i/8] |= (data[i] & 1) << (i % 8)
		}
		data = string(packed)
	}
	w.Str(`"0x`)
	for i := 0; i < len(data); i++ {
		w.Buf = append(w.Buf, hex[data[i]>>4], hex[data[i]&15])
	}
	w.Byte('"')
}

// elem is the bits of an element, of which the lowest byte comes first.
func elem(data string, i, size int) uint64 {
	x := uint64(0)
	for j := size - 1; j >= 0; j-- {
		x = x<<8 | uint64(data[i*size+j])
	}
	return x
}

// nested prints data as lists within lists, and returns what is left of them.
func (w *Writer) nested(data string, shape []int64, size int, scalar func(uint64)) string {
	if len(shape) == 0 {
		scalar(elem(data, 0, size))
		return data[size:]
	}
	w.Byte('[')
	for i := int64(0); i < shape[0]; i++ {
		if i > 0 {
			w.Str(", ")
		}
		data = w.nested(data, shape[1:], size, scalar)
	}
	w.Byte(']')
	return data
}

// scalar prints an element of dense data.
func (w *Writer) scalar(bits uint64, t ir.Type, width int) {
	switch {
	case w.ctx.IsFloat(t):
		w.Str(w.floatText(bits, t))
	case width == 1: // of any sign
		w.bool(bits&1 == 1)
	case width == 0:
		w.Byte('0')
	case w.ctx.Info(t).Sign == ir.Unsigned:
		w.Buf = strconv.AppendUint(w.Buf, bits&mask(width), 10)
	default:
		w.Int(int64(bits<<(64-width)) >> (64 - width))
	}
}

// denseArray prints array<t: 1, 2>.
func (w *Writer) denseArray(info *ir.AttrInfo) {
	width, size := w.ctx.Info(info.Type).Width, w.ctx.ElemSize(info.Type)
	w.Str("array<")
	w.Type(info.Type)
	for i := range len(info.Str) / size {
		if i == 0 {
			w.Str(": ")
		} else {
			w.Str(", ")
		}
		w.scalar(elem(info.Str, i, size), info.Type, width)
	}
	w.Byte('>')
}
