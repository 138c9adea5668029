package lp

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Int is an exact integer. It is kept as an int64 while it fits and as a big
// integer otherwise; the two forms never hold the same value. The zero Int is 0.
type Int struct {
	v int64
	b *big.Int // nil, or a value that no int64 holds; never changed
}

// NewInt returns v.
func NewInt(v int64) Int { return Int{v: v} }

// BigInt returns a copy of b.
func BigInt(b *big.Int) Int { return fromBig(new(big.Int).Set(b)) }

// fromBig takes b over.
func fromBig(b *big.Int) Int {
	if b.IsInt64() {
		return Int{v: b.Int64()}
	}
	return Int{b: b}
}

// Big returns x as a big integer of its own.
func (x Int) Big() *big.Int {
	if x.b != nil {
		return new(big.Int).Set(x.b)
	}
	return big.NewInt(x.v)
}

// big is Big, to be read only.
func (x Int) big() *big.Int {
	if x.b != nil {
		return x.b
	}
	return big.NewInt(x.v)
}

// Int64 returns x if it fits.
func (x Int) Int64() (int64, bool) { return x.v, x.b == nil }

// String writes x in decimal.
func (x Int) String() string {
	if x.b != nil {
		return x.b.String()
	}
	return strconv.FormatInt(x.v, 10)
}

// ParseInt reads decimal digits.
func ParseInt(digits string) (Int, bool) {
	if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return Int{v: v}, true
	}
	b, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return Int{}, false
	}
	return fromBig(b), true
}

// Sign is -1, 0 or 1.
func (x Int) Sign() int {
	switch {
	case x.b != nil:
		return x.b.Sign()
	case x.v < 0:
		return -1
	case x.v > 0:
		return 1
	}
	return 0
}

// IsZero reports 0.
func (x Int) IsZero() bool { return x.b == nil && x.v == 0 }

// IsOne reports 1.
func (x Int) IsOne() bool { return x.b == nil && x.v == 1 }

// IsUnit reports 1 and -1.
func (x Int) IsUnit() bool { return x.b == nil && (x.v == 1 || x.v == -1) }

// Cmp compares x and y as Sign does x - y.
func (x Int) Cmp(y Int) int {
	if x.b == nil && y.b == nil {
		switch {
		case x.v < y.v:
			return -1
		case x.v > y.v:
			return 1
		}
		return 0
	}
	return x.big().Cmp(y.big())
}

// Equal is faster than Cmp.
func (x Int) Equal(y Int) bool {
	return x.b == nil && y.b == nil && x.v == y.v || x.b != nil && x.Cmp(y) == 0
}

// Add returns x + y.
func (x Int) Add(y Int) Int {
	if x.b == nil && y.b == nil {
		if s := x.v + y.v; (s^x.v)&(s^y.v) >= 0 {
			return Int{v: s}
		}
	}
	return addSlow(x, y)
}

func addSlow(x, y Int) Int { return fromBig(new(big.Int).Add(x.big(), y.big())) }

// Sub returns x - y.
func (x Int) Sub(y Int) Int {
	if x.b == nil && y.b == nil {
		if d := x.v - y.v; (x.v^y.v)&(x.v^d) >= 0 {
			return Int{v: d}
		}
	}
	return subSlow(x, y)
}

func subSlow(x, y Int) Int { return fromBig(new(big.Int).Sub(x.big(), y.big())) }

// Neg returns -x.
func (x Int) Neg() Int {
	if x.b == nil && x.v != math.MinInt64 {
		return Int{v: -x.v}
	}
	return fromBig(new(big.Int).Neg(x.big()))
}

// Abs returns |x|.
func (x Int) Abs() Int {
	if x.Sign() < 0 {
		return x.Neg()
	}
	return x
}

// mul64 returns a * b; ok is false if that overflows.
func mul64(a, b int64) (p int64, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a
	return int64(lo), high == int64(lo)>>63
}

// Mul returns x * y.
func (x Int) Mul(y Int) Int {
	if x.b == nil && y.b == nil {
		if p, ok := mul64(x.v, y.v); ok {
			return Int{v: p}
		}
	}
	return fromBig(new(big.Int).Mul(x.big(), y.big()))
}

