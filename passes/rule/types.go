package rule

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A typ is the type of some expressions, which are known to have one: an integer of Times*w + Plus bits, or a float of any
// width. Those that are known to be the same point to one of them.
type typ struct {
	same        *typ
	known       bool
	float       bool
	times, plus int
	at          diag.Span // where it is said, or else where the expression is
}

// root is the one that stands for all that are the same: the sets are those of union and find (Tarjan 1975), with paths
// that are as short as rules are.
func (t *typ) root() *typ {
	for t.same != nil {
		t = t.same
	}
	return t
}

// width is its width in a rule of width w. Of what nothing is known it is w.
func (t *typ) width(w int) int {
	if t = t.root(); !t.known {
		return w
	}
	return t.times*w + t.plus
}

// String writes it as an annotation does.
func (t *typ) String() string {
	switch t = t.root(); {
	case t.float:
		return "a float"
	case t.times == 0:
		return fmt.Sprintf("i%d", t.plus)
	case t.times == 1 && t.plus == 0:
		return "iw"
	case t.times == 1:
		return fmt.Sprintf("i(w %+d)", t.plus)
	}
	return fmt.Sprintf("i(%d * w)", t.times)
}

// equate says that two expressions have one type.
func equate(a, b *typ) error {
	x, y := a.root(), b.root()
	switch {
	case x == y:
		return nil
	case !x.known:
		x.same = y
		return nil
	case !y.known || x.times == y.times && x.plus == y.plus && x.float == y.float:
		y.same = x
		return nil
	}
	return diag.Errorf(b.at, "the type is %s here, and %s elsewhere", y, x).WithNote(a.at, "here it is %s", x)
}

// class is how the types of an op hang together.
type class uint8

const (
	foreign class = iota // rules do not know it
	same                 // operands and result
	compare              // operands; the result is i1
	choose               // the first operand is i1, the others and the result have one type
	cast                 // none
)

// onFloats reports an op whose operands are floats: those have flags.
func onFloats(d *ir.OpDef) bool { return d != nil && slices.Contains(d.Attrs, "fastmath") }

// classOfFloats is classOf of an op on floats, by the result that it gives for some: dialects from outside have such ops too, and
// a list of names would not know them.
func classOfFloats(ctx *ir.Context, d *ir.OpDef) class {
	if !d.Has(ir.Elementwise) || d.Eval == nil {
		return foreign
	}
	b := ir.NewBuilder(ctx, ir.Verbatim)
	call := ir.Call{Def: d}
	for range d.Args {
		call.Args = append(call.Args, b.Param(ir.F32))
	}
	if d == arith.Cmpf {
		call.Attr = arith.PredicateF(ctx, arith.OEQ, 0)
	}
	v, err := b.Make(call)
	switch {
	case err != nil:
		return foreign
	case b.Graph().Type(v) == ir.F32:
		return same
	case b.Graph().Type(v) == ir.I1:
		return compare
	}
	return foreign
}

// What rules do not know of ops on integers: those with two results, and casts between types that rules do not tell apart.
var (
	severalResults = []*ir.OpDef{arith.AdduiExtended, arith.MuluiExtended, arith.MulsiExtended}
	otherKinds     = []*ir.OpDef{arith.IndexCast, arith.IndexCastui, arith.Bitcast}
)

// classOf is how an op types. An op with two results, or whose result is not known to follow from its operands, is foreign
// to rules: two functions can say what a rule cannot.
func classOf(ctx *ir.Context, d *ir.OpDef) class {
	if onFloats(d) {
		return classOfFloats(ctx, d)
	}
	switch d {
	case nil:
		return foreign
	case arith.Cmpi:
		return compare
	case arith.Select:
		return choose
	case arith.Extui, arith.Extsi, arith.Trunci:
		return cast
	case ub.Freeze:
		return same
	}
	if slices.Contains(severalResults, d) || slices.Contains(otherKinds, d) {
		return foreign
	}
	if d.Has(ir.Elementwise) && d.Eval != nil && len(d.Args) > 0 {
		return same
	}
	return foreign
}

// types finds the types of a rule.
func (p *parser) types() error {
	r := p.rl
	if err := p.typesOf(r.Src); err != nil {
		return err
	}
	if err := p.typesOf(r.Tgt); err != nil {
		return err
	}
	if err := equate(r.Src.typ, r.Tgt.typ); err != nil {
		return err
	}
	if err := typesOfCond(r.Where); err != nil {
		return err
	}
	return r.checkFloats()
}

