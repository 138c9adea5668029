package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// The ops are functions of a law of numbers, named by the attribute `law`. With parameters
// that are invalid they are NaN; a distribution function has no value at infinite ones.
var (
	Logpdf = lawOp("logpdf", "The log density of a law at x, or log mass of counts; vectors and matrices are memrefs of f64, and NaN where their extents do not fit: -inf outside of the support, NaN for invalid parameters. "+
		"With the attribute prob.terms the terms of a density of numbers may be added to what it is added to in any order.", "x", logpdf)

	Cdf = lawOp("cdf", "The probability of at most x; NaN for invalid or infinite parameters.", "x", cdf)

	Quantile = lawOp("quantile", "Where the distribution function reaches u, of counts the least such number; NaN for u outside of 0 to 1.", "u", quantile)

	Draw = ir.Define(&ir.OpDef{Name: "prob.draw",
		Doc: "A draw from a law: the quantile of the uniform number that Philox4x32-10 gives for a seed, a stream and a counter, and nothing else. " +
			"Its upper 53 bits u are taken as (u + 1/2)/2^53.",
		Args: []string{"seed", "stream", "counter", "parameters..."}, Attrs: []string{"law"}, Infer: inferDraw, Eval: evalDraw})

	DrawInto = ir.Define(&ir.OpDef{Name: "prob.draw_into",
		Doc: "Writes a draw from a law of vectors or matrices. Number i of its standard deviates is made of block counter + i of Philox4x32-10, of a seed and a stream; " +
			"of n elements it takes fewer than 2 n + 2 n^2 blocks. Without valid parameters all elements are NaN.",
		Args: []string{"seed", "stream", "counter", "x", "parameters..."}, Attrs: []string{"law"}, Traits: ir.NoCapture, Infer: inferDrawInto, Effects: drawIntoEffects})
)

// Terms is the attribute of a log density whose terms may be added in any order with what it
// is added to. Passes then find in a sum of densities what does not change, what is known
// ahead (split-sums), and what sums of data determine (factor-sums).
const Terms = "prob.terms"

// Dialect is probability.
var Dialect = &ir.Dialect{Name: "prob", Clean: true, Doc: "Probability laws: log densities, distribution functions, quantiles, draws.",
	Ops: []*ir.OpDef{Logpdf, Cdf, Quantile, Draw, DrawInto}, Tables: []any{syntax, lowerings, interp.Table{DrawInto: runDrawInto}}}

func lawOp(name, doc, at string, f func(l *family.Law, x float64, p []float64) float64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "prob." + name, Doc: doc, Args: []string{at, "parameters..."}, Attrs: []string{"law"}, Traits: ir.NoCapture, Effects: readsArrays,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if j := jointOf(c.Ctx(), c.Get("law")); j != nil && name == "logpdf" && len(c.Args) > 0 {
				return ir.F64, checkJoint(c, j, 0, 1)
			}
			if len(c.Args) == 0 || c.ArgType(0) != ir.F64 {
				return 0, c.Errorf("operand #0 must be f64")
			}
			return ir.F64, checkLaw(c, 1, name != "logpdf")
		},
		Eval: func(c *ir.Call, args []ir.Val) (ir.Val, error) {
			if j := jointOf(c.Ctx(), c.Get("law")); j != nil {
				return evalJoint(j, args)
			}
			return ir.F64Val(f(lawOf(c), args[0].F64(), floatsOf(args[1:]))), nil
		}})
}

var (
	word = text.AttrForm{
		Parse: func(p *text.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) },
		Print: func(p *text.Printer, a ir.Attr) { p.Quoted(p.Ctx().AttrInfo(a).Str) },
	}
	laws   = map[string]text.AttrForm{"law": word}
	syntax = text.Syntax{
		Logpdf:   {Format: "$law `(` $parameters `)` `at` $x attr-dict", Attrs: laws},
		Cdf:      {Format: "$law `(` $parameters `)` `at` $x attr-dict", Attrs: laws},
		Quantile: {Format: "$law `(` $parameters `)` `at` $u attr-dict", Attrs: laws},
		Draw:     {Format: "$law `(` $parameters `)` `seed` $seed `stream` $stream `counter` $counter attr-dict", Attrs: laws},
		DrawInto: {Format: "$law `(` $parameters `)` `seed` $seed `stream` $stream `counter` $counter `into` $x attr-dict", Attrs: laws},
	}
)

// lawOf is the law of numbers that an op names; nil if there is none.
func lawOf(c *ir.Call) *family.Law {
	a := c.Get("law")
	if a == 0 {
		return nil
	}
	if l := Lookup(c.Ctx().AttrInfo(a).Str); l != nil && l.Joint == nil {
		return l
	}
	return nil
}

