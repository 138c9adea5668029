package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// writeReadmes writes NAME/README.md for each dialect that has a folder in dir.
func (s *session) writeReadmes(dir string) error {
	for _, d := range s.prog.Dialects {
		for _, name := range []string{d.Name, d.Name + "s"} { // "func" is no name for a package
			folder := filepath.Join(dir, name)
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				continue
			}
			if err := writeFile(&s.unfinished, filepath.Join(folder, "README.md"), []byte(Readme(d))); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// Readme is the generated page of a dialect.
func Readme(d *ir.Dialect) string {
	j := describeDialect(d)
	var b strings.Builder
	fmt.Fprintf(&b, "# The %s dialect\n\n%s\n\nWritten by `irc dialects -write dialects` (`make docs`); a test fails when it is stale.\n\n", j.Name, j.Doc)
	b.WriteString("Every op is read and printed in the generic form; parse and print say whether its own syntax works too.\n\n" +
		"| op | parse | print | verify | interp | llvm | |\n|---|---|---|---|---|---|---|\n")
	for _, o := range j.Ops {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", o.Name, o.Parse, o.Print, tick(o.Verify), tick(o.Interp), tick(o.LLVM), cell(o.Doc))
	}
	if len(d.Folds) > 0 {
		b.WriteString("\n## Rules\n\nThese run whenever a node is built.\n\n")
		for _, o := range j.Ops {
			for _, rule := range o.Folds {
				fmt.Fprintf(&b, "- `%s`: %s\n", o.Name, rule)
			}
		}
	}
	if len(j.Lowers) > 0 {
		fmt.Fprintf(&b, "\nLowers to %s, by `lower{to=...}`.\n", strings.Join(j.Lowers, ", "))
	}
	return b.String()
}

func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}
