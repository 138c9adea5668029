// Package poly is the dialect of programs in the polyhedral model: statements whose
// instances are the integer points of a domain, and which access arrays by affine
// relations (Feautrier, "Dataflow analysis of array and scalar references", 1991; Yang,
// Atkinson and Carbin, "Simplifying dependent reductions in the polyhedral model", POPL
// 2021, section 3).
//
// A poly.system binds names of parameters to values, and holds arrays and statements:
//
//	poly.system (%n = "N") context "[N] -> {  : N > 0 }" {
//	  %A = poly.bind %a as input "A" : memref<?xf64>
//	  %B = poly.bind %b as output "B" : memref<?xf64>
//	  poly.statement "S" over "[N] -> { S[i, j] : i < N and 0 <= j <= i }"
//	    add %B at "{ S[i, j] -> B[i] }"
//	    reading %A at "{ S[i, j] -> A[j] }" do (%i: index, %j: index, %x: f64) {
//	    poly.yield %x : f64
//	  }
//	}
//
// An instance of a statement reads the elements that its reading relations give. It runs its body, a region
// of ordinary ops, on its coordinates and these values, and puts what that yields into its target: in the
// place of what is there (set), or combined with it by an operator that is associative and commutative. What
// a relation does not cover is not read, and poison in the body. poly.at reads an element by an index that is
// computed.
//
// # Computed targets
//
// The body of a reduction may yield the indices of its element beside the value, as a histogram does:
//
//	poly.statement "S" over "[W] -> { S[w] : 0 <= w < W }"
//	  add %n at "[W, D] -> { S[w] -> n[d] : 0 <= d < D }"
//	  reading %doc at "{ S[w] -> doc[w] }" do (%w: index, %d: i32) {
//	  %one = arith.constant 1 : i64
//	  %k = arith.index_cast %d : i32 to index
//	  poly.yield %one at %k : i64
//	}
//
// Such a statement is keyed. Its relation has all elements that an instance may accumulate into. The
// instance accumulates into the one at the indices that it yields, all of them, if the relation has
// it, and into none otherwise: the relation is the guard. So the element n[d] has the values of all
// S[w] with doc[w] = d. What the keys are is not known before the statement runs, so that every
// analysis takes the relation for the truth: an element is complete after all instances that may
// accumulate into it, and who reads one needs them all. An instance runs once, however many elements
// it may go to: the work is that of the domain.
//
// # Partial sums
//
// A statement that reads an element of a reduction at a computed index (poly.at) needs it complete. If
// it says which instances of the keyed statements it comes after,
//
//	poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %Y at "{ S[i] -> Y[i] }"
//	  reading %K at "{ S[i] -> K[i] }" after "{ S[i] -> T[j] : j < i }" do (%i: index, %k: index) {
//	  %x = poly.at %c[%k] : !poly.array<1 x i64>
//
// the element has what these put there, and nothing of the others, which come later. So running
// counts need one table, not one for each time at which they are read.
//
// # Two meanings of one form
//
// Without a schedule the statements are equations: each element is defined once, by
// one instance of a set or by all of the instances of reductions with one operator, in no
// order; a read has what defines the element. The interpreter computes them by demand. A
// reduction defines its target on the whole extent of it: the identity where nothing accumulates.
//
// With a schedule, a schedule tree (package schedule), they are a program: instances
// are executed in its order on memory. Loops that are raised have the order in which
// they ran, and pass poly-schedule gives equations one. Then statements set an
// element more than once, and accumulate into what is there.
//
// The keyword `equations` before the schedule says that it is one of many orders of equations. It sets an
// element before it is used, and has all of a reduction before what reads it: pass poly-schedule checks it,
// and may find another. Without the keyword the schedule is what the program means.
package poly

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Dialect is the poly dialect.
var Dialect = &ir.Dialect{
	Name:   "poly",
	Clean:  true,
	Doc:    "Statements over polyhedral domains: equations, or programs with a schedule.",
	Types:  []ir.Defined{arrayType},
	Attrs:  []ir.Defined{setAttr, mapAttr, treeAttr},
	Ops:    []*ir.OpDef{At, Bind, Local, Statement, SystemOp, Yield},
	Tables: []any{syntax, table, elsewhere},
}

var elsewhere lower.Elsewhere = func(*ir.OpDef) string { return "pass poly-codegen makes loops of it" }
