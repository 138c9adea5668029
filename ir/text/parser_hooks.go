package text

import (
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Ctx returns the context of what is read.
func (p *Parser) Ctx() *ir.Context { return p.ctx }

// B returns the builder of the region that is open.
func (p *Parser) B() *ir.Builder { return p.b }

// At returns the offset of the next token.
func (p *Parser) At() int { return p.in.Tok.Start }

// Peek reports that the next token is the punctuation or keyword s.
func (p *Parser) Peek(s string) bool {
	return p.in.Tok.End-p.in.Tok.Start == len(s) && p.in.Src[p.in.Tok.Start] == s[0] && p.in.Tok.Kind != lex.String && p.in.Text() == s
}

// Optional reads the punctuation or keyword s if it is there.
func (p *Parser) Optional(s string) bool {
	if !p.Peek(s) {
		return false
	}
	p.in.Next()
	return true
}

// Expect reads the punctuation or keyword s.
func (p *Parser) Expect(s string) {
	if !p.Optional(s) {
		p.Errorf(p.in.Tok.Start, "expected '%s', found %s", s, p.found())
	}
}

// Keyword reads any bare word.
func (p *Parser) Keyword() string {
	if p.in.Tok.Kind != lex.Ident {
		p.Errorf(p.in.Tok.Start, "expected a keyword, found %s", p.found())
	}
	s := p.in.Text()
	p.in.Next()
	return s
}

// OptionalKeywordOf reads the one of words that is there, or returns "".
func (p *Parser) OptionalKeywordOf(words ...string) string {
	if p.in.Tok.Kind == lex.Ident {
		for _, w := range words {
			if p.Optional(w) {
				return w
			}
		}
	}
	return ""
}

// Integer reads an integer, with a sign if there is one.
func (p *Parser) Integer() int64 {
	n, ok := p.OptionalInteger()
	if !ok {
		p.Errorf(p.in.Tok.Start, "expected an integer, found %s", p.found())
	}
	return n
}

// OptionalInteger reads an integer if one is there.
func (p *Parser) OptionalInteger() (int64, bool) {
	at, neg := p.in.Tok, false
	if p.in.Tok.Kind == '-' {
		p.in.Next()
		neg = true
	}
	if p.in.Tok.Kind != lex.Int {
		if neg {
			p.in.Reset(at.Start)
		}
		return 0, false
	}
	u, err := strconv.ParseUint(p.in.Text(), 0, 64)
	if strings.HasPrefix(p.in.Text(), "0") && len(p.in.Text()) > 1 && p.in.Text()[1] != 'x' {
		u, err = strconv.ParseUint(p.in.Text(), 10, 64)
	}
	if err != nil || !neg && u > math.MaxInt64 || neg && u > 1<<63 {
		p.Errorf(p.in.Tok.Start, "integer is out of range: %s", p.found())
	}
	p.in.Next()
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}

// String reads a quoted string and returns what it stands for.
func (p *Parser) String() string {
	if p.in.Tok.Kind != lex.String {
		p.Errorf(p.in.Tok.Start, "expected a string, found %s", p.found())
	}
	s, ok := lex.Unescape(p.in.Text())
	if !ok {
		p.Errorf(p.in.Tok.Start, "unknown escape in string; known are \\\\ \\\" \\n \\t and two hexadecimal digits")
	}
	p.in.Next()
	return s
}

// Symbol reads `@name` and returns the name.
func (p *Parser) Symbol() string {
	s, ok := p.OptionalSymbol()
	if !ok {
		p.Errorf(p.in.Tok.Start, "expected a symbol '@name', found %s", p.found())
	}
	return s
}

// OptionalSymbol reads `@name` if it is there.
func (p *Parser) OptionalSymbol() (string, bool) {
	if p.in.Tok.Kind != lex.At {
		return "", false
	}
	s := p.in.Text()[1:]
	if s[0] == '"' {
		var ok bool
		if s, ok = lex.Unescape(s); !ok {
			p.Errorf(p.in.Tok.Start, "unknown escape in symbol")
		}
	}
	if s == "" {
		p.Errorf(p.in.Tok.Start, "a symbol has a name")
	}
	p.in.Next()
	return s, true
}

// List reads what item reads, separated by commas, between brackets.
func (p *Parser) List(open, end string, item func()) {
	p.Expect(open)
	if !p.Optional(end) {
		p.items(end, item)
	}
}

// items reads the rest of a list that is not empty.
func (p *Parser) items(end string, item func()) {
	for {
		item()
		if p.Optional(end) {
			return
		}
		if p.in.Tok.Kind != ',' {
			p.Errorf(p.in.Tok.Start, "expected ',' or '%s', found %s", end, p.found())
		}
		p.in.Next()
	}
}

// OptionalList is List if open is there, and reports whether it was.
func (p *Parser) OptionalList(open, end string, item func()) bool {
	if !p.Peek(open) {
		return false
	}
	p.List(open, end, item)
	return true
}

// Operand reads the use of a value.
func (p *Parser) Operand() ir.Value {
	v, ok := p.OptionalOperand()
	if !ok {
		p.Errorf(p.in.Tok.Start, "expected an operand, found %s", p.found())
	}
	return v
}

// OptionalOperand reads the use of a value if one is there.
func (p *Parser) OptionalOperand() (ir.Value, bool) {
	if p.in.Tok.Kind != lex.Percent {
		return 0, false
	}
	name, use := p.in.Text(), use{at: int32(p.in.Tok.Start), name: int32(p.in.Tok.End)}
	d := p.scope.Find(name)
	if d == nil {
		if v, ok := p.forward(name, use); ok {
			return v, true
		}
		p.Fail(p.undefined(name, p.here()))
	}
	if d.Wrong() {
		panic(bail{}) // its definition is reported already
	}
	p.in.Next()
	v, total := p.scope.Value(d, 0)
	at := int(d.At)
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		i := p.resultIndex(total)
		if i < 0 {
			p.Fail(diag.Errorf(p.here(), "'%s' has %d results, numbered from 0", short(name), total).
				WithNote(p.file.Span(at, at+len(name)), "defined here"))
		}
		v, _ = p.scope.Value(d, i)
		p.in.Next()
	}
	use.v, use.end, use.def = v, int32(p.in.Prev), d.At
	p.used(use)
	return v, true
}

