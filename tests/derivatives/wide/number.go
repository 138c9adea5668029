package wide

import (
	"math"
	"math/big"
	"sync"

	"github.com/irc-lang/irc/tests/libm/ref"
)

// number is an extended real number of ref.Prec bits; nil is NaN.
type number = *big.Float

// irrational are numbers that rules round to f64, by what they round to.
var irrational = sync.OnceValue(func() map[float64]number {
	out, pi, ln2 := map[float64]number{}, ref.Pi(), ref.Ln2()
	for _, x := range []number{
		ln2, ref.Quo(ref.New(1), ln2), ref.Quo(ref.New(1), ref.Ln10()),
		ref.Quo(ref.New(2), ref.Sqrt(pi)), ref.Scale(ref.Log(ref.Scale(pi, 1)), -1),
	} {
		y, _ := x.Float64()
		out[y], out[-y] = x, ref.Neg(x)
	}
	return out
})

// numberOf is what a constant stands for.
func numberOf(x float64) number {
	if math.IsNaN(x) {
		return nil
	}
	if y, ok := irrational()[x]; ok {
		return y
	}
	return ref.New(x)
}

var zero = ref.New(0)

func inf(sign int) number { return new(big.Float).SetInf(sign < 0) }

// sum is x + y.
func sum(x, y number) number {
	if x == nil || y == nil || x.IsInf() && y.IsInf() && x.Signbit() != y.Signbit() {
		return nil
	}
	return ref.Add(x, y)
}

// minus is -x.
func minus(x number) number {
	if x == nil {
		return nil
	}
	return ref.Neg(x)
}

// product is x * y.
func product(x, y number) number {
	if x == nil || y == nil || x.IsInf() && y.Sign() == 0 || y.IsInf() && x.Sign() == 0 {
		return nil
	}
	return ref.Mul(x, y)
}

// quotient is x / y.
func quotient(x, y number) number {
	if x == nil || y == nil || x.IsInf() && y.IsInf() || x.Sign() == 0 && y.Sign() == 0 {
		return nil
	}
	return ref.Quo(x, y)
}

// compare is the order of two numbers: -1, 0 or 1, and 2 where one is NaN.
func compare(x, y number) int {
	if x == nil || y == nil {
		return 2
	}
	return x.Cmp(y)
}

// compareFloats is compare in f64.
func compareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return 2
}
