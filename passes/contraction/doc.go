// Package contraction makes sums of products as fast as a machine multiplies: each element that is loaded is used for as
// many products as registers and caches have room for.
//
// A contraction goes through four steps:
//
//   - Find finds it in what a statement of a system computes.
//   - MarkAll and Inner mark it in the schedule, where its instances may have any order.
//   - Outside and InBands choose bounds and sizes of tiles for a target.
//   - Emitter makes code. Factors are packed side by side, unless they are read where they are. A kernel sums tiles up in
//     registers, and what is made of each sum is done to the tile.
//
// Package gpu has the emitter for GPUs, which begins with an einsum of tensors.
package contraction
