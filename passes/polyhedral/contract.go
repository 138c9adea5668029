package polyhedral

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/storage"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Contract lets elements of local arrays share places.
type Contract struct {
	Budget int `opt:"budget" doc:"work that the lifetimes of one array may take, in steps; beyond it what is executed in one round of a loop counts as executed at one time"`
}

// ContractInfo is the row of the pass.
var ContractInfo = &pass.Info{
	Name: "poly-contract",
	Doc: "Gives the local arrays of a system with a schedule no more memory than they need: an element has its place from its first access to its last by the schedule, " +
		"the beginning of a reduction among them. A dimension in which the elements that are alive are never further apart than a constant is folded by it; an array that " +
		"keeps none of its dimensions is one element. That no two elements with one place are alive at one time is proved, of storage that is given, too.",
	Why: "After poly-schedule, which decides how long elements live, before poly-codegen.",
	Example: `func.func @f(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" schedule [
      "domain: '[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }'",
      "child:",
      "  schedule: '[{ S[i] -> [i]; T[i] -> [i] }]'",
      "  child:",
      "    sequence:",
      "    - filter: '{ S[i] }'",
      "    - filter: '{ T[i] }'"] {
    %A = poly.bind %a as input "A" in "[N] -> { A[i] : 0 <= i < N }" : memref<?xf64>
    %B = poly.bind %b as output "B" in "[N] -> { B[i] : 0 <= i < N }" : memref<?xf64>
    %L = poly.local "L" in "[N] -> { L[i] : 0 <= i < N }" : f64
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %L at "{ S[i] -> L[i] }" reading %A at "{ S[i] -> A[i] }" do (%i: index, %x: f64) {
      %y = arith.addf %x, %x : f64
      poly.yield %y : f64
    }
    poly.statement "T" over "[N] -> { T[i] : 0 <= i < N }" set %B at "{ T[i] -> B[i] }" reading %L at "{ T[i] -> L[i] }" do (%i: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "contracted", Doc: "arrays whose elements share places"}},
	New:        func() pass.Pass { return &Contract{} },
}

// Run finds the storage of all arrays before anything is rebuilt.
func (p *Contract) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	found := map[ir.Node]presburger.Map{}
	unwind.Check(systems.Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		if sys.Schedule == nil {
			return nil
		}
		c := &shrinkage{sys: sys, budget: int64(cmp.Or(p.Budget, contractBudget)), ctx: ctx, found: found}
		c.all()
		return nil
	}))
	if len(found) == 0 {
		return g, nil
	}
	ctx.Count("contracted", len(found))
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{poly.Local: func(m *ir.Mirror, n ir.Node) ir.Value {
		s, ok := found[n]
		if !ok {
			return 0
		}
		c := m.B.Ctx()
		return m.B.Must(ir.Call{Def: poly.Local, Type: n.Type(), Attr: c.With(n.Attrs(), "storage", poly.MapAttr(c, s)), Loc: m.B.Loc})
	}}, nil), nil
}

// contractBudget is the work that the lifetimes of one array may take if nothing else is said:
// some hundredths of a second; beyond it lifetimes are those of rounds of loops.
const contractBudget = 500_000

// A shrinkage is the work on one system.
type shrinkage struct {
	sys    *poly.System
	budget int64
	rounds []*storage.Times // of the outermost loops, from one on
	ctx    *pass.Context
	found  map[ir.Node]presburger.Map
}

// all finds mappings for the local arrays, and proves them and those that are given.
func (c *shrinkage) all() {
	var times *storage.Times
	for _, a := range c.sys.Arrays {
		// An array without dimensions has one place already; only storage that is assigned to it needs a
		// proof.
		if a.Role != poly.LocalRole || a.Rank == 0 && !a.IsStored {
			continue
		}
		var err error
		if times == nil {
			times, err = c.sys.Times()
		}
		if err == nil {
			err = c.one(times, a, c.budget)
		}
		if errors.Is(err, presburger.ErrBudget) && times != nil {
			if a.IsStored {
				err = c.check(times, a)
			} else {
				err = c.byRounds(times, a)
			}
		}
		// Without a mapping each element keeps its own place, which is always correct. Assigned storage
		// has no such fallback.
		if errors.Is(err, presburger.ErrBudget) && !a.IsStored {
			c.ctx.Remark("the lifetimes of the elements of %s take more work than is allowed: each has a place of its own", a.Name)
			continue
		}
		if err != nil {
			panic(unwind.Failed(systems.Failed(c.sys, err)))
		}
	}
}

// byRounds finds a mapping by the times of rounds of loops: of more and more loops, as long as that does
// not take a fifth of the work.
func (c *shrinkage) byRounds(times *storage.Times, a *poly.ArrayDecl) error {
	for n := 1; n <= times.Loops(); n++ {
		rounds, err := c.roundsOf(times, n)
		if err != nil {
			return err
		}
		err = c.one(rounds, a, c.budget/5)
		// Finer times have fewer conflicts, so the last mapping within the budget is the best one.
		if _, some := c.found[a.Node]; some && errors.Is(err, presburger.ErrBudget) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check proves a storage that is given. By rounds more elements conflict than do: that none of these have
// one place is a proof, that some have is none, and then the times of instances decide, with more work.
func (c *shrinkage) check(times *storage.Times, a *poly.ArrayDecl) (failed error) {
	defer unwind.To(&failed)
	for n := 1; n <= times.Loops(); n++ {
		rounds := unwind.Must(c.roundsOf(times, n))
		if err := c.one(rounds, a, c.budget/5); err == nil {
			return nil
		}
	}
	return c.one(times, a, checkShare*c.budget)
}

// checkShare is how much more work the proof of a storage that is given may take.
const checkShare = 16

// roundsOf are the times cut off after n loops. The list relies on callers that ask for 1, 2, ... in this
// order.
func (c *shrinkage) roundsOf(times *storage.Times, n int) (_ *storage.Times, err error) {
	defer unwind.To(&err)
	if len(c.rounds) < n {
		rounds := unwind.Must(times.ToRounds(n))
		c.rounds = append(c.rounds, rounds)
	}
	return c.rounds[n-1], nil
}

// one proves the storage that an array has, or chooses one and proves it. The array keeps all its
// dimensions where none can be chosen.
func (c *shrinkage) one(times *storage.Times, a *poly.ArrayDecl, budget int64) (err error) {
	defer unwind.To(&err)
	conflicts := unwind.Must(c.sys.Conflicts(times, a, budget))
	if a.IsStored {
		return c.sys.CheckStorage(a, conflicts)
	}
	extent := unwind.Must(a.Extent.IntersectParams(c.sys.Context))
	m, ok := unwind.Must2(storage.Choose(conflicts, extent))
	if !ok {
		return nil
	}
	// The chosen mapping is proved like one that the program has, so an error of the choice cannot pass.
	clash := unwind.Must(storage.Check(conflicts, m))
	if clash != nil {
		return fmt.Errorf("the storage %s of %s is wrong: it has one place for %s", m, a.Name, clash)
	}
	c.found[a.Node] = m
	return nil
}
