package promote

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// Mem2Reg makes values of memory.
type Mem2Reg struct{}

// Mem2RegInfo is the row of mem2reg.
var Mem2RegInfo = &pass.Info{
	Name: "mem2reg",
	Doc: "Makes values of memory of one element that does not escape: a load is the value of the last store before it. " +
		"What a loop stores is carried from one iteration to the next, what a branch stores is a result of the conditional; before the first store it is poison. " +
		"The memory, what views and what frees it disappear. So does memory of any size that is written and never read, and what only writes it: " +
		"each load of it may have found the store that it reads, in the same round of a loop or before it, as it was built. " +
		"Memory escapes that is returned, passed on, copied (see sroa) or accessed at an index that is not a constant. So does memory that is stored to in an op other than for, while, if, index_switch, execute_region and alloca_scope. " +
		"Nothing outside sees such memory, so a trap in between does not either.",
	Why: "After inline, which shows what is done with memory, and after sroa, which makes single elements of small arrays; before licm and unroll, which see values better than memory.",
	Example: `func.func @f(%a: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %t = arith.addf %s, %x : f64
    memref.store %t, %sum[] : memref<f64>
  }
  %r = memref.load %sum[] : memref<f64>
  return %r : f64
}
`,
	Statistics: []pass.Statistic{
		{Name: "promoted", Doc: "allocations that became values"},
		{Name: "loads", Doc: "loads of them"},
		{Name: "stores", Doc: "stores to them"},
		{Name: "dead", Doc: "writes to memory that nothing reads"},
	},
	New: func() pass.Pass { return &Mem2Reg{} },
}

// Run promotes until nothing is left to promote: a value that was in memory may be
// an index that is a constant now. Results and carried values that nothing needs go.
func (*Mem2Reg) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	dead := 0
	for g := range g.Nested() {
		dead += ir.DeadStores(g)
	}
	if ctx.Count("dead", dead); dead > 0 {
		g = basic.Rebuild(g, ir.DropDeadStores(g.Ctx))
	}
	for ctx.Err() == nil {
		found := map[*ir.Graph]*promotion{}
		for g := range g.Nested() {
			if p := findPromotion(g); p != nil {
				found[g] = p
				ctx.Count("promoted", len(p.size))
				ctx.Count("loads", p.count(memref.Load))
				ctx.Count("stores", p.count(memref.Store))
			}
		}
		if len(found) == 0 {
			break
		}
		g, _, _ = fixpoint.Settle(ctx, basic.Rebuild(g, promoteRules(found)), g.Ctx.Cleanups(), fixpoint.MostRebuilds)
	}
	return g, nil
}

// promoteRules replays a graph in the order of its schedule, in which every load
// has the last store before it, and keeps what each allocation holds. A rule may run
// again for a loop that was built under an assumption that does not hold, so what the
// allocations hold is set anew when a region begins (see carry.go).
func promoteRules(found map[*ir.Graph]*promotion) ir.Rules {
	rules := ir.Rules{}
	localRules(rules, found, (*promotion).allocate, allocations...)
	localRules(rules, found, (*promotion).load, memref.Load)
	localRules(rules, found, (*promotion).store, memref.Store)
	localRules(rules, found, (*promotion).nothing, views...)
	localRules(rules, found, (*promotion).nothing, mentions...)
	for def, carry := range carriers {
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if p := found[n.Graph()]; p != nil && len(p.writes[n.Old()]) > 0 {
				return carry(&carried{p, p.writes[n.Old()]}, m, n)
			}
			return 0
		}
	}
	return rules
}

// allocate: what has not been stored is poison, as the interpreter has it.
func (p *promotion) allocate(m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value {
	p.holds[memory] = ub.Of(m.B, m.B.Ctx().Info(n.Type()).Elem)
	return m.B.Pack()
}

func (p *promotion) load(_ *ir.Mirror, _ ir.Node, memory ir.Value) ir.Value { return p.holds[memory] }

func (p *promotion) store(m *ir.Mirror, n ir.Node, memory ir.Value) ir.Value {
	p.holds[memory] = m.Of(n.Arg(0))
	return m.B.Pack()
}

func (p *promotion) nothing(m *ir.Mirror, _ ir.Node, _ ir.Value) ir.Value { return m.B.Pack() }
