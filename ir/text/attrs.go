package text

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
)

// Attr reads an attribute.
func (p *Parser) Attr() ir.Attr {
	p.enter()
	a := p.attr(ir.NoType)
	p.leave()
	return a
}

// AttrOf reads an attribute; a number without a type has type t.
func (p *Parser) AttrOf(t ir.Type) ir.Attr {
	p.enter()
	a := p.attr(t)
	p.leave()
	return a
}

func (p *Parser) attr(want ir.Type) ir.Attr {
	c := p.ctx
	switch p.in.Tok.Kind {
	case lex.Int, lex.Float, '-':
		return p.number(want)
	case lex.String:
		s := p.String()
		if p.in.Tok.Kind == ':' && want == ir.NoType {
			return c.Attr(ir.AttrInfo{Kind: ir.AttrString, Str: s, Type: p.ColonType()})
		}
		return c.StringAttr(s)
	case lex.At:
		return p.symbolRef()
	case '[':
		var list []ir.Attr
		p.List("[", "]", func() { list = append(list, p.Attr()) })
		return c.ArrayAttr(list...)
	case '{':
		var list []ir.NamedAttr
		var seen map[string]bool
		p.dict(func(e ir.NamedAttr, at int) {
			p.once(&seen, e.Name, at, list)
			list = append(list, e)
		})
		return c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: sorted(list)})
	case lex.Hash:
		return p.dialectAttr(want)
	case lex.Ident:
		if a, ok := p.namedAttr(want); ok {
			return a
		}
	}
	t, ok := p.optionalType()
	if !ok {
		p.Errorf(p.in.Tok.Start, "expected an attribute, found %s", p.found())
	}
	return c.TypeAttr(t)
}

// dict reads `{name = value, ...}`; a name without a value is a unit attribute.
func (p *Parser) dict(add func(e ir.NamedAttr, at int)) {
	p.List("{", "}", func() {
		at := p.in.Tok.Start
		var name string
		switch p.in.Tok.Kind {
		case lex.String:
			name = p.String()
		case lex.Ident:
			name = p.Keyword()
		default:
			p.Errorf(at, "expected the name of an attribute, found %s", p.found())
		}
		if name == "" {
			p.Errorf(at, "an attribute has a name")
		}
		value := p.ctx.UnitAttr()
		if p.Optional("=") {
			value = p.Attr()
		}
		add(ir.NamedAttr{Name: name, Value: value}, at)
	})
}

func (p *Parser) symbolRef() ir.Attr {
	info := ir.AttrInfo{Kind: ir.AttrSymbol, Str: p.Symbol()}
	for p.in.Tok.Kind == lex.Colons {
		p.in.Next()
		info.List = append(info.List, p.ctx.StringAttr(p.Symbol()))
	}
	return p.ctx.Attr(info)
}

