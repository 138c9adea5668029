package text

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// affReader reads affine maps and sets. The names of dimensions and symbols are bare words in
// a map, and values where an op writes its subscripts.
type affReader struct {
	p          *Parser
	names      map[string]*expr.Expr
	dims, syms int
	values     *AffineOperands // or nil
}

// AffineOperands are the values that expressions of an op are written in.
type AffineOperands struct{ Dims, Syms []ir.Value }

// All lists them, as operands of an op that has a map.
func (a *AffineOperands) All() []ir.Value {
	return append(append([]ir.Value(nil), a.Dims...), a.Syms...)
}

// Affine reads an affine expression in which dimensions are written `%x` and symbols
// `symbol(%x)`. Values that it adds to are numbered after those that are there.
func (p *Parser) Affine(values *AffineOperands) *expr.Expr {
	return (&affReader{p: p, values: values}).sum()
}

// AffineMap reads an attribute that is a map.
func (p *Parser) AffineMap() (ir.Attr, *expr.Map) {
	at := p.in.Tok.Start
	a := p.Attr()
	m := expr.MapOf(p.ctx, a)
	if m == nil {
		p.Errorf(at, "expected an affine map")
	}
	return a, m
}

// AffineSet reads an attribute that is a set.
func (p *Parser) AffineSet() (ir.Attr, *expr.Set) {
	at := p.in.Tok.Start
	a := p.Attr()
	s := expr.SetOf(p.ctx, a)
	if s == nil {
		p.Errorf(at, "expected an affine set")
	}
	return a, s
}

// affine reads affine_map<...> or affine_set<...>.
func (p *Parser) affine() (a ir.Attr) {
	word := p.Keyword()
	p.Expect("<")
	r := &affReader{p: p, names: map[string]*expr.Expr{}}
	r.header()
	if word == "affine_map" {
		if p.in.Tok.Kind != lex.Arrow {
			p.Errorf(p.in.Tok.Start, "expected '->', found %s", p.found())
		}
		p.in.Next()
		m := &expr.Map{Dims: r.dims, Syms: r.syms}
		p.List("(", ")", func() { m.Results = append(m.Results, r.sum()) })
		a = m.Attr(p.ctx)
	} else {
		p.Expect(":")
		s := &expr.Set{Dims: r.dims, Syms: r.syms}
		p.List("(", ")", func() { s.Constraints = append(s.Constraints, r.constraint()) })
		a = s.Attr(p.ctx)
	}
	p.Expect(">")
	return a
}

// header reads the names of dimensions and symbols.
func (r *affReader) header() {
	p := r.p
	name := func(make func(int) *expr.Expr, n *int) {
		at := p.in.Tok.Start
		s := p.Keyword()
		if r.names[s] != nil {
			p.Errorf(at, "'%s' is named twice", short(s))
		}
		r.names[s] = make(*n)
		*n++
	}
	p.List("(", ")", func() { name(expr.Dim, &r.dims) })
	p.OptionalList("[", "]", func() { name(expr.Sym, &r.syms) })
}

// constraint reads `e >= 0`, `e == 0` and comparisons of two expressions.
func (r *affReader) constraint() expr.Constraint {
	p := r.p
	l := r.sum()
	op := ""
	for _, s := range []string{">=", "<=", "=="} {
		if strings.HasPrefix(p.in.Src[p.in.Tok.Start:], s) {
			op = s
		}
	}
	if op == "" {
		p.Errorf(p.in.Tok.Start, "expected '==', '>=' or '<=', found %s", p.found())
	}
	p.in.Reset(p.in.Tok.Start + 2)
	m := r.sum()
	if op == "<=" {
		l, m = m, l
	}
	return expr.Constraint{Expr: r.bounded(expr.Sub(l, m)), Equal: op == "=="}
}

func (r *affReader) sum() *expr.Expr {
	e := r.product()
	for {
		switch {
		case r.p.Optional("+"):
			e = r.bounded(expr.Add(e, r.product()))
		case r.p.Optional("-"):
			e = r.bounded(expr.Sub(e, r.product()))
		default:
			return e
		}
	}
}

func (r *affReader) bounded(e *expr.Expr) *expr.Expr {
	if e.Size() > expr.MaxSize {
		r.p.Errorf(r.p.in.Prev, "an affine expression has more than %d parts", expr.MaxSize)
	}
	return e
}

func (r *affReader) product() *expr.Expr {
	e := r.operand()
	for {
		at := r.p.in.Tok.Start
		var op expr.Op
		switch {
		case r.p.Optional("*"):
			op = expr.OpMul
		case r.p.Optional("mod"):
			op = expr.OpMod
		case r.p.Optional("floordiv"):
			op = expr.OpFloorDiv
		case r.p.Optional("ceildiv"):
			op = expr.OpCeilDiv
		default:
			return e
		}
		f := r.operand()
		switch {
		case op == expr.OpMul && !e.Fixed() && !f.Fixed():
			r.p.Errorf(at, "an affine expression does not multiply two dimensions")
		case op != expr.OpMul && !f.Fixed():
			r.p.Errorf(at, "an affine expression divides by constants and symbols only")
		}
		e = r.bounded(expr.Make(op, e, f))
	}
}

func (r *affReader) operand() *expr.Expr {
	p := r.p
	p.enter()
	defer p.leave()
	at := p.in.Tok.Start
	switch p.in.Tok.Kind {
	case '-':
		p.in.Next()
		return expr.Mul(r.operand(), expr.Const(-1))
	case '(':
		p.in.Next()
		e := r.sum()
		p.Expect(")")
		return e
	case lex.Int:
		return expr.Const(p.Integer())
	case lex.Percent:
		if r.values != nil {
			return r.value(&r.values.Dims, expr.Dim)
		}
	case lex.Ident:
		if r.values != nil && p.Optional("symbol") {
			p.Expect("(")
			e := r.value(&r.values.Syms, expr.Sym)
			p.Expect(")")
			return e
		}
		s := p.Keyword()
		if e := r.names[s]; e != nil {
			return e
		}
		if r.values != nil {
			p.Errorf(at, "expected '%%value' or 'symbol(%%value)', found '%s'", short(s))
		}
		p.Errorf(at, "'%s' is no dimension or symbol of this map", short(s))
	}
	p.Errorf(at, "expected an affine expression, found %s", p.found())
	return nil
}

// value reads the use of a value, and numbers it among those of its kind.
func (r *affReader) value(list *[]ir.Value, make func(int) *expr.Expr) *expr.Expr {
	v := r.p.Operand()
	r.p.CheckType(v, ir.Index)
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return make(i)
}
