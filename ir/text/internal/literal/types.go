package literal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// maxWidth is MLIR's limit on the width of an integer type.
const maxWidth = 1<<24 - 1

// floatTypes are the float types known by name, with their width in bits.
var floatTypes = map[string]int{
	"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f80": 80, "f128": 128, "tf32": 19,
	"f8E5M2": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E5M2FNUZ": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8,
	"f8E3M4": 8, "f8E8M0FNU": 8, "f6E3M2FN": 6, "f6E2M3FN": 6, "f4E2M1FN": 4,
}

// Types reads types. What a word stands for is kept, as most types of a file are a word that came before.
type Types struct {
	in    *scan.Reader
	ctx   *ir.Context
	words map[string]ir.Type // types that are one word

	attrs   *Attrs       // layouts, spaces and encodings
	aliases *Aliases     // !name
	defs    *Definitions // !dialect.name
}

// Type reads a type.
func (p *Types) Type() ir.Type {
	t, ok := p.OptionalType()
	if !ok {
		p.in.Errorf(p.in.Tok.Start, "expected a type, found %s", p.in.Found())
	}
	return t
}

// OptionalType reads a type if one begins here.
func (p *Types) OptionalType() (ir.Type, bool) {
	if p.in.Index == nil {
		return p.typeHere()
	}
	start := p.in.Tok.Start
	t, ok := p.typeHere()
	if ok {
		p.in.Index.Add(index.Entry{Kind: index.Type, Start: start, End: p.in.Prev, Type: t})
	}
	return t, ok
}

// typeHere is OptionalType, of which the index is not told.
func (p *Types) typeHere() (ir.Type, bool) {
	switch p.in.Tok.Kind {
	case lex.Bang:
		return p.dialectType(), true
	case '(':
		in, out := p.FunctionType()
		return p.ctx.Func(in, out), true
	case lex.Ident:
		return p.namedType()
	}
	return 0, false
}

// namedType reads a type that begins with a word, if it is one of a type.
func (p *Types) namedType() (ir.Type, bool) {
	name := p.in.Text()
	if t, ok := p.words[name]; ok {
		p.in.Next()
		return t, true
	}
	switch name {
	case "index":
		p.in.Next()
		return ir.Index, true
	case "none":
		p.in.Next()
		return ir.None, true
	case "complex":
		return p.nest(p.complexType), true
	case "tuple":
		return p.nest(p.tupleType), true
	case "vector":
		return p.nest(p.vectorType), true
	case "tensor":
		return p.nest(p.tensorType), true
	case "memref":
		return p.nest(p.memrefType), true
	}
	if w, ok := floatTypes[name]; ok {
		p.in.Next()
		return p.remember(name, p.ctx.Type(ir.TypeInfo{Kind: ir.KindFloat, Width: w, Text: name})), true
	}
	return p.intType(name)
}

// nest reads a type that holds others, behind its word.
func (p *Types) nest(f func() ir.Type) ir.Type {
	p.in.Enter()
	p.in.Next()
	t := f()
	p.in.Leave()
	return t
}

