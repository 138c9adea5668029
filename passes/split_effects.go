package passes

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/ordering"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// SplitEffects splits conditionals into pieces, drops those that nothing needs
// and merges the rest.
type SplitEffects struct {
	Merge bool `opt:"merge" doc:"put the pieces that are left together again"`
}

var splitEffectsInfo = &pass.Info{
	Name: "split-effects",
	Doc: "Splits each scf.if into one for each memory that it writes and each value that it yields, so that what nobody needs can go, and merges what is left. " +
		"Parts of which one needs the other stay together. A function in which that saves no op stays as it is.",
	Why: "After inline and before speculate: pieces that are gone write nothing in loops.",
	Example: `func.func @f(%k: i1, %x: i64) -> i64 {
  %a = memref.alloca() : memref<i64>
  %b = memref.alloca() : memref<i64>
  %nine = arith.constant 9 : i64
  memref.store %x, %a[] : memref<i64>
  scf.if %k {
    memref.store %nine, %a[] : memref<i64>
    memref.store %nine, %b[] : memref<i64>
  }
  memref.store %x, %b[] : memref<i64>
  %p = memref.load %a[] : memref<i64>
  %q = memref.load %b[] : memref<i64>
  %r = arith.addi %p, %q : i64
  return %r : i64
}
`,
	Statistics: []pass.Statistic{
		{Name: "split", Doc: "conditionals that became several"},
		{Name: "merged", Doc: "pairs of conditionals that became one"},
		{Name: "functions", Doc: "functions that have fewer ops afterwards"},
	},
	New: func() pass.Pass { return &SplitEffects{Merge: true} },
}

// Run works on each function by itself.
func (p *SplitEffects) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	cleanup := basic.CleanupRules(g.Ctx)
	to := map[*ir.Graph]*ir.Graph{}
	for _, f := range leaves(g, nil) {
		if ctx.Err() != nil {
			break // the manager sees it too
		}
		if n, split, merged := p.function(ctx, f, cleanup); n != f {
			to[f] = n
			ctx.Count("functions", 1)
			ctx.Count("split", split)
			ctx.Count("merged", merged)
		}
	}
	ctx.Remark("%d functions are smaller", len(to))
	if n := to[g]; n != nil {
		return n, nil
	}
	return ir.WithChildren(g, to), nil
}

// leaves lists the graphs in g without children, which functions are.
func leaves(g *ir.Graph, out []*ir.Graph) []*ir.Graph {
	n := len(out)
	inner := false
	for v := range ir.ScheduleOf(g).All() {
		for _, c := range g.Children(v) {
			out, inner = leaves(c, out), true
		}
	}
	if len(out) == n && !inner && !g.IsVerbatim() {
		out = append(out, g)
	}
	return out
}

// function returns g itself unless it gets smaller.
func (p *SplitEffects) function(ctx *pass.Context, g *ir.Graph, cleanup ir.Rules) (n *ir.Graph, split, merged int) {
	n, split = repeat(ctx, g, func(s *ir.Schedule) (ir.Rules, *int) {
		x := &splitter{s: s, effects: s.Graph().Effects()}
		return ir.Rules{scf.If: x.rule}, &x.done
	})
	n, _, _ = fixpoint.Settle(ctx, n, cleanup, fixpoint.MostRebuilds)
	if p.Merge {
		n, merged = repeat(ctx, n, func(s *ir.Schedule) (ir.Rules, *int) {
			x := newMerger(s, ctx.Target().Costs.MaxApart)
			merged := x.groups.Len()
			return ir.Rules{scf.If: x.rule()}, &merged
		})
		n, _, _ = fixpoint.Settle(ctx, n, cleanup, fixpoint.MostRebuilds)
		if ir.ScheduleOf(n).NumOps() >= ir.ScheduleOf(g).NumOps() {
			return g, 0, 0
		}
	}
	return n, split, merged
}

// repeat rewrites until the rules have nothing left to do, or bring back what
// there was before.
func repeat(ctx *pass.Context, g *ir.Graph, rules func(s *ir.Schedule) (ir.Rules, *int)) (n *ir.Graph, total int) {
	seen := map[uint64]bool{}
	s := ir.ScheduleOf(g)
	for fp := s.Fingerprint(); !seen[fp] && ctx.Err() == nil; fp = s.Fingerprint() {
		seen[fp] = true
		r, done := rules(s)
		n := ir.Rewrite(g.Ctx, s, r, nil)
		if *done == 0 {
			break
		}
		g, total = n, total+*done
		s = ir.ScheduleOf(g)
	}
	return g, total
}

// splitter splits the conditionals of one graph.
type splitter struct {
	s       *ir.Schedule
	effects func(ir.Value) []ir.Effect
	done    int
}

// mostPieces bounds the pieces of one conditional, each of which is a copy of
// what it needs: code and time to compile, not what the machine does.
const mostPieces = 32

// element is something that a conditional does: a write, or a yielded value.
type element struct {
	branch int      // of a write
	op     ir.Value // the write
	yield  int      // or the number of the value, -1 of a write
	writes []ir.Resource
	slices [2]map[ir.Value]bool // the ops that it needs, by branch
	group  int
}

