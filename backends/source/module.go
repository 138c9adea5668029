package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Module is what is translated: the functions and globals of a graph.
type Module struct {
	G         *ir.Graph
	Ctx       *ir.Context
	Lang      Language
	Unchecked bool // nothing traps but cf.assert
	Callees   map[string]*Callee
	Globals   map[string]*Global
	Taken     map[string]bool // identifiers of the file
	List      []*Callee       // the functions, in order
	ops       map[*ir.OpDef]func(*Function)
}

// NewModule is the module of a graph: a parsed file, or the body of a module.
func NewModule(g *ir.Graph, lang Language, unchecked bool) *Module {
	g = builtin.Functions(g)
	return &Module{G: g, Ctx: g.Ctx, Lang: lang, Unchecked: unchecked, Callees: map[string]*Callee{}, Globals: map[string]*Global{}, Taken: map[string]bool{}, ops: shared()}
}

// Text is what f prints, or the error, an *ir.OpError, with which FailAt gave the translation up.
func Text(f func() string) (text string, err error) {
	if e, failed := unwind.Catch[*ir.OpError](func() { text = f() }); failed {
		return "", e
	}
	return text, nil
}

// FailAt gives the translation up.
func FailAt(g *ir.Graph, v ir.Value, format string, args ...any) {
	e := &ir.OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf(format, args...)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	panic(e)
}

// Declare notes the functions and globals; fresh is an identifier for a symbol, and global hears
// of each global.
func (m *Module) Declare(callee func(c *Callee), global func(*Global)) {
	for _, v := range ir.ScheduleOf(m.G).Body(ir.Root) {
		switch def := m.G.Def(v); {
		case def == funcs.Func:
			c := m.declare(v)
			callee(c)
			m.List = append(m.List, c)
		case def == memref.Global:
			global(m.global(v))
		case def.Has(ir.Terminator):
		default:
			FailAt(m.G, v, "stands outside of a function: %s has functions and globals there only; move it into a func.func", m.Lang.Syntax().Name)
		}
	}
}

// A Callee is a function as calls see it.
type Callee struct {
	Name, Symbol string // in the language, and in the IR
	V            ir.Value
	G            *ir.Graph
	In, Out      []ir.Type
	Private      bool
	Params       []string // names of the arguments
	Results      []Field  // what the results are in the language
}

// Defined reports that a function has a body.
func (c *Callee) Defined() bool { return c.G.HasBlock(ir.Root) }

// private reports that a symbol is one of this module alone.
func (m *Module) private(v ir.Value) bool {
	a := m.G.Attr(v, "sym_visibility")
	return a != 0 && m.Ctx.AttrInfo(a).Str != "public"
}

func (m *Module) declare(v ir.Value) *Callee {
	t := funcs.TypeOf(m.Ctx, m.G.AttrsOf(v))
	c := &Callee{V: v, G: m.G.Children(v)[0], Symbol: funcs.NameOf(m.G, v), In: t.Types[:t.NumIn], Out: t.Types[t.NumIn:], Private: m.private(v)}
	if err := ir.CheckTypes(m.G, v); err != nil {
		panic(err)
	}
	for i := range c.In {
		c.Params = append(c.Params, fmt.Sprintf("arg%d", i))
	}
	m.Callees[c.Symbol] = c
	return c
}

// Says reports that a function's list of attributes, of arguments or of results, has one.
func (m *Module) Says(v ir.Value, list string, i int, name string) bool {
	a := m.G.Attr(v, list)
	if a == 0 || i >= len(m.Ctx.AttrInfo(a).List) {
		return false
	}
	return slices.ContainsFunc(m.Ctx.AttrInfo(m.Ctx.AttrInfo(a).List[i]).Dict, func(x ir.NamedAttr) bool { return x.Name == name })
}

// A Global is a memref.global.
type Global struct {
	V            ir.Value
	Name, Symbol string
	Elem         ir.Type
	Count        int64 // of elements
	Private      bool
	External     bool   // another file may give its values
	Constant     bool   // nothing writes to it
	Used         bool   // a function that is translated refers to it
	Values       []Expr // nil for zeros
	Data         string // the bytes of the elements, little end first, in the place of Values where they are more than LargeData
}

