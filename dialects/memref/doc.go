// Package memref is MLIR's dialect of memory: allocations, views of them, loads
// and stores. With it one
//
//   - allocates: BuildAlloc, and BuildOwned for memory that frees itself;
//   - builds accesses and views: Builder.Op with Load, Store, Subview and so on;
//   - asks how memory lies: Layout, Injective, OpenDims.
//
// An allocation is memory of its own until it escapes; a global is memory of its
// symbol; arguments of a function may be each other's. A view is the memory of
// what it views. An access may trap unless its indices are seen to be within the extents and the memory to be
// alive. So it never moves to where it would run more often.
package memref

import "github.com/irc-lang/irc/ir"

// OwnedAttr is the discardable attribute of an allocation whose end nobody has decided: no op
// of the program frees it, and free-buffers does where it is used for the last time. Among
// the attributes of a function's result it says that this is new memory, the caller's to free.
const OwnedAttr = "memref.owned"

// InBoundsAttr is the discardable attribute of a load or a store that says that its indices lie
// within the extents: whoever makes the access has proved it. Native code trusts that; the
// interpreter checks all the same.
const InBoundsAttr = "irc.inbounds"

// Dialect is the memref dialect.
var Dialect = &ir.Dialect{
	Name: "memref", Clean: true,
	Doc: "Memory: allocations, views of them, loads and stores.",
	Ops: []*ir.OpDef{Alloc, Alloca, AllocaScope, AllocaScopeReturn, AssumeAlignment, AtomicRMW, AtomicYield,
		Cast, CollapseShape, Copy, Dealloc, Dim, DmaStart, DmaWait, ExpandShape, ExtractAlignedPointer,
		ExtractStridedMetadata, GenericAtomicRMW, GetGlobal, Global, Load, MemorySpaceCast, Prefetch, Rank,
		Realloc, ReinterpretCast, Reshape, Store, Subview, Transpose, View},
	Folds:  folds,
	Tables: tables,
}
