package binding

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// VersionPowers takes the logarithms of powers out of loops.
type VersionPowers struct{}

// VersionPowersInfo is the row of version-powers.
var VersionPowersInfo = &pass.Info{
	Name: "version-powers",
	Doc: "Asks before a loop once whether the bases of the powers that it does not change, and whose exponents it changes, are positive, finite and not 1. " +
		"If so, a version of the loop runs in which x^y is exp(y log x), whose logarithm leaves the loop; else the loop as it is. Of other bases the power is no such exponential: (-2)^2, 0^0, 1^inf. " +
		"The powers have to be flagged afn, since rounding y log x is an error of about 1.5 |y log x| units in the last place of the result. In f64 that is less than 2^-41 of it where it is a normal number. " +
		"As a condition on poison traps, a base has to be a number of the caller's, or made of such by arithmetic without nnan and ninf.",
	Why: "After specialize-data, which looks for what every call computes and not into versions; before parallelize and vectorize, which make more of exponentials than of powers.",
	Example: `func.func @f(%x: memref<?xf64>, %b: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.load %x[%i] : memref<?xf64>
    %p = math.powf %b, %y fastmath<afn> : f64
    memref.store %p, %x[%i] : memref<?xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{
		{Name: "versions", Doc: "loops that got a version"},
		{Name: "powers", Doc: "powers in these that are exponentials"},
	},
	New: func() pass.Pass { return &VersionPowers{} },
}

// Run copies loops, the outermost that a base is made before first: bases that these make leave
// the ones within.
func (*VersionPowers) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	for ctx.Err() == nil {
		x := &powers{versions[map[ir.Value]bool]{of: map[ir.Node]map[ir.Value]bool{}}}
		_, named := symbolsIn(g)
		eachCode(g, ir.Node{}, func(c *code, owner ir.Node) {
			p := &numbers{code: c, entry: owner.Graph() != nil && owner.Def() == funcs.Func && !named[symbols.Of(owner)]}
			x.find(c, p.powers)
		})
		if len(x.of) == 0 {
			break
		}
		ctx.Count("versions", len(x.of))
		for _, found := range x.of {
			ctx.Count("powers", len(found))
		}
		g = x.rebuild(g, ir.Rules{math.Powf: x.power}, x.condition)
	}
	return g, nil
}

// powers are those of the loops of a program, by the loop.
type powers struct{ versions[map[ir.Value]bool] }

// numbers are the values of a graph that are not poison.
type numbers struct {
	*code
	entry bool   // only the outside calls the function
	are   []bool // by value; nil: not asked
}

// powers are those of a loop whose base it does not change, and whose exponent it does.
func (p *numbers) powers(loop *nest) (map[ir.Value]bool, bool) {
	g, found := p.g, map[ir.Value]bool{}
	p.within(loop.body, func(v ir.Value) {
		if g.Def(v) != math.Powf || !isNumberType(g.Type(v)) || arith.FastMathOf(g.Ctx, g.AttrsOf(v))&arith.Afn == 0 {
			return
		}
		if base, y := g.Args(v)[0], g.Args(v)[1]; !loop.has(base) && loop.has(y) && p.isNumber(base) {
			found[v] = true
		}
	})
	return found, len(found) > 0
}

func isNumberType(t ir.Type) bool { return t == ir.F64 || t == ir.F32 }

// isNumber reports a value that is not poison: what the outside gives, and arithmetic on it that
// makes none.
func (p *numbers) isNumber(v ir.Value) bool {
	if p.are == nil {
		p.findNumbers()
	}
	return p.are[v]
}

// findNumbers finds them in order: what a value is made of is before it.
func (p *numbers) findNumbers() {
	written := ir.NewResourceSet(p.g)
	for v := range p.s.All() {
		for _, e := range p.effects(v) {
			if e.Writes() {
				written.Add(e.On)
			}
		}
	}
	p.are = make([]bool, p.g.Len())
	for v := ir.Value(1); int(v) < p.g.Len(); v++ {
		isGiven := func() bool { // memory of the caller's that the function does not write
			r, _, ok := p.g.Param(p.g.Args(v)[0])
			return ok && r == ir.Root && p.entry && !slices.ContainsFunc(p.effects(v), func(e ir.Effect) bool { return written.MayAlias(e.On) })
		}
		p.are[v] = p.makesNumber(v, isGiven)
	}
}

// makesNumber is isNumber where that is known of operands.
func (p *numbers) makesNumber(v ir.Value, isGiven func() bool) bool {
	g := p.g
	if !g.MayBePoison(v) {
		return true
	}
	if !g.IsOp(v) || len(g.Regions(v)) > 0 {
		return false
	}
	args := g.Args(v)
	switch def := g.Def(v); {
	case def == memref.Load:
		return isGiven()
	case def == arith.IndexCast || def == arith.Sitofp || def == arith.Uitofp:
	case !isNumberType(g.Type(v)) || !g.IsPure(v) || arith.FastMathOf(g.Ctx, g.AttrsOf(v))&(arith.NNan|arith.NInf) != 0 || len(args) == 0:
		return false
	}
	return !slices.ContainsFunc(args, func(a ir.Value) bool { return !p.are[a] })
}

// power is a power in a loop that is copied: as an exponential, or as it is for good.
func (x *powers) power(m *ir.Mirror, n ir.Node) ir.Value {
	c := x.copied(n.Graph())
	if c == nil || !c.of[n.Old()] {
		return 0
	}
	b, ctx := m.B, m.B.Ctx()
	if !c.first {
		flags := arith.FastMathOf(ctx, n.Attrs()) &^ arith.Afn
		return m.CopyWith(n, ctx.With(n.Attrs(), "fastmath", elementwise.FastMathAttr(ctx, uint8(flags))))
	}
	log := arith.Float(b, math.Log, 0, m.Of(n.Arg(0)))
	return arith.Float(b, math.Exp, 0, arith.MulF(b, m.Of(n.Arg(1)), log))
}

// condition is that all bases are positive, finite and not 1.
func (*powers) condition(m *ir.Mirror, n ir.Node, found map[ir.Value]bool) ir.Value {
	b, g := m.B, n.Graph()
	all := b.Const(ir.I1, ir.IntVal(1, 1))
	var bases []ir.Value
	for v := range found {
		bases = append(bases, g.Args(v)[0])
	}
	slices.Sort(bases)
	for _, base := range slices.Compact(bases) {
		v := m.Of(g.NodeOf(base))
		t := b.Graph().Type(v)
		for _, c := range []struct {
			p arith.CmpFPredicate
			x float64
		}{{arith.OGT, 0}, {arith.OLT, gomath.Inf(1)}, {arith.ONE, 1}} {
			all = b.Op(arith.Andi, all, arith.CmpF(b, c.p, v, arith.ConstFloat(b, t, c.x)))
		}
	}
	return all
}
