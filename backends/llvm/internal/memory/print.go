package memory

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
)

// Visible output is recorded, not formatted, by void @irc_print_bits(i8, i64): a record of kind PrintSite
// holds the number of a Print of the module. Records of kind PrintBits after it hold the operands, slot by
// slot as a thunk gets them; of a memref first the sizes, then the elements in row-major order.
const (
	PrintSite = 32
	PrintBits = 33
)

func EmitPrint(f *emit.Fn) {
	args := f.G.Args(f.V)
	record(f, PrintSite, lit.I64(int64(len(f.Prints))))
	p := emit.Print{G: f.G, V: f.V, Types: f.TypesOf(args)}
	f.Prints = append(f.Prints, p)
	for i, a := range args {
		x := f.Of(a)
		if x.M == nil {
			recordValue(f, x.V, p.Types[i])
			continue
		}
		for _, n := range x.M.Sizes {
			record(f, PrintBits, n)
		}
		recordMemory(f, x.M)
	}
}

func record(f *emit.Fn, kind int64, bits value.Value) {
	print := f.External("irc_print_bits", types.Void, []types.Type{types.I8, types.I64}, "nounwind")
	emit.Add(f.B, llir.NewCall(print, lit.IntLit(types.I8, kind), bits))
}

func recordValue(f *emit.Fn, x value.Value, t ir.Type) {
	for _, s := range f.B.Slots(x, t) {
		record(f, PrintBits, s)
	}
}

// recordMemory records the elements of a memref.
func recordMemory(f *emit.Fn, m *emit.View) {
	if !f.Opts.Unchecked {
		checkWhole(f, m)
	}
	f.Loops.Everywhere(m.Sizes, func(at []value.Value) {
		recordValue(f, LoadFrom(f, f.B.Address(m, f.B.Linear(m, at)), m.Elem), m.Elem)
	})
}
