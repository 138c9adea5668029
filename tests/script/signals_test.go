package script

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/jit"
)

// forever prints a line and does not end.
const forever = `func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9000000000000000000 : index
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  special.print %one : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (i64) {
    %y = arith.muli %x, %three : i64
    %z = arith.shrui %x, %one : i64
    %w = arith.xori %y, %z : i64
    scf.yield %w : i64
  }
  return %r : i64
}
`

// A long command is a run that does not end by itself.
type longCommand struct {
	name     string
	args     []string
	stdin    string // what it gets; more never comes
	children int    // least number of processes that it starts
	unnamed  bool   // it has begun a file that has no name yet
	ready    string // the file that says so; "" if it is a line of output, or all of stdin was read
}

var longCommands = []longCommand{
	{name: "eval", args: []string{"run", "-engine=eval", "forever.mlir"}},
	{name: "llvm", args: []string{"run", "-engine=llvm", "forever.mlir"}, children: 1},
	{name: "stdin", args: []string{"-", "-o", "result"}, stdin: strings.Repeat("// a comment\n", 20000)},
	{name: "density", args: []string{"logdensity", "rats.bug", "-data", "rats-data.json", "-inits", "rats-inits.json", "-engine=eval",
		"-json", "-points=-", "-o", "result"}, stdin: strings.Repeat("{}\n", 4000), unnamed: true},
	{name: "density-llvm", args: []string{"logdensity", "rats.bug", "-data", "rats-data.json", "-inits", "rats-inits.json", "-engine=llvm",
		"-points=-"}, stdin: "{}\n", children: 1},
	{name: "reduce", args: []string{"reduce", "-threads=2", "forever.mlir", "-o", "result",
		"-check=touch $OLDPWD/ready; cp {} $TMPDIR/copy; sleep 98 | cat & sleep 99"}, children: 3, ready: "ready"},
	{name: "reduce-timeout", args: []string{"reduce", "forever.mlir", "-o", "result", "-check=touch $OLDPWD/ready; timeout 97 sleep 99 # {}"}, children: 3, ready: "ready"},
	{name: "reduce-midway", args: []string{"reduce", "forever.mlir", "-o", "result", "-check=test -e $OLDPWD/first && touch $OLDPWD/ready; touch $OLDPWD/first; sleep 0.2; false {}"}, ready: "ready"},
}

// A run that is asked to end says so in its status, and leaves nothing behind.
func TestSignals(t *testing.T) {
	for _, c := range longCommands {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
			if sig != syscall.SIGTERM && c.name != "llvm" && c.name != "reduce" && c.name != "density" {
				continue
			}
			t.Run(c.name+"/"+sig.String(), func(t *testing.T) {
				t.Parallel()
				if signal.Ignored(sig) { // as under nohup, which irc inherits
					t.Skip("a signal that is ignored ends nothing")
				}
				r := c.start(t)
				if err := r.cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				r.cmd.Wait()
				if got, want := r.cmd.ProcessState.ExitCode(), 128+int(sig); got != want {
					t.Errorf("status %d, want %d: %s", got, want, &r.stderr)
				}
				if !strings.HasSuffix(r.stderr.String(), "irc: ended by SIG"+map[syscall.Signal]string{1: "HUP", 2: "INT", 3: "QUIT", 15: "TERM"}[sig]+"\n") {
					t.Errorf("it says %q", &r.stderr)
				}
				r.gone(t)
			})
		}
	}
}

// What a killed irc had started ends too.
func TestKilled(t *testing.T) {
	t.Cleanup(func() { // whoever makes the next control group removes those of the killed
		if c, err := jit.Start(context.Background(), jit.ChildOptions{}); err == nil {
			c.Close()
		}
	})
	for _, c := range longCommands {
		if c.children == 0 && !c.unnamed || c.name == "reduce-timeout" { // what timeout(1) starts it ends itself
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := c.start(t)
			if err := r.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			r.cmd.Wait()
			r.ended(t)
			if c.unnamed && len(r.files(t)) > len(r.before) {
				t.Errorf("it leaves %v", r.files(t))
			}
		})
	}
}

