package saturate

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// A rewriting is a rule as the e-graph applies it.
type rewriting struct {
	*ir.Fold
	onRight  [mostVars]bool // operands that the right side has
	licensed bool           // by flags of the floats that match
	free     bool           // and so is the left side in the place of the right one, by the same flags
}

// rewritings are the rules that the e-graph can apply, those that can be turned round in both directions.
func rewritings(folds []ir.Fold) (out []*rewriting) {
	for i := range folds {
		// Alternatives of a fold are rules of their own here: none is the first.
		for p := folds[i].Is; p != nil; p = p.Or {
			f := folds[i]
			f.Is = p
			r := &rewriting{Fold: &f}
			vars(p.To, &r.onRight)
			r.licensed = asksFlags(p.From, f.Of)
			var left [mostVars]bool
			vars(p.From, &left)
			r.free = left == r.onRight && p.To.Args != nil && field(p.From, f.Of) && field(p.To, f.Of)
			if out = append(out, r); r.turns() {
				back := *f.Is
				back.From, back.To = &ir.Term{Args: p.To.Args, Width: p.To.Width}, &ir.Term{Def: f.Of, Args: p.From.Args, Width: p.From.Width}
				g := ir.Fold{Of: p.To.Def, Rule: f.Rule + ", turned round", Is: &back}
				if g.Of == nil {
					g.Of = f.Of
				}
				turned := &rewriting{Fold: &g}
				vars(back.To, &turned.onRight)
				out = append(out, turned)
			}
		}
	}
	return out
}

// vars notes the operands of a term.
func vars(t *ir.Term, in *[mostVars]bool) {
	if t.Var > 0 {
		in[t.Var] = true
	}
	for _, a := range t.Args {
		vars(a, in)
	}
}

// asksFlags reports a left side that asks floats for flags.
func asksFlags(t *ir.Term, def *ir.OpDef) bool {
	if t.Def != nil {
		def = t.Def
	}
	if t.Props != nil && slices.Contains(def.Attrs, "fastmath") {
		return true
	}
	return slices.ContainsFunc(t.Args, func(a *ir.Term) bool { return (a.Def != nil || a.Args != nil) && asksFlags(a, def) })
}

// field reports a term of sums, differences, products and quotients of operands and numbers.
func field(t *ir.Term, of *ir.OpDef) bool {
	if t.Def == nil && t.Args == nil {
		return true
	}
	def := t.Def
	if def == nil {
		def = of
	}
	switch def {
	case arith.Addf, arith.Subf, arith.Mulf, arith.Divf:
		return !slices.ContainsFunc(t.Args, func(a *ir.Term) bool { return !field(a, of) })
	}
	return false
}

// turns reports a rule whose sides have one value, poison included, so that it may be turned round: both have the same
// operands and no constants that are computed, their ops ask nothing and make no poison.
func (r *rewriting) turns() bool {
	p := r.Is
	var left [mostVars]bool
	vars(p.From, &left)
	return p.Where == nil && (p.To.Def != nil || p.To.Args != nil) && left == r.onRight && plain(p.From, r.Of) && plain(p.To, r.Of)
}

// plain reports a term of ops that are poison just where an operand is, with numbers that are written.
func plain(t *ir.Term, of *ir.OpDef) bool {
	switch {
	case t.Var > 0:
		return true
	case t.Def == nil && t.Args == nil:
		return t.Is != nil && written(t)
	case t.Props != nil:
		return false
	}
	def := t.Def
	if def == nil {
		def = of
	}
	switch def {
	case arith.Addi, arith.Subi, arith.Muli, arith.Andi, arith.Ori, arith.Xori, arith.Maxsi, arith.Minsi, arith.Maxui, arith.Minui:
		return !slices.ContainsFunc(t.Args, func(a *ir.Term) bool { return !plain(a, of) })
	}
	return false
}

// written reports a number that does not depend on constants: what is computed of none differs where they do.
func written(t *ir.Term) bool {
	at := func(c uint64) uint64 {
		x, ok := t.Is(ir.I64, 64, []uint64{c, 3 * c, 5 * c, 7 * c})
		if !ok {
			return ^c
		}
		return x
	}
	return at(11) == at(12) && at(12) == at(14)
}

// Sets are the names of the built-in sets of rules.
const (
	setFolds     = "folds"
	setArith     = "arith"
	setAssocComm = "assoc-comm"
	setFloat     = "float"
)

