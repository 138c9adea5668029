package notation

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// An expr is a piecewise quasi-affine expression: min, max and conditionals give it
// several pieces.
type expr struct{ pieces []piece }

// piece is a value where its conditions hold.
type piece struct {
	when  [][]*conj.Conj // unions, all of which hold
	value affine
}

// affine is a sum of variables and floors, over a denominator: comparisons are those
// of rationals, as i/2 <= 5 is i <= 10.
type affine struct {
	con    lp.Int
	coef   map[int]lp.Int // by variable
	floors []floorTerm
	den    lp.Int // positive; 0 is 1
}

func (a affine) over() lp.Int {
	if a.den.IsZero() {
		return lp.NewInt(1)
	}
	return a.den
}

// floorTerm is times floor(num / den); the denominator of num is 1.
type floorTerm struct {
	times lp.Int
	num   affine
	den   lp.Int
}

func number(x lp.Int) *expr { return &expr{[]piece{{value: affine{con: x}}}} }

func variable(i int) *expr {
	return &expr{[]piece{{value: affine{coef: map[int]lp.Int{i: lp.NewInt(1)}}}}}
}

// condition is all of when over n variables: conditions made before further
// variables came into scope know fewer.
func (q piece) condition(n int) []*conj.Conj {
	out := []*conj.Conj{conj.Universe(n)}
	for _, w := range q.when {
		var next []*conj.Conj
		for _, a := range out {
			for _, b := range w {
				b = b.Clone()
				b.Insert(b.N, n-b.N)
				if c := conj.Meet(a, b); !c.Empty {
					next = append(next, c)
				}
			}
		}
		out = next
	}
	return out
}

func (a affine) isConst() bool { return len(a.coef) == 0 && len(a.floors) == 0 }

func (a affine) scaled(k lp.Int) affine {
	out := affine{con: a.con.Mul(k), den: a.den}
	if k.IsZero() {
		return out
	}
	for i, x := range a.coef {
		out.setCoef(i, x.Mul(k))
	}
	for _, f := range a.floors {
		out.floors = append(out.floors, floorTerm{f.times.Mul(k), f.num, f.den})
	}
	return out
}

func (a *affine) setCoef(i int, x lp.Int) {
	if x.IsZero() {
		delete(a.coef, i)
		return
	}
	if a.coef == nil {
		a.coef = map[int]lp.Int{}
	}
	a.coef[i] = x
}

func (a affine) plus(b affine) affine {
	if k, l := a.over(), b.over(); k.Cmp(l) != 0 {
		a, b = a.scaled(l), b.scaled(k)
		a.den, b.den = k.Mul(l), k.Mul(l)
	}
	out := affine{con: a.con.Add(b.con), den: a.den}
	for i, x := range a.coef {
		out.setCoef(i, x)
	}
	for i, x := range b.coef {
		out.setCoef(i, out.coef[i].Add(x))
	}
	out.floors = append(slices.Clone(a.floors), b.floors...)
	return out
}

// lift applies an operation to the pieces of two expressions.
func (p *parser) lift(x, y *expr, f func(a, b affine) affine) *expr {
	out := &expr{}
	for _, a := range x.pieces {
		for _, b := range y.pieces {
			out.pieces = append(out.pieces, piece{slices.Concat(a.when, b.when), f(a.value, b.value)})
		}
	}
	p.limit(len(out.pieces))
	return out
}

func (p *parser) add(x, y *expr) *expr {
	return p.lift(x, y, func(a, b affine) affine {
		if len(a.floors)+len(b.floors) > maxVars {
			p.fail(p.peek(), "more than %d floors in one expression", maxVars)
		}
		return a.plus(b)
	})
}

func (p *parser) scale(x *expr, k lp.Int) *expr {
	return p.lift(x, number(k), func(a, _ affine) affine { return a.scaled(k) })
}

// constant is the value of an expression without variables.
func (e *expr) constant() (lp.Int, bool) {
	if len(e.pieces) != 1 || len(e.pieces[0].when) > 0 || !e.pieces[0].value.isConst() {
		return lp.Int{}, false
	}
	a := e.pieces[0].value
	return a.con.Quo(a.over()), a.over().Divides(a.con)
}

