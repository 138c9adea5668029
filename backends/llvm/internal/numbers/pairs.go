package numbers

import (
	"runtime"

	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// Of products of 16 bits with their signs those side by side, added, are one instruction of x86. LLVM finds it in the shuffles that say
// so, unless one more sum follows: then it adds the three in another order, and finds nothing. So it is called by its name.

// pairProducts is the instruction for the current op, if that is such a sum and the machine has it, or nil.
func pairProducts(f *emit.Fn) value.Value {
	n := f.G.NodeOf(f.V)
	info := f.C.Info(n.Type())
	if info.Kind != ir.KindVector || info.Elem != ir.I32 || len(info.Shape) != 1 {
		return nil
	}
	name := pairInstruction(f, info.Shape[0])
	if name == "" {
		return nil
	}
	even, odd := n.Arg(0), n.Arg(1)
	if !isEvery(even, 0) {
		even, odd = odd, even
	}
	if !isEvery(even, 0) || !isEvery(odd, 1) || even.Arg(0) != odd.Arg(0) || even.Arg(0).Def() != arith.Muli {
		return nil
	}
	x, y := even.Arg(0).Arg(0), even.Arg(0).Arg(1)
	if !isWidened(x) || !isWidened(y) {
		return nil
	}
	t := types.NewVector(uint64(info.Shape[0]), types.I32)
	return f.B.Intrinsic(name, t, nil, f.Of(x.Arg(0).Old()).V, f.Of(y.Arg(0).Old()).V)
}

// pairInstruction is the name of that which gives so many sums; "" where this machine, or the one that is compiled for, is not known to have it.
func pairInstruction(f *emit.Fn, lanes int64) string {
	t := f.Opts.Target
	if runtime.GOARCH != "amd64" || f.Gpu != nil || t != nil && (t.Kind != target.CPU || t.Triple != "" || t.CPU != "" || len(t.Features) > 0) || int64(target.Host().Vector) < 4*lanes {
		return ""
	}
	return map[int64]string{4: "llvm.x86.sse2.pmadd.wd", 8: "llvm.x86.avx2.pmadd.wd", 16: "llvm.x86.avx512.pmaddw.d.512"}[lanes]
}

// isEvery reports a shuffle that takes every second lane of one vector, from the first or the second one on.
func isEvery(n ir.Node, first int64) bool {
	if n.Def() != vector.Shuffle || n.Arg(0) != n.Arg(1) {
		return false
	}
	c := n.Graph().Ctx
	mask, shape := c.AttrInfo(n.Attr("mask")).List, c.Info(n.Arg(0).Type()).Shape
	if len(shape) != 1 || int64(len(mask))*2 != shape[0] {
		return false
	}
	for i, k := range mask {
		if c.AttrInfo(k).Int != first+2*int64(i) {
			return false
		}
	}
	return true
}

// isWidened reports numbers of 32 bits that were such of 16, with their signs.
func isWidened(n ir.Node) bool {
	return n.Def() == arith.Extsi && n.Graph().Ctx.Info(n.Arg(0).Type()).Elem == ir.I16
}