// intType reads iN, siN and uiN.
func (p *Types) intType(name string) (ir.Type, bool) {
	digits, sign := name, ir.Signless
	switch {
	case strings.HasPrefix(name, "si"):
		digits, sign = name[2:], ir.Signed
	case strings.HasPrefix(name, "ui"):
		digits, sign = name[2:], ir.Unsigned
	case strings.HasPrefix(name, "i"):
		digits = name[1:]
	default:
		return 0, false
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	w, err := strconv.Atoi(digits)
	if err != nil || w > maxWidth {
		p.in.Errorf(p.in.Tok.Start, "integer types are at most %d bits wide", maxWidth)
	}
	p.in.Next()
	return p.remember(name, p.ctx.Type(ir.TypeInfo{Kind: ir.KindInteger, Width: w, Sign: sign})), true
}

// remember keeps the type that a word stands for.
func (p *Types) remember(word string, t ir.Type) ir.Type {
	if len(p.words) < 1000 {
		p.words[word] = t
	}
	return t
}

// complexType reads `<t>`.
func (p *Types) complexType() ir.Type {
	p.in.Expect("<")
	at := p.in.Tok.Start
	e := p.Type()
	if !p.ctx.IsFloat(e) && p.ctx.Info(e).Kind != ir.KindInteger {
		p.in.Errorf(at, "the elements of a complex type are integers or floats, not %s", p.defs.Show(e))
	}
	p.in.Expect(">")
	return p.ctx.Type(ir.TypeInfo{Kind: ir.KindComplex, Elem: e})
}

// tupleType reads `<t, ...>`.
func (p *Types) tupleType() ir.Type {
	var types []ir.Type
	p.in.List("<", ">", func() { types = append(types, p.Type()) })
	return p.ctx.Type(ir.TypeInfo{Kind: ir.KindTuple, Types: types})
}

// vectorType reads `<4x[4]xt>`.
func (p *Types) vectorType() ir.Type {
	at := p.in.Tok.Start
	info := ir.TypeInfo{Kind: ir.KindVector}
	p.shape(&info, false, true)
	for _, n := range info.Shape {
		if n <= 0 {
			p.in.Errorf(at, "extents of a vector are positive and known")
		}
	}
	at = p.in.Tok.Start
	info.Elem = p.Type()
	if k := p.ctx.Info(info.Elem).Kind; k != ir.KindInteger && k != ir.KindIndex && k != ir.KindFloat && k != ir.KindOpaque {
		p.in.Errorf(at, "the elements of a vector are integers, index or floats, not %s", p.defs.Show(info.Elem))
	}
	p.in.Expect(">")
	return p.ctx.Type(info)
}

// tensorType reads `<4x?xt, #encoding>`.
func (p *Types) tensorType() ir.Type {
	info := ir.TypeInfo{Kind: ir.KindTensor}
	p.shape(&info, true, false)
	info.Elem = p.elemType()
	if p.in.Tok.Kind == ',' {
		p.in.Next()
		info.Layout = p.attrs.Attr()
	}
	p.in.Expect(">")
	return p.ctx.Type(info)
}

// elemType reads the type of the elements of a tensor or a memref.
func (p *Types) elemType() ir.Type {
	at := p.in.Tok.Start
	t := p.Type()
	if info := p.ctx.Info(t); info.Kind == ir.KindFunction || info.Kind == ir.KindTuple || info.Kind == ir.KindTensor || info.Kind == ir.KindNone {
		p.in.Errorf(at, "%s is no element type", p.defs.Show(t))
	}
	return t
}

// notInMemory begin the types of MLIR's dialects that no memref holds; of others nothing is known.
var notInMemory = []string{"!llvm.", "!gpu.", "!nvgpu.", "!emitc."}

// memrefType reads `<4x?xt, layout, space>`; what follows the elements may be missing.
func (p *Types) memrefType() ir.Type {
	info := ir.TypeInfo{Kind: ir.KindMemRef}
	p.shape(&info, true, false)
	at := p.in.Tok.Start
	info.Elem = p.elemType()
	if p.ctx.Info(info.Elem).Kind == ir.KindOpaque {
		text := p.defs.Show(info.Elem)
		if slices.ContainsFunc(notInMemory, func(begin string) bool { return strings.HasPrefix(text, begin) }) {
			p.in.Errorf(at, "invalid memref element type: no memory holds %s", text)
		}
	}
	for p.in.Tok.Kind == ',' {
		p.in.Next()
		at := p.in.Tok.Start
		a := p.attrs.Attr()
		p.memrefPart(&info, a, at)
	}
	p.in.Expect(">")
	return p.ctx.Type(info)
}

// memrefPart takes an attribute of a memref type as its layout or its space.
func (p *Types) memrefPart(info *ir.TypeInfo, a ir.Attr, at int) {
	switch x := p.ctx.AttrInfo(a); {
	case info.Space != 0:
		p.in.Errorf(at, "a memref has one layout and one memory space")
	case x.Kind == ir.AttrMap || x.Kind == ir.AttrStrided:
		if info.Layout != 0 || info.Unranked {
			p.in.Errorf(at, "a memref has one layout, and none if it is unranked")
		}
		rank := len(x.Shape)
		if x.Kind == ir.AttrMap {
			rank = expr.MapOf(p.ctx, a).Dims
		}
		if rank != len(info.Shape) {
			p.in.Errorf(at, "the layout has %d dimensions, the memref %d", rank, len(info.Shape))
		}
		if x.Kind == ir.AttrMap && expr.MapOf(p.ctx, a).IsIdentity() {
			return
		}
		info.Layout = a
	case x.Kind == ir.AttrInt && x.Type == ir.I64 && x.Int == 0 && x.Big == nil:
		// the default space
	default:
		info.Space = a
	}
}

// shape reads `<4x?x[2]x` up to the element type.
func (p *Types) shape(info *ir.TypeInfo, dynamic, scalable bool) {
	if p.in.Tok.Kind != '<' {
		p.in.Errorf(p.in.Tok.Start, "expected '<', found %s", p.in.Found())
	}
	i := p.in.Tok.End
	if j := lex.SkipSpace(p.in.Src, i); dynamic && j < len(p.in.Src) && p.in.Src[j] == '*' {
		info.Unranked = true
		p.in.Reset(p.times(j + 1))
		return
	}
	for {
		i = lex.SkipSpace(p.in.Src, i)
		n, scales, end := p.extent(i, dynamic, scalable)
		if end < 0 {
			break
		}
		info.Shape = append(info.Shape, n)
		if scales && info.Scalable == nil {
			info.Scalable = make([]bool, len(info.Shape)-1)
		}
		if info.Scalable != nil {
			info.Scalable = append(info.Scalable, scales)
		}
		i = p.times(end)
	}
	p.in.Reset(i)
}

// extent reads one extent at i; end is -1 if there is none.
func (p *Types) extent(i int, dynamic, scalable bool) (n int64, scales bool, end int) {
	s := p.in.Src
	if i < len(s) && s[i] == '?' && dynamic {
		return ir.Dynamic, false, i + 1
	}
	at := i
	if i < len(s) && s[i] == '[' && scalable {
		scales = true
		i = lex.SkipSpace(s, i+1)
	}
	j := i
	for j < len(s) && lex.IsDigit(s[j]) {
		j++
	}
	if j == i {
		if scales {
			p.in.Reset(at)
			p.in.Errorf(at, "expected an extent after '['")
		}
		return 0, false, -1
	}
	if s[i] == '0' && j > i+1 {
		j = i + 1
	}
	n, err := strconv.ParseInt(s[i:j], 10, 64)
	if err != nil {
		p.in.Reset(at)
		p.in.Errorf(at, "an extent must be less than 2^63")
	}
	if scales {
		if j = lex.SkipSpace(s, j); j >= len(s) || s[j] != ']' {
			p.in.Reset(j)
			p.in.Errorf(j, "expected ']' after a scalable extent")
		}
		j++
	}
	return n, scales, j
}

// times reads the x after an extent.
func (p *Types) times(i int) int {
	if i = lex.SkipSpace(p.in.Src, i); i >= len(p.in.Src) || p.in.Src[i] != 'x' {
		p.in.Reset(i)
		p.in.Errorf(p.in.Tok.Start, "expected 'x' after an extent, found %s", p.in.Found())
	}
	return i + 1
}

// dialectType reads `!alias` or a dialect's own type.
func (p *Types) dialectType() ir.Type {
	name := p.in.Text()
	if strings.IndexByte(name, '.') < 0 && !p.in.OpaqueBody() {
		return p.aliases.alias().typ
	}
	if t, ok := p.defs.definedType(); ok {
		return t
	}
	return p.ctx.OpaqueType(p.opaque())
}

// ShortType reads the `<...>` of a dialect's own type that is kept as text (see AsText).
func (p *Types) ShortType(name string) ir.Type {
	start := p.in.Tok.Start
	end := p.in.SkipBalanced(start)
	text := lex.Tidy(name + p.aliases.expand(p.in.Src[start:end], start))
	p.in.Reset(end)
	return p.ctx.OpaqueType(prettyOpaque(text))
}

// opaque reads the text of a dialect's own type or attribute, without its sigil.
func (p *Types) opaque() string {
	start := p.in.Tok.Start + 1
	end := p.in.Tok.End
	if p.in.OpaqueBody() {
		end = p.in.SkipBalanced(end)
	}
	text := p.aliases.expand(p.in.Src[start:end], start)
	if d, _, _ := strings.Cut(text, "."); p.defs.dialects[d] || strings.IndexByte(text, '\n') >= 0 {
		text = lex.Tidy(text)
	}
	p.in.Reset(end)
	return prettyOpaque(text)
}

// prettyOpaque writes name<word...> as name.word..., as MLIR does where it can.
func prettyOpaque(text string) string {
	i := strings.IndexAny(text, ".<")
	if i <= 0 || text[i] == '.' || text[len(text)-1] != '>' || lex.IsDigit(text[0]) {
		return text
	}
	inner := text[i+1 : len(text)-1]
	j := 0
	for j < len(inner) && (lex.IsLetter(inner[j]) || j > 0 && lex.IsIdent(inner[j])) {
		j++
	}
	if j == 0 {
		return text
	}
	if j < len(inner) {
		if inner[j] != '<' {
			return text
		}
		if end, _ := lex.Balanced(inner, j); end != len(inner) {
			return text
		}
	}
	return text[:i] + "." + inner
}

// FunctionType reads `(t, ...) -> t` or `(t, ...) -> (t, ...)`.
func (p *Types) FunctionType() (in, out []ir.Type) {
	p.in.Enter()
	p.in.List("(", ")", func() { in = append(in, p.Type()) })
	if p.in.Tok.Kind != lex.Arrow {
		p.in.Errorf(p.in.Tok.Start, "expected '->', found %s", p.in.Found())
	}
	p.in.Next()
	if p.in.Tok.Kind == '(' {
		p.in.List("(", ")", func() { out = append(out, p.Type()) })
	} else {
		out = append(out, p.Type())
	}
	p.in.Leave()
	return in, out
}

// ArrowTypes reads `-> t` or `-> (t, ...)`, or nothing.
func (p *Types) ArrowTypes() (out []ir.Type) {
	if p.in.Tok.Kind != lex.Arrow {
		return nil
	}
	p.in.Next()
	if p.in.Tok.Kind == '(' {
		p.in.List("(", ")", func() { out = append(out, p.Type()) })
		return out
	}
	return append(out, p.Type())
}

// Types reads types separated by commas, at least one.
func (p *Types) Types() (out []ir.Type) {
	for {
		out = append(out, p.Type())
		if !p.in.Optional(",") {
			return out
		}
	}
}

// ColonType reads `: t`.
func (p *Types) ColonType() ir.Type {
	p.in.Expect(":")
	return p.Type()
}

// ColonTypes reads `: t, ...`.
func (p *Types) ColonTypes() []ir.Type {
	p.in.Expect(":")
	return p.Types()
}
