package literal

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// Attrs reads attributes. A number has the type that stands behind it, or the one that is wanted where it stands.
type Attrs struct {
	in     *scan.Reader
	ctx    *ir.Context
	unique map[string]string // what distinct attributes stand for

	types     *Types       // of numbers and elements, and as attributes
	aliases   *Aliases     // #name
	resources *Resources   // dense_resource<key>, and keys in texts of other dialects
	places    *Places      // loc(...)
	defs      *Definitions // #dialect.name
}

// Attr reads an attribute.
func (p *Attrs) Attr() ir.Attr {
	p.in.Enter()
	a := p.attr(ir.NoType)
	p.in.Leave()
	return a
}

// AttrOf reads an attribute; a number without a type has type t.
func (p *Attrs) AttrOf(t ir.Type) ir.Attr {
	p.in.Enter()
	a := p.attr(t)
	p.in.Leave()
	return a
}

// attr reads an attribute. Without a wanted type the text says the type of a number, or it is i64 or f64.
func (p *Attrs) attr(want ir.Type) ir.Attr {
	c := p.ctx
	switch p.in.Tok.Kind {
	case lex.Int, lex.Float, '-':
		return p.number(want)
	case lex.String:
		s := p.in.String()
		if p.in.Tok.Kind == ':' && want == ir.NoType {
			return c.Attr(ir.AttrInfo{Kind: ir.AttrString, Str: s, Type: p.types.ColonType()})
		}
		return c.StringAttr(s)
	case lex.At:
		return p.symbolRef()
	case '[':
		var list []ir.Attr
		p.in.List("[", "]", func() { list = append(list, p.Attr()) })
		return c.ArrayAttr(list...)
	case '{':
		var list []ir.NamedAttr
		var seen map[string]bool
		p.Dict(func(e ir.NamedAttr, at int) {
			p.Once(&seen, e.Name, at, list)
			list = append(list, e)
		})
		return c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: Sorted(list)})
	case lex.Hash:
		return p.dialectAttr(want)
	case lex.Ident:
		if a, ok := p.namedAttr(want); ok {
			return a
		}
	}
	t, ok := p.types.OptionalType()
	if !ok {
		p.in.Errorf(p.in.Tok.Start, "expected an attribute, found %s", p.in.Found())
	}
	return c.TypeAttr(t)
}

// Dict reads `{name = value, ...}`; a name without a value is a unit attribute.
func (p *Attrs) Dict(add func(e ir.NamedAttr, at int)) {
	p.in.List("{", "}", func() {
		at := p.in.Tok.Start
		var name string
		switch p.in.Tok.Kind {
		case lex.String:
			name = p.in.String()
		case lex.Ident:
			name = p.in.Keyword()
		default:
			p.in.Errorf(at, "expected the name of an attribute, found %s", p.in.Found())
		}
		if name == "" {
			p.in.Errorf(at, "an attribute has a name")
		}
		value := p.ctx.UnitAttr()
		if p.in.Optional("=") {
			value = p.Attr()
		}
		add(ir.NamedAttr{Name: name, Value: value}, at)
	})
}

// symbolRef reads `@a::@b`.
func (p *Attrs) symbolRef() ir.Attr {
	info := ir.AttrInfo{Kind: ir.AttrSymbol, Str: p.in.Symbol()}
	for p.in.Tok.Kind == lex.Colons {
		p.in.Next()
		info.List = append(info.List, p.ctx.StringAttr(p.in.Symbol()))
	}
	return p.ctx.Attr(info)
}

