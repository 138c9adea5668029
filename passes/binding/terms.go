package binding

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
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
	*code
	loop   *nest               // nil of a sum outside of loops
	same   *gathered[ir.Value] // nothing of what a round leaves as it is
	uses   map[ir.Value]int
	times  *Times // nil if static terms have no sum of their own
	absorb func(v ir.Value)
}

// loopSums calls f for the sums of the loops of a graph that count by 1: what one yields is made of what was carried.
func loopSums(c *code, uses map[ir.Value]int, f func(loop ir.Value, x *sum, yielded, carried ir.Value)) {
	g := c.g
	for v := range c.s.All() {
		if g.Def(v) != scf.For {
			continue
		}
		if step, ok := g.Const(g.Args(v)[2]); !ok || step.Bits != 1 || g.Type(g.Args(v)[0]) != ir.Index {
			continue
		}
		body := g.Regions(v)[0]
		loop := &nest{code: c, body: body}
		same := loop.sources(func(v ir.Value) (ir.Value, bool) {
			if loop.canLeave(v) {
				return nothing, false
			}
			return several, true
		})
		for k, y := range g.Yields(body) {
			x, carried := &sum{at: k, code: c, loop: loop, same: same, uses: uses, flags: ^arith.FastMath(0)}, g.Params(body)[1+k]
			if t := g.Type(y); (t == ir.F64 || t == ir.F32) && x.reaches(y, carried) {
				f(v, x, y, carried)
			}
		}
	}
}

// usesIn counts how often values are read.
func usesIn(c *code) map[ir.Value]int {
	uses := map[ir.Value]int{}
	for v := range c.s.All() {
		for _, a := range c.g.Args(v) {
			uses[a]++
		}
	}
	return uses
}

// maxTerms bounds the parts of what a round adds at once: parts that have parts in common are more
// than their ops.
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
		x.taken = 0
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
	case c != varying || !x.opens(v):
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
			if c, ok := g.Const(args[1]); !ok || c.Bits != 0 { // a condition alone needs no term: what is added by it is 0 or NaN
				x.take(args[1], neg)
			}
			return
		}
	}
	if c == varying && x.takeLog(v, neg) {
		return
	}
	x.terms[c] = append(x.terms[c], term{v: v, neg: neg})
}

// opens reports a value that may be taken apart: of a sum outside of loops one that nothing
// else reads, as it would be made twice.
func (x *sum) opens(v ir.Value) bool {
	if x.loop != nil {
		return x.taken <= maxTerms
	}
	if x.taken > 1 && x.uses[v] != 1 {
		return false
	}
	x.absorb(v)
	return true
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
	isFixed, isStatic := x.loop != nil, x.times != nil
	for _, v := range vs {
		isFixed = isFixed && x.same.of(v) == nothing
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

// make makes a term again, without its sign, of what stands for old values.
func (a term) make(b *ir.Builder, of func(ir.Value) ir.Value) ir.Value {
	if a.log != nil {
		return a.log.make(b, of)
	}
	return of(a.v)
}

// parts are the values that a term is made of.
func (a term) parts() []ir.Value {
	if a.log == nil {
		return []ir.Value{a.v}
	}
	out := slices.Concat(a.log.over, a.log.under)
	if a.log.x != 0 {
		out = append(out, a.log.x)
	}
	return out
}

// added is a sum of terms, guarded by conditions; 0 if there are none.
func (x *sum) added(b *ir.Builder, terms []term, unless []ir.Value, t ir.Type, of func(ir.Value) ir.Value) ir.Value {
	sum := ir.Value(0)
	for _, a := range terms {
		v := a.make(b, of)
		switch {
		case sum == 0 && a.neg:
			sum = arith.Float(b, arith.Negf, x.flags, v)
		case sum == 0:
			sum = v
		case a.neg:
			sum = arith.Float(b, arith.Subf, x.flags, sum, v)
		default:
			sum = arith.Float(b, arith.Addf, x.flags, sum, v)
		}
	}
	if len(unless) == 0 {
		return sum
	}
	if sum == 0 {
		sum = arith.ConstFloat(b, t, 0)
	}
	all := of(unless[0])
	for _, c := range unless[1:] {
		all = b.Op(arith.Andi, all, of(c))
	}
	return arith.Choose(b, all, sum, arith.ConstFloat(b, t, gomath.NaN()))
}
