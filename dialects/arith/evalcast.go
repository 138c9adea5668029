package arith

import (
	gomath "math"
	"math/bits"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// pair is what a conversion of scalars is between.
type pair struct {
	from, to   ir.Type
	fromW, toW int
	call       *ir.Call
	rounding   int64 // of truncf: MLIR's number, 0 is to nearest even
}

// castFunc converts the raw bits of a scalar; false is poison.
type castFunc func(p pair, x uint64) (uint64, bool)

func castEval(f castFunc) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		ctx := c.Ctx()
		if r, ok := args[0].Ref.(*interp.MemRef); ok {
			return castMemory(ctx, r, ctx.Info(c.Type).Elem)
		}
		p := pair{call: c, from: ctx.ElemOrSelf(c.ArgType(0)), to: ctx.ElemOrSelf(c.Type)}
		a, b := ctx.Info(p.from), ctx.Info(p.to)
		p.fromW, p.toW = a.Width, b.Width
		for _, t := range []ir.Type{p.from, p.to} {
			if info := ctx.Info(t); info.Width > 64 || info.Width == 0 || info.Kind == ir.KindFloat && !Computable(t) {
				return ir.Val{}, ir.ErrNoValue
			}
		}
		if r := c.Get("roundingmode"); r != 0 {
			p.rounding = ctx.AttrInfo(r).Int
		}
		return Lift(args, func(x []ir.Val) (ir.Val, error) {
			y, ok := f(p, x[0].Bits)
			if !ok {
				return Poisoned, nil
			}
			return ir.IntVal(int64(y), p.toW), nil
		})
	}
}

// castMemory is the same memory with elements of another type and the same size, as
// which their bytes are what is meant.
func castMemory(c *ir.Context, r *interp.MemRef, elem ir.Type) (ir.Val, error) {
	from, ok1 := c.MemBytes(r.Buf.Elem)
	to, ok2 := c.MemBytes(elem)
	if !ok1 || !ok2 || from != to {
		return ir.Val{}, &interp.Unsupported{Reason: "memory is converted to elements of another size", Fix: "load, convert and store the elements"}
	}
	buf, err := r.Buf.View(c, elem, 0)
	return ir.Val{Ref: &interp.MemRef{Buf: buf, Offset: r.Offset, Sizes: r.Sizes, Strides: r.Strides}}, err
}

func extui(_ pair, x uint64) (uint64, bool) { return x, true }

func extsi(p pair, x uint64) (uint64, bool) { return uint64(sext(p.fromW, x)), true }

// floatLimit is the exclusive bound of what is not infinite in a float type.
func floatLimit(t ir.Type) float64 {
	switch t {
	case ir.F16:
		return 0x1p16
	case ir.F32, ir.BF16:
		return 0x1p128
	}
	return gomath.Inf(1)
}

// oddFloat converts to float64, rounding to odd: rounding the result again, to
// a format of at most 51 bits, is then as rounding once (Boldo and Melquiond 2008).
func oddFloat(x uint64) float64 {
	n := bits.Len64(x)
	if n <= 53 {
		return float64(x)
	}
	s := n - 53
	hi := x >> s
	if x<<(64-s) != 0 {
		hi |= 1
	}
	return gomath.Ldexp(float64(hi), s)
}

func uitofp(p pair, x uint64) (uint64, bool) {
	if p.to == ir.F64 {
		return gomath.Float64bits(float64(x)), true
	}
	return ir.FloatToBits(oddFloat(x), p.to), true
}

func sitofp(p pair, x uint64) (uint64, bool) {
	n := sext(p.fromW, x)
	if p.to == ir.F64 {
		return gomath.Float64bits(float64(n)), true
	}
	if n < 0 {
		return ir.FloatToBits(-oddFloat(-uint64(n)), p.to), true
	}
	return ir.FloatToBits(oddFloat(uint64(n)), p.to), true
}

func fptoui(p pair, x uint64) (uint64, bool) {
	f := gomath.Trunc(ir.BitsToFloat(x, p.from))
	if !(f >= 0 && f < gomath.Ldexp(1, p.toW)) {
		return 0, false
	}
	return uint64(f), true
}

func fptosi(p pair, x uint64) (uint64, bool) {
	f := gomath.Trunc(ir.BitsToFloat(x, p.from))
	lim := gomath.Ldexp(1, p.toW-1)
	if !(f >= -lim && f < lim) {
		return 0, false
	}
	return uint64(int64(f)), true
}

func convf(p pair, x uint64) (uint64, bool) {
	y := RoundTo(ir.BitsToFloat(x, p.from), p.to, p.rounding)
	finite := y&exponentBits(p.to) != exponentBits(p.to) // what is rounded to one is no NaN or infinity
	return y, finite || !breaksPromise(p.call, []ir.Val{{Bits: x}}, ir.Val{Bits: y})
}

// RoundTo rounds x to the float type t by MLIR's rounding mode: 0 to nearest
// even, 1 down, 2 up, 3 towards zero, 4 to nearest with ties away from zero.
func RoundTo(x float64, t ir.Type, mode int64) uint64 {
	near := ir.FloatToBits(x, t)
	r := ir.BitsToFloat(near, t)
	if mode == 0 || r == x || x != x {
		return near
	}
	lo, hi := near, near // the neighbours of x, by magnitude: patterns order magnitudes
	if gomath.Abs(r) > gomath.Abs(x) {
		lo--
	} else {
		hi++
	}
	up := hi // away from zero
	switch neg := gomath.Signbit(x); {
	case mode == 3 || mode == 1 && !neg || mode == 2 && neg:
		up = lo
	case mode == 4:
		a, b := gomath.Abs(ir.BitsToFloat(lo, t)), gomath.Abs(ir.BitsToFloat(hi, t))
		if gomath.IsInf(b, 0) {
			b = floatLimit(t)
		}
		if gomath.Abs(x)-a < b-gomath.Abs(x) {
			up = lo
		}
	}
	return up
}
