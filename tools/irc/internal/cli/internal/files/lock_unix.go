//go:build unix

package files

import (
	"os"
	"syscall"
)

// lock takes the lock of a folder, if nobody else has it.
func lock(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }
