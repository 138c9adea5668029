package text

import (
	"sort"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
)

func sorted(list []ir.NamedAttr) []ir.NamedAttr {
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// show returns the text of a type, for messages.
func (p *Parser) show(t ir.Type) string { return TypeString(p.ctx, t) }

// AttrString returns the text of an attribute.
func AttrString(c *ir.Context, a ir.Attr) string {
	p := newTextPrinter(c)
	p.Attr(a)
	return string(p.buf)
}

func newTextPrinter(c *ir.Context) *Printer { return &Printer{ctx: c} }

// Attr prints an attribute with its type.
func (p *Printer) Attr(a ir.Attr) { p.attr(a, true) }

// AttrNoType prints an attribute without the type that a number or string has.
func (p *Printer) AttrNoType(a ir.Attr) { p.attr(a, false) }

// elided prints an attribute without a type that reading would add: i64 of an
// integer, f64 of a decimal.
func (p *Printer) elided(a ir.Attr) {
	typed := true
	switch kind, t := p.ctx.KindOf(a), p.ctx.TypeOf(a); {
	case kind == ir.AttrInt:
		typed = t != ir.I64
	case kind == ir.AttrFloat && t == ir.F64:
		bits, _ := p.ctx.Number(a)
		typed = bits>>52&0x7FF == 0x7FF // a pattern would be read as an integer
	}
	p.attr(a, typed)
}

func (p *Printer) attr(a ir.Attr, typed bool) {
	if bits, ok := p.ctx.Number(a); ok {
		p.number(a, bits, p.ctx.TypeOf(a), typed)
		return
	}
	info := p.ctx.AttrInfo(a)
	switch info.Kind {
	case ir.AttrUnit:
		p.Str("unit")
	case ir.AttrInt:
		p.Str(info.Big.String())
		p.suffix(info.Type, typed)
	case ir.AttrString:
		p.Quoted(info.Str)
		p.suffix(info.Type, typed)
	case ir.AttrType:
		p.Type(info.Type)
	case ir.AttrArray:
		p.byte('[')
		for i, x := range info.List {
			if i > 0 {
				p.Str(", ")
			}
			p.elided(x)
		}
		p.byte(']')
	case ir.AttrDict:
		p.byte('{')
		p.entries(info.Dict)
		p.byte('}')
	case ir.AttrSymbol:
		p.Symbol(info.Str)
		for _, x := range info.List {
			p.Str("::")
			p.Symbol(p.ctx.AttrInfo(x).Str)
		}
	default:
		p.longAttr(info, typed)
	}
}

func (p *Printer) suffix(t ir.Type, typed bool) {
	if typed && t != ir.NoType {
		p.Str(" : ")
		p.Type(t)
	}
}

// number prints an integer or a float of up to 64 bits.
func (p *Printer) number(a ir.Attr, bits uint64, t ir.Type, typed bool) {
	switch {
	case p.ctx.KindOf(a) == ir.AttrFloat:
		p.floatAttr(a, bits, t)
	case t == ir.I1:
		p.bool(bits&1 == 1)
		return
	default:
		p.integer(int64(bits), t)
	}
	p.suffix(t, typed)
}

func (p *Printer) bool(v bool) {
	if v {
		p.Str("true")
	} else {
		p.Str("false")
	}
}

func (p *Printer) integer(n int64, t ir.Type) {
	switch info := p.ctx.Info(t); {
	case info.Sign == ir.Unsigned:
		p.buf = strconv.AppendUint(p.buf, uint64(n), 10)
	case info.Sign == ir.Signed && info.Width == 1:
		p.Int(-n)
	default:
		p.Int(n)
	}
}

// floatAttr prints a float; the text of each is made once.
func (p *Printer) floatAttr(a ir.Attr, bits uint64, t ir.Type) {
	if s, ok := p.floats[a]; ok {
		p.Str(s)
		return
	}
	s := p.floatText(bits, t)
	if p.floats != nil {
		p.floats[a] = s
	}
	p.Str(s)
}

func (p *Printer) floatText(bits uint64, t ir.Type) string {
	info := p.ctx.Info(t)
	if f, ok := number.FormatOf(info.Text); ok {
		return f.Text(bits)
	}
	return "0x" + strings.ToUpper(number.PadHex(strconv.FormatUint(bits, 16), (info.Width+3)/4))
}

// longAttr prints the attributes that are written word<...>.
func (p *Printer) longAttr(info *ir.AttrInfo, typed bool) {
	if p.opts.Elide && p.elides(info) {
		p.Str("dense_resource<__elided__>")
		p.suffix(info.Type, typed)
		return
	}
	switch info.Kind {
	case ir.AttrMap:
		p.Str("affine_map<", info.Str, ">")
	case ir.AttrSet:
		p.Str("affine_set<", info.Str, ">")
	case ir.AttrStrided:
		p.stridedAttr(info)
	case ir.AttrDense:
		p.denseAttr(info)
		p.suffix(info.Type, typed)
	case ir.AttrDenseText:
		p.Str("dense<", info.Str, ">")
		p.suffix(info.Type, typed)
	case ir.AttrDenseArray:
		p.denseArray(info)
	case ir.AttrOpaque:
		p.keepBlobs(info)
		p.Str("#", info.Str)
		p.suffix(info.Type, typed)
	case ir.AttrDefined:
		p.Str("#", info.Str)
		if s := p.ctx.AttrDefNamed(info.Str); s != nil {
			p.defined(s, info.List)
		}
	case ir.AttrOther:
		p.keepBlobs(info)
		p.Str(info.Str)
		p.suffix(info.Type, typed)
	case ir.AttrLoc:
		p.Str("loc(", info.Str, ")")
	case ir.AttrProps:
		p.byte('{')
		p.entries(info.Dict)
		p.byte('}')
	default:
		p.Str("<invalid attribute>")
	}
}

// elides reports elements that are too many to be printed.
func (p *Printer) elides(info *ir.AttrInfo) bool {
	n, shape := int64(1), p.ctx.Info(info.Type).Shape
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
	return n > p.opts.MaxElements
}

func (p *Printer) stridedAttr(info *ir.AttrInfo) {
	p.Str("strided<[")
	for i, n := range info.Shape {
		if i > 0 {
			p.Str(", ")
		}
		p.extent(n)
	}
	p.byte(']')
	if info.Int != 0 {
		p.Str(", offset: ")
		p.extent(info.Int)
	}
	p.byte('>')
}

// entries prints `name = value, ...`.
func (p *Printer) entries(list []ir.NamedAttr) {
	for i, e := range list {
		if i > 0 {
			p.Str(", ")
		}
		p.entry(e)
	}
}

func (p *Printer) entry(e ir.NamedAttr) {
	if isBare(e.Name) {
		p.Str(e.Name)
	} else {
		p.Quoted(e.Name)
	}
	if p.ctx.KindOf(e.Value) != ir.AttrUnit {
		p.Str(" = ")
		p.Attr(e.Value)
	}
}

// isBare reports a name that is printed without quotes.
func isBare(s string) bool {
	if s == "" || !lex.IsLetter(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !lex.IsIdent(s[i]) {
			return false
		}
	}
	return true
}

// Quoted prints a string in quotes.
func (p *Printer) Quoted(s string) {
	const hex = "0123456789ABCDEF"
	p.byte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			p.Str(`\\`)
		case c < ' ' || c >= 0x7F || c == '"':
			p.buf = append(p.buf, '\\', hex[c>>4], hex[c&15])
		default:
			p.buf = append(p.buf, c)
		}
	}
	p.byte('"')
}

