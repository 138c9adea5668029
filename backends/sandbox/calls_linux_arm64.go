package sandbox

import "golang.org/x/sys/unix"

const audit = unix.AUDIT_ARCH_AARCH64

// otherABI is 0: this processor's calls have one convention of 64 bits.
const otherABI = 0

var (
	old      []uint32
	oldQuiet map[uint32]unix.Errno
	oldNames map[uint32]string
)
