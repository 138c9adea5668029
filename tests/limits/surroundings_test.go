//go:build linux

package limits

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/irc-lang/irc/backends/jit"
)

func environmentWays(t *testing.T) []attempt {
	t.Setenv("IRC_LIMITS_SECRET", "password")
	t.Setenv("LD_PRELOAD", "")
	s := newSite(t, jit.ChildOptions{})
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", s.child.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	absent := func(name string) func(t *testing.T) {
		return func(t *testing.T) {
			if bytes.Contains(environ, []byte(name)) {
				t.Errorf("%q", environ)
			}
		}
	}
	ways := []attempt{{"environment", "a secret", absent("password")}, {"environment", "home", absent("HOME=")}, {"environment", "preloaded library", absent("LD_PRELOAD")},
		{"environment", "path", absent("PATH=/")}, {"environment", "how the child is asked", absent("IRC_JIT_CHILD=1\x00IRC_JIT_CHILD")}}
	for name, args := range map[string][]uint64{
		"name of the machine":    {unix.SYS_UNAME, text},
		"name changed":           {unix.SYS_SETHOSTNAME, 0, failed},
		"folder":                 {unix.SYS_GETCWD, text, 64},
		"user":                   {unix.SYS_GETUID},
		"another user":           {unix.SYS_SETUID, 0},
		"processors":             {unix.SYS_SCHED_SETAFFINITY, 0, 8, text},
		"priority":               {unix.SYS_SETPRIORITY, 0, 0, 0},
		"what others run":        {unix.SYS_KILL, uint64(os.Getpid()), 0},
		"memory of irc":          {unix.SYS_PROCESS_VM_READV, uint64(os.Getpid()), text, 1, text, 1, 0},
		"tracing":                {unix.SYS_PTRACE, unix.PTRACE_ATTACH, uint64(os.Getpid())},
		"clock":                  {unix.SYS_CLOCK_SETTIME, 0, 0},
		"personality":            {unix.SYS_PERSONALITY, 0x0400000},
		"the death of the irc":   {unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 0},
		"keys":                   {unix.SYS_KEYCTL, 0, 0},
		"namespace":              {unix.SYS_SETNS, 3, 0},
		"log of the kernel":      {unix.SYS_SYSLOG, 3, text, 64},
		"capabilities":           {unix.SYS_CAPSET, text, text},
		"restart of the machine": {unix.SYS_REBOOT, 0, 0, 0},
	} {
		ways = append(ways, attempt{"environment", name, s.denied(args[0], args[1:]...)})
	}
	flags := func(says string, env string, args ...string) func(t *testing.T) {
		return func(t *testing.T) {
			r := ircIn(t, folder(t, map[string]string{"p.mlir": parallel}), []string{env}, args...)
			if !strings.Contains(r.out, says) {
				t.Errorf("%v: status %d\n%s", args, r.status, r.out)
			}
		}
	}
	return append(ways,
		attempt{"environment", "untrusted taken back", flags("is not taken back", "IRC_UNTRUSTED=1", "run", "-untrusted=false", "p.mlir")},
		attempt{"environment", "untrusted with leave", flags("is refused with -untrusted", "IRC_UNTRUSTED=yes", "run", "-extern=system", "p.mlir")},
		attempt{"environment", "more processors", flags("results", "GOMAXPROCS=64", "run", "-engine=llvm", "p.mlir")},
		attempt{"environment", "a descriptor that is none", flags("results", "IRC_SUPERVISOR=1", "run", "-engine=llvm", "p.mlir")},
	)
}

// busy runs for ever.
const busy = `func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9000000000000000000 : index
  %one = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> i64 {
    %y = arith.muli %x, %x : i64
    %z = arith.addi %y, %one : i64
    scf.yield %z : i64
  }
  return %r : i64
}
`

