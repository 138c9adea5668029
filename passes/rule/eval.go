package rule

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

// A Match is numbers for the constants of a rule at one width, known or not.
type Match struct {
	*circuit.Circuit
	Width     int
	Constants [][]circuit.Bit // in the order of Rule.Constants
	Computed  [][]circuit.Bit // in the order of Rule.Computed
	Where     circuit.Bit     // the rule applies: the condition holds and all that is computed is defined

	of map[*Name][]circuit.Bit
}

// OperandWidth is that of an operand at a width of the rule.
func (r *Rule) OperandWidth(i, w int) int { return r.Operands[i].typ.width(w) }

// Match evaluates what a rule computes of constants that may be anything. Rule.Build must know the width.
func (r *Rule) Match(c *circuit.Circuit, w int) *Match {
	m := &Match{Circuit: c, Width: w, Where: circuit.True, of: map[*Name][]circuit.Bit{}}
	for _, n := range r.Constants {
		bits := c.Inputs(n.typ.width(w))
		m.of[n], m.Constants = bits, append(m.Constants, bits)
	}
	for _, n := range r.Computed {
		bits, defined := m.expr(n.Expr)
		m.Computed = append(m.Computed, bits)
		m.Where = c.And(m.Where, defined)
	}
	if r.Where != nil {
		holds, defined := m.cond(r.Where)
		m.Where = c.All(m.Where, holds, defined)
	}
	return m
}

// expr is a number, and whether it is defined.
func (m *Match) expr(e *Expr) (bits []circuit.Bit, defined circuit.Bit) {
	w := e.typ.width(m.Width)
	switch {
	case e.Name != nil:
		return m.of[e.Name], circuit.True
	case e.Op == "width":
		return circuit.Const(w, uint64(w)), circuit.True
	case e.Op == "":
		return circuit.Const(w, uint64(e.Number)), circuit.True
	}
	args, defined := m.all(e.Args)
	if len(args) == 1 {
		out, ok := m.unary(e.Op, args[0])
		return out, m.And(defined, ok)
	}
	out, ok := m.binary(e.Op, args[0], args[1])
	return out, m.And(defined, ok)
}

// all are several numbers, and whether all of them are defined.
func (m *Match) all(es []*Expr) (out [][]circuit.Bit, defined circuit.Bit) {
	defined = circuit.True
	for _, e := range es {
		x, ok := m.expr(e)
		out, defined = append(out, x), m.And(defined, ok)
	}
	return out, defined
}

// unary computes an operator or a function of one number. The logarithm of 0 is the only one that is undefined; the
// magnitude of the least number is itself, as that of the op is.
func (m *Match) unary(op string, x []circuit.Bit) ([]circuit.Bit, circuit.Bit) {
	switch op {
	case "-":
		return m.Neg(x), circuit.True
	case "~":
		return circuit.NotWord(x), circuit.True
	case "log2":
		return m.Sub(circuit.Const(len(x), uint64(len(x)-1)), m.LeadingZeros(x)), m.Any(x...)
	case "ctlz":
		return m.LeadingZeros(x), circuit.True
	case "cttz":
		return m.TrailingZeros(x), circuit.True
	case "ctpop":
		return m.Ones(x), circuit.True
	}
	return m.Abs(x), circuit.True
}

// binary is unary of two numbers. Shifts by the width and more are undefined, divisions by zero, and signed ones that overflow.
func (m *Match) binary(op string, x, y []circuit.Bit) ([]circuit.Bit, circuit.Bit) {
	inside := m.Inside(y, len(y))
	divides := m.Any(y...)
	signed := m.And(divides, m.And(m.All(y...), m.Equal(x, circuit.Const(len(x), 1<<(len(x)-1)))).Not())
	switch op {
	case "+":
		return m.Add(x, y), circuit.True
	case "-":
		return m.Sub(x, y), circuit.True
	case "*":
		return m.Mul(x, y), circuit.True
	case "&":
		return m.AndWords(x, y), circuit.True
	case "|":
		return m.OrWords(x, y), circuit.True
	case "^":
		return m.XorWords(x, y), circuit.True
	case "<<":
		return m.ShiftLeft(x, y), inside
	case ">>":
		return m.ShiftRight(x, y, true), inside
	case "u>>":
		return m.ShiftRight(x, y, false), inside
	case "/", "%", "u/", "u%":
		return m.divide(op, x, y), map[bool]circuit.Bit{true: divides, false: signed}[op[0] == 'u']
	case "smin":
		return m.IfWord(m.LessSigned(x, y), x, y), circuit.True
	case "smax":
		return m.IfWord(m.LessSigned(x, y), y, x), circuit.True
	case "umin":
		return m.IfWord(m.Less(x, y), x, y), circuit.True
	}
	return m.IfWord(m.Less(x, y), y, x), circuit.True
}

// divide: the last letter of the operator says which of the two, and a first u that it is unsigned.
func (m *Match) divide(op string, x, y []circuit.Bit) []circuit.Bit {
	q, r := m.DivRemSigned(x, y)
	if op[0] == 'u' {
		q, r = m.DivRem(x, y)
	}
	if op[len(op)-1] == '%' {
		return r
	}
	return q
}

// cond is whether a condition holds, and whether that is defined: as in C, what stands behind && and || is asked only
// where it matters.
func (m *Match) cond(c *Cond) (holds, defined circuit.Bit) {
	switch c.Op {
	case "!":
		holds, defined = m.cond(c.Conds[0])
		return holds.Not(), defined
	case "&&", "||":
		a, okA := m.cond(c.Conds[0])
		b, okB := m.cond(c.Conds[1])
		if c.Op == "&&" {
			return m.And(a, b), m.And(okA, m.Or(a.Not(), okB))
		}
		return m.Or(a, b), m.And(okA, m.Or(a, okB))
	}
	args, defined := m.all(c.Args)
	if len(args) == 1 {
		return m.predicate(c.Op, args[0]), defined
	}
	return m.Compare(arith.CmpIPredicate(slices.Index(comparisons, c.Op)), args[0], args[1]), defined
}

// predicate asks of the bits of a number, whatever its sign: the least number is a power of two.
func (m *Match) predicate(name string, x []circuit.Bit) circuit.Bit {
	// x & (x - 1) is x without its lowest bit that is set, and x & (x + 1) without the ones at its end.
	one := circuit.Const(len(x), 1)
	switch name {
	case "isPowerOf2":
		return m.And(m.Any(x...), m.Any(m.AndWords(x, m.Sub(x, one))...).Not())
	case "isSignBit":
		return m.Equal(x, circuit.Const(len(x), 1<<(len(x)-1)))
	case "isMask": // ones up to some bit
		return m.And(m.Any(x...), m.Any(m.AndWords(x, m.Add(x, one))...).Not())
	}
	return circuit.Sign(x)
}
