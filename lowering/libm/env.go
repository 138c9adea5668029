package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	md "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

type val = ir.Value

// poly is a polynomial for f32 and f64: coefficients from the constant up, each
// after what rounding took from the constant one.
type poly struct {
	lo32 float64
	f32  []float64
	lo64 float64
	f64  []float64
}

// twice is a polynomial by 2, which is exact.
func (p poly) twice() poly {
	by2 := func(c []float64) (out []float64) {
		return lists.Map(c, func(x float64) float64 { return 2 * x })
	}
	return poly{2 * p.lo32, by2(p.f32), 2 * p.lo64, by2(p.f64)}
}

// parts is a constant as a sum of four f32, or of four f64.
type parts struct{ f32, f64 []float64 }

// env makes ops on f32 or f64, or static vectors of them.
type env struct {
	b        *ir.Builder
	t, it    ir.Type // the type of values, and integers of its width and shape
	double   bool    // f64
	vector   bool
	mant     int     // bits of the fraction
	bias     int64   // of the exponent
	minNorm  float64 // least normal number
	maxExp   int     // 2^maxExp overflows
	magic    float64 // added, it rounds to an integer, which is then in the low bits
	tiny     float64 // below it, x + O(x^2) is x
	fraction uint64  // mask
}

// newEnv makes ops of type t, whose elements are f32 or f64.
func newEnv(b *ir.Builder, t ir.Type) *env {
	elem := b.Ctx().ElemOrSelf(t)
	e := &env{b: b, t: t, double: elem == ir.F64, vector: elem != t}
	it := ir.I32
	e.mant, e.bias, e.minNorm, e.maxExp, e.magic, e.tiny = 23, 127, 0x1p-126, 128, 0x1.8p23, 0x1p-30
	if e.double {
		it = ir.I64
		e.mant, e.bias, e.minNorm, e.maxExp, e.magic, e.tiny = 52, 1023, 0x1p-1022, 1024, 0x1.8p52, 0x1p-60
	}
	e.fraction = 1<<e.mant - 1
	e.it = elementwise.WithElem(b.Ctx(), t, it)
	return e
}

// by is x for f32, y for f64.
func (e *env) by(x, y float64) float64 {
	if e.double {
		return y
	}
	return x
}

func (e *env) num(x float64) val {
	return e.b.Splat(e.t, ir.FloatToBits(x, e.b.Ctx().ElemOrSelf(e.t)))
}

func (e *env) part(p parts, i int) val { return e.num(e.raw(p, i)) }

func (e *env) raw(p parts, i int) float64 {
	if e.double {
		return p.f64[i]
	}
	return p.f32[i]
}

func (e *env) int(n int64) val { return e.b.Splat(e.it, e.cut(uint64(n))) }

// cut keeps the bits of the integer type.
func (e *env) cut(n uint64) uint64 {
	if e.double {
		return n
	}
	return uint64(uint32(n))
}

func (e *env) fn(d *ir.OpDef, x ...val) val { return arith.Float(e.b, d, 0, x...) }
func (e *env) add(x, y val) val             { return arith.AddF(e.b, x, y) }
func (e *env) sub(x, y val) val             { return arith.SubF(e.b, x, y) }
func (e *env) mul(x, y val) val             { return arith.MulF(e.b, x, y) }
func (e *env) div(x, y val) val             { return arith.DivF(e.b, x, y) }
func (e *env) neg(x val) val                { return arith.NegF(e.b, x) }
func (e *env) fma(x, y, z val) val          { return e.fn(md.Fma, x, y, z) }
func (e *env) abs(x val) val                { return e.fn(md.Absf, x) }
func (e *env) sqrt(x val) val               { return e.fn(md.Sqrt, x) }
func (e *env) floor(x val) val              { return e.fn(md.Floor, x) }
func (e *env) copysign(x, s val) val        { return e.fn(md.Copysign, x, s) }
func (e *env) times(x val, c float64) val   { return e.mul(x, e.num(c)) }

func (e *env) pick(c, x, y val) val { return arith.Choose(e.b, c, x, y) }
func (e *env) cmp(p arith.CmpFPredicate, x val, y float64) val {
	return arith.CmpF(e.b, p, x, e.num(y))
}
func (e *env) lt(x val, y float64) val { return e.cmp(arith.OLT, x, y) }
func (e *env) ge(x val, y float64) val { return e.cmp(arith.OGE, x, y) }
func (e *env) gt(x val, y float64) val { return e.cmp(arith.OGT, x, y) }
func (e *env) eq(x val, y float64) val { return e.cmp(arith.OEQ, x, y) }
func (e *env) less(x, y val) val       { return arith.CmpF(e.b, arith.OLT, x, y) }
func (e *env) isNaN(x val) val         { return arith.CmpF(e.b, arith.UNO, x, x) }
func (e *env) or(x, y val) val         { return e.b.Op(arith.Ori, x, y) }
func (e *env) and(x, y val) val        { return e.b.Op(arith.Andi, x, y) }

