package literal

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/internal/intern"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
)

// dense reads dense<...> : type. The type stands after the elements, so these
// are skipped and read again once it is known.
func (p *Attrs) dense(want ir.Type) ir.Attr {
	if p.in.Next(); p.in.Tok.Kind != '<' {
		p.in.Expect("<")
	}
	open := p.in.Tok.Start
	end := p.in.SkipBalanced(open)
	p.in.Reset(end)
	t := want
	if t == ir.NoType || p.in.Tok.Kind == ':' {
		t = p.types.ColonType()
	}
	info := p.ctx.Info(t)
	if info.Kind != ir.KindTensor && info.Kind != ir.KindVector || info.Unranked {
		p.in.Errorf(p.in.Prev, "the type of dense elements is a tensor or vector of known shape, not %s", p.defs.Show(t))
	}
	for _, n := range info.Shape {
		if n == ir.Dynamic {
			p.in.Errorf(p.in.Prev, "the shape of dense elements must be known")
		}
	}
	tok, prev := p.in.Tok, p.in.Prev
	p.in.Reset(open + 1)
	r := &denseReader{p: p, t: t, shape: info.Shape, elem: info.Elem}
	r.init()
	a := r.read()
	if p.in.Tok.Start != end-1 {
		p.in.Errorf(p.in.Tok.Start, "expected '>', found %s", p.in.Found())
	}
	p.in.Tok, p.in.Prev = tok, prev
	return a
}

// denseReader reads the elements of one dense attribute.
type denseReader struct {
	p     *Attrs
	t     ir.Type // of the attribute
	elem  ir.Type // of an element
	part  ir.Type // of a complex element, else elem
	shape []int64
	text  bool     // elements are kept as text
	size  int      // bytes of an element
	data  []byte   // elements, or
	texts []string // their text
	count int64    // how many were read
}

// init decides how elements are kept: numbers of at most 64 bits as bytes, all else as text.
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