// FloorDiv returns the largest integer that is at most x / y. y must not be 0.
func (x Int) FloorDiv(y Int) Int {
	if x.b == nil && y.b == nil && (y.v != -1 || x.v != math.MinInt64) {
		q := x.v / y.v
		if x.v%y.v != 0 && (x.v < 0) != (y.v < 0) {
			q--
		}
		return Int{v: q}
	}
	q, r := new(big.Int).QuoRem(x.big(), y.big(), new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return fromBig(q)
}

// CeilDiv returns the smallest integer that is at least x / y.
func (x Int) CeilDiv(y Int) Int { return x.Neg().FloorDiv(y).Neg() }

// Mod returns x - y floor(x / y).
func (x Int) Mod(y Int) Int { return x.Sub(y.Mul(x.FloorDiv(y))) }

// Quo returns x / y where y divides x.
func (x Int) Quo(y Int) Int {
	if x.b == nil && y.b == nil && (y.v != -1 || x.v != math.MinInt64) {
		return Int{v: x.v / y.v}
	}
	return fromBig(new(big.Int).Quo(x.big(), y.big()))
}

// Divides reports that x divides y; x is not 0.
func (x Int) Divides(y Int) bool {
	if x.b == nil && y.b == nil {
		return x.v == -1 || y.v%x.v == 0
	}
	return new(big.Int).Rem(y.big(), x.big()).Sign() == 0
}

// GCD returns the greatest common divisor, which is not negative; of 0 and x it is |x|.
func (x Int) GCD(y Int) Int {
	if x.b == nil && y.b == nil && x.v != math.MinInt64 && y.v != math.MinInt64 {
		a, b := max(x.v, -x.v), max(y.v, -y.v)
		for b > math.MaxUint32 {
			a, b = b, a%b
		}
		if b == 0 {
			return Int{v: a}
		}
		c, d := uint32(b), uint32(a%b) // divides faster
		for d != 0 {
			c, d = d, c%d
		}
		return Int{v: int64(c)}
	}
	a, b := new(big.Int).Abs(x.big()), new(big.Int).Abs(y.big())
	return fromBig(new(big.Int).GCD(nil, nil, a, b))
}

// LCM returns the least common multiple of two integers other than 0.
func (x Int) LCM(y Int) Int { return x.Quo(x.GCD(y)).Mul(y).Abs() }

// Rat is a rational number: Num / Den in lowest terms, Den > 0.
type Rat struct{ Num, Den Int }

// NewRat reduces a fraction; den is not 0.
func NewRat(num, den Int) Rat {
	if den.Sign() < 0 {
		num, den = num.Neg(), den.Neg()
	}
	if g := num.GCD(den); !g.IsOne() {
		num, den = num.Quo(g), den.Quo(g)
	}
	return Rat{num, den}
}

// Floor returns the largest integer that is at most r, Ceil the smallest that is at least r.
func (r Rat) Floor() Int { return r.Num.FloorDiv(r.Den) }

// Ceil returns the smallest integer that is at least r.
func (r Rat) Ceil() Int { return r.Num.CeilDiv(r.Den) }

// IsInt reports that r is an integer.
func (r Rat) IsInt() bool { return r.Den.IsOne() }

// Sign is -1, 0 or 1.
func (r Rat) Sign() int { return r.Num.Sign() }

// Cmp compares r and s.
func (r Rat) Cmp(s Rat) int { return r.Num.Mul(s.Den).Cmp(s.Num.Mul(r.Den)) }

// Add returns r + s.
func (r Rat) Add(s Rat) Rat { return NewRat(r.Num.Mul(s.Den).Add(s.Num.Mul(r.Den)), r.Den.Mul(s.Den)) }

// Mul returns r * s.
func (r Rat) Mul(s Rat) Rat { return NewRat(r.Num.Mul(s.Num), r.Den.Mul(s.Den)) }

// Neg returns -r.
func (r Rat) Neg() Rat { return Rat{r.Num.Neg(), r.Den} }

// String writes n or n/d.
func (r Rat) String() string {
	if r.IsInt() {
		return r.Num.String()
	}
	return r.Num.String() + "/" + r.Den.String()
}
