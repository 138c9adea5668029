package binding

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// statistics is a sum that sums of static values determine.
//
// Let u be the rounding of one operation, n the number of rounds. The loop computes the sum of
// s[i]*a within about n u |a| sum |s[i]|, in whatever order; a times the computed sum of s[i] is within the
// same. The sum of (s[i] - m)^2 is computed by the loop within about n u of itself. Let c be near the mean of
// s, D the sum of s[i] - c, and S that of its squares: S + 2 D (c - m) + n (c - m)^2 has two terms that
// are not negative and are computed within n u of themselves, and 2 D (c - m) is known within
// 2 n u |c - m| sum |s[i] - c| <= n u (S + n (c - m)^2). With c the correctly rounded mean, or nearly so,
// n times its square distance from the mean is at most the sum of squares around the mean (data lie no nearer to it than
// the nearest number does), so that S + n (c - m)^2 is at most a few times the result: nothing cancels.
type statistics struct {
	*sum
	parts  []part
	guards []guard
	taken  int
	// What values are made of that can move before the loop, and into another one.
	before, inLoop *gathered[ir.Value]
}

func newStatistics(x *sum) *statistics {
	sources := func(isStatic bool) *gathered[ir.Value] {
		return x.loop.sources(func(v ir.Value) (ir.Value, bool) {
			r, i, isParam := x.g.Param(v)
			switch {
			case isParam && isStatic && r == x.loop.body && i == 0:
				return v, true
			case !isParam && x.loop.canLeave(v) && (!x.g.IsPartial(v) || isStatic && x.s.Place(v) == x.loop.body):
				return nothing, false
			}
			return several, true
		})
	}
	return &statistics{sum: x, before: sources(false), inLoop: sources(true)}
}

// A part is added in each round, or taken away: fixed factors times static ones, or times the
// square of the difference of what is static and what is fixed.
type part struct {
	neg           bool
	fixed, static []factor
	square        ir.Value // 0 if there is none
	ifZero        []ir.Value
}

// A guard adds a number that is not finite to a round in which a condition does not hold, or does.
type guard struct {
	cond  ir.Value
	holds bool // what it has to be
	class class
	other float64
}

// walk takes the terms of a sum; false if one is not determined by static sums.
func (x *statistics) walk(v, carried ir.Value) bool {
	for v != carried {
		args, d := x.g.Args(v), x.g.Def(v)
		i := 0
		if d == arith.Addf && !x.reaches(args[0], carried) {
			i = 1
		}
		if !x.isSum(v) || !x.reaches(args[i], carried) || !x.term(args[1-i], d == arith.Subf) {
			return false
		}
		x.flags &= x.flagsOf(v)
		v = args[i]
	}
	return true
}

// pays reports that there is a product to factor: what is fixed or static by itself
// split-sums has seen.
func (x *statistics) pays() bool {
	return slices.ContainsFunc(x.parts, func(p part) bool { return p.square != 0 || len(p.static) > 0 && len(p.fixed) > 0 })
}

func (x *statistics) term(v ir.Value, neg bool) bool {
	if x.taken++; x.taken > maxTerms {
		return false
	}
	args := x.g.Args(v)
	switch c := x.classOf(v); {
	case c == fixed:
		return x.add(part{neg: neg, fixed: []factor{{v: v}}})
	case c == static:
		return x.add(part{neg: neg, static: []factor{{v: v}}})
	case x.isSum(v):
		return x.term(args[0], neg) && x.term(args[1], neg != (x.g.Def(v) == arith.Subf))
	case x.g.Def(v) == arith.Negf:
		return x.term(args[0], !neg)
	case x.g.Def(v) == arith.Select:
		if k, ok := x.g.Const(args[2]); ok && !isFinite(k.Float(ir.F64)) {
			other := k.Float(ir.F64)
			if neg {
				other = -other
			}
			return x.must(args[0], true, other) && x.term(args[1], neg)
		}
	case x.g.Def(v) == scf.If && x.g.Results(v) == 1 && len(x.g.Regions(v)) == 2:
		// The formula for usual numbers.
		return x.must(args[0], false, gomath.NaN()) && x.term(x.g.Yields(x.g.Regions(v)[1])[0], neg)
	}
	p := part{neg: neg}
	var rest []ir.Value
	return x.product(v, &p, &rest) && p.closes(rest) && x.add(p)
}

func isFinite(x float64) bool { return !gomath.IsNaN(x) && !gomath.IsInf(x, 0) }

