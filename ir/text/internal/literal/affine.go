package literal

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// affReader reads affine maps and sets, by one method for each level of binding (recursive descent). The names of dimensions and symbols are bare words in
// a map, and values where an op writes its subscripts.
type affReader struct {
	p          *Attrs                // the map is an attribute
	names      map[string]*expr.Expr // of dimensions and symbols
	dims, syms int                   // how many there are
	values     *AffineOperands       // or nil
	use        func() ir.Value       // reads the use of one
}

// AffineOperands are the values that expressions of an op are written in.
type AffineOperands struct{ Dims, Syms []ir.Value }

// All lists them, as operands of an op that has a map.
func (a *AffineOperands) All() []ir.Value {
	return append(append([]ir.Value(nil), a.Dims...), a.Syms...)
}

// AffineOf reads an affine expression of values, which use reads.
func (p *Attrs) AffineOf(values *AffineOperands, use func() ir.Value) *expr.Expr {
	return (&affReader{p: p, values: values, use: use}).sum()
}

// AffineMap reads an attribute that is a map.
func (p *Attrs) AffineMap() (ir.Attr, *expr.Map) {
	at := p.in.Tok.Start
	a := p.Attr()
	m := expr.MapOf(p.ctx, a)
	if m == nil {
		p.in.Errorf(at, "expected an affine map")
	}
	return a, m
}

// AffineSet reads an attribute that is a set.
func (p *Attrs) AffineSet() (ir.Attr, *expr.Set) {
	at := p.in.Tok.Start
	a := p.Attr()
	s := expr.SetOf(p.ctx, a)
	if s == nil {
		p.in.Errorf(at, "expected an affine set")
	}
	return a, s
}

// affine reads affine_map<...> or affine_set<...>.
func (p *Attrs) affine() (a ir.Attr) {
	word := p.in.Keyword()
	p.in.Expect("<")
	r := &affReader{p: p, names: map[string]*expr.Expr{}}
	r.header()
	if word == "affine_map" {
		if p.in.Tok.Kind != lex.Arrow {
			p.in.Errorf(p.in.Tok.Start, "expected '->', found %s", p.in.Found())
		}
		p.in.Next()
		m := &expr.Map{Dims: r.dims, Syms: r.syms}
		p.in.List("(", ")", func() { m.Results = append(m.Results, r.sum()) })
		a = m.Attr(p.ctx)
	} else {
		p.in.Expect(":")
		s := &expr.Set{Dims: r.dims, Syms: r.syms}
		p.in.List("(", ")", func() { s.Constraints = append(s.Constraints, r.constraint()) })
		a = s.Attr(p.ctx)
	}
	p.in.Expect(">")
	return a
}

// header reads the names of dimensions and symbols.
func (r *affReader) header() {
	p := r.p
	name := func(make func(int) *expr.Expr, n *int) {
		at := p.in.Tok.Start
		s := p.in.Keyword()
		if r.names[s] != nil {
			p.in.Errorf(at, "'%s' is named twice", scan.Short(s))
		}
		r.names[s] = make(*n)
		*n++
	}
	p.in.List("(", ")", func() { name(expr.Dim, &r.dims) })
	p.in.OptionalList("[", "]", func() { name(expr.Sym, &r.syms) })
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
		p.in.Errorf(p.in.Tok.Start, "expected '==', '>=' or '<=', found %s", p.in.Found())
	}
	p.in.Reset(p.in.Tok.Start + 2)
	m := r.sum()
	if op == "<=" {
		l, m = m, l
	}
	return expr.Constraint{Expr: r.bounded(expr.Sub(l, m)), Equal: op == "=="}
}

// sum reads `e + e - e`: what binds least.
func (r *affReader) sum() *expr.Expr {
	e := r.product()
	for {
		switch {
		case r.p.in.Optional("+"):
			e = r.bounded(expr.Add(e, r.product()))
		case r.p.in.Optional("-"):
			e = r.bounded(expr.Sub(e, r.product()))
		default:
			return e
		}
	}
}

// bounded refuses an expression that grew too large: aliases and products could double it with each line.
func (r *affReader) bounded(e *expr.Expr) *expr.Expr {
	if e.Size() > expr.MaxSize {
		r.p.in.Errorf(r.p.in.Prev, "an affine expression has more than %d parts", expr.MaxSize)
	}
	return e
}

// product reads `e * e`, `e mod e`, `e floordiv e` and `e ceildiv e`. One side of a product is known, and so is what divides,
// else the expression is not affine.
func (r *affReader) product() *expr.Expr {
	e := r.operand()
	for {
		at := r.p.in.Tok.Start
		var op expr.Op
		switch {
		case r.p.in.Optional("*"):
			op = expr.OpMul
		case r.p.in.Optional("mod"):
			op = expr.OpMod
		case r.p.in.Optional("floordiv"):
			op = expr.OpFloorDiv
		case r.p.in.Optional("ceildiv"):
			op = expr.OpCeilDiv
		default:
			return e
		}
		f := r.operand()
		switch {
		case op == expr.OpMul && !e.Fixed() && !f.Fixed():
			r.p.in.Errorf(at, "an affine expression does not multiply two dimensions")
		case op != expr.OpMul && !f.Fixed():
			r.p.in.Errorf(at, "an affine expression divides by constants and symbols only")
		}
		e = r.bounded(expr.Make(op, e, f))
	}
}

// operand reads a number, a name, a value, `-e` or `(e)`.
func (r *affReader) operand() *expr.Expr {
	p := r.p
	p.in.Enter()
	defer p.in.Leave()
	at := p.in.Tok.Start
	switch p.in.Tok.Kind {
	case '-':
		p.in.Next()
		return expr.Mul(r.operand(), expr.Const(-1))
	case '(':
		p.in.Next()
		e := r.sum()
		p.in.Expect(")")
		return e
	case lex.Int:
		return expr.Const(p.in.Integer())
	case lex.Percent:
		if r.values != nil {
			return r.value(&r.values.Dims, expr.Dim)
		}
	case lex.Ident:
		if r.values != nil && p.in.Optional("symbol") {
			p.in.Expect("(")
			e := r.value(&r.values.Syms, expr.Sym)
			p.in.Expect(")")
			return e
		}
		s := p.in.Keyword()
		if e := r.names[s]; e != nil {
			return e
		}
		if r.values != nil {
			p.in.Errorf(at, "expected '%%value' or 'symbol(%%value)', found '%s'", scan.Short(s))
		}
		p.in.Errorf(at, "'%s' is no dimension or symbol of this map", scan.Short(s))
	}
	p.in.Errorf(at, "expected an affine expression, found %s", p.in.Found())
	return nil
}

// value reads the use of a value, and numbers it among those of its kind.
func (r *affReader) value(list *[]ir.Value, make func(int) *expr.Expr) *expr.Expr {
	v := r.use()
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return make(i)
}
