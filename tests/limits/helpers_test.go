//go:build linux

package limits

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/jit"
)

// tables is a program that takes a table, for which irc asks irc-parquet.
const tables = `!s = !loop.struct<a: f64>
func.func @main(%t: !loop.array<!s>) -> f64 {
  %n = loop.len %t : !loop.array<!s>
  %x = loop.for %i < %n -> reduce(add : f64) {
    %r = loop.at %t[%i] : !loop.array<!s>
    %q = loop.field %r["a"] : !s
    loop.yield %q : f64
  }
  return %x : f64
}
`

// childOf waits for the process that a process starts.
func childOf(t *testing.T, parent int) int {
	t.Helper()
	for range 200 {
		time.Sleep(20 * time.Millisecond)
		list, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
		for _, file := range list {
			text, _ := os.ReadFile(file)
			if pid, err := strconv.Atoi(strings.Fields(string(text) + " none")[0]); err == nil {
				return pid
			}
		}
	}
	t.Fatal("it starts no process")
	return 0
}

// gone wants a process to end.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d runs on", pid)
}

// sweep has the control groups removed of an irc that was killed: whoever makes the next one does that.
func sweep(t *testing.T) {
	if c, err := jit.Start(t.Context(), jit.ChildOptions{}); err == nil {
		c.Close()
	}
}

// helperWays have an irc-parquet that means harm: it does not close itself in, so that what is tried is how irc holds it.
func helperWays(t *testing.T) []attempt {
	helper := func(script string, f func(t *testing.T, dir string, cmd []string)) func(t *testing.T) {
		return func(t *testing.T) {
			dir := folder(t, map[string]string{"p.mlir": tables, "t.parquet": "PAR1", "irc-parquet": "#!/bin/sh\n" + script + "\n"})
			f(t, dir, []string{"run", "-engine=eval", "-args=t.parquet", "p.mlir"})
		}
	}
	path := func(dir string) []string { return []string{"PATH=" + dir + ":/usr/bin:/bin", "SECRET=password"} }
	says := func(want string, flags ...string) func(t *testing.T, dir string, args []string) {
		return func(t *testing.T, dir string, args []string) {
			r := ircIn(t, dir, path(dir), append(args, flags...)...)
			if r.status != 1 || !strings.Contains(r.out, want) || strings.Contains(r.out, "password") || r.wall > 10*time.Second {
				t.Errorf("status %d after %v, want %q\n%s", r.status, r.wall, want, r.out)
			}
			if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
				t.Error("it has made a file")
			}
		}
	}
	killed := func(t *testing.T, dir string, args []string) {
		cmd := command(t, dir, path(dir), args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid := childOf(t, cmd.Process.Pid)
		cmd.Process.Kill()
		cmd.Wait() // it was killed
		gone(t, pid)
		sweep(t)
	}
	message := `echo '{"rows":0,"bytes":null,"message":"'"$(%s)"'"}'`
	return []attempt{
		{"helper processes", "that hangs", helper("exec sleep 99", says("gave up after 300ms", "-timeout=300ms"))},
		{"helper processes", "that is deaf", helper("trap '' TERM INT HUP; exec sleep 99", says("gave up after 300ms", "-timeout=300ms"))},
		{"helper processes", "with a line without end", helper("exec cat /dev/zero", says("gave up: more memory", "-mem-limit=64M"))},
		{"helper processes", "with rows without end", helper(`echo '{"rows":9000000000000000000,"bytes":[9000000000000000000]}'`, says("rows came"))},
		{"helper processes", "with less than nothing", helper(`echo '{"rows":-1,"bytes":[-8]}'`, says("rows came"))},
		{"helper processes", "with other columns", helper(`echo '{"rows":1,"bytes":[8,8,8]}'`, says("3 columns came, and 1 are wanted"))},
		{"helper processes", "that ends early", helper(`echo '{"rows":1000,"bytes":[8000]}'`, says("ended too early"))},
		{"helper processes", "that says nothing", helper("exit 7", says("ended too early"))},
		{"helper processes", "with what is no JSON", helper("echo hello", says("error"))},
		{"helper processes", "that writes a file", helper("echo made >made; "+fmt.Sprintf(message, "echo tried"), says("tried"))},
		{"helper processes", "that removes a file", helper("rm -f p.mlir; "+fmt.Sprintf(message, "ls p.mlir"), says("p.mlir"))},
		{"helper processes", "that looks around", helper(fmt.Sprintf(message, "echo env $SECRET $HOME $IRC_LIMITS_CHILD end"), says("env end"))},
		{"helper processes", "that has my rights", helper(fmt.Sprintf(message, "grep -h NoNewPrivs /proc/self/status | tr '\\t' ' '"), says("NoNewPrivs: 1"))},
		{"helper processes", "that takes memory", helper(`x=0123456789012345; i=0; while [ $i -lt 26 ]; do x=$x$x; i=$((i+1)); done; sleep 1`, says("error", "-mem-limit=32M", "-timeout=20s"))},
		{"helper processes", "that outlives a kill", helper("exec sleep 99", killed)},
		{"helper processes", "a check that hangs", func(t *testing.T) {
			dir := folder(t, map[string]string{"p.mlir": busy})
			if r := ircIn(t, dir, nil, "reduce", "-timeout=300ms", "-check=sleep 98 & echo $! >"+dir+"/pid; wait; cat {}", "p.mlir"); r.status != 1 || r.wall > 10*time.Second {
				t.Errorf("%+v", r)
			}
			text, err := os.ReadFile(filepath.Join(dir, "pid"))
			if pid, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
				gone(t, pid)
			}
		}},
		{"helper processes", "a check that leaves something behind", func(t *testing.T) {
			dir := folder(t, map[string]string{"p.mlir": wide(1)})
			if r := ircIn(t, dir, nil, "reduce", "-timeout=20s", "-check=sleep 97 & echo $! >"+dir+"/pid; ! grep -q muli {}", "p.mlir"); r.status != 0 || r.wall > 10*time.Second {
				t.Errorf("%+v", r)
			}
			text, err := os.ReadFile(filepath.Join(dir, "pid"))
			pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil || bad != nil {
				t.Fatal(err, bad)
			}
			gone(t, pid)
		}},
		{"helper processes", "a check of others", refused(2, "`irc reduce` is refused with -untrusted", map[string]string{"p.mlir": busy}, "reduce", "-untrusted", "-check=false", "p.mlir")},
		{"helper processes", "the driver of a GPU for others", refused(2, "-engine=cuda is refused", map[string]string{"p.mlir": busy}, "run", "-untrusted", "-engine=cuda", "p.mlir")},
		{"helper processes", "as many checks as one likes", func(t *testing.T) {
			r := irc(t, map[string]string{"p.mlir": wide(3)}, "reduce", "-threads=100000", "-timeout=20s", "-check=! grep -q muli {}", "p.mlir")
			if r.status != 0 {
				t.Errorf("%+v", r)
			}
		}},
	}
}
