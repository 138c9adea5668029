//go:build linux

package limits

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/irc-lang/irc/backends/jit"
)

// attacker does what a program may do that has its own instructions: any system call. One that is refused by SIGSYS is counted by
// a handler of its own, so that one process makes many attempts.
const attacker = `declare i64 @syscall(i64, ...)
declare ptr @signal(i32, ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@hits = internal global i64 0
define void @handler(i32 %s) {
  %h = load i64, ptr @hits
  %n = add i64 %h, 1
  store i64 %n, ptr @hits
  ret void
}
define i32 @call(ptr %args, ptr %results) {
  %old = call ptr @signal(i32 31, ptr @handler)
  store i64 0, ptr @hits
  %n = load i64, ptr %args
  %p1 = getelementptr i64, ptr %args, i64 1
  %a1 = load i64, ptr %p1
  %p2 = getelementptr i64, ptr %args, i64 2
  %a2 = load i64, ptr %p2
  %p3 = getelementptr i64, ptr %args, i64 3
  %a3 = load i64, ptr %p3
  %p4 = getelementptr i64, ptr %args, i64 4
  %a4 = load i64, ptr %p4
  %p5 = getelementptr i64, ptr %args, i64 5
  %a5 = load i64, ptr %p5
  %p6 = getelementptr i64, ptr %args, i64 6
  %a6 = load i64, ptr %p6
  %r = call i64 (i64, ...) @syscall(i64 %n, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6)
  store i64 %r, ptr %results
  %hits = load i64, ptr @hits
  %q = getelementptr i64, ptr %results, i64 1
  store i64 %hits, ptr %q
  ret i32 0
}
define i32 @fill(ptr %args, ptr %results) {
  %at = load ptr, ptr %args
  %p1 = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %p1
  call void @llvm.memset.p0.i64(ptr %at, i8 1, i64 %n, i1 true)
  ret i32 0
}
define ptr @sleeper(ptr %args) {
  br label %loop
loop:
  %number = load i64, ptr %args
  %x = call i64 (i64, ...) @syscall(i64 %number, i64 0, i64 0, i64 0, i64 0)
  br label %loop
}
define i32 @thread(ptr %args, ptr %results) {
  %id = alloca i64
  %failed = call i32 @pthread_create(ptr %id, ptr null, ptr @sleeper, ptr %args)
  %r = sext i32 %failed to i64
  store i64 %r, ptr %results
  ret i32 0
}
define i32 @deep(ptr %args, ptr %results) {
  %x = alloca [4096 x i8]
  store volatile i8 1, ptr %x
  %r = call i32 @deep(ptr %args, ptr %x)
  %y = load volatile i8, ptr %x
  %z = zext i8 %y to i32
  %s = add i32 %r, %z
  ret i32 %s
}
`

// A site is a process in which attempts are made, one after the other.
type site struct {
	o     jit.ChildOptions
	child *jit.Child
	code  *jit.Module
}

// newSite starts one; without libLLVM there is no native code to attempt anything.
func newSite(t *testing.T, o jit.ChildOptions) *site {
	t.Helper()
	s := &site{o: o}
	s.start(t)
	t.Cleanup(func() { s.child.Close() })
	return s
}

func (s *site) start(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	var err error
	if s.child, err = jit.Start(ctx, s.o); errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !s.child.Info().Sandbox.Filter {
		t.Skip("this test needs a kernel with seccomp")
	}
	if s.code, err = s.child.Compile(ctx, attacker, jit.Options{Level: jit.O1, Externs: []string{"syscall", "signal", "pthread_create"}}); err != nil {
		t.Fatal(err)
	}
}

// live starts the attacker's process again where it has ended.
func (s *site) live(t *testing.T) {
	t.Helper()
	if s.child.Ended() {
		s.child.Close()
		s.start(t)
	}
}

