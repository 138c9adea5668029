package irctest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Files runs the commands that files have in comments, and looks for the text below each in what it prints:
//
//	// run: -passes=cse %s             the arguments of irc; %s is the file
//	// check: %[[x:.*]] = arith.addi   on some line, behind that of the check above: {{...}} is a regular
//	// check-next: return %[[x]]       expression, [[x:...]] one with a name, [[x]] what it was
//	// check-not: arith.muli           on no line between those of the checks around
//	// run-fails: %s                   the command is to fail, and its errors are checked
//
// RUN and CHECK are read, too. With -update the checks of a command that fail, or of one that has none, become all
// that it prints.
func (c Config) Files(t testing.TB, glob string) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is called %s: %v", glob, err)
	}
	for _, f := range files {
		if tt, ok := t.(*testing.T); ok {
			tt.Run(filepath.Base(f), func(t *testing.T) { c.file(t, f) })
		} else {
			c.file(t, f)
		}
	}
}

// A command is a run line of a filetest.
type command struct {
	line   int // from 0
	args   []string
	fails  bool
	checks []checkLine
}

// A checkLine is what is looked for: "", "next" or "not".
type checkLine struct {
	line       int
	kind, text string
}

var directive = regexp.MustCompile(`^\s*//\s*(?i:(run|run-fails|check|check-next|check-not)):[ \t]?(.*)$`)

// commandsOf reads the lines of a file.
func commandsOf(lines []string) (out []command, err error) {
	for i, l := range lines {
		m := directive.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		kind := strings.ToLower(m[1])
		switch {
		case strings.HasPrefix(kind, "run"):
			args, err := words(m[2])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if len(args) > 0 && args[0] == "irc" {
				args = args[1:]
			}
			out = append(out, command{line: i, args: args, fails: kind == "run-fails"})
		case len(out) == 0:
			return nil, fmt.Errorf("line %d: a check stands below the command that it checks, and above it is none", i+1)
		default:
			last := &out[len(out)-1]
			last.checks = append(last.checks, checkLine{i, strings.TrimPrefix(strings.TrimPrefix(kind, "check"), "-"), m[2]})
		}
	}
	if len(out) == 0 {
		err = errors.New("it has no line that begins with // run")
	}
	return out, err
}

// words splits a command as a shell does that knows blanks and quotes alone.
func words(s string) (out []string, err error) {
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, in = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if in {
				out = append(out, word.String())
			}
			word.Reset()
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		out = append(out, word.String())
	}
	if quote != 0 {
		err = fmt.Errorf("a quote %c does not end", quote)
	}
	return out, err
}