func timeWays(t *testing.T) []attempt {
	const soon = 5 * time.Second
	over := func(says string, files map[string]string, args ...string) func(t *testing.T) {
		return func(t *testing.T) {
			r := irc(t, files, args...)
			if r.status != 1 || !strings.Contains(r.out, says) || r.wall > soon {
				t.Errorf("irc %s: status %d after %v, want %q\n%s", strings.Join(args, " "), r.status, r.wall, says, r.out)
			}
		}
	}
	extern := func(name, call string) map[string]string {
		return map[string]string{"p.mlir": "func.func private @" + name + "\nfunc.func @main() -> i64 {\n  %c = arith.constant 2000000000 : i32\n  %z = arith.constant 0 : i64\n  " + call + "\n  %b = func.call @busy() : () -> i64\n  return %b : i64\n}\n" + strings.Replace(busy, "@main", "@busy", 1)}
	}
	program := map[string]string{"p.mlir": busy, "q.mlir": strings.ReplaceAll(strings.Replace(parallel, "3000000", "9000000000000000000", 1), "f64 {", "f64 {")}
	const gaveUp = "gave up after 200ms"
	ways := []attempt{
		{"time", "interpreted", over(gaveUp, program, "run", "-engine=eval", "-timeout=200ms", "p.mlir")},
		{"time", "native", over(gaveUp, program, "run", "-engine=llvm", "-timeout=200ms", "p.mlir")},
		{"time", "on all cores", over(gaveUp, program, "run", "-engine=llvm", "-timeout=200ms", "q.mlir")},
		{"time", "fuel", over("fuel", program, "run", "-engine=eval", "-fuel=1000", "p.mlir")},
		{"time", "asleep", over(gaveUp, extern("usleep(i32) -> i32", "func.call @usleep(%c) : (i32) -> i32"), "run", "-engine=llvm", "-extern=usleep", "-timeout=200ms", "p.mlir")},
		{"time", "deaf to signals", over(gaveUp, extern("signal(i32, i64) -> i64", "%s = arith.constant 15 : i32\n  %o = arith.constant 1 : i64\n  func.call @signal(%s, %o) : (i32, i64) -> i64"), "run", "-engine=llvm", "-extern=signal", "-timeout=200ms", "p.mlir")},
		{"time", "sets", over(gaveUp, map[string]string{"s.txt": hardSets()}, "sets", "-timeout=200ms", "s.txt")},
		{"time", "sets by fuel", ends(soon, map[string]string{"s.txt": hardSets()}, "sets", "-fuel=1000", "s.txt")},
		{"time", "unasked for others", func(t *testing.T) {
			p := irc(t, program, "run", "-untrusted", "-v", "-engine=eval", "-fuel=100000", "p.mlir")
			if p.status != 1 {
				t.Errorf("%+v", p)
			}
		}},
		{"time", "longer for others", refused(2, "more than -untrusted allows", program, "run", "-untrusted", "-timeout=1000h", "p.mlir")},
		{"time", "none for others", refused(2, "more than -untrusted allows", program, "run", "-untrusted", "-timeout=0s", "p.mlir")},
		{"time", "a pass that takes long", over("gave up after 50ms", map[string]string{"p.mlir": wide(20000)}, "-passes=repeat(canonicalize,inline,canonicalize,inline)", "-emit=llvm", "-timeout=50ms", "p.mlir")},
		{"time", "LLVM that takes long", func(t *testing.T) {
			r := irc(t, map[string]string{"p.mlir": wide(30000)}, "-untrusted", "-emit=asm", "-timeout=300ms", "p.mlir")
			if r.wall > soon {
				t.Errorf("%v\n%s", r.wall, r.out)
			}
		}},
		{"time", "without end", func(t *testing.T) { // irc is killed, and what it started ends
			cmd := command(t, folder(t, program), nil, "run", "-engine=llvm", "p.mlir")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid := childOf(t, cmd.Process.Pid)
			cmd.Process.Kill()
			cmd.Wait() // it was killed
			gone(t, pid)
			sweep(t)
		}},
	}
	return ways
}

// hardSets is a line that takes minutes.
func hardSets() string {
	var b strings.Builder
	b.WriteString("A := [N] -> { [i0, i1, i2, i3, i4] : ")
	for i := range 60 {
		if i > 0 {
			b.WriteString(" or ")
		}
		fmt.Fprintf(&b, "(%d i0 + %d i1 - %d i2 >= N and %d i3 + %d i4 <= 7 N + i0 and i1 + %d i2 >= 3 i3)", 3*i+1, 5*i+2, 7*i+3, 2*i+1, 3*i+5, i+1)
	}
	b.WriteString(" }\nB := A - (A * A)\ncount(A)\ncoalesce(A - { [i0, i1, i2, i3, i4] : i0 > i1 })\n")
	return b.String()
}