// LargeData is how many bytes the elements of a global have at most that are written as numbers.
const LargeData = 1 << 20

func (m *Module) global(v ir.Value) *Global {
	t := m.Ctx.AttrInfo(m.G.Attr(v, "type")).Type
	l := m.Layout(m.G, v, t)
	if !l.Ident || slices.Contains(l.Sizes, ir.Dynamic) {
		FailAt(m.G, v, "has type %s, which is not printed as %s; use the identity layout and static sizes", m.spell(t), m.Lang.Syntax().Name)
	}
	if err := ir.CheckType(m.G, v, t); err != nil {
		panic(err)
	}
	g := &Global{V: v, Symbol: m.Ctx.AttrInfo(m.G.Attr(v, "sym_name")).Str, Elem: l.Elem, Count: ir.Elements(l.Sizes), Private: m.private(v)}
	m.Globals[g.Symbol] = g
	init := m.G.Attr(v, "initial_value")
	if init == 0 {
		g.External = true
		return g
	}
	if m.Ctx.KindOf(init) == ir.AttrUnit {
		return g
	}
	g.Constant = m.G.Attr(v, "constant") != 0
	init, err := m.Ctx.Elements(init)
	if err != nil {
		FailAt(m.G, v, "%v", err)
	}
	info := m.Ctx.AttrInfo(init)
	size := m.Ctx.ElemSize(l.Elem)
	switch {
	case g.Count == 0 || info.Splat && m.Ctx.Elem(init, 0) == 0:
	case g.Count > LargeData/int64(size):
		if g.Data = info.Str; info.Splat {
			g.Data = strings.Repeat(g.Data, int(g.Count))
		}
	default:
		for i := range g.Count {
			g.Values = append(g.Values, m.number(l.Elem, m.Ctx.Elem(init, i)))
		}
	}
	return g
}

// number is a number of a type as its bits say.
func (m *Module) number(t ir.Type, bits uint64) Expr {
	if m.Ctx.IsFloat(t) {
		return m.Lang.Floating(ir.BitsToFloat(bits, t), t)
	}
	w := m.Ctx.Info(t).Width
	if t == ir.I1 {
		return Boolean(bits&1 != 0)
	}
	return m.Lang.Integer(ir.IntVal(int64(bits), w).Int(w), w)
}

// Scalar is the type of a value that is no memref; an op that has another is refused.
func (m *Module) Scalar(g *ir.Graph, v ir.Value, t ir.Type) string {
	name := m.Lang.Scalar(t)
	if name == "" {
		FailAt(g, v, "has a value of type %s, which is not printed as %s; there are %s and memrefs of them", m.spell(t), m.Lang.Syntax().Name, m.Lang.Kinds())
	}
	return name
}

func (m *Module) spell(t ir.Type) string {
	switch info := m.Ctx.Info(t); info.Kind {
	case ir.KindInteger:
		return "i" + strconv.Itoa(info.Width)
	case ir.KindFloat, ir.KindOpaque:
		return info.Text
	case ir.KindVector:
		return "vector<...>"
	case ir.KindTensor:
		return "tensor<...>"
	case ir.KindMemRef:
		return "memref<...x" + m.spell(info.Elem) + "> of this layout"
	case ir.KindFunction:
		return "a function"
	}
	return "another kind"
}

// A Layout is what the type of a memref says.
type Layout struct {
	Elem           ir.Type
	Sizes, Strides []int64
	Offset         int64
	Ident          bool // strides follow from the sizes
}

// Layout is that of a type; an op that has one that cannot be printed is refused.
func (m *Module) Layout(g *ir.Graph, v ir.Value, t ir.Type) Layout {
	info, lang := m.Ctx.Info(t), m.Lang.Syntax().Name
	if info.Unranked {
		FailAt(g, v, "has an unranked memref, which is not printed as %s; cast it to a ranked one", lang)
	}
	l := Layout{Elem: info.Elem, Sizes: info.Shape, Ident: info.Layout == 0}
	var ok bool
	if l.Strides, l.Offset, ok = layouts.Layout(m.Ctx, t); !ok || m.Lang.Scalar(l.Elem) == "" {
		FailAt(g, v, "has a value of type %s, which is not printed as %s; use an identity or strided layout and elements that %[2]s has", m.spell(t), lang)
	}
	return l
}