func (c Config) file(t testing.TB, path string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	commands, err := commandsOf(lines)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var changed []command
	outputs := map[int]string{}
	for _, cmd := range commands {
		out, err := c.run(path, cmd)
		if err != nil {
			t.Errorf("%s:%d: %v", path, cmd.line+1, err)
			continue
		}
		at, err := match(out, cmd.checks)
		switch {
		case (err != nil || len(cmd.checks) == 0) && *update:
			changed = append(changed, cmd)
			outputs[cmd.line] = out
		case err != nil:
			t.Errorf("%s:%d: %v; it prints\n%s", path, at+1, err, out)
		case len(cmd.checks) == 0:
			t.Errorf("%s:%d: nothing is checked: write checks below, or run the test with -update", path, cmd.line+1)
		}
	}
	if len(changed) > 0 {
		if err := os.WriteFile(path, []byte(strings.Join(rewritten(lines, changed, outputs), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a command and returns what is checked.
func (c Config) run(path string, cmd command) (string, error) {
	args := make([]string, len(cmd.args))
	for i, a := range cmd.args {
		args[i] = strings.ReplaceAll(a, "%s", path)
	}
	if !served && len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != path {
		// A child for native code would be this test binary again, which would run this test again.
		return "", fmt.Errorf("the command %s needs a TestMain that calls irctest.Main", args[0])
	}
	var stdout, stderr bytes.Buffer
	status := c.irc().Main(args, strings.NewReader(""), &stdout, &stderr)
	switch {
	case cmd.fails && status == 0:
		return "", fmt.Errorf("the command does not fail; it prints\n%s", stdout.String())
	case cmd.fails:
		return stderr.String(), nil
	case status != 0:
		return "", fmt.Errorf("the command fails with status %d:\n%s", status, stderr.String())
	}
	return stdout.String(), nil
}

// match looks for checks in an output. The error says what is not there; at is the line of that check.
func match(out string, checks []checkLine) (at int, err error) {
	lines := strings.Split(out, "\n")
	next, names := 0, map[string]string{}
	var nots []checkLine
	for _, ck := range checks {
		if ck.kind == "not" {
			nots = append(nots, ck)
			continue
		}
		re, err := pattern(ck.text, names)
		if err != nil {
			return ck.line, err
		}
		found := slices.IndexFunc(lines[next:], re.MatchString)
		if found < 0 || ck.kind == "next" && found > 0 {
			where := "no line from line %d on has"
			if ck.kind == "next" {
				where = "line %d has not"
			}
			return ck.line, fmt.Errorf(where+" %q", next+1, ck.text)
		}
		if at, err := absent(nots, lines[next:next+found], names); err != nil {
			return at, err
		}
		nots = nil
		m := re.FindStringSubmatch(lines[next+found])
		for i, name := range re.SubexpNames() {
			if name != "" {
				names[name] = m[i]
			}
		}
		next += found + 1
	}
	return absent(nots, lines[min(next, len(lines)):], names)
}

// absent checks that lines have none of some texts.
func absent(nots []checkLine, lines []string, names map[string]string) (at int, err error) {
	for _, ck := range nots {
		re, err := pattern(ck.text, names)
		if err != nil {
			return ck.line, err
		}
		if i := slices.IndexFunc(lines, re.MatchString); i >= 0 {
			return ck.line, fmt.Errorf("%q is there: %q", ck.text, lines[i])
		}
	}
	return 0, nil
}

var holes = regexp.MustCompile(`\{\{.*?\}\}|\[\[[A-Za-z_][A-Za-z0-9_]*(:.*?)?\]\]`)

// pattern is the regular expression of a check; blanks stand for one or more.
func pattern(text string, names map[string]string) (*regexp.Regexp, error) {
	text = strings.TrimSpace(text)
	var b strings.Builder
	plain := func(s string) {
		b.WriteString(regexp.MustCompile(`[ \t]+`).ReplaceAllString(regexp.QuoteMeta(s), `[ \t]+`))
	}
	last := 0
	for _, m := range holes.FindAllStringIndex(text, -1) {
		plain(text[last:m[0]])
		inner := text[m[0]+2 : m[1]-2]
		last = m[1]
		name, expr, defines := strings.Cut(inner, ":")
		switch {
		case text[m[0]] == '{':
			b.WriteString("(?:" + inner + ")")
		case defines:
			fmt.Fprintf(&b, "(?P<%s>%s)", name, expr)
		default:
			was, known := names[name]
			if !known {
				return nil, fmt.Errorf("nothing above is called [[%s]]", name)
			}
			b.WriteString(regexp.QuoteMeta(was))
		}
	}
	plain(text[last:])
	return regexp.Compile(b.String())
}

// rewritten are the lines of a file with other checks for some commands: all that these print.
func rewritten(lines []string, changed []command, outputs map[int]string) (out []string) {
	drop := map[int]bool{}
	for _, cmd := range changed {
		for _, ck := range cmd.checks {
			drop[ck.line] = true
		}
	}
	for i, l := range lines {
		if !drop[i] {
			out = append(out, l)
		}
		text, ok := outputs[i]
		if !ok {
			continue
		}
		kind := "check"
		for _, printed := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			if strings.TrimSpace(printed) == "" {
				kind = "check"
				continue
			}
			out = append(out, strings.TrimRight("// "+kind+": "+escaped(printed), " "))
			kind = "check-next"
		}
	}
	return out
}

// escaped is a line as a check that matches nothing else.
func escaped(s string) string {
	return holes.ReplaceAllStringFunc(s, func(m string) string { return "{{" + regexp.QuoteMeta(m) + "}}" })
}
