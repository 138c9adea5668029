package emit

import (
	"math/bits"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
)

// What is cut out of a vector of many lanes, or put into one, goes through memory: as shuffles of the whole it takes LLVM
// a time that grows with the square of the lanes.

// MaxShuffled is how many lanes a shuffle has that puts parts together.
const MaxShuffled = 512

// A Scratch is memory on the stack for the lanes of a vector, which are whole bytes there. That of all lanes is accessed as volatile:
// else LLVM would make shuffles of it again.
type Scratch struct {
	at   Alloca
	elem types.Type // of a lane in memory
	reg  types.Type // and in a register
	N    int
}

// NewScratch reserves memory for lanes.
func (ib *Builder) NewScratch(reg types.Type, n int) *Scratch {
	s := &Scratch{elem: reg, reg: reg, N: n}
	if t, ok := reg.(*types.IntType); ok {
		s.elem = types.NewInt(max(8, uint64(1)<<bits.Len64(t.BitSize-1)))
	}
	s.at = Alloca{&llir.InstAlloca{ElemType: types.NewArray(uint64(n), s.elem), Align: rackAlign}}
	ib.Top = append(ib.Top, s.at)
	return s
}

// Spilled is a vector in memory.
func (ib *Builder) Spilled(x value.Value) *Scratch {
	n, _ := LanesIn(x)
	s := ib.NewScratch(ScalarOf(x.Type()), n)
	s.Store(ib, x, lit.I64(0))
	return s
}

// address is that of a lane.
func (s *Scratch) address(ib *Builder, lane value.Value) value.Value {
	return Add(ib, &llir.InstGetElementPtr{ElemType: s.elem, Src: s.at, Indices: []value.Value{lane}, InBounds: true, Typ: lit.Ptr})
}

// align is what every lane has.
func (s *Scratch) align() llir.Align {
	if t, ok := s.elem.(*types.IntType); ok {
		return llir.Align(t.BitSize / 8)
	}
	return 1
}

// Store writes lanes from one on.
func (s *Scratch) Store(ib *Builder, x, lane value.Value) {
	n, _ := LanesIn(x)
	if t := types.NewVector(uint64(n), s.elem); !types.Equal(x.Type(), t) {
		x = Add(ib, llir.NewZExt(x, t))
	}
	Add(ib, &llir.InstStore{Src: x, Dst: s.address(ib, lane), Align: s.align(), Volatile: n == s.N})
}

// Load reads lanes from one on.
func (s *Scratch) Load(ib *Builder, lane value.Value, n int) value.Value {
	x := Add(ib, &llir.InstLoad{ElemType: types.NewVector(uint64(n), s.elem), Src: s.address(ib, lane), Align: s.align(), Volatile: n == s.N})
	return ib.Narrowed(x, types.NewVector(uint64(n), s.reg))
}

// spillMask keeps a mask of many lanes in memory: where it is used in another block LLVM would carry each of its lanes in a register.
func (f *Fn) spillMask() {
	x := f.Vals[f.V].V
	if x == nil {
		return
	}
	if n, isVector := LanesIn(x); isVector && n > MaxShuffled && types.Equal(ScalarOf(x.Type()), types.I1) {
		f.Vals[f.V] = Val{kept: f.B.Spilled(x)}
	}
}

// Narrowed makes lanes of memory, which are whole bytes, those of a type.
func (ib *Builder) Narrowed(x value.Value, t types.Type) value.Value {
	if types.Equal(x.Type(), t) {
		return x
	}
	return Add(ib, llir.NewTrunc(x, t))
}

// LanesIn is the number of lanes of a value, and reports whether it is a vector.
func LanesIn(x value.Value) (n int, isVector bool) {
	if v, ok := x.Type().(*types.VectorType); ok {
		return int(v.Len), true
	}
	return 1, false
}

// ShuffleTwo is LLVM's shufflevector.
func (ib *Builder) ShuffleTwo(x, y value.Value, list []int) value.Value {
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
	mask := &lit.Lit{Typ: types.NewVector(uint64(len(list)), types.I32), Text: "<" + b.String() + ">"}
	return Add(ib, &llir.InstShuffleVector{X: x, Y: y, Mask: mask, Typ: types.NewVector(uint64(len(list)), ScalarOf(x.Type()))})
}
