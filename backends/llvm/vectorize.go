package llvm

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// LLVM's estimate holds a loop over elementary functions, which lower-math has made
// some dozens of operations of, for too dear to vectorise where it runs some dozens
// of times, and interleaves it so that most of its rounds are left over; measured,
// hints halve the time. Such loops get one; the target says which.

// lanes is how many rounds of n to take together: 4, or 8 where what is left over, one
// round each, does not cost more than the vectors save. Vectors of 8 take half as long
// again as those of 4.
func lanesOf(n int64) int64 {
	if 2*(n/4)+2*(n%4) < 3*(n/8)+2*(n%8) {
		return 4
	}
	return 8
}

// lanesWanted is how many rounds of an innermost loop to take together: of one of many
// operations on floats, and of nothing that hinders vectors but perhaps its memory, at
// which LLVM looks; 0 for others.
func (f *fn) lanesWanted() int64 {
	if f.g.Def(f.v) != scf.For || f.gpu != nil {
		return 0
	}
	args, costs := f.g.Args(f.v), &f.opts.Target.Costs
	var bounds [3]int64
	for i := range bounds {
		c, ok := f.g.Const(args[i])
		if !ok {
			return 0
		}
		bounds[i] = int64(c.Bits)
	}
	if bounds[2] != 1 || bounds[1]-bounds[0] < int64(costs.MinRounds) {
		return 0
	}
	floats := 0
	for _, v := range f.s.Body(f.g.Regions(f.v)[0]) {
		def := f.g.Def(v)
		switch {
		case f.c.DialectOf(def) == arith.Dialect, def == math.Fma, def == math.Absf, def == math.Sqrt, def == math.Floor:
			if f.g.Type(v) == ir.F64 {
				floats++
			}
		case def == memref.Load, def == scf.Yield:
		case def == memref.Store && len(args) == 3: // a table, not a reduction
		default:
			return 0
		}
	}
	if floats < costs.MinFloats {
		return 0
	}
	return lanesOf(bounds[1] - bounds[0])
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
