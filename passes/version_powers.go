package passes

import (
	gomath "math"
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// VersionPowers takes the logarithms of powers out of loops.
type VersionPowers struct{}

var versionPowersInfo = &pass.Info{
	Name: "version-powers",
	Doc: "Asks before a loop once whether the bases of the powers that it does not change, and whose exponents it changes, are positive, finite and not 1. " +
		"If so, a version of the loop runs in which x^y is exp(y log x), whose logarithm leaves the loop; else the loop as it is. Of other bases the power is no such exponential: (-2)^2, 0^0, 1^inf. " +
		"The powers have to be flagged afn, since rounding y log x is an error of about 1.5 |y log x| units in the last place of the result, in f64 less than 2^-41 of it where it is a normal number. " +
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
		x := &powers{of: map[ir.Node]map[ir.Value]bool{}, called: calledIn(g)}
		x.graph(g, false)
		if len(x.of) == 0 {
			break
		}
		ctx.Count("versions", len(x.of))
		for _, found := range x.of {
			ctx.Count("powers", len(found))
		}
		g = rebuild(g, ir.Rules{scf.For: x.loop, scf.Parallel: x.loop, math.Powf: x.power})
	}
	return g, nil
}

// calledIn names the functions that a program refers to.
func calledIn(g *ir.Graph) map[string]bool {
	called := map[string]bool{}
	for n := range g.All() {
		for _, name := range []string{"callee", "value"} { // of a call, of a constant
			if a := n.Attr(name); a != 0 && g.Ctx.AttrInfo(a).Kind == ir.AttrSymbol {
				called[g.Ctx.AttrInfo(a).Str] = true
			}
		}
	}
	return called
}

// powers are those of the loops of a graph and its children.
type powers struct {
	of     map[ir.Node]map[ir.Value]bool // by loop
	open   sync.Map                      // by graph: the loop that is being copied
	called map[string]bool
}

// copying is a loop that is being copied, as exponentials or as it is.
type copying struct {
	powers map[ir.Value]bool
	exp    bool
}

func (x *powers) graph(g *ir.Graph, entry bool) {
	s := ir.ScheduleOf(g)
	p := &versionPlan{g: g, s: s, entry: entry}
	x.region(p, ir.Root)
	s.Walk(func(v ir.Value) {
		for _, c := range g.Children(v) {
			x.graph(c, g.Def(v) == funcs.Func && !x.called[funcs.NameOf(g, v)])
		}
	})
}

func (x *powers) region(p *versionPlan, r ir.Region) {
	for _, v := range p.s.Body(r) {
		if p.counts(v) {
			if found := p.powers(v); len(found) > 0 {
				x.of[p.g.NodeOf(v)] = found
				continue
			}
		}
		for _, in := range p.g.Regions(v) {
			x.region(p, in)
		}
	}
}

// powers are those of a loop whose base it does not change, and whose exponent it does; nil if it
// is too long to be copied.
func (p *versionPlan) powers(loop ir.Value) map[ir.Value]bool {
	g, found := p.g, map[ir.Value]bool{}
	p.loop, p.inside = loop, map[ir.Value]bool{}
	if p.collect(g.Regions(loop)[0]); len(p.inside) > maxVersioned {
		return nil
	}
	for v := range p.inside {
		if g.Def(v) != math.Powf || !isNumberType(g.Type(v)) || arith.FastMathOf(g.Ctx, g.AttrsOf(v))&arith.Afn == 0 {
			continue
		}
		if base, y := g.Args(v)[0], g.Args(v)[1]; !p.isInside(base) && p.isInside(y) && p.isNumber(base) {
			found[v] = true
		}
	}
	return found
}

func isNumberType(t ir.Type) bool { return t == ir.F64 || t == ir.F32 }

// isNumber reports a value that is not poison: what the outside gives, and arithmetic on it that
// makes none.
func (p *versionPlan) isNumber(v ir.Value) bool {
	if p.numbers == nil {
		p.findNumbers()
	}
	return p.numbers[v]
}

// findNumbers finds them in order: what a value is made of is before it.
func (p *versionPlan) findNumbers() {
	effects, written := p.g.Effects(), ir.NewResourceSet(p.g)
	p.s.Walk(func(v ir.Value) {
		for _, e := range effects(v) {
			if e.Writes() {
				written.Add(e.On)
			}
		}
	})
	p.numbers = make([]bool, p.g.Len())
	for v := ir.Value(1); int(v) < p.g.Len(); v++ {
		isGiven := func() bool { // memory of the caller's that the function does not write
			r, _, ok := p.g.Param(p.g.Args(v)[0])
			return ok && r == ir.Root && p.entry && !slices.ContainsFunc(effects(v), func(e ir.Effect) bool { return written.MayAlias(e.On) })
		}
		p.numbers[v] = p.makesNumber(v, isGiven)
	}
}

// makesNumber is isNumber where that is known of operands.
func (p *versionPlan) makesNumber(v ir.Value, isGiven func() bool) bool {
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
	return !slices.ContainsFunc(args, func(a ir.Value) bool { return !p.numbers[a] })
}

// copied is the loop of a graph that is being copied, or nil.
func (x *powers) copied(g *ir.Graph) *copying {
	v, _ := x.open.Load(g)
	c, _ := v.(*copying)
	return c
}

// power is a power in a loop that is copied: as an exponential, or as it is for good.
func (x *powers) power(m *ir.Mirror, n ir.Node) ir.Value {
	c := x.copied(n.Graph())
	if c == nil || !c.powers[n.Old()] {
		return 0
	}
	b, ctx := m.B, m.B.Ctx()
	if !c.exp {
		flags := arith.FastMathOf(ctx, n.Attrs()) &^ arith.Afn
		return m.CopyWith(n, ctx.With(n.Attrs(), "fastmath", arith.FastMathAttr(ctx, flags)))
	}
	log := arith.Float(b, math.Log, 0, m.Of(n.Arg(0)))
	return arith.Float(b, math.Exp, 0, arith.MulF(b, m.Of(n.Arg(1)), log))
}

// loop is a loop of which there is a version, as a conditional.
func (x *powers) loop(m *ir.Mirror, n ir.Node) ir.Value {
	found := x.of[n]
	if found == nil || x.copied(n.Graph()) != nil {
		return 0
	}
	return inVersions(m, n, x.condition(m, n, found), func(first bool) ir.Value {
		x.open.Store(n.Graph(), &copying{found, first})
		defer x.open.Delete(n.Graph())
		return m.CopyWith(n, n.Attrs())
	})
}

// condition is that all bases are positive, finite and not 1.
func (x *powers) condition(m *ir.Mirror, n ir.Node, found map[ir.Value]bool) ir.Value {
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
