package extend_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write what commands say of mistakes into testdata/mistakes/*.txt")

const mistakes = "testdata/mistakes"

// Mistakes of authors of dialects and passes are told as theirs, with a place and a way out. A mistake is a row of a
// list in testdata/mistakes/NAME.go. NAME.txt says how it is run, and what is said then:
//
//	== name: the mistake, in a sentence
//
//	$ irc dialects -check name
//	< lines of standard input
//	what is printed on standard error and standard output
//	exit 1
//
// `go test ./tests/extend -run TestMistakes -update` writes what is printed, and the exit status if that is not 0.
func TestMistakes(t *testing.T) {
	work := copiedFrom(t, mistakes)
	bin := filepath.Join(t.TempDir(), "irc")
	inModule(t, work, "build", "-ldflags=-s -w", "-o", bin, ".")
	listed, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Fields(string(listed))
	files, err := filepath.Glob(filepath.Join(mistakes, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		was := read(t, file)
		told := tellMistakes(t, bin, work, was, func(name string) {
			if i := slices.Index(left, name); i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else {
				t.Errorf("%s has a section %q, which is no mistake of the module, or stands there twice", file, name)
			}
		})
		switch now := strings.Join(told, ""); {
		case now != was && *update:
			write(t, file, now)
		case now != was:
			t.Errorf("%s: the commands say otherwise now (-update writes it):\n%s", file, firstDifference(was, now))
		}
	}
	if len(left) > 0 {
		t.Errorf("no .txt file has a section for %s", strings.Join(left, ", "))
	}
}

// tellMistakes runs the commands of a file and returns it with what they print, a part for each mistake.
func tellMistakes(t *testing.T, bin, work, file string, seen func(name string)) []string {
	t.Helper()
	parts := regexp.MustCompile(`(?m)^== `).Split(file, -1)
	out := make([]string, len(parts))
	out[0] = parts[0]
	var wait sync.WaitGroup
	slots := make(chan bool, 2)
	for i, part := range parts[1:] {
		name, _, ok := strings.Cut(part, ": ")
		if !ok {
			t.Fatalf("a section has no name and sentence: %q", part)
		}
		seen(name)
		wait.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; wait.Done() }()
			out[i+1] = "== " + tellMistake(t, bin, work, name, part)
		}()
	}
	wait.Wait()
	return out
}

// tellMistake runs the commands of a section.
func tellMistake(t *testing.T, bin, work, name, section string) string {
	head, rest, _ := strings.Cut(section, "\n")
	var b strings.Builder
	b.WriteString(head + "\n")
	commands := strings.Split(rest, "\n$ irc ")
	for _, command := range commands[1:] {
		line, rest, _ := strings.Cut(command, "\n")
		var input strings.Builder
		for text := range strings.Lines(rest) {
			if in, is := strings.CutPrefix(text, "< "); is {
				input.WriteString(in)
			}
		}
		fmt.Fprintf(&b, "\n$ irc %s\n", line)
		for in := range strings.Lines(input.String()) {
			b.WriteString("< " + in)
		}
		b.WriteString(runMistake(t, bin, work, name, words(line), input.String()))
	}
	if strings.HasSuffix(section, "\n\n") {
		b.WriteString("\n") // another one follows
	}
	return b.String()
}

// words splits a command line; a word in '...' may have spaces.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		switch {
		case i%2 == 0:
			out = append(out, strings.Fields(part)...)
		case len(out) > 0 && strings.HasSuffix(strings.Split(line, "'")[i-1], "="):
			out[len(out)-1] += part
		default:
			out = append(out, part)
		}
	}
	return out
}

// blamed is what must never be said of an author's mistake.
var blamed = regexp.MustCompile(`bug of irc|please report|goroutine \d`)

// told finds messages.
var told = regexp.MustCompile(`(?m)(^|: |\d: )(error|warning): `)

// runMistake runs a command, and checks that it says one thing and does not blame irc.
func runMistake(t *testing.T, bin, work, name string, args []string, input string) string {
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = work, append(os.Environ(), "MISTAKE="+name), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	text := strings.ReplaceAll(string(out), work+string(filepath.Separator), "")
	status := ""
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		status = fmt.Sprintf("exit %d\n", exit.ExitCode())
	case err != nil:
		t.Errorf("%s: irc %v: %v", name, args, err)
	}
	if blamed.MatchString(text) {
		t.Errorf("%s: irc %v blames irc, or shows a stack, for a mistake of an author:\n%s", name, args, text)
	}
	if n := len(told.FindAllString(text, -1)); n > 1 || status != "" && n == 0 {
		t.Errorf("%s: irc %v has %d messages of one mistake:\n%s", name, args, n, text)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + status
}

// firstDifference shows where two texts part.
func firstDifference(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	near := func(lines []string) string { return strings.Join(lines[max(0, i-4):min(len(lines), i+6)], "\n") }
	return fmt.Sprintf("at line %d, wanted\n%s\n\ngot\n%s", i+1, near(a), near(b))
}
