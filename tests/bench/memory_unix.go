//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// mostMemory is what a process that has ended took at most, in bytes.
func mostMemory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "linux" {
		return u.Maxrss * 1024
	}
	return u.Maxrss
}
