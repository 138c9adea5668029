//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// greedy takes memory in steps of 4 MiB, or threads, as long as it gets them, up to a number that the tests stop at.
const greedy = `declare i64 @syscall(i64, ...)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
define i32 @memory(ptr %args, ptr %results) { ; mmap's number, mprotect's, its protection, how often; what was got
  %mmap = load i64, ptr %args
  %p1 = getelementptr i64, ptr %args, i64 1
  %mprotect = load i64, ptr %p1
  %p2 = getelementptr i64, ptr %args, i64 2
  %prot = load i64, ptr %p2
  %p3 = getelementptr i64, ptr %args, i64 3
  %most = load i64, ptr %p3
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %got]
  store i64 %i, ptr %results
  %full = icmp uge i64 %i, %most
  br i1 %full, label %end, label %take
take:
  %at = call i64 (i64, ...) @syscall(i64 %mmap, i64 0, i64 4194304, i64 3, i64 34, i64 -1, i64 0)
  %no = icmp eq i64 %at, -1
  br i1 %no, label %end, label %got
got:
  %m = inttoptr i64 %at to ptr
  call void @llvm.memset.p0.i64(ptr %m, i8 1, i64 4194304, i1 true)
  %p = call i64 (i64, ...) @syscall(i64 %mprotect, i64 %at, i64 4194304, i64 %prot)
  %next = add i64 %i, 1
  br label %loop
end:
  ret i32 0
}
define ptr @sleeper(ptr %args) {
  br label %loop
loop:
  %number = load i64, ptr %args
  %x = call i64 (i64, ...) @syscall(i64 %number, i64 0, i64 0, i64 0, i64 0) ; ppoll: for ever
  br label %loop
}
define i32 @threads(ptr %args, ptr %results) { ; ppoll's number, how many
  %p1 = getelementptr i64, ptr %args, i64 1
  %most = load i64, ptr %p1
  %id = alloca i64
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %take]
  store i64 %i, ptr %results
  %full = icmp uge i64 %i, %most
  br i1 %full, label %end, label %take
take:
  %failed = call i32 @pthread_create(ptr %id, ptr null, ptr @sleeper, ptr %args)
  %ok = icmp eq i32 %failed, 0
  %next = add i64 %i, 1
  br i1 %ok, label %loop, label %end
end:
  ret i32 0
}
`

// withAndWithout runs a test for a child with a control group, where one can be made, and one without.
func withAndWithout(t *testing.T, f func(t *testing.T, noGroup bool)) {
	for _, noGroup := range []bool{false, true} {
		t.Run(map[bool]string{false: "group", true: "no group"}[noGroup], func(t *testing.T) { f(t, noGroup) })
	}
}

func holds(t *testing.T, o ChildOptions, memory, threads string) (*Child, *Module) {
	t.Helper()
	library(t)
	c := start(t, o)
	s := c.Info().Sandbox
	if o.NoGroup && (s.Memory != memory || s.Threads != threads) {
		t.Errorf("without a group: %v", s)
	}
	if !o.NoGroup && s.Memory != "control group" {
		t.Skipf("this test needs control groups that it may make: %v", s)
	}
	m, err := c.Compile(t.Context(), greedy, Options{Level: O1, Externs: escapeNames})
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// Memory is bounded also where written memory is made read-only, which takes it out of the count of RLIMIT_DATA.
func TestMemoryHolds(t *testing.T) {
	const limit, step, most = 16 << 20, 4 << 20, 170
	for name, prot := range map[string]uint64{"writable": unix.PROT_READ | unix.PROT_WRITE, "read-only": unix.PROT_READ} {
		t.Run(name, func(t *testing.T) {
			withAndWithout(t, func(t *testing.T, noGroup bool) {
				_, m := holds(t, ChildOptions{Memory: limit, Output: 1 << 20, Prints: 1 << 20, NoGroup: noGroup}, "address space", "supervisor")
				r, err := m.Call(within(t), "memory", []uint64{unix.SYS_MMAP, unix.SYS_MPROTECT, prot, most}, 1)
				var f *Fault
				switch {
				case err == nil && r.Results[0]*step <= limit+300<<20: // RLIMIT_DATA
				case errors.As(err, &f) && f.Memory && strings.Contains(err.Error(), "took more memory than its limit of 16777216 bytes allows"):
				default:
					t.Errorf("%+v, %v", r, err)
				}
			})
		})
	}
}

// Threads are counted, by the control group or by the supervisor, and the process goes on with those that it has.
func TestThreadsHold(t *testing.T) {
	withAndWithout(t, func(t *testing.T, noGroup bool) {
		c, m := holds(t, ChildOptions{NoGroup: noGroup}, "address space", "supervisor")
		most := c.o.mostThreads()
		r, err := m.Call(within(t), "threads", []uint64{unix.SYS_PPOLL, 200}, 1)
		if err != nil || r.Results[0] == 0 || r.Results[0] > uint64(most) {
			t.Errorf("%+v, %v; %d threads are allowed", r, err, most)
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Pid()))
		var n int
		if _, after, ok := strings.Cut(string(status), "\nThreads:\t"); ok {
			fmt.Sscan(after, &n)
		}
		if err != nil || n > most || n < most/2 {
			t.Errorf("%d threads, %v; %d are allowed", n, err, most)
		}
		if r, err := m.Call(within(t), "threads", []uint64{unix.SYS_PPOLL, 0}, 1); err != nil || r.Results[0] != 0 {
			t.Errorf("it does not go on: %+v, %v", r, err)
		}
	})
}

