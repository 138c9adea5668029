package rule

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// Parse reads rules, one behind the other. The list has what is wrong with the first that is.
func Parse(ctx *ir.Context, src *diag.Source) ([]*Rule, diag.List) {
	p := &parser{ctx: ctx, src: src}
	p.token = next(src.Text, 0)
	var out []*Rule
	for p.token.kind != end {
		r, err := p.rule()
		if err != nil {
			return nil, diag.List{asDiagnostic(err)}
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, diag.List{diag.Errorf(src.At(0), "there is no rule").WithFix("write one: arith.addi(x, 0) => x")}
	}
	return out, nil
}

// asDiagnostic: parsers return errors as such, so that nil is nil.
func asDiagnostic(err error) *diag.Diagnostic {
	var d *diag.Diagnostic
	errors.As(err, &d)
	return d
}

// A parser reads one text. Every error that it returns is a *diag.Diagnostic.
type parser struct {
	ctx   *ir.Context
	src   *diag.Source
	token token // the next one
	last  token
	depth int
	names map[string]*Name
	rl    *Rule
	right bool // of =>
}

// advance takes the next token. Tokens are read as they are needed: a text is read once, and a condition between
// parentheses is looked into before.
func (p *parser) advance() token {
	p.last, p.token = p.token, next(p.src.Text, p.token.end)
	return p.last
}

func (p *parser) is(text string) bool { return p.token.kind == symbol && p.token.text == text }

// take takes a symbol if it comes next.
func (p *parser) take(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

// expect takes a symbol or says what stands there, and why it is wanted.
func (p *parser) expect(text, why string) error {
	if p.take(text) {
		return nil
	}
	return p.unexpected("'" + text + "' " + why)
}

// unexpected says what stands in the place of what is wanted.
func (p *parser) unexpected(want string) *diag.Diagnostic {
	found := "'" + p.token.text + "'"
	if p.token.kind == end {
		found = "the end of the text"
	}
	return diag.Errorf(p.span(p.token), "expected %s, but found %s", want, found)
}

// deeper refuses what is nested deeper than walks recurse.
func (p *parser) deeper() error {
	if p.depth++; p.depth > diag.MaxNesting {
		return diag.Errorf(p.span(p.token), "the rule is nested more than %d deep", diag.MaxNesting)
	}
	return nil
}

// rule reads one rule and finds its types. Names are its own.
func (p *parser) rule() (*Rule, error) {
	p.rl, p.names, p.right = &Rule{src: p.src}, map[string]*Name{}, false
	start := p.token.start
	if p.token.kind != opName {
		d := p.unexpected("an op, which a rule begins with").WithFix("write the op with its dialect: arith.addi(x, 0) => x")
		if strings.HasPrefix(p.token.text, "#") || p.token.text == ";" {
			d = d.WithFix("a comment begins with //")
		}
		return nil, d
	}
	var err error
	if p.rl.Src, err = p.node(); err != nil {
		return nil, err
	}
	if err := p.expect("=>", "between the two sides of a rule"); err != nil {
		return nil, err
	}
	p.right = true
	if p.rl.Tgt, err = p.node(); err != nil {
		return nil, err
	}
	if p.token.kind == name && p.token.text == "where" {
		p.advance()
		if p.rl.Where, err = p.cond(); err != nil {
			return nil, err
		}
	}
	if p.token.kind != end && p.token.kind != opName {
		return nil, p.unexpected("'where', another rule or the end")
	}
	p.rl.Span = p.src.Span(start, p.last.end)
	return p.rl, p.types()
}

// node reads an op or what stands at a leaf.
func (p *parser) node() (n *Node, err error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	start := p.token.start
	if p.token.kind == opName {
		n, err = p.op()
	} else {
		n, err = p.leaf()
	}
	if err != nil {
		return nil, err
	}
	n.Span = p.src.Span(start, p.last.end)
	n.typ = &typ{at: n.Span}
	if n.Name != nil {
		n.typ = n.Name.typ
	}
	if p.take(":") {
		return n, p.annotation(n)
	}
	return n, nil
}

// op reads an op with its words and operands.
func (p *parser) op() (*Node, error) {
	at := p.advance()
	n := &Node{Def: p.ctx.Lookup(at.text)}
	if classOf(p.ctx, n.Def) == foreign {
		return nil, p.noOp(at)
	}
	if p.take("{") {
		for !p.is("}") {
			if p.token.kind != name {
				return nil, p.unexpected("a flag or a predicate")
			}
			w := p.advance()
			if known := words(n.Def); !slices.Contains(known, w.text) {
				return nil, p.noWord(n.Def, w, known)
			}
			n.Words = append(n.Words, w.text)
			if !p.take(",") {
				break
			}
		}
		if err := p.expect("}", "behind the flags of "+at.text); err != nil {
			return nil, err
		}
	}
	if all := predicatesOf(n.Def); all != nil && len(lists.Filter(n.Words, func(w string) bool { return slices.Contains(all, w) })) != 1 {
		return nil, diag.Errorf(p.span(at), "%s needs its predicate", at.text).WithFix("write it in braces: %s{%s}(x, y)", at.text, all[2])
	}
	if err := p.expect("(", "before the operands of "+at.text); err != nil {
		return nil, err
	}
	for !p.is(")") {
		a, err := p.node()
		if err != nil {
			return nil, err
		}
		n.Args = append(n.Args, a)
		if !p.take(",") {
			break
		}
	}
	if err := p.expect(")", "behind the operands of "+at.text); err != nil {
		return nil, err
	}
	if len(n.Args) != len(n.Def.Args) {
		return nil, diag.Errorf(p.src.Span(at.start, p.last.end), "%s takes %d operands, and %d are given", at.text, len(n.Def.Args), len(n.Args))
	}
	return n, nil
}

// leaf reads an operand, poison or a constant. Operands are read as constants are: which it is shows behind the expression,
// for a name alone may be either.
func (p *parser) leaf() (*Node, error) {
	start := p.token
	e, err := p.expr(0)
	switch {
	case err != nil:
		return nil, err
	case e.Op == "poison":
		return &Node{Poison: true}, nil
	case e.Name != nil && isOperand(e.Name.Text):
		return &Node{Name: e.Name}, nil
	}
	if op := operandIn(e); op != nil {
		return nil, diag.Errorf(op.Span, "%s is an operand, of which nothing can be computed here", op.Name.Text).
			WithFix("write an op, arith.addi(%s, 1), or begin the name of a constant with C", op.Name.Text)
	}
	if e.Op != "" && !p.right && e.Op != "-" {
		return nil, diag.Errorf(p.span(start), "what is computed of constants stands on the right of => only").WithFix("give the constant a name, C3, and say what it is behind where: C3 == C1 + C2")
	}
	n := &Node{Expr: e}
	if e.Name == nil {
		p.rl.Computed = append(p.rl.Computed, n)
	}
	return n, nil
}

// isOperand: names of constants begin with a capital letter.
func isOperand(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsUpper(r)
}

// operandIn finds an operand in what can only be a constant; nil if there is none.
func operandIn(e *Expr) *Expr {
	if e.Name != nil && isOperand(e.Name.Text) {
		return e
	}
	for _, a := range e.Args {
		if op := operandIn(a); op != nil {
			return op
		}
	}
	return nil
}

// named is the operand or constant of a name. On the right there are no new ones.
func (p *parser) named(t token) (*Name, error) {
	if n := p.names[t.text]; n != nil {
		return n, nil
	}
	if p.right {
		var known []string
		for k := range p.names {
			known = append(known, k)
		}
		d := diag.Errorf(p.span(t), "%s is not on the left of =>", t.text).WithFix("what a rule makes has the operands and constants of its left side alone")
		if near := diag.Nearest(t.text, known); near != "" {
			d = d.WithFix("did you mean %s?", near)
		}
		if t.text == "w" {
			d = d.WithFix("as a number the width is called width")
		}
		return nil, d
	}
	n := &Name{Text: t.text, Span: p.span(t), typ: &typ{at: p.span(t)}}
	p.names[t.text] = n
	if isOperand(t.text) {
		p.rl.Operands = append(p.rl.Operands, n)
	} else {
		p.rl.Constants = append(p.rl.Constants, n)
	}
	return n, nil
}

// noOp says what to write instead of an op that there is not, or that rules do not know.
func (p *parser) noOp(at token) *diag.Diagnostic {
	d := diag.Errorf(p.span(at), "there is no op %s", at.text)
	if p.ctx.Lookup(at.text) != nil {
		return p.foreign(at)
	}
	var all []string
	for _, x := range p.ctx.Dialects() {
		if strings.HasPrefix(at.text, x.Name+".") {
			all = lists.Map(x.Ops, func(d *ir.OpDef) string { return d.Name })
		}
	}
	if near := diag.Nearest(at.text, all); near != "" {
		d = d.WithFix("did you mean %s?", near)
	}
	return d
}

// foreign says why rules do not know an op, and what does.
func (p *parser) foreign(at token) *diag.Diagnostic {
	def := p.ctx.Lookup(at.text)
	d := diag.Errorf(p.span(at), "rules are of ops on integers or floats that work on each element, without memory and regions, and %s is none", at.text)
	switch {
	case slices.Contains(severalResults, def):
		d.Message = "rules are of ops with one result, and " + at.text + " has two"
	case slices.Contains(otherKinds, def):
		d.Message = "rules are of integers by their width, and " + at.text + " tells types of one width apart"
	case def.Effects != nil || len(def.Args) == 0 || !def.Has(ir.Elementwise):
		return d.WithFix("a pass in Go rewrites such ops: docs/new-pass.md")
	}
	return d.WithFix("write two functions, @src and @tgt, in a file: `irc prove FILE` compares them")
}

// noWord says which flags or predicates an op has.
func (p *parser) noWord(def *ir.OpDef, w token, known []string) *diag.Diagnostic {
	d := diag.Errorf(p.span(w), "%s has no flag %s", def.Name, w.text)
	if len(known) == 0 {
		return d.WithFix("leave the braces out: it has none")
	}
	return d.WithFix("it has %s", strings.Join(known, ", "))
}
