package values

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
)

// Names are those of the values of one source, in the function that is open.
type Names struct {
	B        *ir.Builder   // of the region that is open
	Scope    *symtab.Scope // the names that are visible
	Uses     []Use         // operands of the op that is being read
	Order    Order
	Verbatim bool // the graph is what is written

	in     *scan.Reader
	ctx    *ir.Context
	defs   *literal.Definitions
	scopes []*symtab.Scope // that are done with
}

// New has no names and no builder yet. Types in messages are shown by defs.
func New(ctx *ir.Context, in *scan.Reader, defs *literal.Definitions, verbatim bool) *Names {
	return &Names{Scope: symtab.NewScope(in.Src), Verbatim: verbatim, in: in, ctx: ctx, defs: defs}
}

// OpenScope begins the names of an isolated op.
func (p *Names) OpenScope() {
	if n := len(p.scopes); n > 0 {
		p.Scope, p.scopes = p.scopes[n-1], p.scopes[:n-1]
	} else {
		p.Scope = symtab.NewScope(p.in.Src)
	}
}

// CloseScope ends them and goes back to those of the op around it.
func (p *Names) CloseScope(outer *symtab.Scope) {
	p.Scope.Clear()
	p.scopes = append(p.scopes, p.Scope)
	p.Scope = outer
}

// Define binds a name, which stands at an offset, to values; none if its op was
// wrong.
func (p *Names) Define(name string, at int, vals ...ir.Value) {
	if p.in.Src[at:min(at+len(name), len(p.in.Src))] != name {
		panic("text: " + scan.Short(name) + " does not stand where it is said to be defined")
	}
	d, old := p.Scope.Define(name, at, vals)
	if old != nil {
		before := int(old.At)
		p.in.Fail(diag.Errorf(p.in.File.Span(at, at+len(name)), "redefinition of value '%s'", scan.Short(name)).
			WithNote(p.in.File.Span(before, before+len(name)), "previously defined here"))
	}
	if p.in.Index != nil && !d.Wrong() {
		p.in.Index.Add(index.Entry{Kind: index.Definition, Start: at, End: at + len(name), Type: p.typeOf(vals...)})
	}
	if len(p.Scope.Forwards) > 0 {
		p.defineForwards(name, d)
	}
}

// typeOf is the type of the one value that a name stands for, or NoType.
func (p *Names) typeOf(vals ...ir.Value) ir.Type {
	if len(vals) != 1 {
		return ir.NoType
	}
	return p.B.Graph().Type(vals[0])
}

// Plain keeps the use of a name that stands for one value, from at to end.
func (p *Names) Plain(d *symtab.Def, at, end int) {
	p.used(Use{d.One, int32(at), int32(end), int32(end), d.At})
}

// used keeps the use of a value.
func (p *Names) used(u Use) {
	p.Uses = append(p.Uses, u)
	if p.in.Index == nil {
		return
	}
	def := int(u.def)
	if u.def == u.at { // there is none yet
		def = -1
	}
	p.in.Index.Add(index.Entry{Kind: index.Use, Start: int(u.at), End: int(u.end), Name: def, Type: p.typeOf(u.v)})
}

// A Use is one operand as written: from at to end, its name up to name; the name is
// defined at def.
type Use struct {
	v                  ir.Value
	at, name, end, def int32
}

// NewBuilder makes the builder of an isolated op.
func (p *Names) NewBuilder() *ir.Builder {
	if p.Verbatim {
		return ir.NewBuilder(p.ctx, ir.Verbatim)
	}
	return ir.NewBuilder(p.ctx)
}

// Operand reads the use of a value.
func (p *Names) Operand() ir.Value {
	v, ok := p.OptionalOperand()
	if !ok {
		p.in.Errorf(p.in.Tok.Start, "expected an operand, found %s", p.in.Found())
	}
	return v
}

// OptionalOperand reads the use of a value if one is there.
func (p *Names) OptionalOperand() (ir.Value, bool) {
	if p.in.Tok.Kind != lex.Percent {
		return 0, false
	}
	name, use := p.in.Text(), Use{at: int32(p.in.Tok.Start), name: int32(p.in.Tok.End)}
	d := p.Scope.Find(name)
	if d == nil {
		if v, ok := p.forward(name, use); ok {
			return v, true
		}
		p.in.Fail(p.undefined(name, p.in.Here()))
	}
	if d.Wrong() {
		panic(scan.Bail{}) // its definition is reported already
	}
	p.in.Next()
	v, total := p.Scope.Value(d, 0)
	at := int(d.At)
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		i := p.resultIndex(total)
		if i < 0 {
			p.in.Fail(diag.Errorf(p.in.Here(), "'%s' has %d results, numbered from 0", scan.Short(name), total).
				WithNote(p.in.File.Span(at, at+len(name)), "defined here"))
		}
		v, _ = p.Scope.Value(d, i)
		p.in.Next()
	}
	use.v, use.end, use.def = v, int32(p.in.Prev), d.At
	p.used(use)
	return v, true
}

