package affine

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// An Analysis answers questions about the integers of a graph. It is a small value. Of
// a graph that is done it keeps the answers, so that all questions together take time
// linear in the graph; goroutines must not share it. Of one under construction it keeps
// nothing, and looks through a few ops for each question.
type Analysis struct {
	g       *ir.Graph
	b       *ir.Builder // or nil: the graph is done
	certain bool
	at      ir.Region // the innermost guarded region around a use; Root is none
	kept    *answers
}

// answers are what was found of a graph that is done.
type answers struct {
	numbers map[use]known
	facts   map[ir.Region][]fact    // that hold in a region because of its own op
	guarded map[ir.Region]ir.Region // the innermost region with facts that one is or is in
}

// use is a value in a region, and which promises are believed.
type use struct {
	v       ir.Value
	at      ir.Region
	certain bool
}

// known is a Number, and how many ops one after the other were looked through for it.
type known struct {
	n     Number
	depth int
}

// Of asks about a graph that is done: the bounds of loops are those of its ops.
func Of(g *ir.Graph) Analysis {
	return Analysis{g: g, kept: &answers{map[use]known{}, map[ir.Region][]fact{}, map[ir.Region]ir.Region{}}}
}

// In asks about a graph under construction: the bounds of loops are what the Builder was
// told as they were entered (Builder.SetRange).
func In(b *ir.Builder) Analysis { return Analysis{g: b.Graph(), b: b} }

// Certain believes no promise of an op: what it says holds unless an operand is poison
// that comes from elsewhere.
func (a Analysis) Certain() Analysis { a.certain = true; return a }

// At asks about what is used in a region of a graph that is done: there the conditions
// of the branches around hold.
func (a Analysis) At(r ir.Region) Analysis { a.at = a.guard(r); return a }

// How many ops one after the other are looked through: of a graph that is done, where
// what was found is kept, and of one under construction.
const (
	depth   = 7
	shallow = 4
)

// Number is what is known of a value.
func (a Analysis) Number(v ir.Value) Number {
	if a.kept == nil {
		return a.number(v, shallow)
	}
	return a.number(v, depth)
}

func (a Analysis) number(v ir.Value, depth int) Number {
	w := widthOf(a.g, v)
	if w == 0 {
		return Any(0)
	}
	if x, ok := a.g.Const(v); ok {
		return constant(w, x)
	}
	if a.kept == nil {
		return a.find(v, w, depth)
	}
	at := use{v, a.at, a.certain}
	if k, ok := a.kept.numbers[at]; ok && k.depth >= depth {
		return k.n
	}
	n := a.find(v, w, depth)
	a.kept.numbers[at] = known{n, depth}
	return n
}

// find is what is known of a value of w bits by its op, its loop and the conditions.
func (a Analysis) find(v ir.Value, w, depth int) Number {
	n := Any(w)
	if a.b != nil {
		if low, high, step, ok := a.b.Range(v); ok {
			n = between(w, low, high).stepped(step, low).settle()
		}
	}
	if depth == 0 {
		return n
	}
	if r, i, ok := a.g.Param(v); ok {
		if a.b == nil {
			n = n.meet(a.index(r, i, w, depth-1))
		}
	} else if f, ok := formOf(a.g, v); ok {
		n = n.meet(a.result(v, f, w, depth-1))
	}
	if a.at != ir.Root {
		n = a.conditions(v, n, depth-1)
	}
	return n
}

// constant is a number, or all elements of a vector of a few.
func constant(w int, x ir.Val) Number {
	const few = 16 // elements: to look at more costs time at each question
	vec, ok := x.Ref.(ir.Vector)
	switch {
	case x.Ref == nil:
		return Just(w, signed(w, x.Bits))
	case !ok || len(vec) == 0 || len(vec) > few:
		return Any(w)
	}
	n := constant(w, vec[0])
	for _, e := range vec[1:] {
		n = join(n, constant(w, e))
	}
	return n
}

