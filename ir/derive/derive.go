// Package derive is what a dialect says of the derivatives of its ops: a table with a row for each.
// With it one
//
//   - gives an op a derivative: a Rule in a Table, with its partial derivatives, or a tangent and a transpose;
//   - says why an op has none: a Reason in a Without;
//   - asks for both: Of, WhyNot.
//
// A row serves both modes. Forward, the tangent of a result is the sum of partial derivative times tangent
// of the operands. In reverse, each operand is given the adjoint of the result times the partial
// derivative. What is linear in operands but not element by element says how adjoints come back: Transpose.
//
// Ops with regions, calls and accesses to memory need no row: they are differentiated by what they
// are (ir.LoopLike, ir.BranchLike, ir.AccessLike, ir.ViewLike, ir.Allocation).
package derive

import "github.com/irc-lang/irc/ir"

// A Table is a dialect's rules. It stands in ir.Dialect.Tables.
type Table []*Rule

// A Rule is the derivative of an op with one result, a float or floats element by element.
type Rule struct {
	Of   *ir.OpDef
	Says string // as people write it: d(x*y) = y dx + x dy

	// Partials are the derivatives of the result by each operand, of its type, element by element. Where an
	// entry is nil the result does not change with the operand, or, as by a condition, only in steps.
	Partials []Partial

	// Tangent and Transpose stand in the place of Partials. The result is linear in the operands that are active
	// together. Tangent gives its tangent for theirs, and Transpose what its adjoint z adds to theirs; 0
	// stands for a zero.
	Tangent   func(o *Op, d []ir.Value) ir.Value
	Transpose func(o *Op, z ir.Value) []ir.Value

	// Back stands in the place of all of these where the op reads or writes several elements of one memory. It says what
	// the way back does to that memory's shadow: where the op reads, the adjoint z of the result is added to it; where it
	// writes, the shadow's elements are taken, and zeros left. It gives what is added to the adjoints of operands. Forward,
	// the op itself does to the shadow what it does to the memory.
	Back func(o *Op, shadow, z ir.Value) []ir.Value

	// Map is of an op whose region makes an element of the result of one of each operand. It makes the op with more operands and
	// another body, which is given an element of each. Transpose then says what of an adjoint, at all places of the result, each
	// operand gets: the sum where it is stretched.
	Map func(o *Op, more []ir.Value, body func(xs []ir.Value) ir.Value) ir.Value

	// Only says which ops the rule is for, by attributes and operands; if nil for all.
	Only func(n ir.Node) bool
}

// A Partial makes a partial derivative.
type Partial func(o *Op) ir.Value

// Tapes is a dialect's way to hold values of its types that no element of memory can be, as tensors, in memory: one for each round of
// loops, which is a part of it.
type Tapes struct {
	Takes  func(c *ir.Context, t ir.Type) bool
	Memory func(c *ir.Context, t ir.Type, rounds int64) ir.Type // rounds may be ir.Dynamic
	Store  func(b *ir.Builder, v, memory, round ir.Value)
	Load   func(b *ir.Builder, memory, round ir.Value, t ir.Type) ir.Value
}

// TapesOf is how values of a type are held, or nil for those that are elements of memory, or that no dialect holds.
func TapesOf(c *ir.Context, t ir.Type) *Tapes {
	for _, d := range c.Dialects() {
		if x := ir.Table[*Tapes](d); x != nil && x.Takes(c, t) {
			return x
		}
	}
	return nil
}

// A Reason says why an op has no rule.
type Reason string

// The reasons.
const (
	Steps   Reason = "its result changes in steps only"
	Bits    Reason = "it works on bits"
	Unknown Reason = "no formula for it is known here"
	Effect  Reason = "it acts on the world outside"
	Loops   Reason = "only the loops that it is lowered to have one"
)

// Without is a dialect's table of ops on floats that have no rule. Ops whose result changes in steps have
// the derivative 0; the others cannot be differentiated.
type Without map[*ir.OpDef]Reason

// An Op is an op that is being differentiated: what it was given, and what it gives, where that is needed.
type Op struct {
	B    *ir.Builder
	Attr ir.Attr
	Type ir.Type // of the result

	from From
}

// From is where an Op has its operands and its result from.
type From interface {
	Operands() int
	Operand(i int) ir.Value
	OperandType(i int) ir.Type
	Result() ir.Value
	Active(i int) bool
	Guarded() bool
}

// NewOp is an op with attributes and the type of its result. Operands and result are asked for when a rule
// uses them: what no rule uses need not be kept.
func NewOp(b *ir.Builder, attr ir.Attr, t ir.Type, from From) *Op {
	return &Op{B: b, Attr: attr, Type: t, from: from}
}

// Operands is how many the op has.
func (o *Op) Operands() int { return o.from.Operands() }

// X is an operand.
func (o *Op) X(i int) ir.Value { return o.from.Operand(i) }

// OperandType is the type of an operand.
func (o *Op) OperandType(i int) ir.Type { return o.from.OperandType(i) }

// Y is the result.
func (o *Op) Y() ir.Value { return o.from.Result() }

// Active reports that a derivative by an operand is asked for.
func (o *Op) Active(i int) bool { return o.from.Active(i) }

// Guarded reports that adjoints which are 0 may come from arms that are not taken: they add 0 to the operands, whatever these are.
func (o *Op) Guarded() bool { return o.from.Guarded() }

// Of is the rule of an op, or nil.
func Of(c *ir.Context, def *ir.OpDef) *Rule {
	d := c.DialectOf(def)
	if d == nil {
		return nil
	}
	for _, r := range ir.Table[Table](d) {
		if r.Of == def {
			return r
		}
	}
	return nil
}

// WhyNot is why an op has no rule, or "" where its dialect does not say.
func WhyNot(c *ir.Context, def *ir.OpDef) Reason {
	d := c.DialectOf(def)
	if d == nil {
		return ""
	}
	return ir.Table[Without](d)[def]
}
