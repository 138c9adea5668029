package irctest

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A rule is a fold or a cleanup of the dialect.
type rule struct {
	of   *ir.OpDef
	name string
}

// rulesOf lists the folds and then the cleanups of a dialect.
func rulesOf(d *ir.Dialect) (out []rule) {
	for _, f := range d.Folds {
		out = append(out, rule{f.Of, f.Rule})
	}
	for _, c := range d.Cleanups {
		out = append(out, rule{c.Of, c.Rule})
	}
	return out
}

// clean rebuilds a program with the cleanups of all dialects, and notes which rules fire; nil if the dialect has none.
func (x *dialectTest) clean(c *ir.Context, g *ir.Graph) (cleaned *ir.Graph, fired []string) {
	if len(x.d.Cleanups) == 0 {
		return nil, nil
	}
	fired = x.watch(c, func() { cleaned = ir.Rewrite(c, ir.ScheduleOf(g), c.Cleanups(), nil) })
	return cleaned, fired
}

const cleanupsDiffer = "the cleanups change the meaning"

// differsCleaned compares a program that was cleaned up with what it means.
func differsCleaned(g *ir.Graph, entry string, in input, want outcome) *fault {
	if g == nil {
		return nil
	}
	return differs(cleanupsDiffer, g, entry, in, want, interp.Options{})
}

// noticedByCleaning compares a graph that was cleaned up with what the program means.
func (k *known) noticedByCleaning(g *ir.Graph) *fault {
	for i, in := range k.inputs {
		if k.wants[i].means() {
			if f := differsCleaned(g, k.entry, in, k.wants[i]); f != nil {
				return f
			}
		}
	}
	return nil
}

// cleanupVerdict tries a wrong cleanup in the place of one: with a result off by one, another operand, or two operands of the
// result exchanged. Its operands are nodes of the old graph, which nobody can exchange.
func (x *dialectTest) cleanupVerdict(i int, runs []known) (v verdict) {
	original := x.d.Cleanups[i]
	runs = x.concerned(rule{original.Of, original.Rule}, runs)
	m := &mutant{busy: map[*ir.Builder]bool{}}
	d := *x.d
	d.Cleanups = slices.Clone(d.Cleanups)
	d.Cleanups[i].Do = func(to *ir.Mirror, n ir.Node) ir.Value { return m.wrongResult(to, n, original.Do(to, n)) }
	ctx := ir.NewContext(with(x.list, &d)...)
	seen := slices.ContainsFunc(runs, func(k known) bool {
		find := func(c *ir.Context, src, _ string, _ []input) *fault {
			g, err := parse(c, src, false)
			if err != nil {
				return &fault{what: err.Error()}
			}
			cleaned, _ := x.clean(c, g)
			return k.noticedByCleaning(cleaned)
		}
		return guard(find)(ctx, k.text, k.entry, nil) != nil
	})
	switch {
	case seen:
		return verdict{applied: 1, noticed: 1}
	case m.applied:
		return verdict{applied: 1, unnoticed: []string{"another result"}}
	}
	return v
}

// wrongResult is another result of a cleanup than v, where there is one.
func (m *mutant) wrongResult(to *ir.Mirror, n ir.Node, v ir.Value) ir.Value {
	if v == 0 {
		return 0
	}
	call := &ir.Call{Def: n.Def(), Args: to.All(n.Args()), Type: n.Type()}
	w := m.another(to.B, call, v)
	if w == 0 || w == v || to.B.Graph().Type(w) != n.Type() {
		return v
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.applied = true
	return w
}
