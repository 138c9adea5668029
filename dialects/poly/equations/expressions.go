package equations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

func (p *parser) enter() {
	if p.depth++; p.depth > presburger.MaxNesting {
		p.fail(p.peek(), "", "more than %d levels of nesting", presburger.MaxNesting)
	}
}

func (p *parser) expr() *expr {
	p.enter()
	defer func() { p.depth-- }()
	return p.binary([]string{"or", "||"}, func() *expr {
		return p.binary([]string{"and", "&&"}, p.not)
	})
}

// binary reads operands with operators of one level between them, from the left.
func (p *parser) binary(ops []string, operand func() *expr) *expr {
	x := operand()
	for {
		t := p.peek()
		if t.kind == tokEnd || !slices.Contains(ops, t.text) || p.toks[p.i+1].text == "=" && t.kind == tokName {
			return x
		}
		p.next()
		y := operand()
		x = &expr{kind: binaryExpr, op: canonical(t.text), args: []*expr{x, y}, at: span{x.at.start, y.at.end}}
	}
}

// canonical gives operators with two spellings one.
func canonical(op string) string {
	switch op {
	case "||":
		return "or"
	case "&&":
		return "and"
	case "%":
		return "mod"
	case "!":
		return "not"
	}
	return op
}

func (p *parser) not() *expr {
	t := p.peek()
	if t.text != "not" && t.text != "!" {
		return p.comparison()
	}
	p.next()
	p.enter()
	defer func() { p.depth-- }()
	x := p.not()
	return &expr{kind: unaryExpr, op: "not", args: []*expr{x}, at: span{t.start, x.at.end}}
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

// comparison reads a < b, and a <= b < c for both.
func (p *parser) comparison() *expr {
	x := p.sum()
	var all *expr
	for {
		t := p.peek()
		if t.text == "=" {
			p.fail(t, "write ==", "= defines, and does not compare")
		}
		if t.kind != tokPunct || !slices.Contains(comparisons, t.text) {
			break
		}
		p.next()
		y := p.sum()
		c := &expr{kind: binaryExpr, op: t.text, args: []*expr{x, y}, at: span{x.at.start, y.at.end}}
		if all == nil {
			all = c
		} else {
			all = &expr{kind: binaryExpr, op: "and", args: []*expr{all, c}, at: span{all.at.start, y.at.end}}
		}
		x = y
	}
	if all != nil {
		return all
	}
	return x
}

func (p *parser) sum() *expr {
	return p.binary([]string{"+", "-"}, p.product)
}

func (p *parser) product() *expr {
	return p.binary([]string{"*", "/", "%", "mod"}, p.unary)
}

func (p *parser) unary() *expr {
	t := p.peek()
	if t.text != "-" {
		return p.power()
	}
	p.next()
	p.enter()
	defer func() { p.depth-- }()
	x := p.unary()
	if x.kind == numberExpr && !strings.HasPrefix(x.op, "-") {
		return &expr{kind: numberExpr, op: "-" + x.op, float: x.float, at: span{t.start, x.at.end}}
	}
	return &expr{kind: unaryExpr, op: "-", args: []*expr{x}, at: span{t.start, x.at.end}}
}

func (p *parser) power() *expr {
	x := p.primary()
	if t := p.peek(); t.text == "^" || t.text == "**" {
		p.fail(t, "write pow(x, y)", "there is no operator for powers")
	}
	return x
}

// reductions are the words of nested reductions, with the operator of an equation.
var reductions = map[string]string{"sum": "add", "prod": "mul", "max": "max", "min": "min", "and": "and", "or": "or"}

func (p *parser) primary() *expr {
	t := p.next()
	at := span{t.start, t.end}
	switch {
	case t.kind == tokInt || t.kind == tokFloat:
		return &expr{kind: numberExpr, op: t.text, float: t.kind == tokFloat, at: at}
	case t.text == "(":
		p.enter()
		x := p.expr()
		p.depth--
		end := p.expect(")", "behind what is in parentheses")
		out := *x
		out.at = span{t.start, end.end}
		return &out
	case t.kind != tokName:
		p.i--
		if t.kind == tokEnd {
			p.i = len(p.toks) - 1
		}
		p.fail(t, "", "expected a number, an array, a function or \"(\"")
	case reductions[t.text] != "" && p.is("{"):
		p.next()
		e := &expr{kind: reduceExpr, op: t.text, at: at, domain: p.braces()}
		p.enter()
		x := p.product()
		p.depth--
		e.args, e.at.end = []*expr{x}, x.at.end
		return e
	case p.is("("):
		p.next()
		e := &expr{kind: callExpr, op: t.text, at: at}
		for !p.is(")") {
			if len(e.args) > 0 {
				p.expect(",", "or \")\" behind an argument")
			}
			e.args = append(e.args, p.expr())
		}
		e.at.end = p.next().end
		return e
	case p.is("["):
		return p.access(t)
	}
	return &expr{kind: nameExpr, op: t.text, at: at}
}

// text is what the source has at a place.
func (p *program) text(s span) string { return p.src.Text[s.start:s.end] }

// String writes an expression in isl's notation.
func (e *expr) String() string {
	switch e.kind {
	case accessExpr, callExpr:
		args := lists.Map(e.args, func(a *expr) string { return a.String() })
		if e.kind == callExpr {
			return fmt.Sprintf("%s(%s)", e.op, strings.Join(args, ", "))
		}
		return fmt.Sprintf("%s[%s]", e.op, strings.Join(args, ", "))
	case unaryExpr:
		return fmt.Sprintf("(%s %s)", e.op, e.args[0])
	case binaryExpr:
		op := e.op
		if op == "==" {
			op = "="
		}
		return fmt.Sprintf("(%s %s %s)", e.args[0], op, e.args[1])
	case reduceExpr:
		return fmt.Sprintf("%s{...} %s", e.op, e.args[0])
	}
	return e.op
}
