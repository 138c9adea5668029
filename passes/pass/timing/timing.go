// Package timing adds up how long what took. It is of this repository alone.
package timing

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Banner writes a title as LLVM does above what it reports.
func Banner(w io.Writer, title string) {
	rule := "===" + strings.Repeat("-", 73) + "===\n"
	fmt.Fprintf(w, "%s%*s\n%s", rule, 40+len(title)/2, title, rule)
}

// Timing is how long what took, in the order in which it first ran.
type Timing struct {
	names []string                 // in that order
	spent map[string]time.Duration // the sum of each
}

// Add notes a piece of work: a pass, or what is none, as reading and printing.
func (t *Timing) Add(name string, d time.Duration) {
	if t.spent == nil {
		t.spent = map[string]time.Duration{}
	}
	if _, ok := t.spent[name]; !ok {
		t.names = append(t.names, name)
	}
	t.spent[name] += d
}

// Write writes the table that -time-passes shows. The times are of the wall, and the shares of their sum; what ran several times has
// one row.
func (t *Timing) Write(w io.Writer) {
	var total time.Duration
	for _, d := range t.spent {
		total += d
	}
	Banner(w, "... Execution time report ...")
	fmt.Fprintf(w, "  Total Execution Time: %.4f seconds\n\n  ----Wall Time----  ----Name----\n", total.Seconds())
	row := func(name string, d time.Duration) {
		share := 100.0
		if total > 0 {
			share = 100 * d.Seconds() / total.Seconds()
		}
		fmt.Fprintf(w, "  %8.4f (%5.1f%%)  %s\n", d.Seconds(), share, name)
	}
	for _, name := range t.names {
		row(name, t.spent[name])
	}
	row("Total", total)
}
