//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Limits are what this process may take up from now on.
type Limits struct {
	Memory int64 // bytes, beyond what it holds and needs for itself; negative is no limit
	Output int64 // bytes of a file
	Stacks int64 // bytes of the stacks of threads that it starts
	Hard   bool  // nobody may raise them again
}

const (
	// ownUse is memory that a process needs besides what runs in it: Go's heap, and LLVM's.
	ownUse = 256 << 20
	// reserved is address space that is taken without being used: libc keeps 64 MiB for each of eight threads that
	// allocate, and cuts them from twice as much; Go does the like.
	reserved = 1 << 30
	stack    = 64 << 20
)

// Allowance is what all memory of a process may come to that sets these Limits, files apart, and without stacks: what is
// counted from outside includes what it held before, and the pages of its libraries.
func Allowance(memory int64) int64 { return memory + 2*ownUse }

// Set sets the limits. Two are about memory: RLIMIT_DATA counts private memory that is writable, and would be enough were
// there no way to make written memory read-only, which takes it out of the count; RLIMIT_AS counts all addresses. The
// first is exact, the second holds whatever a program does. space is what the second was set to, 0 if it was not: who
// started this process raises it by what it has it map.
func (l Limits) Set() (space int64, err error) {
	for resource, n := range map[int]int64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: l.Output, unix.RLIMIT_STACK: stack, unix.RLIMIT_MEMLOCK: 0} {
		if err := limit(resource, uint64(n), l.Hard); err != nil {
			return 0, err
		}
	}
	if l.Memory < 0 {
		return 0, nil
	}
	data, size, err := held()
	if err != nil {
		return 0, err
	}
	more := l.Memory + l.Stacks + ownUse
	if err := limit(unix.RLIMIT_DATA, uint64(data+more), l.Hard); err != nil || !l.Hard {
		return 0, err
	}
	space = size + more + reserved
	return space, limit(unix.RLIMIT_AS, uint64(space), false)
}

// limit sets a resource limit, as far as the hard limit allows.
func limit(resource int, n uint64, hard bool) error {
	var l unix.Rlimit
	if err := unix.Getrlimit(resource, &l); err != nil {
		return err
	}
	l.Cur = min(n, l.Max)
	if hard {
		l.Max = l.Cur
	}
	return unix.Setrlimit(resource, &l)
}

// held is this process's private writable memory, what RLIMIT_DATA counts, and its addresses, what RLIMIT_AS does.
func held() (data, size int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmData: %d kB", &kib); n == 1 {
			data = kib << 10
		}
		if n, _ := fmt.Sscanf(line, "VmSize: %d kB", &kib); n == 1 {
			size = kib << 10
		}
	}
	if data == 0 || size == 0 {
		return 0, 0, fmt.Errorf("/proc/self/status has no VmData or VmSize")
	}
	return data, size, nil
}
