// Package readme_test runs the commands that README.md and docs/ show and compares
// what they print; -update writes it into the files.
package readme_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/product"
)

var update = flag.Bool("update", false, "write what the commands print into the files")

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A block is ```console, a line "$ irc ...", and what it prints. A last line
// "..." says that more follows.
var block = regexp.MustCompile("(?s)```console\n\\$ irc ([^\n]*)\n(.*?)```\n")

func TestCommandsPrintWhatIsShown(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, file := range append(files, "README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fresh := block.ReplaceAllStringFunc(string(text), func(b string) string {
			m := block.FindStringSubmatch(b)
			shown++
			got := run(m[1])
			if cut, ok := strings.CutSuffix(m[2], "...\n"); ok {
				lines := strings.SplitAfter(got, "\n")
				n := strings.Count(cut, "\n")
				if n < len(lines) {
					got = strings.Join(lines[:n], "") + "...\n"
				}
			}
			if got != m[2] && !*update {
				t.Errorf("%s: irc %s prints\n%s\nand the file shows\n%s", file, m[1], got, m[2])
			}
			return "```console\n$ irc " + m[1] + "\n" + got + "```\n"
		})
		if *update && fresh != string(text) {
			if err := os.WriteFile(file, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if shown < 5 {
		t.Errorf("only %d commands are shown", shown)
	}
}

// run runs a command line and returns all that it prints.
func run(line string) string {
	var out bytes.Buffer
	p := product.All()
	p.Main(fields(line), strings.NewReader(""), &out, &out)
	text := out.String()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// fields splits a line at spaces; quotes keep together.
func fields(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+?)'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, strings.Join(m[1:], ""))
	}
	return out
}
