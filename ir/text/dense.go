package text

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
)

// dense reads dense<...> : type. The type stands after the elements, so these
// are skipped and read again once it is known.
func (p *Parser) dense(want ir.Type) ir.Attr {
	if p.in.Next(); p.in.Tok.Kind != '<' {
		p.Expect("<")
	}
	open := p.in.Tok.Start
	end := p.skipBalanced(open)
	p.in.Reset(end)
	t := want
	if t == ir.NoType || p.in.Tok.Kind == ':' {
		t = p.ColonType()
	}
	info := p.ctx.Info(t)
	if info.Kind != ir.KindTensor && info.Kind != ir.KindVector || info.Unranked {
		p.Errorf(p.in.Prev, "the type of dense elements is a tensor or vector of known shape, not %s", p.show(t))
	}
	for _, n := range info.Shape {
		if n == ir.Dynamic {
			p.Errorf(p.in.Prev, "the shape of dense elements must be known")
		}
	}
	tok, prev := p.in.Tok, p.in.Prev
	p.in.Reset(open + 1)
	r := &denseReader{p: p, t: t, shape: info.Shape, elem: info.Elem}
	r.init()
	a := r.read()
	if p.in.Tok.Start != end-1 {
		p.Errorf(p.in.Tok.Start, "expected '>', found %s", p.found())
	}
	p.in.Tok, p.in.Prev = tok, prev
	return a
}

// denseReader reads the elements of one dense attribute.
type denseReader struct {
	p     *Parser
	t     ir.Type
	elem  ir.Type
	part  ir.Type // of a complex element, else elem
	shape []int64
	text  bool // elements are kept as text
	size  int
	data  []byte   // elements, or
	texts []string // their text
	count int64
}

func (r *denseReader) init() {
	c := r.p.ctx
	r.part = r.elem
	info := c.Info(r.elem)
	if info.Kind == ir.KindComplex {
		r.part = info.Elem
		info = c.Info(r.part)
		r.text = true
	}
	number := info.Kind == ir.KindInteger || info.Kind == ir.KindIndex || info.Kind == ir.KindFloat
	r.text = r.text || !number || info.Width > 64
	if !r.text {
		r.size = c.ElemSize(r.elem)
	}
}

func (r *denseReader) read() ir.Attr {
	p := r.p
	at := p.in.Tok.Start
	switch {
	case p.in.Tok.Kind == '>':
		if total(r.shape) != 0 {
			p.Errorf(at, "no elements are given for shape %s", p.show(r.t))
		}
		return r.attr(false)
	case p.in.Tok.Kind == lex.String && strings.HasPrefix(p.in.Text(), `"0x`) && (!r.text || p.ctx.Info(r.part).Kind != ir.KindOpaque):
		return r.hex()
	case p.in.Tok.Kind != '[':
		r.element()
		return r.attr(true)
	}
	r.list(0)
	if n := total(r.shape); r.count != n {
		p.Errorf(at, "%d elements do not fill the shape of %s", r.count, p.show(r.t))
	}
	return r.attr(r.same())
}

// total is the number of elements of a shape, or -1 if it is beyond int64.
func total(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		if d == 0 {
			return 0
		}
	}
	for _, d := range shape {
		if d < 0 || n > math.MaxInt64/d {
			return -1
		}
		n = ir.Times(n, d)
	}
	return n
}

func (r *denseReader) list(dim int) {
	p := r.p
	p.enter()
	at := p.in.Tok.Start
	if dim >= len(r.shape) {
		p.Errorf(at, "elements are nested deeper than the %d dimensions of %s", len(r.shape), p.show(r.t))
	}
	n := int64(0)
	p.List("[", "]", func() {
		if n++; p.in.Tok.Kind == '[' {
			r.list(dim + 1)
			return
		}
		if dim != len(r.shape)-1 {
			p.Errorf(p.in.Tok.Start, "expected '[': %s has %d dimensions", p.show(r.t), len(r.shape))
		}
		r.element()
		r.count++
	})
	if n != r.shape[dim] {
		p.Errorf(at, "%d elements where dimension %d of %s has %d", n, dim, p.show(r.t), r.shape[dim])
	}
	p.leave()
}

