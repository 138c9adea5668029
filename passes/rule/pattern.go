package rule

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// Most is what a rule may have that is to be matched: operands, constants and ops on the left.
const (
	mostOperands  = 7
	mostConstants = 4
	mostOps       = 8
)

// Pattern is the rule as the folds of dialects have it, for an op Of. The error is a diagnostic: what can be proven is
// more than what can be matched.
func (r *Rule) Pattern() (of *ir.OpDef, p *ir.Pattern, err error) {
	switch {
	case len(r.Operands) > mostOperands || len(r.Constants) > mostConstants || ops(r.Src) > mostOps:
		return nil, nil, diag.Errorf(r.Span, "the rule has %d operands, %d constants and %d ops on its left; what is matched has at most %d, %d and %d",
			len(r.Operands), len(r.Constants), ops(r.Src), mostOperands, mostConstants, mostOps)
	case r.Src.Def == nil:
		return nil, nil, diag.Errorf(r.Src.Span, "a rule begins with an op")
	}
	if err := r.matchable(r.Src); err != nil {
		return nil, nil, err
	}
	if err := r.makeable(r.Tgt, nil); err != nil {
		return nil, nil, err
	}
	from := r.term(r.Src, true)
	from.Def = nil // of the fold
	p = &ir.Pattern{From: from, To: r.term(r.Tgt, false)}
	if r.Where != nil {
		p.Where = &ir.Term{Text: "where", Width: [2]int{1, 0}, Is: r.condition}
	}
	return r.Src.Def, p, nil
}

// ops counts those of a side. An op that stands in it twice counts twice, for each is matched by itself.
func ops(n *Node) int {
	if n.Def == nil {
		return 0
	}
	out := 1
	for _, a := range n.Args {
		out += ops(a)
	}
	return out
}

// matchable refuses on the left what a matcher would have to solve for.
func (r *Rule) matchable(n *Node) error {
	if e := n.Expr; e != nil && e.Name == nil && named(e) {
		return diag.Errorf(n.Span, "what is computed of constants is not matched").WithFix("give it a name, C3, and say what it is behind where: C3 == -C1")
	}
	for _, a := range n.Args {
		if err := r.matchable(a); err != nil {
			return err
		}
	}
	return nil
}

// named reports a constant expression with a name in it.
func named(e *Expr) bool { return e.Name != nil || slices.ContainsFunc(e.Args, named) }

// makeable refuses on the right a float whose type follows from nothing that is made: the operand of a comparison. Integers
// have their width with them, but a float has the type of the op that it is for, and a comparison gives another one.
func (r *Rule) makeable(n, user *Node) error {
	if n.Expr != nil && n.typ.root().float && user != nil && !user.typ.root().float {
		return diag.Errorf(n.Span, "a float constant cannot be made for %s", user.Def.Name).WithFix("match the comparison, and make it of operands")
	}
	for _, a := range n.Args {
		if err := r.makeable(a, n); err != nil {
			return err
		}
	}
	return nil
}

// term is a part of a side. Integers have their width with them, so that an op matches at any width at which the rule exists;
// floats have none, and a rule on them matches each format.
func (r *Rule) term(n *Node, left bool) *ir.Term {
	t := &ir.Term{Text: n.text()}
	if !n.typ.root().float {
		t.Width = [2]int{1, 0}
		if root := n.typ.root(); root.known {
			t.Width = [2]int{root.times, root.plus}
		}
	}
	switch {
	case n.Name != nil:
		t.Var = 1 + slices.Index(r.Operands, n.Name)
	case n.Expr != nil && n.Expr.Name != nil:
		t.Var = -1 - slices.Index(r.Constants, n.Expr.Name)
	case n.Expr != nil:
		t.Is = r.computed(n.Expr)
	case n.Poison:
		t.Def = ub.Poison
		t.Props = func(c *ir.Context, _ []ir.Attr) ir.Attr {
			return c.Props([]ir.NamedAttr{{Name: "value", Value: c.OpaqueAttr("ub.poison")}}, nil)
		}
	default:
		t.Def, t.Props = n.Def, n.makes
		if left {
			t.Props = n.matches()
		}
		for _, a := range n.Args {
			t.Args = append(t.Args, r.term(a, left))
		}
	}
	return t
}

// text is a node as it is written, with its operands.
func (n *Node) text() string { return n.Span.Source.Text[n.Span.Start:n.Span.End] }

// makes are the properties of an op on the right: those that are written, and no others.
func (n *Node) makes(c *ir.Context, _ []ir.Attr) ir.Attr { return attr(c, n) }