// namedAttr reads an attribute that begins with a word.
func (p *Parser) namedAttr(want ir.Type) (ir.Attr, bool) {
	c := p.ctx
	switch p.in.Text() {
	case "true", "false":
		v := p.Keyword() == "true"
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
		return p.Loc(), true
	case "dense_resource":
		return p.resourceAttr(want), true
	case "sparse":
		return p.sparse(want), true
	case "distinct":
		return p.distinct(), true
	}
	return 0, false
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// number reads an integer or float with its type.
func (p *Parser) number(want ir.Type) ir.Attr {
	at, neg := p.in.Tok.Start, p.Optional("-")
	k, text := p.in.Tok.Kind, p.in.Text()
	if k != lex.Int && k != lex.Float {
		p.Errorf(p.in.Tok.Start, "expected a number, found %s", p.found())
	}
	p.in.Next()
	t := want
	if p.in.Tok.Kind == ':' && want == ir.NoType {
		p.in.Next()
		tat := p.in.Tok.Start
		t = p.Type()
		if !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) {
			p.Errorf(tat, "%s is no type of a number", p.show(t))
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
		p.Errorf(at, "a number is written where %s is wanted", p.show(t))
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
func (p *Parser) bigInt(text string, neg bool, width, at int) *big.Int {
	if len(text) > maxDigits {
		p.Errorf(at, "integers of more than %d digits are not read", maxDigits)
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
		p.Errorf(at, "integer is out of range: it has more than %d bits", width)
	}
	if neg {
		n.Neg(n)
	}
	return n
}

// intAttr checks the range of n and wraps it: an unsigned pattern of a signless
// type stands for the negative number.
func (p *Parser) intAttr(n *big.Int, t ir.Type, at int) ir.Attr {
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
		p.Errorf(at, "integer is out of range of %s", p.show(t))
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
func (p *Parser) floatAttr(text string, neg bool, t ir.Type, at int) ir.Attr {
	w := p.ctx.Info(t).Width
	if strings.HasPrefix(text, "0x") {
		if neg {
			p.Errorf(at, "a float given by its bits has no sign of its own")
		}
		n := p.bigInt(text, false, w, at)
		if n.BitLen() > w {
			p.Errorf(at, "the bits of a float are out of range of %s", p.show(t))
		}
		return p.floatOf(n, t)
	}
	if strings.IndexByte(text, '.') < 0 {
		p.Errorf(at, "a float has a point: write %s.0", short(text))
	}
	return p.floatOf(p.floatBits(text, neg, t, at), t)
}

// floatOf interns a float by its pattern; formats that the IR cannot hold in 64
// bits or does not compute with keep the pattern all the same.
func (p *Parser) floatOf(bits *big.Int, t ir.Type) ir.Attr {
	if bits.BitLen() <= 64 && p.ctx.Info(t).Width <= 64 {
		return p.ctx.FloatBits(bits.Uint64(), t)
	}
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: "0x" + strings.ToUpper(number.PadHex(bits.Text(16), (p.ctx.Info(t).Width+3)/4))})
}

// floatBits rounds a decimal to the format of t.
func (p *Parser) floatBits(text string, neg bool, t ir.Type, at int) *big.Int {
	name := p.ctx.Info(t).Text
	if wide, ok := number.WideFormats[name]; ok {
		return wide.Pattern(text, neg)
	}
	f, ok := number.FormatOf(name)
	if !ok {
		p.Errorf(at, "decimals of %s are not read: write the pattern as 0x...", p.show(t))
	}
	var bits uint64
	switch t {
	case ir.F64, ir.F32:
		size := p.ctx.Info(t).Width
		x, err := strconv.ParseFloat(text, 64) // MLIR too rounds twice
		if err != nil && !math.IsInf(x, 0) {
			p.Errorf(at, "malformed number %s", short(text))
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
func (p *Parser) dialectAttr(want ir.Type) ir.Attr {
	name := p.in.Text()
	if strings.IndexByte(name, '.') < 0 && !p.opaqueBody() {
		return p.alias().attr
	}
	if a, ok := p.definedAttr(); ok {
		return a
	}
	info := ir.AttrInfo{Kind: ir.AttrOpaque, Str: p.opaque()}
	info.List = p.named(info.Str)
	if p.in.Tok.Kind == ':' && want == ir.NoType {
		info.Type = p.ColonType()
	}
	return p.ctx.Attr(info)
}

// strided reads strided<[4, ?], offset: ?>.
func (p *Parser) strided() ir.Attr {
	p.in.Next()
	info := ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{}}
	number := func() int64 {
		if p.Optional("?") {
			return ir.Dynamic
		}
		return p.Integer()
	}
	p.Expect("<")
	p.List("[", "]", func() {
		at := p.in.Tok.Start
		n := number()
		if n == 0 {
			p.Errorf(at, "strides must not be zero")
		}
		info.Shape = append(info.Shape, n)
	})
	if p.Optional(",") {
		p.Expect("offset")
		p.Expect(":")
		info.Int = number()
	}
	p.Expect(">")
	return p.ctx.Attr(info)
}

// maxExpanded bounds the text that an alias stands for: aliases of aliases can
// double with each line.
const maxExpanded = 1 << 22

// extent is how long the text of an attribute or type is, about, and how deep it
// nests.
type extent struct{ size, depth int }

// sizes remembers extents.
type sizes struct {
	attrs map[ir.Attr]extent
	types map[ir.Type]extent
}

// with adds what stands inside.
func (e extent) with(in extent) extent {
	return extent{min(e.size+in.size, maxExpanded+1), max(e.depth, in.depth+1)}
}

// checkAlias refuses an alias that stands for too much text, or nests too deep.
func (p *Parser) checkAlias(a alias, at int) {
	if p.sizes.attrs == nil {
		p.sizes = sizes{map[ir.Attr]extent{}, map[ir.Type]extent{}}
	}
	switch e := p.attrExtent(a.attr).with(p.typeExtent(a.typ)); {
	case e.size > maxExpanded:
		p.Errorf(at, "this alias stands for more than %d characters", maxExpanded)
	case e.depth > diag.MaxNesting:
		p.Errorf(at, "this alias is nested more than %d levels deep", diag.MaxNesting)
	}
}

func (p *Parser) attrExtent(a ir.Attr) extent {
	if a == 0 {
		return extent{}
	}
	if e, ok := p.sizes.attrs[a]; ok {
		return e
	}
	info := p.ctx.AttrInfo(a)
	e := extent{1 + len(info.Str), 0}.with(p.typeExtent(info.Type))
	for _, x := range info.List {
		if info.Kind != ir.AttrOther { // of which the text alone is written
			e = e.with(p.attrExtent(x))
		}
	}
	for _, x := range info.Dict {
		e = e.with(p.attrExtent(x.Value))
		e.size += len(x.Name)
	}
	p.sizes.attrs[a] = e
	return e
}

func (p *Parser) typeExtent(t ir.Type) extent {
	if e, ok := p.sizes.types[t]; ok || t == 0 {
		return e
	}
	info := p.ctx.Info(t)
	e := extent{4 + len(info.Text), 0}.with(p.typeExtent(info.Elem)).with(p.attrExtent(info.Layout)).with(p.attrExtent(info.Space))
	for _, x := range info.Types {
		e = e.with(p.typeExtent(x))
	}
	p.sizes.types[t] = e
	return e
}

// distinct reads distinct[0]<attr>, in which a number always stands for the same
// attribute.
func (p *Parser) distinct() ir.Attr {
	start := p.in.Tok.Start
	p.in.Next()
	p.Expect("[")
	at := p.in.Tok.Start
	if id := p.Integer(); id < 0 {
		p.Errorf(at, "the number of a distinct attribute is not negative")
	}
	if p.in.Tok.Kind != ']' {
		p.Expect("]")
	}
	p.in.Next()
	id := p.in.Src[start:p.in.Prev]
	of := ""
	if at = p.in.Tok.Start; p.Optional("<") {
		if p.in.Tok.Kind != '>' {
			pr := newTextPrinter(p.ctx)
			pr.Attr(p.Attr())
			of = string(pr.buf)
		}
		p.Expect(">")
	}
	id = strings.Join(strings.Fields(id), "")
	if p.sub {
		panic(inOrder{}) // what another piece says of the number counts too
	}
	if p.unique == nil {
		p.unique = map[string]string{}
	}
	if before, ok := p.unique[id]; ok && before != of {
		p.Errorf(at, "%s stands for <%s> already", id, short(before))
	}
	p.unique[id] = of
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Str: id + "<" + of + ">"})
}
