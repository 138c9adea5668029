package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// allLanes is the mask of all threads of a warp.
const allLanes = -1

// shuffles are the instructions for the modes of device.shuffle, and what they clamp lanes to.
var shuffles = map[string]struct {
	name  string
	clamp int64
}{"xor": {"bfly", 31}, "up": {"up", 0}, "down": {"down", 31}, "idx": {"idx", 31}}

// emitShuffle moves 32 bits at once.
func emitShuffle(f *fn) {
	how := shuffles[f.c.AttrInfo(f.g.Attr(f.v, "mode")).Str]
	shuffle := f.external("llvm.nvvm.shfl.sync."+how.name+".i32", types.I32, []types.Type{types.I32, types.I32, types.I32, types.I32}, "convergent", "nounwind")
	lane := f.arg(1)
	move := func(x value.Value) value.Value {
		return add(f, llir.NewCall(shuffle, i32(allLanes), x, lane, i32(how.clamp)))
	}
	t := f.typeOf(0)
	width := f.c.Info(t).Width
	x := f.toBits(f.arg(0), intType(width))
	if width == 32 {
		f.set(f.fromBits(move(x), t))
		return
	}
	low := move(add(f, llir.NewTrunc(x, types.I32)))
	high := move(add(f, llir.NewTrunc(add(f, llir.NewLShr(x, i64(32))), types.I32)))
	whole := add(f, llir.NewOr(add(f, llir.NewShl(add(f, llir.NewZExt(high, types.I64)), i64(32))), add(f, llir.NewZExt(low, types.I64))))
	f.set(f.fromBits(whole, t))
}
