//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// eager reads a pipe into which something is written soon, if at all: it looks for a while
// before it sleeps, since to wake an idle processor takes longer than a short call.
type eager struct{ file *os.File }

// lookFor is how long that is: some twice what it takes to wake up.
const lookFor = 100 * time.Microsecond

func (e eager) Read(p []byte) (int, error) {
	if conn, err := e.file.SyscallConn(); err == nil && runtime.NumCPU() > 1 {
		conn.Control(func(fd uintptr) {
			for start := time.Now(); !ready(fd) && time.Since(start) < lookFor; {
			}
		})
	}
	return e.file.Read(p)
}

// ready reports that a read of a pipe would not wait.
func ready(fd uintptr) bool {
	p := pollfd{fd: int32(fd), events: pollIn}
	var none syscall.Timespec
	n, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&none)), 0, 0, 0)
	return n != 0 || errno != 0
}

// pollfd is what the system calls so.
type pollfd struct {
	fd              int32
	events, revents int16
}

const pollIn = 1