// Symbol prints @name.
func (p *Printer) Symbol(s string) {
	p.byte('@')
	if isBare(s) {
		p.Str(s)
	} else {
		p.Quoted(s)
	}
}

// hexElements is the number of elements beyond which MLIR prints hexadecimal.
const hexElements = 100

func (p *Printer) denseAttr(info *ir.AttrInfo) {
	t := p.ctx.Info(info.Type)
	width, size := p.ctx.Info(t.Elem).Width, p.ctx.ElemSize(t.Elem)
	p.Str("dense<")
	switch n := len(info.Str) / size; {
	case n == 0:
	case info.Splat:
		p.scalar(elem(info.Str, 0, size), t.Elem, width)
	case n > hexElements:
		p.hexElements(info.Str, n, width)
	default:
		p.nested(info.Str, t.Shape, size, func(bits uint64) { p.scalar(bits, t.Elem, width) })
	}
	p.byte('>')
}

func (p *Printer) hexElements(data string, n, width int) {
	const hex = "0123456789ABCDEF"
	if width == 1 {
		packed := make([]byte, (n+7)/8)
		for i := range n {
			packed[i/8] |= (data[i] & 1) << (i % 8)
		}
		data = string(packed)
	}
	p.Str(`"0x`)
	for i := 0; i < len(data); i++ {
		p.buf = append(p.buf, hex[data[i]>>4], hex[data[i]&15])
	}
	p.byte('"')
}

func elem(data string, i, size int) uint64 {
	x := uint64(0)
	for j := size - 1; j >= 0; j-- {
		x = x<<8 | uint64(data[i*size+j])
	}
	return x
}

func (p *Printer) nested(data string, shape []int64, size int, scalar func(uint64)) string {
	if len(shape) == 0 {
		scalar(elem(data, 0, size))
		return data[size:]
	}
	p.byte('[')
	for i := int64(0); i < shape[0]; i++ {
		if i > 0 {
			p.Str(", ")
		}
		data = p.nested(data, shape[1:], size, scalar)
	}
	p.byte(']')
	return data
}

// scalar prints an element of dense data.
func (p *Printer) scalar(bits uint64, t ir.Type, width int) {
	switch {
	case p.ctx.IsFloat(t):
		p.Str(p.floatText(bits, t))
	case width == 1: // of any sign
		p.bool(bits&1 == 1)
	case width == 0:
		p.byte('0')
	case p.ctx.Info(t).Sign == ir.Unsigned:
		p.buf = strconv.AppendUint(p.buf, bits&mask(width), 10)
	default:
		p.Int(int64(bits<<(64-width)) >> (64 - width))
	}
}

func (p *Printer) denseArray(info *ir.AttrInfo) {
	width, size := p.ctx.Info(info.Type).Width, p.ctx.ElemSize(info.Type)
	p.Str("array<")
	p.Type(info.Type)
	for i := range len(info.Str) / size {
		if i == 0 {
			p.Str(": ")
		} else {
			p.Str(", ")
		}
		p.scalar(elem(info.Str, i, size), info.Type, width)
	}
	p.byte('>')
}

// hexadecimal prints bytes as a string "0x...".
func (p *Printer) hexadecimal(data string) {
	const digits = "0123456789ABCDEF"
	p.Str(`"0x`)
	for i := range len(data) {
		p.buf = append(p.buf, digits[data[i]>>4], digits[data[i]&15])
	}
	p.byte('"')
}
