package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// Split adds what a loop does not change once behind it, and what is static by itself.
type Split struct{}

// SplitSumsInfo is the row of split-sums.
var SplitSumsInfo = &pass.Info{
	Name: "split-sums",
	Doc: "Adds each term of a sum where it varies: a loop adds terms in every iteration to a number that it carries. Those that it does not change are added once behind it, times the number of its iterations; " +
		"those that arguments of the function decide which are the same in every call (func.static) are carried as a sum of their own, and outside of loops put together. " +
		"The additions have to be flagged reassoc, nothing else may read the sum on its way, and the loop has to count by 1. " +
		"A term that is NaN unless a condition holds counts as two: the term, and 0 or NaN by the condition. " +
		"What the loop makes anew in every round, as it may trap, is made behind it, if it runs. " +
		"The logarithm of a product is the sum of those of its factors, where it has the attribute math.factors, which allows NaN where a factor is negative. A loop that does not run adds nothing.",
	Why: "After licm, which takes out of loops what they do not change, and mem2reg, which makes carried numbers of sums in memory; before specialize-data, which computes sums of static terms ahead, and parallelize and vectorize, for which less is left in the loop.",
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
	Statistics: []pass.Statistic{
		{Name: "terms", Doc: "terms that are added behind a loop"},
		{Name: "static", Doc: "terms that are summed by themselves, as they are the same in every call"},
	},
	New: func() pass.Pass { return &Split{} },
}

// Run takes terms out of loops until none is left that one does not change: what leaves an
// inner loop may leave the one around it.
func (*Split) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	seen := map[uint64]bool{}
	for fp := fixpoint.Fingerprint(g); !seen[fp] && ctx.Err() == nil; fp = fixpoint.Fingerprint(g) {
		seen[fp] = true
		found := map[ir.Node][]*sum{}
		eachCode(g, ir.Node{}, func(c *code, owner ir.Node) { findSums(c, c.times(owner), found) })
		if len(found) == 0 {
			return g, nil
		}
		for _, sums := range found {
			for _, x := range sums {
				ctx.Count("terms", len(x.terms[fixed])+len(x.unless[fixed]))
				ctx.Count("static", len(x.terms[static])+len(x.unless[static]))
			}
		}
		outside := func(m *ir.Mirror, n ir.Node) ir.Value {
			if sums := found[n]; sums != nil {
				return sums[0].regroup(m, n)
			}
			return 0
		}
		g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{arith.Addf: outside, arith.Subf: outside, arith.Negf: outside, arith.Select: outside, scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
			if sums := found[n]; sums != nil {
				return split(m, n, sums)
			}
			return 0
		}}, nil)
	}
	return g, nil
}

// findSums finds the sums of a graph's loops of which terms can leave, and those outside of loops that have static parts.
func findSums(c *code, t *Times, found map[ir.Node][]*sum) {
	uses := usesIn(c)
	findOutside(c, t, uses, found)
	loopSums(c, uses, func(v ir.Value, x *sum, yielded, carried ir.Value) {
		if t != nil && t.Always(x.loop.body) && !t.Static(yielded) {
			x.times = t
		}
		if x.path(yielded, carried) && len(x.terms[fixed])+len(x.unless[fixed])+len(x.terms[static])+len(x.unless[static]) > 0 {
			found[c.g.NodeOf(v)] = append(found[c.g.NodeOf(v)], x)
		}
	})
}