func (r *denseReader) element() {
	p := r.p
	if !r.text {
		r.data = ir.AppendElem(r.data, p.scalarBits(r.elem), r.size)
		return
	}
	if p.ctx.Info(r.elem).Kind == ir.KindComplex {
		p.Expect("(")
		x := p.scalarText(r.part)
		p.Expect(",")
		y := p.scalarText(r.part)
		p.Expect(")")
		r.texts = append(r.texts, "("+x+","+y+")")
		return
	}
	if p.in.Tok.Kind == lex.String {
		pr := newTextPrinter(p.ctx)
		pr.Quoted(p.String())
		r.texts = append(r.texts, string(pr.buf))
		return
	}
	r.texts = append(r.texts, p.scalarText(r.part))
}

// scalarText reads a number and returns it as it is printed.
func (p *Parser) scalarText(t ir.Type) string {
	if !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) {
		p.Errorf(p.in.Tok.Start, "%s has no elements that can be written", p.show(t))
	}
	pr := newTextPrinter(p.ctx)
	pr.AttrNoType(p.scalar(t))
	return string(pr.buf)
}

func (p *Parser) scalar(t ir.Type) ir.Attr {
	if k := p.in.Tok.Kind; k == lex.Int || k == lex.Float || k == '-' || p.Peek("true") || p.Peek("false") {
		if p.ctx.Info(t).Width != 1 && (p.Peek("true") || p.Peek("false")) {
			p.Errorf(p.in.Tok.Start, "expected a number, found %s", p.found())
		}
		return p.AttrOf(t)
	}
	p.Errorf(p.in.Tok.Start, "expected a number, found %s", p.found())
	return 0
}

// scalarBits reads a number of at most 64 bits as its pattern.
func (p *Parser) scalarBits(t ir.Type) uint64 {
	info := p.ctx.AttrInfo(p.scalar(t))
	if info.Kind == ir.AttrFloat {
		return info.Bits
	}
	return uint64(info.Int) & mask(p.ctx.Info(t).Width)
}

func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}

// same reports that all elements are equal: such data is a splat.
func (r *denseReader) same() bool {
	if r.text {
		for _, s := range r.texts {
			if s != r.texts[0] {
				return false
			}
		}
		return len(r.texts) > 0
	}
	return len(r.data) > 0 && bytes.Equal(r.data[r.size:], r.data[:len(r.data)-r.size])
}

func (r *denseReader) attr(splat bool) ir.Attr {
	c := r.p.ctx
	if !r.text {
		if splat {
			r.data = r.data[:r.size]
		}
		return c.Attr(ir.AttrInfo{Kind: ir.AttrDense, Type: r.t, Splat: splat, Str: ir.BlobString(r.data)})
	}
	text := ""
	if splat {
		text = r.texts[0]
	} else if len(r.texts) > 0 {
		var b strings.Builder
		r.nested(&b, 0, r.texts)
		text = b.String()
	}
	return c.Attr(ir.AttrInfo{Kind: ir.AttrDenseText, Type: r.t, Splat: splat, Str: text})
}

// nested writes elements as lists within lists.
func (r *denseReader) nested(b *strings.Builder, dim int, texts []string) []string {
	if dim == len(r.shape) {
		b.WriteString(texts[0])
		return texts[1:]
	}
	b.WriteByte('[')
	for i := int64(0); i < r.shape[dim]; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		texts = r.nested(b, dim+1, texts)
	}
	b.WriteByte(']')
	return texts
}

