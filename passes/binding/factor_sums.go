package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Factor makes of sums over static data a few sums of these alone: sufficient statistics.
type Factor struct{}

// FactorSumsInfo is the row of factor-sums.
var FactorSumsInfo = &pass.Info{
	Name: "factor-sums",
	Doc: "Takes out of the sum of a loop the factors that the loop does not change. Arguments that are the same in every call (func.static) have to decide all else: " +
		"the sum of s[i]*a is a times that of s[i]; the sum of (s[i] - m)^2*a is a times the sum of (s[i] - c)^2 + 2*(s[i] - c)*(c - m) + (c - m)^2. There c is the mean of s, and nothing cancels. " +
		"What is summed is then computed once (specialize-data), and the sum takes the same time for any number of rounds. " +
		"All terms of the sum have to be so, guards by what is static or fixed among them; additions have to be flagged reassoc and products contract, and the loop writes nothing. " +
		"The rounding errors stay within a small multiple of n*u times the sum of the terms' magnitudes, as those of the loop do, and counts are summed without any. " +
		"Where the result is not finite, or a guard does not hold, the loop runs and says what it is.",
	Why: "After split-sums, which takes out of sums what their factors do not hold back; before specialize-data, which computes the sums of what is static ahead.",
	Example: `func.func @f(%x: memref<100xf64> {func.static, llvm.noalias}, %a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100 : index
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %v = memref.load %x[%i] : memref<100xf64>
    %t = arith.mulf %a, %v fastmath<contract> : f64
    %next = arith.addf %s, %t fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}
`,
	Statistics: []pass.Statistic{{Name: "sums", Doc: "sums that take the same time for any number of rounds"}},
	New:        func() pass.Pass { return &Factor{} },
}

// Run factors every sum that it can.
func (*Factor) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	found := map[ir.Node][]*statistics{}
	eachCode(g, ir.Node{}, func(c *code, owner ir.Node) {
		if t := c.times(owner); t != nil {
			findStatistics(c, t, found)
		}
	})
	if len(found) == 0 {
		return g, nil
	}
	for _, sums := range found {
		ctx.Count("sums", len(sums))
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
		if sums := found[n]; sums != nil {
			return factored(m, n, sums)
		}
		return 0
	}}, nil), nil
}

// fewestRounds is how many rounds of a loop are worth it where their number is known.
const fewestRounds = 16

// findStatistics finds the sums of a graph's loops that can be factored.
func findStatistics(c *code, times *Times, found map[ir.Node][]*statistics) {
	loopSums(c, usesIn(c), func(v ir.Value, x *sum, yielded, carried ir.Value) {
		if !times.Always(x.loop.body) || slices.ContainsFunc(c.g.EffectsOf(x.loop.body), ir.Effect.Writes) || !c.worthIt(v) || c.g.Type(yielded) != ir.F64 || times.Static(yielded) {
			return
		}
		x.times = times
		if st := newStatistics(x); st.walk(yielded, carried) && st.pays() {
			found[c.g.NodeOf(v)] = append(found[c.g.NodeOf(v)], st)
		}
	})
}

// worthIt reports a loop with enough rounds, as far as that is known. Loops around it
// have constant bounds: only for these are there tables of what is computed ahead.
func (c *code) worthIt(v ir.Value) bool {
	if _, trips, ok := c.counts(v); ok && trips < fewestRounds {
		return false
	}
	for r := c.s.Place(v); r != ir.Root; r = c.around(r) {
		if _, _, ok := c.counts(c.g.Owner(r)); !ok && c.g.Def(c.g.Owner(r)) == scf.For {
			return false
		}
	}
	return true
}

// A factor is a value, or log(1 + it).
type factor struct {
	v     ir.Value
	log1p bool
}

func (f factor) make(b *ir.Builder, of func(ir.Value) ir.Value) ir.Value {
	if f.log1p {
		return arith.Float(b, math.Log1p, 0, of(f.v))
	}
	return of(f.v)
}
