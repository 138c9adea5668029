// Package memory translates the ops that reserve, access, view and print memory.
//
//   - Sizes and offsets are checked before they are used, unless Options.Unchecked: no product of them wraps.
//   - A view shares the memory of its source; what it cannot reach is not checked again.
//   - Atomic ops are LLVM's instructions where these have the op's meaning, else loops over compare-exchange.
package memory