// add adds a part that can be made again outside of the loop, and in other loops.
func (x *statistics) add(p part) bool {
	for _, f := range p.fixed {
		if !x.canMove(f.v, false) {
			return false
		}
	}
	for _, f := range p.static {
		if !x.canMove(f.v, true) {
			return false
		}
	}
	if d := p.square; d != 0 {
		a := x.g.Args(d)
		i := x.staticSide(d)
		if !x.canMove(a[i], true) || !x.canMove(a[1-i], false) {
			return false
		}
	}
	x.parts = append(x.parts, p)
	return true
}

// must notes that a condition has to hold, or not: enough for what it is made of.
func (x *statistics) must(v ir.Value, holds bool, other float64) bool {
	if c := x.classOf(v); c != varying {
		x.guards = append(x.guards, guard{v, holds, c, other})
		return x.canMove(v, c == static)
	}
	args, d := x.g.Args(v), x.g.Def(v)
	if holds && d == arith.Andi || !holds && d == arith.Ori {
		return x.must(args[0], holds, other) && x.must(args[1], holds, other)
	}
	return !holds && d == arith.Andi && x.must(args[0], holds, other)
}

// product takes a product apart; what is neither fixed nor static goes to rest.
func (x *statistics) product(v ir.Value, p *part, rest *[]ir.Value) bool {
	if len(p.fixed)+len(p.static)+len(*rest) > maxTerms {
		return false
	}
	args, d := x.g.Args(v), x.g.Def(v)
	switch c := x.classOf(v); {
	case c == fixed:
		p.fixed = append(p.fixed, factor{v: v})
	case c == static:
		p.static = append(p.static, factor{v: v})
	case d == arith.Negf:
		p.neg = !p.neg
		return x.product(args[0], p, rest)
	case d == arith.Mulf && x.flagsOf(v)&arith.Contract != 0:
		return x.product(args[0], p, rest) && x.product(args[1], p, rest)
	case d == special.Xlog1py:
		if !x.product(args[0], p, rest) {
			return false
		}
		switch x.classOf(args[1]) {
		case fixed:
			p.fixed = append(p.fixed, factor{args[1], true})
		case static:
			p.static = append(p.static, factor{args[1], true})
		default:
			return false
		}
	case d == arith.Select: // 0 where a factor is 0
		zero, ok := x.g.Const(args[1])
		if !ok || zero.Float(ir.F64) != 0 || x.g.Def(args[0]) != arith.Cmpf || arith.PredicateOfF(x.g.Ctx, x.g.AttrsOf(args[0])) != arith.OEQ {
			return false
		}
		is := x.g.Args(args[0])
		if other, ok := x.g.Const(is[1]); !ok || other.Float(ir.F64) != 0 {
			return false
		}
		p.ifZero = append(p.ifZero, is[0])
		return x.product(args[2], p, rest)
	default:
		if x.staticSide(v) < 0 {
			return false
		}
		*rest = append(*rest, v)
	}
	return true
}

// staticSide is the operand of a difference or a sum that is static, where the other one is
// fixed; else -1.
func (x *statistics) staticSide(v ir.Value) int {
	args, d := x.g.Args(v), x.g.Def(v)
	if d != arith.Subf && d != arith.Addf || x.flagsOf(v)&arith.Contract == 0 {
		return -1
	}
	a, b := x.classOf(args[0]), x.classOf(args[1])
	switch {
	case a == static && b == fixed:
		return 0
	case a == fixed && b == static:
		return 1
	}
	return -1
}

// closes takes what is left of a product: nothing, or a square.
func (p *part) closes(rest []ir.Value) bool {
	for _, v := range p.ifZero {
		if !slices.Contains(p.fixed, factor{v: v}) && !slices.Contains(p.static, factor{v: v}) {
			return false
		}
	}
	switch {
	case len(rest) == 2 && rest[0] == rest[1] && len(p.static) == 0:
		p.square = rest[0]
		return true
	case len(rest) > 0:
		return false
	}
	return len(p.static) > 0
}

// canMove reports a value that can be made anew outside of the loop, or, if it is static, in another one
// with the same rounds: of ops without regions, of which those that may trap are in
// the loop's own body and static.
func (x *statistics) canMove(v ir.Value, isStatic bool) bool {
	if isStatic {
		return x.inLoop.of(v) != several
	}
	return x.before.of(v) == nothing
}
