package c

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// fields are what a value crosses the border of a function as: a scalar, or a pointer to the
// element (0, ..., 0), then each open size, then each open stride unless the layout is the
// identity.
func (e *emitter) fields(g *ir.Graph, v ir.Value, t ir.Type, name string) (out []source.Field) {
	for _, x := range e.Fields(g, v, t, name) {
		if x.Name != name+"_offset" {
			out = append(out, x)
		}
	}
	return out
}

// parameter is an argument of the function, whose fields are variables.
func (f *function) parameter(t ir.Type, base string) source.Val {
	fs := f.e.fields(f.e.G, f.Callee.V, t, base)
	xs := make([]source.Expr, len(fs))
	for i, x := range fs {
		xs[i] = source.Name(x.Name)
	}
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
		out = append(out, source.Open(l.Strides, f.StridesOf(x.M))...)
	}
	return out
}

func emitCall(f *function) {
	c, args := f.Call()
	var flat []source.Expr
	for i, a := range args {
		flat = append(flat, f.toBorder(c.In[i], f.Of(a))...)
	}
	var fields []source.Expr
	switch call := source.Called(c.Name, flat...); len(c.Results) {
	case 0:
		f.Line("%s;", call.Text)
	case 1:
		n := f.Variable("t")
		f.Line("%s", f.e.Let(source.Field{Type: c.Results[0].Type, Name: n}, call))
		fields = append(fields, source.Name(n))
	default:
		n := f.Variable("r")
		f.Line("struct %s_results %s;", c.Name, n)
		f.Line("%s;", source.Called(c.Name, append([]source.Expr{{Text: "&" + n, Prec: source.Primary}}, flat...)...).Text)
		for _, x := range c.Results {
			fields = append(fields, source.Expr{Text: n + "." + x.Name, Prec: source.Primary, Vars: []string{n}})
		}
	}
	vals := make([]source.Val, len(c.Out))
	for i, t := range c.Out {
		k := len(f.e.fields(f.G, f.V, t, "x"))
		vals[i] = f.fromBorder(f.G, f.V, t, fields[:k])
		fields = fields[k:]
	}
	f.SetAll(vals)
}

// returns ends a function.
func (f *function) returns(vals []source.Val) {
	c := f.Callee
	f.V = c.G.Term(ir.Root)
	var all []source.Expr
	for i, t := range c.Out {
		all = append(all, f.toBorder(t, vals[i])...)
	}
	switch {
	case len(all) == 1:
		f.Line("return %s;", all[0].Text)
	case len(all) > 1:
		for i, x := range all {
			f.Line("results->%s = %s;", c.Results[i].Name, x.Text)
		}
	}
}

// prototype declares a function; what a header of C's declares has none.
func (e *emitter) prototype(c *source.Callee) string {
	if !c.Defined() && libm[c.Name] {
		return ""
	}
	var params []string
	if len(c.Results) > 1 {
		params = append(params, fmt.Sprintf("struct %s_results *results", c.Name))
	}
	for i, t := range c.In {
		for k, x := range e.fields(e.G, c.V, t, c.Params[i]) {
			if k == 0 && e.noAlias(c, i) && strings.HasSuffix(x.Type, "*") {
				x.Type += "restrict "
			}
			params = append(params, declared(x))
		}
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	result := "void"
	if len(c.Results) == 1 {
		result = c.Results[0].Type
	}
	text := strings.TrimSuffix(result, " ") + " "
	if strings.HasSuffix(result, "*") {
		text = result
	}
	text += c.Name + "(" + strings.Join(params, ", ") + ")"
	if c.Defined() && c.Private {
		text = "static " + text
	}
	if len(c.Results) > 1 {
		var members []string
		for _, x := range c.Results {
			members = append(members, declared(x)+";")
		}
		text = fmt.Sprintf("struct %s_results { %s };\n%s", c.Name, strings.Join(members, " "), text)
	}
	return text
}
