package llvm

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// mostLanes bounds what LLVM makes vectors of.
const mostLanes = 64

// lanesWanted is how many rounds of a loop to take together, as it is marked, by loop-hints
// say; 0 for others.
func (f *fn) lanesWanted() int64 {
	a := f.g.Attr(f.v, scf.LanesAttr)
	if a == 0 || f.gpu != nil || f.c.AttrInfo(a).Kind != ir.AttrInt {
		return 0
	}
	n := f.c.AttrInfo(a).Int
	if n < 1 || n > mostLanes || n&(n-1) != 0 {
		return 0
	}
	return n
}

// vectorizeHint makes the metadata of a loop of which n rounds are to be taken together,
// in one vector at a time.
func (e *emitter) vectorizeHint(n int64) *metadata.Tuple {
	def := func(distinct bool, fields ...metadata.Field) *metadata.Tuple {
		t := &metadata.Tuple{MetadataID: metadata.MetadataID(len(e.IR.MetadataDefs)), Distinct: distinct, Fields: fields}
		e.IR.MetadataDefs = append(e.IR.MetadataDefs, t)
		return t
	}
	number := func(name string, n int64) metadata.Field {
		return def(false, &metadata.String{Value: name}, constant.NewInt(types.I32, n))
	}
	width, count := number("llvm.loop.vectorize.width", n), number("llvm.loop.interleave.count", 1)
	loop := def(true)
	loop.Fields = []metadata.Field{loop, width, count}
	return loop
}

// rareHint makes the metadata of a branch whose first way is seldom taken. (With even odds LLVM
// would make a choice of values of it.)
func (e *emitter) rareHint() *metadata.Tuple {
	t := &metadata.Tuple{MetadataID: metadata.MetadataID(len(e.IR.MetadataDefs)), Fields: []metadata.Field{
		&metadata.String{Value: "branch_weights"}, constant.NewInt(types.I32, 1), constant.NewInt(types.I32, 2000)}}
	e.IR.MetadataDefs = append(e.IR.MetadataDefs, t)
	return t
}
