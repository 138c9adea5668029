package passes

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// SplitSums adds what a loop does not change once behind it.
type SplitSums struct{}

var splitSumsInfo = &pass.Info{
	Name: "split-sums",
	Doc: "Adds each term of a sum where it varies: of what a loop adds in every round to a number that it carries, the terms that it does not change are added once behind it, times the number of its rounds. " +
		"The additions have to be flagged reassoc, nothing else may read the sum on its way, and the loop has to count by 1. " +
		"A term that is NaN unless a condition holds counts as two: the term, and 0 or NaN by the condition. A loop that does not run adds nothing.",
	Why: "After licm, which takes out of loops what they do not change, and mem2reg, which makes carried numbers of sums in memory; before parallelize and vectorize, for which less is left in the loop.",
	Example: `func.func @f(%x: memref<?xf64>, %n: index, %a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %la = math.log %a : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %v = memref.load %x[%i] : memref<?xf64>
    %t = arith.subf %v, %la fastmath<reassoc> : f64
    %next = arith.addf %s, %t fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}
`,
	Statistics: []pass.Statistic{{Name: "terms", Doc: "terms that are added behind a loop"}},
	New:        func() pass.Pass { return &SplitSums{} },
}

// Run takes terms out of loops until none is left that one does not change: what leaves an
// inner loop may leave the one around it.
func (*SplitSums) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	seen := map[uint64]bool{}
	for fp := pass.Fingerprint(g); !seen[fp] && ctx.Err() == nil; fp = pass.Fingerprint(g) {
		seen[fp] = true
		found := map[ir.Node][]*splitSum{}
		everyGraph(g, func(s *ir.Schedule) { findSums(s, found) })
		if len(found) == 0 {
			return g, nil
		}
		for _, sums := range found {
			for _, x := range sums {
				ctx.Count("terms", len(x.fixed)+len(x.fixedIf))
			}
		}
		g = rebuild(g, ir.Rules{scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
			if sums := found[n]; sums != nil {
				return splitLoop(m, n, sums)
			}
			return 0
		}})
	}
	return g, nil
}

// everyGraph calls f for the schedules of a graph and of those in it.
func everyGraph(g *ir.Graph, f func(s *ir.Schedule)) {
	s := ir.ScheduleOf(g)
	f(s)
	s.Walk(func(v ir.Value) {
		for _, c := range g.Children(v) {
			everyGraph(c, f)
		}
	})
}

// A sumTerm is added, or taken away.
type sumTerm struct {
	v   ir.Value
	neg bool
}

// splitSum is what a loop adds to one of the numbers that it carries.
type splitSum struct {
	at              int // which of the numbers
	base            ir.Value
	flags           arith.FastMath
	varying, fixed  []sumTerm
	unless, fixedIf []ir.Value // conditions without which the sum is NaN
	g               *ir.Graph
	s               *ir.Schedule
	body            ir.Region
	uses            map[ir.Value]int
}

// findSums finds the sums of a graph's loops of which terms can leave.
func findSums(s *ir.Schedule, found map[ir.Node][]*splitSum) {
	g := s.Graph()
	uses := map[ir.Value]int{}
	var loops []ir.Value
	s.Walk(func(v ir.Value) {
		for _, a := range g.Args(v) {
			uses[a]++
		}
		if g.Def(v) == scf.For {
			loops = append(loops, v)
		}
	})
	for _, v := range loops {
		args, body := g.Args(v), g.Regions(v)[0]
		if step, ok := g.Const(args[2]); !ok || step.Bits != 1 || g.Type(args[0]) != ir.Index {
			continue
		}
		for k, y := range g.Yields(body) {
			x := &splitSum{at: k, g: g, s: s, body: body, uses: uses, flags: ^arith.FastMath(0)}
			if t := g.Type(y); t != ir.F64 && t != ir.F32 || !x.reaches(y, g.Params(body)[1+k]) || !x.path(y, g.Params(body)[1+k]) {
				continue
			}
			if len(x.fixed)+len(x.fixedIf) > 0 {
				found[g.NodeOf(v)] = append(found[g.NodeOf(v)], x)
			}
		}
	}
}

// sum reports an addition or subtraction that may be done in any order.
func (x *splitSum) sum(v ir.Value) bool {
	d := x.g.Def(v)
	return (d == arith.Addf || d == arith.Subf) && x.flagsOf(v)&arith.Reassoc != 0
}

func (x *splitSum) flagsOf(v ir.Value) arith.FastMath {
	return arith.FastMathOf(x.g.Ctx, x.g.AttrsOf(v))
}

// path takes the terms between what is yielded and what was carried, which it reaches. It ends
// at an inner loop that goes on with the sum.
func (x *splitSum) path(v, carried ir.Value) bool {
	if v == carried || x.through(v, carried) {
		x.base = v
		return true
	}
	args := x.g.Args(v)
	sides := []int{0, 1}
	if x.g.Def(v) == arith.Subf {
		sides = sides[:1] // what was carried is not taken away
	}
	for _, i := range sides {
		if x.reaches(args[i], carried) {
			x.flags &= x.flagsOf(v)
			x.take(args[1-i], x.g.Def(v) == arith.Subf)
			return x.path(args[i], carried)
		}
	}
	return false
}

