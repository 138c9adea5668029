package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/interp"
)

// takesPoison: lanes of a vector are poison or not each on its own.
var takesPoison = func() interp.TakesPoison {
	out := interp.TakesPoison{}
	for def := range movers {
		out[def] = true
	}
	for _, def := range []*ir.OpDef{ExtractElement, InsertElement, Bitcast, FMA, Reduction,
		Contract, MatrixMultiply, MultiReduction, OuterProduct, Scan} {
		out[def] = true
	}
	return out
}()

// dynamicPosition finds the first lane at a position, some of whose numbers are operands; ok is
// false if it lies outside of the shape or is poison.
func dynamicPosition(c *ir.Call, shape []int64, operands []ir.Val) (first int, ok bool) {
	strides := stridesOf(shape)
	for d, p := range c.Ctx().Ints(c.Get("static_position")) {
		if p == ir.Dynamic {
			x := operands[0]
			operands = operands[1:]
			if x.Ref != nil || x.Bits >= uint64(shape[d]) {
				return 0, false
			}
			p = int64(x.Bits)
		}
		first += int(p) * strides[d]
	}
	return first, true
}

// isOutside is the Poisons of an op that goes to a position of operand vector, of which the operands
// from first on are what is not known when it is built: one outside of it gives poison.
func isOutside(vector, first int) func(c *ir.Call) bool {
	return func(c *ir.Call) bool {
		shape := shapeOf(c.Ctx(), c.ArgType(vector))
		position, rest := c.Ctx().Ints(c.Get("static_position")), c.Args[min(first, len(c.Args)):]
		if c.Get("static_position") == 0 { // extractelement, insertelement
			position = []int64{ir.Dynamic}[:len(rest)]
		}
		for d, p := range position {
			if p != ir.Dynamic {
				continue
			}
			if len(rest) == 0 || d >= len(shape) || !affine.In(c.Builder()).Certain().Number(rest[0]).Within(0, shape[d]-1) {
				return true
			}
			rest = rest[1:]
		}
		return false
	}
}

// isNowhere is the Poisons of a shuffle: a lane may come from nowhere.
func isNowhere(c *ir.Call) bool { return slices.Contains(c.Ctx().Ints(c.Get("mask")), nowhere) }

// isPadding: what stands for lanes out of bounds may be poison.
func isPadding(c *ir.Call, i int) bool {
	s := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	return len(s) == 4 && i == int(s[0]+s[1])
}

func evalExtract(c *ir.Call, args []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	n, ok := lanes(x, c.ArgType(0))
	if !ok {
		return ir.Val{}, tooLong
	}
	first, ok := dynamicPosition(c, shapeOf(x, c.ArgType(0)), args[1:])
	if !ok {
		return elementwise.Poisoned, nil
	}
	m, _ := lanes(x, c.Type)
	return valOf(x, c.Type, lanesOf(args[0], n)[first:first+m]), nil
}

func evalInsert(c *ir.Call, args []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	n, ok := lanes(x, c.ArgType(1))
	if !ok {
		return ir.Val{}, tooLong
	}
	first, ok := dynamicPosition(c, shapeOf(x, c.ArgType(1)), args[2:])
	if !ok {
		return elementwise.Poisoned, nil
	}
	m, _ := lanes(x, c.ArgType(0))
	out := append(ir.Vector(nil), lanesOf(args[1], n)...)
	copy(out[first:], lanesOf(args[0], m))
	return ir.Val{Ref: out}, nil
}

// elementAt is the lane that the optional operand i names.
func elementAt(args []ir.Val, i, n int) (at int, ok bool) {
	if i == len(args) {
		return 0, true
	}
	return int(args[i].Bits), args[i].Ref == nil && args[i].Bits < uint64(n)
}

func evalExtractElement(c *ir.Call, args []ir.Val) (ir.Val, error) {
	n, ok := lanes(c.Ctx(), c.ArgType(0))
	if !ok {
		return ir.Val{}, tooLong
	}
	at, ok := elementAt(args, 1, n)
	if !ok {
		return elementwise.Poisoned, nil
	}
	return lanesOf(args[0], n)[at], nil
}

func evalInsertElement(c *ir.Call, args []ir.Val) (ir.Val, error) {
	n, ok := lanes(c.Ctx(), c.Type)
	if !ok {
		return ir.Val{}, tooLong
	}
	at, ok := elementAt(args, 2, n)
	if !ok {
		return elementwise.Poisoned, nil
	}
	out := append(ir.Vector(nil), lanesOf(args[1], n)...)
	out[at] = args[0]
	return ir.Val{Ref: out}, nil
}

// evalBitcast takes the bits of the lanes, each with its lowest bit first, as those of others.
func evalBitcast(c *ir.Call, args []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	n, ok := lanes(x, c.ArgType(0))
	m, ok2 := lanes(x, c.Type)
	from, to := x.Info(x.ElemOrSelf(c.ArgType(0))).Width, x.Info(x.ElemOrSelf(c.Type)).Width
	if !ok || !ok2 || from > 64 || to > 64 {
		return ir.Val{}, ir.ErrNoValue
	}
	in, out := lanesOf(args[0], n), make(ir.Vector, m)
	for i := range out {
		for bit := range to {
			at := i*to + bit
			lane := in[at/from]
			if lane.Ref != nil {
				out[i] = elementwise.Poisoned
				break
			}
			out[i].Bits |= lane.Bits >> (at % from) & 1 << bit
		}
	}
	return ir.Val{Ref: out}, nil
}

// evalReduction combines in order.
func evalReduction(c *ir.Call, args []ir.Val) (ir.Val, error) {
	n, err := lanesEach(c, c.ArgType(0))
	if err != nil {
		return ir.Val{}, err
	}
	return reduceLanes(c, lanesOf(args[0], n[0]), args[1:])
}

// reduceLanes combines lanes, beginning with the accumulator if there is one.
func reduceLanes(c *ir.Call, lanes ir.Vector, accs []ir.Val) (ir.Val, error) {
	x := c.Ctx()
	k := kindOf(x, c.Attr)
	if len(accs) > 0 {
		return k.fold(c, accs[0], lanes)
	}
	start, ok := k.start(x, c.Type)
	switch {
	case ok:
	case len(lanes) == 0: // all are masked off
		return k.neutral(x, c.Type), nil
	default:
		start, lanes = lanes[0], lanes[1:]
	}
	return k.fold(c, start, lanes)
}

// start is with what a reduction without an accumulator begins, if not with the first lane.
func (k *kind) start(c *ir.Context, elem ir.Type) (ir.Val, bool) {
	if c.IsFloat(elem) && k.name == "add" {
		return ir.Val{}, true
	}
	return ir.Val{}, false
}

// fold combines by ops that have the flags of the reduction: each makes poison of what they exclude.
func (k *kind) fold(c *ir.Call, acc ir.Val, lanes ir.Vector) (ir.Val, error) {
	x, flags := c.Ctx(), arith.FastMath(0)
	if x.IsFloat(c.Type) {
		flags = arith.FastMathOf(x, c.Attr) & (arith.NNan | arith.NInf)
	}
	for _, v := range lanes {
		if flags != 0 && (elementwise.Excludes(uint8(flags), c.Type, acc) || elementwise.Excludes(uint8(flags), c.Type, v)) {
			return elementwise.Poisoned, nil
		}
		var err error
		if acc, err = k.combine(x, c.Type, acc, v); err != nil {
			return ir.Val{}, err
		}
	}
	if elementwise.Excludes(uint8(flags), c.Type, acc) {
		return elementwise.Poisoned, nil
	}
	return acc, nil
}
