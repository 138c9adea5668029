package arith

import (
	gomath "math"
	"math/bits"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
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
			if info := ctx.Info(t); info.Width > 64 || info.Width == 0 || info.Kind == ir.KindFloat && !elementwise.Computable(t) {
				return ir.Val{}, ir.ErrNoValue
			}
		}
		if r := c.Get("roundingmode"); r != 0 {
			p.rounding = ctx.AttrInfo(r).Int
		}
		return elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) {
			y, ok := f(p, x[0].Bits)
			if !ok {
				return elementwise.Poisoned, nil
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
	y := elementwise.RoundTo(ir.BitsToFloat(x, p.from), p.to, p.rounding)
	finite := y&elementwise.ExponentBits(p.to) != elementwise.ExponentBits(p.to) // what is rounded to one is no NaN or infinity
	return y, finite || !elementwise.BreaksPromise(p.call, []ir.Val{{Bits: x}}, ir.Val{Bits: y})
}