// reaches reports that a partial sum is made of what was carried by additions alone, of which
// each is read by the next and nothing else.
func (x *splitSum) reaches(v, carried ir.Value) bool {
	for x.uses[v] == 1 {
		if v == carried || x.through(v, carried) {
			return true
		}
		if !x.sum(v) {
			return false
		}
		args := x.g.Args(v)
		if x.g.Def(v) == arith.Addf && x.reaches(args[1], carried) {
			return true
		}
		v = args[0]
	}
	return false
}

// through reports the result of an inner loop that adds to a sum that began with what was
// carried.
func (x *splitSum) through(v, carried ir.Value) bool {
	n, k, ok := x.g.Projection(v)
	if !ok {
		n, k = v, 0
	}
	if x.g.Def(n) != scf.For {
		return false
	}
	body := x.g.Regions(n)[0]
	return x.reaches(x.g.Yields(body)[k], x.g.Params(body)[1+k]) && x.reaches(x.g.Args(n)[3+k], carried)
}

// take takes a term apart.
func (x *splitSum) take(v ir.Value, neg bool) {
	g := x.g
	args := g.Args(v)
	switch d := g.Def(v); {
	case !x.inLoop(v):
		x.fixed = append(x.fixed, sumTerm{v, neg})
		return
	case x.uses[v] != 1:
	case x.sum(v):
		x.flags &= x.flagsOf(v)
		x.take(args[0], neg)
		x.take(args[1], neg != (d == arith.Subf))
		return
	case d == arith.Negf:
		x.take(args[0], !neg)
		return
	case d == arith.Select:
		if c, ok := g.Const(args[2]); ok && gomath.IsNaN(c.Float(g.Type(v))) {
			x.condition(args[0])
			x.take(args[1], neg)
			return
		}
	}
	x.varying = append(x.varying, sumTerm{v, neg})
}

// condition takes the conditions apart without which a term is NaN.
func (x *splitSum) condition(c ir.Value) {
	switch {
	case !x.inLoop(c):
		x.fixedIf = append(x.fixedIf, c)
	case x.g.Def(c) == arith.Andi && x.uses[c] == 1:
		x.condition(x.g.Args(c)[0])
		x.condition(x.g.Args(c)[1])
	default:
		x.unless = append(x.unless, c)
	}
}

// inLoop reports a value that is made in the loop.
func (x *splitSum) inLoop(v ir.Value) bool {
	if _, ok := x.g.Const(v); ok {
		return false
	}
	r := x.g.Home(v)
	if _, _, param := x.g.Param(v); !param {
		n, _, _ := x.g.Projection(v)
		if n == 0 {
			n = v
		}
		r = x.s.Place(n)
	}
	for ; r != ir.Root; r = x.g.Parent(r) {
		if r == x.body {
			return true
		}
	}
	return false
}

// added is a sum of terms, guarded by conditions; 0 if there are none.
func (x *splitSum) added(m *ir.Mirror, terms []sumTerm, unless []ir.Value, t ir.Type) ir.Value {
	sum := ir.Value(0)
	for _, a := range terms {
		v := m.Of(x.g.NodeOf(a.v))
		switch {
		case sum == 0 && a.neg:
			sum = arith.Float(m.B, arith.Negf, x.flags, v)
		case sum == 0:
			sum = v
		case a.neg:
			sum = arith.Float(m.B, arith.Subf, x.flags, sum, v)
		default:
			sum = arith.Float(m.B, arith.Addf, x.flags, sum, v)
		}
	}
	if len(unless) == 0 {
		return sum
	}
	if sum == 0 {
		sum = arith.ConstFloat(m.B, t, 0)
	}
	all := m.Of(x.g.NodeOf(unless[0]))
	for _, c := range unless[1:] {
		all = m.Op(arith.Andi, all, m.Of(x.g.NodeOf(c)))
	}
	return arith.Choose(m.B, all, sum, arith.ConstFloat(m.B, t, gomath.NaN()))
}

// splitLoop makes a loop without the terms that it does not change, and adds these behind it.
func splitLoop(m *ir.Mirror, n ir.Node, sums []*splitSum) ir.Value {
	old := n.Region(0)
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs()}
	call.Regions = []ir.Region{m.RegionWith(old, ir.Loop, nil, func(params []ir.Value) {
		m.B.Enter(call.Def, call.Attr, call.Args, 0, params)
		ys := slices.Clone(m.Body(old, params...))
		for _, x := range sums {
			ys[x.at] = x.plus(m, m.Of(x.g.NodeOf(x.base)), x.added(m, x.varying, x.unless, m.B.Graph().Type(ys[x.at])))
		}
		m.Op(scf.Yield, ys...)
	})}
	results := slices.Clone(m.B.Results(m.B.Must(call)))
	b := m.B
	lower, upper := call.Args[0], call.Args[1]
	runs := arith.CmpI(b, arith.SLT, lower, upper)
	for _, x := range sums {
		r := results[x.at]
		t := b.Graph().Type(r)
		rounds := arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, arith.SubI(b, upper, lower), ir.I64), t)
		all := arith.Float(b, arith.Mulf, x.flags, rounds, x.added(m, x.fixed, x.fixedIf, t))
		results[x.at] = arith.Choose(b, runs, x.plus(m, r, all), r)
	}
	return b.Pack(results...)
}

// plus is a sum of two, of which the second may be 0: none.
func (x *splitSum) plus(m *ir.Mirror, base, v ir.Value) ir.Value {
	if v == 0 {
		return base
	}
	return arith.Float(m.B, arith.Addf, x.flags, base, v)
}
