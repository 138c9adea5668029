package bugs

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// What is written over calc, for Go and for ops.
var (
	cumulativeGo, cumulativeOps = cumulative[float64, bool](), cumulative[ir.Value, ir.Value]()
	quantilesGo, quantilesOps   = quantiles[float64, bool](), quantiles[ir.Value, ir.Value]()
)

// isCount says that a distribution has whole numbers only.
var isCount = map[string]bool{}

// compiled are the functions of numbers that a bugs.function stands for.
var compiled = map[string]func(k kit, x []ir.Value) ir.Value{
	"gammap": func(k kit, x []ir.Value) ir.Value {
		ok := k.and(k.positive(x[0]), k.cmp(arith.OGE, x[1], k.num(0)))
		return k.valid(ok, k.exp(gammaTails[ir.Value, ir.Value](k, x[0], x[1]).below))
	},
}

// filled is one of these tables, of which rows follow from the tables of the language:
// they are made on first use, as most runs see no model.
func filled[T any](table map[string]T) map[string]T {
	fill()
	return table
}

var fill func()

func init() { fill = sync.OnceFunc(fillTables) } // here, as some rows are functions that look into the tables

func fillTables() {
	fillArrayOps()
	scalarFunctions["gammap"] = func(x []float64) float64 {
		if !(x[0] > 0 && x[1] >= 0) {
			return math.NaN()
		}
		return math.Exp(gammaTails[float64, bool](floats{}, x[0], x[1]).below)
	}
	ops := laws[ir.Value, ir.Value]()
	for name, l := range laws[float64, bool]() {
		families[name] = familyOf(name, l)
		densities[name] = opsOf(ops[name])
	}
	for _, d := range syntax.Distributions() {
		isCount[d.Name] = d.Discrete
	}
	for _, f := range syntax.Functions() {
		if f.Role != syntax.NoRole && families[f.Of.Name] != nil {
			distributionFunction(f)
		}
	}
	for name := range compiled {
		functions[name] = func(b *ir.Builder, x []ir.Value) ir.Value {
			c := b.Ctx()
			return b.OpAttr(Function, c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}}, nil), x...)
		}
	}
}

// familyOf is what the reference evaluation needs of a law.
func familyOf(name string, g law[float64, bool]) *family {
	return &family{
		invalid: func(p []float64) string {
			for _, r := range g.rules {
				if !r.holds(floats{}, p) {
					return r.why
				}
			}
			return ""
		},
		logp: func(x float64, p []float64) float64 {
			if math.IsNaN(x) {
				return x
			}
			return g.logp(floats{}, x, p)
		},
		draw: draws[name], centre: centres[name],
	}
}

// opsOf is a law as ops: NaN where a rule does not hold or x is NaN.
func opsOf(l law[ir.Value, ir.Value]) func(k kit, x ir.Value, p []ir.Value) ir.Value {
	return func(k kit, x ir.Value, p []ir.Value) ir.Value {
		ok := k.cmp(arith.ORD, x, x)
		for _, r := range l.rules {
			ok = k.and(ok, r.holds(k, p))
		}
		return k.valid(ok, l.logp(k, x, p))
	}
}

// infinite is the first infinite parameter, counted from 1; 0 if there is none. With
// one there is a density in places, but no distribution function.
func infinite(p []float64) int {
	return slices.IndexFunc(p, func(x float64) bool { return math.IsInf(x, 0) }) + 1
}

func allFinite(k kit, p []ir.Value) ir.Value {
	ok := k.cmp(arith.OEQ, k.num(0), k.num(0))
	for _, x := range p {
		ok = k.and(ok, k.cmp(arith.OLT, k.abs(x), k.num(inf)))
	}
	return ok
}

