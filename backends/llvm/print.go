package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// Visible output is recorded, not formatted, by void @irc_print_bits(i8, i64): a
// record of kind PrintSite holds the number of a Print of the module, and records
// of kind PrintBits after it hold the operands, slot by slot as a thunk gets
// them; of a memref first the sizes, then the elements in row-major order.
const (
	PrintSite = 32
	PrintBits = 33
)

func emitPrint(f *fn) {
	args := f.g.Args(f.v)
	f.record(PrintSite, i64(int64(len(f.Prints))))
	p := Print{G: f.g, V: f.v, Types: f.typesOf(args)}
	f.Prints = append(f.Prints, p)
	for i, a := range args {
		x := f.of(a)
		if x.m == nil {
			f.recordValue(x.v, p.Types[i])
			continue
		}
		for _, n := range x.m.sizes {
			f.record(PrintBits, n)
		}
		f.recordMemory(x.m)
	}
}

func (f *fn) record(kind int64, bits value.Value) {
	print := f.external("irc_print_bits", types.Void, []types.Type{types.I8, types.I64}, "nounwind")
	add(f, llir.NewCall(print, intLit(types.I8, kind), bits))
}

func (f *fn) recordValue(x value.Value, t ir.Type) {
	for _, s := range f.slots(x, t) {
		f.record(PrintBits, s)
	}
}

// recordMemory records the elements of a memref.
func (f *fn) recordMemory(m *view) {
	if !f.opts.Unchecked {
		f.checkWhole(m)
	}
	f.everywhere(m.sizes, func(at []value.Value) {
		f.recordValue(f.loadFrom(f.address(m, f.linear(m, at)), m.elem), m.elem)
	})
}
