package arith

import (
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

func mask(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

func sext(w int, x uint64) int64 { return ir.Val{Bits: x}.Int(w) }

// fits reports that the 128-bit signed number hi:lo is one of w bits.
func fits(w int, hi, lo uint64) bool {
	return hi == uint64(int64(lo)>>63) && sext(w, lo) == int64(lo)
}

func addi(w int, x, y uint64, f Overflow) (uint64, bool) {
	s, carry := bits.Add64(x, y, 0)
	if f&NUW != 0 && (carry != 0 || s > mask(w)) {
		return 0, false
	}
	if f&NSW != 0 {
		lo, c := bits.Add64(uint64(sext(w, x)), uint64(sext(w, y)), 0)
		hi, _ := bits.Add64(uint64(sext(w, x)>>63), uint64(sext(w, y)>>63), c)
		if !fits(w, hi, lo) {
			return 0, false
		}
	}
	return s, true
}

func subi(w int, x, y uint64, f Overflow) (uint64, bool) {
	if f&NUW != 0 && x < y {
		return 0, false
	}
	if f&NSW != 0 {
		lo, c := bits.Sub64(uint64(sext(w, x)), uint64(sext(w, y)), 0)
		hi, _ := bits.Sub64(uint64(sext(w, x)>>63), uint64(sext(w, y)>>63), c)
		if !fits(w, hi, lo) {
			return 0, false
		}
	}
	return x - y, true
}

// mulSigned is the 128-bit product of signed numbers.
func mulSigned(x, y int64) (hi, lo uint64) {
	hi, lo = bits.Mul64(uint64(x), uint64(y))
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return hi, lo
}

func muli(w int, x, y uint64, f Overflow) (uint64, bool) {
	hi, lo := bits.Mul64(x, y)
	if f&NUW != 0 && (hi != 0 || lo > mask(w)) {
		return 0, false
	}
	if f&NSW != 0 {
		if shi, slo := mulSigned(sext(w, x), sext(w, y)); !fits(w, shi, slo) {
			return 0, false
		}
	}
	return lo, true
}

// shli: nuw promises that only zeros are shifted out, nsw that only copies of the
// sign of the result are.
func shli(w int, x, y uint64, f Overflow) (uint64, bool) {
	if y >= uint64(w) {
		return 0, false
	}
	z := x << y & mask(w)
	if f&NUW != 0 && z>>y != x {
		return 0, false
	}
	if f&NSW != 0 && sext(w, z)>>y != sext(w, x) {
		return 0, false
	}
	return z, true
}

func shrui(w int, x, y uint64, _ Overflow) (uint64, bool) {
	if y >= uint64(w) {
		return 0, false
	}
	return x >> y, true
}

func shrsi(w int, x, y uint64, _ Overflow) (uint64, bool) {
	if y >= uint64(w) {
		return 0, false
	}
	return uint64(sext(w, x) >> y), true
}

func maxsi(w int, x, y uint64, _ Overflow) (uint64, bool) {
	return uint64(max(sext(w, x), sext(w, y))), true
}

func minsi(w int, x, y uint64, _ Overflow) (uint64, bool) {
	return uint64(min(sext(w, x), sext(w, y))), true
}

func adduiExtended(w int, x, y uint64) (sum, overflow uint64) {
	s, carry := bits.Add64(x, y, 0)
	if s > mask(w) {
		carry = 1
	}
	return s, carry
}

func muluiExtended(w int, x, y uint64) (low, high uint64) {
	hi, lo := bits.Mul64(x, y)
	return lo, upper(w, hi, lo)
}

func mulsiExtended(w int, x, y uint64) (low, high uint64) {
	hi, lo := mulSigned(sext(w, x), sext(w, y))
	return lo, upper(w, hi, lo)
}

// upper returns hi:lo shifted right by w.
func upper(w int, hi, lo uint64) uint64 {
	if w >= 64 {
		return hi
	}
	return hi<<(64-w) | lo>>w
}

// divEval checks what makes a division trap and leaves the rest to f. A divisor
// of poison may be zero, so it traps too; as a dividend poison is passed on.
func divEval(signed bool, f func(w int, x, y uint64) uint64) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		w, ok := elementwise.Width(c, 0)
		if !ok {
			return ir.Val{}, ir.ErrNoValue
		}
		return elementwise.LiftPoison(args, func(v []ir.Val) (ir.Val, error) {
			x, y := v[0], v[1]
			switch {
			case y.IsPoison():
				return ir.Val{}, ir.Trapf("%s: division by poison", c.Def.Name)
			case y.Bits == 0:
				return ir.Val{}, ir.Trapf("%s: division by zero", c.Def.Name)
			case signed && y.Bits == mask(w) && (x.IsPoison() || x.Bits == 1<<(w-1)):
				return ir.Val{}, ir.Trapf("%s: signed overflow", c.Def.Name)
			case x.IsPoison():
				return elementwise.Poisoned, nil
			}
			return ir.IntVal(int64(f(w, x.Bits, y.Bits)), w), nil
		})
	}
}

// mayTrap: a divisor that cannot be 0 (and, if signed, -1) never traps. It goes by
// constants, and by what is certain wherever the divisor is.
func mayTrap(c *ir.Call, signed bool) bool {
	w, ok := elementwise.Width(c, 1)
	if !ok {
		return true
	}
	v, isConst := c.Const(1)
	if !isConst {
		y := affine.In(c.Builder()).Certain().Number(c.Args[1])
		return !(y.Low > 0 || y.High < -1 || y.High < 0 && !signed)
	}
	bad := func(d ir.Val) bool {
		return d.Ref != nil || d.Bits == 0 || signed && d.Bits == mask(w)
	}
	vec, isVec := v.Ref.(ir.Vector)
	if !isVec {
		return bad(v)
	}
	return slices.ContainsFunc(vec, bad)
}

func divui(_ int, x, y uint64) uint64 { return x / y }
func remui(_ int, x, y uint64) uint64 { return x % y }

func divsi(w int, x, y uint64) uint64 { return uint64(sext(w, x) / sext(w, y)) }
func remsi(w int, x, y uint64) uint64 { return uint64(sext(w, x) % sext(w, y)) }

func ceildivui(_ int, x, y uint64) uint64 {
	if x%y != 0 {
		return x/y + 1
	}
	return x / y
}

func ceildivsi(w int, x, y uint64) uint64 {
	a, b := sext(w, x), sext(w, y)
	q := a / b
	if a%b != 0 && (a < 0) == (b < 0) {
		q++
	}
	return uint64(q)
}

func floordivsi(w int, x, y uint64) uint64 {
	a, b := sext(w, x), sext(w, y)
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return uint64(q)
}
