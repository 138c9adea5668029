// Package contraction makes sums of products as fast as a machine multiplies: each element that is loaded is used for as
// many products as registers and caches have room for.
//
// A contraction is found in what a statement of a system computes (Find), gets a mark in the schedule where its instances may have any
// order (MarkAll, Inner), bounds and sizes of tiles for a target (Outside, InBands), and code (Emitter): factors are packed side by side, unless they are
// read where they are, a kernel sums tiles up in registers, and what is made of each sum is done to the tile.
package contraction
