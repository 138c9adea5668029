package pass

import (
	"fmt"
	"github.com/irc-lang/irc/passes/pass/timing"
	"io"
	"slices"
	"sync"
)

// The statistics of every pass.
const (
	statBefore = "ops-before"
	statAfter  = "ops-after"
	// statChanged is what a pass is looked for by that does something, or nothing, or that never settles.
	statChanged = "changed"
)

var commonStats = []Statistic{
	{statBefore, "ops that it was given"},
	{statAfter, "ops that it left"},
	{statChanged, "functions that it changed"},
}

// counts are statistics by pass and name, passes in the order they first ran.
type counts struct {
	mu     sync.Mutex
	passes []string
	n      map[[2]string]int
}

func (c *counts) add(pass, name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[[2]string]int{}
	}
	if !slices.Contains(c.passes, pass) {
		c.passes = append(c.passes, pass)
	}
	c.n[[2]string{pass, name}] += n
}

// Stats returns what a pass counted under a name, if Count was set.
func (m *Manager) Stats(pass, name string) int { return m.counts.n[[2]string{pass, name}] }

// lists reports a name under which the pass may count.
func (p *Info) lists(name string) bool {
	is := func(s Statistic) bool { return s.Name == name }
	return slices.ContainsFunc(commonStats, is) || slices.ContainsFunc(p.Statistics, is)
}

// WriteStats writes what the passes counted, as LLVM's -stats does, then what building graphs did meanwhile.
// Which rules fired how often follows (see Watch), and how many graphs were analysed for how many questions.
func (m *Manager) WriteStats(w io.Writer, list List) {
	timing.Banner(w, "... Pass statistics report ...")
	for _, name := range m.counts.passes {
		fmt.Fprintf(w, "'%s'\n", name)
		if info := list.Find(name); info != nil {
			for _, s := range slices.Concat(commonStats, info.Statistics) {
				fmt.Fprintf(w, "  (S) %6d %s - %s\n", m.Stats(name, s.Name), s.Name, s.Doc)
			}
		}
		for _, s := range builtStats {
			if n := m.Stats(name, builtKey+s.Name); n > 0 {
				fmt.Fprintf(w, "  (S) %6d %s - %s\n", n, s.Name, s.Doc)
			}
		}
	}
	m.writeRules(w)
	if m.ctx != nil && len(m.ctx.Analyses()) > 0 {
		fmt.Fprintf(w, "analyses, each kept with its graph\n")
		for _, a := range m.ctx.Analyses() {
			fmt.Fprintf(w, "  (A) %6d %s - made; asked for %d times\n", a.Made, a.Name, a.Asked)
		}
	}
}
