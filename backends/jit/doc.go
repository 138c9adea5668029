// Package jit runs LLVM IR text. It loads libLLVM (16 or newer) when first
// asked to, through purego and the LLVM-C API: no cgo, nothing at package init.
// Without libLLVM, on other systems than linux/amd64 and linux/arm64, and with
// the build tag nojit, every entry point reports ErrMissing. A program that
// imports this package is linked against glibc, since libLLVM is; nojit makes
// it static again.
//
// There are three layers:
//
//   - Library (Find): Optimize and Emit turn IR text into optimised IR, assembly
//     or an object file, for the host or for another target of that libLLVM.
//   - Code (Library.Compile): native code in this process. A fault in it kills
//     the process, so it is for code that irc itself wrote.
//   - Child (Start): native code in a child process, for everything a user
//     wrote. Any fault, exit or timeout there is a *Fault in the parent, and the
//     parent may Start again.
//
// # Thunks
//
// Go calls one signature only. For each function to be called from outside the
// backend emits
//
//	define i32 @NAME(ptr %args, ptr %results)
//
// where both point to arrays of 8-byte slots. An integer is stored in a slot as
// i64 (extended as the backend likes, the reader truncates). A double is its bits, a float its bits in the
// low half, a pointer an address; a memref takes one slot per field of its descriptor. The status is 0 for
// success; any other value is a trap code whose meaning belongs to the backend. On a nonzero status the
// result slots hold whatever the thunk left there.
//
// # Runtime
//
// Compiled code may declare and call the functions of runtime.ll:
//
//	void @irc_print_i1(i1)    void @irc_print_f32(float)   void @irc_newline()
//	void @irc_print_i64(i64)  void @irc_print_f64(double)
//	void @irc_print_u64(i64)  void @irc_print_str(ptr, i64)
//	void @irc_print_bits(i8 kind, i64 bits)
//
// They format nothing: each appends a record. It comes back as a Printed with the results of the call, in
// order. That holds also when the call ends with a trap code, or in the Fault that ends it. (C cannot print
// the shortest text that reads back as the same double.) ChildOptions.Printed gets records while the call
// runs. Functions of libc and libm are found by name. Native code is expected to stay on the thread that
// called it, but for
//
//	void @irc_parallel_for(ptr %fn, ptr %closure, i64 %low, i64 %high, i64 %grain)
//	ptr @irc_jump_buffer()
//
// of pool.ll: the first calls fn(a, b, closure) for parts of low to high on up to ChildOptions.Threads
// threads. The second is where a trap jumps to (longjmp) on the thread that asks. Both need a module that has
// them called in a thunk. The threads are started when the first such module comes; they have the stack of
// the thread that calls, and take no signal but those of their own faults.
//
// # Child and protocol
//
// Start runs the same executable again with IRC_JIT_CHILD set; its main (and the
// TestMain of a test that uses Start) must call ServeIfChild first. Requests and
// replies are gob messages on two pipes (descriptors 3 and 4), one reply per
// request, in order. A shared memory file (descriptor 5) holds one control page
// and the buffers that Alloc hands out: both sides map it, so data is not
// copied, and its contents outlive a fault. With ChildOptions.Shared it outlives the
// child too: the next one maps the same buffers, whose Addr is then another. Results
// go there as well, so those of the calls before a fault are known. A fault is Unreceived when the child
// died before the request came: another child may be asked the same. In the
// control page the child notes
// the call it is in, and its signal handler notes signal, address, stack pointer
// and program counter; the handler then restores the default action and returns, and the instruction faults
// again, so that the process dies of that very signal
// before Go's runtime can print a trace. The child's standard output and error
// are memory files too: the parent reads them after each reply, so what native
// code printed is there when the call returns. When the parent dies, the child
// sees the request pipe close and exits even while native code is running.
//
// A Service is a child without LLVM that answers requests of another package
// (Ask), with the same pipes, shared memory, timeouts and autopsies: backends/cuda
// runs the CUDA driver in one.
//
// # Limits
//
// ChildOptions.Memory is RLIMIT_DATA: private writable memory, on top of what
// the child holds when it starts and 256 MiB for Go and LLVM. Written memory that is made read-only leaves
// that count; so a control group, or this process, counts what is resident, and RLIMIT_AS, with room for the address space that
// Go and LLVM reserve without using it, the addresses. Native code in a
// child has 64 MiB of stack, unless the hard limit is lower; Linux keeps a gap of 1 MiB below the stack. Code
// must probe a single frame larger than that (LLVM's "probe-stack" attribute) to be sure of a fault on
// overflow. Code in this process has the stack of Go's threads, 8 MiB as a rule.
package jit
