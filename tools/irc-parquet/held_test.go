//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/tools/irc/product"
)

// A process that reads a file is in the sandbox while it does: it has a filter, no more rights, nothing of the environment, the
// file, its output, and a group of its own where one can be made.
func TestHeldIn(t *testing.T) {
	dir := t.TempDir()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, filepath.Join(dir, "irc-parquet")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("IRC_PARQUET_SECRET", "password")
	bomb := filepath.Join(home, "testdata/bomb.parquet")
	t.Chdir(dir)
	text := strings.ReplaceAll(strings.ReplaceAll(program, `"x"`, `"a"`), "x: f64, s: !loop.string, price: i64", "a: f64")
	if err := os.WriteFile("p.mlir", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	go func() {
		var out bytes.Buffer
		product.All().Main([]string{"run", "-engine=eval", "-timeout=700ms", "p.mlir", "-args=" + bomb}, nil, &out, &out)
		done <- out.String()
	}()
	proc := ""
	for proc == "" {
		select {
		case out := <-done:
			t.Fatalf("it was not seen: %s", out)
		case <-time.After(5 * time.Millisecond):
		}
		if status, err := os.ReadFile(child(t) + "/status"); err == nil && bytes.Contains(status, []byte("Seccomp:\t2")) {
			proc = child(t)
		}
	}
	status, err := os.ReadFile(proc + "/status")
	if err != nil || !bytes.Contains(status, []byte("NoNewPrivs:\t1")) {
		t.Errorf("%s %v", status, err)
	}
	environ, err := os.ReadFile(proc + "/environ")
	if err != nil || bytes.Contains(environ, []byte("password")) || bytes.Contains(environ, []byte("PATH=")) {
		t.Errorf("environment %q, %v", environ, err)
	}
	list, err := os.ReadDir(proc + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		to, err := os.Readlink(proc + "/fd/" + e.Name())
		if err == nil && strings.HasPrefix(to, "/") && to != "/dev/null" && to != bomb {
			t.Errorf("descriptor %s is %s", e.Name(), to)
		}
	}
	t.Log(<-done)
}

// child is the folder in /proc of the irc-parquet that this process started; "" if there is none.
func child(t *testing.T) string {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range lists {
		text, _ := os.ReadFile(file)
		for _, pid := range strings.Fields(string(text)) {
			if _, err := strconv.Atoi(pid); err == nil {
				return "/proc/" + pid
			}
		}
	}
	return ""
}