// namedAttr reads an attribute that begins with a word.
func (p *Attrs) namedAttr(want ir.Type) (ir.Attr, bool) {
	c := p.ctx
	switch p.in.Text() {
	case "true", "false":
		v := p.in.Keyword() == "true"
		if want != ir.NoType && p.ctx.IsInt(want) && p.ctx.Info(want).Width == 1 {
			return c.IntAttr(b2i(v), want), true // of any sign
		}
		if want != ir.NoType {
			return p.intAttr(big.NewInt(b2i(v)), want, p.in.Prev), true
		}
		return c.BoolAttr(v), true
	case "unit":
		p.in.Next()
		return c.UnitAttr(), true
	case "affine_map", "affine_set":
		return p.affine(), true
	case "dense":
		return p.dense(want), true
	case "array":
		return p.denseArray(), true
	case "strided":
		return p.strided(), true
	case "loc":
		return p.places.Loc(), true
	case "dense_resource":
		return p.resourceAttr(want), true
	case "sparse":
		return p.sparse(want), true
	case "distinct":
		return p.distinct(), true
	}
	return 0, false
}

// b2i is 1 for true.
func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// number reads an integer or float with its type.
func (p *Attrs) number(want ir.Type) ir.Attr {
	at, neg := p.in.Tok.Start, p.in.Optional("-")
	k, text := p.in.Tok.Kind, p.in.Text()
	if k != lex.Int && k != lex.Float {
		p.in.Errorf(p.in.Tok.Start, "expected a number, found %s", p.in.Found())
	}
	p.in.Next()
	t := want
	if p.in.Tok.Kind == ':' && want == ir.NoType {
		p.in.Next()
		tat := p.in.Tok.Start
		t = p.types.Type()
		if !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) {
			p.in.Errorf(tat, "%s is no type of a number", p.defs.Show(t))
		}
	}
	if t == ir.NoType {
		if t = ir.I64; k == lex.Float {
			t = ir.F64
		}
	}
	if p.ctx.IsFloat(t) {
		return p.floatAttr(text, neg, t, at)
	}
	if k == lex.Float || !p.ctx.IsInt(t) {
		p.in.Errorf(at, "a number is written where %s is wanted", p.defs.Show(t))
	}
	if w := p.ctx.Info(t).Width; len(text) <= 9 && w > 31 && w <= 64 && !strings.HasPrefix(text, "0x") && !(neg && p.ctx.Info(t).Sign == ir.Unsigned) {
		n, _ := strconv.ParseInt(text, 10, 64) // up to nine digits are in range
		if neg {
			n = -n
		}
		return p.ctx.IntAttr(n, t)
	}
	return p.intAttr(p.bigInt(text, neg, p.ctx.Info(t).Width, at), t, at)
}

// maxDigits bounds the digits of an integer: converting them takes time that
// grows faster than their number.
const maxDigits = 100000

// bigInt reads digits of an integer that is to have at most width bits.
func (p *Attrs) bigInt(text string, neg bool, width, at int) *big.Int {
	if len(text) > maxDigits {
		p.in.Errorf(at, "integers of more than %d digits are not read", maxDigits)
	}
	n := new(big.Int)
	if strings.HasPrefix(text, "0x") {
		if text = strings.TrimLeft(text[2:], "0"); len(text) <= width/4+1 {
			n.SetString("0"+text, 16)
		} else {
			n = nil
		}
	} else if text = strings.TrimLeft(text, "0"); len(text) <= width/3+1 {
		n.SetString("0"+text, 10)
	} else {
		n = nil
	}
	if n == nil {
		p.in.Errorf(at, "integer is out of range: it has more than %d bits", width)
	}
	if neg {
		n.Neg(n)
	}
	return n
}

// intAttr checks the range of n and wraps it: an unsigned pattern of a signless
// type stands for the negative number.
func (p *Attrs) intAttr(n *big.Int, t ir.Type, at int) ir.Attr {
	info := p.ctx.Info(t)
	w := uint(info.Width)
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), w)
	switch {
	case info.Sign == ir.Signed:
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	case info.Sign != ir.Unsigned:
		lo.Rsh(hi, 1)
		lo.Neg(lo)
	}
	if w == 0 {
		hi.SetInt64(1)
	}
	if n.Cmp(lo) < 0 || n.Cmp(hi) >= 0 {
		p.in.Errorf(at, "integer is out of range of %s", p.defs.Show(t))
	}
	if info.Sign == ir.Signless && n.Cmp(new(big.Int).Rsh(hi, 1)) >= 0 && w > 1 {
		n = new(big.Int).Sub(n, hi)
	}
	if w <= 64 {
		return p.ctx.IntAttr(int64(low64(n)), t)
	}
	if n.IsInt64() {
		return p.ctx.IntAttr(n.Int64(), t)
	}
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrInt, Type: t, Big: n})
}