// clamp is x within [lo, hi]; NaN stays.
func (e *env) clamp(x val, lo, hi float64) val {
	x = e.pick(e.lt(x, lo), e.num(lo), x)
	return e.pick(e.gt(x, hi), e.num(hi), x)
}

func (e *env) bits(x val) val    { return arith.Cast(e.b, arith.Bitcast, x, e.it) }
func (e *env) float(i val) val   { return arith.Cast(e.b, arith.Bitcast, i, e.t) }
func (e *env) addi(x, y val) val { return arith.AddI(e.b, x, y) }
func (e *env) subi(x, y val) val { return arith.SubI(e.b, x, y) }
func (e *env) muli(x, y val) val { return arith.MulI(e.b, x, y) }
func (e *env) shl(x val, n int) val {
	return arith.Int(e.b, arith.Shli, 0, x, e.int(int64(n)))
}
func (e *env) shr(x val, n int) val { return e.b.Op(arith.Shrui, x, e.int(int64(n))) }
func (e *env) sar(x val, n int) val { return e.b.Op(arith.Shrsi, x, e.int(int64(n))) }
func (e *env) mask(x val, m uint64) val {
	return e.b.Op(arith.Andi, x, e.int(int64(m)))
}

// bit reports that bit n of an integer is set.
func (e *env) bit(x val, n int) val {
	return arith.CmpI(e.b, arith.NE, e.mask(x, 1<<n), e.int(0))
}

// round is the nearest integer to x*c as a float and, in its low bits, as an
// integer; |x*c| must be below 2^(mant-2).
func (e *env) round(x val, c val) (float, bits val) {
	t := e.fma(x, c, e.num(e.magic))
	return e.sub(t, e.num(e.magic)), e.bits(t)
}

func (e *env) magicBits() int64 {
	if e.double {
		return int64(math.Float64bits(e.magic))
	}
	return int64(math.Float32bits(float32(e.magic)))
}

// toInt is the integer that round left in low bits.
func (e *env) toInt(bits val) val { return e.subi(bits, e.int(e.magicBits())) }

// toFloat is a small integer as a float (|n| < 2^(mant-1)): no machine converts
// vectors of 64-bit integers before AVX-512.
func (e *env) toFloat(n val) val {
	return e.sub(e.float(e.addi(n, e.int(e.magicBits()))), e.num(e.magic))
}

// pow2 is 2^k for the integer k in the low bits, -bias < k <= bias + 1.
func (e *env) pow2(k val) val { return e.float(e.shl(e.addi(k, e.int(e.bias)), e.mant)) }

// ldexp is x * 2^k, |k| at most twice the bias, rounded at most twice.
func (e *env) ldexp(x, k val) val {
	half := e.sar(k, 1)
	return e.mul(e.mul(x, e.pow2(half)), e.pow2(e.subi(k, half)))
}

// branch is then() where cond holds, else els(). A scalar takes one of them; for
// vectors both are computed.
func (e *env) branch(cond val, then, els func() []val) []val {
	if !e.vector {
		return e.b.Results(scf.BuildIf(e.b, cond, then, els))
	}
	x, y := then(), els()
	for i := range x {
		x[i] = e.pick(cond, x[i], y[i])
	}
	return x
}

func (e *env) coefs(p poly) ([]float64, float64) {
	if e.double {
		return p.f64, p.lo64
	}
	return p.f32, p.lo32
}

// horner is a polynomial.
func (e *env) horner(z val, p poly) val {
	c, _ := e.coefs(p)
	return e.hornerOf(z, c)
}

func (e *env) hornerOf(z val, c []float64) val {
	s := e.num(c[len(c)-1])
	for k := len(c) - 2; k >= 0; k-- {
		s = e.fma(s, z, e.num(c[k]))
	}
	return s
}

// estrin is a polynomial whose parts do not wait for each other (Estrin 1960): it takes log2 of its length steps, and as
// many products more.
func (e *env) estrin(z val, p poly) val {
	c, _ := e.coefs(p)
	terms := lists.Map(c, e.num)
	for ; len(terms) > 1; z = e.mul(z, z) {
		n := 0
		for i := 0; i < len(terms); i, n = i+2, n+1 {
			if terms[n] = terms[i]; i+1 < len(terms) {
				terms[n] = e.fma(terms[i+1], z, terms[i])
			}
		}
		terms = terms[:n]
	}
	return terms[0]
}

// inf and nan are constants.
func (e *env) inf() val { return e.num(math.Inf(1)) }
func (e *env) nan() val { return e.num(math.NaN()) }
