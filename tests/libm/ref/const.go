package ref

import (
	"math/big"
	"sync"
)

// atanhInv is atanh(1/n), and atanInv is atan(1/n), by their series.
func atanhInv(n int64, prec uint) F { return invSeries(n, prec, 1) }
func atanInv(n int64, prec uint) F  { return invSeries(n, prec, -1) }

func invSeries(n int64, prec uint, sign int64) F {
	prec += 32
	term := at(prec).Quo(at(prec).SetInt64(1), at(prec).SetInt64(n))
	square := at(prec).SetInt64(sign * n * n)
	sum := at(prec)
	for k := int64(1); term.MantExp(nil) > -int(prec); k += 2 {
		sum.Add(sum, at(prec).Quo(term, at(prec).SetInt64(k)))
		term.Quo(term, square)
	}
	return sum
}

// constPrec serves the reduction of the largest float64 by pi.
const constPrec = 1024 + 2*Prec

var piBits = sync.OnceValue(func() F { // Machin 1706
	x := at(constPrec).Mul(at(constPrec).SetInt64(16), atanInv(5, constPrec))
	return x.Sub(x, at(constPrec).Mul(at(constPrec).SetInt64(4), atanInv(239, constPrec)))
})

var ln2Bits = sync.OnceValue(func() F { return at(2*Prec).Mul(at(Prec).SetInt64(2), atanhInv(3, 2*Prec)) })

// Pi, Ln2, Ln10 and Euler are constants; Pi has enough bits to reduce by it.
func Pi() F { return piBits() }

// Ln2 is log 2.
func Ln2() F { return ln2Bits() }

var ln10 = sync.OnceValue(func() F { return Log(New(10)) })

// Ln10 is log 10.
func Ln10() F { return ln10() }

var bernoulliNumbers = sync.OnceValue(func() []*big.Rat {
	const n = 128
	a, b := make([]*big.Rat, n+1), make([]*big.Rat, n+1)
	for m := 0; m <= n; m++ { // Akiyama and Tanigawa's triangle
		a[m] = big.NewRat(1, int64(m+1))
		for j := m; j >= 1; j-- {
			a[j-1] = new(big.Rat).Mul(big.NewRat(int64(j), 1), new(big.Rat).Sub(a[j-1], a[j]))
		}
		b[m] = new(big.Rat).Set(a[0])
	}
	return b
})

// bernoulli is B(n), n even and at most 128.
func bernoulli(n int) F { return at(Prec).SetRat(bernoulliNumbers()[n]) }

// inverseFactorials are 1/k!, of which the series here take no more.
var inverseFactorials = sync.OnceValue(func() (out [128]F) {
	out[0] = New(1)
	for k := 1; k < len(out); k++ {
		out[k] = Quo(out[k-1], New(float64(k)))
	}
	return out
})
