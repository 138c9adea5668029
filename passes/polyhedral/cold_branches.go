package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// findRare finds the choices in bodies that are better branches: a computed condition that two
// integers are equal seldom holds (Ball and Larus, "Branch prediction for free", PLDI 1993, the
// opcode heuristic), and what it chooses then is dear. As a choice of two values it would be
// computed in each instance. All others stay choices, which run in vectors.
func (c *code) findRare() {
	c.cold, c.branches = map[ir.Value]int{}, map[string]bool{}
	for _, st := range c.sys.Statements {
		var bodies []ir.Node
		bodies = append(bodies, st.Node.Region(0).Yields()...)
		for n := range systems.Cone(bodies) {
			if n.Def() != arith.Select {
				continue
			}
			if arm, ok := unlikely(n.Arg(0)); ok && expensive(n.Arg(1+arm)) {
				c.cold[n.Old()], c.branches[st.Name] = arm, true
			}
		}
	}
}

// hint keeps a loop from being made vectors of that has a statement with such a branch in it, and
// no loop around that: they would take both ways in each round.
func (e *emitter) hint(x *codegen.For) ir.Attr {
	if !e.branchy(x.Body) {
		return 0
	}
	return e.B.Ctx().WithDiscardable(0, scf.LanesAttr, e.B.Ctx().IntAttr(1, ir.I64))
}

// branchy reports a block that has an instance of a statement with a cold branch.
func (e *emitter) branchy(b *codegen.Block) bool {
	return slices.ContainsFunc(b.Nodes, func(n codegen.Node) bool {
		switch n := n.(type) {
		case *codegen.Block:
			return e.branchy(n)
		case *codegen.Mark:
			return e.branchy(n.Body)
		case *codegen.If:
			return e.branchy(n.Then) || n.Else != nil && e.branchy(n.Else)
		case *codegen.User:
			return e.branches[n.Statement]
		}
		return false
	})
}

// expensive reports what takes dozens of operations to compute.
// Only special functions and calls do; what a region computes does not count.
func expensive(n ir.Node) bool {
	for x := range systems.Cone([]ir.Node{n}) {
		if slices.Contains(opcost.Functions, x.Def()) || x.Def() == funcs.Call {
			return true
		}
	}
	return false
}

// unlikely gives the arm, 0 or 1, that a condition seldom chooses.
func unlikely(cond ir.Node) (arm int, ok bool) {
	if cond.Def() != arith.Cmpi {
		return 0, false
	}
	switch arith.PredicateOfI(cond.Graph().Ctx, cond.Attrs()) {
	case arith.EQ:
		return 0, true
	case arith.NE:
		return 1, true
	}
	return 0, false
}

// branch makes a conditional of a choice. What only one arm needs is computed there: the
// schedule of the graph puts it where it is used.
func branch(m *ir.Mirror, n ir.Node, rare int) ir.Value {
	b := m.B
	// For either predicate the cold arm is that of equal operands, so one test of equality serves both.
	equal := arith.CmpI(b, arith.EQ, m.Of(n.Arg(0).Arg(0)), m.Of(n.Arg(0).Arg(1)))
	arm := func(i int) func() []ir.Value {
		return func() []ir.Value { return []ir.Value{m.Of(n.Arg(1 + i))} }
	}
	return b.Result(scf.BuildRareIf(b, equal, arm(rare), arm(1-rare)), 0)
}
