package source

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A View is a memref inside of a function: the element at index (i, ...) is
// Base[Off + i*stride + ...]. All parts are constants or variables.
type View struct {
	Elem           ir.Type
	Base           Expr
	Off            Expr
	Sizes, Strides []Expr
	Length         *Expr // number of elements from Base on, nil if nobody knows
	Inside         bool  // all elements are known to lie in [Base, Base+Length)
	Moved          bool  // Base is the element (0, ..., 0) of a type whose offset is open
	Ident          bool  // strides follow from the sizes, row-major without gaps
	Exact          bool  // the elements are those of Base, in order, of one dimension
	Const          bool  // Base is a constant: nothing writes to it
}

// Plus and times compute sizes and places; what would be too large wraps around.
func (c *Code) Plus(x, y Expr) Expr {
	switch {
	case x.Constant && y.Constant:
		return c.m.Number(x.Num + y.Num)
	case x.Constant && x.Num == 0:
		return y
	case y.Constant && y.Num == 0:
		return x
	}
	return c.Place(c.m.Lang.Wrapping(Sum, "+", x, y))
}

func (c *Code) times(x, y Expr) Expr {
	switch {
	case x.Constant && y.Constant:
		return c.m.Number(x.Num * y.Num)
	case x.Constant && x.Num == 0 || y.Constant && y.Num == 1:
		return x
	case y.Constant && y.Num == 0 || x.Constant && x.Num == 1:
		return y
	}
	return c.Place(c.m.Lang.Wrapping(Product, "*", x, y))
}

// Count is the product of sizes.
func (c *Code) Count(xs []Expr) Expr {
	p := c.m.Number(1)
	for _, x := range xs {
		p = c.times(p, x)
	}
	return p
}

// rowMajor are the strides of memory without gaps.
func (c *Code) rowMajor(sizes []Expr) []Expr {
	out := make([]Expr, len(sizes))
	n := c.m.Number(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		if i > 0 {
			n = c.times(n, sizes[i])
		}
	}
	return out
}

// StridesOf are the strides of a view.
func (c *Code) StridesOf(m *View) []Expr {
	if m.Strides == nil && m.Ident {
		return c.rowMajor(m.Sizes)
	}
	return m.Strides
}

// placeOf is the index of an element, counted from Base: each index of those given is an
// operand of the expression once.
func (f *Function) placeOf(m *View, at []Expr) Expr {
	if m.Ident && m.Strides == nil {
		lin := f.Number(0)
		for i, x := range at {
			x = f.Lang.Signed(x, 64)
			if i == 0 {
				lin = x
				continue
			}
			if n := m.Sizes[i]; !(n.Constant && n.Num == 1) {
				lin = Binary(Product, "*", lin, n)
			}
			lin = Added(lin, x)
		}
		return Added(m.Off, lin)
	}
	lin := m.Off
	for i, x := range at {
		x = f.Lang.Signed(x, 64)
		if s := m.Strides[i]; s.Constant && s.Num == 0 {
			continue
		} else if !(s.Constant && s.Num == 1) {
			x = f.term(m, Product, "*", x, s)
		}
		if lin.Constant && lin.Num == 0 && !lin.Acts {
			lin = x
		} else if !(x.Constant && x.Num == 0 && !x.Acts) {
			lin = f.term(m, Sum, "+", lin, x)
		}
	}
	return lin
}

// term is a sum or a product of places of a view: modulo 2^64 where it is to be compared with
// the length of the memory, as in the interpreter.
func (f *Function) term(m *View, prec int, op string, x, y Expr) Expr {
	if m.Inside || m.Length == nil || f.Unchecked {
		return Binary(prec, op, x, y)
	}
	return f.Lang.Wrapping(prec, op, x, y)
}

// Values fills in the open entries of a list.
func (m *Module) Values(static []int64, open []Expr) (out, rest []Expr) {
	for _, n := range static {
		if n == ir.Dynamic {
			out, open = append(out, open[0]), open[1:]
		} else {
			out = append(out, m.Number(n))
		}
	}
	return out, open
}

// Open selects the entries that a type leaves open.
func Open(static []int64, xs []Expr) (out []Expr) {
	for i, n := range static {
		if n == ir.Dynamic {
			out = append(out, xs[i])
		}
	}
	return out
}

