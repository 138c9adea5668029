package sums

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/binding"
)

// A class says where a term varies.
type class int

const (
	varying class = iota
	fixed
	static
	numClasses
)

// A term is added, or taken away.
type term struct {
	v   ir.Value
	neg bool
	log *logTerm // what stands for v
}

// sum is what a loop adds to one of the numbers that it carries.
type sum struct {
	at     int // which of the numbers
	base   ir.Value
	flags  arith.FastMath
	terms  [numClasses][]term
	unless [numClasses][]ir.Value // conditions without which the sum is NaN
	taken  int
	g      *ir.Graph
	s      *ir.Schedule
	body   ir.Region
	uses   map[ir.Value]int
	times  *binding.Times // nil if static terms have no sum of their own
}

// maxTerms bounds the terms of one sum: terms that share parts are more than their ops.
const maxTerms = 64

func (x *sum) hasStatic() bool { return len(x.terms[static])+len(x.unless[static]) > 0 }

// isSum reports an addition or subtraction that may be done in any order.
func (x *sum) isSum(v ir.Value) bool {
	d := x.g.Def(v)
	return (d == arith.Addf || d == arith.Subf) && x.flagsOf(v)&arith.Reassoc != 0
}

func (x *sum) flagsOf(v ir.Value) arith.FastMath {
	return arith.FastMathOf(x.g.Ctx, x.g.AttrsOf(v))
}

// path takes the terms between what is yielded and what was carried, which it reaches. It ends
// at an inner loop that goes on with the sum.
func (x *sum) path(v, carried ir.Value) bool {
	for v != carried && !x.through(v, carried) {
		args, d := x.g.Args(v), x.g.Def(v)
		i := 0
		if d == arith.Addf && !x.reaches(args[0], carried) {
			i = 1
		}
		if !x.reaches(args[i], carried) {
			return false
		}
		x.flags &= x.flagsOf(v)
		x.take(args[1-i], d == arith.Subf)
		v = args[i]
	}
	x.base = v
	return true
}

// reaches reports that a partial sum is made of what was carried by additions alone, of which
// each is read by the next and nothing else. What was carried is not taken away.
func (x *sum) reaches(v, carried ir.Value) bool {
	for x.uses[v] == 1 {
		if v == carried || x.through(v, carried) {
			return true
		}
		if !x.isSum(v) {
			return false
		}
		args := x.g.Args(v)
		if x.g.Def(v) == arith.Addf && x.reaches(args[1], carried) {
			return true
		}
		v = args[0]
	}
	return false
}

// through reports the result of an inner loop that adds to a sum that began with what was
// carried.
func (x *sum) through(v, carried ir.Value) bool {
	n, k, ok := x.g.Projection(v)
	if !ok {
		n, k = v, 0
	}
	if x.g.Def(n) != scf.For {
		return false
	}
	body := x.g.Regions(n)[0]
	return x.reaches(x.g.Yields(body)[k], x.g.Params(body)[1+k]) && x.reaches(x.g.Args(n)[3+k], carried)
}

// take takes a term apart.
func (x *sum) take(v ir.Value, neg bool) {
	g := x.g
	args := g.Args(v)
	c := x.classOf(v)
	x.taken++
	switch d := g.Def(v); {
	case c != varying || x.taken > maxTerms:
	case x.isSum(v):
		x.flags &= x.flagsOf(v)
		x.take(args[0], neg)
		x.take(args[1], neg != (d == arith.Subf))
		return
	case d == arith.Negf:
		x.take(args[0], !neg)
		return
	case d == arith.Select:
		if c, ok := g.Const(args[2]); ok && gomath.IsNaN(c.Float(g.Type(v))) {
			x.condition(args[0])
			x.take(args[1], neg)
			return
		}
	}
	if c == varying && x.takeLog(v, neg) {
		return
	}
	x.terms[c] = append(x.terms[c], term{v: v, neg: neg})
}

// condition takes the conditions apart without which a term is NaN.
func (x *sum) condition(v ir.Value) {
	c := x.classOf(v)
	if c == varying && x.g.Def(v) == arith.Andi {
		x.condition(x.g.Args(v)[0])
		x.condition(x.g.Args(v)[1])
		return
	}
	x.unless[c] = append(x.unless[c], v)
}

func (x *sum) classOf(vs ...ir.Value) class {
	isFixed, isStatic := true, x.times != nil
	for _, v := range vs {
		isFixed = isFixed && !x.inLoop(v)
		isStatic = isStatic && x.times.Static(v)
	}
	switch {
	case isFixed:
		return fixed
	case isStatic:
		return static
	}
	return varying
}

// inLoop reports a value that is made in the loop.
func (x *sum) inLoop(v ir.Value) bool {
	if _, ok := x.g.Const(v); ok {
		return false
	}
	r := x.g.Home(v)
	if _, _, param := x.g.Param(v); !param {
		n, _, _ := x.g.Projection(v)
		if n == 0 {
			n = v
		}
		r = x.s.Place(n)
	}
	for ; r != ir.Root; r = x.g.Parent(r) {
		if r == x.body {
			return true
		}
	}
	return false
}

// make makes a term again, without its sign.
func (a term) make(m *ir.Mirror, g *ir.Graph) ir.Value {
	if a.log != nil {
		return a.log.make(m, g)
	}
	return m.Of(g.NodeOf(a.v))
}

// added is a sum of terms, guarded by conditions; 0 if there are none.
func (x *sum) added(m *ir.Mirror, terms []term, unless []ir.Value, t ir.Type) ir.Value {
	sum := ir.Value(0)
	for _, a := range terms {
		v := a.make(m, x.g)
		switch {
		case sum == 0 && a.neg:
			sum = arith.Float(m.B, arith.Negf, x.flags, v)
		case sum == 0:
			sum = v
		case a.neg:
			sum = arith.Float(m.B, arith.Subf, x.flags, sum, v)
		default:
			sum = arith.Float(m.B, arith.Addf, x.flags, sum, v)
		}
	}
	if len(unless) == 0 {
		return sum
	}
	if sum == 0 {
		sum = arith.ConstFloat(m.B, t, 0)
	}
	all := m.Of(x.g.NodeOf(unless[0]))
	for _, c := range unless[1:] {
		all = m.Op(arith.Andi, all, m.Of(x.g.NodeOf(c)))
	}
	return arith.Choose(m.B, all, sum, arith.ConstFloat(m.B, t, gomath.NaN()))
}
