package c

import (
	"fmt"
	"math"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// quoted is a string of C.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// pointer is the address of the element at a place, as one that may be written to: what is a constant is
// only read.
func (e *emitter) pointer(m *source.View, at source.Expr) source.Expr {
	if !m.Const {
		return address(m, at)
	}
	return cast(e.Base(e.Scalar(m.Elem)), address(m, at))
}

// address is that of the element at a place.
func address(m *source.View, at source.Expr) source.Expr {
	if at.Constant && at.Num == 0 {
		return m.Base
	}
	return source.Made(source.Sum, m.Base.In(source.Sum)+" + "+at.In(source.Sum+1), m.Base, at)
}

func (f *function) alignment() int64 {
	if a := f.G.Attr(f.V, "alignment"); a != 0 {
		return f.Ctx.AttrInfo(a).Int
	}
	return 0
}

// emitAlloc allocates memory, unless a static array of the function is as good (see static.go).
func emitAlloc(f *function) {
	m := f.Extent()
	n := f.Code.Variable("m")
	m.Base = source.Name(n)
	defer f.GiveView(m)
	align := max(f.alignment(), 16)
	if f.e.opts.Freestanding && f.isStatic(m) {
		f.Code.Line("%s;", f.array("static ", align, m, n, f.Number(max(f.Code.Count(m.Sizes).Num, 1))))
		return
	}
	bytes := f.bytes(m)
	call := fmt.Sprintf("malloc(%s)", bytes.Text)
	switch {
	case f.e.opts.Freestanding:
		call = fmt.Sprintf("%s(%d, %s)", f.e.helper("irc_malloc"), align, bytes.Text)
	case align > 16 && bytes.Constant:
		call = fmt.Sprintf("aligned_alloc(%d, %d)", align, (bytes.Num+align-1)/align*align)
	case align > 16:
		call = fmt.Sprintf("aligned_alloc(%d, (%s + %d) / %d * %d)", align, bytes.In(source.Sum), align-1, align, align)
	}
	f.Code.LetCall(source.Field{Type: f.e.Base(f.e.Scalar(m.Elem)), Name: n}, source.Expr{Text: call})
	f.Check(source.Negated(m.Base), "out of memory")
}

// bytes are those of memory of the extents of a view, which are checked: at least those of an element.
func (f *function) bytes(m *source.View) source.Expr {
	size := int64(f.Ctx.ElemSize(m.Elem))
	extents := []int64{size}
	for _, s := range m.Sizes {
		if s.Constant {
			extents = append(extents, max(s.Num, 0))
		}
	}
	if n, ok := ir.Product(extents...); ok && len(extents) == 1+len(m.Sizes) && n <= math.MaxInt32 {
		return f.Number(max(n, size))
	}
	known := f.Known.At(f.Region)
	list := make([]string, len(m.Sizes))
	open := f.G.Segments(f.V)[0]
	for i, s := range m.Sizes {
		if list[i] = s.Text; s.Constant {
			continue
		}
		if n := known.Number(open[0]); n.Width == 0 || n.Low < 0 {
			f.CheckOnce(source.Binary(source.Relation, "<", s, f.Number(0)), "a size of an allocation is negative")
		}
		open = open[1:]
	}
	n := f.Code.Variable("bytes")
	f.Code.Line("size_t %s = %s(sizeof(%s), %d, (const int64_t[]){%s});", n, f.e.helper("irc_bytes"), f.e.Scalar(m.Elem), len(list), strings.Join(list, ", "))
	f.Check(source.Binary(source.Equality, "==", source.Name(n), f.Number(0)), "an allocation is too large")
	return source.Name(n)
}

// array declares an array of a number of elements.
func (f *function) array(storage string, align int64, m *source.View, name string, count source.Expr) string {
	if align > 16 {
		storage += fmt.Sprintf("_Alignas(%d) ", align)
	}
	return fmt.Sprintf("%s%s %s[%s]", storage, f.e.Scalar(m.Elem), name, count.Text)
}

// emitAlloca is an array of the block, which lives as long as the iteration or the function.
func emitAlloca(f *function) {
	if f.GivesMemory() {
		f.Fail("stands in an op that gives memrefs to what is around it, and would not live as long in C; use memref.alloc")
	}
	m := f.Extent()
	n := f.Code.Variable("m")
	count := f.bytes(m)
	if size := int64(f.Ctx.ElemSize(m.Elem)); count.Constant {
		count = f.Number(count.Num / size)
	} else {
		count = source.Binary(source.Product, "/", count, source.Expr{Text: "sizeof(" + f.e.Scalar(m.Elem) + ")", Prec: source.Primary})
	}
	f.Code.Line("%s;", f.array("", f.alignment(), m, n, count))
	m.Base = source.Name(n)
	f.GiveView(m)
}

// free is what gives memory back.
func (e *emitter) free() string {
	if e.opts.Freestanding {
		return "irc_free"
	}
	return "free"
}

func emitDealloc(f *function) {
	m := f.Memory(0)
	if f.e.fixed[f.Callee][m.Base.Text] {
		return
	}
	if f.e.opts.Freestanding {
		f.e.helper("irc_free")
	}
	f.Code.Line("%s(%s);", f.e.free(), m.Base.Text)
}

// emitCopy copies what may overlap.
func emitCopy(f *function) {
	from, to := f.CopyArgs()
	bytes := source.Binary(source.Product, "*", cast("size_t", f.Code.Count(from.Sizes)), source.Expr{Text: "sizeof(" + f.e.Scalar(from.Elem) + ")", Prec: source.Primary})
	move := "memmove"
	if f.e.opts.Freestanding {
		move = f.e.helper("irc_copy")
	}
	f.Code.Line("%s(%s, %s, %s);", move, address(to, to.Off).Text, address(from, from.Off).Text, bytes.Text)
}

// global prints a global.
func (e *emitter) global(g *source.Global) string {
	text := fmt.Sprintf("%s %s[%d]", e.Scalar(g.Elem), g.Name, max(g.Count, 1))
	if g.Constant {
		text = "const " + text
	}
	if g.Private {
		text = "static " + text
	}
	switch {
	case g.Data != "":
		return e.embedded(g)
	case g.Values == nil:
		return text + ";\n" // zeros, unless another file says otherwise
	}
	return text + " = {" + source.Rows(g.Values) + "};\n"
}
