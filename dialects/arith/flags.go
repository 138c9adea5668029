package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// FastMath is the set of licences of a float op.
type FastMath uint8

// The licences, in the order of MLIR's bits.
const (
	Reassoc FastMath = 1 << iota
	NNan
	NInf
	Nsz
	Arcp
	Contract
	Afn
	Fast FastMath = 1<<iota - 1
)

// Overflow is the set of promises of an integer op.
type Overflow uint8

// The promises.
const (
	NSW Overflow = 1 << iota // does not wrap as signed
	NUW                      // does not wrap as unsigned
)

// FastMathOf reads the property fastmath of an op; none if it is absent.
func FastMathOf(c *ir.Context, op ir.Attr) FastMath { return FastMath(elementwise.FastMath(c, op)) }

// OverflowOf reads the property overflowFlags of an op; none if it is absent.
func OverflowOf(c *ir.Context, op ir.Attr) Overflow { return Overflow(elementwise.Overflow(c, op)) }

// FastMathProps and OverflowProps are all properties of an op that has just those
// flags.
func FastMathProps(c *ir.Context, f FastMath) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "fastmath", Value: elementwise.FastMathAttr(c, uint8(f))}}, nil)
}

// OverflowProps is FastMathProps for integer ops.
func OverflowProps(c *ir.Context, f Overflow) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "overflowFlags", Value: elementwise.OverflowAttr(c, uint8(f))}}, nil)
}
