//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// dropCapabilities leaves the calling thread, and the processes that it starts, no capability of root's but to read files
// whose owner is another: where irc and its libraries are. Who has no new privileges gets none back by running a program.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("PR_SET_NO_NEW_PRIVS: %w", err)
	}
	const keep = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&head, &sets[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	for i := range sets {
		kept := uint32(0)
		if i == 0 {
			kept = keep
		}
		sets[i] = unix.CapUserData{Effective: sets[i].Effective & kept, Permitted: sets[i].Permitted & kept}
	}
	if err := unix.Capset(&head, &sets[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	return nil
}
