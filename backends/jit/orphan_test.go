//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A child that was killed, or stopped making sense, is a fault too.
func TestKilled(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "faults.ll")
	time.AfterFunc(100*time.Millisecond, func() { syscall.Kill(c.cmd.Process.Pid, syscall.SIGKILL) })
	_, err := m.Call(within(t), "forever", nil, 0)
	var f *Fault
	if !errors.As(err, &f) || f.Signal != syscall.SIGKILL || f.Err != nil {
		t.Errorf("%v", err)
	}
}

// The parent may die at any time; the child must not go on for ever.
func TestOrphan(t *testing.T) {
	library(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(within(t), exe)
	parent.Env = append(os.Environ(), orphanEnv+"=1")
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Fatalf("there is no child %d: %v", pid, err)
	}
	parent.Process.Kill()
	parent.Wait()                    // it was killed
	start(t, ChildOptions{}).Close() // it removes the control group of the other, which nobody else would
	for range 100 {
		if gone(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the child runs on without its parent")
}

// gone tells that a process has ended; it may wait for its new parent's wait.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// beParent starts a child that runs for ever, and tells its number.
func beParent() {
	ir, err := os.ReadFile("testdata/faults.ll")
	if err != nil {
		panic(err)
	}
	c, err := Start(context.Background(), ChildOptions{})
	if err != nil {
		panic(err)
	}
	m, err := c.Compile(context.Background(), string(ir), Options{Externs: cNames})
	if err != nil {
		panic(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { fmt.Println(c.cmd.Process.Pid) })
	m.Call(context.Background(), "forever", nil, 0) // the test kills this process
}

// An executable that is no irc must not be waited for forever.
func TestWrongExecutable(t *testing.T) {
	for exe, limit := range map[string]time.Duration{"/bin/true": 0, "/bin/cat": 300 * time.Millisecond, "/nonexistent": 0} {
		if _, err := os.Stat(exe); err != nil && exe != "/nonexistent" {
			t.Logf("needs %s", exe)
			continue
		}
		c, err := Start(within(t), ChildOptions{Executable: exe, StartLimit: limit})
		if err == nil {
			c.Close()
			t.Errorf("%s was taken for a child", exe)
		} else if !strings.Contains(err.Error(), "start") {
			t.Errorf("%s: %v", exe, err)
		}
	}
}

func TestMissingInChild(t *testing.T) {
	t.Setenv("IRC_LIBLLVM", "/nonexistent/libLLVM.so")
	_, err := Start(within(t), ChildOptions{})
	var e *MissingError
	if !errors.Is(err, ErrMissing) || !errors.As(err, &e) || !strings.Contains(e.Error(), "/nonexistent") {
		t.Errorf("%v", err)
	}
}