// longRun is a command that runs, and the processes that it has started.
type longRun struct {
	cmd    *exec.Cmd
	dir    string
	before []string // files
	stderr bytes.Buffer
	tree   []int
}

func (c longCommand) start(t *testing.T) *longRun {
	t.Helper()
	if slices.Contains(c.args, "-engine=llvm") && !jit.Doctor().Found {
		t.Skip("this test needs libLLVM")
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this test needs /proc")
	}
	r := &longRun{dir: t.TempDir()}
	r.write(t, "forever.mlir", forever)
	for _, name := range []string{"rats.bug", "rats-data.json", "rats-inits.json"} {
		data, err := os.ReadFile(filepath.Join("../../examples/bugs", name))
		if err != nil {
			t.Fatal(err)
		}
		r.write(t, name, string(data))
	}
	r.write(t, "result", "old")
	tmp := filepath.Join(r.dir, "tmp")
	if err := os.Mkdir(tmp, 0o777); err != nil {
		t.Fatal(err)
	}
	r.before = r.files(t)
	r.cmd = exec.Command("irc", c.args...)
	r.cmd.Dir, r.cmd.Env = r.dir, append(os.Environ(), "TMPDIR="+tmp, "OLDPWD="+r.dir)
	r.cmd.Stderr = &r.stderr
	in, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill(); r.cmd.Wait() })
	read := make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, c.stdin)
		read <- err
	}()
	switch {
	case c.children == 0 && c.stdin != "":
		if err := <-read; err != nil {
			t.Fatal(err)
		}
	case c.ready == "":
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("%q, %v: %s", line, err, &r.stderr)
		}
	}
	r.await(t, "it is ready", func() bool {
		r.tree = descendants(r.cmd.Process.Pid)
		files := r.files(t)
		return len(r.tree) >= c.children && (!c.unnamed || len(files) > len(r.before) || nameless(r.cmd.Process.Pid)) &&
			(c.ready == "" || slices.Contains(files, c.ready))
	})
	return r
}

// nameless reports that a process writes a file that has no name.
func nameless(pid int) bool {
	list, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, fd := range list {
		if to, err := os.Readlink(fd); err == nil && strings.Contains(to, "/#") {
			return true
		}
	}
	return false
}

func (r *longRun) write(t *testing.T, name, text string) {
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// files are those of the run's folder and of what is in it.
func (r *longRun) files(t *testing.T) (out []string) {
	err := filepath.WalkDir(r.dir, func(path string, _ os.DirEntry, err error) error {
		name, _ := filepath.Rel(r.dir, path)
		out = append(out, name)
		if os.IsNotExist(err) { // it goes while we look
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (r *longRun) await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("a minute has passed, and not yet: %s; files %v, processes %v, says %q", what, r.files(t), r.tree, &r.stderr)
		}
	}
}

// gone checks that nothing is left of a run.
func (r *longRun) gone(t *testing.T) {
	t.Helper()
	files := slices.DeleteFunc(r.files(t), func(f string) bool { return f == "ready" || f == "first" })
	if !slices.Equal(files, r.before) {
		t.Errorf("files %v, before %v", files, r.before)
	}
	if data, err := os.ReadFile(filepath.Join(r.dir, "result")); err != nil || string(data) != "old" {
		t.Errorf("the result of before: %q, %v", data, err)
	}
	r.ended(t)
}

// ended waits for the processes that were there to end: the system takes a moment.
func (r *longRun) ended(t *testing.T) {
	t.Helper()
	r.await(t, "all processes have ended", func() bool {
		return !slices.ContainsFunc(r.tree, func(pid int) bool { _, state, ok := process(pid); return ok && state != "Z" })
	})
}

// descendants are the processes that a process has started, and those that they have.
func descendants(of int) (out []int) {
	parents := map[int]int{}
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			parents[pid], _, _ = process(pid)
		}
	}
	for pid := range parents {
		for p := parents[pid]; p > 1; p = parents[p] {
			if p == of {
				out = append(out, pid)
				break
			}
		}
	}
	return out
}

// process is the parent and the state of a process, if it is there.
func process(pid int) (parent int, state string, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if err != nil || len(fields) < 2 {
		return 0, "", false
	}
	parent, _ = strconv.Atoi(fields[1])
	return parent, fields[0], true
}
