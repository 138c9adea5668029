package dependence

import "github.com/irc-lang/irc/dialects/poly/presburger"

// A Cond is a condition, as an expression in the constraints that the integer sets
// can tell apart. The zero value is one of which nothing is known: it and its
// negation may both hold.
type Cond struct {
	op  condOp
	a   presburger.Sum // of the comparisons with 0
	sub []Cond
}

type condOp uint8

const (
	unknown condOp = iota
	equal          // a = 0
	unequal        // a != 0
	atLeast        // a >= 0
	holds          // the symbol a, which is 0 or 1, is 1
	fails
	both
	either
)

// Unknown is a condition of which nothing is known.
func Unknown() Cond { return Cond{} }

// Eq is a = b.
func Eq(a, b presburger.Sum) Cond { return Cond{op: equal, a: a.Minus(b)} }

// Ge is a >= b.
func Ge(a, b presburger.Sum) Cond { return Cond{op: atLeast, a: a.Minus(b)} }

// Holds is a truth value that does not change while the program runs.
func Holds(symbol string) Cond { return Cond{op: holds, a: presburger.Variable(symbol)} }

// And is the conjunction.
func And(cs ...Cond) Cond { return Cond{op: both, sub: cs} }

// Or is the disjunction.
func Or(cs ...Cond) Cond { return Cond{op: either, sub: cs} }

// Not is the negation.
func Not(c Cond) Cond {
	out := c
	switch c.op {
	case equal:
		out.op = unequal
	case unequal:
		out.op = equal
	case atLeast: // a < 0 is -a - 1 >= 0
		out.a = presburger.Number(-1).Minus(c.a)
	case holds:
		out.op = fails
	case fails:
		out.op = holds
	case both, either:
		out.op = both + either - c.op
		out.sub = nil
		for _, s := range c.sub {
			out.sub = append(out.sub, Not(s))
		}
	}
	return out
}

// exact reports that all of it is known.
func (c Cond) exact() bool {
	for _, s := range c.sub {
		if !s.exact() {
			return false
		}
	}
	return c.op != unknown
}

// conjuncts splits it at its outer conjunctions.
func (c Cond) conjuncts() (out []Cond) {
	if c.op != both {
		return []Cond{c}
	}
	for _, s := range c.sub {
		out = append(out, s.conjuncts()...)
	}
	return out
}

// mentions reports that one of the loops' indices is in it.
func (c Cond) mentions(loops []*Loop) bool {
	for _, s := range c.sub {
		if s.mentions(loops) {
			return true
		}
	}
	return mentions(c.a, loops)
}

func mentions(a presburger.Sum, loops []*Loop) bool {
	for _, t := range a.Terms {
		for _, l := range loops {
			if t.Var == l.Index {
				return true
			}
		}
	}
	return false
}