// resultIndex is the number of the #number that comes next, or -1 from n on.
func (p *Names) resultIndex(n int) int {
	i, err := strconv.Atoi(p.in.Text()[1:])
	if err != nil || i >= n {
		return -1
	}
	return i
}

// undefined says what is wrong with the use of a name that is not in scope.
func (p *Names) undefined(name string, span diag.Span) *diag.Diagnostic {
	d := diag.Errorf(span, "use of undefined value '%s'", scan.Short(name))
	if i := p.definedLater(name); i >= 0 {
		d.Message = "value '" + scan.Short(name) + "' is not visible here"
		d.WithNote(p.in.File.Span(i, i+len(name)), "a definition stands here; a value is visible after it, inside its region, and not in functions within")
		if p.Order.Graphs > 0 && !p.Verbatim {
			d.WithFix("a region that may use values before their definition is kept with -verbatim only")
		}
		return d
	}
	if len(name) < 100 && len(p.Scope.Defs) < 10000 {
		if near := diag.Nearest(name, p.Scope.Visible()); near != "" {
			d.WithFix("did you mean '%s'?", near)
		}
	}
	return d
}

// definedLater returns where a name is defined in the text, or -1.
func (p *Names) definedLater(name string) int {
	for from := 0; ; {
		i := strings.Index(p.in.Src[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		from = i + len(name)
		j := lex.SkipSpace(p.in.Src, from)
		if j < len(p.in.Src) && (p.in.Src[j] == '=' || p.in.Src[j] == ':' && from == j && j+1 < len(p.in.Src) && lex.IsDigit(p.in.Src[j+1])) && p.in.Src[from-1] != '%' {
			return i
		}
	}
}

// Operands reads uses of values separated by commas, perhaps none.
func (p *Names) Operands() (out []ir.Value) {
	for p.in.Tok.Kind == lex.Percent {
		out = append(out, p.Operand())
		if !p.in.Optional(",") {
			break
		}
	}
	return out
}

// CheckType reports that a value is not of the type that the text says.
func (p *Names) CheckType(v ir.Value, t ir.Type) {
	have := p.B.Graph().Type(v)
	if have == t {
		return
	}
	if have == ir.NoType && p.B.Graph().IsForward(v) {
		p.B.SetForwardType(v, t)
		return
	}
	for i := len(p.Uses) - 1; i >= 0; i-- {
		if u := p.Uses[i]; u.v == v {
			name := p.in.Src[u.at:u.name]
			p.in.Fail(diag.Errorf(p.in.File.Span(int(u.at), int(u.end)), "'%s' is used as %s, but its type is %s", scan.Short(name), p.defs.Show(t), p.defs.Show(have)).
				WithNote(p.in.File.Span(int(u.def), int(u.def)+len(name)), "defined here"))
		}
	}
	p.in.Errorf(p.in.Prev, "a value is used as %s, but its type is %s", p.defs.Show(t), p.defs.Show(have))
}

// FailUse reports what is wrong with an operand, at its last use, and gives the op up.
func (p *Names) FailUse(v ir.Value, what string) {
	for i := len(p.Uses) - 1; i >= 0; i-- {
		if u := p.Uses[i]; u.v == v {
			name := p.in.Src[u.at:u.name]
			p.in.Fail(diag.Errorf(p.in.File.Span(int(u.at), int(u.end)), "'%s' %s", scan.Short(name), what).
				WithNote(p.in.File.Span(int(u.def), int(u.def)+len(name)), "defined here"))
		}
	}
	p.in.Errorf(p.in.Prev, "an operand %s", what)
}

// Literal is the value of a constant that the text writes as one: what folds to one may be said where a constant may not.
func (p *Names) Literal(v ir.Value) (x ir.Val, ok bool) {
	g := p.B.Graph()
	if x, ok = g.Const(v); !ok {
		return x, false
	}
	for _, loc := range g.LocsOf(v) {
		if loc&ir.LocAttr != 0 || int(loc) > len(p.in.Src) || !strings.HasPrefix(strings.TrimPrefix(p.in.Src[loc-1:], `"`), g.Def(v).Name) {
			return x, false
		}
	}
	return x, true
}

// CheckTypes is CheckType for lists, whose lengths must agree too.
func (p *Names) CheckTypes(vs []ir.Value, ts []ir.Type) {
	if len(vs) != len(ts) {
		p.in.Errorf(p.in.Prev, "%d operands, but %d types", len(vs), len(ts))
	}
	for i, v := range vs {
		p.CheckType(v, ts[i])
	}
}

// Subscripted reads memory and its subscripts, `%m[%i, %j]`: all as operands, the subscripts of type index.
func (p *Names) Subscripted() []ir.Value {
	out := []ir.Value{p.Operand()}
	p.in.List("[", "]", func() {
		v := p.Operand()
		p.CheckType(v, ir.Index)
		out = append(out, v)
	})
	return out
}