// The words of the rules.
var (
	x, y, z = &ir.Term{Var: 1}, &ir.Term{Var: 2}, &ir.Term{Var: 3}
	c1      = &ir.Term{Var: -1}
	zero    = number(0)
	one     = number(1)
	two     = number(2)
	ones    = number(-1)
)

// number is a written one. Of fewer bits than it takes there is none.
func number(n int64) *ir.Term {
	return &ir.Term{Is: func(_ ir.Type, w int, _ []uint64) (uint64, bool) {
		v := ir.IntVal(n, w)
		return v.Bits, w >= 1 && w <= 64 && (n == -1 || bits.Len64(uint64(n)) < max(w, 1))
	}}
}

// op is a term.
func op(def *ir.OpDef, args ...*ir.Term) *ir.Term { return &ir.Term{Def: def, Args: args} }

// rule is one that names itself by what it says.
func rule(says string, from, to *ir.Term) ir.Fold {
	root := *from // terms are shared, and the root of a pattern has no op
	root.Def = nil
	return ir.Fold{Of: from.Def, Rule: says, Is: &ir.Pattern{From: &root, To: to}}
}

// arithRules are laws of integers, of conditions and of bits.
var arithRules = sync.OnceValue(func() []ir.Fold {
	return slices.Concat(laws(), bitLaws(), choiceLaws(), multiplications())
})

// laws are those of sums and products modulo a power of two: of a ring, and of how sums are made of bits (Warren,
// "Hacker's Delight", chapter 2). What a rule makes promises nothing of wrapping, for a sum of others may wrap where the
// first did not.
func laws() []ir.Fold {
	add, sub, mul := arith.Addi, arith.Subi, arith.Muli
	neg := func(t *ir.Term) *ir.Term { return op(sub, zero, t) }
	not := func(t *ir.Term) *ir.Term { return op(arith.Xori, t, ones) }
	return []ir.Fold{
		rule("x*y + x*z = x*(y + z)", op(add, op(mul, x, y), op(mul, x, z)), op(mul, x, op(add, y, z))),
		rule("x*y - x*z = x*(y - z)", op(sub, op(mul, x, y), op(mul, x, z)), op(mul, x, op(sub, y, z))),
		rule("x*y + x = x*(y + 1)", op(add, op(mul, x, y), x), op(mul, x, op(add, y, one))),
		rule("x*y - x = x*(y - 1)", op(sub, op(mul, x, y), x), op(mul, x, op(sub, y, one))),
		rule("(x + y) - (x + z) = y - z", op(sub, op(add, x, y), op(add, x, z)), op(sub, y, z)),
		rule("x + x = x*2", op(add, x, x), op(mul, x, two)),
		rule("x + (0 - y) = x - y", op(add, x, neg(y)), op(sub, x, y)),
		rule("x - (0 - y) = x + y", op(sub, x, neg(y)), op(add, x, y)),
		rule("(0 - x)*(0 - y) = x*y", op(mul, neg(x), neg(y)), op(mul, x, y)),
		rule("(0 - x)*y = 0 - x*y", op(mul, neg(x), y), neg(op(mul, x, y))),
		rule("0 - (x - y) = y - x", neg(op(sub, x, y)), op(sub, y, x)),
		rule("~x + 1 = 0 - x", op(add, not(x), one), neg(x)),
		rule("~(0 - x) = x - 1", not(neg(x)), op(add, x, ones)),
		rule("~x - ~y = y - x", op(sub, not(x), not(y)), op(sub, y, x)),
		rule("(x & y) + (x | y) = x + y", op(add, op(arith.Andi, x, y), op(arith.Ori, x, y)), op(add, x, y)),
		rule("(x | y) - (x & y) = x ^ y", op(sub, op(arith.Ori, x, y), op(arith.Andi, x, y)), op(arith.Xori, x, y)),
		rule("(x + y) - (x | y) = x & y", op(sub, op(add, x, y), op(arith.Ori, x, y)), op(arith.Andi, x, y)),
		rule("(x + y) - (x & y) = x | y", op(sub, op(add, x, y), op(arith.Andi, x, y)), op(arith.Ori, x, y)),
		rule("(x ^ y) + (x & y)*2 = x + y", op(add, op(arith.Xori, x, y), op(mul, op(arith.Andi, x, y), two)), op(add, x, y)),
		rule("max(x, y) + min(x, y) = x + y", op(add, op(arith.Maxsi, x, y), op(arith.Minsi, x, y)), op(add, x, y)),
		rule("max(x, y) + min(x, y) = x + y", op(add, op(arith.Maxui, x, y), op(arith.Minui, x, y)), op(add, x, y)),
		rule("max(x, y) * min(x, y) = x*y", op(mul, op(arith.Maxsi, x, y), op(arith.Minsi, x, y)), op(mul, x, y)),
		rule("max(x, y) * min(x, y) = x*y", op(mul, op(arith.Maxui, x, y), op(arith.Minui, x, y)), op(mul, x, y)),
	}
}

