package golang

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// most is how many elements a make of numbers alone may have: of more the compiler complains.
const most = 1 << 30

// emitAlloc makes a slice, which the garbage collector takes back; make checks one size, alloc
// several.
func emitAlloc(f *function) {
	m := f.Extent()
	n := f.Code.Variable("m")
	elem := f.e.Scalar(m.Elem)
	count, known := int64(1), true
	for _, s := range m.Sizes {
		known = known && s.Constant && s.Num >= 0
		count = ir.Times(count, max(s.Num, 1))
	}
	switch {
	case known && count <= most:
		f.Code.Line("%s := make([]%s, %s)", n, elem, f.Code.Count(m.Sizes).Text)
	case len(m.Sizes) == 1 && !m.Sizes[0].Constant:
		f.Code.Line("%s := make([]%s, %s)", n, elem, m.Sizes[0].Text)
	default:
		sizes := lists.Map(m.Sizes, func(s source.Expr) string { return s.Text })
		f.Code.Line("%s := %s[%s](%s)", n, f.e.helper("alloc"), elem, strings.Join(sizes, ", "))
	}
	m.Base = source.Name(n)
	f.GiveView(m)
}

// emitDealloc leaves memory to the garbage collector.
func emitDealloc(f *function) {}

// emitCopy copies what may overlap.
func emitCopy(f *function) {
	from, to := f.CopyArgs()
	n := f.Code.Count(from.Sizes)
	f.Code.Line("copy(%s, %s)", f.e.From(f.Function, to, to.Off, &n).Text, f.e.From(f.Function, from, from.Off, &n).Text)
}

// global prints a global.
func (e *emitter) global(g *source.Global) string {
	g.Name = e.fresh(g.Symbol, !g.Private)
	elem := e.Scalar(g.Elem)
	if g.Data != "" {
		at := source.DataOf(e.Module, g, e.opts.Data, ".go").Add(g.Data)
		if e.data == "" {
			e.data = e.fresh("data", false)
		}
		return fmt.Sprintf("var %s = %s[%s](%s[%d:], %d)\n", g.Name, e.helper("table"), elem, e.data, at, g.Count)
	}
	if g.Values == nil {
		return fmt.Sprintf("var %s = make([]%s, %d)\n", g.Name, elem, g.Count)
	}
	text := fmt.Sprintf("var %s = []%s{%s}\n", g.Name, elem, source.Rows(g.Values))
	e.use(text)
	return text
}
