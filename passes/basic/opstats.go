package basic

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// PrintOpStats counts ops.
type PrintOpStats struct {
	JSON bool `opt:"json" doc:"print a JSON object"`
}

// OpStatsInfo is the pass print-op-stats.
var OpStatsInfo = &pass.Info{
	Name:     "print-op-stats",
	Doc:      "Counts the ops by name, in the order of the names, on standard error.",
	Why:      "Anywhere: it changes nothing.",
	Verbatim: true,
	Example: `func.func @f(%a: i32) -> i32 {
  %x = arith.muli %a, %a : i32
  return %x : i32
}
`,
	New: func() pass.Pass { return &PrintOpStats{} },
}

// Run prints and returns the same graph.
func (p *PrintOpStats) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	count := map[string]int{}
	for n := range g.All() {
		count[n.Def().Name]++
	}
	if p.JSON {
		e := json.NewEncoder(ctx.Out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return g, e.Encode(count)
	}
	_, err := fmt.Fprint(ctx.Out, opTable(count))
	return g, err
}

// opTable is mlir-opt's table: dialects to the right, names to the left of the dot.
func opTable(count map[string]int) string {
	var names []string
	left, right := 0, 0
	for name := range count {
		names = append(names, name)
		d, op, _ := strings.Cut(name, ".")
		left, right = max(left, len(d)), max(right, len(op))
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString("Operations encountered:\n-----------------------\n")
	for _, name := range names {
		d, op, dot := strings.Cut(name, ".")
		sep := "."
		if !dot {
			d, op, sep = "", name, " "
		}
		fmt.Fprintf(&b, "  %*s%s%-*s , %d\n", left, d, sep, right, op, count[name])
	}
	return b.String()
}
