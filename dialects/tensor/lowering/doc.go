// Package lowering takes tensors down to memory and affine loops.
//
// Each op gets new memory and a nest of loops that fills it, destination-passing style; memory is owned
// (memref.OwnedAttr), so that passes/buffers lets ops write over what they read last, and gives it back.
//
// An op whose elements are asked for once each by one other op of the same region, and what only moves or makes
// elements (transposes, fills, iotas), is virtual: it has no memory, and its elements are made where
// they are read (Svenningsson's pull arrays; "delayed" in the sense of LMS until its reader is lowered). So
// maps of maps are one loop, a map goes into the reduction that reads it, and a transpose into an einsum.
//
// An einsum of more than two operands becomes a chain of such of two, in the order that costs the fewest
// multiplications. One of two operands may have an index i of the one, j of the other, and k of both that is
// summed up. These three loops are then innermost, marked with affine.ContractionAttr, for passes/contraction
// to make register tiles of.
//
// The types, from the bottom up:
//
//   - emit makes memory, loops and numbers, and knows no op.
//   - plan says which ops have no memory, and what is part of what: attentions, finishes, chains of einsums.
//   - down has both, and makes elements and extents of ops.
//   - space is the indices of a sum of products, with the loops over them.
//   - One type for each subject does the rest, on a down: splitting and nesting (einsums), windowed and convolving
//     (convolutions and poolings), strips and patching (two ways of a convolution), block (attention), row, indexed
//     (gathers and scatters), bordered (pads).
package lowering
