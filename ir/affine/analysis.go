package affine

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// An Analysis answers questions about the integers of a graph. It is a small value,
// made for a question or for many; it keeps nothing.
type Analysis struct {
	g       *ir.Graph
	b       *ir.Builder // or nil: the graph is done
	certain bool
	at      ir.Region // where a value is used, if inside
	inside  bool
}

// Of asks about a graph that is done: the bounds of loops are those of its ops.
func Of(g *ir.Graph) Analysis { return Analysis{g: g} }

// In asks about a graph under construction: the bounds of loops are what the Builder was
// told as they were entered (Builder.SetRange).
func In(b *ir.Builder) Analysis { return Analysis{g: b.Graph(), b: b} }

// Certain believes no promise of an op: what it says holds unless an operand is poison
// that comes from elsewhere.
func (a Analysis) Certain() Analysis { a.certain = true; return a }

// At asks about what is used in a region of a graph that is done: there the conditions
// of the branches around hold.
func (a Analysis) At(r ir.Region) Analysis { a.at, a.inside = r, true; return a }

// depth is how many ops one after the other are looked through.
const depth = 7

// Number is what is known of a value.
func (a Analysis) Number(v ir.Value) Number { return a.number(v, depth) }

func (a Analysis) number(v ir.Value, depth int) Number {
	w := widthOf(a.g, v)
	if w == 0 {
		return Any(0)
	}
	if x, ok := a.g.Const(v); ok {
		return constant(w, x)
	}
	n := Any(w)
	if a.b != nil {
		if low, high, step, ok := a.b.Range(v); ok {
			n = Between(w, low, high).stepped(step, low).settle()
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
	if a.inside {
		n = a.conditions(v, n, depth-1)
	}
	return n
}

// constant is a number, or all elements of a vector of a few.
func constant(w int, x ir.Val) Number {
	const few = 16
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
	if len(args) == 0 || f.Op == Unknown {
		if f.Bounded {
			return Between(w, f.Least, Any(w).High)
		}
		return Any(w)
	}
	switch {
	case f.Op == Compare:
		return Any(w)
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
	owner := a.g.Owner(r)
	if owner == 0 {
		return Any(w)
	}
	l, ok := ir.As[ir.LoopLike](a.g.NodeOf(owner))
	if !ok || l.Body != r {
		return Any(w)
	}
	for k, v := range l.Indices {
		if v == a.g.Params(r)[i] {
			return Index(w, a.bound(l.Lower[k], w, depth), a.bound(l.Upper[k], w, depth), a.bound(l.Step[k], w, depth), l.Inclusive)
		}
	}
	return Any(w)
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

// Branches around a use of a value that are looked at.
const around = 8

// conditions sharpens a number by the branches around: in a region that runs only if
// a comparison with the value holds, it does.
func (a Analysis) conditions(v ir.Value, n Number, depth int) Number {
	r := a.at
	for range around {
		op := a.g.Owner(r)
		if op == 0 {
			break
		}
		if on, holds, ok := a.guard(op, r); ok {
			n = a.refine(v, n, on, holds, depth)
		}
		r = a.g.Home(op)
	}
	return n
}

// guard is the truth value on which a region of an op runs, if it is one.
func (a Analysis) guard(op ir.Value, r ir.Region) (on ir.Value, holds, ok bool) {
	br, ok := ir.As[ir.BranchLike](a.g.NodeOf(op))
	if !ok || a.g.Type(br.On) != ir.I1 {
		return 0, false, false
	}
	for i, in := range a.g.Regions(op) {
		if in == r && i < len(br.Values) {
			return br.On, br.Values[i] == 1, true
		}
	}
	return 0, false, false
}

// refine sharpens a number by a truth value: of a comparison, or of several that hold
// together.
func (a Analysis) refine(v ir.Value, n Number, on ir.Value, holds bool, depth int) Number {
	f, ok := formOf(a.g, on)
	if !ok || depth <= 0 || a.g.Type(on) != ir.I1 {
		return n
	}
	args := a.g.Args(on)
	switch {
	case f.Op == And && holds, f.Op == Or && !holds:
		return a.refine(v, a.refine(v, n, args[0], holds, depth-1), args[1], holds, depth-1)
	case f.Op == Compare:
		p := f.Predicate(a.g, on)
		if !holds {
			p = p.Inverse()
		}
		if args[0] == v {
			return n.given(p, a.number(args[1], depth-1))
		} else if args[1] == v {
			return n.given(p.Swapped(), a.number(args[0], depth-1))
		}
	}
	return n
}

// given is n where n p x holds.
func (n Number) given(p Predicate, x Number) Number {
	if x.Width != n.Width {
		return n
	}
	if p >= ULT {
		if p <= ULE && x.Low >= 0 { // below what is not negative: not negative
			n = n.narrow(0, n.High)
		}
		if n.Low < 0 || x.Low < 0 {
			return n.settle()
		}
		p -= ULT - LT
	}
	switch p {
	case EQ:
		return n.meet(x)
	case NE:
		if c, ok := x.Const(); ok && c == n.Low && c < n.High {
			n.Low++
		} else if ok && c == n.High && c > n.Low {
			n.High--
		}
	case LT:
		n = n.narrow(n.Low, max(x.High, math.MinInt64+1)-1)
	case LE:
		n = n.narrow(n.Low, x.High)
	case GT:
		n = n.narrow(min(x.Low, math.MaxInt64-1)+1, n.High)
	case GE:
		n = n.narrow(x.Low, n.High)
	}
	return n.settle()
}
