package pass

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
)

// The statistics of what building graphs did, whatever pass asked for it.
var builtStats = []Statistic{
	{"folds", "ops that a rule made into something else"},
	{"shared", "ops that were found equal to one that was there"},
	{"overwritten", "writes that nobody sees before the next one"},
	{"dead", "ops that nothing needs"},
	{"hoisted", "ops that left a loop"},
	{"raised", "ops that left a branch or region that runs once"},
	{"sunk", "ops that went to where alone they are needed"},
	{"garbage", "ops of regions that were thrown away: equal to others, or tried and wrong"},
}

// built counts events by rule and by statistic.
type built struct {
	mu    sync.Mutex
	rules map[string]int
	fired map[string]int // rules since Took was called last
	n     map[string]int
}

// Watch is a watcher for ir.Context.Watch: it counts what becomes of ops, for
// WriteStats. Set it before anything is built.
func (m *Manager) Watch(e ir.Event) {
	var t ir.Tally
	if e.Kind == ir.Finished { // outside of the lock: it takes a schedule
		t = e.Tally()
	}
	b := &m.built
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n == nil {
		b.n, b.rules, b.fired = map[string]int{}, map[string]int{}, map[string]int{}
	}
	switch e.Kind {
	case ir.Folded:
		b.n["folds"]++
		b.rules[e.Rule]++
		b.fired[e.Rule]++
	case ir.Shared:
		if !e.Graph.Def(e.Value).Has(ir.ConstantLike) {
			b.n["shared"]++
		}
	case ir.Overwritten:
		b.n["overwritten"]++
	case ir.Finished:
		b.n["hoisted"] += t.Hoisted
		b.n["raised"] += t.Raised
		b.n["sunk"] += t.Sunk
		b.n["dead"] += t.Dead
		b.n["garbage"] += t.Garbage
	}
}

// Took adds what was counted since it was called last to the statistics of a
// pass, or of work that is no pass.
func (m *Manager) Took(name string) {
	m.built.mu.Lock()
	defer m.built.mu.Unlock()
	for _, s := range builtStats {
		if n := m.built.n[s.Name]; n > 0 {
			m.counts.add(name, builtKey+s.Name, n)
		}
	}
	for rule, n := range m.built.fired {
		m.counts.add(name, ruleKey+rule, n)
	}
	clear(m.built.n)
	clear(m.built.fired)
}

// builtKey keeps these statistics apart from those that a pass has of the same name.
const builtKey = "built "

// ruleKey is before the name of a rule that fired in a pass.
const ruleKey = "rule "

// writeRules lists the rules that fired, the most frequent first, and in which pass how often.
func (m *Manager) writeRules(w io.Writer) {
	if len(m.built.rules) == 0 {
		return
	}
	var names []string
	for r := range m.built.rules {
		names = append(names, r)
	}
	n := m.built.rules
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
	fmt.Fprintf(w, "rules that fired\n")
	for _, r := range names {
		doc := r
		if r == "" {
			doc = "an op of constants = the constant that it gives"
		}
		var by []string
		for _, pass := range m.counts.passes {
			if k := m.Stats(pass, ruleKey+r); k > 0 {
				by = append(by, fmt.Sprintf("%s %d", pass, k))
			}
		}
		fmt.Fprintf(w, "  (R) %6d %s - in %s\n", n[r], doc, strings.Join(by, ", "))
	}
}
