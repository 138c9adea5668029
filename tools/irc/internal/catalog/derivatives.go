package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// DerivativesMark is the line of a page behind which Derivatives writes.
const DerivativesMark = "<!-- `irc dialects -write docs/derivatives.md` writes what follows -->\n"

// Derivatives writes, in the place of what stands behind DerivativesMark, the rules of derivatives of each dialect, and the ops
// that have none. It is an error if the page has no such line.
func Derivatives(page string, list []*ir.Dialect) (string, error) {
	return behind(page, DerivativesMark, list, derivativesOf)
}

// derivativesOf writes a row for each rule, and one for each reason.
func derivativesOf(b *strings.Builder, d *ir.Dialect) {
	rules, none := ir.Table[derive.Table](d), ir.Table[derive.Without](d)
	if len(rules) == 0 && len(none) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n| op | rule |\n|---|---|\n", d.Name)
	for _, r := range rules {
		fmt.Fprintf(b, "| `%s` | %s |\n", short(r.Of.Name), strings.ReplaceAll(r.Says, "|", "\\|"))
	}
	names := map[derive.Reason][]string{}
	for op, why := range none {
		names[why] = append(names[why], "`"+short(op.Name)+"`")
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[why])
		fmt.Fprintf(b, "| %s | none: %s |\n", strings.Join(names[why], " "), why)
	}
}
