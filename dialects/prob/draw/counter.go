package draw

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Counter is deviates that are functions of a seed, a stream and a counter: the one at
// position i is made of block counter + i of Philox4x32-10. Its uniform numbers are the same to
// the bit in Go and as ops; what is made of them has the digits of the functions.
type Counter[T, B, I any] struct {
	k kit.Arrays[T, B, I]
	// pair is the two uniform numbers of a block.
	pair func(at I) (u, v T)
}

// CounterOf is deviates in Go.
func CounterOf(seed, stream, counter uint64) Counter[float64, bool, int] {
	return Counter[float64, bool, int]{kit.Floats{}, func(at int) (u, v float64) {
		c := counter + uint64(at)
		w := philoxBlock([4]uint32{uint32(c), uint32(c >> 32), uint32(stream), uint32(stream >> 32)}, [2]uint32{uint32(seed), uint32(seed >> 32)})
		return unit(w[0], w[1]), unit(w[2], w[3])
	}}
}

// unit is the upper 53 bits u of 64 as (u + 1/2)/2^53.
func unit(low, high uint32) float64 {
	return (float64((uint64(high)<<32|uint64(low))>>11) + 0.5) * 0x1p-53
}

// CounterOps is deviates as ops; seed, stream and counter are i64.
func CounterOps(k kit.ArrayOps, seed, stream, counter ir.Value) Counter[ir.Value, ir.Value, ir.Value] {
	return Counter[ir.Value, ir.Value, ir.Value]{k, func(at ir.Value) (u, v ir.Value) {
		c := arith.AddI(k.B, counter, arith.Cast(k.B, arith.IndexCast, at, ir.I64))
		return uniformOps(k.Ops, seed, stream, c)
	}}
}

// uniformOps is ten rounds of philoxBlock on i64, of which words take the low half.
func uniformOps(k kit.Ops, seed, stream, counter ir.Value) (u, v ir.Value) {
	b := k.B
	num := func(x uint32) ir.Value { return arith.ConstInt(b, ir.I64, int64(x)) }
	mask, half := num(math.MaxUint32), num(32)
	low := func(x ir.Value) ir.Value { return b.Op(arith.Andi, x, mask) }
	high := func(x ir.Value) ir.Value { return b.Op(arith.Shrui, x, half) }
	c := [4]ir.Value{low(counter), high(counter), low(stream), high(stream)}
	k0, k1 := low(seed), high(seed)
	for range 10 {
		p0, p1 := arith.MulI(b, num(0xD2511F53), c[0]), arith.MulI(b, num(0xCD9E8D57), c[2])
		c = [4]ir.Value{b.Op(arith.Xori, b.Op(arith.Xori, high(p1), c[1]), k0), low(p1),
			b.Op(arith.Xori, b.Op(arith.Xori, high(p0), c[3]), k1), low(p0)}
		k0, k1 = low(arith.AddI(b, k0, num(0x9E3779B9))), low(arith.AddI(b, k1, num(0xBB67AE85)))
	}
	part := func(lo, hi ir.Value) ir.Value {
		bits := b.Op(arith.Ori, arith.Int(b, arith.Shli, 0, hi, half), lo)
		x := arith.Cast(b, arith.Uitofp, b.Op(arith.Shrui, bits, num(11)), ir.F64)
		return arith.MulF(b, arith.AddF(b, x, k.Num(0.5)), k.Num(0x1p-53))
	}
	return part(c[0], c[1]), part(c[2], c[3])
}

// Uniform is the first number of a block.
func (c Counter[T, B, I]) Uniform(at I) T {
	u, _ := c.pair(at)
	return u
}

// Normal is the quantile.
func (c Counter[T, B, I]) Normal(at I) T { return c.k.Fn(special.Probit, c.Uniform(at)) }

// LogGamma is the logarithm of the quantile; of a small shape the variable itself is often 0,
// and that of shape + 1 times a uniform one to 1/shape is it.
func (c Counter[T, B, I]) LogGamma(at I, shape T) T {
	k := c.k
	u, v := c.pair(at)
	small := k.Holds(arith.OLT, shape, k.Num(1))
	a := k.Pick(small, k.Add(shape, k.Num(1)), shape)
	q := cumulative.Quantile(k, false, func(x T) cumulative.Tails[T] { return functions.GammaTails(k, functions.CountShape, a, x) }, u)
	return k.Add(k.Log(q), k.Pick(small, k.Div(k.Log(v), shape), k.Num(0)))
}

// Gamma is never 0: the least normal number stands for it.
func (c Counter[T, B, I]) Gamma(at I, shape T) T {
	return kit.Greater(c.k, c.k.Exp(c.LogGamma(at, shape)), c.k.Num(0x1p-1022))
}

// Binomial is the quantile.
func (c Counter[T, B, I]) Binomial(at I, size, p T) T {
	k := c.k
	return cumulative.Quantile(k, true, func(x T) cumulative.Tails[T] { return functions.BinomialTails(k, x, p, size) }, c.Uniform(at))
}

// Category is the last one that has a weight and not more than the uniform share of the sum
// before it.
func (c Counter[T, B, I]) Category(at I, weights kit.Part[T, I]) I {
	k := c.k
	total, _ := kit.Weights(k, weights)
	want := k.Mul(total, c.Uniform(at))
	acc := k.Fold(weights.Len(), []T{k.Num(0), k.Num(0)}, func(i I, acc []T) []T {
		w := weights.Load(i)
		here := k.And(kit.Positive(k, w), k.Holds(arith.OLE, acc[0], want))
		return []T{k.Plus(acc[0], w), k.Pick(here, k.ToFloat(i), acc[1])}
	})
	return k.ToIndex(acc[1])
}
