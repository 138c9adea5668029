package bugs

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// The plain formulas of densities lose more than 1e-11 where counts or shapes exceed
// large: there the ones of careful.go are used. Counts that are data say by the
// attribute `small` of bugs.stochastic that they never do.
const (
	large     = 1e4
	smallAttr = "small"
)

// small reports that no value of a variable is large; what has none is NaN or 0.
func (e *emitter) small(v *Var) bool {
	known, ok := e.smalls[v]
	if !ok {
		known = !slices.ContainsFunc(v.Value, func(x float64) bool { return x > large })
		if e.smalls == nil {
			e.smalls = map[*Var]bool{}
		}
		e.smalls[v] = known
	}
	return known
}

// branch is one of two values, of which only that one is computed.
func (k kit) branch(cond ir.Value, yes, no func() ir.Value) ir.Value {
	if c, ok := k.b.Graph().Const(cond); ok {
		if c.Bits&1 != 0 {
			return yes()
		}
		return no()
	}
	v := scf.BuildIf(k.b, cond, func() []ir.Value { return []ir.Value{yes()} }, func() []ir.Value { return []ir.Value{no()} })
	return k.b.Result(v, 0)
}

// exceeds holds where one of some numbers is large.
func (k kit) exceeds(xs ...ir.Value) ir.Value {
	var out ir.Value
	for i, x := range xs {
		if c := k.cmp(arith.OGT, x, k.num(large)); i == 0 {
			out = c
		} else {
			out = k.or(out, c)
		}
	}
	return out
}

type opDensity = func(k kit, x ir.Value, p []ir.Value) ir.Value

// carefulLaw is a density that takes another formula where one of the numbers that
// sizes lists is large; body holds inside of the support, for valid parameters.
type carefulLaw struct {
	plain  opDensity
	sizes  func(x ir.Value, p []ir.Value) []ir.Value
	inside opDensity
	body   opDensity
}

// either is the density for all sizes.
func (c carefulLaw) either(k kit, x ir.Value, p []ir.Value) ir.Value {
	// Inside is never NaN, and parameters that are no large finite numbers are left to
	// the plain formula.
	return k.branch(k.and(k.exceeds(c.sizes(x, p)...), c.inside(k, x, p)),
		func() ir.Value { return c.body(k, x, p) }, func() ir.Value { return c.plain(k, x, p) })
}

func carefully(plain opDensity, sizes func(x ir.Value, p []ir.Value) []ir.Value, inside, body opDensity) carefulLaw {
	return carefulLaw{plain, sizes, inside, body}
}

// density is that of a node. The branch that a careful law takes keeps loops from
// vectors, and what a loop does not change within it: so @logdensity has the plain
// formulas, counts the nodes that are large, and where there is one leaves the point to
// a function with the branches.
func (l *lowering) density(dist string, small bool, x ir.Value, p []ir.Value) ir.Value {
	k := l.kit()
	if law, ok := lawOf(dist, small); ok && !l.careful {
		l.large(k.exceeds(law.sizes(x, p)...))
		return law.plain(k, x, p)
	}
	return densityOps(dist, small)(k, x, p)
}

// largeNodes is the sum that counts them.
var largeNodes = slot{name: ".large"}

// badIndices is a sum that is NaN where an index was none: what is read there may not
// reach a density, as a comparison takes NaN for false.
var badIndices = slot{name: ".index"}

// guardIndex asks for an index.
func (l *lowering) guardIndex(ok ir.Value) {
	l.addTo(badIndices, l.kit().valid(ok, arith.ConstF64(l.b, 0)))
}

// readsByIndex reports an op that reads where an index may be none.
func (l *lowering) readsByIndex(v ir.Value) bool {
	return slices.ContainsFunc(l.g.Args(v), func(a ir.Value) bool { return l.g.Def(a) == IndexOf && l.g.Attr(a, "checked") != 0 })
}

// isHidden reports a sum that is no part of the density.
func (s slot) isHidden() bool { return s == largeNodes || s == badIndices }

// large counts a node where cond holds.
func (l *lowering) large(cond ir.Value) {
	k := l.kit()
	l.addTo(largeNodes, arith.Choose(l.b, cond, k.num(1), k.num(0)))
}

// mayBeLarge reports a node for which large may be asked.
func (l *lowering) mayBeLarge(v ir.Value) bool {
	if l.careful || l.g.Def(v) != Stochastic {
		return false
	}
	_, ok := lawOf(l.g.Ctx.AttrInfo(l.g.Attr(v, "dist")).Str, l.g.Attr(v, smallAttr) != 0)
	return ok
}