// expr reads a conditional c ? a : b or a sum.
func (p *parser) expr() *expr {
	p.enter()
	defer p.leave()
	if at := p.conditional(); at > 0 && at != p.question {
		outer := p.question
		p.question = at
		when := conj.Simplified(p.formula())
		p.question = outer
		p.expect("?", "after a condition")
		a := p.expr()
		p.expect(":", "between the two values")
		b := p.expr()
		return choice(when, a, p.complement(conj.CloneAll(when)), b)
	}
	return p.sum()
}

// choice is a where when holds and b where otherwise does.
func choice(when []*conj.Conj, a *expr, otherwise []*conj.Conj, b *expr) *expr {
	out := &expr{}
	for _, q := range a.pieces {
		out.pieces = append(out.pieces, piece{append(slices.Clone(q.when), when), q.value})
	}
	for _, q := range b.pieces {
		out.pieces = append(out.pieces, piece{append(slices.Clone(q.when), otherwise), q.value})
	}
	return out
}

// conditional looks ahead for the "?" of this expression: its token, or 0.
func (p *parser) conditional() int {
	if !p.conditionals {
		return 0
	}
	depth := 0
	for k := p.i; k < len(p.toks); k++ {
		p.work.Step(1)
		switch t := p.toks[k]; {
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			if depth--; depth < 0 {
				return 0
			}
		case t.is("?") && depth == 0:
			return k
		case depth == 0 && (t.is(",") || t.is(";") || t.is(":") || t.is("}") || t.is("->")):
			return 0
		}
	}
	return 0
}

// sum reads products with signs between; one may have a sign of its own: 3 + -2i.
func (p *parser) sum() *expr {
	signed := func(negative bool) *expr {
		for p.accept("-") {
			negative = !negative
		}
		if negative {
			return p.scale(p.product(), lp.NewInt(-1))
		}
		return p.product()
	}
	p.accept("+")
	out := signed(false)
	for {
		switch {
		case p.accept("+"):
			out = p.add(out, signed(false))
		case p.accept("-"):
			out = p.add(out, signed(true))
		default:
			return out
		}
	}
}

// product reads factors with / between, too.
func (p *parser) product() *expr {
	out := p.factors()
	for p.accept("/") {
		k := p.positive("a divisor")
		out = p.moreFactors(p.lift(out, number(k), func(a, _ affine) affine {
			a.den = a.over().Mul(k)
			return a
		}))
	}
	return out
}

// factors reads factors with * or mod between, or a number before a factor.
func (p *parser) factors() *expr { return p.moreFactors(p.factor()) }

func (p *parser) moreFactors(out *expr) *expr {
	for {
		at := p.peek()
		switch {
		case p.accept("*"):
			out = p.times(at, out, p.signed())
		case p.accept("mod") || p.accept("%"):
			k := p.positive("the right side of mod")
			out = p.add(out, p.scale(p.floor(out, k), k.Neg()))
		case p.accept("//"):
			out = p.floor(out, p.positive("a divisor"))
		case at.kind == tokName && !words[at.text], at.is("("), at.is("floor"), at.is("ceil"), at.is("min"), at.is("max"), at.is("["):
			if _, ok := out.constant(); !ok {
				return out
			}
			out = p.times(at, out, p.factor())
		default:
			return out
		}
	}
}

func (p *parser) signed() *expr {
	if p.accept("-") {
		return p.scale(p.signed(), lp.NewInt(-1))
	}
	return p.factor()
}

func (p *parser) times(at token, x, y *expr) *expr {
	if k, ok := x.constant(); ok {
		return p.scale(y, k)
	}
	if k, ok := y.constant(); ok {
		return p.scale(x, k)
	}
	p.fail(at, "a product of two expressions with variables is not affine: one side has to be a number")
	return nil
}

// positive reads a positive number.
func (p *parser) positive(what string) lp.Int {
	at := p.peek()
	k, ok := p.signed().constant()
	if !ok || k.Sign() <= 0 {
		p.fail(at, "expected a positive number for %s", what)
	}
	return k
}

func (p *parser) floor(x *expr, k lp.Int) *expr {
	return p.lift(x, number(k), func(a, _ affine) affine {
		if a.isConst() {
			return affine{con: a.con.FloorDiv(k.Mul(a.over()))}
		}
		den := k.Mul(a.over())
		if den.IsOne() {
			return a
		}
		a.den = lp.Int{}
		return affine{floors: []floorTerm{{lp.NewInt(1), a, den}}}
	})
}

