package text

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// affExpr is an affine expression, simplified as MLIR does when it is made, so
// that it prints as MLIR prints it. op is one of + * m (mod) f (floordiv)
// c (ceildiv), d (dimension n), s (symbol n) and 0 (the constant n).
type affExpr struct {
	op   byte
	n    int64
	l, r *affExpr
	size int
}

func affConst(n int64) *affExpr { return &affExpr{op: '0', n: n, size: 1} }

func (e *affExpr) isConst() bool { return e.op == '0' }

// fixed holds for what has no dimension in it.
func (e *affExpr) fixed() bool {
	switch e.op {
	case 'd':
		return false
	case 's', '0':
		return true
	}
	return e.l.fixed() && e.r.fixed()
}

func affEqual(a, b *affExpr) bool {
	if a.op != b.op || a.n != b.n || a.size != b.size {
		return false
	}
	return a.l == nil || affEqual(a.l, b.l) && affEqual(a.r, b.r)
}

func affRaw(op byte, l, r *affExpr) *affExpr {
	return &affExpr{op: op, l: l, r: r, size: l.size + r.size + 1}
}

func affAdd(l, r *affExpr) *affExpr {
	if l.isConst() && r.isConst() {
		if n, ok := addInt(l.n, r.n); ok {
			return affConst(n)
		}
		return affRaw('+', l, r)
	}
	if l.isConst() || l.fixed() && !r.fixed() {
		return affAdd(r, l)
	}
	if r.isConst() {
		if r.n == 0 {
			return l
		}
		if l.op == '+' && l.r.isConst() {
			if n, ok := addInt(l.r.n, r.n); ok {
				return affAdd(l.l, affConst(n))
			}
		}
	}
	x, a := affTerm(l)
	y, b := affTerm(r)
	if n, ok := addInt(a, b); ok && affEqual(x, y) {
		return affMul(x, affConst(n))
	}
	if l.op == '+' && l.r.isConst() && !r.isConst() {
		return affAdd(affAdd(l.l, r), l.r)
	}
	// x - (x floordiv c) * c = x mod c
	if r.op == '*' && r.r.isConst() && r.l.op == 'f' && r.l.r.isConst() && r.l.r.n == -r.r.n && r.l.r.n > 0 && affEqual(l, r.l.l) {
		return affMod(l, r.l.r)
	}
	return affRaw('+', l, r)
}

// affTerm splits c * x.
func affTerm(e *affExpr) (*affExpr, int64) {
	if e.op == '*' && e.r.isConst() {
		return e.l, e.r.n
	}
	return e, 1
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == -1<<63) && !(b == -1 && a == -1<<63)
}

func affMul(l, r *affExpr) *affExpr {
	if l.isConst() && r.isConst() {
		if n, ok := mulInt(l.n, r.n); ok {
			return affConst(n)
		}
		return affRaw('*', l, r)
	}
	if l.isConst() || !r.fixed() && l.fixed() {
		return affMul(r, l)
	}
	if r.isConst() {
		if r.n == 1 {
			return l
		}
		if r.n == 0 {
			return r
		}
	}
	if l.op == '*' && l.r.isConst() {
		if r.isConst() {
			if n, ok := mulInt(l.r.n, r.n); ok {
				return affMul(l.l, affConst(n))
			}
		} else {
			return affMul(affMul(l.l, r), l.r)
		}
	}
	return affRaw('*', l, r)
}

// divisor is the largest number known to divide an expression.
func (e *affExpr) divisor() int64 {
	switch e.op {
	case '0':
		return abs(e.n)
	case '*':
		if n, ok := mulInt(e.l.divisor(), e.r.divisor()); ok {
			return n
		}
	case '+', 'm':
		return gcd(e.l.divisor(), e.r.divisor())
	case 'f', 'c':
		if e.r.isConst() && e.r.n > 0 && e.l.divisor()%e.r.n == 0 {
			return max(e.l.divisor()/e.r.n, 1)
		}
	}
	return 1
}