// callCareful calls the function with the branches.
func (l *lowering) callCareful() []ir.Value {
	b := l.b
	v := funcs.CallTo(b, l.carefulName, l.results(), b.Params(ir.Root)...)
	return []ir.Value{b.Result(v, 0), b.Result(v, 1), b.Result(v, 2)}
}

func allArgs(x ir.Value, p []ir.Value) []ir.Value { return p }

// withNode also asks for the node itself: a count.
func withNode(x ir.Value, p []ir.Value) []ir.Value { return append([]ir.Value{x}, p...) }

func (k kit) finitePositive(xs ...ir.Value) ir.Value {
	ok := k.cmp(arith.OEQ, k.num(0), k.num(0))
	for _, x := range xs {
		ok = k.and(ok, k.and(k.positive(x), k.isFinite(x)))
	}
	return ok
}

// carefulLaws are carefulDensities, made once.
var carefulLaws = sync.OnceValues(carefulDensities)

// lawOf is the careful law of a distribution, if it has one.
func lawOf(dist string, small bool) (carefulLaw, bool) {
	all, some := carefulLaws()
	if f, ok := all[dist]; ok && !small {
		return f, true
	}
	f, ok := some[dist]
	return f, ok
}

// densityOps is the density of a distribution as ops.
func densityOps(dist string, small bool) opDensity {
	if f, ok := lawOf(dist, small); ok {
		return f.either
	}
	return filled(densities)[dist]
}

// carefulDensities replace those of densities; small are those for counts that are.
func carefulDensities() (all, small map[string]carefulLaw) {
	c := func(k kit) calc[ir.Value, ir.Value] { return k }
	negative := func(k kit, x ir.Value, p []ir.Value) ir.Value { return negativeMass(c(k), x, p[0], p[1]) }
	count := func(k kit, x ir.Value) ir.Value { return k.and(k.whole(x, 0), k.isFinite(x)) }
	negativeIn := func(k kit, x ir.Value, p []ir.Value) ir.Value {
		return k.and(count(k, x), k.and(k.cmp(arith.OLT, p[0], k.num(1)), k.finitePositive(p...)))
	}
	small = map[string]carefulLaw{
		"dgamma": carefully(filled(densities)["dgamma"], func(_ ir.Value, p []ir.Value) []ir.Value { return p[:1] },
			func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.finitePositive(p[0], p[1], x, k.mul(p[1], x)) },
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				return k.sub(gammaKernel(c(k), p[0], k.mul(p[1], x)), k.log(x))
			}),
		"dchisqr": carefully(filled(densities)["dchisqr"], allArgs,
			func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.finitePositive(p[0], k.half(x)) },
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				return k.sub(gammaKernel(c(k), k.half(p[0]), k.half(x)), k.log(x))
			}),
		"dgen.gamma": carefully(filled(densities)["dgen.gamma"], func(_ ir.Value, p []ir.Value) []ir.Value { return p[:1] },
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				return k.finitePositive(p[0], p[1], p[2], x, k.pow(k.mul(p[1], x), p[2]))
			},
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				return k.add(k.log(p[2]), k.sub(gammaKernel(c(k), p[0], k.pow(k.mul(p[1], x), p[2])), k.log(x)))
			}),
		"dbeta": carefully(filled(densities)["dbeta"], allArgs,
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				return k.and(k.finitePositive(p[0], p[1], x), k.cmp(arith.OLT, x, k.num(1)))
			},
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				y := k.sub(k.num(1), x)
				return k.sub(betaKernel(c(k), p[0], p[1], x, y), k.add(k.log(x), k.log1p(k.neg(x))))
			}),
		"dnegbin": carefully(filled(densities)["dnegbin"], allArgs, negativeIn, negative),
	}
	all = map[string]carefulLaw{
		"dpois": carefully(filled(densities)["dpois"], withNode,
			func(k kit, x ir.Value, p []ir.Value) ir.Value { return k.and(count(k, x), k.finitePositive(p[0])) },
			func(k kit, x ir.Value, p []ir.Value) ir.Value { return poissonMass(c(k), x, p[0]) }),
		"dbin": carefully(filled(densities)["dbin"], withNode,
			func(k kit, x ir.Value, p []ir.Value) ir.Value {
				in := k.and(k.and(count(k, x), k.cmp(arith.OLE, x, p[1])), k.and(k.whole(p[1], 0), k.isFinite(p[1])))
				return k.and(in, k.isProbability(p[0]))
			},
			func(k kit, x ir.Value, p []ir.Value) ir.Value { return binomialMass(c(k), x, k.sub(p[1], x), p[0]) }),
		"dnegbin": carefully(filled(densities)["dnegbin"], withNode, negativeIn, negative),
	}
	return all, small
}
