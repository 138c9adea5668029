package arith

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// forms says what the ops compute of integers.
var forms = affine.Forms{
	Addi:        {Op: affine.Add, Promises: promisesNSW},
	Subi:        {Op: affine.Sub, Promises: promisesNSW},
	Muli:        {Op: affine.Mul, Promises: promisesNSW},
	Shli:        {Op: affine.ShiftLeft, Promises: promisesNSW},
	Andi:        {Op: affine.And},
	Ori:         {Op: affine.Or},
	Xori:        {Op: affine.Xor},
	Shrui:       {Op: affine.ShiftRight},
	Shrsi:       {Op: affine.ShiftSigned},
	Divui:       {Op: affine.Div},
	Divsi:       {Op: affine.DivSigned},
	Remui:       {Op: affine.Rem},
	Remsi:       {Op: affine.RemSigned},
	Minui:       {Op: affine.Min},
	Minsi:       {Op: affine.MinSigned},
	Maxui:       {Op: affine.Max},
	Maxsi:       {Op: affine.MaxSigned},
	Extui:       {Op: affine.ZeroExtend},
	IndexCastui: {Op: affine.ZeroExtend},
	Extsi:       {Op: affine.SignExtend},
	IndexCast:   {Op: affine.SignExtend},
	Trunci:      {Op: affine.Truncate},
	Select:      {Op: affine.Select},
	Cmpi:        {Op: affine.Compare, Predicate: predicateOf},
	Fptosi:      {Op: affine.FromFloat},
}

// floatForms says what is known of floats by comparisons.
var floatForms = affine.FloatForms{Cmpf: {Compare: orderOf}}

// orderOf: both have the same bits. A comparison that is poison of some floats says nothing.
func orderOf(g *ir.Graph, v ir.Value) (affine.Order, bool) {
	return affine.Order(cmpfBits[PredicateOfF(g.Ctx, g.AttrsOf(v))]), FastMathOf(g.Ctx, g.AttrsOf(v))&(NNan|NInf) == 0
}

func promisesNSW(g *ir.Graph, v ir.Value) bool {
	return OverflowOf(g.Ctx, g.AttrsOf(v))&NSW != 0
}

// predicateOf: both count in MLIR's order.
func predicateOf(g *ir.Graph, v ir.Value) affine.Predicate {
	return affine.Predicate(PredicateOfI(g.Ctx, g.AttrsOf(v)))
}
