package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// levels are the binary operators, the loosest first.
var levels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>", "u>>"}, {"+", "-"}, {"*", "/", "%", "u/", "u%"}}

// functions are those of constants, by the number of their arguments; predicates are those of one that are true or false.
var (
	functions  = [3][]string{1: {"log2", "ctlz", "cttz", "ctpop", "abs"}, 2: {"smin", "smax", "umin", "umax"}}
	predicates = [3][]string{1: {"isPowerOf2", "isSignBit", "isMask", "isNegative"}}
)

// comparisons of constants, in the order of arith.CmpIPredicate; those without u are signed.
var comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "u<", "u<=", "u>", "u>="}

// expr reads a constant expression of a level and those that bind tighter.
func (p *parser) expr(level int) (*Expr, error) {
	if level == len(levels) {
		return p.unary()
	}
	start := p.token.start
	x, err := p.expr(level + 1)
	for err == nil && p.token.kind == symbol && slices.Contains(levels[level], p.token.text) {
		op := p.advance().text
		var y *Expr
		if y, err = p.expr(level + 1); err == nil {
			x = &Expr{Op: op, Args: []*Expr{x, y}, Span: p.src.Span(start, p.last.end)}
		}
	}
	return x, err
}

// unary reads what binds tightest: signs, parentheses, numbers, names and functions.
func (p *parser) unary() (*Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.token
	switch {
	case p.take("-"), p.take("~"):
		x, err := p.unary()
		if err != nil {
			return nil, err
		}
		return &Expr{Op: t.text, Args: []*Expr{x}, Span: p.src.Span(t.start, p.last.end)}, nil
	case p.take("("):
		x, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		return x, p.expect(")", "behind a constant expression")
	case t.kind == number:
		p.advance()
		if x, err := strconv.ParseFloat(t.text, 64); err == nil && strings.Contains(t.text, ".") {
			return &Expr{Float: x, Decimal: true, Span: p.span(t)}, nil
		}
		n, err := strconv.ParseUint(t.text, 0, 64)
		if err != nil {
			return nil, diag.Errorf(p.span(t), "%s is no integer of 64 bits", t.text)
		}
		return &Expr{Number: int64(n), Float: float64(n), Span: p.span(t)}, nil
	case t.kind == name && t.text != "where":
		p.advance()
		return p.word(t)
	}
	return nil, p.unexpected("an op, an operand or a constant")
}

// word reads what begins with a name.
func (p *parser) word(t token) (*Expr, error) {
	e := &Expr{Span: p.span(t)}
	if p.is("(") {
		args, err := p.arguments(t, functions)
		e.Op, e.Args, e.Span = t.text, args, p.src.Span(t.start, p.last.end)
		return e, err
	}
	switch t.text {
	case "true":
		e.Number = 1
	case "false":
	case "width", "poison":
		e.Op = t.text
	default:
		var err error
		e.Name, err = p.named(t)
		return e, err
	}
	return e, nil
}

// arguments are those of a function of a list.
func (p *parser) arguments(t token, of [3][]string) (args []*Expr, err error) {
	n := slices.IndexFunc(of[:], func(names []string) bool { return slices.Contains(names, t.text) })
	if n < 0 {
		all := slices.Concat(functions[1], functions[2], predicates[1])
		d := diag.Errorf(p.span(t), "there is no function %s of constants here", t.text)
		if near := diag.Nearest(t.text, all); near != "" {
			return nil, d.WithFix("did you mean %s?", near)
		}
		return nil, d.WithFix("an op is written with its dialect, arith.%s(x, y); of constants there are %s", t.text, strings.Join(all, ", "))
	}
	p.advance()
	for !p.is(")") {
		x, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		args = append(args, x)
		if !p.take(",") {
			break
		}
	}
	if err := p.expect(")", "behind the arguments of "+t.text); err != nil {
		return nil, err
	}
	if len(args) != n {
		return nil, diag.Errorf(p.src.Span(t.start, p.last.end), "%s takes %d arguments, and %d are given", t.text, n, len(args))
	}
	return args, nil
}

// cond reads conditions with "||" between them.
func (p *parser) cond() (*Cond, error) {
	return p.conds("||", func() (*Cond, error) { return p.conds("&&", p.atom) })
}

// conds reads conditions with an operator between them, to the left.
func (p *parser) conds(op string, each func() (*Cond, error)) (*Cond, error) {
	x, err := each()
	for err == nil && p.take(op) {
		var y *Cond
		if y, err = each(); err == nil {
			x = &Cond{Op: op, Conds: []*Cond{x, y}}
		}
	}
	return x, err
}

// atom reads a comparison, a function that is true or false, a negation, or a condition between parentheses.
func (p *parser) atom() (*Cond, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.token
	if p.take("!") {
		x, err := p.atom()
		return &Cond{Op: "!", Conds: []*Cond{x}}, err
	}
	if t.kind == name && slices.Contains(predicates[1], t.text) {
		p.advance()
		if !p.is("(") {
			return nil, p.unexpected("'(' before the argument of " + t.text)
		}
		args, err := p.arguments(t, predicates)
		return &Cond{Op: t.text, Args: args}, err
	}
	if p.is("(") && p.isCond() {
		p.advance()
		x, err := p.cond()
		if err != nil {
			return nil, err
		}
		return x, p.expect(")", "behind a condition")
	}
	x, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if p.token.kind != symbol || !slices.Contains(comparisons, p.token.text) {
		return nil, p.unexpected("a comparison, such as ==")
	}
	op := p.advance().text
	y, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	for _, e := range []*Expr{x, y} {
		if v := operandIn(e); v != nil {
			return nil, diag.Errorf(v.Span, "%s is an operand, and a condition is on constants", v.Name.Text).WithFix("begin the name of a constant with a capital letter: C")
		}
	}
	return &Cond{Op: op, Args: []*Expr{x, y}}, nil
}

// isCond tells a condition between parentheses from a constant: it has a comparison, a function that is true or false or an
// operator of conditions in it.
func (p *parser) isCond() bool {
	depth := 0
	for t := p.token; t.kind != end; t = next(p.src.Text, t.end) {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			if depth--; depth == 0 {
				return false
			}
		case slices.Contains(predicates[1], t.text), t.text == "!", t.text == "&&", t.text == "||", slices.Contains(comparisons, t.text):
			return true
		}
	}
	return false
}
