package c

import (
	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// fields are what a value crosses the border of a function as: a scalar, or a pointer to the
// element (0, ..., 0), then each open size, then each open stride unless the layout is the
// identity.
func (e *emitter) fields(g *ir.Graph, v ir.Value, t ir.Type, name string) (out []source.Field) {
	return lists.Filter(e.Fields(g, v, t, name), func(x source.Field) bool { return x.Name != name+"_offset" })
}

// parameter is an argument of the function, whose fields are variables.
func (f *function) parameter(t ir.Type, base string) source.Val {
	fs := f.e.fields(f.e.G, f.Callee.V, t, base)
	xs := lists.Map(fs, func(x source.Field) source.Expr { return source.Name(x.Name) })
	return f.fromBorder(f.e.G, f.Callee.V, t, xs)
}

// fromBorder makes a value of what crosses the border of a function.
func (f *function) fromBorder(g *ir.Graph, v ir.Value, t ir.Type, xs []source.Expr) source.Val {
	if !f.IsMemory(t) {
		return source.Val{X: xs[0]}
	}
	l := f.Layout(g, v, t)
	m := &source.View{Elem: l.Elem, Base: xs[0], Off: f.Number(0), Ident: l.Ident}
	m.Sizes, xs = f.Values(l.Sizes, xs[1:])
	if l.Ident {
		m.Inside = true
		return source.Val{M: m}
	}
	m.Strides, _ = f.Values(l.Strides, xs)
	m.Moved = l.Offset != 0
	return source.Val{M: m}
}

// toBorder is the inverse of fromBorder.
func (f *function) toBorder(t ir.Type, x source.Val) []source.Expr {
	if x.M == nil {
		return []source.Expr{signed(x.X, f.Width(t))}
	}
	l := f.Layout(f.G, f.V, t)
	f.CheckType(l, x.M)
	out := append([]source.Expr{f.e.pointer(x.M, x.M.Off)}, source.Open(l.Sizes, x.M.Sizes)...)
	if !l.Ident {
		out = append(out, source.Open(l.Strides, f.Code.StridesOf(x.M))...)
	}
	return out
}