// low64 returns the low 64 bits in two's complement.
func low64(n *big.Int) uint64 {
	u := new(big.Int).Abs(n).Uint64() // the low bits
	if n.Sign() < 0 {
		return -u
	}
	return u
}

// floatAttr reads a decimal or the pattern of a float.
func (p *Attrs) floatAttr(text string, neg bool, t ir.Type, at int) ir.Attr {
	w := p.ctx.Info(t).Width
	if strings.HasPrefix(text, "0x") {
		if neg {
			p.in.Errorf(at, "a float given by its bits has no sign of its own")
		}
		n := p.bigInt(text, false, w, at)
		if n.BitLen() > w {
			p.in.Errorf(at, "the bits of a float are out of range of %s", p.defs.Show(t))
		}
		return p.floatOf(n, t)
	}
	if strings.IndexByte(text, '.') < 0 {
		p.in.Errorf(at, "a float has a point: write %s.0", scan.Short(text))
	}
	return p.floatOf(p.floatBits(text, neg, t, at), t)
}

// floatOf interns a float by its pattern; formats that the IR cannot hold in 64
// bits or does not compute with keep the pattern all the same.
func (p *Attrs) floatOf(bits *big.Int, t ir.Type) ir.Attr {
	if bits.BitLen() <= 64 && p.ctx.Info(t).Width <= 64 {
		return p.ctx.FloatBits(bits.Uint64(), t)
	}
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: "0x" + strings.ToUpper(number.PadHex(bits.Text(16), (p.ctx.Info(t).Width+3)/4))})
}

// floatBits rounds a decimal to the format of t.
func (p *Attrs) floatBits(text string, neg bool, t ir.Type, at int) *big.Int {
	name := p.ctx.Info(t).Text
	if wide, ok := number.WideFormats[name]; ok {
		return wide.Pattern(text, neg)
	}
	f, ok := number.FormatOf(name)
	if !ok {
		p.in.Errorf(at, "decimals of %s are not read: write the pattern as 0x...", p.defs.Show(t))
	}
	var bits uint64
	switch t {
	case ir.F64, ir.F32:
		size := p.ctx.Info(t).Width
		x, err := strconv.ParseFloat(text, 64) // MLIR too rounds twice
		if err != nil && !math.IsInf(x, 0) {
			p.in.Errorf(at, "malformed number %s", scan.Short(text))
		}
		bits = ir.FloatToBits(x, t)
		if neg {
			bits |= 1 << (size - 1)
		}
	default:
		bits = f.Round(text, neg)
	}
	return new(big.Int).SetUint64(bits)
}

// dialectAttr reads an alias or a dialect's own attribute.
func (p *Attrs) dialectAttr(want ir.Type) ir.Attr {
	name := p.in.Text()
	if strings.IndexByte(name, '.') < 0 && !p.in.OpaqueBody() {
		return p.aliases.alias().attr
	}
	if a, ok := p.defs.definedAttr(); ok {
		return a
	}
	info := ir.AttrInfo{Kind: ir.AttrOpaque, Str: p.types.opaque()}
	info.List = p.resources.named(info.Str)
	if p.in.Tok.Kind == ':' && want == ir.NoType {
		info.Type = p.types.ColonType()
	}
	return p.ctx.Attr(info)
}

// strided reads strided<[4, ?], offset: ?>.
func (p *Attrs) strided() ir.Attr {
	p.in.Next()
	info := ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{}}
	number := func() int64 {
		if p.in.Optional("?") {
			return ir.Dynamic
		}
		return p.in.Integer()
	}
	p.in.Expect("<")
	p.in.List("[", "]", func() {
		at := p.in.Tok.Start
		n := number()
		if n == 0 {
			p.in.Errorf(at, "strides must not be zero")
		}
		info.Shape = append(info.Shape, n)
	})
	if p.in.Optional(",") {
		p.in.Expect("offset")
		p.in.Expect(":")
		info.Int = number()
	}
	p.in.Expect(">")
	return p.ctx.Attr(info)
}

