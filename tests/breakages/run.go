package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A runner tries breakages.
type runner struct {
	root  string
	limit time.Duration
	noted notes
	sane  map[verdict]error // what they say of the unbroken program
}

// A step is some tests of one package.
type step struct {
	pkg  string
	run  string   // which of them, or ""
	args []string // flags of the tests
}

// steps lists what is asked: what noticed the last time, the tests of the file's
// own package, what the row names, and then what notices most.
func (r *runner) steps(b breakage) (out []step) {
	if by, ok := r.noted[b.Name]; ok {
		out = append(out, by.step())
	}
	out = append(out, step{pkg: "./" + path.Dir(b.File)})
	for _, in := range b.In {
		words := strings.Fields(in)
		s := step{pkg: words[0]}
		if len(words) > 1 {
			s.run, s.args = words[1], words[2:]
		}
		out = append(out, s)
	}
	return append(out,
		step{pkg: "./tests/random", run: "^(TestFound|TestMillions)$"},
		step{pkg: "./dialects"},
		step{pkg: "./passes"},
		step{pkg: "./tests/random", run: "^(TestSettled|TestUnknown|TestInterpreterAndPasses)$", args: []string{"-programs=1000"}})
}

// try runs tests on the broken program and returns the one that failed.
func (r *runner) try(b breakage) (by verdict, err error) {
	dir, err := os.MkdirTemp("", "breakage")
	if err != nil {
		return none, err
	}
	defer os.RemoveAll(dir)
	overlay, err := b.overlay(r.root, dir)
	if err != nil {
		return none, err
	}
	for _, s := range r.steps(b) {
		by, err := s.test(overlay, r.limit)
		if err != nil {
			return none, err
		}
		if by != none {
			return by, r.check(by)
		}
	}
	return none, nil
}

// check makes sure that the test passes on the program as it is: one that fails
// there notices nothing, and one that is slow there does not hang.
func (r *runner) check(v verdict) error {
	hangs := v.how == hangs
	v.how = ""
	err, known := r.sane[v]
	if !known {
		err = r.passes(v.step(), r.limit)
		r.sane[v] = err
	}
	if err == nil && hangs {
		err = r.passes(v.step(), r.limit/4)
	}
	return err
}

func (r *runner) passes(s step, limit time.Duration) error {
	by, err := s.test("", limit)
	if err == nil && by != none {
		err = fmt.Errorf("%v fails on the unbroken program", by)
	}
	return err
}

// checkNoted checks the tests that will be asked first, all those of a package at
// once. Where one of them fails, each is checked when it is needed.
func (r *runner) checkNoted(chosen []breakage) {
	type group struct{ pkg, args string }
	byPkg := map[group][]verdict{}
	for _, b := range chosen {
		if v, ok := r.noted[b.Name]; ok {
			v.how = ""
			k := group{v.pkg, v.args}
			byPkg[k] = append(byPkg[k], v)
		}
	}
	for k, vs := range byPkg {
		var names []string
		for _, v := range vs {
			if v.test != "" && !slices.Contains(names, v.test) {
				names = append(names, v.test)
			}
		}
		s := step{pkg: k.pkg, run: "^(" + strings.Join(names, "|") + ")$", args: strings.Fields(k.args)}
		if len(names) == 0 || r.passes(s, r.limit) != nil {
			continue
		}
		for _, v := range vs {
			if v.test != "" {
				r.sane[v] = nil
			}
		}
	}
}

func writeOverlay(dir, old, replacement string) (string, error) {
	spec, err := json.Marshal(map[string]map[string]string{"Replace": {old: replacement}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, spec, 0o644)
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// test runs the step's tests, on the program that overlay breaks if it is not "".
func (s step) test(overlay string, limit time.Duration) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+3*time.Minute) // and what building takes
	defer cancel()
	line := []string{"test", "-short", "-failfast", "-vet=off", "-timeout=" + limit.String()}
	if overlay != "" {
		line = append(line, "-overlay="+overlay)
	}
	if s.run != "" {
		line = append(line, "-run="+s.run)
	}
	line = append(line, s.pkg)
	if len(s.args) > 0 {
		line = append(append(line, "-args"), s.args...)
	}
	out, err := exec.CommandContext(ctx, "go", line...).CombinedOutput()
	if err == nil {
		return none, nil
	}
	text := string(out)
	said := verdict{pkg: s.pkg, args: strings.Join(s.args, " ")}
	switch m := failed.FindAllStringSubmatch(text, -1); {
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return none, fmt.Errorf("it does not compile: %.2000s", text)
	case strings.Contains(text, "panic: test timed out") || ctx.Err() != nil:
		said.test = running(text)
		said.how = hangs
		return said, nil
	case len(m) > 0:
		said.test = strings.SplitN(m[len(m)-1][1], "/", 2)[0]
		return said, nil
	case strings.Contains(text, "panic:") || strings.Contains(text, "fatal error:"):
		said.how = crashes
		return said, nil
	}
	return none, errors.Join(err, fmt.Errorf("go test: %.2000s", text))
}

var timedOut = regexp.MustCompile(`(?m)^\s*(Test\w+)\S* \(`)

// running is the test that a run which took too long was in.
func running(text string) string {
	_, tail, _ := strings.Cut(text, "running tests:")
	if m := timedOut.FindStringSubmatch(tail); m != nil {
		return m[1]
	}
	return ""
}
