// Package lms is a dialect of an outsider (its irc is in irc/): the programs of the LMS systems' own test
// suites are written in it. Its arrays have unique owners, so writing to what may
// be one of two arrays, or keeping a mutable array in a variable, is an error.
// Conditionals and loops are those of scf.
//
// Zeros and sums of arrays are vectors: lower{to=lms.vectors} has rules on whole ones, and
// lower{to=lms.arrays} makes loops of what is left, fused into one another.
//
// An array is mutable (newmut, mutcopy) or built at once (arr, zeros, plus). One that is
// built at once may hold mutable arrays, which are written by their own names; a mutable
// one and a variable may not ("illegal sharing"). All
// numbers are i64. Functions are lambdas that see what is around them.
package lms

import (
	"github.com/irc-lang/irc/ir"
)

// Dialect is the lms dialect.
var Dialect = &ir.Dialect{
	Name:  "lms",
	Clean: true,
	Doc:   "Test dialect: opaque pure ops, printing, lambdas, variables, arrays with unique owners.",
	Types: []ir.Defined{arrType, arrsType, varType, funType},
	Ops: []*ir.OpDef{App, Arr, At, Clone, Fun, Get, Len, Lit, MutCopy, NewMut, P, Plus, Print, Read, Set, Sum,
		Var, Write, Yield, Zeros},
	Folds:  folds,
	Tables: []any{syntax, table, lowerings},
}
