package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/ir"
)

// emitPoison gives LLVM's poison. A memref that is poison has no memory: each of
// its elements lies out of bounds.
func emitPoison(f *fn) {
	t := f.g.Type(f.v)
	if f.c.Info(t).Kind != ir.KindMemRef {
		f.set(&lit{typ: f.llType(t), text: "poison"})
		return
	}
	parts := []value.Value{&lit{typ: ptr, text: "null"}}
	for range f.carried(t)[1:] {
		parts = append(parts, i64(0))
	}
	v := f.fromCarried(t, parts)
	v.m.length, v.m.inside = i64(0), false
	f.vals[f.v] = v
}

// emitFreeze gives LLVM's freeze.
func emitFreeze(f *fn) { f.set(add(f, llir.NewInstFreeze(f.arg(0)))) }

// emitAssert stops the program where the condition is false, in unchecked code too.
func emitAssert(f *fn) {
	holds := f.arg(0)
	if n, ok := number(holds); ok {
		f.stopIf(bit(n == 0), cf.Reason(f.c, f.g.AttrsOf(f.v)))
		return
	}
	f.stopIf(add(f, llir.NewXor(holds, bit(true))), cf.Reason(f.c, f.g.AttrsOf(f.v)))
}
