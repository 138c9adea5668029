package fused

import (
	"math/rand/v2"
	"strconv"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// few is the second size of a program's arguments (fusion.Inputs), which inner loops run over.
const few = 2

// inputs are arguments for programs of tests/fusion whose arrays have n elements, as what
// they become in the lowering pipeline. Numbers are about as many as there are elements, so that joins
// by them have about as many rows; about a third of those that may be null is.
func inputs(c *ir.Context, n int) []ir.Val {
	r := rand.New(rand.NewPCG(1, 2))
	within := func() int64 { return r.Int64N(int64(2*n)) - int64(n) }
	fraction := func() uint64 { return ir.F64Val(float64(n) * (2*r.Float64() - 1)).Bits }
	ints := column(c, ir.I64, n, func(int) uint64 { return uint64(within()) })
	floats := column(c, ir.F64, n, func(int) uint64 { return fraction() })
	k := column(c, ir.I32, n, func(int) uint64 { return uint64(uint32(within())) })
	x := column(c, ir.F64, n, func(int) uint64 { return fraction() })
	offsets, text := names(c, n, func() int64 { return r.Int64N(int64(n)) })
	ok := column(c, ir.I1, n, func(int) uint64 { return r.Uint64N(2) })
	values := column(c, ir.F64, n, func(int) uint64 { return fraction() })
	valid := column(c, ir.I1, n, func(int) uint64 { return min(1, r.Uint64N(3)) })
	return []ir.Val{ir.IntVal(int64(n), 64), ir.IntVal(few, 64), ir.IntVal(7, 64), ints, floats, k, x, offsets, text, ok, values, valid}
}

// column is the memory of an array of numbers.
func column(c *ir.Context, elem ir.Type, n int, at func(i int) uint64) ir.Val {
	buf := interp.NewBuffer(c, elem, n, false)
	for i := range n {
		buf.Store(i, ir.Val{Bits: at(i)})
	}
	buf.Static = true
	return (&interp.MemRef{Buf: buf, Sizes: []int64{int64(n)}, Strides: []int64{1}}).Val()
}

// names are n strings, as where each begins and the last ends, and their bytes.
func names(c *ir.Context, n int, number func() int64) (offsets, text ir.Val) {
	ends, bytes := []int{0}, []byte(nil)
	for range n {
		bytes = strconv.AppendInt(bytes, number(), 36)
		ends = append(ends, len(bytes))
	}
	return column(c, ir.Index, n+1, func(i int) uint64 { return uint64(ends[i]) }),
		column(c, ir.I8, len(bytes), func(i int) uint64 { return uint64(bytes[i]) })
}
