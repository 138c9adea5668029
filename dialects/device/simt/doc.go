// Package simt watches the interpreter run kernels and finds what a GPU would do wrong and say nothing of:
//
//   - races: two threads of a block access a byte, one of them writes, and no barrier is between them; or threads of
//     two blocks do, in one launch. Atomics do not race with one another.
//   - reads of shared memory, or of a thread's own, that nothing has written.
//   - vector accesses that are not aligned as they say.
//   - accesses to what an asynchronous copy is still bringing.
//
// It counts what a GPU's memory is asked for, as the hardware does it for the 32 threads of a warp at once.
// The rules are those of NVIDIA, CUDA C++ Programming Guide, "Compute capability 5.x" to "9.0", and the names
// those of Nsight Compute's metrics:
//
//   - of global memory requests, and the 32-byte sectors that they touch;
//   - of shared memory wavefronts: 32 banks of 4 bytes give one word each at once. Accesses of 8 bytes a thread take two
//     at least, of 16 bytes four; what is more is conflicts.
//
// The n-th time that a thread is at an op since the last barrier belongs together with the n-th time of the
// others of its warp. So threads that take the same path meet.
package simt
