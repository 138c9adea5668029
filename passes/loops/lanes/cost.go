package lanes

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// A Cost is what so many lanes cost, in operations of registers: iterations of a loop, or functions of numbers. Whoever
// makes vectors, or takes them from LLVM, asks it whether they pay.
type Cost struct {
	Lanes           int // of a register, of the widest elements
	Vectors, Scalar float64
	ops             int
}

// Share is what lanes cost in vectors, of what they cost without.
func (c Cost) Share() float64 { return c.Vectors / max(1, c.Scalar) }

// mostShare is what vectors may cost, of what there is without: less is hardly gained.
const mostShare = 0.7

// Pays says that vectors are worth it.
func (c Cost) Pays() bool { return c.Share() <= mostShare }

// What a function of a vector takes, of one of a number from a library: its code depends on itself from end to end. All
// lanes wait for the argument that is there last, which late ones are long.
const vectorFunction, lateFunction = 2, 2.5

// Pack is the cost of functions of numbers as one of a vector.
func Pack(functions int, late bool) Cost {
	c := Cost{Lanes: functions, Vectors: vectorFunction * opcost.Function, Scalar: float64(functions) * opcost.Function}
	if late {
		c.Vectors = lateFunction * opcost.Function
	}
	return c
}

// preferredBytes are those of the vectors that LLVM prefers, of machines too that have longer ones.
const preferredBytes = 32

// ByLLVM is the cost of an operation on numbers of 64 bits in a loop of which LLVM makes vectors.
func ByLLVM(t *target.Target) Cost {
	n := min(preferredBytes/8, t.Lanes(8))
	return Cost{Lanes: n, Vectors: 1, Scalar: float64(n)}
}

// Cost estimates a loop: an operation of a register is one, a gather or a scatter as many as there are lanes, and
// what goes lane by lane twice as many.
func (l *Loop) Cost(t *target.Target) Cost {
	c := Cost{}
	bytes := 1
	body := l.G.Regions(l.V)[0]
	l.each(body, 1, func(v ir.Value, _ float64) { bytes = max(bytes, l.bytes(v)) })
	c.Lanes = max(2, t.Lanes(bytes))
	n := float64(c.Lanes)
	l.each(body, 1, func(v ir.Value, weight float64) {
		def := l.G.Def(v)
		if def.Has(ir.ConstantLike) || len(l.G.Regions(v)) > 0 {
			return
		}
		price, vector := opcost.Of(def), l.bytes(v) > 0
		scalar := price * n
		switch {
		case isLoad(def) && vector, isStore(def):
			switch l.pattern(v) {
			case backward:
				price = 2
			case packed:
				price = 4
			case spread:
				price = n
			case anywhere:
				price = 2 * n
			}
		case divides(def): // LLVM does it lane by lane
			price, scalar = opcost.Division*n, opcost.Division*n
		}
		if _, ok := l.scanAt(v); ok {
			price = 8
		}
		if vector {
			c.ops += int(min(price, opcost.Function))
		}
		c.Vectors += weight * price
		c.Scalar += weight * scalar
	})
	return c
}

// IsAround reports a loop with loops in it.
func (l *Loop) IsAround() (around bool) {
	l.each(l.G.Regions(l.V)[0], 1, func(v ir.Value, _ float64) {
		_, loop := ir.As[ir.LoopLike](l.G.NodeOf(v))
		around = around || loop
	})
	return around
}

// Follows reports a loop that carries a running sum, or counts what it stores.
func (l *Loop) Follows() bool {
	return slices.ContainsFunc(l.Carries, func(c Carried) bool { return c.scan != 0 || c.count != nil })
}

// IsStraight reports a loop of arithmetic alone, without conditionals, whose lanes lie one behind the other wherever it reads.
func (l *Loop) IsStraight() bool {
	straight := true
	l.each(l.G.Regions(l.V)[0], 1, func(v ir.Value, _ float64) {
		switch def := l.G.Def(v); {
		case isLoad(def):
			straight = straight && (l.bytes(v) == 0 || l.pattern(v) == forward)
		case def.Has(ir.ConstantLike):
		default:
			straight = straight && slices.Contains(arith.Dialect.Ops, def) && !divides(def)
		}
	})
	return straight
}

// bytes are those of an element of the vector that an op makes or stores; 0 if it makes none.
func (l *Loop) bytes(v ir.Value) int {
	x := v
	if isStore(l.G.Def(v)) {
		x = l.G.Args(v)[0]
	} else if _, scalar := l.stride(v); scalar || l.G.Results(v) != 1 {
		return 0
	}
	if t := l.G.Type(x); t != ir.Index {
		return (l.G.Ctx.Info(t).Width + 7) / 8
	}
	return 8
}

// Width is how many iterations are best done at once: those of a register, or of some where that leaves room for all.
func (c Cost) Width() int {
	switch {
	case c.ops <= 8:
		return 4 * c.Lanes
	case c.ops <= 16:
		return 2 * c.Lanes
	}
	return c.Lanes
}

// usualTrips weighs what is in an inner loop.
const usualTrips = 16

// each calls f for the ops of a region and of those in it, with how often they are done.
func (l *Loop) each(r ir.Region, weight float64, f func(v ir.Value, weight float64)) {
	for _, v := range l.S.Body(r) {
		if !l.G.Def(v).Has(ir.Terminator) {
			f(v, weight)
		}
		more := weight
		if _, ok := ir.As[ir.LoopLike](l.G.NodeOf(v)); ok {
			more *= usualTrips
		}
		for _, in := range l.G.Regions(v) {
			l.each(in, more, f)
		}
	}
}
