package raise

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/unwind"
)

// condition is a truth value as a formula.
func (n *nest) condition(f *formulas, v ir.Value, depth int) (_ presburger.Formula, err error) {
	defer unwind.To(&err)
	g := n.g
	// And of nothing always holds, Or of nothing never.
	if c, ok := g.Const(v); ok && c.Ref == nil {
		if c.Bits&1 == 1 {
			return presburger.And(), nil
		}
		return presburger.Or(), nil
	}
	op, form := n.form(v)
	args := g.Args(v)
	// A condition from outside is a parameter of 0 or 1, unless its parts say more of other parameters.
	joined := op == affine.And || op == affine.Or || op == affine.Xor
	if !n.isInside(v) && (n.named[v] != "" || !joined && (op != affine.Compare || !n.outerComparison(form.Predicate(g, v), args))) {
		return presburger.NonNeg(presburger.Variable(n.param(v)).Minus(presburger.Number(1))), nil
	}
	if depth > maxDepth {
		return presburger.Formula{}, hinder(v, "a condition is made by more than %d ops", maxDepth)
	}
	switch op {
	case affine.And, affine.Or, affine.Xor:
		x := unwind.Must(n.condition(f, args[0], depth+1))
		y := unwind.Must(n.condition(f, args[1], depth+1))
		switch op {
		case affine.And:
			return presburger.And(x, y), nil
		case affine.Or:
			return presburger.Or(x, y), nil
		}
		return presburger.Or(presburger.And(x, presburger.Not(y)), presburger.And(y, presburger.Not(x))), nil
	case affine.Compare:
		return n.comparison(f, v, form.Predicate(g, v), args, depth), nil
	}
	return presburger.Formula{}, hinder(v, "%s makes a condition that is not affine", g.Def(v).Name)
}

// outerComparison reports a comparison from outside that is one of integers of 64 bits with sign.
func (n *nest) outerComparison(p affine.Predicate, args []ir.Value) bool {
	return p < affine.ULT && wide(n.g, args[0])
}

// comparison is a comparison of integers as a formula of their difference.
func (n *nest) comparison(f *formulas, v ir.Value, p affine.Predicate, args []ir.Value, depth int) (out presburger.Formula) {
	if n.width(args[0]) == 1 {
		panic(unwind.Failed(hinder(v, "a condition compares truth values")))
	}
	// Where no operand is negative, the order without sign is that with sign.
	if p >= affine.ULT {
		known := n.known.At(n.s.Place(v))
		if !known.Within(args[0], 0, 1<<62) || !known.Within(args[1], 0, 1<<62) {
			panic(unwind.Failed(hinder(v, "a condition compares numbers without sign")))
		}
		p -= affine.ULT - affine.LT
	}
	x := n.sum(f, args[0], depth+1)
	y := n.sum(f, args[1], depth+1)
	switch p {
	case affine.EQ:
		return presburger.Zero(x.Minus(y))
	case affine.NE:
		return presburger.Nonzero(x.Minus(y))
	// Over integers x < y is y - x - 1 >= 0.
	case affine.LT:
		return presburger.NonNeg(y.Minus(x).Minus(presburger.Number(1)))
	case affine.LE:
		return presburger.NonNeg(y.Minus(x))
	case affine.GT:
		return presburger.NonNeg(x.Minus(y).Minus(presburger.Number(1)))
	}
	return presburger.NonNeg(x.Minus(y))
}
