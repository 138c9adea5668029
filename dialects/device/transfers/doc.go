// Package transfers checks what moves between the memory of the host and that of a device, and counts it, as
// if the device had a memory of its own: one that a kernel must not leave, and that the host reaches
// by memref.copy alone.
//
// What holds in a run with a Checker:
//
//   - Memory of space 1 (memref<8xf32, 1>) is the device's, all other memory the host's. An
//     allocation belongs to where its type says; what a caller gives does, too, and holds values.
//   - A kernel accesses memory of the device, what it allocates itself, and constants. It reads
//     only elements that were moved there or that a kernel has written.
//   - The host accesses elements of the device by memref.copy alone: from host to device they move in, from
//     device to host out. No element moves out that neither moved in nor was written.
//
// An element that moves is needless if it need not have: in, if no kernel reads it before it is written, moved in again or
// freed; out, if no kernel has written it since it last moved.
package transfers
