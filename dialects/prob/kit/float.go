package kit

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Float computes in Go.
type Float struct{}

func (Float) Num(x float64) float64 { return x }

func (Float) Add(x, y float64) float64 { return x + y }

func (Float) Sub(x, y float64) float64 { return x - y }

func (Float) Mul(x, y float64) float64 { return x * y }

func (Float) Div(x, y float64) float64 { return x / y }

func (Float) Plus(x, y float64) float64 { return x + y }

func (Float) Minus(x, y float64) float64 { return x - y }

func (Float) Neg(x float64) float64 { return -x }

func (Float) Abs(x float64) float64 { return math.Abs(x) }

func (Float) Log(x float64) float64 { return Log(x) }

func (Float) Exp(x float64) float64 { return math.Exp(x) }

func (Float) Log1p(x float64) float64 { return math.Log1p(x) }

func (Float) Expm1(x float64) float64 { return math.Expm1(x) }

func (Float) Sqrt(x float64) float64 { return math.Sqrt(x) }

func (Float) Floor(x float64) float64 { return math.Floor(x) }
func (Float) Round(x float64) float64 { return math.RoundToEven(x) }

func (Float) Pow(x, y float64) float64 { return values.Pow(x, y) }

func (Float) And(p, q bool) bool { return p && q }

func (Float) Or(p, q bool) bool { return p || q }

func (Float) Fn(d *ir.OpDef, x ...float64) float64 { return special.Value(d, x...) }

func (Float) Holds(p arith.CmpFPredicate, x, y float64) bool {
	switch p {
	case arith.OLT:
		return x < y
	case arith.OLE:
		return x <= y
	case arith.OGT:
		return x > y
	case arith.OGE:
		return x >= y
	case arith.OEQ:
		return x == y
	case arith.ORD:
		return x == x && y == y
	}
	panic("prob: a comparison that no formula uses")
}

func (Float) Pick(p bool, x, y float64) float64 {
	if p {
		return x
	}
	return y
}

func (Float) Repeat(s []float64, more func([]float64) bool, step func([]float64) []float64) []float64 {
	for more(s) {
		s = step(s)
	}
	return s
}

var Inf = math.Inf(1)

const Log2Pi = 1.8378770664093453

// Log is the natural logarithm. Go's assembly for amd64 takes denormals for the
// least normal number.
func Log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// Lgamma is the logarithm of the gamma function of a positive number.
func Lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Sum adds from the first to the last.
func Sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// LogOfSum is the logarithm of a sum of numbers by their logarithms.
func LogOfSum(logs []float64) float64 {
	most, sum := slices.Max(logs), 0.0
	for _, x := range logs {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum)
}

func IsInteger(x float64) bool { return x == math.Trunc(x) && !math.IsInf(x, 0) }

// Xlogy is x log y, and 0 where x is 0.
func (Float) Xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * Log(y)
}

// Xlog1py is x log(1 + y), and 0 where x is 0.
func (Float) Xlog1py(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log1p(y)
}

// Branch computes one of the two.
func (Float) Branch(p bool, yes, no func() float64) float64 {
	if p {
		return yes()
	}
	return no()
}

// Rows is the number of rows of a square matrix of n elements.
func Rows(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }
