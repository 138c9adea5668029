//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The trees are found by what /proc says, in both versions of the interface and where a container sees a part.
func TestTrees(t *testing.T) {
	const first = `30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
31 25 0:27 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
32 25 0:28 /docker/abc /mnt/cpu rw - cgroup cgroup rw,cpu
`
	const second = "29 23 0:26 /user.slice /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	for _, c := range []struct {
		mounts, groups string
		want           map[string]tree
	}{
		{first, "9:pids:/a\n4:memory:/b/c\n0::/\n", map[string]tree{
			"memory": {"/sys/fs/cgroup/memory/b/c", "/sys/fs/cgroup/memory", false}, "pids": {"/sys/fs/cgroup/pids/a", "/sys/fs/cgroup/pids", false}}},
		{second, "0::/user.slice/app/x.scope\n", map[string]tree{"memory": {"/sys/fs/cgroup/app/x.scope", "/sys/fs/cgroup", true}}},
		{second, "0::/system.slice\n", map[string]tree{}},
		{"", "0::/\n", map[string]tree{}},
	} {
		if got := treesOf(c.mounts, c.groups, func(_, resource string) bool { return resource == "memory" }); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// In the second version a group is made beside that of irc, unless that has limits, which it would escape. The files are
// the kernel's: a folder without them is no group, and is removed.
func TestBeside(t *testing.T) {
	root := t.TempDir()
	own := filepath.Join(root, "app", "x.scope")
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	x := tree{own: own, root: root, second: true}
	if dir := x.make("irc-1-1", "memory.max", "5"); dir != "" {
		t.Errorf("%s is no group", dir)
	}
	if list, _ := filepath.Glob(filepath.Join(root, "app", "irc-*")); len(list) > 0 {
		t.Errorf("%v are left", list)
	}
	for text, limited := range map[string]bool{"max\n": false, "1000000\n": true, "max 100000\n": false} {
		if err := os.WriteFile(filepath.Join(own, "memory.high"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if x.limited() != limited {
			t.Errorf("%q: limited is %v", text, !limited)
		}
	}
}

// Groups of an irc that is no more are removed, those of one that runs are not.
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{"irc-999999999-1", "irc-1-1", "irc-other", "mine"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent)
	var left []string
	list, err := os.ReadDir(parent)
	for _, e := range list {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); err != nil || got != "irc-1-1 irc-other mine" {
		t.Errorf("%s, %v", got, err)
	}
}
