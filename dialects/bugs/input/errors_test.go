package input

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

var update = flag.Bool("update", false, "rewrite the expected messages in testdata")

// TestErrors compares the messages of each testdata/errors file. A program may
// begin with the comment `# jags`; data files are told by their names.
func TestErrors(t *testing.T) {
	files, _ := filepath.Glob("testdata/errors/*")
	n := 0
	for _, f := range files {
		if strings.HasSuffix(f, ".err") {
			continue
		}
		n++
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src := diag.NewSource(filepath.Base(f), string(text))
		var list diag.List
		if strings.HasSuffix(f, ".bug") {
			opts := syntax.Options{}
			if strings.HasPrefix(src.Text, "# jags") {
				opts.Dialect = syntax.JAGS
			}
			_, list = syntax.Parse(src, opts)
		} else if strings.HasPrefix(src.Name, "points") {
			_, list = ParsePoints(src)
		} else {
			_, list = ParseData(src, Unknown)
		}
		if len(list) == 0 {
			t.Errorf("%s: no message", f)
		}
		got, want := list.Error()+"\n", ""
		if *update {
			if err := os.WriteFile(f+".err", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if b, err := os.ReadFile(f + ".err"); err == nil {
			want = string(b)
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	if n < 20 {
		t.Errorf("%d files of errors", n)
	}
}
