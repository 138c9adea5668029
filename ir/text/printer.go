package text

import (
	"io"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// A Printer writes one graph. Hooks of dialects call its methods. What it prints goes through its parts:
//
//	lit     types, attributes and locations, and the text itself
//	frames  which graph is printed, and the names of its values
//	kept    texts of the generic form that were printed before
type Printer struct {
	ctx    *ir.Context
	opts   PrintOptions
	out    io.Writer
	err    error
	lit    *literal.Writer
	frames frames
	kept   keptTexts
	forms  *forms

	indent  int
	dialect string // whose ops need no prefix in the region being printed
}

// newPrinter prints types and attributes alone.
func newPrinter(w *literal.Writer) *Printer { return &Printer{ctx: w.Ctx(), lit: w} }

// Print writes a schedule of a graph, its child graphs included.
func Print(w io.Writer, g *ir.Graph, opts PrintOptions) error {
	p := newPrinter(literal.NewFile(g.Ctx, notation{}, opts.Elide, opts.MaxElements))
	p.opts, p.out, p.forms, p.dialect = opts, w, formsOf(g.Ctx), "builtin"
	p.frames = frames{forms: p.forms, used: map[string]int{}, plain: opts.Generic, how: opts.schedule}
	p.kept = keptTexts{ctx: g.Ctx, lit: p.lit}
	p.frames.f = p.frames.newFrame(g)
	if opts.schedule.Shuffle == nil && opts.schedule.Weight == nil {
		p.frames.schedule()
	}
	// A copied node has a name in each of its regions, which numbering them all
	// first cannot give.
	if opts.Generic && !opts.schedule.Copies {
		p.frames.numberAll()
	} else {
		p.frames.nameParams(ir.Root)
	}
	p.body(ir.Root, nil)
	p.lit.Resources(g.Extra)
	p.flush()
	return p.err
}

// String returns what Print writes.
func String(g *ir.Graph, opts PrintOptions) string {
	var b strings.Builder
	_ = Print(&b, g, opts) // a Builder does not fail
	return b.String()
}

func (p *Printer) flush() {
	if p.err == nil && p.out != nil {
		_, p.err = p.out.Write(p.lit.Buf)
	}
	p.lit.Buf = p.lit.Buf[:0]
}

func (p *Printer) newline() {
	p.lit.Byte('\n')
	for range p.indent {
		p.lit.Byte(' ')
	}
}

// body prints the ops of a region at the current indentation, each on its line.
func (p *Printer) body(r ir.Region, implicit *ir.OpDef) {
	ids := p.frames.ids
	ops := p.frames.f.s.Body(r)
	var special []string
	if !p.frames.numbered {
		p.frames.ids.arg = p.frames.f.argIDs[r]
		special = p.frames.nameOps(ops)
	}
	for i, v := range ops {
		if i == len(ops)-1 && implicit != nil && p.hidden(v, implicit) {
			break
		}
		if p.indent > 0 || r != ir.Root {
			p.newline()
		}
		p.op(v)
		if p.indent == 0 && r == ir.Root {
			p.lit.Byte('\n')
		}
		if len(p.lit.Buf) > 1<<16 && p.out != nil {
			p.flush()
		}
	}
	for _, s := range special {
		p.frames.release(s)
	}
	p.frames.ids = ids
}

// hidden reports a terminator that the syntax leaves out.
func (p *Printer) hidden(v ir.Value, implicit *ir.OpDef) bool {
	g := p.frames.f.g
	return g.Def(v) == implicit && len(g.Args(v)) == 0 && g.AttrsOf(v) == 0 && g.Results(v) == 0
}

// op prints one op.
func (p *Printer) op(v ir.Value) {
	g := p.frames.f.g
	if n := g.Results(v); n > 0 {
		p.Value(v)
		if n > 1 {
			p.lit.Byte(':')
			p.lit.Int(int64(n))
		}
		p.lit.Str(" = ")
	}
	p.withoutResults(v)
}

// withoutResults prints an op from its name on.
func (p *Printer) withoutResults(v ir.Value) {
	g := p.frames.f.g
	def := g.Def(v)
	var f *form
	if !p.opts.Generic {
		if f = p.forms.of(def); f == nil && def.Registered() && p.ctx.DialectOf(def) == nil {
			panic(&ir.OpError{Op: def.Name, Msg: "is defined wrongly: no dialect lists it in Ops, so what is printed could not be read", Author: true})
		}
	}
	if f == nil || !f.prints() {
		p.generic(v, def)
	} else {
		name := def.Name
		if p.dialect != "" && strings.HasPrefix(name, p.dialect) && len(name) > len(p.dialect) && name[len(p.dialect)] == '.' {
			if rest := name[len(p.dialect)+1:]; strings.IndexByte(rest, '.') < 0 {
				name = rest
			}
		}
		p.lit.Str(name)
		p.custom(f, v)
	}
	p.loc(v)
}

// custom prints an op by its form.
func (p *Printer) custom(f *form, v ir.Value) {
	if f.theirs {
		defer p.blames(f.def, v)
	}
	if f.Print != nil {
		f.Print(p, v)
	} else {
		f.print(p, v)
	}
}

// blames is deferred while an op is printed by a form with functions of an author outside of irc.
func (p *Printer) blames(def *ir.OpDef, v ir.Value) {
	if r := recover(); r != nil {
		var at ir.Loc
		if ls := p.frames.f.g.LocsOf(v); len(ls) > 0 {
			at = ls[0]
		}
		panic(blamed(r, def, "Print", at))
	}
}

// generic prints an op in the generic form.
func (p *Printer) generic(v ir.Value, def *ir.OpDef) {
	g := p.frames.f.g
	p.kept.opName(g.Op(v), def)
	p.lit.Byte('(')
	p.Values(g.Args(v))
	p.lit.Byte(')')
	p.kept.properties(g.AttrsOf(v))
	if n := max(len(g.Regions(v)), len(g.Children(v))); n > 0 {
		p.lit.Str(" (")
		for i := range n {
			if i > 0 {
				p.lit.Str(", ")
			}
			p.region(v, i, RegionStyle{Args: true, empty: true})
		}
		p.lit.Byte(')')
	}
	p.kept.discardable(g.AttrsOf(v))
	p.lit.Str(" : (")
	for i, a := range g.Args(v) {
		if i > 0 {
			p.lit.Str(", ")
		}
		p.lit.Type(g.Type(a))
	}
	p.lit.Str(") -> ")
	switch t := g.Type(v); {
	case t == ir.Void || t == ir.NoType:
		p.lit.Str("()")
	case t < ir.Token:
		p.lit.Type(t)
	default:
		p.lit.Results(p.ctx.Results(t))
	}
}

// RegionStyle says how a region is printed.
type RegionStyle struct {
	Args     bool      // with a label for the block's arguments
	empty    bool      // with a label if the block is empty
	Implicit *ir.OpDef // the terminator that is left out if it has nothing to say
	Inline   bool      // `{ op }` on one line, without its results, if all that follows is Implicit, which hands them on
}

// region prints region i of an op, without a leading space.
func (p *Printer) region(v ir.Value, i int, style RegionStyle) {
	outer, dialect, ids := p.frames.f, p.dialect, p.frames.ids
	r := p.frames.enterRegion(v, i)
	g := p.frames.f.g
	p.dialect = ""
	if f := p.forms.of(outer.g.Def(v)); f != nil {
		p.dialect = f.DefaultDialect
	}
	p.lit.Byte('{')
	params := g.Params(r)
	if style.Inline && p.inline(r, style.Implicit) {
		p.frames.f, p.dialect, p.frames.ids = outer, dialect, ids
		return
	}
	if style.Args && len(params) > 0 || style.empty && g.HasBlock(r) && len(p.frames.f.s.Body(r)) == 0 {
		p.newline()
		p.lit.Str("^bb0")
		for j, a := range params {
			if j == 0 {
				p.lit.Byte('(')
			} else {
				p.lit.Str(", ")
			}
			p.Value(a)
			p.lit.Str(": ")
			p.lit.Type(g.Type(a))
		}
		if len(params) > 0 {
			p.lit.Byte(')')
		}
		p.lit.Byte(':')
	}
	p.indent += 2
	p.body(r, style.Implicit)
	p.indent -= 2
	p.newline()
	p.lit.Byte('}')
	if !p.frames.numbered {
		for _, a := range params {
			p.frames.release(p.frames.name(a))
		}
		delete(p.frames.f.params, r)
	}
	p.frames.f, p.dialect, p.frames.ids = outer, dialect, ids
}

// inline prints a region of one op, or of its terminator alone, on one line, if it is such a one.
func (p *Printer) inline(r ir.Region, terminator *ir.OpDef) bool {
	g, ops := p.frames.f.g, p.frames.f.s.Body(r)
	if len(ops) == 2 && g.Def(ops[1]) == terminator && g.AttrsOf(ops[1]) == 0 {
		for i, a := range g.Args(ops[1]) {
			if v, k, _ := g.Projection(a); v != ops[0] || k != i {
				return false
			}
		}
		if len(g.Args(ops[1])) != g.Results(ops[0]) {
			return false
		}
	} else if len(ops) != 1 || g.Def(ops[0]) != terminator {
		return false
	}
	p.lit.Byte(' ')
	p.withoutResults(ops[0])
	p.lit.Str(" }")
	return true
}

// loc prints where an op comes from.
func (p *Printer) loc(v ir.Value) {
	if !p.opts.DebugInfo {
		return
	}
	ls := p.frames.f.g.LocsOf(v)
	p.lit.Str(" loc(")
	switch {
	case len(ls) == 0:
		p.lit.Str("unknown")
	case len(ls) == 1:
		p.oneLoc(ls[0])
	default:
		p.lit.Str("fused[")
		for i, l := range ls {
			if i > 0 {
				p.lit.Str(", ")
			}
			p.oneLoc(l)
		}
		p.lit.Byte(']')
	}
	p.lit.Byte(')')
}

func (p *Printer) oneLoc(l ir.Loc) {
	switch {
	case l&ir.LocAttr != 0:
		p.lit.Buf = p.ctx.AppendLoc(p.lit.Buf, l)
	case p.opts.Source != nil:
		line, col := p.opts.Source.Position(int(l) - 1)
		p.lit.Quoted(p.opts.Source.Name)
		p.lit.Byte(':')
		p.lit.Int(int64(line))
		p.lit.Byte(':')
		p.lit.Int(int64(col))
	default:
		p.lit.Str("unknown")
	}
}
