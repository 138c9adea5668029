// Package tensors is MLIR's dialect tensor: what makes tensors, takes elements and parts of them, and shapes them anew.
//
// A tensor is a value, as in dialects/tensor, whose types and memory these ops share: at level affine it becomes
// memory with the identity layout. Expanded, collapsed, reshaped and cast tensors are the memory of their operand; a part is a
// copy. What changes a tensor (insert, insert_slice, and the outputs of structured ops) works in the memory of the tensor that it changes
// where nobody else can see that: where that is new memory, of the same region, and used nowhere else; and on a copy otherwise.
package tensors

import (
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "tensor", Clean: true,
	Doc: "MLIR's ops that make tensors, take elements and parts of them, and shape them anew.",
	Ops: append([]*ir.OpDef{Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements, Generate, Insert,
		InsertSlice, Pad, Rank, Reshape, Splat, Yield}, textOnly...),
	Folds:  folds,
	Tables: []any{syntax.With(textSyntax), table, lowerings, fresh, elsewhere},
}

var elsewhere lower.Elsewhere = func(op *ir.OpDef) string {
	if op == Rank {
		return "a fold makes a constant of it"
	}
	return ""
}

// Fresh is what tensor knows ops by whose results are memory of their own.
type Fresh = tensor.Fresh

func isFresh(ir.Node) Fresh { return Fresh{} }

var fresh = ir.Interface[Fresh]{Concat: isFresh, Empty: isFresh, ExtractSlice: isFresh, FromElements: isFresh, Generate: isFresh,
	Insert: isFresh, InsertSlice: isFresh, Pad: isFresh, Splat: isFresh}
