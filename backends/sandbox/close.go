//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Close closes this process, for good. It must be called on the thread that is to
// run the program, locked to its goroutine.
func Close() State {
	time.Sleep(time.Nanosecond) // Go makes the descriptors of its timers and pipes when first needed
	// No call that the filter allows makes descriptors: the limit is one more lock.
	const most = 64
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: most})
	s := State{Supervised: askSupervisor()}
	if version, err := nothing(); err == nil {
		s.Landlock = version
	}
	if err := install(); err != nil {
		s.Missing = err.Error()
		return s
	}
	s.Filter = true
	return s
}

// CloseFiles closes all descriptors from first on: a process inherits those that
// its parent's parent left open.
func CloseFiles(first int) error {
	err := unix.CloseRange(uint(first), ^uint(0)>>32, 0)
	if err == nil {
		return nil
	}
	list, err := os.ReadDir("/proc/self/fd") // a kernel before 5.9
	if err != nil {
		return fmt.Errorf("descriptors: %w", err)
	}
	for _, e := range list {
		if n, err := strconv.Atoi(e.Name()); err == nil && n >= first {
			unix.Close(n) // one is of the folder, and closed already
		}
	}
	return nil
}
