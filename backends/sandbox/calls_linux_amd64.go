package sandbox

import "golang.org/x/sys/unix"

const audit = unix.AUDIT_ARCH_X86_64

// otherABI is set in the numbers of calls in the x32 convention.
const otherABI = 0x40000000

// old are calls that newer processors have others for.
var old = []uint32{unix.SYS_POLL, unix.SYS_EPOLL_WAIT, unix.SYS_TIME}

var oldQuiet = map[uint32]unix.Errno{unix.SYS_ARCH_PRCTL: unix.EPERM}

var oldNames = map[uint32]string{
	unix.SYS_OPEN: "open", unix.SYS_CREAT: "creat", unix.SYS_FORK: "fork", unix.SYS_VFORK: "vfork", unix.SYS_UNLINK: "unlink",
	unix.SYS_RENAME: "rename", unix.SYS_MKDIR: "mkdir", unix.SYS_RMDIR: "rmdir", unix.SYS_PIPE: "pipe", unix.SYS_DUP2: "dup2",
	unix.SYS_STAT: "stat", unix.SYS_ACCESS: "access", unix.SYS_READLINK: "readlink", unix.SYS_CHMOD: "chmod", unix.SYS_LINK: "link",
	unix.SYS_SYMLINK: "symlink",
}
