//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets into struct seccomp_data.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

// arg loads the low half of an argument; both processors are little-endian. The
// kernel ignores the high half of the arguments that are looked at here, or allows
// nothing in it.
func arg(i uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: atArgs + 8*i, Size: 4} }

// give ends the filter.
func give(action uint32) bpf.Instruction { return bpf.RetConstant{Val: action} }

var (
	allow  = give(unix.SECCOMP_RET_ALLOW)
	refuse = give(unix.SECCOMP_RET_TRAP)
	kill   = give(unix.SECCOMP_RET_KILL_PROCESS)
)

// on is what to do about one call; body must end in a return on every path.
func on(number uint32, body ...bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(body))}}, body...)
}

// filter is the program that the kernel runs at each system call of process pid.
func filter(pid uint32) ([]bpf.RawInstruction, error) {
	p := []bpf.Instruction{
		bpf.LoadAbsolute{Off: atArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: audit, SkipTrue: 1}, kill,
		bpf.LoadAbsolute{Off: atNumber, Size: 4},
	}
	if otherABI != 0 {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: otherABI, SkipTrue: 1}, kill)
	}
	for _, n := range slices.Concat(needed, old) {
		switch n {
		case unix.SYS_MMAP:
			p = append(p, on(n, mappings()...)...)
		case unix.SYS_MADVISE:
			p = append(p, on(n, advising()...)...)
		default:
			p = append(p, on(n, allow)...)
		}
	}
	p = append(p, on(unix.SYS_CLONE, threads()...)...)
	for _, n := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV} {
		p = append(p, on(n, arg(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: pid, SkipFalse: 1}, allow, refuse)...)
	}
	p = append(p, on(unix.SYS_PRLIMIT64, asking(pid)...)...)
	for _, list := range []map[uint32]unix.Errno{quiet, oldQuiet} {
		for _, n := range slices.Sorted(maps.Keys(list)) {
			p = append(p, on(n, give(unix.SECCOMP_RET_ERRNO|uint32(list[n])))...)
		}
	}
	return bpf.Assemble(append(p, refuse))
}

// threads allows clone for a thread of this process: no new process, no namespace.
func threads() []bpf.Instruction {
	const must = unix.CLONE_VM | unix.CLONE_SIGHAND | unix.CLONE_THREAD
	const may = must | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SYSVSEM | unix.CLONE_SETTLS |
		unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_SETTID | unix.CLONE_CHILD_CLEARTID
	return []bpf.Instruction{
		arg(0),
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: ^uint32(may), SkipTrue: 3},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: must},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: must, SkipFalse: 1}, allow, refuse,
	}
}

// mappings allows memory that RLIMIT_DATA counts, and files: not shared memory
// without a file, nor memory that grows like a stack, stays when others need it, or is
// of the large pages that a machine has few of.
func mappings() []bpf.Instruction {
	const shared = unix.MAP_SHARED | unix.MAP_ANONYMOUS
	no := give(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	return []bpf.Instruction{
		arg(3),
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.MAP_GROWSDOWN | unix.MAP_LOCKED | unix.MAP_HUGETLB, SkipTrue: 3},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: shared},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: shared, SkipTrue: 1}, allow, no,
	}
}

// advice is what Go, libc and LLVM say of memory. Others take pages away from the whole machine (MADV_HWPOISON,
// MADV_SOFT_OFFLINE), or tell by the time it takes what others have in theirs (MADV_MERGEABLE, MADV_PAGEOUT).
var advice = []uint32{unix.MADV_NORMAL, unix.MADV_RANDOM, unix.MADV_SEQUENTIAL, unix.MADV_WILLNEED, unix.MADV_DONTNEED, unix.MADV_FREE,
	unix.MADV_HUGEPAGE, unix.MADV_NOHUGEPAGE, unix.MADV_COLLAPSE, unix.MADV_DONTDUMP, unix.MADV_DODUMP, unix.MADV_GUARD_INSTALL, unix.MADV_GUARD_REMOVE}

// advising allows advice; all other is unknown, as it is to an older kernel.
func advising() []bpf.Instruction {
	p := []bpf.Instruction{arg(2)}
	for i, a := range advice {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: a, SkipTrue: uint8(len(advice) - i)})
	}
	return append(p, give(unix.SECCOMP_RET_ERRNO|uint32(unix.EINVAL)), allow)
}

// asking allows to read the limits of this process, and not to set them: the address
// of new ones must be 0 in both halves.
func asking(pid uint32) []bpf.Instruction {
	return []bpf.Instruction{
		arg(0),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: pid, SkipFalse: 5},
		arg(2),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipFalse: 3},
		bpf.LoadAbsolute{Off: atArgs + 8*2 + 4, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipFalse: 1}, allow, refuse,
	}
}

// install puts the filter on all threads. It cannot be taken off.
func install() error {
	raw, err := filter(uint32(unix.Getpid()))
	if err != nil {
		return fmt.Errorf("the filter: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("PR_SET_NO_NEW_PRIVS: %w", err)
	}
	// Older kernels slow a filtered process down against Spectre unless it forgoes
	// that; docs/security.md says so.
	for _, flags := range []uintptr{unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW, unix.SECCOMP_FILTER_FLAG_TSYNC} {
		var thread int
		thread, err = put(raw, flags)
		switch {
		case err == unix.EINVAL: // a kernel that does not know a flag, or was built without filters
		case err != nil:
			return fmt.Errorf("seccomp: %w", err)
		case thread != 0:
			return fmt.Errorf("seccomp: thread %d does not take the filter", thread)
		default:
			return nil
		}
	}
	return fmt.Errorf("seccomp: %w", err)
}

// put puts a filter on this thread, or on all. It is what the kernel answers.
func put(raw []bpf.RawInstruction, flags uintptr) (int, error) {
	code := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		code[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	prog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	n, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