// hex reads elements given as the bytes of their memory; i1 is packed.
func (r *denseReader) hex() ir.Attr {
	p := r.p
	at := p.in.Tok.Start
	text := p.String()[2:]
	raw := p.ctx.NewBlob(len(text) / 2)
	if !number.DecodeHex(raw, text[:2*len(raw)]) {
		p.Errorf(at, "elements given as a string are hexadecimal digits")
	}
	if len(text)%2 != 0 {
		p.Errorf(at, "elements given as a string have whole bytes")
	}
	n := total(r.shape)
	if r.elem == ir.I1 {
		return r.packed(raw, n, at)
	}
	size := (p.ctx.Info(r.part).Width + 7) / 8
	size = pow2(size)
	parts := 1
	if p.ctx.Info(r.elem).Kind == ir.KindComplex {
		parts = 2
	}
	splat := len(raw) == size*parts
	if size == 0 || n < 0 || !splat && int64(len(raw)) != n*int64(size*parts) {
		p.Errorf(at, "%d bytes do not fill the shape of %s", len(raw), p.show(r.t))
	}
	if !r.text {
		r.data = raw
	} else {
		r.hexTexts(raw, size, parts)
	}
	return r.attr(splat || r.same())
}

func pow2(n int) int {
	s := 1
	for s < n {
		s *= 2
	}
	return s
}

// hexTexts turns bytes into the text of elements.
func (r *denseReader) hexTexts(raw []byte, size, parts int) {
	p := r.p
	var cur []string
	for i := 0; i+size <= len(raw); i += size {
		n := new(big.Int)
		for j := size - 1; j >= 0; j-- {
			n.Lsh(n, 8)
			n.Or(n, big.NewInt(int64(raw[i+j])))
		}
		pr := newTextPrinter(p.ctx)
		if p.ctx.IsFloat(r.part) {
			pr.AttrNoType(p.floatOf(n, r.part))
		} else {
			pr.AttrNoType(p.intAttr(n, r.part, p.in.Tok.Start))
		}
		cur = append(cur, string(pr.buf))
		if len(cur) == parts {
			s := cur[0]
			if parts == 2 {
				s = "(" + cur[0] + "," + cur[1] + ")"
			}
			r.texts = append(r.texts, s)
			cur = nil
		}
	}
}

func (r *denseReader) packed(raw []byte, n int64, at int) ir.Attr {
	if len(raw) == 1 && (raw[0] == 0 || raw[0] == 0xFF) {
		r.data = []byte{raw[0] & 1}
		return r.attr(true)
	}
	if n < 0 || int64(len(raw)) != (n+7)/8 {
		r.p.Errorf(at, "%d bytes do not fill the shape of %s", len(raw), r.p.show(r.t))
	}
	for i := int64(0); i < n; i++ {
		r.data = append(r.data, raw[i/8]>>(i%8)&1)
	}
	return r.attr(r.same())
}

// denseArray reads array<t: 1, 2>.
func (p *Parser) denseArray() ir.Attr {
	p.in.Next()
	p.Expect("<")
	at := p.in.Tok.Start
	t := p.Type()
	info := p.ctx.Info(t)
	if info.Kind == ir.KindIndex || !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) || info.Width > 64 || info.Width != 1 && info.Width&7 != 0 {
		p.Errorf(at, "the elements of an array are integers or floats of whole bytes, not %s", p.show(t))
	}
	var buf []byte
	size := p.ctx.ElemSize(t)
	if p.Optional(":") {
		for {
			buf = ir.AppendElem(buf, p.scalarBits(t), size)
			if !p.Optional(",") {
				break
			}
		}
	}
	p.Expect(">")
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrDenseArray, Type: t, Str: string(buf)})
}