// wide is a function of n operations.
func wide(n int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x0: i64) -> i64 {\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%y%d = arith.muli %%x%d, %%x%d : i64\n  %%x%d = arith.xori %%y%d, %%x0 : i64\n", i, i, i, i+1, i)
	}
	fmt.Fprintf(&b, "  return %%x%d : i64\n}\n", n)
	return b.String()
}

func outputWays(t *testing.T) []attempt {
	const limit = 1 << 20
	s := newSite(t, jit.ChildOptions{Output: limit, Prints: limit})
	b, err := s.child.Alloc(t.Context(), 2*limit)
	if err != nil {
		t.Fatal(err)
	}
	flood := func(fd, times uint64) func(t *testing.T) {
		return func(t *testing.T) {
			s := newSite(t, jit.ChildOptions{Output: limit, Prints: limit})
			b, err := s.child.Alloc(t.Context(), 2*limit)
			if err != nil {
				t.Fatal(err)
			}
			written := uint64(0)
			for range times {
				r, f := s.do(t, "call", unix.SYS_WRITE, fd, b.Addr(), limit)
				if f != nil || r[0] == failed {
					break
				}
				written += r[0]
			}
			if written > 8*limit {
				t.Errorf("%d MB are written", written>>20)
			}
		}
	}
	ways := []attempt{{"output", "standard output", flood(1, 1)}, {"output", "standard error", flood(2, 1)},
		{"output", "in one call", func(t *testing.T) {
			s := newSite(t, jit.ChildOptions{Output: limit})
			b, err := s.child.Alloc(t.Context(), 2*limit)
			if err != nil {
				t.Fatal(err)
			}
			if r, f := s.do(t, "call", unix.SYS_WRITE, 1, b.Addr(), 2*limit); f == nil && r[0] > limit && r[0] != failed {
				t.Errorf("%d bytes", r[0])
			}
		}},
		{"output", "the memory that is shared", flood(5, 64)}, {"output", "the prints", flood(6, 64)},
	}
	for name, args := range map[string][]uint64{
		"cut off":               {unix.SYS_FTRUNCATE, 5, 1 << 40},
		"allocated":             {unix.SYS_FALLOCATE, 5, 0, 0, 1 << 40},
		"at a place":            {unix.SYS_PWRITE64, 1, b.Addr(), 8, 1 << 40},
		"pieces at a place":     {unix.SYS_PWRITEV, 1, text, 1, 1 << 40, 0},
		"from a pipe":           {unix.SYS_SPLICE, 3, 0, 1, 0, 64, 0},
		"from memory to a pipe": {unix.SYS_VMSPLICE, 4, text, 1, 0},
		"copied":                {unix.SYS_COPY_FILE_RANGE, 5, 0, 1, 0, 64, 0},
		"written out":           {unix.SYS_SYNC},
	} {
		ways = append(ways, attempt{"output", name, s.denied(args[0], args[1:]...)})
	}
	return append(ways,
		attempt{"output", "prints of a loop", func(t *testing.T) {
			const p = "func.func @main() {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant 100000000000 : index\n  scf.for %i = %c0 to %n step %c1 {\n    vector.print %i : index\n  }\n  return\n}\n"
			cmd := command(t, folder(t, map[string]string{"p.mlir": p}), nil, "run", "-engine=llvm", "-timeout=300ms", "p.mlir")
			if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 { // to nobody
				t.Error(err)
			}
		}},
		attempt{"output", "to what is full", func(t *testing.T) {
			for _, args := range [][]string{{"doctor"}, {"version"}, {"passes"}, {"dialects"}, {"help"}, {"p.mlir"}, {"run", "-engine=eval", "-fuel=10", "-entry=f", "p.mlir"}} {
				full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
				if err != nil {
					t.Skip(err)
				}
				cmd := command(t, folder(t, map[string]string{"p.mlir": "func.func @f() {\n  return\n}\n"}), nil, args...)
				cmd.Stdout = full
				cmd.Run() // its status is looked at
				full.Close()
				if cmd.ProcessState.ExitCode() != 1 {
					t.Errorf("irc %s: status %d", strings.Join(args, " "), cmd.ProcessState.ExitCode())
				}
			}
		}},
	)
}