// distinct reads distinct[0]<attr>, in which a number always stands for the same
// attribute.
func (p *Attrs) distinct() ir.Attr {
	start := p.in.Tok.Start
	p.in.Next()
	p.in.Expect("[")
	at := p.in.Tok.Start
	if id := p.in.Integer(); id < 0 {
		p.in.Errorf(at, "the number of a distinct attribute is not negative")
	}
	if p.in.Tok.Kind != ']' {
		p.in.Expect("]")
	}
	p.in.Next()
	id := p.in.Src[start:p.in.Prev]
	of := ""
	if at = p.in.Tok.Start; p.in.Optional("<") {
		if p.in.Tok.Kind != '>' {
			pr := p.defs.writer()
			pr.Attr(p.Attr())
			of = string(pr.Buf)
		}
		p.in.Expect(">")
	}
	id = strings.Join(strings.Fields(id), "")
	if p.in.Piece {
		panic(scan.InOrder{}) // what another piece says of the number counts too
	}
	if p.unique == nil {
		p.unique = map[string]string{}
	}
	if before, ok := p.unique[id]; ok && before != of {
		p.in.Errorf(at, "%s stands for <%s> already", id, scan.Short(before))
	}
	p.unique[id] = of
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Str: id + "<" + of + ">"})
}

// OptionalAttr reads an attribute if one other than a dictionary begins here.
func (p *Attrs) OptionalAttr() (ir.Attr, bool) {
	switch p.in.Tok.Kind {
	case lex.Int, lex.Float, '-', lex.String, lex.At, '[', lex.Hash, lex.Ident, lex.Bang:
		return p.Attr(), true
	}
	return 0, false
}

// Once refuses a second attribute of a name in lists. Once there are many, seen
// has their names.
func (p *Attrs) Once(seen *map[string]bool, name string, at int, lists ...[]ir.NamedAttr) {
	const few = 32 // a walk over so many is as fast as a map
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	had := false
	if n > few {
		if *seen == nil {
			*seen = map[string]bool{}
			for _, l := range lists {
				for _, e := range l {
					(*seen)[e.Name] = true
				}
			}
		}
		had = (*seen)[name]
		(*seen)[name] = true
	} else {
		for _, l := range lists {
			had = had || slices.ContainsFunc(l, func(e ir.NamedAttr) bool { return e.Name == name })
		}
	}
	if had {
		p.in.Errorf(at, "duplicate attribute '%s'", scan.Short(name))
	}
}

// resourceAttr reads dense_resource<key> : type.
func (p *Attrs) resourceAttr(want ir.Type) ir.Attr {
	p.in.Next()
	p.in.Expect("<")
	key := ""
	if p.in.Tok.Kind == lex.String {
		key = p.in.String()
	} else {
		key = p.in.Keyword()
	}
	p.in.Expect(">")
	t, at := want, p.in.Tok.Start
	if want == ir.NoType || p.in.Tok.Kind == ':' {
		p.in.Expect(":")
		at = p.in.Tok.Start
		t = p.types.Type()
	}
	switch p.ctx.Info(t).Kind {
	case ir.KindTensor, ir.KindVector, ir.KindMemRef, ir.KindOpaque:
	default:
		p.in.Errorf(at, "a dense_resource has a shaped type, not %s", p.defs.Show(t))
	}
	pr := p.defs.writer()
	pr.keyword(key)
	info := ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: "dense_resource<" + string(pr.Buf) + ">"}
	if r := p.resources.blobsOf("builtin")[key]; r != nil {
		if data := p.resources.bytesOf(r); data != 0 {
			info.List = []ir.Attr{data}
		}
	}
	return p.ctx.Attr(info)
}