// bitLaws are those of Boolean algebra, which hold bit by bit, and of shifts, which move all bits alike. A shift that is too
// far is poison on both sides, but of one operand on the left and of the other, so that these rules are arrows.
func bitLaws() (out []ir.Fold) {
	and, or, xor := arith.Andi, arith.Ori, arith.Xori
	not := func(t *ir.Term) *ir.Term { return op(xor, t, ones) }
	out = []ir.Fold{
		rule("~x & ~y = ~(x | y)", op(and, not(x), not(y)), not(op(or, x, y))),
		rule("~x | ~y = ~(x & y)", op(or, not(x), not(y)), not(op(and, x, y))),
		rule("~x ^ y = ~(x ^ y)", op(xor, not(x), y), not(op(xor, x, y))),
		rule("(x & y) | (x & z) = x & (y | z)", op(or, op(and, x, y), op(and, x, z)), op(and, x, op(or, y, z))),
		rule("(x | y) & (x | z) = x | (y & z)", op(and, op(or, x, y), op(or, x, z)), op(or, x, op(and, y, z))),
		rule("(x & y) ^ (x & z) = x & (y ^ z)", op(xor, op(and, x, y), op(and, x, z)), op(and, x, op(xor, y, z))),
		rule("(x | y) ^ (x & y) = x ^ y", op(xor, op(or, x, y), op(and, x, y)), op(xor, x, y)),
		rule("(x ^ y) | (x & y) = x | y", op(or, op(xor, x, y), op(and, x, y)), op(or, x, y)),
		rule("(x ^ y) ^ (x & y) = x | y", op(xor, op(xor, x, y), op(and, x, y)), op(or, x, y)),
		rule("(x ^ y) ^ y = x", op(xor, op(xor, x, y), y), x),
		rule("x & (x | y) = x", op(and, x, op(or, x, y)), x),
		rule("x | (x & y) = x", op(or, x, op(and, x, y)), x),
		rule("x | (~x & y) = x | y", op(or, x, op(and, not(x), y)), op(or, x, y)),
		rule("x & (~x | y) = x & y", op(and, x, op(or, not(x), y)), op(and, x, y)),
	}
	for _, d := range []*ir.OpDef{and, or, xor} {
		for _, s := range []*ir.OpDef{arith.Shli, arith.Shrui, arith.Shrsi} {
			says := "(x " + s.Name + " z) " + d.Name + " (y " + s.Name + " z) = (x " + d.Name + " y) " + s.Name + " z"
			out = append(out, rule(says, op(d, op(s, x, z), op(s, y, z)), op(s, op(d, x, y), z)))
		}
	}
	return append(out, rule("(x << z) + (y << z) = (x + y) << z", op(arith.Addi, op(arith.Shli, x, z), op(arith.Shli, y, z)), op(arith.Shli, op(arith.Addi, x, y), z)))
}

// predicate is a comparison on the left.
func predicate(p arith.CmpIPredicate, a, b *ir.Term) *ir.Term {
	t := op(arith.Cmpi, a, b)
	t.Props = func(c *ir.Context, of []ir.Attr) ir.Attr {
		if arith.PredicateOfI(c, of[0]) != p {
			return 0
		}
		return of[0]
	}
	return t
}

// again is a comparison on the right with the predicate of the left one.
func again(a, b *ir.Term) *ir.Term {
	t := op(arith.Cmpi, a, b)
	t.Props = func(_ *ir.Context, of []ir.Attr) ir.Attr { return of[0] }
	return t
}

