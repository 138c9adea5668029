package c

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/source"
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

// emitAlloc allocates; sizes are checked by irc_alloc.
func emitAlloc(f *function) {
	m := f.Extent()
	elem := f.e.Scalar(m.Elem)
	n := f.Variable("m")
	f.Line("%s *%s = %s;", elem, n, f.sized("irc_alloc", m, fmt.Sprint(max(f.alignment(), 16))).Text)
	m.Base = source.Name(n)
	f.GiveView(m)
}

// sized calls a helper for memory of the extents of a view, which it checks.
func (f *function) sized(helper string, m *source.View, args ...string) source.Expr {
	args = append(args, "sizeof("+f.e.Scalar(m.Elem)+")", fmt.Sprint(len(m.Sizes)))
	for _, s := range m.Sizes {
		if s.Constant {
			s = cast("int64_t", s)
		}
		args = append(args, s.Text)
	}
	return source.Expr{Text: f.e.helper(helper) + "(" + strings.Join(args, ", ") + ")", Prec: source.Primary}
}

// emitAlloca is an array of the block, which lives as long as the iteration or the function.
func emitAlloca(f *function) {
	if f.GivesMemory() {
		f.Fail("stands in an op that gives memrefs to what is around it, and would not live as long in C; use memref.alloc")
	}
	m := f.Extent()
	n := f.Variable("m")
	count := f.Count(m.Sizes)
	if count.Constant {
		count = f.Number(max(count.Num, 1))
	} else {
		count = f.sized("irc_count", m)
	}
	align := ""
	if a := f.alignment(); a > 16 {
		align = fmt.Sprintf("_Alignas(%d) ", a)
	}
	f.Line("%s%s %s[%s];", align, f.e.Scalar(m.Elem), n, count.Text)
	m.Base = source.Name(n)
	f.GiveView(m)
}

func emitDealloc(f *function) { f.Line("free(%s);", f.Memory(0).Base.Text) }

// emitCopy copies what may overlap.
func emitCopy(f *function) {
	from, to := f.CopyArgs()
	bytes := source.Binary(source.Product, "*", cast("size_t", f.Count(from.Sizes)), source.Expr{Text: "sizeof(" + f.e.Scalar(from.Elem) + ")", Prec: source.Primary})
	f.Line("memmove(%s, %s, %s);", address(to, to.Off).Text, address(from, from.Off).Text, bytes.Text)
}

// global prints a global.
func (e *emitter) global(g *source.Global) string {
	g.Name = e.fresh(g.Symbol)
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