// A pool is as large as its threads are allowed.
func TestPoolIsBounded(t *testing.T) {
	if _, err := Start(within(t), ChildOptions{Threads: 1 << 20}); err == nil || !strings.Contains(err.Error(), "1048576 threads are more than 4096") {
		t.Error(err)
	}
}

// Advice that takes pages from the machine is refused, also to root, and so is memory that others cannot have back.
func TestMemoryOfTheMachine(t *testing.T) {
	_, m := escape(t, ChildOptions{})
	const softOffline = 101
	const rw, private = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
	call := func(args ...uint64) uint64 {
		r, err := m.Call(within(t), "call", append(args, make([]uint64, 7-len(args))...), 1)
		if err != nil {
			t.Fatal(args, err)
		}
		return r.Results[0]
	}
	at := call(unix.SYS_MMAP, 0, 1<<16, rw, private, ^uint64(0))
	for _, advice := range []uint64{unix.MADV_HWPOISON, softOffline, unix.MADV_MERGEABLE, unix.MADV_REMOVE, unix.MADV_PAGEOUT, unix.MADV_COLD, unix.MADV_WIPEONFORK} {
		if call(unix.SYS_MADVISE, at, 1<<16, advice) != ^uint64(0) {
			t.Errorf("madvise %d works", advice)
		}
	}
	for _, advice := range []uint64{unix.MADV_DONTNEED, unix.MADV_FREE, unix.MADV_NORMAL} {
		if call(unix.SYS_MADVISE, at, 1<<16, advice) != 0 {
			t.Errorf("madvise %d does not work", advice)
		}
	}
	for _, flags := range []uint64{unix.MAP_LOCKED, unix.MAP_HUGETLB, unix.MAP_GROWSDOWN} {
		if call(unix.SYS_MMAP, 0, 1<<21, rw, private|flags, ^uint64(0)) != ^uint64(0) {
			t.Errorf("mmap with %#x works", flags)
		}
	}
}

// The child of root has no capability but to read files.
func TestNoCapabilities(t *testing.T) {
	c, _ := escape(t, ChildOptions{})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var set string
		var bits uint64
		if n, _ := fmt.Sscanf(line, "Cap%3s: %x", &set, &bits); n == 2 && set != "Bnd" && bits&^(1<<unix.CAP_DAC_OVERRIDE|1<<unix.CAP_DAC_READ_SEARCH) != 0 {
			t.Error(line)
		}
	}
}

// asNobody runs tests of this binary as another user. Its file is in a folder of root's: the process is found by /proc.
func asNobody(t *testing.T, run string) *exec.Cmd {
	const nobody = 65534
	cmd := exec.CommandContext(within(t), "/proc/self/exe", "-test.run="+run, "-test.count=1")
	cmd.Env = append(os.Environ(), "TMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// Whoever is not root makes no control group, and his processes are held all the same.
func TestNotRoot(t *testing.T) {
	library(t)
	if os.Getuid() != 0 {
		t.Skip("this test needs root: it becomes another user")
	}
	out, err := asNobody(t, "TestMemoryHolds/read-only|TestThreadsHold|TestQuietRefusals|TestChildInheritsNothing|TestMemoryOfTheMachine").CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	}
}
