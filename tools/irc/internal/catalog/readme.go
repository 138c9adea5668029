package catalog

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// Readme is the generated page of a dialect.
func Readme(d *ir.Dialect, compiles func(*ir.Dialect, *ir.OpDef) bool) string {
	j := DescribeDialect(d, compiles)
	var b strings.Builder
	fmt.Fprintf(&b, "# The %s dialect\n\n%s\n\nWritten by `irc dialects -write dialects` (`make docs`); a test fails when it is stale.\n\n", j.Name, j.Doc)
	if len(j.Types) > 0 {
		b.WriteString("| type or attribute | parameters | |\n|---|---|---|\n")
		for _, t := range j.Types {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", t.Form, cell(strings.Join(t.Params, "; ")), cell(t.Doc))
		}
		b.WriteString("\n")
	}
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
	if len(d.Cleanups) > 0 {
		b.WriteString("\nThese see who uses an op. They run in `canonicalize` and in passes that clean up after themselves.\n\n")
		for _, o := range j.Ops {
			for _, rule := range o.Clean {
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
