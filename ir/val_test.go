package ir

import (
	"math"
	"math/big"
	"testing"
)

// narrowFormats are the formats of 16 bits: digits after the point, and the bias of
// the exponent.
var narrowFormats = map[Type]struct{ digits, bias int }{BF16: {7, 127}, F16: {10, 15}}

// meaning is the value of a pattern by the definition of IEEE 754.
func meaning(bits uint64, t Type) float64 {
	f := narrowFormats[t]
	sign, exp, frac := 1-2*float64(bits>>15), int(bits&0x7FFF)>>f.digits, bits&(1<<f.digits-1)
	switch {
	case exp == 2*f.bias+1 && frac != 0:
		return math.NaN()
	case exp == 2*f.bias+1:
		return math.Inf(int(sign))
	case exp == 0:
		return sign * math.Ldexp(float64(frac), 1-f.bias-f.digits)
	}
	return sign * math.Ldexp(float64(frac|1<<f.digits), exp-f.bias-f.digits)
}

// Each of the 2^16 values of a format is what its definition says, and between it and
// the next one the numbers below the middle go to the one, those above to the other,
// and the middle to the even one.
func TestNarrowFloats(t *testing.T) {
	for typ := range narrowFormats {
		for bits := range uint64(1 << 16) {
			x := meaning(bits, typ)
			got := BitsToFloat(bits, typ)
			if math.Float64bits(got) != math.Float64bits(x) && !(math.IsNaN(x) && math.IsNaN(got)) {
				t.Fatalf("type %d: %#04x is %v, want %v", typ, bits, got, x)
			}
			back := FloatToBits(x, typ)
			if math.IsNaN(x) && !math.IsNaN(meaning(back, typ)) || !math.IsNaN(x) && back != bits {
				t.Fatalf("type %d: %v becomes %#04x, want %#04x", typ, x, back, bits)
			}
			next := bits + 1
			y := meaning(next, typ)
			if math.IsNaN(x) || math.IsInf(x, 0) || bits == 0x7FFF || math.IsNaN(y) {
				continue
			}
			if math.IsInf(y, 0) { // as if the exponents went on
				y = x + (x - meaning(bits-1, typ))
			}
			mid := (x + y) / 2 // which f64 holds
			even := bits + bits&1
			for _, k := range []struct {
				x    float64
				want uint64
			}{{mid, even}, {math.Nextafter(mid, x), bits}, {math.Nextafter(mid, y), next}} {
				if got := FloatToBits(k.x, typ); got != k.want {
					t.Fatalf("type %d: %x becomes %#04x, want %#04x", typ, k.x, got, k.want)
				}
			}
		}
	}
}

// The integer that a rounding to f32 before one to bf16 gets wrong.
func TestIntegerToBF16(t *testing.T) {
	const n = 131858431
	want, _ := new(big.Float).SetPrec(8).SetMode(big.ToNearestEven).SetInt64(n).Float64()
	if got := FloatToBits(n, BF16); got != 0x4CFB || BitsToFloat(got, BF16) != want {
		t.Errorf("%#x, want 0x4cfb", got)
	}
}
