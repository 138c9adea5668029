// Package nvvm makes PTX of the kernels of a program: LLVM IR with NVVM's
// intrinsics, which libLLVM's NVPTX target compiles. docs/abi.md describes how
// kernels are launched.
package nvvm
