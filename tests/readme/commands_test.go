package readme_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A command line stands in backquotes, or on an indented line of its own or after a
// prompt, as in blocks and lists of examples.
var spoken = regexp.MustCompile("(?m)(?:`irc((?: [^`\n]*)?)`|^(?:[ \t]+|\\$ )irc( [^`\n]*))")

// Every command and flag that the help texts and documents name is there.
func TestCommandsAreThere(t *testing.T) {
	t.Chdir("../..")
	texts := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "dialects/*/README.md", "dialects/*/*/README.md", "examples/*.md", "examples/*.sh", "examples/*/*.md", "examples/*/*/*.md", "backends/*/README.md", "tests/*/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(data)
		}
	}
	texts["irc help"] = run("help")
	for _, c := range listed.FindAllStringSubmatch(texts["irc help"], -1) {
		texts["irc help "+c[1]] = run("help " + c[1])
	}
	if len(texts) < 20 {
		t.Fatalf("only %d texts", len(texts))
	}
	found := 0
	for name, text := range texts {
		for _, m := range spoken.FindAllStringSubmatch(text, -1) {
			if word := commandIn(m[1] + m[2]); word != "" {
				found++
				if out := run("help " + word); !strings.HasPrefix(out, "usage: irc "+word) {
					t.Errorf("%s: `%s`: %s", name, strings.TrimSpace(m[0]), out)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d commands are named", found)
	}
}

// listed is a row of the commands in `irc help`.
var listed = regexp.MustCompile(`(?m)^  irc ([a-z]+)`)

var command = regexp.MustCompile(`^[a-z]+$`)

// commandIn is the first word of a command line that is no flag, if it can be a
// command: files have a dot or a slash, and what stands for them is in capitals.
func commandIn(line string) string {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "'") })
	if at < 0 || !command.MatchString(words[at]) {
		return ""
	}
	return words[at]
}