// Names are variables as expressions.
func Names(fs []Field) []Expr {
	return lists.Map(fs, func(x Field) Expr { return Name(x.Name) })
}

// Fields are the variables that hold a value: of a memref its base, its offset if that is open, and
// what else its type leaves open.
func (m *Module) Fields(g *ir.Graph, v ir.Value, t ir.Type, name string) []Field {
	if m.Ctx.Info(t).Kind != ir.KindMemRef {
		return []Field{{m.Scalar(g, v, t), name}}
	}
	l, places := m.Layout(g, v, t), m.Lang.Syntax().Places
	out := []Field{{m.Lang.Base(m.Lang.Scalar(l.Elem)), name}}
	add := func(what string, n int64, i any) {
		if n == ir.Dynamic {
			out = append(out, Field{places, fmt.Sprintf(m.Lang.Syntax().Part, name, what, i)})
		}
	}
	add("offset", l.Offset, "")
	if !m.tellsLength(l) {
		for i, n := range l.Sizes {
			add("size", n, i)
		}
	}
	if !l.Ident {
		for i, n := range l.Strides {
			add("stride", n, i)
		}
	}
	return out
}

// tellsLength reports a type of which the base tells the only size.
func (m *Module) tellsLength(l Layout) bool {
	if !l.Ident || len(l.Sizes) != 1 {
		return false
	}
	_, tells := m.Lang.Length(Name("x"))
	return tells
}

// FromFields makes a value of what its fields hold.
func (f *Function) FromFields(g *ir.Graph, v ir.Value, t ir.Type, xs []Expr) Val {
	if !f.IsMemory(t) {
		return Val{X: xs[0]}
	}
	l := f.Layout(g, v, t)
	m := &View{Elem: l.Elem, Base: xs[0], Ident: l.Ident}
	off, xs := f.Values([]int64{l.Offset}, xs[1:])
	m.Off = off[0]
	if f.tellsLength(l) {
		m.Exact, m.Inside = true, true
		n, _ := f.Lang.Length(m.Base)
		xs = []Expr{n}
		if l.Sizes[0] != ir.Dynamic {
			xs = nil
		}
	}
	m.Sizes, xs = f.Values(l.Sizes, xs)
	if !l.Ident {
		m.Strides, _ = f.Values(l.Strides, xs)
	}
	return Val{M: m}
}

// ToFields is the inverse of FromFields.
func (f *Function) ToFields(t ir.Type, x Val) []Expr {
	if x.M == nil {
		return []Expr{f.Lang.Signed(x.X, f.Width(t))}
	}
	l, m := f.Layout(f.G, f.V, t), x.M
	f.CheckType(l, m)
	base := m.Base
	switch {
	case f.tellsLength(l) && !m.Exact:
		base = f.Lang.From(f, m, m.Off, &m.Sizes[0])
	case l.Offset != ir.Dynamic && !(m.Off.Constant && m.Off.Num == l.Offset):
		base = f.Lang.From(f, m, f.Code.Plus(m.Off, f.Number(-l.Offset)), nil)
	case m.Const && !f.tellsLength(l):
		base = f.Lang.From(f, m, f.Number(0), nil)
	}
	out := append([]Expr{base}, Open([]int64{l.Offset}, []Expr{m.Off})...)
	if !f.tellsLength(l) {
		out = append(out, Open(l.Sizes, m.Sizes)...)
	}
	if !l.Ident {
		out = append(out, Open(l.Strides, f.Code.StridesOf(m))...)
	}
	return out
}

// CheckType checks the sizes and strides that only the type tells beyond this place: a
// memref.cast may have claimed what does not hold.
func (f *Function) CheckType(l Layout, m *View) {
	differs := func(static []int64, xs []Expr) {
		for i, n := range static {
			if n != ir.Dynamic && !(xs[i].Constant && xs[i].Num == n) {
				f.Check(Binary(Equality, "!=", xs[i], f.Number(n)), "a memref is not as its type says")
			}
		}
	}
	differs(l.Sizes, m.Sizes)
	if !l.Ident {
		differs(l.Strides, f.Code.StridesOf(m))
	}
}
