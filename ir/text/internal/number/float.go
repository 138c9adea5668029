package number

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// floatFormat is a binary float format with sign, exponent and mantissa, in
// that order from the top.
type floatFormat struct {
	exp, man, bias int
	finite         bool // no infinity: all ones is the only NaN
	unsignedZero   bool // finite, and the pattern of -0 is the only NaN
}

var floatFormats = map[string]floatFormat{
	"f16":           {exp: 5, man: 10, bias: 15},
	"bf16":          {exp: 8, man: 7, bias: 127},
	"tf32":          {exp: 8, man: 10, bias: 127},
	"f32":           {exp: 8, man: 23, bias: 127},
	"f64":           {exp: 11, man: 52, bias: 1023},
	"f8E5M2":        {exp: 5, man: 2, bias: 15},
	"f8E4M3":        {exp: 4, man: 3, bias: 7},
	"f8E3M4":        {exp: 3, man: 4, bias: 3},
	"f8E4M3FN":      {exp: 4, man: 3, bias: 7, finite: true},
	"f8E5M2FNUZ":    {exp: 5, man: 2, bias: 16, finite: true, unsignedZero: true},
	"f8E4M3FNUZ":    {exp: 4, man: 3, bias: 8, finite: true, unsignedZero: true},
	"f8E4M3B11FNUZ": {exp: 4, man: 3, bias: 11, finite: true, unsignedZero: true},
}

func FormatOf(name string) (floatFormat, bool) {
	f, ok := floatFormats[name]
	return f, ok
}

func (f floatFormat) width() int { return 1 + f.exp + f.man }

func (f floatFormat) nan() uint64 {
	switch {
	case f.unsignedZero:
		return 1 << (f.exp + f.man)
	case f.finite:
		return 1<<(f.exp+f.man) - 1
	}
	return (1<<f.exp-1)<<f.man | 1<<(f.man-1)
}

// Round returns the pattern nearest to the f64 nearest to a decimal, ties to
// even: MLIR reads decimals of every format as f64.
func (f floatFormat) Round(text string, neg bool) uint64 {
	x, _ := strconv.ParseFloat(text, 64) // out of range gives the right infinity
	sign := uint64(0)
	if neg {
		sign = 1 << (f.exp + f.man)
	}
	bits, overflow := f.magnitude(new(big.Float).SetFloat64(x))
	switch {
	case overflow && f.finite:
		return f.nan() // MLIR's formats without infinity overflow to NaN
	case bits == 0 && f.unsignedZero:
		return 0
	}
	return sign | bits
}

// magnitude rounds a positive number.
func (f floatFormat) magnitude(x *big.Float) (bits uint64, overflow bool) {
	inf := uint64(1<<f.exp-1) << f.man
	if x.IsInf() {
		return inf, true
	}
	if x.Sign() == 0 {
		return 0, false
	}
	e := x.MantExp(nil) - 1 // x = 1.m * 2^e
	e = max(e, 1-f.bias)
	q := new(big.Float).SetMantExp(x, f.man-e) // in units of the last place
	n := roundInt(q)
	if e == 1-f.bias {
		bits = n
	} else {
		bits = n + uint64(e+f.bias-1)<<f.man
	}
	switch last := uint64(1)<<(f.exp+f.man) - 1; {
	case f.unsignedZero:
		overflow = bits > last
	case f.finite:
		overflow = bits >= last
	default:
		overflow = bits >= inf
		bits = min(bits, inf)
	}
	return bits, overflow
}

// roundInt rounds a number below 2^60 to an integer, ties to even.
func roundInt(q *big.Float) uint64 {
	n, _ := q.Uint64()
	rest := new(big.Float).Sub(q, new(big.Float).SetUint64(n))
	switch c := rest.Cmp(big.NewFloat(0.5)); {
	case c > 0, c == 0 && n&1 == 1:
		n++
	}
	return n
}

// split returns the value of a pattern as m * 2^e; ok is false for infinities
// and NaNs.
func (f floatFormat) split(bits uint64) (neg bool, m uint64, e int, ok bool) {
	neg = bits>>(f.exp+f.man)&1 == 1
	be := int(bits >> f.man & (1<<f.exp - 1))
	m = bits & (1<<f.man - 1)
	abs := bits & (1<<(f.exp+f.man) - 1)
	switch {
	case f.unsignedZero:
		ok = abs != 0 || !neg
	case f.finite:
		ok = abs != 1<<(f.exp+f.man)-1
	default:
		ok = be != 1<<f.exp-1
	}
	if be == 0 {
		be = 1
	} else {
		m |= 1 << f.man
	}
	return neg, m, be - f.bias - f.man, ok
}

