package apply

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/terms"
	"github.com/irc-lang/irc/ir"
)

// DensityOps is the log density as ops, for all sizes; smallNode says that x is no large
// number.
func DensityOps(l *family.Law, k kit.Ops, smallNode bool, x ir.Value, p []ir.Value) ir.Value {
	sizes := Sizes(l, smallNode)
	plain := func() ir.Value {
		v := l.Ops.LogDensity(k, x, p)
		if k.Terms {
			v = (&terms.Terms{K: k}).Of(v)
		}
		return v
	}
	if sizes == nil {
		return plain()
	}
	c := l.Ops.Stable
	// Inside is never NaN, and parameters that are no large finite numbers are left to
	// the plain formula.
	return k.Branch(k.And(k.Exceeds(sizes(x, p)...), c.Inside(k, x, p)),
		func() ir.Value { return c.Body(k, x, p) }, plain)
}

// Sizes is what must not be large for the plain formula; nil if it is right for all sizes.
func Sizes(l *family.Law, smallNode bool) func(x ir.Value, p []ir.Value) []ir.Value {
	switch c := l.Ops.Stable; {
	case c == nil:
		return nil
	case smallNode:
		return c.SmallNode
	default:
		return c.Sizes
	}
}

// TailsOps are the tails as ops.
func TailsOps(l *family.Law, k kit.Ops, x ir.Value, p []ir.Value) cumulative.Tails[ir.Value] {
	return l.Ops.Tails(k, x, p)
}

// QuantileOps is the quantile as ops.
func QuantileOps(l *family.Law, k kit.Ops, u ir.Value, p []ir.Value) ir.Value {
	return quantileOf[ir.Value, ir.Value](k, l.Ops, l.Counts, u, p)
}

// LogMassOps is log P(lo <= x <= hi) as ops; ok says that there is some, and nil is no bound.
func LogMassOps(l *family.Law, k kit.Ops, p []ir.Value, lo, hi *ir.Value) (mass, ok ir.Value) {
	return logMassOps(l, k, p, lo, hi, func(x ir.Value) cumulative.Tails[ir.Value] { return TailsOps(l, k, x, p) })
}

// LogMassOpsAtLink is LogMassOps where a link makes the first parameter, for laws whose formulas have it.
func LogMassOpsAtLink(l *family.Law, k kit.Ops, p []ir.Value, c functions.Chance[ir.Value], lo, hi *ir.Value) (mass, ok ir.Value) {
	return logMassOps(l, k, p, lo, hi, func(x ir.Value) cumulative.Tails[ir.Value] { return l.Ops.TailsAtLink(k, x, p, c) })
}

func logMassOps(l *family.Law, k kit.Ops, p []ir.Value, lo, hi *ir.Value, at func(x ir.Value) cumulative.Tails[ir.Value]) (mass, ok ir.Value) {
	mass = cumulative.Truncation(kit.Calc[ir.Value, ir.Value](k), l.Counts, at, lo, hi)
	return mass, k.And(AllFinite(k, p), k.Cmp(arith.OGT, mass, k.Num(-kit.Inf)))
}

// AllFinite holds where no parameter is infinite.
func AllFinite(k kit.Ops, p []ir.Value) ir.Value {
	ok := k.Cmp(arith.OEQ, k.Num(0), k.Num(0))
	for _, x := range p {
		ok = k.And(ok, k.Cmp(arith.OLT, k.Abs(x), k.Num(kit.Inf)))
	}
	return ok
}
