package number

import (
	"math"
	"math/big"
	"strconv"
)

// wideFormat is a float format of more than 64 bits, which is kept as its
// pattern: nothing computes with it.
type wideFormat struct {
	exp, man int
	lead     bool // the bit before the point is written, as in x87's f80
}

var WideFormats = map[string]wideFormat{
	"f80":  {exp: 15, man: 63, lead: true},
	"f128": {exp: 15, man: 112},
}

// Pattern returns the pattern of a decimal. MLIR reads decimals of every format
// as f64, all of whose numbers are normal ones of a wide format.
func (f wideFormat) Pattern(text string, neg bool) *big.Int {
	x, _ := strconv.ParseFloat(text, 64) // out of range gives infinity
	bits, width := new(big.Int), f.exp+f.man
	if f.lead {
		width++
	}
	switch {
	case math.IsInf(x, 0):
		bits = f.join(1<<f.exp-1, new(big.Int).Lsh(big.NewInt(1), uint(f.man)))
	case x != 0:
		frac, e := math.Frexp(x) // frac in [1/2, 1)
		m := big.NewInt(int64(math.Ldexp(frac, 53)))
		bits = f.join(e-1+(1<<(f.exp-1)-1), m.Lsh(m, uint(f.man-52)))
	}
	if neg {
		bits.SetBit(bits, width, 1)
	}
	return bits
}

// join puts an exponent before a mantissa that has the bit before the point.
func (f wideFormat) join(exp int, m *big.Int) *big.Int {
	shift := uint(f.man)
	if f.lead {
		shift++
	} else {
		m.SetBit(m, f.man, 0)
	}
	e := big.NewInt(int64(exp))
	return e.Or(e.Lsh(e, shift), m)
}
