package readme_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// A picture stands after the line of the command that draws it.
	picture = regexp.MustCompile(`!\[[^\]]*\]\((\S+\.svg)\)`)
	drawing = regexp.MustCompile(`(?m)^irc ([^\n]*-emit=svg[^\n#]*)`)
	// A program is named before the block that shows it.
	program = regexp.MustCompile("(?s)`(\\w+\\.eq)`[^`]*\n```\n(.*?)```\n")
)

// TestPictures draws the pictures of the documents; -update writes them.
func TestPictures(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, at := range picture.FindAllStringSubmatchIndex(text, -1) {
			commands := drawing.FindAllStringSubmatch(text[:at[0]], -1)
			if len(commands) == 0 {
				continue
			}
			drawn++
			name := filepath.Join("docs", text[at[2]:at[3]])
			got := run(withPrograms(t, text, commands[len(commands)-1][1]))
			if want, _ := os.ReadFile(name); got == string(want) {
				continue
			}
			if !*update {
				t.Errorf("%s is not what %s says draws it; -update draws it", name, file)
			} else if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if drawn < 3 {
		t.Errorf("only %d pictures are drawn", drawn)
	}
}

// withPrograms is a command line with the programs of a document in files.
func withPrograms(t *testing.T, text, line string) string {
	for _, m := range program.FindAllStringSubmatch(text, -1) {
		path := filepath.Join(t.TempDir(), m[1])
		if err := os.WriteFile(path, []byte(m[2]), 0o644); err != nil {
			t.Fatal(err)
		}
		line = regexp.MustCompile(`(^| )`+regexp.QuoteMeta(m[1])+`( |$)`).ReplaceAllLiteralString(line, " "+path+" ")
	}
	return strings.TrimSpace(line)
}
