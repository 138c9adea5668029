package arith

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// intFunc is the meaning of an op on integers of w bits, zero-extended; false is
// poison. What lies above the width in the result does not matter.
type intFunc func(w int, x, y uint64, f Overflow) (uint64, bool)

func intEval(f intFunc) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		w, ok := elementwise.Width(c, 0)
		if !ok {
			return ir.Val{}, ir.ErrNoValue
		}
		flags := OverflowOf(c.Ctx(), c.Attr)
		return elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) {
			z, ok := f(w, x[0].Bits, x[1].Bits, flags)
			if !ok {
				return elementwise.Poisoned, nil
			}
			return ir.IntVal(int64(z), w), nil
		})
	}
}

func extendedEval(f func(w int, x, y uint64) (uint64, uint64)) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		w, ok := elementwise.Width(c, 0)
		if !ok {
			return ir.Val{}, ir.ErrNoValue
		}
		part := func(i int) (ir.Val, error) {
			return elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) {
				lo, hi := f(w, x[0].Bits, x[1].Bits)
				if i == 1 {
					lo = hi
				}
				return ir.IntVal(int64(lo), w), nil
			})
		}
		lo, err := part(0)
		if err != nil {
			return ir.Val{}, err
		}
		hi, err := part(1)
		return ir.Val{Ref: ir.Vector{lo, hi}}, err
	}
}

// negf flips the sign bit, which rounding through float64 would lose for NaN.
func negf(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t := elementwise.Elem(c)
	w := c.Ctx().Info(t).Width
	if w < 1 || w > 64 {
		return ir.Val{}, ir.ErrNoValue
	}
	y, err := elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.Val{Bits: x[0].Bits ^ 1<<(w-1)}, nil })
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

func cmpiEval(c *ir.Call, args []ir.Val) (ir.Val, error) {
	w, ok := elementwise.Width(c, 0)
	if !ok {
		return ir.Val{}, ir.ErrNoValue
	}
	p := PredicateOfI(c.Ctx(), c.Attr)
	return elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.BoolVal(p.holds(w, x[0].Bits, x[1].Bits)), nil })
}

// PredicateOfI and PredicateOfF read the property predicate.
func PredicateOfI(c *ir.Context, op ir.Attr) CmpIPredicate {
	return CmpIPredicate(c.AttrInfo(c.Get(op, "predicate")).Int)
}

// PredicateOfF is PredicateOfI for floats.
func PredicateOfF(c *ir.Context, op ir.Attr) CmpFPredicate {
	return CmpFPredicate(c.AttrInfo(c.Get(op, "predicate")).Int)
}

// holds compares integers of w bits.
func (p CmpIPredicate) holds(w int, x, y uint64) bool {
	sx, sy := sext(w, x), sext(w, y)
	switch p {
	case EQ:
		return x == y
	case NE:
		return x != y
	case SLT:
		return sx < sy
	case SLE:
		return sx <= sy
	case SGT:
		return sx > sy
	case SGE:
		return sx >= sy
	case ULT:
		return x < y
	case ULE:
		return x <= y
	case UGT:
		return x > y
	}
	return x >= y
}

func cmpfEval(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t := c.Ctx().ElemOrSelf(c.ArgType(0))
	if !elementwise.Computable(t) {
		return ir.Val{}, ir.ErrNoValue
	}
	p := PredicateOfF(c.Ctx(), c.Attr)
	y, err := elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.BoolVal(p.holds(x[0].Float(t), x[1].Float(t))), nil })
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

// holds compares floats. The predicates are bits: 1 equal, 2 greater, 4 less, 8
// unordered.
func (p CmpFPredicate) holds(x, y float64) bool {
	rel := CmpFPredicate(8)
	switch {
	case x == y:
		rel = 1
	case x > y:
		rel = 2
	case x < y:
		rel = 4
	}
	return cmpfBits[p]&rel != 0
}

// cmpfBits: ogt is 2 and oge 3 in MLIR's numbers, as in the bits above.
var cmpfBits = [16]CmpFPredicate{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15}

func selectEval(c *ir.Call, args []ir.Val) (ir.Val, error) {
	if t, ok := args[0].Ref.(*ir.Tensor); ok {
		flat := []ir.Val{{Ref: t.Elems}, args[1], args[2]}
		for i, a := range args[1:] {
			if x, ok := a.Ref.(*ir.Tensor); ok && slices.Equal(x.Shape, t.Shape) {
				flat[1+i].Ref = x.Elems
			} else if !a.IsPoison() {
				return ir.Val{}, ir.Trapf("a choice among tensors of other shapes than its conditions")
			}
		}
		v, err := selectEval(c, flat)
		return ir.Val{Ref: &ir.Tensor{Shape: t.Shape, Elems: v.Ref.(ir.Vector)}}, err
	}
	cond, ok := args[0].Ref.(ir.Vector)
	if !ok {
		switch {
		case args[0].IsPoison():
			return elementwise.Poisoned, nil
		case args[0].Bool():
			return args[1], nil
		}
		return args[2], nil
	}
	pick := func(v ir.Val, i int) ir.Val {
		if vec, ok := v.Ref.(ir.Vector); ok && i < len(vec) {
			return vec[i]
		}
		return v // poison as a whole
	}
	out := make(ir.Vector, len(cond))
	for i, b := range cond {
		switch {
		case b.IsPoison():
			out[i] = elementwise.Poisoned
		case b.Bool():
			out[i] = pick(args[1], i)
		default:
			out[i] = pick(args[2], i)
		}
	}
	return ir.Val{Ref: out}, nil
}
