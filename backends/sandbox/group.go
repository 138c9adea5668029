//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A group is a control group of one process and its threads, made where that may be done: by root as a rule, and by users
// to whom a part of the tree was handed. What it counts no call of the process escapes. In the first version of the
// interface each resource has a tree of its own; in the second they have one.
type group struct {
	memory, pids string // folders; "" where there is none
	second       bool
}

// A tree is the folder of this process in a hierarchy, and what stands above it.
type tree struct {
	own, root string
	second    bool
}

// groupNames counts the groups of this process.
var groupNames atomic.Int64

// namedGroups begins the names of groups: irc-PID-N.
const namedGroups = "irc-"

// newGroup makes a group in the trees; parts that cannot be made are left out, and without any there is no group.
func newGroup(trees map[string]tree, threads int, memory int64) *group {
	g := &group{}
	name := fmt.Sprintf("%s%d-%d", namedGroups, os.Getpid(), groupNames.Add(1))
	if t, ok := trees["memory"]; ok && memory >= 0 {
		if g.second = t.second; t.second {
			g.memory = t.make(name, "memory.max", strconv.FormatInt(memory, 10))
		} else {
			g.memory = t.make(name, "memory.limit_in_bytes", strconv.FormatInt(memory, 10))
		}
	}
	if t, ok := trees["pids"]; ok && threads > 0 {
		if t.second && g.memory != "" {
			if os.WriteFile(filepath.Join(g.memory, "pids.max"), []byte(strconv.Itoa(threads)), 0o644) == nil {
				g.pids = g.memory
			}
		} else {
			g.pids = t.make(name, "pids.max", strconv.Itoa(threads))
		}
	}
	if g.memory == "" && g.pids == "" {
		return nil
	}
	g.noSwap(memory)
	return g
}

// noSwap counts what is swapped out, too, where the kernel can.
func (g *group) noSwap(memory int64) {
	switch {
	case g.memory == "":
	case g.second:
		_ = os.WriteFile(filepath.Join(g.memory, "memory.swap.max"), []byte("0"), 0o644)
	default:
		_ = os.WriteFile(filepath.Join(g.memory, "memory.memsw.limit_in_bytes"), []byte(strconv.FormatInt(memory, 10)), 0o644)
	}
}

// make makes a folder for a group with a limit, below that of this process or, in the second version, where a group with
// processes has no groups below it, beside it; "" if none can be made.
func (t tree) make(name, file, value string) string {
	parents := []string{t.own}
	if t.second {
		parents = nil
		if t.own == t.root {
			parents = []string{t.own}
		} else if !t.limited() {
			parents = []string{filepath.Dir(t.own)}
		}
	}
	for _, parent := range parents {
		dir := filepath.Join(parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		sweep(parent)
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil && os.WriteFile(filepath.Join(dir, file), []byte(value), 0o644) == nil {
			return dir
		}
		os.Remove(dir)
	}
	return ""
}

// limited reports that the group of this process has limits of its own, which a process beside it would escape.
func (t tree) limited() bool {
	for _, file := range []string{"memory.max", "memory.high", "memory.swap.max", "pids.max", "cpu.max"} {
		text, err := os.ReadFile(filepath.Join(t.own, file))
		if err == nil && !strings.HasPrefix(string(text), "max") {
			return true
		}
	}
	return false
}

// sweep removes groups whose irc was killed: they are empty, and nobody else would.
func sweep(parent string) {
	list, err := filepath.Glob(filepath.Join(parent, namedGroups+"[0-9]*-[0-9]*"))
	if err != nil {
		return
	}
	for _, dir := range list {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), namedGroups), "-")
		if n, err := strconv.Atoi(pid); err == nil && syscall.Kill(n, 0) == syscall.ESRCH {
			os.Remove(dir) // one with processes stays
		}
	}
}

// folders are those of the group, each once.
func (g *group) folders() (out []string) {
	for _, dir := range []string{g.memory, g.pids} {
		if dir != "" && (len(out) == 0 || out[0] != dir) {
			out = append(out, dir)
		}
	}
	return out
}

// add puts a process into the group.
func (g *group) add(pid int) error {
	for _, dir := range g.folders() {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// setMemory changes the limit.
func (g *group) setMemory(n int64) {
	text := []byte(strconv.FormatInt(n, 10))
	switch {
	case g.memory == "":
	case g.second:
		_ = os.WriteFile(filepath.Join(g.memory, "memory.max"), text, 0o644)
	default: // memory and swap together may never be less than memory
		_ = os.WriteFile(filepath.Join(g.memory, "memory.memsw.limit_in_bytes"), text, 0o644)
		_ = os.WriteFile(filepath.Join(g.memory, "memory.limit_in_bytes"), text, 0o644)
	}
}

// outOfMemory reports that the kernel has killed the process for its memory.
func (g *group) outOfMemory() bool {
	if g == nil || g.memory == "" {
		return false
	}
	file := "memory.oom_control"
	if g.second {
		file = "memory.events"
	}
	text, _ := os.ReadFile(filepath.Join(g.memory, file))
	for line := range strings.Lines(string(text)) {
		var n int
		if k, _ := fmt.Sscanf(line, "oom_kill %d", &n); k == 1 && n > 0 {
			return true
		}
	}
	return false
}

// remove removes the group, whose process has ended.
func (g *group) remove() {
	for _, dir := range g.folders() {
		for wait := time.Millisecond; wait < 200*time.Millisecond; wait *= 2 {
			if err := os.Remove(dir); err == nil || errors.Is(err, os.ErrNotExist) {
				break
			}
			time.Sleep(wait) // the last thread is about to go
		}
	}
}

// trees are those of the resources that groups are made for.
var trees = sync.OnceValue(func() map[string]tree {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	return treesOf(string(mounts), string(groups), func(dir, resource string) bool {
		text, _ := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
		return strings.Contains(" "+strings.TrimSpace(string(text))+" ", " "+resource+" ")
	})
})

// treesOf finds the trees of memory and pids by what /proc says of mounts and of the groups of this process. has reports
// that a folder of the second version controls a resource.
func treesOf(mounts, groups string, has func(dir, resource string) bool) map[string]tree {
	paths := map[string]string{} // by resource; that of the second version under ""
	for line := range strings.Lines(groups) {
		if f := strings.SplitN(strings.TrimSpace(line), ":", 3); len(f) == 3 {
			for _, resource := range strings.Split(f[1], ",") {
				paths[resource] = f[2]
			}
		}
	}
	out := map[string]tree{}
	for line := range strings.Lines(mounts) {
		f, after, ok := strings.Cut(line, " - ")
		fields, kind := strings.Fields(f), strings.Fields(after)
		if !ok || len(fields) < 5 || len(kind) < 3 || kind[0] != "cgroup" && kind[0] != "cgroup2" {
			continue
		}
		root, at := fields[3], fields[4]
		for _, resource := range []string{"memory", "pids"} {
			path, known := paths[resource]
			if kind[0] == "cgroup2" {
				path, known = paths[""]
			} else if !strings.Contains(","+kind[2]+",", ","+resource+",") {
				continue
			}
			below, inside := strings.CutPrefix(path, strings.TrimSuffix(root, "/"))
			if !known || !inside {
				continue
			}
			t := tree{own: filepath.Join(at, below), root: at, second: kind[0] == "cgroup2"}
			if !t.second || has(t.own, resource) {
				out[resource] = t
			}
		}
	}
	return out
}
