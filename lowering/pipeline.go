package lowering

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/steps"
	"github.com/irc-lang/irc/passes/binding"
)

// Pipeline is the lowering pipeline to a target, as -passes takes it: its steps, and at the end what takes the
// program over, LLVM with a level of optimisation, another compiler or the interpreter. A pipeline of
// the target's own stands in its place.
func Pipeline(t *target.Target, level int) string {
	if t.Pipeline != "" {
		return t.Pipeline
	}
	var out []string
	for _, s := range steps.All {
		if s.RunsFor(t) {
			out = append(out, strings.Replace(s.Pass, "%d", fmt.Sprint(min(t.TableEntries(), binding.MaxTable)), 1))
		}
	}
	return strings.Join(append(out, end(t, level)), ",")
}

// Page is the table of what runs on the way to each kind of target.
func Page() string {
	var b strings.Builder
	b.WriteString("\n## The lowering pipeline\n\nWhat runs after the passes of `-passes`, in this order, until the target's own end (`llvm`, `c`, `go` or `interpret`).\n" +
		"The limit of `tabulate` depends on the target. `-dump-pass-pipeline` prints the way as a pipeline.\n\n| pass |")
	for _, w := range steps.Kinds {
		fmt.Fprintf(&b, " %s |", w.Name)
	}
	b.WriteString(" after | why |\n|---|" + strings.Repeat("---|", len(steps.Kinds)+2) + "\n")
	for _, s := range steps.All {
		fmt.Fprintf(&b, "| `%s` |", strings.Replace(s.Pass, "%d", "N", 1))
		for _, w := range steps.Kinds {
			mark := ""
			if s.On&w.Kind != 0 {
				mark = " x"
			}
			b.WriteString(mark + " |")
		}
		after := "none: " + s.None
		if s.After != "" {
			after = "`" + strings.Replace(s.After, "%d", "N", 1) + "`"
		}
		fmt.Fprintf(&b, " %s | %s |\n", after, s.Why)
	}
	return b.String()
}