// checkLaw checks the law and the parameters, which come from operand `from` on.
func checkLaw(c *ir.Call, from int, cdf bool) error {
	l := lawOf(c)
	switch {
	case l == nil:
		return c.Errorf("attribute 'law' must be the name of a law of numbers, such as \"dnorm\"")
	case cdf && !apply.HasCDF(l):
		return c.Errorf("%s has no distribution function", l.Name)
	}
	if least, most := apply.Arity(l); len(c.Args)-from < least || most >= 0 && len(c.Args)-from > most {
		return c.Errorf("%s has the parameters %s", l.Name, l.Params)
	}
	for i := from; i < len(c.Args); i++ {
		if c.ArgType(i) != ir.F64 {
			return c.Errorf("operand #%d must be f64", i)
		}
	}
	return nil
}

func inferDraw(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 3 || c.ArgType(0) != ir.I64 || c.ArgType(1) != ir.I64 || c.ArgType(2) != ir.I64 {
		return 0, c.Errorf("seed, stream and counter must be i64")
	}
	return ir.F64, checkLaw(c, 3, true)
}

func floatsOf(args []ir.Val) []float64 {
	return lists.Map(args, func(a ir.Val) float64 { return a.F64() })
}

func evalDraw(c *ir.Call, args []ir.Val) (ir.Val, error) {
	u := draw.CounterOf(args[0].Bits, args[1].Bits, args[2].Bits).Uniform(0)
	return ir.F64Val(quantile(lawOf(c), u, floatsOf(args[3:]))), nil
}

// logpdf is the meaning of prob.logpdf.
func logpdf(l *family.Law, x float64, p []float64) float64 {
	if math.IsNaN(x) || l.Wrong(p) != "" {
		return math.NaN()
	}
	return l.LogDensity(x, p)
}

// cdf is the meaning of prob.cdf.
func cdf(l *family.Law, x float64, p []float64) float64 {
	if math.IsNaN(x) || l.Wrong(p) != "" || apply.Infinite(p) > 0 {
		return math.NaN()
	}
	return math.Exp(apply.Tails(l, x, p).Below)
}

// quantile is the meaning of prob.quantile.
func quantile(l *family.Law, u float64, p []float64) float64 {
	if math.IsNaN(u) || l.Wrong(p) != "" || apply.Infinite(p) > 0 {
		return math.NaN()
	}
	return apply.Quantile(l, u, p)
}

// functionOps is what an op means, as ops.
func functionOps(l *family.Law, k kit.Ops, op *ir.OpDef, x ir.Value, p []ir.Value) ir.Value {
	// The density at 1 is NaN for invalid parameters alone.
	ok := k.And(k.Cmp(arith.ORD, x, x), k.Cmp(arith.ORD, l.Ops.LogDensity(k, k.Num(1), p), k.Num(0)))
	switch op {
	case Logpdf:
		return k.Valid(ok, apply.DensityOps(l, k, false, x, p))
	case Cdf:
		return k.Valid(k.And(ok, apply.AllFinite(k, p)), k.Exp(apply.TailsOps(l, k, x, p).Below))
	}
	return k.Valid(k.And(ok, apply.AllFinite(k, p)), apply.QuantileOps(l, k, x, p))
}

var lowerings = lower.Table{{Level: "scf", Rules: ir.Rules{Logpdf: lowerLawOp, Cdf: lowerLawOp, Quantile: lowerLawOp, Draw: lowerDraw, DrawInto: lowerDrawInto}},
	{Level: "scf", Name: "incomplete", Rules: incomplete}}

func lowerLawOp(m *ir.Mirror, n ir.Node) ir.Value {
	args := m.All(n.Args())
	if j := jointOf(n.Graph().Ctx, n.Attr("law")); j != nil {
		return lowerJoint(kit.Ops{B: m.B}, j, args)
	}
	return functionOps(lawNamed(n), kit.Ops{B: m.B, Terms: n.Attr(Terms) != 0}, n.Def(), args[0], args[1:])
}

func lowerDraw(m *ir.Mirror, n ir.Node) ir.Value {
	args := m.All(n.Args())
	k := kit.Ops{B: m.B}
	d := draw.CounterOps(kit.ArrayOps{Ops: k}, args[0], args[1], args[2])
	return functionOps(lawNamed(n), k, Quantile, d.Uniform(k.B.Index(0)), args[3:])
}

func lawNamed(n ir.Node) *family.Law { return Lookup(n.Graph().Ctx.AttrInfo(n.Attr("law")).Str) }
