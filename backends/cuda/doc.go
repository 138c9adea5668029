// Package cuda runs PTX kernels through the CUDA driver, libcuda.so.1, which it
// loads through purego: no cgo, nothing at package init. IRC_LIBCUDA, when set, is
// the only library tried. Without one, on other systems than linux/amd64 and
// linux/arm64, and with the build tag nojit, Open reports ErrMissing.
//
// The driver runs in a child process (a jit.Service), so a fault in it cannot end this one. A kernel that
// hangs ends with the context of the call: the child is killed, and the system takes the device memory back.
// main, and the TestMain of a test that uses Open, must call jit.ServeIfChild(cuda.Service) first;
// engine.ServeIfChild does.
//
// # Use
//
//	gpu, err := cuda.Open(ctx, cuda.Options{})
//	mod, err := gpu.Load(ctx, ptx, "")                 // bad PTX: *Error with the assembler's log
//	host, err := gpu.Host(ctx, n)                      // memory that both processes see
//	mem, err := gpu.Alloc(ctx, n)
//	err = gpu.CopyIn(ctx, mem, host, n)
//	_, err = mod.Launch(ctx, cuda.Launch{Kernel: "saxpy", Grid: ..., Block: ..., Args: ...})
//	err = gpu.CopyOut(ctx, host, mem, n)
//	gpu.Close()                                        // frees everything
//
// Launch returns when the kernel has ended: its faults are its own error, not that
// of a later call. After one that breaks the context (Error.Broken) the GPU is good
// for Close only.
//
// # The driver's calls
//
// Signatures, versions and numbers are those of the CUDA driver API reference
// manual (groups INITIALIZE, DEVICE, PRIMARY_CTX, CTX, MODULE, MEM, EXEC, EVENT,
// ERROR; enumerations of group TYPES). The names are those that cuda.h maps the
// plain ones to (cuMemAlloc is cuMemAlloc_v2). The context is the primary one of
// the device; it belongs to the child's main thread, on which all calls are made.
package cuda
