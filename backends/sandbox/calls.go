//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// needed are the calls that Go, libc and LLVM make when they compile and run code,
// those made most often first. Descriptors are not looked at: a process has those
// that it was given, and no call here makes one.
var needed = []uint32{
	unix.SYS_FUTEX, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MREMAP, unix.SYS_BRK,
	unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_LSEEK, unix.SYS_FSTAT,
	unix.SYS_PPOLL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETCPU,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_SET_TID_ADDRESS,
	unix.SYS_GETRANDOM, unix.SYS_SYSINFO, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// quiet are calls that libraries make and can do without. They fail with an error,
// where others end the program.
var quiet = map[uint32]unix.Errno{
	unix.SYS_CLONE3:           unix.ENOSYS, // its flags are in memory, which a filter cannot read: libc goes on to clone
	unix.SYS_PRCTL:            unix.EPERM,  // Go names its memory
	unix.SYS_NEWFSTATAT:       unix.EPERM,  // libc asks how to buffer its output
	unix.SYS_IOCTL:            unix.ENOTTY, // and whether that is a terminal
	unix.SYS_UNAME:            unix.EPERM,
	unix.SYS_GETRUSAGE:        unix.EPERM,
	unix.SYS_MEMBARRIER:       unix.EPERM,
	unix.SYS_MINCORE:          unix.EPERM,
	unix.SYS_FCNTL:            unix.EPERM,
	unix.SYS_MAP_SHADOW_STACK: unix.ENOSYS,
}

// names are calls that a program may be ended for, as messages call them.
var names = map[uint32]string{
	unix.SYS_OPENAT: "openat", unix.SYS_OPENAT2: "openat2", unix.SYS_SOCKET: "socket", unix.SYS_SOCKETPAIR: "socketpair",
	unix.SYS_CONNECT: "connect", unix.SYS_BIND: "bind", unix.SYS_LISTEN: "listen", unix.SYS_SENDTO: "sendto", unix.SYS_CLONE: "clone",
	unix.SYS_EXECVE: "execve", unix.SYS_EXECVEAT: "execveat", unix.SYS_PTRACE: "ptrace", unix.SYS_KILL: "kill", unix.SYS_TKILL: "tkill",
	unix.SYS_TGKILL: "tgkill", unix.SYS_PROCESS_VM_READV: "process_vm_readv", unix.SYS_PROCESS_VM_WRITEV: "process_vm_writev",
	unix.SYS_IO_URING_SETUP: "io_uring_setup", unix.SYS_MEMFD_CREATE: "memfd_create", unix.SYS_SHMGET: "shmget", unix.SYS_SHMAT: "shmat",
	unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RENAMEAT2: "renameat2", unix.SYS_MKDIRAT: "mkdirat", unix.SYS_MOUNT: "mount",
	unix.SYS_UNSHARE: "unshare", unix.SYS_SETNS: "setns", unix.SYS_CHROOT: "chroot", unix.SYS_CHDIR: "chdir", unix.SYS_BPF: "bpf",
	unix.SYS_PERF_EVENT_OPEN: "perf_event_open", unix.SYS_USERFAULTFD: "userfaultfd", unix.SYS_PIDFD_OPEN: "pidfd_open",
	unix.SYS_PIDFD_GETFD: "pidfd_getfd", unix.SYS_SECCOMP: "seccomp", unix.SYS_PRLIMIT64: "prlimit64", unix.SYS_SETRLIMIT: "setrlimit",
	unix.SYS_SETUID: "setuid", unix.SYS_SETPGID: "setpgid", unix.SYS_SETSID: "setsid", unix.SYS_KEYCTL: "keyctl", unix.SYS_DUP: "dup",
	unix.SYS_PIPE2: "pipe2", unix.SYS_EVENTFD2: "eventfd2", unix.SYS_TRUNCATE: "truncate", unix.SYS_FTRUNCATE: "ftruncate",
	unix.SYS_SENDMSG: "sendmsg", unix.SYS_STATX: "statx", unix.SYS_GETPPID: "getppid", unix.SYS_WAIT4: "wait4", unix.SYS_GETDENTS64: "getdents64",
	unix.SYS_FACCESSAT: "faccessat", unix.SYS_READLINKAT: "readlinkat", unix.SYS_SYMLINKAT: "symlinkat", unix.SYS_FCHMODAT: "fchmodat",
	unix.SYS_REBOOT: "reboot", unix.SYS_INIT_MODULE: "init_module", unix.SYS_GETUID: "getuid", unix.SYS_GETCWD: "getcwd",
}

// CallName is the name of a system call of this processor.
func CallName(number uint64) string {
	for _, table := range []map[uint32]string{names, oldNames} {
		if s := table[uint32(number)]; s != "" {
			return s
		}
	}
	return fmt.Sprintf("number %d", uint32(number))
}
