// Package cudatest gives tests a libcuda of their own: a small one in C (folder
// fake), on a device that is a part of the host's memory and runs PTX one
// instruction after the other.
package cudatest

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

//go:embed fake
var sources embed.FS

// built is the library, made once for a test binary, in a folder that stays until
// the system clears its temporary files.
var built = sync.OnceValues(func() (string, error) {
	cc := ""
	for _, name := range []string{"clang-19", "gcc", "cc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			cc = path
			break
		}
	}
	if cc == "" {
		return "", errNoCompiler
	}
	dir, err := os.MkdirTemp("", "irc-libcuda")
	if err != nil {
		return "", err
	}
	files, err := sources.ReadDir("fake")
	if err != nil {
		return "", err
	}
	args := []string{"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-o", "libcuda.so"}
	for _, f := range files {
		data, err := sources.ReadFile("fake/" + f.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), data, 0o644); err != nil {
			return "", err
		}
		if strings.HasSuffix(f.Name(), ".c") {
			args = append(args, f.Name())
		}
	}
	cmd := exec.Command(cc, append(args, "-lm", "-lpthread")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "libcuda.so"), nil
})

var errNoCompiler = errors.New("no C compiler")

// Library returns the path of the fake libcuda, for tests of other processes.
func Library() (string, error) { return built() }

// A Driver is a fake driver that the environment points at.
type Driver struct {
	Path string
	t    testing.TB
	log  string
}

// Use makes the fake driver the one of child processes until the test ends. Each
// of settings is "NAME=value" for a variable IRC_FAKECUDA_NAME.
func Use(t testing.TB, settings ...string) *Driver {
	t.Helper()
	path, err := built()
	if errors.Is(err, errNoCompiler) {
		t.Skip("this test needs a C compiler: clang-19, gcc or cc")
	}
	if err != nil {
		t.Fatalf("the fake libcuda does not compile: %v", err)
	}
	d := &Driver{Path: path, t: t, log: filepath.Join(t.TempDir(), "calls")}
	t.Setenv("IRC_LIBCUDA", path)
	t.Setenv("IRC_FAKECUDA_LOG", d.log)
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		t.Setenv("IRC_FAKECUDA_"+name, value)
	}
	return d
}

// Calls are the lines of the driver's log so far.
func (d *Driver) Calls() []string {
	data, err := os.ReadFile(d.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// Count counts the calls that begin with a name.
func (d *Driver) Count(name string) (n int) {
	for _, line := range d.Calls() {
		if call, _, _ := strings.Cut(line, " "); call == name {
			n++
		}
	}
	return n
}

// Remove deletes the library, in TestMain after the tests.
func Remove() {
	if path, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
}