// read reads what stands between < and >: nothing, one element for all, lists within lists, or bytes in hexadecimal.
func (r *denseReader) read() ir.Attr {
	p := r.p
	at := p.in.Tok.Start
	switch {
	case p.in.Tok.Kind == '>':
		if total(r.shape) != 0 {
			p.in.Errorf(at, "no elements are given for shape %s", p.defs.Show(r.t))
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
		p.in.Errorf(at, "%d elements do not fill the shape of %s", r.count, p.defs.Show(r.t))
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

// list reads the elements of a dimension and of those within. Each list is as long as the shape says.
func (r *denseReader) list(dim int) {
	p := r.p
	p.in.Enter()
	at := p.in.Tok.Start
	if dim >= len(r.shape) {
		p.in.Errorf(at, "elements are nested deeper than the %d dimensions of %s", len(r.shape), p.defs.Show(r.t))
	}
	n := int64(0)
	p.in.List("[", "]", func() {
		if n++; p.in.Tok.Kind == '[' {
			r.list(dim + 1)
			return
		}
		if dim != len(r.shape)-1 {
			p.in.Errorf(p.in.Tok.Start, "expected '[': %s has %d dimensions", p.defs.Show(r.t), len(r.shape))
		}
		r.element()
		r.count++
	})
	if n != r.shape[dim] {
		p.in.Errorf(at, "%d elements where dimension %d of %s has %d", n, dim, p.defs.Show(r.t), r.shape[dim])
	}
	p.in.Leave()
}

// element reads one element; a complex one is `(x, y)`.
func (r *denseReader) element() {
	p := r.p
	if !r.text {
		r.data = ir.AppendElem(r.data, p.scalarBits(r.elem), r.size)
		return
	}
	if p.ctx.Info(r.elem).Kind == ir.KindComplex {
		p.in.Expect("(")
		x := p.scalarText(r.part)
		p.in.Expect(",")
		y := p.scalarText(r.part)
		p.in.Expect(")")
		r.texts = append(r.texts, "("+x+","+y+")")
		return
	}
	if p.in.Tok.Kind == lex.String {
		pr := p.defs.writer()
		pr.Quoted(p.in.String())
		r.texts = append(r.texts, string(pr.Buf))
		return
	}
	r.texts = append(r.texts, p.scalarText(r.part))
}

// scalarText reads a number and returns it as it is printed.
func (p *Attrs) scalarText(t ir.Type) string {
	if !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) {
		p.in.Errorf(p.in.Tok.Start, "%s has no elements that can be written", p.defs.Show(t))
	}
	pr := p.defs.writer()
	pr.AttrNoType(p.scalar(t))
	return string(pr.Buf)
}

// scalar reads the number of an element, or true and false for one of one bit.
func (p *Attrs) scalar(t ir.Type) ir.Attr {
	if k := p.in.Tok.Kind; k == lex.Int || k == lex.Float || k == '-' || p.in.Peek("true") || p.in.Peek("false") {
		if p.ctx.Info(t).Width != 1 && (p.in.Peek("true") || p.in.Peek("false")) {
			p.in.Errorf(p.in.Tok.Start, "expected a number, found %s", p.in.Found())
		}
		return p.AttrOf(t)
	}
	p.in.Errorf(p.in.Tok.Start, "expected a number, found %s", p.in.Found())
	return 0
}

// scalarBits reads a number of at most 64 bits as its pattern.
func (p *Attrs) scalarBits(t ir.Type) uint64 {
	info := p.ctx.AttrInfo(p.scalar(t))
	if info.Kind == ir.AttrFloat {
		return info.Bits
	}
	return uint64(info.Int) & mask(p.ctx.Info(t).Width)
}

// mask has the low bits set.
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

// attr makes the attribute. A splat keeps one element, so that equal data are one attribute however they are written.
func (r *denseReader) attr(splat bool) ir.Attr {
	c := r.p.ctx
	if !r.text {
		if splat {
			r.data = r.data[:r.size]
		}
		return c.Attr(ir.AttrInfo{Kind: ir.AttrDense, Type: r.t, Splat: splat, Str: intern.BlobString(r.data)})
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
	text := p.in.String()[2:]
	raw := p.ctx.NewBlob(len(text) / 2)
	if !number.DecodeHex(raw, text[:2*len(raw)]) {
		p.in.Errorf(at, "elements given as a string are hexadecimal digits")
	}
	if len(text)%2 != 0 {
		p.in.Errorf(at, "elements given as a string have whole bytes")
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
		p.in.Errorf(at, "%d bytes do not fill the shape of %s", len(raw), p.defs.Show(r.t))
	}
	if !r.text {
		r.data = raw
	} else {
		r.hexTexts(raw, size, parts)
	}
	return r.attr(splat || r.same())
}

// pow2 is the smallest power of two that is not below n: the bytes that an element has in memory.
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
		pr := p.defs.writer()
		if p.ctx.IsFloat(r.part) {
			pr.AttrNoType(p.floatOf(n, r.part))
		} else {
			pr.AttrNoType(p.intAttr(n, r.part, p.in.Tok.Start))
		}
		cur = append(cur, string(pr.Buf))
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

// packed takes elements of one bit from bytes, the lowest first. One byte of all bits, or of none, stands for all elements.
func (r *denseReader) packed(raw []byte, n int64, at int) ir.Attr {
	if len(raw) == 1 && (raw[0] == 0 || raw[0] == 0xFF) {
		r.data = []byte{raw[0] & 1}
		return r.attr(true)
	}
	if n < 0 || int64(len(raw)) != (n+7)/8 {
		r.p.in.Errorf(at, "%d bytes do not fill the shape of %s", len(raw), r.p.defs.Show(r.t))
	}
	for i := int64(0); i < n; i++ {
		r.data = append(r.data, raw[i/8]>>(i%8)&1)
	}
	return r.attr(r.same())
}

// denseArray reads array<t: 1, 2>.
func (p *Attrs) denseArray() ir.Attr {
	p.in.Next()
	p.in.Expect("<")
	at := p.in.Tok.Start
	t := p.types.Type()
	info := p.ctx.Info(t)
	if info.Kind == ir.KindIndex || !p.ctx.IsInt(t) && !p.ctx.IsFloat(t) || info.Width > 64 || info.Width != 1 && info.Width&7 != 0 {
		p.in.Errorf(at, "the elements of an array are integers or floats of whole bytes, not %s", p.defs.Show(t))
	}
	var buf []byte
	size := p.ctx.ElemSize(t)
	if p.in.Optional(":") {
		for {
			buf = ir.AppendElem(buf, p.scalarBits(t), size)
			if !p.in.Optional(",") {
				break
			}
		}
	}
	p.in.Expect(">")
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrDenseArray, Type: t, Str: string(buf)})
}

// sparse reads sparse<indices, values> : type. Its text is kept, and what it says (ir.SparsePrefix). The type
// stands after the elements, as for dense.
func (p *Attrs) sparse(want ir.Type) ir.Attr {
	begin := p.in.Tok.Start
	if p.in.Next(); p.in.Tok.Kind != '<' {
		p.in.Expect("<")
	}
	open := p.in.Tok.Start
	end, _ := lex.Balanced(p.in.Src, open)
	if end < 0 {
		p.in.Next()
		p.sparseList(0, func() { p.in.Integer() }) // says where it goes wrong, if within the indices
		p.in.SkipBalanced(open)
	}
	p.in.Reset(end)
	t := want
	if t == ir.NoType || p.in.Tok.Kind == ':' {
		t = p.types.ColonType()
	}
	info := p.ctx.Info(t)
	if info.Kind != ir.KindTensor && info.Kind != ir.KindVector || info.Unranked || hasDynamic(info.Shape) {
		p.in.Errorf(p.in.Prev, "the type of sparse elements is a tensor or vector of known shape, not %s", p.defs.Show(t))
	}
	tok, prev := p.in.Tok, p.in.Prev
	p.in.Reset(open + 1)
	list := p.sparseBody(info)
	if p.in.Tok.Start != end-1 {
		p.in.Errorf(p.in.Tok.Start, "expected '>', found %s", p.in.Found())
	}
	p.in.Tok, p.in.Prev = tok, prev
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: lex.Tidy(p.in.Src[begin:end]), List: list})
}