// sparse reads sparse<indices, values> : type. Its text is kept, and what it says (ir.SparsePrefix). The type
// stands after the elements, as for dense.
func (p *Parser) sparse(want ir.Type) ir.Attr {
	begin := p.in.Tok.Start
	if p.in.Next(); p.in.Tok.Kind != '<' {
		p.Expect("<")
	}
	open := p.in.Tok.Start
	end, _ := lex.Balanced(p.in.Src, open)
	if end < 0 {
		p.in.Next()
		p.sparseList(0, func() { p.Integer() }) // says where it goes wrong, if within the indices
		p.skipBalanced(open)
	}
	p.in.Reset(end)
	t := want
	if t == ir.NoType || p.in.Tok.Kind == ':' {
		t = p.ColonType()
	}
	info := p.ctx.Info(t)
	if info.Kind != ir.KindTensor && info.Kind != ir.KindVector || info.Unranked || hasDynamic(info.Shape) {
		p.Errorf(p.in.Prev, "the type of sparse elements is a tensor or vector of known shape, not %s", p.show(t))
	}
	tok, prev := p.in.Tok, p.in.Prev
	p.in.Reset(open + 1)
	list := p.sparseBody(info)
	if p.in.Tok.Start != end-1 {
		p.Errorf(p.in.Tok.Start, "expected '>', found %s", p.found())
	}
	p.in.Tok, p.in.Prev = tok, prev
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: lex.Tidy(p.in.Src[begin:end]), List: list})
}

func hasDynamic(shape []int64) bool {
	return slices.Contains(shape, ir.Dynamic)
}

// sparseBody reads the indices, a list of lists, and the values, a list; either
// may be one number for all. It returns both, unless the values are kept as text.
func (p *Parser) sparseBody(info *ir.TypeInfo) []ir.Attr {
	at, rank := p.in.Tok.Start, int64(len(info.Shape))
	r := &denseReader{p: p, elem: info.Elem}
	r.init()
	var index []int64
	said := func() []ir.Attr {
		if r.text {
			return nil
		}
		return []ir.Attr{p.ctx.DenseArray(ir.I64, index...), p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrDenseArray, Type: info.Elem, Str: string(r.data)})}
	}
	if p.in.Tok.Kind == '>' {
		return said()
	}
	shape := p.sparseList(0, func() {
		i := p.in.Tok.Start
		n := p.Integer()
		if dim := info.Shape[int64(len(index))%max(rank, 1)]; n < 0 || n >= dim {
			p.Errorf(i, "index %d is outside of the extent %d", n, dim)
		}
		index = append(index, n)
	})
	switch {
	case len(shape) == 0:
		if n := index[0]; rank > 0 {
			for _, dim := range info.Shape {
				if n >= dim {
					p.Errorf(at, "index %d is outside of the extent %d", n, dim)
				}
			}
		}
		index = slices.Repeat(index, int(rank))
		shape = []int64{1, rank}
	case len(shape) == 1 && rank != 1 && shape[0] != 0, len(shape) == 2 && shape[1] != rank, len(shape) > 2:
		p.Errorf(at, "the indices of sparse elements are lists of %d numbers each", rank)
	}
	if p.Optional(",") {
		at = p.in.Tok.Start
		if values := p.sparseList(0, r.element); len(values) > 1 || len(values) == 1 && values[0] != shape[0] {
			p.Errorf(at, "the values of sparse elements are a list of %d, one for each index", shape[0])
		}
	} else if shape[0] != 0 {
		p.Expect(",")
	}
	return said()
}

// sparseList reads elements in lists within lists and returns their shape.
func (p *Parser) sparseList(depth int, element func()) (shape []int64) {
	if p.in.Tok.Kind != '[' {
		element()
		return nil
	}
	p.enter()
	at, n := p.in.Tok.Start, int64(0)
	var inner []int64
	p.List("[", "]", func() {
		s := p.sparseList(depth+1, element)
		if n > 0 && !slices.Equal(s, inner) {
			p.Errorf(at, "lists within a list are of equal length")
		}
		inner = s
		n++
	})
	p.leave()
	return append([]int64{n}, inner...)
}
