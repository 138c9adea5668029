package affine

import (
	"math"
	"math/bits"
)

// wide is a number of up to 128 bits, which sums and products of two numbers are.
type wide struct{ hi, lo uint64 }

func extend(x int64) wide { return wide{uint64(x >> 63), uint64(x)} }

func (x wide) plus(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return wide{hi, lo}
}

func (x wide) minus(y wide) wide {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return wide{hi, lo}
}

func product(x, y int64) wide {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return wide{hi, lo}
}

func (x wide) less(y wide) bool {
	return int64(x.hi) < int64(y.hi) || x.hi == y.hi && x.lo < y.lo
}

// clamp is the nearest of 64 bits.
func (x wide) clamp() int64 {
	switch {
	case x.hi == uint64(int64(x.lo)>>63):
		return int64(x.lo)
	case int64(x.hi) < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// exact gives a number its range and stride as they are without wrapping, if the range
// fits or the op promises that it does; wraps has what holds else, its bits.
func (n Number) exact(low, high wide, promised bool, step, rem int64) Number {
	all := Any(n.Width)
	fits := !low.less(extend(all.Low)) && !extend(all.High).less(high)
	if !fits && !promised {
		return n.settle()
	}
	return n.narrow(low.clamp(), high.clamp()).stepped(step, rem).settle()
}

// Fits reports that a sum, difference, product or shift to the left of two numbers never wraps as a
// signed number; with unsigned set, as one without sign neither.
func Fits(op Op, x, y Number, unsigned bool) bool {
	if x.Width == 0 || x.Width != y.Width || x.nothing() && y.nothing() {
		return false
	}
	low, high := wide{}, wide{}
	switch op {
	case Add:
		low, high = extend(x.Low).plus(extend(y.Low)), extend(x.High).plus(extend(y.High))
	case Sub:
		low, high = extend(x.Low).minus(extend(y.High)), extend(x.High).minus(extend(y.Low))
	case Mul:
		low, high = products(x, y)
	case ShiftLeft:
		if !y.Within(0, int64(min(x.Width-2, 62))) {
			return false
		}
		low, high = products(x, Number{Low: 1 << y.Low, High: 1 << y.High})
	default:
		return false
	}
	all := Any(x.Width)
	if low.less(extend(all.Low)) || extend(all.High).less(high) {
		return false
	}
	return !unsigned || x.Low >= 0 && y.Low >= 0 && !low.less(wide{})
}

func add(x, y Number, promised bool) Number {
	n := Any(x.Width)
	n.zeros, n.ones = carryBits(x, y, 0)
	sx, rx := x.congruence()
	sy, ry := y.congruence()
	s := gcd(sx, sy)
	return n.exact(extend(x.Low).plus(extend(y.Low)), extend(x.High).plus(extend(y.High)), promised, s, rest(s, rx)+rest(s, ry))
}

// rest is x modulo s, so that two of them may be added; 0 where s is 0.
func rest(s, x int64) int64 {
	if s == 0 {
		return 0
	}
	return modulo(x, s)
}

func sub(x, y Number, promised bool) Number {
	n, not := Any(x.Width), y
	not.zeros, not.ones = y.ones, y.zeros
	n.zeros, n.ones = carryBits(x, not, 1)
	sx, rx := x.congruence()
	sy, ry := y.congruence()
	s := gcd(sx, sy)
	return n.exact(extend(x.Low).minus(extend(y.High)), extend(x.High).minus(extend(y.Low)), promised, s, rest(s, rx)-rest(s, ry))
}

// carryBits are the known bits of x + y + carry: those where both bits and what is
// carried there are known.
func carryBits(x, y Number, carry uint64) (zeros, ones uint64) {
	m := mask(x.Width)
	most := (^x.zeros & m) + (^y.zeros & m) + carry
	least := x.ones + y.ones + carry
	carriesNot := ^(most ^ x.zeros ^ y.zeros)
	carries := least ^ x.ones ^ y.ones
	known := (x.zeros | x.ones) & (y.zeros | y.ones) & (carriesNot | carries) & m
	return ^most & known, least & known
}

func mul(x, y Number, promised bool) Number {
	n := Any(x.Width)
	n.zeros, n.ones = productBits(x, y)
	low, high := products(x, y)
	step, rem := productStep(x, y)
	return n.exact(low, high, promised, step, rem)
}

// products are the least and the greatest product of two numbers.
func products(x, y Number) (low, high wide) {
	for i, p := range []wide{product(x.Low, y.Low), product(x.Low, y.High), product(x.High, y.Low), product(x.High, y.High)} {
		if i == 0 || p.less(low) {
			low = p
		}
		if i == 0 || high.less(p) {
			high = p
		}
	}
	return low, high
}

// productBits: the low bits of a product are known as far as those of one factor, moved
// up by the zeros at the end of the other.
func productBits(x, y Number) (zeros, ones uint64) {
	tx, ty := bits.TrailingZeros64(^(x.zeros | x.ones)), bits.TrailingZeros64(^(y.zeros | y.ones))
	zx, zy := bits.TrailingZeros64(^x.zeros), bits.TrailingZeros64(^y.zeros)
	k := min(tx+zy, ty+zx, x.Width)
	known := mask(64)
	if k < 64 {
		known = 1<<k - 1
	}
	known &= mask(x.Width)
	p := x.ones * y.ones
	return ^p & known, p & known
}

// productStep: (rx + i sx)(ry + j sy) is rx ry and multiples of sx ry, sy rx and sx sy.
func productStep(x, y Number) (step, rem int64) {
	sx, rx := x.congruence()
	sy, ry := y.congruence()
	if rx <= -maxStep || rx >= maxStep || ry <= -maxStep || ry >= maxStep {
		return 1, 0
	}
	s := gcd(gcd(abs(sx*ry), abs(sy*rx)), sx*sy)
	return s, rx * ry
}

func abs(x int64) int64 { return max(x, -x) }

// shiftLeft is a multiplication by a power of two, as bits too.
func shiftLeft(x, y Number, promised bool) Number {
	k, ok := y.Const()
	if !ok || k < 0 || k >= int64(x.Width) {
		return Any(x.Width)
	}
	n := Any(x.Width)
	n.zeros, n.ones = (x.zeros<<k|(1<<k-1))&mask(x.Width), x.ones<<k&mask(x.Width)
	if k > 62 {
		return n.settle()
	}
	by := int64(1) << k
	step := int64(1)
	if x.Step < maxStep>>k {
		step = x.Step << k
	} else if k < 31 {
		step = by
	}
	if x.Low == x.High {
		step = 0
	}
	return n.exact(product(x.Low, by), product(x.High, by), promised, step, x.rem*min(by, maxStep))
}

// shiftRight divides by a power of two, down.
func shiftRight(x, y Number, sign bool) Number {
	k, ok := y.Const()
	if !ok || k < 0 || k >= int64(x.Width) {
		return Any(x.Width)
	}
	n, m := Any(x.Width), mask(x.Width)
	n.zeros, n.ones = x.zeros>>k, x.ones>>k
	top := m &^ (m >> k)
	msb := uint64(1) << (x.Width - 1)
	switch {
	case !sign || x.zeros&msb != 0:
		n.zeros |= top
	case x.ones&msb != 0:
		n.ones |= top
	}
	if sign || x.Low >= 0 {
		n = n.narrow(x.Low>>k, x.High>>k)
	}
	return n.settle()
}

// bitwise has what is known of single bits; and of numbers that are not negative is
// below both, or of them below the next power of two.
func bitwise(op Op, x, y Number) Number {
	n := Any(x.Width)
	switch op {
	case And:
		n.zeros, n.ones = x.zeros|y.zeros, x.ones&y.ones
		if y.Low >= 0 {
			n = n.narrow(0, y.High)
		}
		if x.Low >= 0 {
			n = n.narrow(0, x.High)
		}
	case Or:
		n.zeros, n.ones = x.zeros&y.zeros, x.ones|y.ones
	default:
		n.zeros = x.zeros&y.zeros | x.ones&y.ones
		n.ones = x.zeros&y.ones | x.ones&y.zeros
	}
	return n.settle()
}

// divide: by a constant above 0 it keeps the order; of what is not negative it is the
// same with and without signs.
func divide(op Op, x, y Number) Number {
	k, ok := y.Const()
	n := Any(x.Width)
	if !ok || k <= 0 || op == Div && x.Low < 0 {
		if x.Low >= 0 && y.Low > 0 {
			n = n.narrow(0, x.High/y.Low)
		}
		return n.settle()
	}
	return n.narrow(x.Low/k, x.High/k).settle()
}

// remainder: less than the divisor, on the side of what is divided. A divisor of 0
// traps.
func remainder(op Op, x, y Number) Number {
	n := Any(x.Width)
	if y.Low < 0 || y.High == 0 {
		return n
	}
	switch {
	case op == Rem && x.Low < 0:
		return n.narrow(0, y.High-1).settle()
	case x.Low >= 0:
		n = n.narrow(0, min(y.High-1, x.High))
	case x.High <= 0:
		n = n.narrow(max(1-y.High, x.Low), 0)
	default:
		n = n.narrow(max(1-y.High, x.Low), min(y.High-1, x.High))
	}
	// x = q y + n: what y and x have in common, n has.
	sx, rx := x.congruence()
	sy, ry := y.congruence()
	if s := gcd(gcd(sx, sy), abs(ry)); s > 1 {
		n = n.stepped(s, rest(s, rx))
	}
	return n.settle()
}

func extremum(op Op, x, y Number) Number {
	n := join(x, y)
	if op == Min || op == Max {
		if x.Low < 0 || y.Low < 0 {
			return n
		}
	}
	if op == Max || op == MaxSigned {
		return n.narrow(max(x.Low, y.Low), n.High).settle()
	}
	return n.narrow(n.Low, min(x.High, y.High)).settle()
}

// resize extends a number with zeros or its sign, or truncates it.
func resize(op Op, x Number, width int) Number {
	n := Any(width)
	m := mask(x.Width)
	switch {
	case op == SignExtend && width >= x.Width:
		n.zeros, n.ones = uint64(signed(x.Width, x.zeros))&mask(width), uint64(signed(x.Width, x.ones))&mask(width)
		return n.narrow(x.Low, x.High).stepped(x.Step, x.rem).settle()
	case op == ZeroExtend && width > x.Width:
		n.zeros, n.ones = x.zeros|mask(width)&^m, x.ones
		if x.Low >= 0 {
			n = n.narrow(x.Low, x.High).stepped(x.Step, x.rem)
		}
		return n.settle()
	case width == x.Width:
		return x
	}
	n.zeros, n.ones = x.zeros&mask(width), x.ones&mask(width)
	if x.Low >= n.Low && x.High <= n.High {
		n = n.narrow(x.Low, x.High).stepped(x.Step, x.rem)
	}
	return n.settle()
}