// Text prints a pattern as MLIR does: with six digits if that reads back
// as the same number, else with all that are needed, and as the pattern itself
// if that would have no point or the value is no finite number.
func (f floatFormat) Text(bits uint64) string {
	neg, m, e, ok := f.split(bits)
	if !ok {
		return f.hex(bits)
	}
	s := apfloat(neg, m, e, 6, true)
	if f.reads(s, bits) {
		return s
	}
	if s = apfloat(neg, m, e, 2+(f.man+1)*59/196, false); strings.IndexByte(s, '.') >= 0 {
		return s
	}
	return f.hex(bits)
}

// reads reports that a decimal is read as the given pattern.
func (f floatFormat) reads(s string, bits uint64) bool {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if f.man == 52 {
		x, err := strconv.ParseFloat(s, 64)
		want := bits &^ (1 << 63)
		return err == nil && math.Float64bits(x) == want
	}
	return f.Round(s, neg) == bits
}

func (f floatFormat) hex(bits uint64) string {
	return "0x" + strings.ToUpper(PadHex(strconv.FormatUint(bits, 16), (f.width()+3)/4))
}

// apfloat prints m * 2^e with at most prec digits as LLVM's APFloat::toString
// does: it first cuts the number to little more than prec digits, without
// rounding, then rounds half up in decimal. With sci it always writes an
// exponent, prec digits after the point and at least two in the exponent;
// otherwise it pads with up to 3 zeros before it does.
func apfloat(neg bool, m uint64, e, prec int, sci bool) string {
	sign := ""
	if neg {
		sign = "-"
	}
	if m == 0 {
		if sci {
			return sign + "0." + strings.Repeat("0", prec) + "e+00"
		}
		return sign + "0.0E+0"
	}
	n := new(big.Int).SetUint64(m)
	exp := 0
	for n.Bit(0) == 0 {
		n.Rsh(n, 1)
		e++
	}
	if e >= 0 {
		n.Lsh(n, uint(e))
	} else {
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil))
		exp = e
	}
	if need := (prec*196 + 58) / 59; n.BitLen() > need {
		if tens := (n.BitLen() - need) * 59 / 196; tens > 0 {
			n.Quo(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
			exp += tens
		}
	}
	digits := n.String()
	if len(digits) > prec {
		digits, exp = roundDigits(digits, exp, prec)
	}
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exp++
	}
	if sci {
		return sign + scientific(digits, exp, prec)
	}
	return sign + plain(digits, exp, prec)
}

// roundDigits keeps prec digits, rounded half up.
func roundDigits(digits string, exp, prec int) (string, int) {
	exp += len(digits) - prec
	up := digits[prec] >= '5'
	b := []byte(digits[:prec])
	if !up {
		return string(b), exp
	}
	for i := prec - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b), exp
		}
		b[i] = '0'
	}
	return "1", exp + prec
}

func scientific(digits string, exp, prec int) string {
	exp += len(digits) - 1
	s := digits[:1] + "." + digits[1:] + strings.Repeat("0", max(prec-len(digits)+1, 0)) + "e"
	if exp < 0 {
		s += "-"
		exp = -exp
	} else {
		s += "+"
	}
	if exp < 10 {
		s += "0"
	}
	return s + strconv.Itoa(exp)
}

// plain is APFloat's shortest form with its default padding of 3.
func plain(digits string, exp, prec int) string {
	const padding = 3
	n := len(digits)
	switch msd := exp + n - 1; {
	case exp >= 0 && (exp > padding || n+exp > prec), exp < 0 && msd < 0 && -msd > padding:
		frac := digits[1:]
		if frac == "" {
			frac = "0"
		}
		if msd >= 0 {
			return digits[:1] + "." + frac + "E+" + strconv.Itoa(msd)
		}
		return digits[:1] + "." + frac + "E" + strconv.Itoa(msd)
	case exp >= 0:
		return digits + strings.Repeat("0", exp)
	case n+exp > 0:
		return digits[:n+exp] + "." + digits[n+exp:]
	default:
		return "0." + strings.Repeat("0", -(n+exp)) + digits
	}
}
