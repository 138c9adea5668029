//go:build linux

// Package limits tries to exceed the limits of irc and to leave its sandbox, in a hundred ways. docs/security.md promises what
// they find. That the ways lead out where nothing is in them is seen by tests/breakages, whose rows limits-... take one defence
// of each kind away.
package limits

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/product"
)

// ircEnv makes this binary irc.
const ircEnv = "IRC_LIMITS_CHILD"

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	if os.Getenv(ircEnv) != "" {
		p := product.All()
		os.Exit(p.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// A attempt is one attempt.
type attempt struct {
	kind, name string
	try        func(t *testing.T)
}

// kinds are those of the ways, each with its list.
var kinds = map[string]func(t *testing.T) []attempt{
	"memory": memoryWays, "threads": threadWays, "files": fileWays, "descriptors": descriptorWays, "environment": environmentWays,
	"time": timeWays, "output": outputWays, "helper processes": helperWays, "option values": optionWays, "argument and target files": argumentWays,
}

// Each way ends in a refusal, a diagnostic or within its limit.
func TestWays(t *testing.T) {
	var all, asked atomic.Int32
	t.Cleanup(func() {
		if int(asked.Load()) == len(kinds) && all.Load() < 100 {
			t.Errorf("only %d ways", all.Load())
		}
	})
	for kind, list := range kinds {
		t.Run(strings.ReplaceAll(kind, " ", "-"), func(t *testing.T) {
			if kind != "environment" { // which changes that of this process
				t.Parallel() // most of the time is waited for
			}
			ways := list(t)
			if len(ways) < 10 {
				t.Errorf("%s: only %d ways", kind, len(ways))
			}
			all.Add(int32(len(ways)))
			asked.Add(1)
			for _, w := range ways {
				t.Run(strings.ReplaceAll(w.name, " ", "-"), w.try)
			}
		})
	}
}

// A run is what became of an irc.
type run struct {
	status int
	out    string
	wall   time.Duration
}

// patience is how long an irc may take before it counts as hanging.
const patience = 60 * time.Second

// irc runs one in a folder of its own with files.
func irc(t *testing.T, files map[string]string, args ...string) run {
	t.Helper()
	return ircIn(t, folder(t, files), nil, args...)
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func command(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), ircEnv+"=1"), env...)
	return cmd
}

func ircIn(t *testing.T, dir string, env []string, args ...string) run {
	t.Helper()
	cmd := command(t, dir, env, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	r := run{cmd.ProcessState.ExitCode(), out.String(), time.Since(start)}
	if len(r.out) > 4000 {
		r.out = r.out[:4000] + " ..."
	}
	if r.status < 0 || r.status > 2 {
		t.Errorf("irc %s: status %d, %v after %v\n%s", strings.Join(args, " "), r.status, err, r.wall, r.out)
	}
	return r
}

// refused wants an irc that ends with a status and says something.
func refused(status int, says string, files map[string]string, args ...string) func(t *testing.T) {
	return func(t *testing.T) {
		if r := irc(t, files, args...); r.status != status || !strings.Contains(r.out, says) {
			t.Errorf("irc %s: status %d, want %d and %q\n%s", strings.Join(args, " "), r.status, status, says, r.out)
		}
	}
}

// ends wants an irc that ends by itself, as it likes, but soon.
func ends(within time.Duration, files map[string]string, args ...string) func(t *testing.T) {
	return func(t *testing.T) {
		if r := irc(t, files, args...); r.wall > within {
			t.Errorf("irc %s takes %v\n%s", strings.Join(args, " "), r.wall, r.out)
		}
	}
}
