package llvm

import (
	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/kernels"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/ir"
)

// What Emit takes and makes.
type (
	Options    = emit.Options
	Module     = emit.Module
	Func       = emit.Func
	Trap       = emit.Trap
	Omitted    = emit.Omitted
	Print      = emit.Print
	Timed      = emit.Timed
	Blob       = emit.Blob
	KernelInfo = emit.KernelInfo
)

// What the jit finds in a module: thunks of its own, and the kinds of the records that printing ops append.
const (
	HeapThunk  = memory.HeapThunk
	TimesThunk = emit.TimesThunk
	TimeSlots  = emit.TimeSlots
	PrintSite  = memory.PrintSite
	PrintBits  = memory.PrintBits
)

// Slots returns the number of 8-byte slots in which a thunk takes or gives a value
// of type t, and false for types that thunks do not pass.
func Slots(c *ir.Context, t ir.Type) (int, bool) { return emit.Slots(c, t) }

// SlotsOf is Slots of a list.
func SlotsOf(c *ir.Context, ts []ir.Type) (int, bool) { return emit.SlotsOf(c, ts) }

// ElemBytes is the distance of neighbouring elements of a type in memory; ok is
// false for types whose elements kernels do not take.
func ElemBytes(c *ir.Context, t ir.Type) (n int64, ok bool) { return kernels.ElemBytes(c, t) }

// EntryName is a symbol as PTX can name it.
func EntryName(symbol string) string { return kernels.EntryName(symbol) }