// resultIndex is the number of the #number that comes next, or -1 from n on.
func (p *Parser) resultIndex(n int) int {
	i, err := strconv.Atoi(p.in.Text()[1:])
	if err != nil || i >= n {
		return -1
	}
	return i
}

// undefined says what is wrong with the use of a name that is not in scope.
func (p *Parser) undefined(name string, span diag.Span) *diag.Diagnostic {
	d := diag.Errorf(span, "use of undefined value '%s'", short(name))
	if i := p.definedLater(name); i >= 0 {
		d.Message = "value '" + short(name) + "' is not visible here"
		d.WithNote(p.file.Span(i, i+len(name)), "a definition stands here; a value is visible after it, inside its region, and not in functions within")
		if p.graphs > 0 && !p.opts.Verbatim {
			d.WithFix("a region that may use values before their definition is kept with -verbatim only")
		}
		return d
	}
	if len(name) < 100 && len(p.scope.Defs) < 10000 {
		if near := diag.Nearest(name, p.scope.Visible()); near != "" {
			d.WithFix("did you mean '%s'?", near)
		}
	}
	return d
}

// definedLater returns where a name is defined in the text, or -1.
func (p *Parser) definedLater(name string) int {
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
func (p *Parser) Operands() (out []ir.Value) {
	for p.in.Tok.Kind == lex.Percent {
		out = append(out, p.Operand())
		if !p.Optional(",") {
			break
		}
	}
	return out
}

// CheckType reports that a value is not of the type that the text says.
func (p *Parser) CheckType(v ir.Value, t ir.Type) {
	have := p.b.Graph().Type(v)
	if have == t {
		return
	}
	if have == ir.NoType && p.b.Graph().IsForward(v) {
		p.b.SetForwardType(v, t)
		return
	}
	for i := len(p.uses) - 1; i >= 0; i-- {
		if u := p.uses[i]; u.v == v {
			name := p.in.Src[u.at:u.name]
			p.Fail(diag.Errorf(p.file.Span(int(u.at), int(u.end)), "'%s' is used as %s, but its type is %s", short(name), p.show(t), p.show(have)).
				WithNote(p.file.Span(int(u.def), int(u.def)+len(name)), "defined here"))
		}
	}
	p.Errorf(p.in.Prev, "a value is used as %s, but its type is %s", p.show(t), p.show(have))
}

// FailUse reports what is wrong with an operand, at its last use, and gives the op up.
func (p *Parser) FailUse(v ir.Value, what string) {
	for i := len(p.uses) - 1; i >= 0; i-- {
		if u := p.uses[i]; u.v == v {
			name := p.in.Src[u.at:u.name]
			p.Fail(diag.Errorf(p.file.Span(int(u.at), int(u.end)), "'%s' %s", short(name), what).
				WithNote(p.file.Span(int(u.def), int(u.def)+len(name)), "defined here"))
		}
	}
	p.Errorf(p.in.Prev, "an operand %s", what)
}

// Literal is the value of a constant that the text writes as one: what folds to one may be said where a constant may not.
func (p *Parser) Literal(v ir.Value) (x ir.Val, ok bool) {
	g := p.b.Graph()
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
func (p *Parser) CheckTypes(vs []ir.Value, ts []ir.Type) {
	if len(vs) != len(ts) {
		p.Errorf(p.in.Prev, "%d operands, but %d types", len(vs), len(ts))
	}
	for i, v := range vs {
		p.CheckType(v, ts[i])
	}
}

// ArgumentName reads the name of a region's argument.
func (p *Parser) ArgumentName() Param {
	if p.in.Tok.Kind != lex.Percent {
		p.Errorf(p.in.Tok.Start, "expected the name of an argument, found %s", p.found())
	}
	a := Param{Name: p.in.Text(), At: p.in.Tok.Start}
	p.in.Next()
	return a
}

// Argument reads `%name : type`.
func (p *Parser) Argument() Param {
	a := p.ArgumentName()
	a.Type = p.ColonType()
	return a
}

// Region reads `{ ... }` as the next region of op, which always has a block.
// Params are the arguments that the op's own syntax gives it; implicit is the
// terminator that the text may leave out, or nil.
func (p *Parser) Region(op *Op, params []Param, implicit *ir.OpDef) {
	p.region(op, params, implicit, false)
}

// RegionOf is Region for `{ op }`: where the text leaves the terminator out, it hands on what the
// last op gives.
func (p *Parser) RegionOf(op *Op, terminator *ir.OpDef) {
	p.handsOn = true
	p.region(op, nil, terminator, false)
}

// PeekLabel reports that a region begins here whose block has a label.
func (p *Parser) PeekLabel() bool {
	return p.in.Tok.Kind == '{' && p.in.At(p.in.Tok.End).Kind == lex.Caret
}

// NoRegion adds a region without a block: the body of a declaration.
func (p *Parser) NoRegion(op *Op) {
	if op.Def.Has(ir.Isolated) {
		b := p.newBuilder()
		b.NoBlock()
		op.Graphs = append(op.Graphs, b.Finish())
		return
	}
	p.b.Open(p.regionKind(op))
	p.b.NoBlock()
	op.Regions = append(op.Regions, p.b.Close())
}

// ImplicitRegion adds a region that holds the terminator alone: what an else
// that is left out stands for.
func (p *Parser) ImplicitRegion(op *Op, terminator *ir.OpDef) {
	p.b.Open(p.regionKind(op))
	p.terminate(terminator, false)
	op.Regions = append(op.Regions, p.b.Close())
}

// Signature reads `(%a: t {attrs}, ...) -> (t {attrs}, ...)`. In a declaration
// the names may be missing.
func (p *Parser) Signature() (s Signature) {
	p.List("(", ")", func() {
		if p.Optional("...") {
			s.Variadic = true
			return
		}
		var a Param
		if p.in.Tok.Kind == lex.Percent {
			a = p.Argument()
		} else {
			a.At = p.in.Tok.Start
			a.Type = p.Type()
		}
		if p.in.Tok.Kind == '{' {
			a.Attr = p.Attr()
		}
		if l, ok := p.trailingLoc(); ok {
			a.loc = l
		}
		s.Params = append(s.Params, a)
	})
	if !p.Optional("->") {
		return s
	}
	result := func() {
		s.Results = append(s.Results, p.Type())
		a := ir.Attr(0)
		if p.in.Tok.Kind == '{' {
			a = p.Attr()
		}
		s.ResAttrs = append(s.ResAttrs, a)
	}
	if p.in.Tok.Kind == '(' {
		p.List("(", ")", result)
	} else {
		s.Results = append(s.Results, p.Type())
		s.ResAttrs = append(s.ResAttrs, 0)
	}
	return s
}

// ArgAttrs returns the array of the arguments' dictionaries, or 0 if all are empty.
func (s Signature) ArgAttrs(c *ir.Context) ir.Attr {
	list := make([]ir.Attr, len(s.Params))
	for i, a := range s.Params {
		list[i] = a.Attr
	}
	return dictList(c, list)
}

// ResultAttrs returns the array of the results' dictionaries, or 0 if all are empty.
func (s Signature) ResultAttrs(c *ir.Context) ir.Attr {
	return dictList(c, append([]ir.Attr(nil), s.ResAttrs...))
}

func dictList(c *ir.Context, list []ir.Attr) ir.Attr {
	empty := c.Attr(ir.AttrInfo{Kind: ir.AttrDict})
	some := false
	for i, a := range list {
		if a == 0 {
			list[i] = empty
		}
		some = some || list[i] != empty
	}
	if !some {
		return 0
	}
	return c.ArrayAttr(list...)
}

// Subscripted reads memory and its subscripts, `%m[%i, %j]`: all as operands, the subscripts of type index.
func (p *Parser) Subscripted() []ir.Value {
	out := []ir.Value{p.Operand()}
	p.List("[", "]", func() {
		v := p.Operand()
		p.CheckType(v, ir.Index)
		out = append(out, v)
	})
	return out
}