// result is what is known of a value by the op that made it.
func (a Analysis) result(v ir.Value, f Form, w, depth int) Number {
	args := a.g.Args(v)
	if f.Map != nil {
		exprs, dims, syms := f.Map(a.g, v)
		return a.extreme(f.Op, exprs, operands{dims, syms, depth})
	}
	if len(args) == 0 || f.Op == unknown {
		if f.Bounded {
			return between(w, f.Least, Any(w).High)
		}
		return Any(w)
	}
	switch {
	case f.Op == Compare:
		return Any(w)
	case f.Op == FromFloat:
		return a.float(args[0], floats).whole(w)
	case f.Op == Select:
		y := a.number(args[1], depth)
		if y.nothing() {
			return Any(w)
		}
		return join(y, a.number(args[2], depth))
	}
	x := a.number(args[0], depth)
	if f.Op == ZeroExtend || f.Op == SignExtend || f.Op == Truncate {
		if x.Width == 0 {
			return Any(w)
		}
		return resize(f.Op, x, w)
	}
	if len(args) < 2 || x.Width != w || x.nothing() && f.Op.drowns() && !a.promised(v, f) {
		return Any(w)
	}
	y := a.number(args[1], depth)
	if y.Width != w || x.nothing() && y.nothing() {
		return Any(w)
	}
	return combine(f.Op, x, y, a.promised(v, f))
}

// promised reports a promise that is believed: that the op does not wrap.
func (a Analysis) promised(v ir.Value, f Form) bool {
	return !a.certain && f.Promises != nil && f.Promises(a.g, v)
}

// drowns reports that nothing is known of a result that may wrap if nothing is known of
// the first operand, whatever the second is: half of a tree need not be looked at.
func (op Op) drowns() bool {
	return op == Add || op == Sub || op == Xor || op == Min || op == Max
}

// combine is what is known of what an op makes of two numbers.
func combine(op Op, x, y Number, promised bool) Number {
	switch op {
	case Add:
		return add(x, y, promised)
	case Sub:
		return sub(x, y, promised)
	case Mul:
		return mul(x, y, promised)
	case And, Or, Xor:
		return bitwise(op, x, y)
	case ShiftLeft:
		return shiftLeft(x, y, promised)
	case ShiftRight, ShiftSigned:
		return shiftRight(x, y, op == ShiftSigned)
	case Div, DivSigned:
		return divide(op, x, y)
	case Rem, RemSigned:
		return remainder(op, x, y)
	case Min, MinSigned, Max, MaxSigned:
		return extremum(op, x, y)
	}
	return Any(x.Width)
}

// index is what is known of parameter i of a region: an index of a loop is at least
// the lower bound, below the upper one, and a number of steps away from the lower one.
func (a Analysis) index(r ir.Region, i, w, depth int) Number {
	l, k := a.loop(a.g.Params(r)[i], r)
	if k < 0 {
		return Any(w)
	}
	return Index(w, a.bound(l.Lower[k], w, depth), a.bound(l.Upper[k], w, depth), a.bound(l.Step[k], w, depth), l.Inclusive)
}

// loop finds the loop of which a parameter of region r is index k, or k < 0.
func (a Analysis) loop(v ir.Value, r ir.Region) (l ir.LoopLike, k int) {
	owner := a.g.Owner(r)
	if owner == 0 {
		return l, -1
	}
	l, ok := ir.As[ir.LoopLike](a.g.NodeOf(owner))
	if !ok || l.Body != r {
		return l, -1
	}
	return l, slices.Index(l.Indices, v)
}

func (a Analysis) bound(x ir.Bound, w, depth int) Number {
	if x.Value == 0 {
		return Just(w, x.Const)
	}
	return a.number(x.Value, depth)
}

// Index is what is known of the index of a loop by its bounds and its step: it never
// wraps, for it is below the upper bound. A step that is not positive traps.
func Index(w int, lower, upper, step Number, inclusive bool) Number {
	n := Any(w)
	if lower.Width != w || upper.Width != w || step.Width != w {
		return n
	}
	high := upper.High
	if !inclusive {
		if high == math.MinInt64 {
			return n
		}
		high--
	}
	sl, rl := lower.congruence()
	ss, rs := step.congruence()
	return n.narrow(lower.Low, high).stepped(gcd(sl, gcd(ss, abs(rs))), rl).settle()
}