// before is the token that touches t on its left, or "".
func (p *parser) before(t token) string {
	for i := 1; i < len(p.toks); i++ {
		if last := p.toks[i-1]; p.toks[i].at == t.at && last.at+len(last.text) == t.at {
			return last.text
		}
	}
	return ""
}

func (p *parser) factor() *expr {
	p.enter()
	defer p.leave()
	t := p.next()
	switch {
	case t.kind == tokInt:
		x, _ := lp.ParseInt(t.text)
		return number(x)
	case t.is("("):
		e := p.choices()
		p.expect(")", "to close the expression")
		return e
	case t.is("["):
		e := p.rounded(p.expr(), lp.NewInt(1), false)
		p.expect("]", "to close the quotient")
		return e
	case t.is("floor"), t.is("ceil"):
		p.expect("(", "after "+t.text)
		e := p.rounded(p.expr(), lp.NewInt(1), t.is("ceil"))
		p.expect(")", "to close "+t.text)
		return e
	case t.is("floord"), t.is("ceild"):
		p.expect("(", "after "+t.text)
		e := p.expr()
		p.expect(",", "between dividend and divisor")
		k := p.positive("a divisor")
		p.expect(")", "to close "+t.text)
		return p.rounded(e, k, t.is("ceild"))
	case t.is("min"), t.is("max"):
		return p.extreme(t)
	case t.kind == tokName && !words[t.text]:
		for i := len(p.names) - 1; i >= 0; i-- {
			if p.names[i] == t.text {
				return variable(i)
			}
		}
		p.fail(t, "unknown variable %s%s", t.text, p.nearest(t.text))
	}
	hint := ""
	if before := p.before(t); before == "=" && (t.text == ">" || t.text == "<") {
		hint = "; at least is >=, at most is <="
	} else if words[t.text] {
		hint = ", which is a word of this notation"
	}
	p.fail(t, "expected an expression, not %s%s", t.describe(), hint)
	return nil
}

func (p *parser) rounded(e *expr, k lp.Int, up bool) *expr {
	if up {
		return p.scale(p.floor(p.scale(e, lp.NewInt(-1)), k), lp.NewInt(-1))
	}
	return p.floor(e, k)
}

// extreme reads min(a, b, ...) or max.
func (p *parser) extreme(t token) *expr {
	p.expect("(", "after "+t.text)
	out := p.expr()
	for p.accept(",") {
		e := p.expr()
		here, there := "<=", ">"
		if t.is("max") {
			here, there = ">=", "<"
		}
		next := &expr{}
		for _, a := range out.pieces {
			for _, b := range e.pieces {
				x, y := &expr{[]piece{{value: a.value}}}, &expr{[]piece{{value: b.value}}}
				both := slices.Concat(a.when, b.when)
				next.pieces = append(next.pieces,
					piece{append(slices.Clone(both), conj.Simplified(p.compare(t, x, here, y))), a.value},
					piece{append(slices.Clone(both), conj.Simplified(p.compare(t, x, there, y))), b.value})
			}
		}
		p.limit(len(next.pieces))
		out = next
	}
	p.expect(")", "to close "+t.text)
	return out
}

// nearest suggests a name that is one change away.
func (p *parser) nearest(name string) string {
	for _, n := range p.names {
		if n != "" && (len(n) == 1 && len(name) == 1 && n[0]^32 == name[0] || len(n) > 1 && distance(n, name) <= 1) {
			return "; is it " + n + "?"
		}
	}
	return "; a parameter is declared in front, as in [" + name + "] -> { ... }"
}

// distance counts the edits between two names.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range a {
		last := prev[0]
		prev[0] = i + 1
		for j := range b {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last, prev[j+1] = prev[j+1], min(cost, prev[j]+1, prev[j+1]+1)
		}
	}
	return prev[len(b)]
}

// place writes an affine expression as a row of c, adding divs for its floors. The
// row may be shorter than those of c once more divs are added.
// The denominator is not looked at.
func place(c *conj.Conj, a affine) lp.Row {
	r := c.Row()
	r[0] = a.con
	for i, x := range a.coef {
		r[1+i] = r[1+i].Add(x)
	}
	for _, f := range a.floors {
		col := c.AddDiv(place(c, f.num), f.den)
		r = r.Grown(c.Width() - len(r))
		r[col] = r[col].Add(f.times)
	}
	return r.Grown(c.Width() - len(r))
}