// rule splits a conditional. Each write and each yielded value is an element; elements that belong together
// form a group, and each group becomes a conditional.
func (x *splitter) rule(m *ir.Mirror, n ir.Node) ir.Value {
	g := n.Graph()
	rs := g.Regions(n.Old())
	var orders [2]*ordering.Order
	var es []*element
	for i, r := range rs {
		orders[i] = ordering.New(x.s, r)
		es = append(es, x.writesOf(orders[i], i)...)
	}
	for k := range g.Yields(rs[0]) {
		e := &element{yield: k}
		for i, r := range rs {
			e.slices[i] = map[ir.Value]bool{}
			// A value from outside of the branch needs no op of it: its slice stays empty.
			if v, _, _ := g.Projection(g.Yields(r)[k]); orders[i].Top(v) == v {
				orders[i].Slice(v, e.slices[i])
			}
		}
		es = append(es, e)
	}
	groups := grouped(g, orders, es)
	if len(groups) < 2 || len(groups) > mostPieces {
		return 0
	}
	x.done++
	return x.build(m, n, groups)
}

// writesOf lists the ops of a branch that write.
func (x *splitter) writesOf(o *ordering.Order, branch int) (es []*element) {
	for _, v := range o.Body() {
		if !x.s.Graph().HasEffect(v) || x.s.Graph().Def(v).Has(ir.Terminator) {
			continue
		}
		e := &element{branch: branch, op: v, yield: -1, slices: [2]map[ir.Value]bool{{}, {}}}
		o.Slice(v, e.slices[branch])
		for _, f := range x.effects(v) {
			if f.Writes() {
				e.writes = append(e.writes, f.On)
			}
		}
		es = append(es, e)
	}
	return es
}

// grouped puts together what belongs together and orders the groups.
func grouped(g *ir.Graph, orders [2]*ordering.Order, es []*element) [][]*element {
	for i, e := range es {
		e.group = i
	}
	for i, e := range es {
		for _, f := range es[:i] {
			if e.group != f.group && together(g, e, f) {
				join(es, e.group, f.group)
			}
		}
	}
	for { // what must come before one another is one group
		before := precedence(orders, es)
		again := false
		for i := range es {
			for j := range i {
				a, b := es[i].group, es[j].group
				if a != b && before[a][b] && before[b][a] {
					join(es, a, b)
					again = true
				}
			}
		}
		if !again {
			return ordered(es, before)
		}
	}
}

// join gives two groups the smaller of their numbers, which is that of their first element.
func join(es []*element, a, b int) {
	for _, e := range es {
		if e.group == max(a, b) {
			e.group = min(a, b)
		}
	}
}

// together: two writes that may be of the same memory, something that needs what
// another has written, and two that need the same allocation.
func together(g *ir.Graph, e, f *element) bool {
	for _, a := range e.writes {
		for _, b := range f.writes {
			if g.MayAlias(a, b) {
				return true
			}
		}
	}
	if e.yield < 0 && f.slices[e.branch][e.op] || f.yield < 0 && e.slices[f.branch][f.op] {
		return true
	}
	for i := range e.slices {
		for v := range e.slices[i] {
			if f.slices[i][v] && g.Def(v).Has(ir.Unique) {
				return true
			}
		}
	}
	return false
}

// precedence says which groups must come before which, directly or not.
func precedence(orders [2]*ordering.Order, es []*element) (before [][]bool) {
	before = make([][]bool, len(es))
	for i := range before {
		before[i] = make([]bool, len(es))
	}
	for _, e := range es {
		for i, o := range orders {
			for v := range e.slices[i] {
				for t := range o.After(v) {
					for _, f := range es {
						if f.group != e.group && f.slices[i][t] {
							before[f.group][e.group] = true
						}
					}
				}
			}
		}
	}
	// Warshall's algorithm: the transitive closure, with the group in between as the outermost index.
	for k := range es {
		for i := range es {
			for j := range es {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	return before
}

// ordered lists the groups so that each comes after those before it, otherwise
// in the order of their first elements.
func ordered(es []*element, before [][]bool) (out [][]*element) {
	byGroup := map[int][]*element{}
	var left []int
	for _, e := range es {
		if byGroup[e.group] == nil {
			left = append(left, e.group)
		}
		byGroup[e.group] = append(byGroup[e.group], e)
	}
	for len(left) > 0 {
		// Groups that precede each other have been joined, so the relation has no cycles: a group without
		// predecessors always exists.
		k := slices.IndexFunc(left, func(a int) bool {
			return !slices.ContainsFunc(left, func(b int) bool { return b != a && before[b][a] })
		})
		out = append(out, byGroup[left[k]])
		left = slices.Delete(left, k, k+1)
	}
	return out
}

// build makes one conditional for each group.
func (x *splitter) build(m *ir.Mirror, n ir.Node, groups [][]*element) ir.Value {
	g := n.Graph()
	results := make([]ir.Value, g.Results(n.Old()))
	args := []ir.Value{m.Of(n.Arg(0))}
	for _, es := range groups {
		call := ir.Call{Def: scf.If, Args: args, Attr: n.Attrs()}
		var yields []int
		for _, e := range es {
			if e.yield >= 0 {
				yields = append(yields, e.yield)
			}
		}
		for i := range n.NumRegions() {
			old := n.Region(i)
			call.Regions = append(call.Regions, m.RegionWith(old, ir.Branch, nil, func([]ir.Value) {
				if !g.HasBlock(old.Old()) {
					return
				}
				m.B.Enter(scf.If, 0, args, i, nil)
				// Pure ops that several groups need are copied. What must be unique is in one group only (see
				// together).
				all := m.BodyWithout(old, func(w ir.Node) bool {
					return !slices.ContainsFunc(es, func(e *element) bool { return e.slices[i][w.Old()] })
				})
				ys := lists.Map(yields, func(k int) ir.Value { return all[k] })
				m.Op(scf.Yield, ys...)
			}))
		}
		v := m.B.Must(call)
		for k, y := range yields {
			results[y] = m.B.Result(v, k)
		}
	}
	return m.B.Pack(results...)
}
