package llvm

import (
	"math/bits"
	"strconv"
	"strings"

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

// narrowed makes lanes of memory, which are whole bytes, those of a type.
func (f *fn) narrowed(x value.Value, t types.Type) value.Value {
	if types.Equal(x.Type(), t) {
		return x
	}
	return add(f, llir.NewTrunc(x, t))
}

// lanesIn is the number of lanes of a value, and reports whether it is a vector.
func lanesIn(x value.Value) (n int, isVector bool) {
	if v, ok := x.Type().(*types.VectorType); ok {
		return int(v.Len), true
	}
	return 1, false
}

// shuffleTwo is LLVM's shufflevector.
func (f *fn) shuffleTwo(x, y value.Value, list []int) value.Value {
	var b strings.Builder
	for i, k := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if k < 0 {
			b.WriteString("i32 poison")
		} else {
			b.WriteString("i32 " + strconv.Itoa(k))
		}
	}
	mask := &lit{typ: types.NewVector(uint64(len(list)), types.I32), text: "<" + b.String() + ">"}
	return add(f, &llir.InstShuffleVector{X: x, Y: y, Mask: mask, Typ: types.NewVector(uint64(len(list)), scalarOf(x.Type()))})
}
