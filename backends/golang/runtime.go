package golang

// integers are the types that hold integers of the IR.
const integers = "[T int | int8 | int16 | int32 | int64]"

// naturals are those without sign.
const naturals = "[T uint | uint8 | uint16 | uint32 | uint64]"

// trapping is a division that Go computes or traps on, but for the overflow.
func trapping(name, body string) string {
	return "func " + name + integers + `(x, y T) T {
	if y == -1 && x == -x && x != 0 {
		panic("irc: signed overflow")
	}
` + body + `}
`
}

// rounding is a division whose quotient goes one up or down on a condition.
func rounding(name, when, step string) string {
	return trapping(name, `	q := x / y
	if x%y != 0 && (x < 0) `+when+` (y < 0) {
		q`+step+`
	}
	return q
`)
}

// helpers are functions that a file may have at its end.
var helpers = map[string]string{
	"at": `// at is an index, if it is inside.
func at(i, n int) int {
	if uint(i) >= uint(n) {
		panic("irc: index out of bounds")
	}
	return i
}
`,
	"table": `// table is the first n elements in a text, whose bytes stand little end first.
func table[T any](data string, n int) []T {
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) != 1 {
		panic("irc: this machine has the big end first")
	}
	out := make([]T, n)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), n*int(unsafe.Sizeof(out[0]))), data)
	return out
}
`,
	"alloc": `// alloc makes memory of several sizes.
func alloc[T any](sizes ...int) []T {
	n, none, large := 1, false, false
	for _, size := range sizes {
		if size < 0 {
			panic("irc: a size of an allocation is negative")
		}
		none = none || size == 0
		large = large || n > 1<<48/max(size, 1)
		n *= max(size, 1)
	}
	if large {
		panic("irc: an allocation is too large")
	} else if none {
		n = 0
	}
	return make([]T, n)
}
`,
	"either": `// either is x if c holds, else y.
func either[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}
`,
	"rounds": `// rounds is how many rounds a loop has whose step is positive.
func rounds` + integers + `(low, high, step T) uint64 {
	if low >= high {
		return 0
	}
	return (uint64(high)-uint64(low)-1)/uint64(step) + 1
}
`,
	"div":      trapping("div", "\treturn x / y\n"),
	"rem":      trapping("rem", "\treturn x % y\n"),
	"ceildiv":  "// ceildiv rounds up.\n" + rounding("ceildiv", "==", "++"),
	"floordiv": "// floordiv rounds down.\n" + rounding("floordiv", "!=", "--"),
	"ceildivu": `// ceildivu rounds up.
func ceildivu` + naturals + `(x, y T) T { return x/y + min(x%y, 1) }
`,
	"abs": `func abs` + integers + `(x T) T {
	if x < 0 {
		return -x
	}
	return x
}
`,
	"ipowi": `// ipowi is x to the power of n; 1 / x^-n, rounded towards zero, if n is negative.
func ipowi` + integers + `(x, n T) T {
	switch {
	case n >= 0:
		r := T(1)
		for ; n != 0; n >>= 1 {
			if n&1 != 0 {
				r *= x
			}
			x *= x
		}
		return r
	case x == 1 || x == -1 && n&1 == 0:
		return 1
	case x == -1:
		return -1
	}
	return 0
}
`,
	"fpowi": `// fpowi is x to the power of n, of which a float64 may not tell whether it is odd.
func fpowi(x float64, n int64) float64 {
	p := math.Pow(math.Abs(x), float64(n))
	if n&1 != 0 {
		return math.Copysign(p, x)
	}
	return p
}
`,
	"maxnum": `// maxnum is the greater of two floats, the other one if one is a NaN.
func maxnum[T float32 | float64](x, y T) T {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return max(x, y)
}
`,
	"minnum": `// minnum is the smaller of two floats, the other one if one is a NaN.
func minnum[T float32 | float64](x, y T) T {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return min(x, y)
}
`,
	"fma32": `// fma32 is x*y + z, rounded once: the product is exact, and the sum is rounded to odd, so that rounding
// it again does no harm.
func fma32(x, y, z float32) float32 {
	p, a := float64(x)*float64(y), float64(z)
	s := p + a
	if s == 0 || math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	t := s - p
	rest := (p - (s - t)) + (a - t)
	if b := math.Float64bits(s); rest != 0 && b&1 == 0 {
		if (rest > 0) == (s > 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return float32(s)
}
`,
	"toInt": `// toInt is a float as an integer of some bits, 0 if none is it.
func toInt(x float64, bits int) int64 {
	limit := math.Ldexp(1, bits-1)
	if x = math.Trunc(x); x >= -limit && x < limit {
		return int64(x)
	}
	return 0
}
`,
	"toUint": `// toUint is a float as an integer without sign of some bits, 0 if none is it.
func toUint(x float64, bits int) uint64 {
	if x = math.Trunc(x); x >= 0 && x < math.Ldexp(1, bits) {
		return uint64(x)
	}
	return 0
}
`,
	"lgamma": `// lgamma is the logarithm of the magnitude of the gamma function.
func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}
`,
}
