package source

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Memory is operand i of the current op, a memref.
func (f *Function) Memory(i int) *View {
	v := f.G.Args(f.V)[i]
	if m := f.Of(v).M; m != nil {
		return m
	}
	f.Fail("has an operand of type %s, which is not printed as %s", f.spell(f.G.Type(v)), f.syntax.Name)
	return nil
}

// Check stops the program if a condition holds.
func (f *Function) Check(bad Expr, reason string) {
	if f.Unchecked || bad.Constant && bad.Num == 0 {
		return
	}
	f.stopIf(bad, reason)
}

// CheckOnce is Check of what variables and constants alone say: where it was checked before, it is not checked again.
func (f *Function) CheckOnce(bad Expr, reason string) {
	if f.Unchecked || f.held[bad.Text] {
		return
	}
	f.held[bad.Text], f.holds = true, append(f.holds, bad.Text)
	f.Check(bad, reason)
}

// stopIf is Check in unchecked code too: the program itself asks for it.
func (f *Function) stopIf(bad Expr, reason string) {
	f.Code.guarded(bad, f.Lang.Trap(f, fmt.Sprintf("@%s: %s: %s", f.Callee.Symbol, f.G.Def(f.V).Name, reason)))
}

// within reports that 0 <= v < n is known.
func (f *Function) within(v ir.Value, x, n Expr) bool {
	if x.Constant {
		return n.Constant && 0 <= x.Num && x.Num < n.Num
	}
	known := f.Known.At(f.Region)
	k := known.Number(v)
	if k.Low < 0 || n.Constant {
		return n.Constant && k.Within(0, n.Num-1)
	}
	for _, u := range known.Uppers(v) {
		if y := f.Of(u.Value).X; u.Off < 0 && y.Text != "" && y.Text == n.Text {
			return true
		}
	}
	return false
}

// Element is an element, whose indices, operands of the current op from the given one on, are
// checked.
func (f *Function) Element(m *View, from int) Expr {
	of := f.G.Args(f.V)[from:]
	at := make([]Expr, len(of))
	trusted := f.Unchecked || f.G.Attr(f.V, memref.InBoundsAttr) != 0
	for i, v := range of {
		at[i] = f.ScalarOf(v)
		switch {
		case trusted || f.within(v, at[i], m.Sizes[i]):
		case !m.Exact || at[i].Constant:
			at[i] = f.Lang.At(f, at[i], m.Sizes[i])
		default:
			at[i].Acts = true
		}
	}
	place := f.placeOf(m, at)
	if !m.Inside && m.Length != nil && !trusted {
		place = f.Lang.At(f, place, *m.Length)
	}
	if place.Constant && place.Num == 0 && !place.Acts {
		return Made(Primary, fmt.Sprintf(f.syntax.Start, m.Base.Text), m.Base)
	}
	return Made(Primary, fmt.Sprintf(f.syntax.Index, m.Base.Text, place.Text), m.Base, place)
}

// lengthOf computes the length of a view that is to lose its sizes.
func (c *Code) lengthOf(m *View) {
	if m.Length == nil && m.Inside {
		n := c.Count(m.Sizes)
		m.Length = &n
	}
}

func emitLoad(f *Function) {
	x := f.Element(f.Memory(0), 1)
	x.Acts = true
	f.Set(x)
}

func emitStore(f *Function) {
	m, x := f.Memory(1), f.Arg(0)
	if m.Const {
		f.Fail("writes to the memory of a constant")
	}
	to := f.Element(m, 2)
	if to.Text == x.Text { // which may trap; as one statement it is a mistake to who reads it
		x = f.Code.Hoisted(x, f.Scalar(f.G, f.V, f.TypeOf(0)), "t")
	}
	f.Code.Assign(to.Text, x)
}

// Extent is the view of a new allocation, without its base.
func (f *Function) Extent() *View {
	l := f.Layout(f.G, f.V, f.G.Type(f.V))
	if !l.Ident {
		f.Refuse("allocates memory whose layout is not the identity", "take a view of an allocation")
	}
	m := &View{Elem: l.Elem, Off: f.Number(0), Ident: true, Inside: true}
	m.Sizes, _ = f.Values(l.Sizes, f.places(f.G.Segments(f.V)[0]))
	_, tells := f.Lang.Length(Name("x"))
	m.Exact = tells && len(m.Sizes) == 1
	return m
}

// CopyArgs are the views of a copy of memory without gaps, whose sizes are checked.
func (f *Function) CopyArgs() (from, to *View) {
	from, to = f.Memory(0), f.Memory(1)
	for i := range from.Sizes {
		if a, b := from.Sizes[i], to.Sizes[i]; a.Text != b.Text {
			f.Check(Binary(Equality, "!=", a, b), "memref.copy between different sizes")
		}
	}
	if !from.Ident || !to.Ident {
		f.Refuse("copies memory whose strides are its own", "copy it by loops")
	}
	return from, to
}

func emitGetGlobal(f *Function) {
	symbol := f.Ctx.AttrInfo(f.G.Attr(f.V, "name")).Str
	g := f.Globals[symbol]
	if g == nil {
		f.Fail("refers to @%s, which is no memref.global of this module", symbol)
	}
	g.Used = true
	l := f.Layout(f.G, f.V, f.G.Type(f.V))
	m := &View{Elem: l.Elem, Base: Name(g.Name), Off: f.Number(0), Inside: true, Ident: true, Exact: f.tellsLength(l), Const: g.Constant}
	m.Sizes, _ = f.Values(l.Sizes, nil)
	f.GiveView(m)
}