// hasDynamic reports an extent that is not known.
func hasDynamic(shape []int64) bool {
	return slices.Contains(shape, ir.Dynamic)
}

// sparseBody reads the indices, a list of lists, and the values, a list; either
// may be one number for all. It returns both, unless the values are kept as text.
func (p *Attrs) sparseBody(info *ir.TypeInfo) []ir.Attr {
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
		n := p.in.Integer()
		if dim := info.Shape[int64(len(index))%max(rank, 1)]; n < 0 || n >= dim {
			p.in.Errorf(i, "index %d is outside of the extent %d", n, dim)
		}
		index = append(index, n)
	})
	switch {
	case len(shape) == 0:
		if n := index[0]; rank > 0 {
			for _, dim := range info.Shape {
				if n >= dim {
					p.in.Errorf(at, "index %d is outside of the extent %d", n, dim)
				}
			}
		}
		index = slices.Repeat(index, int(rank))
		shape = []int64{1, rank}
	case len(shape) == 1 && rank != 1 && shape[0] != 0, len(shape) == 2 && shape[1] != rank, len(shape) > 2:
		p.in.Errorf(at, "the indices of sparse elements are lists of %d numbers each", rank)
	}
	if p.in.Optional(",") {
		at = p.in.Tok.Start
		if values := p.sparseList(0, r.element); len(values) > 1 || len(values) == 1 && values[0] != shape[0] {
			p.in.Errorf(at, "the values of sparse elements are a list of %d, one for each index", shape[0])
		}
	} else if shape[0] != 0 {
		p.in.Expect(",")
	}
	return said()
}

// sparseList reads elements in lists within lists and returns their shape.
func (p *Attrs) sparseList(depth int, element func()) (shape []int64) {
	if p.in.Tok.Kind != '[' {
		element()
		return nil
	}
	p.in.Enter()
	at, n := p.in.Tok.Start, int64(0)
	var inner []int64
	p.in.List("[", "]", func() {
		s := p.sparseList(depth+1, element)
		if n > 0 && !slices.Equal(s, inner) {
			p.in.Errorf(at, "lists within a list are of equal length")
		}
		inner = s
		n++
	})
	p.in.Leave()
	return append([]int64{n}, inner...)
}
