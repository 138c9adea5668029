package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/ir"
	downward "github.com/irc-lang/irc/ir/lower"
)

// Dialect is the bugs dialect.
var Dialect = &ir.Dialect{Name: "bugs", Doc: "BUGS models: declarations, statements and loops.",
	Ops: []*ir.OpDef{ops.ModelOp, ops.Data, ops.Param, ops.LogicalVar, ops.For, ops.Stochastic, ops.Multivariate, ops.Constrain, ops.Term, ops.Assign, ops.Read, ops.Reduce, ops.Fold, ops.Element,
		ops.Temporary, ops.Apply, ops.Compute, ops.Function, ops.IndexOf, ops.Written, ops.Yield},
	Tables: []any{ops.Syntax, run.Table, ops.Loops, ops.Allocations, ops.Accesses, lower.Table, elsewhere}}

var elsewhere downward.Elsewhere = func(*ir.OpDef) string { return "the passes of a model lower it" }
