//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// stacks are the bytes of the stacks of the pool.
func (o *ChildOptions) stacks() int64 { return int64(max(1, o.Threads)-1) * (poolStack + poolGuard) }

// mostThreads is how many threads the child may have: those of the pool, those that Go starts for itself, and
// some that functions of -extern make.
func (o *ChildOptions) mostThreads() int { return max(1, o.Threads) + 2*runtime.NumCPU() + 32 }

// copyMemory copies between data and any address of this process. The system
// call checks the address, where a plain copy would fault.
func copyMemory(call uintptr, data []byte, addr uint64) error {
	if len(data) == 0 {
		return nil
	}
	type iovec struct {
		base unsafe.Pointer
		n    uint64
	}
	type remote struct{ base, n uint64 }
	for len(data) > 0 {
		l := iovec{unsafe.Pointer(&data[0]), uint64(len(data))}
		r := remote{addr, uint64(len(data))}
		n, _, errno := syscall.Syscall6(call, uintptr(os.Getpid()), uintptr(unsafe.Pointer(&l)), 1, uintptr(unsafe.Pointer(&r)), 1, 0)
		runtime.KeepAlive(data)
		if errno != 0 {
			return fmt.Errorf("cannot access %d bytes at address %#x: %w", len(data), addr, errno)
		}
		data, addr = data[n:], addr+uint64(n)
	}
	return nil
}
