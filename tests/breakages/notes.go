package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A verdict says which test notices a breakage.
type verdict struct {
	pkg  string // "" if none does
	test string // "" if the test binary dies before it can tell
	how  string // "" if the test fails, or one of these
	args string // flags that the tests ran with
}

const (
	hangs   = "hangs"
	crashes = "crashes"
)

var none verdict

func (v verdict) String() string {
	out := v.pkg
	for _, s := range []string{v.test, v.how} {
		if s != "" {
			out += " " + s
		}
	}
	if v.args != "" {
		out += " [" + v.args + "]"
	}
	return out
}

// step is what to run to see it again.
func (v verdict) step() step {
	s := step{pkg: v.pkg, args: strings.Fields(v.args)}
	if v.test != "" {
		s.run = "^" + v.test + "$"
	}
	return s
}

// notes are verdicts by the name of the breakage.
type notes map[string]verdict

// readNoted reads lines "name: package test how [args]"; "#" begins a comment.
func readNoted(file string) (notes, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := notes{}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		name, said, ok := strings.Cut(sc.Text(), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		var v verdict
		if said, args, ok := strings.Cut(said, "["); ok {
			v.args = strings.TrimSuffix(args, "]")
			v.parse(said)
		} else {
			v.parse(said)
		}
		out[name] = v
	}
	return out, sc.Err()
}

func (v *verdict) parse(said string) {
	for i, s := range strings.Fields(said) {
		switch {
		case i == 0:
			v.pkg = s
		case s == hangs || s == crashes:
			v.how = s
		default:
			v.test = s
		}
	}
}

// write keeps the notes in the order of the table, and says of which revision.
func (n notes) write(file, revision string, rows []breakage) error {
	var out strings.Builder
	fmt.Fprintf(&out, "# Which test notices which breakage: written by `make breakages`.\n# Revision %s\n", revision)
	for _, b := range rows {
		if v, ok := n[b.Name]; ok {
			fmt.Fprintf(&out, "%s: %v\n", b.Name, v)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// revision names the sources that the breakages were applied to.
func revision() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	rev := strings.TrimSpace(string(out))
	if changed, err := exec.Command("git", "status", "--porcelain", "-uno", "--", ":!"+notedFile).Output(); err != nil || len(changed) > 0 {
		rev += ", with changes"
	}
	return rev
}