// matches asks the properties of an op on the left: it has at least the flags that are written. More of them make poison in
// more cases, or license more, and so the right side may stand for it all the same.
func (n *Node) matches() func(*ir.Context, []ir.Attr) ir.Attr {
	if len(n.Words) == 0 {
		return nil
	}
	return func(c *ir.Context, of []ir.Attr) ir.Attr {
		a, ok := of[0], true
		switch {
		case n.Def == arith.Cmpi:
			ok = arith.PredicateOfI(c, a) == arith.CmpIPredicate(n.predicate())
		case n.Def == arith.Cmpf:
			ok = arith.PredicateOfF(c, a) == arith.CmpFPredicate(n.predicate()) && arith.FastMathOf(c, a)&n.fastMath() == n.fastMath()
		case onFloats(n.Def):
			ok = arith.FastMathOf(c, a)&n.fastMath() == n.fastMath()
		default:
			ok = arith.OverflowOf(c, a)&n.overflow() == n.overflow()
		}
		if !ok {
			return 0
		}
		return a
	}
}

// computed is a number, or what is computed of constants, at the width at which it is asked for. The circuits that prove a rule
// compute it, with all bits known: what is applied is what was proven.
func (r *Rule) computed(e *Expr) func(ir.Type, int, []uint64) (uint64, bool) {
	return func(elem ir.Type, width int, constants []uint64) (uint64, bool) {
		if e.typ.root().float {
			return ir.FloatVal(e.float(), elem).Bits, true
		}
		if width < 1 || width > maxWidth || !r.holds(e, width) {
			return 0, false
		}
		m := r.known(e.typ.widthOf(width), constants)
		bits, defined := m.expr(e)
		return m.Number(nil, bits), defined == circuit.True
	}
}

// float is a float that is written, with its sign: nothing else is computed of floats, for a rule means them in each format,
// and they would be rounded in one.
func (e *Expr) float() float64 {
	if e.Op == "-" {
		return -e.Args[0].float()
	}
	return e.Float
}

// holds reports numbers that fit in a width. One that is cut would be another number, of which nothing was proven.
func (r *Rule) holds(e *Expr, width int) bool { return fitsExpr(e, e.typ.widthOf(width)) == nil }

// known is a match at a width of the rule, of constants that are there.
func (r *Rule) known(w int, constants []uint64) *Match {
	m := &Match{Circuit: circuit.New(), Width: w, of: map[*Name][]circuit.Bit{}}
	for i, n := range r.Constants {
		if bits := n.typ.width(w); i < len(constants) && bits > 0 {
			m.of[n] = circuit.Const(bits, constants[i])
		}
	}
	return m
}

// condition is asked when the left side has matched, so that all constants are known, and the width of the rule, unless
// all its types have one of their own. It is whether the condition of the rule holds.
func (r *Rule) condition(_ ir.Type, w int, constants []uint64) (uint64, bool) {
	w = max(w, 1)
	if w > maxWidth || fitsCond(r.Where, w) != nil {
		return 0, false
	}
	holds, defined := r.known(w, constants).cond(r.Where)
	return ir.BoolVal(holds == circuit.True).Bits, defined == circuit.True
}

// widthOf is the width of a rule in which a type has some bits; 1 if it has them in any.
func (t *typ) widthOf(bits int) int {
	switch t = t.root(); {
	case !t.known:
		return bits
	case t.times == 0:
		return 1
	}
	return (bits - t.plus) / t.times
}

// floats says why a rule is not proven. It is the first op of the rule that is on floats; nil if there is none.
func (r *Rule) floats() *Node {
	var find func(n *Node) *Node
	find = func(n *Node) *Node {
		if onFloats(n.Def) || n.typ.root().float {
			return n
		}
		for _, a := range n.Args {
			if f := find(a); f != nil {
				return f
			}
		}
		return nil
	}
	if n := find(r.Src); n != nil {
		return n
	}
	return find(r.Tgt)
}

// checkFloats refuses what is computed of floats, and ops of the left side that license nothing: a program that does not
// allow it gets the floats that it says.
func (r *Rule) checkFloats() error {
	for _, n := range r.Computed {
		if e := n.Expr; n.typ.root().float && e.Op != "" && (e.Op != "-" || named(e)) {
			return diag.Errorf(n.Span, "only integers are computed").WithFix("write an op on constants: it is folded")
		}
	}
	if err := mixed(r.Src, r.Tgt); err != nil {
		return err
	}
	return unlicensed(r.Src)
}

// mixed refuses floats as operands of ops that are on integers.
func mixed(nodes ...*Node) error {
	for _, n := range nodes {
		for _, a := range n.Args {
			if a.typ.root().float && !onFloats(n.Def) && n.Def != arith.Select && n.Def != ub.Freeze {
				return diag.Errorf(a.Span, "%s is on integers, and this is a float", n.Def.Name)
			}
		}
		if err := mixed(n.Args...); err != nil {
			return err
		}
	}
	return nil
}

// unlicensed is an error at the first op on floats that names no flag.
// The right side needs none: to drop a licence is always right.
func unlicensed(n *Node) error {
	if onFloats(n.Def) && n.fastMath() == 0 {
		return diag.Errorf(n.Span, "a rule on floats says which flags %s must have", n.Def.Name).
			WithFix("write in braces what allows the rule: %s{reassoc}(...), or nnan, ninf, nsz, arcp, contract, afn, fast", n.Def.Name)
	}
	for _, a := range n.Args {
		if err := unlicensed(a); err != nil {
			return err
		}
	}
	return nil
}
