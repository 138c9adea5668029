package affine

import (
	"math"
	"math/bits"
)

// A Number is what is known of an integer of Width bits: that it lies in a range when
// read as signed, that bits of it are 0 or 1, and that it is Rem more than a multiple of
// Step. Width 0 says nothing.
type Number struct {
	Width       int    // in bits
	Low, High   int64  // both included
	zeros, ones uint64 // the bits that are known
	Step, rem   int64  // 1 <= Step <= maxStep, 0 <= Rem < Step, of the number as signed
}

// maxStep bounds steps, so that products of them fit.
const maxStep = 1 << 31

// Any is a number of which nothing is known.
func Any(width int) Number {
	if width == 0 {
		return Number{Low: math.MinInt64, High: math.MaxInt64, Step: 1}
	}
	return Number{Width: width, Low: math.MinInt64 >> (64 - width), High: math.MaxInt64 >> (64 - width), Step: 1}
}

// Just is one number.
func Just(width int, x int64) Number {
	n := Any(width)
	n.Low, n.High = x, x
	return n.settle()
}

// between is a number in a range.
func between(width int, low, high int64) Number {
	n := Any(width)
	if low > high || low < n.Low || high > n.High {
		return n
	}
	n.Low, n.High = low, high
	return n.settle()
}

// Const returns the number if it is the only one.
func (n Number) Const() (int64, bool) { return n.Low, n.Width > 0 && n.Low == n.High }

// Within reports low <= n <= high.
func (n Number) Within(low, high int64) bool { return n.Width > 0 && n.Low >= low && n.High <= high }

// Has reports that x may be the number.
func (n Number) Has(x int64) bool {
	u := uint64(x) & mask(n.Width)
	return n.Low <= x && x <= n.High && u&n.zeros == 0 && u&n.ones == n.ones && modulo(x, n.Step) == n.rem
}

// Nonzero reports that the number is not 0.
func (n Number) Nonzero() bool { return n.Width > 0 && !n.Has(0) }

func mask(width int) uint64 {
	if width == 0 {
		return 0
	}
	return ^uint64(0) >> (64 - width)
}

// modulo is what is left of x over the multiples of m, never below 0.
func modulo(x, m int64) int64 {
	if x %= m; x < 0 {
		x += m
	}
	return x
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// congruence is the step and the rest, where a constant has the step 0.
func (n Number) congruence() (step, rem int64) {
	if n.Low == n.High {
		return 0, n.Low
	}
	return n.Step, n.rem
}

// stepped is n with a stride too: step 0 is a constant.
func (n Number) stepped(step, rem int64) Number {
	if step == 0 {
		return n // its range says it
	}
	for step > maxStep && step%2 == 0 {
		step /= 2
	}
	if step > 1 && step <= maxStep && n.Step == 1 {
		n.Step, n.rem = step, modulo(rem, step)
	}
	return n
}

// settle lets each kind of knowledge sharpen the others. Knowledge that contradicts
// itself is of code that never runs; it is left as it is.
func (n Number) settle() Number {
	if n.Width == 0 {
		return n
	}
	n = n.bitsFromRange()
	if t := bits.TrailingZeros64(uint64(n.Step)); t > 0 {
		low := uint64(1)<<min(t, n.Width) - 1
		n.ones |= uint64(n.rem) & low
		n.zeros |= ^uint64(n.rem) & low
	} else if t := bits.TrailingZeros64(^(n.zeros | n.ones)); n.Step == 1 && t > 0 && t < n.Width {
		t = min(t, 31)
		n.Step, n.rem = 1<<t, int64(n.ones&(1<<t-1))
	}
	return n.rangeFromBits().rangeFromStep()
}

// bitsFromRange: the bits above those in which the ends differ are the same in all.
func (n Number) bitsFromRange() Number {
	if (n.Low < 0) != (n.High < 0) {
		return n
	}
	same := ^uint64(0)
	if d := uint64(n.Low) ^ uint64(n.High); d != 0 {
		same <<= bits.Len64(d)
	}
	same &= mask(n.Width)
	n.ones |= uint64(n.Low) & same
	n.zeros |= ^uint64(n.Low) & same
	return n
}

// rangeFromBits: the least number has the sign bit and else no unknown bit set.
func (n Number) rangeFromBits() Number {
	sign := uint64(1) << (n.Width - 1)
	least, most := n.ones, ^n.zeros&mask(n.Width)
	if n.zeros&sign == 0 {
		least |= sign
	}
	if n.ones&sign == 0 {
		most &^= sign
	}
	return n.narrow(signed(n.Width, least), signed(n.Width, most))
}

// rangeFromStep moves the ends to numbers of the stride.
func (n Number) rangeFromStep() Number {
	if n.Step == 1 {
		return n
	}
	low, high := n.Low, n.High
	if d := modulo(n.rem-modulo(low, n.Step), n.Step); low <= math.MaxInt64-d {
		low += d
	}
	if d := modulo(modulo(high, n.Step)-n.rem, n.Step); high >= math.MinInt64+d {
		high -= d
	}
	return n.narrow(low, high)
}

// narrow is n within a range, if that leaves anything.
func (n Number) narrow(low, high int64) Number {
	if low, high = max(n.Low, low), min(n.High, high); low <= high {
		n.Low, n.High = low, high
	}
	return n
}

// nothing reports a number of which nothing is known.
func (n Number) nothing() bool {
	return n.Step == 1 && n.zeros|n.ones == 0 && n.Low == math.MinInt64>>(64-n.Width) && n.High == math.MaxInt64>>(64-n.Width)
}

// meet is what both say of one number.
func (n Number) meet(m Number) Number {
	switch {
	case n.Width != m.Width || m.nothing():
		return n
	case n.nothing():
		return m
	}
	n = n.narrow(m.Low, m.High)
	n.zeros, n.ones = n.zeros|m.zeros, n.ones|m.ones
	if m.Step > n.Step {
		n.Step, n.rem = m.Step, m.rem
	}
	return n.settle()
}

// join is what is known of a number that is one or the other.
func join(x, y Number) Number {
	if x.Width != y.Width {
		return Any(0)
	}
	n := Number{Width: x.Width, Low: min(x.Low, y.Low), High: max(x.High, y.High), zeros: x.zeros & y.zeros, ones: x.ones & y.ones, Step: 1}
	sx, rx := x.congruence()
	sy, ry := y.congruence()
	if d := rx - ry; (d < 0) == (rx < ry) && d != math.MinInt64 {
		n = n.stepped(gcd(gcd(sx, sy), max(d, -d)), rx)
	}
	return n.settle()
}

// signed reads bits as a signed number.
func signed(width int, x uint64) int64 { return int64(x<<(64-width)) >> (64 - width) }
