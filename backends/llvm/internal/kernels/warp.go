package kernels

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
)

// allLanes is the mask of all threads of a warp.
const allLanes = -1

// shuffles are the instructions for the modes of device.shuffle, and what they clamp lanes to.
var shuffles = map[string]struct {
	name  string
	clamp int64
}{"xor": {"bfly", 31}, "up": {"up", 0}, "down": {"down", 31}, "idx": {"idx", 31}}

// emitShuffle moves 32 bits at once.
func emitShuffle(f *emit.Fn) {
	how := shuffles[f.C.AttrInfo(f.G.Attr(f.V, "mode")).Str]
	shuffle := f.External("llvm.nvvm.shfl.sync."+how.name+".i32", types.I32, []types.Type{types.I32, types.I32, types.I32, types.I32}, "convergent", "nounwind")
	lane := f.Arg(1)
	move := func(x value.Value) value.Value {
		return emit.Add(f.B, llir.NewCall(shuffle, lit.I32(allLanes), x, lane, lit.I32(how.clamp)))
	}
	t := f.TypeOf(0)
	width := f.C.Info(t).Width
	x := memory.ToBits(f, f.Arg(0), lit.IntType(width))
	if width == 32 {
		f.Set(memory.FromBits(f, move(x), t))
		return
	}
	low := move(emit.Add(f.B, llir.NewTrunc(x, types.I32)))
	high := move(emit.Add(f.B, llir.NewTrunc(emit.Add(f.B, llir.NewLShr(x, lit.I64(32))), types.I32)))
	whole := emit.Add(f.B, llir.NewOr(emit.Add(f.B, llir.NewShl(emit.Add(f.B, llir.NewZExt(high, types.I64)), lit.I64(32))), emit.Add(f.B, llir.NewZExt(low, types.I64))))
	f.Set(memory.FromBits(f, whole, t))
}
