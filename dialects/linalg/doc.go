// Package linalg is MLIR's dialect of structured ops: linear algebra, convolutions, pooling and elementwise functions, on memrefs
// or on tensors.
//
// They have one meaning. An op has loops from zero up, for each operand a map from the loops' indices to its subscripts,
// and a region. The region makes what the outputs' elements become from one element of each operand
// (Structure). linalg.generic says this by attributes, the others by their name: a named op is a row of a
// table (rows), read into the same structure. The loops run in lexicographic order, and a reduction adds its
// terms in that order. The extent of a loop is that of the first dimension whose subscript it alone is.
//
// The region of a named op is the one that its row says, so its syntax leaves it out; another one is refused.
//
// In the lowering pipeline, at level affine, an op becomes affine loops, which is what the tiler of products works on; tensors become memory, as
// package tensors says.
package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/linalg/tensors"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Dialect is the linalg dialect.
var Dialect = &ir.Dialect{
	Name:   "linalg",
	Clean:  true,
	Doc:    "MLIR's structured ops: linear algebra, convolutions, pooling, elementwise functions.",
	Ops:    allOps(),
	Tables: []any{syntax.With(textSyntax), table, lowerings, lower.Order{Level: "scf"}, accesses, fresh, takesPacked},
}

func allOps() []*ir.OpDef {
	return slices.Concat([]*ir.OpDef{Generic, Map, Reduce, Transpose, Broadcast, Index, Yield}, namedOps, textOnly)
}

// fresh: the results of an op on tensors are memory that nobody else has, but for the outputs that it changes.
var fresh = allFresh()

func allFresh() ir.Interface[tensors.Fresh] {
	out := ir.Interface[tensors.Fresh]{}
	for _, def := range Structured() {
		out[def] = func(ir.Node) tensors.Fresh { return tensors.Fresh{} }
	}
	return out
}

// accesses: an op reads and writes all of its operands, as far as others know.
var accesses = allAccesses()

func allAccesses() ir.Interface[ir.AccessLike] {
	out := ir.Interface[ir.AccessLike]{}
	for _, def := range Structured() {
		out[def] = func(n ir.Node) (a ir.AccessLike) {
			s, err := StructureOf(n.Graph(), n.Old())
			if err != nil {
				return a
			}
			for i, v := range n.Args() {
				if n.Graph().Ctx.Info(v.Type()).Kind == ir.KindMemRef {
					a.Accesses = append(a.Accesses, ir.Access{Memory: v.Old(), Reads: i < s.Inputs || i < s.Args, Writes: i >= s.Inputs})
				}
			}
			return a
		}
	}
	return out
}
