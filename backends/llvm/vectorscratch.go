package llvm

import (
	"math/bits"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// What is cut out of a vector of many lanes, or put into one, goes through memory: as shuffles of the whole it takes LLVM
// a time that grows with the square of the lanes.

// maxShuffled is how many lanes a shuffle has that puts parts together.
const maxShuffled = 512

// A scratch is memory on the stack for the lanes of a vector, which are whole bytes there. That of all lanes is accessed as volatile:
// else LLVM would make shuffles of it again.
type scratch struct {
	at   alloca
	elem types.Type // of a lane in memory
	reg  types.Type // and in a register
	n    int
}

// newScratch reserves memory for lanes.
func (f *fn) newScratch(reg types.Type, n int) *scratch {
	s := &scratch{elem: reg, reg: reg, n: n}
	if t, ok := reg.(*types.IntType); ok {
		s.elem = types.NewInt(max(8, uint64(1)<<bits.Len64(t.BitSize-1)))
	}
	s.at = alloca{&llir.InstAlloca{ElemType: types.NewArray(uint64(n), s.elem), Align: rackAlign}}
	f.top = append(f.top, s.at)
	return s
}

// spilled is a vector in memory.
func (f *fn) spilled(x value.Value) *scratch {
	n, _ := lanesIn(x)
	s := f.newScratch(scalarOf(x.Type()), n)
	s.store(f, x, i64(0))
	return s
}

// address is that of a lane.
func (s *scratch) address(f *fn, lane value.Value) value.Value {
	return add(f, &llir.InstGetElementPtr{ElemType: s.elem, Src: s.at, Indices: []value.Value{lane}, InBounds: true, Typ: ptr})
}

// align is what every lane has.
func (s *scratch) align() llir.Align {
	if t, ok := s.elem.(*types.IntType); ok {
		return llir.Align(t.BitSize / 8)
	}
	return 1
}

// store writes lanes from one on.
func (s *scratch) store(f *fn, x, lane value.Value) {
	n, _ := lanesIn(x)
	if t := types.NewVector(uint64(n), s.elem); !types.Equal(x.Type(), t) {
		x = add(f, llir.NewZExt(x, t))
	}
	add(f, &llir.InstStore{Src: x, Dst: s.address(f, lane), Align: s.align(), Volatile: n == s.n})
}

// load reads lanes from one on.
func (s *scratch) load(f *fn, lane value.Value, n int) value.Value {
	x := add(f, &llir.InstLoad{ElemType: types.NewVector(uint64(n), s.elem), Src: s.address(f, lane), Align: s.align(), Volatile: n == s.n})
	return f.narrowed(x, types.NewVector(uint64(n), s.reg))
}

// spillMask keeps a mask of many lanes in memory: where it is used in another block LLVM would carry each of its lanes in a register.
func (f *fn) spillMask() {
	x := f.vals[f.v].v
	if x == nil {
		return
	}
	if n, isVector := lanesIn(x); isVector && n > maxShuffled && types.Equal(scalarOf(x.Type()), types.I1) {
		f.vals[f.v] = val{kept: f.spilled(x)}
	}
}

// A join puts the rows of a part one behind the other.
type join struct {
	rows []value.Value
	in   *scratch // nil: by shuffles
	n    int
}

func (f *fn) newJoin(p *part) *join {
	j := &join{n: p.lanes()}
	if j.n > maxShuffled && len(p.over) > 0 {
		j.in = f.newScratch(scalarOf(p.rowType(f)), j.n)
	}
	return j
}

// add is the row whose first lane is the given one; they come in order.
func (j *join) add(f *fn, row value.Value, lane int) {
	if j.in == nil {
		j.rows = append(j.rows, row)
		return
	}
	j.in.store(f, row, i64(int64(lane)))
}

func (j *join) join(f *fn) value.Value {
	if j.in == nil {
		return f.joined(j.rows)
	}
	return j.in.load(f, i64(0), j.n)
}

// newCut gives the rows of a part, by their first lanes, of a vector.
func (f *fn) newCut(x value.Value, p *part) func(lane int) value.Value {
	n := p.columns()
	if p.lanes() <= maxShuffled || len(p.over) == 0 {
		return func(lane int) value.Value { return f.lanesFrom(x, lane, n) }
	}
	s := f.spilled(x)
	return func(lane int) value.Value { return s.load(f, i64(int64(lane)), n) }
}
