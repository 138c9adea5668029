package emit

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// mostLanes bounds what LLVM makes vectors of.
const mostLanes = 64

// lanesWanted is how many rounds of a loop to take together, as it is marked, by loop-hints
// say; 0 for others.
func (lp *Loops) lanesWanted() int64 {
	a := lp.f.G.Attr(lp.f.V, scf.LanesAttr)
	if a == 0 || lp.f.Gpu != nil || lp.f.C.AttrInfo(a).Kind != ir.AttrInt {
		return 0
	}
	n := lp.f.C.AttrInfo(a).Int
	if n < 1 || n > mostLanes || n&(n-1) != 0 {
		return 0
	}
	return n
}

// widest is how many bits the widest vectors of the module have: of its instructions, and those that its loops are to become.
func (e *Emitter) widest() int64 {
	most := e.hinted
	for _, f := range e.IR.Funcs {
		for _, p := range f.Params {
			most = max(most, vectorBits(p.Typ))
		}
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				if v, ok := inst.(value.Value); ok {
					most = max(most, vectorBits(v.Type()))
				}
			}
		}
	}
	return most
}

// vectorBits is how many bits a vector of numbers has; 0 of what is none.
func vectorBits(t types.Type) int64 {
	v, ok := t.(*types.VectorType)
	if !ok {
		return 0
	}
	switch elem := v.ElemType.(type) {
	case *types.IntType:
		return int64(v.Len * elem.BitSize)
	case *types.FloatType:
		return int64(v.Len) * floatBits[elem.Kind]
	}
	return int64(v.Len) * 64
}

var floatBits = map[types.FloatKind]int64{types.FloatKindHalf: 16, types.FloatKindFloat: 32, types.FloatKindDouble: 64}

// LegalWidth tells LLVM how wide vectors have to be legal, in all functions alike, since they pass vectors to one another: as
// clang does. Without it all that the processor has are, and straight-line code becomes vectors (SLP) of twice the width that LLVM
// prefers on it, which take longer: on processors of AVX-512 where a wide one takes the place of two.
func (e *Emitter) LegalWidth() {
	width := Attr(fmt.Sprintf(`"min-legal-vector-width"="%d"`, e.widest()))
	for _, f := range e.IR.Funcs {
		if len(f.Blocks) > 0 {
			f.FuncAttrs = append(f.FuncAttrs, width)
		}
	}
}

// mostUnrolled is how many instructions a loop has at most of which LLVM may write rounds out: of two rounds of one with
// more it makes none, but estimates at each level of a nest what all that is in it costs, which took a quarter of the time to optimise tiles.
const mostUnrolled = 200

// isLong reports a loop at whose end code is made, with a head, that has more instructions.
func (ib *Builder) isLong(head *llir.Block) bool {
	if ib.e.Gpu != nil {
		return false
	}
	n := 0
	for _, b := range slices.Backward(ib.Func.Blocks) {
		if n += len(b.Insts); n > mostUnrolled || b == head {
			break
		}
	}
	return n > mostUnrolled
}

// mostWritten is how many rounds a loop has at most that LLVM may write out before it makes vectors, also of one that it is
// told to make vectors of.
const mostWritten = 16

// isShort reports a loop of so few rounds.
func isShort(from, to value.Value) bool {
	low, ok1 := lit.Number(from)
	high, ok2 := lit.Number(to)
	return ok1 && ok2 && high-low < mostWritten
}

// hints makes the metadata of a loop of which n rounds are to be taken together, in one vector at a time, if n is not 0, of
// one of which no rounds are to be written out, and of where it is written, if that is wanted; nil if there is nothing to say.
func (lp *Loops) hints(n int64, rolled bool) *metadata.Tuple {
	e := lp.f.Emitter
	def := func(distinct bool, fields ...metadata.Field) *metadata.Tuple {
		t := &metadata.Tuple{MetadataID: metadata.MetadataID(len(e.IR.MetadataDefs)), Distinct: distinct, Fields: fields}
		e.IR.MetadataDefs = append(e.IR.MetadataDefs, t)
		return t
	}
	number := func(name string, n int64) metadata.Field {
		return def(false, &metadata.String{Value: name}, constant.NewInt(types.I32, n))
	}
	var all []metadata.Field
	if n > 0 {
		e.hinted = max(e.hinted, 64*n) // at most: the numbers may be narrower
		all = append(all, number("llvm.loop.vectorize.width", n), number("llvm.loop.interleave.count", 1))
		if lp.f.G.Attr(lp.f.V, scf.MaskedAttr) != 0 {
			all = append(all, def(false, &metadata.String{Value: "llvm.loop.vectorize.predicate.enable"}, constant.True))
		}
	}
	if rolled {
		all = append(all, def(false, &metadata.String{Value: "llvm.loop.unroll.disable"}))
	}
	for _, at := range lp.placesOf() {
		all = append(all, number(PlaceHint, int64(at)))
	}
	if len(all) == 0 {
		return nil
	}
	loop := def(true)
	loop.Fields = append([]metadata.Field{loop}, all...)
	return loop
}

// mostPlaces bounds the places that a loop is marked with.
const mostPlaces = 32

// placesOf are where the ops are written that stand in the loop at hand, and in none in it, if loops are to be marked with that. The
// place of the loop itself says less: those that passes make may have any.
func (lp *Loops) placesOf() (out []ir.Loc) {
	if !lp.f.Opts.Places {
		return nil
	}
	var walk func(v ir.Value)
	walk = func(v ir.Value) {
		for _, r := range lp.f.G.Regions(v) {
			for _, op := range lp.f.S.Body(r) {
				if lp.f.G.Def(op).Has(ir.ConstantLike) || len(out) >= mostPlaces {
					continue
				}
				for _, l := range lp.f.G.LocsOf(op) {
					if l&ir.LocAttr == 0 && !slices.Contains(out, l) {
						out = append(out, l)
					}
				}
				if _, ok := ir.As[ir.LoopLike](lp.f.G.NodeOf(op)); !ok {
					walk(op)
				}
			}
		}
	}
	walk(lp.f.V)
	return out
}

// rareHint makes the metadata of a branch whose first way is seldom taken. (With even odds LLVM
// would make a choice of values of it.)
func (e *Emitter) rareHint() *metadata.Tuple {
	t := &metadata.Tuple{MetadataID: metadata.MetadataID(len(e.IR.MetadataDefs)), Fields: []metadata.Field{
		&metadata.String{Value: "branch_weights"}, constant.NewInt(types.I32, 1), constant.NewInt(types.I32, 2000)}}
	e.IR.MetadataDefs = append(e.IR.MetadataDefs, t)
	return t
}

// PlaceHint is the metadata of a loop that says where an op in it is written.
const PlaceHint = "irc.place"
