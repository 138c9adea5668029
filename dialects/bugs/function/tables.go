package function

import (
	"maps"
	"math"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// compiled are the functions of numbers that a bugs.function stands for.
var compiled = map[string]func(k kit.Ops, x []ir.Value) ir.Value{
	"besselk": func(k kit.Ops, x []ir.Value) ir.Value { return functions.BesselK[ir.Value, ir.Value](k, x[0], x[1]) },
	"gammap": func(k kit.Ops, x []ir.Value) ir.Value {
		ok := k.And(k.Positive(x[0]), k.Cmp(arith.OGE, x[1], k.Num(0)))
		return k.Valid(ok, k.Exp(functions.GammaTails[ir.Value, ir.Value](k, functions.RealShape, x[0], x[1]).Below))
	},
}

// tables are the functions of the language by name: those that are written here and those
// of distributions, which are made on first use, as most runs see no model.
type tables struct {
	numbers map[string]func(x []float64) float64
	kit     map[string]func(k kit.Ops, x []ir.Value) ir.Value
	arrays  map[string]*ArrayOp
}

var allTables = sync.OnceValue(func() *tables {
	t := &tables{maps.Clone(scalarFunctions), maps.Clone(compiled), maps.Clone(arrayOps)}
	for _, f := range syntax.Functions() {
		switch {
		case f.Role == syntax.NoRole:
		case f.Of.Law.Joint == nil:
			t.enter(f)
		case f.Role == syntax.LogDensity:
			t.arrays[f.Name] = densityOf(f.Of.Law.Joint)
		}
	}
	return t
})

// ScalarFunction is a function of numbers in Go; nil if there is none of the name.
func ScalarFunction(name string) func(x []float64) float64 { return allTables().numbers[name] }

// ArrayOpOf is a function that works on memory; nil if there is none of the name.
func ArrayOpOf(name string) *ArrayOp { return allTables().arrays[name] }

// KitFunction is what a bugs.function of a name is lowered to; nil if there is none.
func KitFunction(name string) func(k kit.Ops, x []ir.Value) ir.Value { return allTables().kit[name] }

// enter adds pX, qX, dX or logdensity.X; without valid and finite
// parameters it has no value.
func (t *tables) enter(f *syntax.Function) {
	law := f.Of.Law
	var inGo func(x float64, p []float64) float64
	var inOps func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value
	switch f.Role {
	case syntax.Density:
		inGo = func(x float64, p []float64) float64 { return math.Exp(law.LogDensity(x, p)) }
		inOps = func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value {
			return k.Exp(apply.DensityOps(law, k, false, x, p))
		}
	case syntax.LogDensity:
		inGo = law.LogDensity
		inOps = func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value { return apply.DensityOps(law, k, false, x, p) }
	case syntax.Cumulative:
		if !apply.HasCDF(law) {
			return
		}
		inGo = func(x float64, p []float64) float64 { return math.Exp(apply.Tails(law, x, p).Below) }
		inOps = func(k kit.Ops, x ir.Value, p []ir.Value) ir.Value { return k.Exp(apply.TailsOps(law, k, x, p).Below) }
	case syntax.Quantile:
		if !apply.HasCDF(law) {
			return
		}
		inGo = func(u float64, p []float64) float64 { return apply.Quantile(law, u, p) }
		inOps = func(k kit.Ops, u ir.Value, p []ir.Value) ir.Value { return apply.QuantileOps(law, k, u, p) }
	}
	t.numbers[f.Name] = func(x []float64) float64 {
		if math.IsNaN(x[0]) || apply.Infinite(x[1:]) > 0 || law.Wrong(x[1:]) != "" {
			return math.NaN()
		}
		return inGo(x[0], x[1:])
	}
	t.kit[f.Name] = func(k kit.Ops, x []ir.Value) ir.Value {
		// The density at 1 is NaN for invalid parameters alone.
		ok := k.And(k.Cmp(arith.ORD, x[0], x[0]), k.Cmp(arith.ORD, law.Ops.LogDensity(k, k.Num(1), x[1:]), k.Num(0)))
		return k.Valid(k.And(ok, apply.AllFinite(k, x[1:])), inOps(k, x[0], x[1:]))
	}
}
