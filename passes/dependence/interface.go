package dependence

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// What is loop, conditional, view, allocation, call or access is asked of the dialects
// (see ir.Interface); by definition are known only functions, models, and what a model
// says that no other dialect does.

// isProgram reports an op whose body is a program.
func isProgram(def *ir.OpDef) bool { return def == funcs.Func || def == ops.ModelOp }

// statements of models.
var statements = []*ir.OpDef{ops.Stochastic, ops.Assign, ops.Multivariate, ops.Compute}

// isDeclaration reports the storage of a model's variable.
func isDeclaration(g *ir.Graph, v ir.Value) bool {
	switch g.Def(v) {
	case ops.Data, ops.Param, ops.LogicalVar, ops.Temporary:
		return true
	}
	return false
}

// isAllocation reports memory that begins here.
func isAllocation(n ir.Node) bool {
	a, ok := ir.As[ir.Allocation](n)
	return ok && a.From == 0
}

// callOf is the call of a function that is known by its name.
func callOf(n ir.Node) (ir.CallLike, bool) {
	c, ok := ir.As[ir.CallLike](n)
	return c, ok && c.Callee != ""
}

// reading is the one read of an op that gives what it has read.
func reading(n ir.Node) (ir.Access, bool) {
	if a, ok := ir.As[ir.AccessLike](n); ok && len(a.Accesses) == 1 && !a.Accesses[0].Writes {
		return a.Accesses[0], true
	}
	return ir.Access{}, false
}

// writes reports an access that does.
func writes(a ir.AccessLike) bool {
	return slices.ContainsFunc(a.Accesses, func(x ir.Access) bool { return x.Writes })
}
