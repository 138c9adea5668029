package text

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

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
	for _, n := range shape {
		if n == ir.Dynamic {
			return true
		}
	}
	return false
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
		if n > 0 && !sameShape(s, inner) {
			p.Errorf(at, "lists within a list are of equal length")
		}
		inner = s
		n++
	})
	p.leave()
	return append([]int64{n}, inner...)
}

func sameShape(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
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
