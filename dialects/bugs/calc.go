package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// A calc computes formulas with numbers T and conditions B: in Go (floats) or by
// making ops (kit). What is longer than a line is written once over it.
//
// Both arms of a pick are computed: what an arm would do wrong outside of its
// condition must not trap or loop, and NaN may come of it.
type calc[T, B any] interface {
	num(x float64) T
	add(x, y T) T
	sub(x, y T) T
	mul(x, y T) T
	div(x, y T) T
	neg(x T) T
	abs(x T) T
	log(x T) T
	exp(x T) T
	log1p(x T) T
	sqrt(x T) T
	floor(x T) T
	// plus and minus round each time.
	plus(x, y T) T
	minus(x, y T) T
	pow(x, y T) T
	// fn is a function of the special dialect.
	fn(d *ir.OpDef, x ...T) T
	// holds compares.
	holds(p arith.CmpFPredicate, x, y T) B
	and(p, q B) B
	or(p, q B) B
	pick(p B, x, y T) T
	// repeat steps while more holds of the state, and returns the last state.
	repeat(state []T, more func(s []T) B, step func(s []T) []T) []T
}

func (k kit) minus(x, y ir.Value) ir.Value { return arith.SubF(k.b, x, y) }

func (k kit) floor(x ir.Value) ir.Value { return arith.Float(k.b, math.Floor, 0, x) }

func (k kit) fn(d *ir.OpDef, x ...ir.Value) ir.Value { return k.b.Op(d, x...) }

func (k kit) holds(p arith.CmpFPredicate, x, y ir.Value) ir.Value { return k.cmp(p, x, y) }

func (k kit) or(p, q ir.Value) ir.Value { return k.b.Op(arith.Ori, p, q) }

func (k kit) pick(p, x, y ir.Value) ir.Value { return arith.Choose(k.b, p, x, y) }

func (k kit) repeat(state []ir.Value, more func([]ir.Value) ir.Value, step func([]ir.Value) []ir.Value) []ir.Value {
	loop := scf.BuildWhile(k.b, state, func(s []ir.Value) (ir.Value, []ir.Value) { return more(s), s }, step)
	out := make([]ir.Value, len(state))
	for i := range out {
		out[i] = k.b.Result(loop, i)
	}
	return out
}

// floats computes in Go.
type floats struct{}

func (floats) num(x float64) float64      { return x }
func (floats) add(x, y float64) float64   { return x + y }
func (floats) sub(x, y float64) float64   { return x - y }
func (floats) mul(x, y float64) float64   { return x * y }
func (floats) div(x, y float64) float64   { return x / y }
func (floats) plus(x, y float64) float64  { return x + y }
func (floats) minus(x, y float64) float64 { return x - y }
func (floats) neg(x float64) float64      { return -x }
func (floats) abs(x float64) float64      { return gomath.Abs(x) }
func (floats) log(x float64) float64      { return logOf(x) }
func (floats) exp(x float64) float64      { return gomath.Exp(x) }
func (floats) log1p(x float64) float64    { return gomath.Log1p(x) }
func (floats) sqrt(x float64) float64     { return gomath.Sqrt(x) }
func (floats) floor(x float64) float64    { return gomath.Floor(x) }
func (floats) pow(x, y float64) float64   { return math.Pow(x, y) }
func (floats) and(p, q bool) bool         { return p && q }
func (floats) or(p, q bool) bool          { return p || q }

func (floats) fn(d *ir.OpDef, x ...float64) float64 { return special.Value(d, x...) }

func (floats) holds(p arith.CmpFPredicate, x, y float64) bool {
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
	}
	panic("bugs: a comparison that no formula uses")
}

func (floats) pick(p bool, x, y float64) float64 {
	if p {
		return x
	}
	return y
}

func (floats) repeat(s []float64, more func([]float64) bool, step func([]float64) []float64) []float64 {
	for more(s) {
		s = step(s)
	}
	return s
}

// The rest is what formulas have in common.

func lesser[T, B any](k calc[T, B], x, y T) T { return k.pick(k.holds(arith.OLT, y, x), y, x) }

func greater[T, B any](k calc[T, B], x, y T) T { return k.pick(k.holds(arith.OGT, y, x), y, x) }

// orElse is x where a condition holds, else a number that does no harm.
func orElse[T, B any](k calc[T, B], p B, x T, other float64) T { return k.pick(p, x, k.num(other)) }

// logDiff is log(e^x - e^y) for y <= x; -Inf where they are equal.
func logDiff[T, B any](k calc[T, B], x, y T) T {
	apart := k.holds(arith.OLT, y, x)
	d := k.sub(orElse(k, apart, y, -1), orElse(k, apart, x, 0))
	return orElse(k, apart, k.add(x, k.fn(special.Log1mexp, d)), gomath.Inf(-1))
}

// logSum is log of the sum of e^term(j) for j = lo, lo + by, ... up to hi, which is
// at most 1e7 steps away: more is taken for an invalid parameter.
func logSum[T, B any](k calc[T, B], lo, hi, by T, term func(j T) T) T {
	// Steps are counted: next to a large lo a step may be nothing.
	steps := k.div(k.sub(hi, lo), by)
	steps = k.pick(k.holds(arith.OLE, steps, k.num(1e7)), steps, k.num(-1))
	s := k.repeat([]T{k.num(0), k.num(gomath.Inf(-1)), k.num(0)},
		func(s []T) B { return k.holds(arith.OLE, s[0], steps) },
		func(s []T) []T {
			// s[2] e^s[1] is the sum so far, s[1] the largest term.
			x := term(k.add(lo, k.mul(s[0], by)))
			top := greater(k, s[1], x)
			safe := orElse(k, k.holds(arith.OGT, top, k.num(gomath.Inf(-1))), top, 0)
			sum := k.add(k.mul(s[2], k.exp(k.sub(s[1], safe))), k.exp(k.sub(x, safe)))
			return []T{k.add(s[0], k.num(1)), top, sum}
		})
	return orElse(k, k.holds(arith.OGT, s[2], k.num(0)), k.add(s[1], k.log(s[2])), gomath.Inf(-1))
}
