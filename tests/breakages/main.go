// Command breakages breaks the program on purpose, one line at a time, and shows
// which test notices. It exits with status 1 if a breakage survives, or no longer
// applies to the sources.
//
//	go run ./tests/breakages                   all of them
//	go run ./tests/breakages -only 'read|join'  those whose names match
//	go run ./tests/breakages -list
//
// Nothing is written into the tree: the broken file is laid over its original by
// `go test -overlay`. Packages run in the order of their speed, and a breakage is
// done with the first test that fails.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "regular expression: the breakages to try")
	list := flag.Bool("list", false, "list the breakages and stop")
	limit := flag.Duration("limit", 5*time.Minute, "how long the tests of one package may take; longer is a hang, which is noticed too")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	root, err := filepath.Abs(".")
	if err == nil {
		_, err = os.Stat("go.mod")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "breakages: run it where go.mod is:", err)
		os.Exit(2)
	}
	var bad []string
	tried, start := 0, time.Now()
	for _, b := range table {
		switch {
		case !re.MatchString(b.Name):
			continue
		case *list:
			fmt.Printf("%-34s %-24s %s\n", b.Name, b.File, b.Breaks)
			continue
		}
		tried++
		began := time.Now()
		by, err := b.try(root, *limit)
		took := time.Since(began).Round(time.Second)
		switch {
		case err != nil:
			fmt.Printf("%-34s ERROR %v\n", b.Name, err)
			bad = append(bad, b.Name)
		case by == "":
			fmt.Printf("%-34s SURVIVES (%v): %s\n", b.Name, took, b.Breaks)
			bad = append(bad, b.Name)
		default:
			fmt.Printf("%-34s %s (%v)\n", b.Name, by, took)
		}
	}
	if *list {
		return
	}
	fmt.Printf("%d of %d breakages are noticed, in %v\n", tried-len(bad), tried, time.Since(start).Round(time.Second))
	if len(bad) > 0 {
		fmt.Printf("not noticed: %s\n", strings.Join(bad, ", "))
		os.Exit(1)
	}
}

// apply returns the broken file.
func (b *breakage) apply(root string) (string, error) {
	data, err := os.ReadFile(filepath.Join(root, b.File))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(data), b.Old); n != 1 {
		return "", fmt.Errorf("%s: the text to change is there %d times, not once: %q", b.File, n, b.Old)
	}
	return strings.Replace(string(data), b.Old, b.New, 1), nil
}

// try runs tests on the broken program and returns the one that failed.
func (b *breakage) try(root string, limit time.Duration) (by string, err error) {
	text, err := b.apply(root)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "breakage")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, filepath.Base(b.File))
	overlay := filepath.Join(dir, "overlay.json")
	spec, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, b.File): file}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, spec, 0o644); err != nil {
		return "", err
	}
	for _, s := range b.steps() {
		if by, err := s.run(overlay, limit); by != "" || err != nil {
			return by, err
		}
	}
	return "", nil
}

// A step is one package of tests.
type step struct {
	pkg  string
	args []string
}

// steps lists what runs: the file's own package, what the row names, and then
// what notices most.
func (b *breakage) steps() (out []step) {
	seen := map[string]bool{}
	add := func(pkg string, args ...string) {
		if key := pkg + strings.Join(args, " "); !seen[key] {
			seen[key] = true
			out = append(out, step{pkg, args})
		}
	}
	add("./" + filepath.ToSlash(filepath.Dir(b.File)))
	for _, pkg := range b.In {
		add(pkg)
	}
	add("./tests/random", "-run=TestFound|TestMillions", "-args", "-millions=4000")
	add("./dialects")
	add("./passes")
	add("./tests/random", "-run=TestInterpreterAndPasses|TestUnknown", "-args", "-programs=1000")
	return out
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func (s step) run(overlay string, limit time.Duration) (by string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+3*time.Minute) // and what building takes
	defer cancel()
	var flags, args []string
	for i, a := range s.args {
		if a == "-args" {
			args = s.args[i:]
			break
		}
		flags = append(flags, a)
	}
	line := append([]string{"test", "-overlay=" + overlay, "-failfast", "-vet=off", "-timeout=" + limit.String()}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(append(line, s.pkg), args...)...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "", nil
	}
	text := string(out)
	switch m := failed.FindAllStringSubmatch(text, -1); {
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return "", fmt.Errorf("it does not compile: %.2000s", text)
	case strings.Contains(text, "panic: test timed out") || ctx.Err() != nil:
		return s.pkg + ": hangs", nil
	case len(m) > 0:
		return s.pkg + ": " + m[len(m)-1][1], nil
	case strings.Contains(text, "panic:") || strings.Contains(text, "fatal error:"):
		return s.pkg + ": panics", nil
	}
	return "", fmt.Errorf("go test: %w: %.2000s", err, text)
}