// choiceLaws are those of comparisons, and of choices by them. A choice is poison only where the operand is that it takes:
// e-graphs know nothing of that, so that a rule that makes or takes one is an arrow unless nothing is poison.
func choiceLaws() (out []ir.Fold) {
	add, sub, xor, sel := arith.Addi, arith.Subi, arith.Xori, arith.Select
	for _, d := range []*ir.OpDef{add, arith.Muli, arith.Andi, arith.Ori, xor} {
		says := "z ? (x " + d.Name + " y) : (x " + d.Name + " v) = x " + d.Name + " (z ? y : v)"
		v := &ir.Term{Var: 4}
		out = append(out, rule(says, op(sel, z, op(d, x, y), op(d, x, v)), op(d, x, op(sel, z, y, v))))
	}
	for _, p := range []arith.CmpIPredicate{arith.EQ, arith.NE} {
		out = append(out,
			rule("x - y = 0 as x = y", predicate(p, op(sub, x, y), zero), again(x, y)),
			rule("x ^ y = 0 as x = y", predicate(p, op(xor, x, y), zero), again(x, y)),
			rule("x + z = y + z as x = y", predicate(p, op(add, x, z), op(add, y, z)), again(x, y)),
			rule("x - z = y - z as x = y", predicate(p, op(sub, x, z), op(sub, y, z)), again(x, y)),
			rule("x ^ z = y ^ z as x = y", predicate(p, op(xor, x, z), op(xor, y, z)), again(x, y)))
	}
	for _, s := range []struct {
		p  arith.CmpIPredicate
		to *ir.OpDef
	}{{arith.SGT, arith.Maxsi}, {arith.SGE, arith.Maxsi}, {arith.SLT, arith.Minsi}, {arith.SLE, arith.Minsi},
		{arith.UGT, arith.Maxui}, {arith.UGE, arith.Maxui}, {arith.ULT, arith.Minui}, {arith.ULE, arith.Minui}} {
		out = append(out, rule("x cmp y ? x : y = "+s.to.Name, op(sel, predicate(s.p, x, y), x, y), op(s.to, x, y)))
	}
	return append(out, rule("x < 0 ? 0 - x : x = absi x", op(sel, predicate(arith.SLT, x, zero), op(sub, zero, x), x), op(math.Absi, x)))
}

// multiplications by constants, as shifts. The exponent is below the width, or the condition would not hold, so that the
// shift makes no poison; it promises nothing of what is shifted out.
func multiplications() []ir.Fold {
	exponent := func(of func(c uint64) uint64) *ir.Term {
		return &ir.Term{Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return uint64(bits.TrailingZeros64(of(c[0]))), true }}
	}
	power := func(of func(c uint64) uint64) *ir.Term {
		return &ir.Term{Is: func(_ ir.Type, w int, c []uint64) (uint64, bool) {
			n := of(c[0])
			return ir.BoolVal(bits.OnesCount64(n) == 1 && n > 1 && bits.Len64(n) <= w).Bits, true
		}}
	}
	self := func(c uint64) uint64 { return c }
	less := func(c uint64) uint64 { return c - 1 }
	more := func(c uint64) uint64 { return c + 1 }
	where := func(f ir.Fold, t *ir.Term) ir.Fold { f.Is.Where = t; return f }
	mul, shl := arith.Muli, arith.Shli
	// The sign bit is no power of two of signed integers: below it a shift promises what the product does.
	product := op(mul, x, &ir.Term{Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return 1 << c[0], true }})
	product.Props = func(_ *ir.Context, of []ir.Attr) ir.Attr { return of[0] }
	below := &ir.Term{Is: func(_ ir.Type, w int, c []uint64) (uint64, bool) { return ir.BoolVal(c[0]+1 < uint64(w)).Bits, true }}
	return []ir.Fold{
		where(rule("x << k = x * 2^k", op(shl, x, c1), product), below),
		where(rule("x * 2^k = x << k", op(mul, x, c1), op(shl, x, exponent(self))), power(self)),
		where(rule("x * (2^k + 1) = (x << k) + x", op(mul, x, c1), op(arith.Addi, op(shl, x, exponent(less)), x)), power(less)),
		where(rule("x * (2^k - 1) = (x << k) - x", op(mul, x, c1), op(arith.Subi, op(shl, x, exponent(more)), x)), power(more)),
	}
}

// assocRules are the associative laws, which make many terms. The commutative laws are built into the e-graph.
var assocRules = sync.OnceValue(func() (out []ir.Fold) {
	for _, d := range []*ir.OpDef{arith.Addi, arith.Muli, arith.Andi, arith.Ori, arith.Xori, arith.Maxsi, arith.Minsi, arith.Maxui, arith.Minui} {
		out = append(out, rule(d.Name+" is associative", op(d, op(d, x, y), z), op(d, x, op(d, y, z))))
	}
	add, sub := arith.Addi, arith.Subi
	return append(out,
		rule("(x - y) - z = x - (y + z)", op(sub, op(sub, x, y), z), op(sub, x, op(add, y, z))),
		rule("x - (y - z) = (x - y) + z", op(sub, x, op(sub, y, z)), op(add, op(sub, x, y), z)),
		rule("(x - y) + z = (x + z) - y", op(add, op(sub, x, y), z), op(sub, op(add, x, z), y)))
})
