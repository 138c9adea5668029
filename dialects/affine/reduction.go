package affine

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref/kinds"
	"github.com/irc-lang/irc/ir"
)

// A reduction is what affine.parallel may make of the values of its iterations.
type reduction struct {
	name  string
	op    *ir.OpDef // nil if it is none
	float float64   // the identity of a reduction of floats
	// the identity of a reduction of integers of a width
	integer func(width int) int64
}

// reductions are numbered as MLIR's AtomicRMWKind.
var reductions = []reduction{
	{name: "addf", op: arith.Addf},
	{name: "addi", op: arith.Addi, integer: number(0)},
	{name: "assign"},
	{name: "maximumf", op: arith.Maximumf, float: math.Inf(-1)},
	{name: "maxs", op: arith.Maxsi, integer: func(w int) int64 { return math.MinInt64 >> (64 - w) }},
	{name: "maxu", op: arith.Maxui, integer: number(0)},
	{name: "minimumf", op: arith.Minimumf, float: math.Inf(1)},
	{name: "mins", op: arith.Minsi, integer: func(w int) int64 { return math.MaxInt64 >> (64 - w) }},
	{name: "minu", op: arith.Minui, integer: number(-1)},
	{name: "mulf", op: arith.Mulf, float: 1},
	{name: "muli", op: arith.Muli, integer: number(1)},
	{name: "ori", op: arith.Ori, integer: number(0)},
	{name: "andi", op: arith.Andi, integer: number(-1)},
	{name: "maxnumf", op: arith.Maxnumf, float: math.NaN()},
	{name: "minnumf", op: arith.Minnumf, float: math.NaN()},
}

func number(n int64) func(int) int64 { return func(int) int64 { return n } }

// takes reports a type that a reduction reduces.
func (r reduction) takes(c *ir.Context, t ir.Type) bool {
	switch {
	case r.op == nil:
		return false
	case r.integer != nil:
		return c.IsInt(t) && t != ir.Index && c.Info(t).Sign == ir.Signless && c.Info(t).Width <= 64
	}
	return c.IsFloat(t)
}

// identity is what no iterations give.
func (r reduction) identity(c *ir.Context, t ir.Type) ir.Val {
	if r.integer == nil {
		return ir.FloatVal(r.float, t)
	}
	w := c.Info(t).Width
	return ir.IntVal(r.integer(w), w)
}

// of is the op that combines two values.
func (r reduction) of(b *ir.Builder, x, y ir.Value) ir.Value {
	if r.integer == nil {
		return arith.Float(b, r.op, 0, x, y)
	}
	switch r.op {
	case arith.Addi, arith.Muli:
		return arith.Int(b, r.op, 0, x, y)
	}
	return b.Op(r.op, x, y)
}

// combine is of in a running program.
func (r reduction) combine(c *ir.Context, t ir.Type, x, y ir.Val) (ir.Val, error) {
	if x.Ref != nil || y.Ref != nil {
		return ir.Val{Ref: ir.Poison}, nil
	}
	return kinds.Combine(c, r.name, t, x, y), nil
}
