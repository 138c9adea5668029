package affine

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// Op is what an op computes of its integer operands, in as many bits as they have.
type Op uint8

// What ops compute. Divisions and remainders by zero trap, so nothing is said of them;
// a shift by the width or more is poison.
const (
	unknown Op = iota
	Add
	Sub
	Mul
	And
	Or
	Xor
	ShiftLeft
	ShiftRight  // fills with zeros
	ShiftSigned // fills with the sign
	Div
	DivSigned // to zero
	Rem
	RemSigned
	Min
	MinSigned
	Max
	MaxSigned
	ZeroExtend
	SignExtend
	Truncate  // or nothing, if the widths are equal
	Select    // operand 1 or operand 2
	FromFloat // the whole part of a float; one that has no place in the bits is poison
	Compare   // by its Predicate: 1 where that holds, as a number without sign
)

// Predicate is a comparison of two integers.
type Predicate uint8

// The predicates, in the order of MLIR's numbers; U stands for numbers without sign.
const (
	EQ Predicate = iota
	NE
	LT
	LE
	GT
	GE
	ULT
	ULE
	UGT
	UGE
)

// inverse holds where p does not.
func (p Predicate) inverse() Predicate {
	return [...]Predicate{NE, EQ, GE, GT, LE, LT, UGE, UGT, ULE, ULT}[p]
}

// swapped holds of y and x where p does of x and y.
func (p Predicate) swapped() Predicate {
	return [...]Predicate{EQ, NE, GT, GE, LT, LE, UGT, UGE, ULT, ULE}[p]
}

// A Form says what an op computes, and what more is known of it.
type Form struct {
	Op Op // what it computes
	// Promises says whether the op is poison where it wraps as a signed number; nil is
	// no.
	Promises func(g *ir.Graph, v ir.Value) bool
	// Predicate is what a Compare compares by.
	Predicate func(g *ir.Graph, v ir.Value) Predicate
	// Map is of an op that computes affine expressions: the one that there is, or the Op, MinSigned
	// or MaxSigned, of all.
	Map func(g *ir.Graph, v ir.Value) (exprs []*expr.Expr, dims, syms []ir.Value)
	// Least is the least value of an Unknown op, if Bounded.
	Least   int64
	Bounded bool
}

// Forms is a dialect's table of what its ops are to this package.
type Forms map[*ir.OpDef]Form

// FormOf is what the op of a value computes, for who makes something other of it than an answer
// of this package: loops over polyhedra.
func FormOf(g *ir.Graph, v ir.Value) (Form, bool) { return formOf(g, v) }

// formOf finds the form of a value's op.
func formOf(g *ir.Graph, v ir.Value) (f Form, ok bool) {
	if d := g.Ctx.DialectOf(g.Def(v)); d != nil {
		f, ok = ir.Table[Forms](d)[g.Def(v)]
	}
	return f, ok
}

// widthOf is the number of bits of a value, or of its elements; 0 for what has no
// number of 1 to 64.
func widthOf(g *ir.Graph, v ir.Value) int {
	info := g.Ctx.Info(g.Ctx.ElemOrSelf(g.Type(v)))
	if info.Kind != ir.KindInteger && g.Ctx.ElemOrSelf(g.Type(v)) != ir.Index || info.Width > 64 {
		return 0
	}
	return info.Width
}
