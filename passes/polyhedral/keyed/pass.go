package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Key makes reductions that are guarded by equations on data accumulate at computed indices.
type Key struct {
	Group string `opt:"group" one:"auto always never" doc:"whether data is counted where that is another way: auto where it is the only one or costs less, and no more than anything else of the system"`
}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "poly-key",
	Doc: "Reductions of equations whose value is the identity but where data is equal to a coordinate, as in n[d] += select(doc[w] == d, x[w], 0), lose this coordinate: " +
		"the data takes its place (counting sort, histograms, running counts). Where the target has it, the reduction accumulates at a computed index, n[doc[w]] += x[w]; " +
		"elsewhere the data is compared with the bounds that the coordinate had. What is read at the coordinate is read at a computed index. A reduction of which that would " +
		"close a circle is grouped, or stays: where the value depends on what goes by data alone, as in ll[d] += select(doc[w] == d, log(X[v[w]]), 0), the data is counted, " +
		"n[doc[w], v[w]] += 1. The value of each is then taken so often, which takes sums of floats in another order. Data that is compared with data, as in X[i] += select(doc[j] == doc[i], w[j], 0) over j < i, has a table of running sums. X[i] reads it at doc[i] after j < i have come in. " +
		"Arrays that are copies of parts of others are not made. " +
		"A coordinate that is compared with an integer of 32 bits is taken to fit these.",
	Why: "After simplify-reductions, which says what does not vary with what is compared, and before poly-schedule.",
	Example: `func.func @f(%n: index, %w: index, %doc: memref<?xi32>, %c: memref<?xi64>) {
  poly.system (%n = "N", %w = "W") context "[N, W] -> { : N >= 0 and W >= 0 }" {
    %D = poly.bind %doc as input "D" in "[W] -> { D[i] : 0 <= i < W }" : memref<?xi32>
    %C = poly.bind %c as output "C" in "[N] -> { C[i] : 0 <= i < N }" : memref<?xi64>
    poly.statement "S" over "[N, W] -> { S[d, w] : 0 <= d < N and 0 <= w < W }" add %C at "{ S[d, w] -> C[d] }" reading %D at "{ S[d, w] -> D[w] }" do (%d: index, %w_: index, %x: i32) {
      %y = arith.index_cast %d : index to i32
      %same = arith.cmpi eq, %x, %y : i32
      %one = arith.extui %same : i1 to i64
      poly.yield %one : i64
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "keyed", Doc: "reductions that lost a coordinate"}},
	New:        func() pass.Pass { return &Key{Group: "auto"} },
}

// Run finds all plans before anything is rebuilt.
func (p *Key) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, failed error) {
	defer unwind.To(&failed)
	g = unwind.Must(systems.Forward(g))
	g, n := p.running(ctx, g)
	ctx.Count("keyed", n)
	plans := rewritings{of: map[ir.Node]rewriting{}}
	unwind.Check(systems.Each(g, func(sys *poly.System) error {
		if sys.Schedule != nil {
			return nil
		}
		for _, st := range sys.Statements {
			x, err := p.plan(sys, st)
			var no refusal
			if errors.As(err, &no) {
				ctx.Remark("%s: %s stays as it is: %s", ctx.Where(sys.Node.Graph(), st.Node.Old()), st.Name, no)
				continue
			}
			if err != nil {
				return err
			}
			if x != nil {
				plans.add(st, rewriting{sys, x})
			}
		}
		return nil
	}))
	if len(plans.of) == 0 {
		return g, nil
	}
	ctx.Count("keyed", len(plans.of))
	return plans.apply(g)
}

// rewritings are what becomes of statements.
type rewritings struct {
	of     map[ir.Node]rewriting
	faults systems.Faults
}

// add notes what becomes of a statement.
func (all *rewritings) add(st *poly.Stmt, x rewriting) {
	all.of[st.Node] = x
	all.faults.Expect(x.sys)
}

// apply makes the statements of all plans.
func (all *rewritings) apply(g *ir.Graph) (*ir.Graph, error) {
	touched := map[ir.Node]bool{}
	for _, x := range all.of {
		touched[x.sys.Node] = true
	}
	out := ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.Statement: func(m *ir.Mirror, n ir.Node) ir.Value {
			x, ok := all.of[n]
			if !ok {
				return 0
			}
			params := map[string]ir.Value{}
			for i, name := range x.sys.Params {
				params[name] = m.Of(x.sys.Node.Arg(i))
			}
			v, err := x.plan.emit(m, params)
			if err != nil {
				all.faults.Add(x.sys, err)
			}
			return v
		},
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value { // its dependences were those of what it had
			if !touched[n] || n.Attr(systems.DependencesAttr) == 0 {
				return 0
			}
			return m.CopyWith(n, m.B.Ctx().WithDiscardable(n.Attrs(), systems.DependencesAttr, 0))
		},
	}, nil)
	if err := all.faults.First(); err != nil {
		return nil, err
	}
	return out, nil
}

// A rewriting is what becomes of a statement of a system.
type rewriting struct {
	sys  *poly.System
	plan keying
}

// A keying makes the statements that take the place of one.
type keying interface {
	emit(m *ir.Mirror, params map[string]ir.Value) (ir.Value, error)
}

// plan takes the better of two forms, or nil. The counts of data cost no more than anything else of
// the system, or are not made: their number is that of values, whether these occur or not.
func (p *Key) plan(sys *poly.System, st *poly.Stmt) (_ keying, failed error) {
	defer unwind.To(&failed)
	x := match(st)
	if x == nil {
		return nil, nil
	}
	// Cone does not see what a region uses, so such a value cannot be taken apart.
	for n := range systems.Cone(x.all()) {
		if n.NumRegions() > 0 {
			return nil, nil
		}
	}
	keys, whyKeys := planKeys(sys, x)
	groups, whyGroups := planGroups(sys, x)
	var no refusal
	for _, err := range []error{whyKeys, whyGroups} {
		if err != nil && !errors.As(err, &no) {
			return nil, err
		}
	}
	if whyGroups == nil && p.Group == "always" {
		return groups, nil
	}
	if whyGroups == nil && p.Group != "never" {
		others := costsBut(sys, st)
		cheap := dominated(sys, groups.domain, others)
		// Where both forms exist, the keyed one wins if it costs no more than the counts.
		if whyKeys == nil && cheap {
			more := costOf(sys, groups.domain)
			better := dominated(sys, keys.domain, append(others, more...))
			cheap = !better
		}
		if cheap {
			return groups, nil
		}
	}
	if whyKeys != nil {
		return nil, whyKeys
	}
	return keys, nil
}

// costOf are the exponents of the parameters in the number of instances.
func costOf(sys *poly.System, s presburger.Set) [][]int {
	s = unwind.Must(s.IntersectParams(sys.Context))
	n := unwind.Must(s.AlignParams(sys.Params...).Card())
	c := unwind.Must(n.Complexity())
	return c.Monomials()
}

// costsBut are those of all statements of a system but one.
func costsBut(sys *poly.System, but *poly.Stmt) (out [][]int) {
	for _, st := range sys.Statements {
		if st == but {
			continue
		}
		c := costOf(sys, st.Domain)
		out = append(out, c...)
	}
	return out
}

// dominated reports a set of which the number of points grows no faster than something else.
func dominated(sys *poly.System, s presburger.Set, by [][]int) bool {
	c := costOf(sys, s)
	// A monomial grows no faster than another if each of its exponents is at most the other's.
	for _, m := range c {
		if !slices.ContainsFunc(by, func(o []int) bool {
			for i, k := range m {
				if k > o[i] {
					return false
				}
			}
			return true
		}) {
			return false
		}
	}
	return true
}
