// Package decimal reads decimal numbers from text, faster than strconv and rounded alike: where a few operations are
// exact, else by strconv.
package decimal

import (
	"math"
	"math/bits"
	"strconv"
)

// powersOf10 are exact in a double.
var powersOf10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Scan reads the longest number -?digits(.digits)?(e[+-]?digits)? at the start
// of a text, as JSON, R and BUGS write numbers, rounded correctly. It returns its
// length, 0 if there is none or it is out of range; leading zeros are read, which
// JSON does not have.
//
// A whole number below 2^53 times or over a power of ten up to 22 is one operation on
// exact doubles (Clinger, "How to read floating point numbers accurately", 1990); one of
// up to 19 digits over a power up to 19, as the draws of samplers are written, is one
// division of integers; what is longer is left to strconv.
func Scan(s string) (x float64, n int) {
	i, neg := 0, false
	if i < len(s) && s[i] == '-' {
		neg, i = true, 1
	}
	start := i
	var m uint64
	for i < len(s) && s[i]-'0' <= 9 {
		m = m*10 + uint64(s[i]-'0')
		i++
	}
	digits := i - start
	if digits == 0 {
		return 0, 0
	}
	exp := 0
	if i+1 < len(s) && s[i] == '.' && s[i+1]-'0' <= 9 {
		i++
		point := i
		for i < len(s) && s[i]-'0' <= 9 {
			m = m*10 + uint64(s[i]-'0')
			i++
		}
		exp = point - i
		digits += i - point
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if e, k := scanExponent(s[i+1:]); k > 0 {
			exp += e
			i += 1 + k
		}
	}
	switch {
	case digits <= 19 && m < 1<<53 && exp >= 0 && exp <= 22:
		x = float64(m) * powersOf10[exp]
	case digits <= 19 && m < 1<<53 && exp < 0 && exp >= -22:
		x = float64(m) / powersOf10[-exp]
	case digits <= 19 && exp < 0 && -exp < len(wholePowers):
		x = over(m, wholePowers[-exp])
	default:
		x, err := strconv.ParseFloat(s[:i], 64)
		if err != nil {
			return 0, 0
		}
		return x, i
	}
	if neg {
		x = -x
	}
	return x, i
}

// wholePowers are the powers of ten below 2^64.
var wholePowers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// over is m/d, rounded to nearest, ties to even; m and d are not 0. The quotient of m and
// d, shifted so that it has 64 bits, has the 53 of the result, the one that decides the
// rounding, and with the remainder all that there is after it.
func over(m, d uint64) float64 {
	up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m, d = m<<up, d<<down
	hi, lo, exp := m, uint64(0), down-up // m/d = (hi, lo)/d * 2^(exp-64)
	if m >= d {
		hi, lo, exp = m>>1, m<<63, exp+1
	}
	q, r := bits.Div64(hi, lo, d)
	x, rest := q>>11, q&(1<<11-1)
	if rest > 1<<10 || rest == 1<<10 && (r != 0 || x&1 == 1) {
		x++
	}
	return float64(x) * math.Float64frombits(uint64(1023+exp-64+11)<<52)
}

// scanExponent reads [+-]?digits.
func scanExponent(s string) (e, n int) {
	neg := false
	if n < len(s) && (s[n] == '-' || s[n] == '+') {
		neg = s[n] == '-'
		n++
	}
	start := n
	for n < len(s) && s[n]-'0' <= 9 {
		e = min(e*10+int(s[n]-'0'), 1<<20)
		n++
	}
	if n == start {
		return 0, 0
	}
	if neg {
		e = -e
	}
	return e, n
}