// split makes a loop with sums of varying terms, and of static ones beside them, and adds
// the fixed ones behind it.
func split(m *ir.Mirror, n ir.Node, sums []*sum) ir.Value {
	old, b := n.Region(0), m.B
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs()}
	var more []ir.Type
	for _, x := range sums {
		if x.hasStatic() {
			t := x.g.Type(n.Args()[3+x.at].Old())
			call.Args, more = append(call.Args, arith.ConstFloat(b, t, 0)), append(more, t)
		}
	}
	call.Regions = []ir.Region{m.RegionWith(old, ir.Loop, more, func(params []ir.Value) {
		b.Enter(call.Def, call.Attr, call.Args, 0, params)
		k := len(params) - len(more)
		ys := slices.Clone(m.Body(old, params[:k]...))
		for _, x := range sums {
			of := func(v ir.Value) ir.Value { return m.Of(x.g.NodeOf(v)) }
			t := b.Graph().Type(ys[x.at])
			ys[x.at] = x.plus(m, of(x.base), x.added(b, x.terms[varying], x.unless[varying], t, of))
			if x.hasStatic() {
				ys = append(ys, x.plus(m, params[k], x.added(b, x.terms[static], x.unless[static], t, of)))
				k++
			}
		}
		m.Op(scf.Yield, ys...)
	})}
	all := b.Results(b.Must(call))
	results := slices.Clone(all[:len(all)-len(more)])
	k := len(results)
	for _, x := range sums {
		results[x.at] = x.behind(m, results[x.at], call.Args[0], call.Args[1])
		if x.hasStatic() {
			results[x.at] = x.plus(m, results[x.at], all[k])
			k++
		}
	}
	return b.Pack(results...)
}

// behind adds the fixed terms to a loop's sum: each by itself, as a loop around may change
// some of them, and nothing if the loop does not run: -0, which changes no number. A term that
// stands in the loop is made there only if it runs.
func (x *sum) behind(m *ir.Mirror, r, lower, upper ir.Value) ir.Value {
	b := m.B
	t := b.Graph().Type(r)
	runs := arith.CmpI(b, arith.SLT, lower, upper)
	rounds := roundsBetween(b, lower, upper, t)
	none := arith.NegF(b, arith.ConstFloat(b, t, 0))
	of := func(v ir.Value) ir.Value { return m.Of(x.g.NodeOf(v)) }
	add := func(parts []ir.Value, what func(of func(ir.Value) ir.Value) ir.Value) {
		var v ir.Value
		if slices.ContainsFunc(parts, x.loop.has) {
			made := scf.BuildIf(b, runs, func() []ir.Value { return []ir.Value{what(x.loop.again(m, map[ir.Value]ir.Value{}))} }, func() []ir.Value { return []ir.Value{none} })
			v = b.Result(made, 0)
		} else {
			v = arith.Choose(b, runs, what(of), none)
		}
		r = x.plus(m, r, v)
	}
	for i, a := range x.terms[fixed] {
		n := x.often(i)
		if n == 0 {
			continue
		}
		add(a.parts(), func(of func(ir.Value) ir.Value) ir.Value {
			v := arith.Float(b, arith.Mulf, x.flags, arith.Float(b, arith.Mulf, x.flags, rounds, arith.ConstFloat(b, t, float64(n))), a.make(b, of))
			if a.neg {
				v = arith.Float(b, arith.Negf, x.flags, v)
			}
			return v
		})
	}
	if unless := x.unless[fixed]; len(unless) > 0 {
		add(unless, func(of func(ir.Value) ir.Value) ir.Value { return x.added(b, nil, unless, t, of) })
	}
	return r
}

// roundsBetween is how many rounds a loop by 1 has, as a float; lower is at most upper.
func roundsBetween(b *ir.Builder, lower, upper ir.Value, t ir.Type) ir.Value {
	return arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, arith.SubI(b, upper, lower), ir.I64), t)
}

// often is how often a round adds the value of a fixed term: a short loop within it may have
// become so many terms. It is 0 for one that an earlier term counts.
func (x *sum) often(i int) (n int) {
	a := x.terms[fixed][i]
	for k, c := range x.terms[fixed] {
		if k != i && (a.log != nil || c.log != nil || a.v != c.v || a.neg != c.neg) {
			continue
		}
		if k < i {
			return 0
		}
		n++
	}
	return n
}

// plus is a sum of two, of which the second may be 0: none.
func (x *sum) plus(m *ir.Mirror, base, v ir.Value) ir.Value {
	if v == 0 {
		return base
	}
	return arith.Float(m.B, arith.Addf, x.flags, base, v)
}
