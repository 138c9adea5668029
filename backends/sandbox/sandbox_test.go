//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// inEnv makes this test a process that closes itself in and tries what is left.
const inEnv = "IRC_TEST_SANDBOX"

// The main thread stands for the process when signals are looked at: it stays free.
func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	if how := os.Getenv(inEnv); how != "" {
		try(how, os.Args[1], os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// try prints what works of what a process may want to do with a file and an address.
func try(how, file, address string) {
	var version int
	var err error
	switch how {
	case "open":
	case "nothing":
		version, err = nothing()
	}
	fmt.Println("landlock", version, err)
	for name, f := range map[string]func() error{
		"read":     func() error { _, err := os.ReadFile(file); return err },
		"list":     func() error { _, err := os.ReadDir("/"); return err },
		"write":    func() error { return os.WriteFile(file, []byte("x"), 0o666) },
		"create":   func() error { return os.WriteFile(file+how, nil, 0o666) },
		"truncate": func() error { return os.Truncate(file, 1) },
		"remove":   func() error { return os.Remove(file + ".more") },
		"mkdir":    func() error { return os.Mkdir(file+how+".d", 0o777) },
		"link":     func() error { return os.Symlink(file, file+how+".l") },
		"connect": func() error {
			c, err := net.DialTimeout("tcp", address, 5*time.Second)
			if err == nil {
				c.Close()
			}
			return err
		},
		"signal": func() error { return unix.Kill(os.Getppid(), 0) },
	} {
		fmt.Println(name, f() == nil)
	}
}

// What Landlock leaves a process that is started from a thread with ReadOnly, on all
// of its threads, and one that closes itself in.
func TestLandlock(t *testing.T) {
	version := landlockVersion()
	if version == 0 {
		t.Skip("this test needs a kernel with Landlock")
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for _, c := range []struct {
		name     string
		readOnly bool
		how      string
		works    string
	}{
		{"free", false, "open", "connect create link list mkdir read remove signal truncate write"},
		{"read only", true, "open", "connect list read signal truncate"},
		{"nothing", true, "nothing", "connect signal truncate"},
	} {
		file := t.TempDir() + "/file"
		for _, name := range []string{file, file + ".more"} {
			if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var out []byte
		done := make(chan error)
		go func() {
			if c.readOnly {
				runtime.LockOSThread() // the thread ends with the goroutine
				if v, err := ReadOnly(); v != version || err != nil {
					t.Errorf("version %d, %v", v, err)
				}
			}
			cmd := exec.Command(os.Args[0], file, server.Addr().String())
			cmd.Env = append(os.Environ(), inEnv+"="+c.how)
			var err error
			out, err = cmd.CombinedOutput()
			done <- err
		}()
		if err := <-done; err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		works := " " + c.works + " "
		if c.readOnly { // what later versions know
			for since, call := range map[int]string{3: "truncate", 4: "connect", 6: "signal"} {
				if version >= since {
					works = strings.ReplaceAll(works, " "+call+" ", " ")
				}
			}
		}
		for line := range strings.Lines(string(out)) {
			name, is, _ := strings.Cut(strings.TrimSpace(line), " ")
			if is == "true" != strings.Contains(works, " "+name+" ") && name != "landlock" {
				t.Errorf("%s, Landlock %d: %s: %s\n%s", c.name, version, name, is, out)
			}
		}
	}
}

// The filter is one that the kernel takes, and its jumps are within their reach.
func TestFilter(t *testing.T) {
	p, err := filter(1)
	if err != nil || len(p) > unix.BPF_MAXINSNS {
		t.Fatalf("%d instructions, %v", len(p), err)
	}
	for n, name := range names {
		for _, list := range [][]uint32{needed, old} {
			for _, allowed := range list {
				if n == allowed {
					t.Errorf("%s is allowed, and named as one that is not", name)
				}
			}
		}
	}
}