// distributionFunction enters pX, qX, dX or logdensity.X; without valid and finite
// parameters it has no value.
func distributionFunction(f *syntax.Function) {
	name, fam := f.Of.Name, families[f.Of.Name]
	var inGo func(x float64, p []float64) float64
	var inOps func(k kit, x ir.Value, p []ir.Value) ir.Value
	switch f.Role {
	case syntax.Density:
		inGo = func(x float64, p []float64) float64 { return math.Exp(fam.logp(x, p)) }
		inOps = func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.exp(densityOps(name, false)(k, x, p)) }
	case syntax.LogDensity:
		inGo = fam.logp
		inOps = func(k kit, x ir.Value, p []ir.Value) ir.Value { return densityOps(name, false)(k, x, p) }
	case syntax.Cumulative:
		if cumulativeGo[name] == nil {
			return
		}
		inGo = func(x float64, p []float64) float64 { return math.Exp(cumulativeGo[name](floats{}, x, p).below) }
		inOps = func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.exp(cumulativeOps[name](k, x, p).below) }
	case syntax.Quantile:
		if cumulativeGo[name] == nil {
			return
		}
		inGo = func(x float64, p []float64) float64 {
			return quantileOf(floats{}, quantilesGo, cumulativeGo, name, x, p)
		}
		inOps = func(k kit, x ir.Value, p []ir.Value) ir.Value {
			return quantileOf(k, quantilesOps, cumulativeOps, name, x, p)
		}
	}
	scalarFunctions[f.Name] = func(x []float64) float64 {
		if math.IsNaN(x[0]) || infinite(x[1:]) > 0 || fam.wrong(x[1:]) != "" {
			return math.NaN()
		}
		return inGo(x[0], x[1:])
	}
	compiled[f.Name] = func(k kit, x []ir.Value) ir.Value {
		// The density at 1 is NaN for invalid parameters alone.
		ok := k.and(k.cmp(arith.ORD, x[0], x[0]), k.cmp(arith.ORD, filled(densities)[name](k, k.num(1), x[1:]), k.num(0)))
		return k.valid(k.and(ok, allFinite(k, x[1:])), inOps(k, x[0], x[1:]))
	}
}

func quantileOf[T, B any](k calc[T, B], formulas map[string]func(calc[T, B], T, []T) T,
	cdf map[string]func(calc[T, B], T, []T) tails[T], name string, u T, p []T) T {
	if q := formulas[name]; q != nil {
		ok := k.and(k.holds(arith.OGE, u, k.num(0)), k.holds(arith.OLE, u, k.num(1)))
		return orElse(k, ok, q(k, u, p), math.NaN())
	}
	return quantile(k, filled(isCount)[name], func(x T) tails[T] { return cdf[name](k, x, p) }, u)
}

// Function is a function of numbers by name.
var Function = ir.Define(&ir.OpDef{Name: "bugs.function",
	Doc:  "A function of numbers: gammap, or of a distribution, as pnorm, qgamma, dbin and logdensity.t are.",
	Args: []string{"x..."}, Attrs: []string{"name"}, Infer: inferFunction})

func inferFunction(c *ir.Call) (ir.Type, error) {
	a := c.Get("name")
	if a == 0 || filled(compiled)[c.Ctx().AttrInfo(a).Str] == nil {
		return 0, c.Errorf("attribute 'name' must be the name of a function")
	}
	f := syntax.LookupFunction(c.Ctx().AttrInfo(a).Str)
	if len(c.Args) < f.Min || f.Max >= 0 && len(c.Args) > f.Max {
		return 0, c.Errorf("%s has other arguments", f.Signature())
	}
	for i := range c.Args {
		if c.ArgType(i) != ir.F64 {
			return 0, c.Errorf("operand #%d must be f64", i)
		}
	}
	return ir.F64, nil
}

func runFunction(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	x := make([]float64, len(args))
	for i, a := range args {
		x[i] = a.F64()
	}
	out[0] = ir.F64Val(filled(scalarFunctions)[o.G.Ctx.AttrInfo(o.Call.Get("name")).Str](x))
	return nil
}

func (l *lowering) function(v ir.Value) ir.Value {
	var x []ir.Value
	for _, a := range l.g.Args(v) {
		x = append(x, l.value(a))
	}
	return filled(compiled)[l.g.Ctx.AttrInfo(l.g.Attr(v, "name")).Str](l.kit(), x)
}

// normaliser is log P(lo <= X <= hi) in Go; infinite bounds are none.
func normaliser(dist string, p []float64, lo, hi float64) (float64, error) {
	if i := infinite(p); i > 0 {
		return 0, fmt.Errorf("parameter %d is infinite", i)
	}
	var from, to *float64
	if !math.IsInf(lo, -1) {
		from = &lo
	}
	if !math.IsInf(hi, 1) {
		to = &hi
	}
	n := truncation(floats{}, filled(isCount)[dist], func(x float64) tails[float64] { return cumulativeGo[dist](floats{}, x, p) }, from, to)
	if !(n > math.Inf(-1)) {
		return 0, fmt.Errorf("there is no probability between the bounds %v and %v", lo, hi)
	}
	return n, nil
}