func abs(n int64) int64 {
	if n == -1<<63 {
		return 1
	}
	return max(n, -n)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func affMod(l, r *affExpr) *affExpr {
	if !r.isConst() || r.n < 1 {
		return affRaw('m', l, r)
	}
	c := r.n
	if l.isConst() {
		return affConst((l.n%c + c) % c)
	}
	if l.divisor()%c == 0 {
		return affConst(0)
	}
	if l.op == '+' {
		if l.l.divisor()%c == 0 {
			return affMod(l.r, r)
		}
		if l.r.divisor()%c == 0 {
			return affMod(l.l, r)
		}
	}
	if l.op == 'm' && l.r.isConst() && l.r.n%c == 0 {
		return affMod(l.l, r)
	}
	return affRaw('m', l, r)
}

// affDiv divides, rounding down (f) or up (c).
func affDiv(op byte, l, r *affExpr) *affExpr {
	if !r.isConst() || r.n < 1 {
		return affRaw(op, l, r)
	}
	c := r.n
	if l.isConst() {
		q := l.n / c
		if rem := l.n % c; rem < 0 && op == 'f' {
			q--
		} else if rem > 0 && op == 'c' {
			q++
		}
		return affConst(q)
	}
	if c == 1 {
		return l
	}
	if l.op == '*' && l.r.isConst() && l.r.n%c == 0 {
		return affMul(l.l, affConst(l.r.n/c))
	}
	if op == 'f' && l.op == '+' && (l.l.divisor()%c == 0 || l.r.divisor()%c == 0) {
		return affAdd(affDiv(op, l.l, r), affDiv(op, l.r, r))
	}
	return affRaw(op, l, r)
}

var affWords = map[byte]string{'*': " * ", 'm': " mod ", 'f': " floordiv ", 'c': " ceildiv "}

// print writes an expression; strong asks for parentheses around anything that
// is no operand.
func (e *affExpr) print(b *strings.Builder, strong bool) {
	switch e.op {
	case '0':
		b.WriteString(strconv.FormatInt(e.n, 10))
		return
	case 'd', 's':
		b.WriteByte(e.op)
		b.WriteString(strconv.FormatInt(e.n, 10))
		return
	case '*':
		if e.r.isConst() && e.r.n == -1 {
			b.WriteByte('-')
			e.l.print(b, true)
			return
		}
	}
	if strong {
		b.WriteByte('(')
	}
	if e.op == '+' {
		e.printSum(b)
	} else {
		e.l.print(b, true)
		b.WriteString(affWords[e.op])
		e.r.print(b, true)
	}
	if strong {
		b.WriteByte(')')
	}
}

// printSum writes what is added; a negative term as a subtraction.
func (e *affExpr) printSum(b *strings.Builder) {
	e.l.print(b, false)
	r := e.r
	switch {
	case r.op == '*' && r.r.isConst() && r.r.n == -1:
		b.WriteString(" - ")
		r.l.print(b, r.l.op == '+')
	case r.op == '*' && r.r.isConst() && r.r.n < -1:
		b.WriteString(" - ")
		r.l.print(b, true)
		b.WriteString(" * " + strconv.FormatUint(-uint64(r.r.n), 10))
	case r.isConst() && r.n < 0:
		b.WriteString(" - " + strconv.FormatUint(-uint64(r.n), 10))
	default:
		b.WriteString(" + ")
		r.print(b, false)
	}
}

// affReader reads affine maps and sets.
type affReader struct {
	p          *Parser
	names      map[string]*affExpr
	dims, syms int
}

// maxAffine bounds the size of an expression: simplifying compares and copies.
const maxAffine = 10000

// affine reads affine_map<...> or affine_set<...>.
func (p *Parser) affine() ir.Attr {
	word := p.Keyword()
	p.Expect("<")
	r := &affReader{p: p, names: map[string]*affExpr{}}
	var b strings.Builder
	r.header(&b)
	info := ir.AttrInfo{Kind: ir.AttrMap}
	first := true
	part := func(text func()) {
		if !first {
			b.WriteString(", ")
		}
		first = false
		text()
	}
	if word == "affine_map" {
		if p.tok.kind != tArrow {
			p.Errorf(p.tok.start, "expected '->', found %s", p.found())
		}
		p.next()
		b.WriteString(" -> (")
		p.List("(", ")", func() { part(func() { r.sum().print(&b, false) }) })
	} else {
		info.Kind = ir.AttrSet
		p.Expect(":")
		b.WriteString(" : (")
		p.List("(", ")", func() { part(func() { r.constraint(&b) }) })
		if first {
			b.WriteString("0 == 0")
		}
	}
	b.WriteByte(')')
	p.Expect(">")
	info.Str = b.String()
	return p.ctx.Attr(info)
}

func (r *affReader) header(b *strings.Builder) {
	p := r.p
	name := func(op byte, n *int) {
		at := p.tok.start
		s := p.Keyword()
		if r.names[s] != nil {
			p.Errorf(at, "'%s' is named twice", short(s))
		}
		r.names[s] = &affExpr{op: op, n: int64(*n), size: 1}
		if *n > 0 {
			b.WriteString(", ")
		}
		b.WriteByte(op)
		b.WriteString(strconv.Itoa(*n))
		*n++
	}
	b.WriteByte('(')
	p.List("(", ")", func() { name('d', &r.dims) })
	b.WriteByte(')')
	if p.tok.kind == '[' {
		mark := b.Len()
		b.WriteByte('[')
		p.List("[", "]", func() { name('s', &r.syms) })
		b.WriteByte(']')
		if r.syms == 0 {
			s := b.String()[:mark]
			b.Reset()
			b.WriteString(s)
		}
	}
}

// constraint reads `e >= 0`, `e == 0` and comparisons of two expressions.
func (r *affReader) constraint(b *strings.Builder) {
	p := r.p
	l := r.sum()
	op := ""
	switch {
	case p.tok.kind == '>' && strings.HasPrefix(p.src[p.tok.start:], ">="):
		op = ">="
	case p.tok.kind == '<' && strings.HasPrefix(p.src[p.tok.start:], "<="):
		op = "<="
	case p.tok.kind == '=' && strings.HasPrefix(p.src[p.tok.start:], "=="):
		op = "=="
	default:
		p.Errorf(p.tok.start, "expected '==', '>=' or '<=', found %s", p.found())
	}
	p.reset(p.tok.start + 2)
	m := r.sum()
	if op == "<=" {
		l, m, op = m, l, ">="
	}
	affAdd(l, affMul(m, affConst(-1))).print(b, false)
	b.WriteString(" " + op + " 0")
}

func (r *affReader) sum() *affExpr {
	e := r.product()
	for {
		switch {
		case r.p.Optional("+"):
			e = r.bounded(affAdd(e, r.product()))
		case r.p.Optional("-"):
			e = r.bounded(affAdd(e, affMul(r.product(), affConst(-1))))
		default:
			return e
		}
	}
}

func (r *affReader) bounded(e *affExpr) *affExpr {
	if e.size > maxAffine {
		r.p.Errorf(r.p.prev, "an affine expression has more than %d parts", maxAffine)
	}
	return e
}

func (r *affReader) product() *affExpr {
	e := r.operand()
	for {
		at := r.p.tok.start
		op := byte(0)
		switch {
		case r.p.Optional("*"):
			op = '*'
		case r.p.Optional("mod"):
			op = 'm'
		case r.p.Optional("floordiv"):
			op = 'f'
		case r.p.Optional("ceildiv"):
			op = 'c'
		default:
			return e
		}
		f := r.operand()
		switch {
		case op == '*':
			if !e.fixed() && !f.fixed() {
				r.p.Errorf(at, "an affine expression does not multiply two dimensions")
			}
			e = affMul(e, f)
		case !f.fixed():
			r.p.Errorf(at, "an affine expression divides by constants and symbols only")
		case op == 'm':
			e = affMod(e, f)
		default:
			e = affDiv(op, e, f)
		}
		r.bounded(e)
	}
}

func (r *affReader) operand() *affExpr {
	p := r.p
	p.enter()
	defer p.leave()
	at := p.tok.start
	switch p.tok.kind {
	case '-':
		p.next()
		return affMul(r.operand(), affConst(-1))
	case '(':
		p.next()
		e := r.sum()
		p.Expect(")")
		return e
	case tInt:
		return affConst(p.Integer())
	case tIdent:
		s := p.Keyword()
		if e := r.names[s]; e != nil {
			return e
		}
		p.Errorf(at, "'%s' is no dimension or symbol of this map", short(s))
	}
	p.Errorf(at, "expected an affine expression, found %s", p.found())
	return nil
}

// mapDims returns the number of dimensions of a canonical map.
func mapDims(s string) int {
	dims := s[1:strings.IndexByte(s, ')')]
	if dims == "" {
		return 0
	}
	return strings.Count(dims, ",") + 1
}

// identityMap reports a canonical map that gives each of its dimensions.
func identityMap(s string) bool {
	dims, rest, _ := strings.Cut(s, ")")
	if i := strings.IndexByte(rest, ']'); i >= 0 {
		rest = rest[i+1:] // symbols do not matter
	}
	return rest == " -> "+dims+")"
}