// do calls a function of the attacker.
func (s *site) do(t *testing.T, name string, args ...uint64) ([]uint64, *jit.Fault) {
	t.Helper()
	s.live(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for len(args) < 7 {
		args = append(args, 0)
	}
	r, err := s.code.Call(ctx, name, args, 2)
	var f *jit.Fault
	if errors.As(err, &f) {
		return []uint64{0, 0}, f
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Results, nil
}

const (
	failed  = math.MaxUint64
	text    = 1 << 62 // stands for the address of a file's name
	private = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
	rw      = unix.PROT_READ | unix.PROT_WRITE
)

// denied wants a call that the filter refuses, by SIGSYS or by an error.
func (s *site) denied(number uint64, args ...uint64) func(t *testing.T) {
	return s.deniedOf("/tmp/irc-limits-made", number, args...)
}

// deniedOf is denied of a file.
func (s *site) deniedOf(path string, number uint64, args ...uint64) func(t *testing.T) {
	return func(t *testing.T) {
		s.live(t)
		for i, a := range args {
			if a != text {
				continue
			}
			b, err := s.child.Alloc(context.Background(), 256)
			if err != nil {
				t.Fatal(err)
			}
			copy(b.Bytes(), path+"\x00")
			args[i] = b.Addr()
		}
		r, f := s.do(t, "call", append([]uint64{number}, args...)...)
		if f != nil || r[1] == 0 && r[0] != failed {
			t.Errorf("it gives %#x, %v", r[0], f)
		}
	}
}

// takes wants calls of which no more than most bytes are had, in steps; none is more than 4 GiB in all.
func (s *site) takes(most uint64, step uint64, call func(t *testing.T, i uint64) bool) func(t *testing.T) {
	return func(t *testing.T) {
		got := uint64(0)
		for i := range uint64(64) {
			if !call(t, i) {
				break
			}
			got += step
		}
		if s.child.Close(); got > most {
			t.Errorf("%d MB are had", got>>20)
		}
	}
}

const step = 64 << 20

func (s *site) mmap(t *testing.T, size uint64, prot, flags uint64) (at uint64, ok bool) {
	r, f := s.do(t, "call", unix.SYS_MMAP, 0, size, prot, flags, failed)
	return r[0], f == nil && r[0] != failed
}

func memoryWays(t *testing.T) []attempt {
	const limit = 16 << 20
	const data, space = limit + 300<<20, 2200 << 20 // with what is needed besides
	s := newSite(t, jit.ChildOptions{Memory: limit, Output: 1 << 20, Prints: 1 << 20})
	maps := func(prot, flags uint64) func(*testing.T, uint64) bool {
		return func(t *testing.T, _ uint64) bool { _, ok := s.mmap(t, step, prot, flags); return ok }
	}
	ways := []attempt{
		{"memory", "writable", s.takes(data, step, maps(rw, private))},
		{"memory", "writable and not reserved", s.takes(data, step, maps(rw, private|unix.MAP_NORESERVE))},
		{"memory", "populated", s.takes(data, step, maps(rw, private|unix.MAP_POPULATE))},
		{"memory", "to run", s.takes(data, step, maps(rw|unix.PROT_EXEC, private))},
		{"memory", "read only", s.takes(space, step, maps(unix.PROT_READ, private))},
		{"memory", "without access", s.takes(space, step, maps(unix.PROT_NONE, private|unix.MAP_NORESERVE))},
		{"memory", "made writable later", s.takes(data, step, func(t *testing.T, _ uint64) bool {
			at, ok := s.mmap(t, step, unix.PROT_NONE, private)
			if ok {
				r, f := s.do(t, "call", unix.SYS_MPROTECT, at, step, rw)
				ok = f == nil && r[0] != failed
			}
			return ok
		})},
		{"memory", "of a file, a copy of one's own", s.takes(data, step, func(t *testing.T, _ uint64) bool {
			r, f := s.do(t, "call", unix.SYS_MMAP, 0, step, rw, unix.MAP_PRIVATE, 5)
			return f == nil && r[0] != failed
		})},
		{"memory", "grown by mremap", s.takes(data, step, func(t *testing.T, i uint64) bool {
			at, ok := s.mmap(t, 4096, rw, private)
			if ok {
				r, f := s.do(t, "call", unix.SYS_MREMAP, at, 4096, step, unix.MREMAP_MAYMOVE)
				ok = f == nil && r[0] != failed
			}
			return ok
		})},
		{"memory", "stack", func(t *testing.T) {
			if _, f := s.do(t, "deep"); f == nil || f.Signal != unix.SIGSEGV {
				t.Errorf("%v", f)
			}
		}},
	}
	for name, prot := range map[string]uint64{"made read only": unix.PROT_READ, "taken away": unix.PROT_NONE} {
		const some = 12 << 20
		ways = append(ways, attempt{"memory", "written and " + name, s.takes(700<<20, some, func(t *testing.T, _ uint64) bool {
			at, ok := s.mmap(t, some, rw, private)
			if ok {
				if _, f := s.do(t, "fill", at, some); f != nil {
					return false
				}
				_, f := s.do(t, "call", unix.SYS_MPROTECT, at, some, prot)
				ok = f == nil
			}
			return ok
		})})
	}
	const softOffline = 101
	for name, args := range map[string][]uint64{
		"shared by nobody": {unix.SYS_MMAP, 0, 4096, rw, unix.MAP_SHARED | unix.MAP_ANONYMOUS, failed},
		"like a stack":     {unix.SYS_MMAP, 0, 4096, rw, private | unix.MAP_GROWSDOWN, failed},
		"locked":           {unix.SYS_MMAP, 0, 4096, rw, private | unix.MAP_LOCKED, failed},
		"of large pages":   {unix.SYS_MMAP, 0, 2 << 20, rw, private | unix.MAP_HUGETLB, failed},
		"all locked":       {unix.SYS_MLOCKALL, unix.MCL_CURRENT | unix.MCL_FUTURE},
		"poisoned":         {unix.SYS_MADVISE, 0, 0, unix.MADV_HWPOISON},
		"taken offline":    {unix.SYS_MADVISE, 0, 0, softOffline},
		"merged":           {unix.SYS_MADVISE, 0, 0, unix.MADV_MERGEABLE},
		"a limit raised":   {unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, text},
		"of System V":      {unix.SYS_SHMGET, 0, 1 << 30, 0o1600},
	} {
		ways = append(ways, attempt{"memory", name, s.denied(args[0], args[1:]...)})
	}
	return ways
}

func threadWays(t *testing.T) []attempt {
	s := newSite(t, jit.ChildOptions{})
	thread := uint64(unix.CLONE_VM | unix.CLONE_SIGHAND | unix.CLONE_THREAD)
	var ways []attempt
	for name, args := range map[string][]uint64{
		"a process":             {unix.SYS_CLONE, uint64(unix.SIGCHLD)},
		"a process that waits":  {unix.SYS_CLONE, unix.CLONE_VM | unix.CLONE_VFORK | uint64(unix.SIGCHLD)},
		"a brother":             {unix.SYS_CLONE, thread | unix.CLONE_PARENT},
		"a thread unseen":       {unix.SYS_CLONE, thread | unix.CLONE_UNTRACED},
		"a user of its own":     {unix.SYS_CLONE, thread | unix.CLONE_NEWUSER},
		"numbers of its own":    {unix.SYS_CLONE, thread | unix.CLONE_NEWPID},
		"a group of its own":    {unix.SYS_CLONE, thread | unix.CLONE_NEWCGROUP},
		"clone3":                {unix.SYS_CLONE3, 0, 88},
		"threads of the kernel": {unix.SYS_IO_URING_SETUP, 1, text},
		"another program":       {unix.SYS_EXECVE, text},
		"another descriptor":    {unix.SYS_EXECVEAT, 3, text, 0, 0, unix.AT_EMPTY_PATH},
		"a limit":               {unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NPROC, text},
	} {
		ways = append(ways, attempt{"threads", name, s.denied(args[0], args[1:]...)})
	}
	for name, noGroup := range map[string]bool{"many": false, "many without a group": true} {
		ways = append(ways, attempt{"threads", name, func(t *testing.T) {
			s := newSite(t, jit.ChildOptions{NoGroup: noGroup})
			most, n := 2*runtime.NumCPU()+44, 0
			for range most {
				r, f := s.do(t, "thread", unix.SYS_PPOLL)
				if f != nil {
					t.Fatal(f)
				}
				if r[0] != 0 {
					break
				}
				n++
			}
			if n >= most || n < 8 {
				t.Errorf("%d threads", n)
			}
		}})
	}
	return append(ways, attempt{"threads", "a pool", func(t *testing.T) {
		if _, err := jit.Start(t.Context(), jit.ChildOptions{Threads: 100_000}); err == nil {
			t.Error("it starts")
		}
	}},
		attempt{"threads", "an option", clamped("-threads=100000")},
		attempt{"threads", "a target file", clamped("-target=many.json")},
		attempt{"threads", "a target file with more than there are", refused(1, "cores is 1000000000, and at most 4096", map[string]string{"t.json": `{"cores": 1000000000}`, "p.mlir": parallel}, "run", "-target=t.json", "p.mlir")},
	)
}

// parallel is a program that cores share.
const parallel = `func.func @main() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3000000 : index
  %z = arith.constant 0.0 : f64
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %a = arith.index_cast %i : index to i64
    %x = arith.sitofp %a : i64 to f64
    %y = math.sqrt %x : f64
    scf.reduce(%y : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q : f64
      scf.reduce.return %s : f64
    }
  }
  return %r : f64
}
`

func clamped(flag string) func(t *testing.T) {
	return refused(0, "cores are asked for, and this process has", map[string]string{"many.json": `{"cores": 4000}`, "p.mlir": parallel}, "run", "-v", "-engine=llvm", flag, "p.mlir")
}

func fileWays(t *testing.T) []attempt {
	s := newSite(t, jit.ChildOptions{})
	const here = math.MaxUint64 - 99 // AT_FDCWD
	var ways []attempt
	for name, args := range map[string][]uint64{
		"read":              {unix.SYS_OPENAT, here, text, unix.O_RDONLY},
		"write":             {unix.SYS_OPENAT, here, text, unix.O_WRONLY | unix.O_CREAT, 0o666},
		"without a name":    {unix.SYS_OPENAT, here, text, unix.O_TMPFILE | unix.O_RDWR, 0o666},
		"the newer call":    {unix.SYS_OPENAT2, here, text, text, 24},
		"by a handle":       {unix.SYS_OPEN_BY_HANDLE_AT, 3, text, 0},
		"a name for handle": {unix.SYS_NAME_TO_HANDLE_AT, here, text, text, text, 0},
		"remove":            {unix.SYS_UNLINKAT, here, text, 0},
		"rename":            {unix.SYS_RENAMEAT2, here, text, here, text, 0},
		"link":              {unix.SYS_LINKAT, here, text, here, text, 0},
		"symlink":           {unix.SYS_SYMLINKAT, text, here, text},
		"folder":            {unix.SYS_MKDIRAT, here, text, 0o777},
		"device":            {unix.SYS_MKNODAT, here, text, 0o666, 0},
		"truncate":          {unix.SYS_TRUNCATE, text, 0},
		"rights":            {unix.SYS_FCHMODAT, here, text, 0o777},
		"owner":             {unix.SYS_FCHOWNAT, here, text, 0, 0, 0},
		"attributes":        {unix.SYS_SETXATTR, text, text, text, 1, 0},
		"mount":             {unix.SYS_MOUNT, text, text},
		"move a mount":      {unix.SYS_MOVE_MOUNT, here, text, here, text, 0},
		"another root":      {unix.SYS_CHROOT, text},
		"what is there":     {unix.SYS_GETDENTS64, 3, text, 64},
		"look":              {unix.SYS_STATX, here, text, 0, 0, text},
		"may I":             {unix.SYS_FACCESSAT, here, text, 0},
		"watch":             {unix.SYS_INOTIFY_ADD_WATCH, 3, text, 2},
		"run":               {unix.SYS_EXECVE, text, 0, 0},
	} {
		ways = append(ways, attempt{"files", name, s.denied(args[0], args[1:]...)})
	}
	return append(ways,
		attempt{"files", "room on the disk", s.deniedOf("/", unix.SYS_STATFS, text, text)},
		attempt{"files", "the root", s.deniedOf("/", unix.SYS_FACCESSAT, here, text, 0)},
		attempt{"files", "into the root", s.deniedOf("/", unix.SYS_CHDIR, text)})
}

func descriptorWays(t *testing.T) []attempt {
	s := newSite(t, jit.ChildOptions{})
	here := uint64(unix.Getpid())
	var ways []attempt
	for name, args := range map[string][]uint64{
		"socket":             {unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM},
		"pair of sockets":    {unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM, 0, text},
		"message":            {unix.SYS_SENDMSG, 4, text, 0},
		"message received":   {unix.SYS_RECVMSG, 3, text, 0},
		"of another process": {unix.SYS_PIDFD_GETFD, 3, 3, 0},
		"another process":    {unix.SYS_PIDFD_OPEN, here, 0},
		"memory file":        {unix.SYS_MEMFD_CREATE, text, 0},
		"copy":               {unix.SYS_DUP, 1},
		"copy to a number":   {unix.SYS_DUP3, 1, 60, 0},
		"copy by control":    {unix.SYS_FCNTL, 1, unix.F_DUPFD, 10},
		"pipe":               {unix.SYS_PIPE2, text, 0},
		"event":              {unix.SYS_EVENTFD2, 0, 0},
		"timer":              {unix.SYS_TIMERFD_CREATE, 1, 0},
		"signals":            {unix.SYS_SIGNALFD4, failed, text, 8, 0},
		"events":             {unix.SYS_EPOLL_CREATE1, 0},
		"faults":             {unix.SYS_USERFAULTFD, 0},
		"performance":        {unix.SYS_PERF_EVENT_OPEN, text, 0, failed, failed, 0},
		"programs of kernel": {unix.SYS_BPF, 0, text, 64},
		"another filter":     {unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, text},
		"control of device":  {unix.SYS_IOCTL, 1, unix.TIOCSTI, text},
		"what was open":      {unix.SYS_WRITE, 7, text, 1},
		"moved data":         {unix.SYS_SENDFILE, 1, 3, 0, 64},
	} {
		ways = append(ways, attempt{"descriptors", name, s.denied(args[0], args[1:]...)})
	}
	return ways
}
