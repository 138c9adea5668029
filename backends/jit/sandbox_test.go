//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var escapeNames = append([]string{"syscall", "pthread_create", "pthread_join", "free"}, cNames...)

// escape is a child with the program of escape.ll, and an argument of a string.
func escape(t *testing.T, o ChildOptions) (*Child, *Module) {
	t.Helper()
	c := start(t, o)
	if _, err := os.Stat("/proc/sys/kernel/seccomp/actions_avail"); err != nil {
		t.Skip("this test needs a kernel with seccomp")
	}
	if !c.Info().Sandbox.Filter {
		t.Fatalf("the sandbox is open: %v", c.Info().Sandbox)
	}
	m, err := c.Compile(t.Context(), read(t, "escape.ll"), Options{Level: O1, Externs: escapeNames})
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// text puts a string where native code finds it.
func text(t *testing.T, c *Child, s string) uint64 {
	t.Helper()
	b, err := c.Alloc(t.Context(), len(s)+1)
	if err != nil {
		t.Fatal(err)
	}
	copy(b.Bytes(), s)
	return b.Addr()
}

// systemCall is a system call that a program may not make.
type systemCall struct {
	name   string
	number uint64
	args   []uint64
}

// path stands for the address of a file's name.
const path = 1 << 62

// Every way out ends the program with a message that names it.
func TestNoWayOut(t *testing.T) {
	library(t)
	here := uint64(os.Getpid())
	atCwd := uint64(math.MaxUint64 - 99) // AT_FDCWD
	file := t.TempDir() + "/secret"
	if err := os.WriteFile(file, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, try := range append([]systemCall{
		{"openat", unix.SYS_OPENAT, []uint64{atCwd, path, 0}},
		{"openat2", unix.SYS_OPENAT2, []uint64{atCwd, path, 0, 24}},
		{"socket", unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM}},
		{"socketpair", unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_STREAM}},
		{"connect", unix.SYS_CONNECT, []uint64{3}},
		{"execve", unix.SYS_EXECVE, []uint64{path}},
		{"execveat", unix.SYS_EXECVEAT, []uint64{3, path, 0, 0, unix.AT_EMPTY_PATH}},
		{"clone", unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}}, // fork
		{"clone", unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_VFORK | uint64(unix.SIGCHLD)}},
		{"clone", unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_NEWUSER}},
		{"unshare", unix.SYS_UNSHARE, []uint64{unix.CLONE_NEWUSER}},
		{"ptrace", unix.SYS_PTRACE, []uint64{unix.PTRACE_ATTACH, here}},
		{"process_vm_readv", unix.SYS_PROCESS_VM_READV, []uint64{here}},
		{"process_vm_writev", unix.SYS_PROCESS_VM_WRITEV, []uint64{here}},
		{"pidfd_open", unix.SYS_PIDFD_OPEN, []uint64{here}},
		{"kill", unix.SYS_KILL, []uint64{here, 9}},
		{"kill", unix.SYS_KILL, []uint64{math.MaxUint64, 9}},
		{"tgkill", unix.SYS_TGKILL, []uint64{here, here, 9}},
		{"tkill", unix.SYS_TKILL, []uint64{here, 9}},
		{"io_uring_setup", unix.SYS_IO_URING_SETUP, []uint64{1}},
		{"memfd_create", unix.SYS_MEMFD_CREATE, []uint64{path}},
		{"shmat", unix.SYS_SHMAT, []uint64{0}},
		{"shmget", unix.SYS_SHMGET, []uint64{0, 4096, 0o1600}},
		{"unlinkat", unix.SYS_UNLINKAT, []uint64{atCwd, path}},
		{"mount", unix.SYS_MOUNT, []uint64{path, path}},
		{"prlimit64", unix.SYS_PRLIMIT64, []uint64{0, unix.RLIMIT_DATA, path}},
		{"seccomp", unix.SYS_SECCOMP, []uint64{unix.SECCOMP_SET_MODE_FILTER}},
		{"bpf", unix.SYS_BPF, nil},
		{"setrlimit", unix.SYS_SETRLIMIT, []uint64{unix.RLIMIT_NOFILE, path}},
		{"userfaultfd", unix.SYS_USERFAULTFD, nil},
		{"perf_event_open", unix.SYS_PERF_EVENT_OPEN, nil},
		{"keyctl", unix.SYS_KEYCTL, nil},
		{"setns", unix.SYS_SETNS, []uint64{3}},
		{"chroot", unix.SYS_CHROOT, []uint64{path}},
		{"setsid", unix.SYS_SETSID, nil},
		{"setuid", unix.SYS_SETUID, nil},
		{"dup", unix.SYS_DUP, []uint64{0}},
		{"pipe2", unix.SYS_PIPE2, []uint64{path}},
		{"sendmsg", unix.SYS_SENDMSG, []uint64{fdReply}},
		{"pidfd_getfd", unix.SYS_PIDFD_GETFD, []uint64{3, 3}},
		{"ftruncate", unix.SYS_FTRUNCATE, []uint64{fdPrints, 0}},
		{"number 424242", 424242, nil},
	}, oldWays...) {
		for _, entry := range []string{"call", "on_thread"} {
			if entry == "on_thread" && !slices.Contains([]string{"openat", "socket", "clone", "execve", "kill", "ptrace", "mount"}, try.name) {
				continue // the filter is one of all threads, which TestChildInheritsNothing looks at
			}
			t.Run(try.name+"/"+entry, func(t *testing.T) {
				t.Parallel()
				c, m := escape(t, ChildOptions{})
				args := append([]uint64{try.number}, try.args...)
				for i, a := range args {
					if a == path {
						args[i] = text(t, c, file)
					}
				}
				r, err := m.Call(within(t), entry, append(args, make([]uint64, 7-len(args))...), 1)
				var f *Fault
				if !errors.As(err, &f) || f.Signal != syscall.SIGSYS || !strings.Contains(f.Detail, "system call "+try.name+":") {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
	}
	t.Cleanup(func() { // when all have run
		if data, err := os.ReadFile(file); err != nil || string(data) != "secret" {
			t.Errorf("the file: %q, %v", data, err)
		}
	})
}

// A handler of its own for SIGSYS lets a program go on, and gets it nothing.
func TestHandlerOfItsOwn(t *testing.T) {
	library(t)
	c := start(t, ChildOptions{})
	m, err := c.Compile(t.Context(), `declare ptr @signal(i32, ptr)
declare i64 @syscall(i64, ...)
define void @handler(i32 %s) {
  ret void
}
define i32 @f(ptr %a, ptr %r) {
  %p = load ptr, ptr %a
  %n = getelementptr i64, ptr %a, i64 1
  %openat = load i64, ptr %n
  %old = call ptr @signal(i32 31, ptr @handler)
  %fd = call i64 (i64, ...) @syscall(i64 %openat, i64 -100, ptr %p, i64 577, i64 438) ; create and truncate
  store i64 %fd, ptr %r
  ret i32 0
}`, Options{Externs: []string{"signal", "syscall"}})
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/secret"
	if err := os.WriteFile(file, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir("/proc/" + strconv.Itoa(c.cmd.Process.Pid) + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := m.Call(within(t), "f", []uint64{text(t, c, file), unix.SYS_OPENAT}, 1); err != nil || r.Status != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	after, err := os.ReadDir("/proc/" + strconv.Itoa(c.cmd.Process.Pid) + "/fd")
	if err != nil || len(after) != len(before) {
		t.Errorf("%d descriptors, %d before, %v", len(after), len(before), err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "secret" {
		t.Errorf("the file: %q, %v", data, err)
	}
}

// The parent takes what native code shares with it for data: a reply that is made up,
// a control page and a log full of nonsense end in a diagnostic.
func TestForgery(t *testing.T) {
	library(t)
	t.Parallel() // one of them is waited for
	for name, body := range map[string]string{
		"reply":       "  %x = call i64 (i64, ...) @syscall(i64 WRITE, i64 4, ptr @forged, i64 16)\n  ret i32 0",
		"long reply":  "  %x = call i64 (i64, ...) @syscall(i64 WRITE, i64 4, ptr @endless, i64 5)\n  ret i32 0",
		"end":         "  %x = call i64 (i64, ...) @syscall(i64 CLOSE, i64 4)\n  ret i32 0",
		"page":        "  call void @spoil(i64 5, i64 65536)\n  call void @llvm.trap()\n  unreachable",
		"page, alive": "  call void @spoil(i64 5, i64 65536)\n  ret i32 0",
		"log":         "  call void @spoil(i64 6, i64 4096)\n  call void @llvm.trap()\n  unreachable",
		"log, alive":  "  call void @spoil(i64 6, i64 4096)\n  ret i32 0",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ir := `declare i64 @syscall(i64, ...)
declare void @llvm.trap()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@forged = constant [16 x i8] c"\0F\FF\82\02\01\05reply\01\FF\82\00\00"
@endless = constant [5 x i8] c"\FC\7F\FF\FF\FF"
define void @spoil(i64 %fd, i64 %size) {
  %at = call i64 (i64, ...) @syscall(i64 MMAP, i64 0, i64 %size, i64 3, i64 1, i64 %fd, i64 0)
  %p = inttoptr i64 %at to ptr
  call void @llvm.memset.p0.i64(ptr %p, i8 255, i64 %size, i1 false)
  ret void
}
define i32 @f(ptr %a, ptr %r) {
` + body + "\n}\n"
			for call, number := range map[string]int{"WRITE": unix.SYS_WRITE, "CLOSE": unix.SYS_CLOSE, "MMAP": unix.SYS_MMAP} {
				ir = strings.ReplaceAll(ir, "i64 "+call+",", "i64 "+strconv.Itoa(number)+",")
			}
			c := start(t, ChildOptions{})
			m, err := c.Compile(t.Context(), ir, Options{Level: O1, Externs: []string{"syscall"}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			r, err := m.Call(ctx, "f", nil, 1)
			if err == nil && len(r.Results) != 1 {
				t.Errorf("a result without its slots: %+v", r)
			}
			if strings.HasSuffix(name, "alive") != (err == nil) {
				t.Errorf("%+v, %v", r, err)
			}
			if name == "reply" && !strings.Contains(err.Error(), "what is no reply") {
				t.Error(err)
			}
		})
	}
}

// These fail, and the program goes on: libraries try them, too.
func TestQuietRefusals(t *testing.T) {
	library(t)
	_, m := escape(t, ChildOptions{})
	const rwx = unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC
	for _, try := range []struct {
		systemCall
		want unix.Errno // 0: it is no escape, and works
	}{
		{systemCall{"clone3", unix.SYS_CLONE3, []uint64{0, 64}}, unix.ENOSYS},
		{systemCall{"take NO_NEW_PRIVS back", unix.SYS_PRCTL, []uint64{unix.PR_SET_NO_NEW_PRIVS, 0}}, unix.EPERM},
		{systemCall{"outlive the parent", unix.SYS_PRCTL, []uint64{unix.PR_SET_PDEATHSIG, 0}}, unix.EPERM},
		{systemCall{"descriptor of a program", unix.SYS_FCNTL, []uint64{1, unix.F_DUPFD, 10}}, unix.EPERM},
		{systemCall{"shared memory without end", unix.SYS_MMAP, []uint64{0, 4096, rwx, unix.MAP_SHARED | unix.MAP_ANONYMOUS, math.MaxUint64}}, unix.EPERM},
		{systemCall{"memory like a stack", unix.SYS_MMAP, []uint64{0, 4096, rwx, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_GROWSDOWN, math.MaxUint64}}, unix.EPERM},
		{systemCall{"an inherited descriptor", unix.SYS_WRITE, []uint64{fdPrints + 1, 0, 0}}, unix.EBADF},
		{systemCall{"standard input", unix.SYS_READ, []uint64{0, 0, 0}}, 0},
		{systemCall{"its own number", unix.SYS_GETPID, nil}, 0},
		{systemCall{"its limits", unix.SYS_PRLIMIT64, []uint64{0, unix.RLIMIT_DATA, 0, 0}}, 0},
		{systemCall{"memory to run", unix.SYS_MMAP, []uint64{0, 4096, rwx, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS, math.MaxUint64}}, 0},
	} {
		r, err := m.Call(within(t), "call", append(append([]uint64{try.number}, try.args...), make([]uint64, 6-len(try.args))...), 1)
		if err != nil || (int64(r.Results[0]) == -1) != (try.want != 0) {
			t.Errorf("%s: %+v, %v", try.name, r, err)
		}
	}
	// libc says errno in a place of its own; the number of a refusal is the filter's.
	r, err := m.Call(within(t), "on_thread", make([]uint64, 7), 1) // read(0, ...)
	if err != nil || r.Status != 0 {
		t.Errorf("a thread: %+v, %v", r, err)
	}
}

// What a program may do it can do, also on threads, and its output is seen.
func TestOrdinaryInSandbox(t *testing.T) {
	library(t)
	var out bytes.Buffer
	_, m := escape(t, ChildOptions{Stdout: &out})
	r, err := m.Call(within(t), "ordinary", nil, 1)
	if err != nil || r.Status != 0 || math.Float64frombits(r.Results[0]) != math.E || out.String() != "e  is 2.71828" {
		t.Errorf("%+v, %v, output %q", r, err, out.String())
	}
}

// What Go does now and then in a process that lives long is allowed, too.
func TestLongLife(t *testing.T) {
	t.Parallel() // it sleeps
	library(t)
	c := start(t, ChildOptions{})
	m, err := c.Compile(t.Context(), `declare i32 @usleep(i32)
define i32 @f(ptr %a, ptr %r) {
  %x = call i32 @usleep(i32 2500000)
  ret i32 0
}`, Options{Externs: cNames})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, err := m.Call(within(t), "f", nil, 0); err != nil || r.Status != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// The thread that a child is started from is held in as the child is (Landlock). It is
// not the main thread, which would never end, and as which all are seen from outside.
func TestMainThreadStaysFree(t *testing.T) {
	library(t)
	for range 12 {
		start(t, ChildOptions{}).Close()
	}
	status, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(os.Getpid()) + "/status")
	if err != nil || !bytes.Contains(status, []byte("NoNewPrivs:\t0")) {
		t.Errorf("%v\n%s", err, status)
	}
}

// The child has its own descriptors, a bare environment, and no way to get more
// rights, whatever irc was started with.
func TestChildInheritsNothing(t *testing.T) {
	library(t)
	t.Setenv("IRC_TEST_SECRET", "password")
	secret, err := os.CreateTemp(t.TempDir(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	high, err := unix.Dup(int(secret.Fd())) // inherited by programs that it starts
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(high)
	c, _ := escape(t, ChildOptions{})
	proc := "/proc/" + strconv.Itoa(c.cmd.Process.Pid)
	env, err := os.ReadFile(proc + "/environ")
	if err != nil || bytes.Contains(env, []byte("password")) || bytes.Contains(env, []byte("HOME=")) {
		t.Errorf("environment %q, %v", env, err)
	}
	list, err := os.ReadDir(proc + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		to, err := os.Readlink(proc + "/fd/" + e.Name())
		if err != nil || strings.HasPrefix(to, "/") && to != "/dev/null" && !strings.HasPrefix(to, "/memfd:irc-jit-") {
			t.Errorf("descriptor %s is %s, %v", e.Name(), to, err)
		}
	}
	status, err := os.ReadFile(proc + "/status")
	if err != nil || !bytes.Contains(status, []byte("NoNewPrivs:\t1")) || !bytes.Contains(status, []byte("Seccomp:\t2")) {
		t.Errorf("%s, %v", status, err)
	}
	tasks, err := os.ReadDir(proc + "/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tasks {
		status, err := os.ReadFile(proc + "/task/" + e.Name() + "/status")
		if err == nil && !bytes.Contains(status, []byte("Seccomp:\t2")) {
			t.Errorf("thread %s has no filter", e.Name())
		}
	}
}

// A name that was not asked for is found nowhere, under any spelling.
func TestNamesOfTheProcess(t *testing.T) {
	c := start(t, ChildOptions{})
	for _, name := range []string{"system", "\"system\"", "__libc_system", "dlsym", "dlopen", "execve", "syscall", "environ", "_ZNSt6localeC1Ev",
		"\"\\01system\"", "LLVMInitializeX86Target", "_exit"} {
		for _, ir := range []string{"declare i32 @NAME(ptr)\ndefine i32 @f(ptr %a, ptr %r) {\n  %x = call i32 @NAME(ptr %a)\n  ret i32 %x\n}\n",
			"@NAME = external global i64\ndefine i32 @f(ptr %a, ptr %r) {\n  %x = load i32, ptr @NAME\n  ret i32 %x\n}\n",
			"declare extern_weak i32 @NAME(ptr)\ndefine i32 @f(ptr %a, ptr %r) {\n  %x = call i32 @NAME(ptr %a)\n  ret i32 %x\n}\n"} {
			_, err := c.Compile(within(t), strings.ReplaceAll(ir, "NAME", name), Options{Externs: cNames})
			var e *CompileError
			if !errors.As(err, &e) || !strings.Contains(e.Message, "may use") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A library is loaded before the sandbox closes, and its functions are called by name.
func TestLink(t *testing.T) {
	library(t)
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("this test needs cc")
	}
	lib := t.TempDir() + "/libtwice.so"
	cmd := exec.Command(cc, "-shared", "-fPIC", "-x", "c", "-o", lib, "-")
	cmd.Stdin = strings.NewReader("int twice(int x) { return 2 * x; }")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c := start(t, ChildOptions{Link: []string{lib}})
	ir := "declare i32 @twice(i32)\ndefine i32 @f(ptr %a, ptr %r) {\n  %x = call i32 @twice(i32 21)\n  ret i32 %x\n}\n"
	m, err := c.Compile(within(t), ir, Options{Externs: []string{"twice"}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := m.Call(within(t), "f", nil, 0); err != nil || r.Status != 42 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Start(within(t), ChildOptions{Link: []string{lib + ".not"}}); err == nil || !strings.Contains(err.Error(), "-link") {
		t.Errorf("a library that is not there: %v", err)
	}
}
