// Command breakages breaks the program on purpose, one line at a time, and shows
// which test notices. It exits with status 1 if a breakage survives, or no longer
// applies to the sources.
//
//	go run ./tests/breakages                   all of them
//	go run ./tests/breakages -only 'read|join'  those whose names match
//	go run ./tests/breakages -build             only whether each compiles
//	go run ./tests/breakages -list
//
// Nothing is written into the tree but the list of what noticed what, and that
// only with -update: the broken file is laid over its original by
// `go test -overlay`. The test that noticed a breakage the last time is asked
// first, so that most cost one compilation and one test; if it is content, the
// packages most likely to notice follow, and a breakage is done with the first
// test that fails.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const notedFile = "tests/breakages/testdata/noticed.txt"

func main() {
	only := flag.String("only", "", "regular expression: the breakages to try")
	list := flag.Bool("list", false, "list the breakages and stop")
	update := flag.Bool("update", false, "write what noticed what to "+notedFile)
	build := flag.Bool("build", false, "only see that each breakage compiles: one that does not says nothing")
	fresh := flag.Bool("fresh", false, "do not ask the test that noticed the last time first")
	limit := flag.Duration("limit", time.Minute, "how long the tests of one step may take; longer is a hang, which is noticed too")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err != nil {
		fatal(err)
	}
	root, err := filepath.Abs(".")
	if err == nil {
		_, err = os.Stat("go.mod")
	}
	if err != nil {
		fatal(fmt.Errorf("run it where go.mod is: %w", err))
	}
	var chosen []breakage
	for _, b := range table {
		if re.MatchString(b.Name) {
			chosen = append(chosen, b)
		}
	}
	if *list {
		for _, b := range chosen {
			fmt.Printf("%-34s %-24s %s\n", b.Name, b.File, b.Breaks)
		}
		return
	}
	if *build {
		if !compile(root, chosen) {
			os.Exit(1)
		}
		return
	}
	noted, err := readNoted(notedFile)
	if os.IsNotExist(err) {
		noted, err = notes{}, nil
	}
	if err != nil {
		fatal(err)
	}
	r := &runner{root: root, limit: *limit, noted: noted, sane: map[verdict]error{}}
	if *fresh {
		r.noted = nil
	}
	now := maps.Clone(noted)
	bad := r.all(chosen, func(b breakage, by verdict) error {
		if now[b.Name] = by; !*update {
			return nil
		}
		return now.write(notedFile, revision(), table)
	})
	if bad > 0 {
		os.Exit(1)
	}
}

// compile sees whether breakages compile, and tells of those that do not.
func compile(root string, chosen []breakage) bool {
	ok := true
	for _, b := range chosen {
		if err := b.compiles(root); err != nil {
			fmt.Printf("%s: %v\n", b.Name, err)
			ok = false
		}
	}
	return ok
}

// compiles builds the package of the broken file.
func (b *breakage) compiles(root string) error {
	dir, err := os.MkdirTemp("", "breakage")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := b.overlay(root, dir)
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-overlay="+overlay, "./"+filepath.Dir(b.File)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "breakages:", err)
	os.Exit(2)
}

// all tries the breakages one after the other, prints a line for each, notes what
// noticed them and returns how many are not noticed.
func (r *runner) all(chosen []breakage, note func(breakage, verdict) error) int {
	var left []string
	start := time.Now()
	r.checkNoted(chosen)
	for i, b := range chosen {
		began := time.Now()
		by, err := r.try(b)
		if err == nil && by != none {
			err = note(b, by)
		}
		took := time.Since(began).Round(100 * time.Millisecond)
		fmt.Printf("%2d/%d %-34s ", i+1, len(chosen), b.Name)
		switch {
		case err != nil:
			fmt.Printf("ERROR %v\n", err)
			left = append(left, b.Name)
		case by == none:
			fmt.Printf("SURVIVES (%v): %s\n", took, b.Breaks)
			left = append(left, b.Name)
		default:
			fmt.Printf("%s (%v)\n", by, took)
		}
	}
	fmt.Printf("%d of %d breakages are noticed, in %v\n", len(chosen)-len(left), len(chosen), time.Since(start).Round(time.Second))
	if len(left) > 0 {
		fmt.Printf("not noticed: %s\n", strings.Join(left, ", "))
	}
	return len(left)
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

// overlay writes the broken file and the description of it for the go command
// into dir.
func (b *breakage) overlay(root, dir string) (string, error) {
	text, err := b.apply(root)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(b.File))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	return writeOverlay(dir, filepath.Join(root, b.File), file)
}
