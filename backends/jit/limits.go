//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// setLimits bounds what native code can use up. memory counts from what the
// process holds now, plus room for Go's own heap and for stacks of threads; negative is no limit. Hard limits
// cannot be raised again.
func setLimits(memory, output, stacks int64, hard bool) error {
	const (
		rlimitFsize = 1
		rlimitData  = 2
		rlimitStack = 3
		rlimitCore  = 4
		stack       = 64 << 20
		ownUse      = 256 << 20
	)
	if err := limit(rlimitCore, 0, hard); err != nil { // a core dump of LLVM is slow and large
		return err
	}
	if err := limit(rlimitFsize, uint64(output), hard); err != nil {
		return err
	}
	if err := limit(rlimitStack, stack, hard); err != nil {
		return err
	}
	if memory < 0 {
		return nil
	}
	held, err := dataSize()
	if err != nil {
		return err
	}
	return limit(rlimitData, uint64(held+memory+ownUse+stacks), hard)
}

// limit sets a resource limit, as far as the hard limit allows.
func limit(resource int, n uint64, hard bool) error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(resource, &l); err != nil {
		return err
	}
	l.Cur = min(n, l.Max)
	if hard {
		l.Max = l.Cur
	}
	return syscall.Setrlimit(resource, &l)
}

// dataSize is the process's private writable memory, what RLIMIT_DATA counts.
func dataSize() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmData: %d kB", &kib); n == 1 {
			return kib << 10, nil
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no VmData")
}

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