// boolean is i1, of which each use is a copy with a place of its own.
var boolean = typ{known: true, plus: 1}

// typesOf equates the types of an op as its class says, and those of what it stands on.
func (p *parser) typesOf(n *Node) error {
	if n.Expr != nil {
		return typesOfExpr(n.Expr, n.typ)
	}
	for _, a := range n.Args {
		if err := p.typesOf(a); err != nil {
			return err
		}
	}
	if onFloats(n.Def) {
		if err := equate(&typ{known: true, float: true, at: n.Span}, n.Args[0].typ); err != nil {
			return err
		}
	}
	bit := func(m *Node) error { b := boolean; b.at = m.Span; return equate(&b, m.typ) }
	args := n.Args
	switch classOf(p.ctx, n.Def) {
	case compare:
		if err := bit(n); err != nil {
			return err
		}
	case choose:
		if err := bit(args[0]); err != nil {
			return err
		}
		args = append(args[1:3:3], n)
	case same:
		args = append(args[:len(args):len(args)], n)
	default:
		return nil
	}
	for _, a := range args[1:] {
		if err := equate(args[0].typ, a.typ); err != nil {
			return err
		}
	}
	return nil
}

// typesOfExpr gives a constant expression and all its parts one type.
func typesOfExpr(e *Expr, t *typ) error {
	e.typ = t
	if e.Name != nil {
		return equate(t, e.Name.typ)
	}
	if e.Decimal {
		return equate(&typ{known: true, float: true, at: e.Span}, t)
	}
	for _, a := range e.Args {
		if err := typesOfExpr(a, t); err != nil {
			return err
		}
	}
	return nil
}

// typesOfCond gives both sides of each comparison one type; constants that are compared bring theirs.
func typesOfCond(c *Cond) error {
	if c == nil {
		return nil
	}
	for _, x := range c.Conds {
		if err := typesOfCond(x); err != nil {
			return err
		}
	}
	if len(c.Args) == 0 {
		return nil
	}
	t := &typ{at: c.Args[0].Span}
	for _, x := range c.Args {
		if err := typesOfExpr(x, t); err != nil {
			return err
		}
	}
	return nil
}

// annotation reads the type of an expression.
func (p *parser) annotation(n *Node) error {
	start := p.token
	if start.kind != name || start.text[0] != 'i' {
		return p.unexpected("a type: i8, iw, i(w + 1) or i(2 * w)")
	}
	p.advance()
	t := &typ{known: true, times: 1, at: p.span(start)}
	width, err := strconv.Atoi(start.text[1:])
	switch {
	case start.text == "iw":
	case start.text == "i":
		if err := p.widthExpr(t); err != nil {
			return err
		}
	case err == nil && 1 <= width && width <= maxWidth:
		t.times, t.plus = 0, width
	default:
		return diag.Errorf(p.span(start), "'%s' is no type of a rule", start.text).WithFix("types are i1 to i%d, iw, i(w + 1), i(w - 1) and i(2 * w)", maxWidth)
	}
	t.at = p.src.Span(start.start, p.last.end)
	return equate(t, n.typ)
}

// maxWidth is that of integers that have a value, which others have as text only.
const maxWidth = 64

// widthExpr reads (w + N), (w - N) or (N * w).
func (p *parser) widthExpr(t *typ) error {
	const want = "a width: (w + 1), (w - 1) or (2 * w)"
	if !p.take("(") {
		return p.unexpected(want)
	}
	first, op := p.advance(), p.advance()
	second := p.advance()
	numeral := second
	if op.text == "*" {
		numeral = first
	}
	n, err := strconv.Atoi(numeral.text)
	switch {
	case err != nil || n < 1 || n > maxWidth:
	case first.text == "w" && op.text == "+":
		t.plus = n
		return p.expect(")", "behind a width")
	case first.text == "w" && op.text == "-":
		t.plus = -n
		return p.expect(")", "behind a width")
	case second.text == "w" && op.text == "*":
		t.times = n
		return p.expect(")", "behind a width")
	}
	return diag.Errorf(p.src.Span(first.start, max(second.end, first.start+1)), "expected %s", want)
}
