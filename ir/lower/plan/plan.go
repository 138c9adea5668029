package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
)

// A Plan is the lowerings of all dialects to a level, in an order in which their rules
// can be asked.
type Plan struct {
	Level  string
	Remark func(g *ir.Graph, at ir.Value, text string) // what Env.Remark says goes there, if it is not nil
	rows   []row
}

type row struct {
	*lower.Lowering
	dialect, name string
	symbols       any
}

// String names a row in errors.
func (r row) String() string {
	if r.name == r.dialect {
		return "dialect " + r.dialect
	}
	return fmt.Sprintf("%q of dialect %s", r.name, r.dialect)
}

// New joins the lowerings of all dialects to a level. The error names two that
// have rules for one op and no order, or an order that has a cycle.
func New(ctx *ir.Context, level string) (*Plan, error) {
	p := &Plan{Level: level}
	for _, d := range ctx.Dialects() {
		t := ir.Table[lower.Table](d)
		for i := range t {
			if t[i].Level != level {
				continue
			}
			r := row{Lowering: &t[i], dialect: d.Name, name: t[i].Name}
			if r.name == "" {
				r.name = d.Name
			}
			if r.Rules != nil && r.New != nil || (r.New == nil) != (len(r.Of) == 0) {
				panic(fmt.Sprintf("lower: the lowering of %v to %s has neither rules alone nor a constructor with the ops that it is for", r, level))
			}
			p.rows = append(p.rows, r)
		}
	}
	if err := p.order(); err != nil {
		return nil, err
	}
	return p, nil
}

// order sorts the rows by what they say comes first, and else by the order of the
// dialects.
func (p *Plan) order() error {
	n := len(p.rows)
	before := make([][]bool, n) // before[i][j]: row i comes before row j
	for i := range before {
		before[i] = make([]bool, n)
	}
	for i, x := range p.rows {
		for j, y := range p.rows {
			before[i][j] = slices.Contains(x.Before, y.name) || slices.Contains(y.After, x.name)
		}
	}
	// What comes before something that comes before a third comes before that, too. There are few rows, and this runs once
	// for each level of a context.
	for k := range n { // the transitive closure (Warshall 1962)
		for i := range n {
			for j := range n {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	for i, x := range p.rows {
		if before[i][i] {
			return fmt.Errorf("the order of the lowerings to %s has a cycle: %v comes before itself, by way of %s", p.Level, x, p.cycle(before, i))
		}
		for j, y := range p.rows[:i] {
			if def := shared(x.Lowering, y.Lowering); def != nil && !before[i][j] && !before[j][i] {
				return fmt.Errorf("%s has two rules to %s, of %v and of %v: one of them must say that it comes Before or After the other", def.Name, p.Level, y, x)
			}
		}
	}
	// Of the rows that nothing left has to come before, the first one in the order of the dialects is next: so the order is
	// the same in every run, and a new row moves no others.
	var sorted []row
	for taken := make([]bool, n); len(sorted) < n; {
		for i, r := range p.rows {
			if !taken[i] && !slices.ContainsFunc(indices(n), func(j int) bool { return !taken[j] && before[j][i] }) {
				taken[i], sorted = true, append(sorted, r)
				break
			}
		}
	}
	p.rows = sorted
	return nil
}

// indices are the numbers below n.
func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// cycle names the other rows of a cycle through row i.
func (p *Plan) cycle(before [][]bool, i int) string {
	var out []string
	for j, r := range p.rows {
		if j != i && before[i][j] && before[j][i] {
			out = append(out, r.String())
		}
	}
	if len(out) == 0 {
		return "its own name"
	}
	return strings.Join(out, ", ")
}

// shared is an op that two lowerings have rules for, or nil.
func shared(x, y *lower.Lowering) *ir.OpDef {
	ops := opsOf(y)
	for _, def := range opsOf(x) {
		if slices.Contains(ops, def) {
			return def
		}
	}
	return nil
}

// Ops reports the ops that the plan has rules for, and whether they must be gone in the end.
func (p *Plan) Ops() map[*ir.OpDef]bool {
	out := map[*ir.OpDef]bool{}
	for _, r := range p.rows {
		for _, def := range opsOf(r.Lowering) {
			out[def] = out[def] || !r.Optional
		}
	}
	return out
}

// Options lists the options of the lowerings, each once.
func (p *Plan) Options() []lower.Option {
	var out []lower.Option
	for _, r := range p.rows {
		for _, o := range r.Options {
			if !slices.ContainsFunc(out, func(x lower.Option) bool { return x.Name == o.Name }) {
				out = append(out, o)
			}
		}
	}
	return out
}

// Prepare makes the symbols that rules of the plan refer to, in a graph that is to be lowered by Phase.
func (p *Plan) Prepare(g *ir.Graph) *ir.Graph {
	for i := range p.rows {
		if f := p.rows[i].Module; f != nil {
			g, p.rows[i].symbols = f(g)
		}
	}
	return g
}

// rules are the rules of the plan for a target, with what options are set to.
func (p *Plan) rules(t *target.Target, values Values) ir.Rules {
	out := ir.Rules{}
	for i := range p.rows {
		r := p.rows[i]
		add := func(def *ir.OpDef, rule func(*ir.Mirror, ir.Node) ir.Value) { out[def] = First(out[def], rule) }
		for def, rule := range r.Rules {
			add(def, rule)
		}
		for _, def := range r.Of {
			add(def, func(m *ir.Mirror, n ir.Node) ir.Value {
				made := m.Once(r.Lowering, func() any {
					return r.Make(lower.Env{Target: t, Schedule: m.Schedule(), Symbols: r.symbols}, values, p.Remark)
				}).(ir.Rules)
				if rule := made[def]; rule != nil {
					return rule(m, n)
				}
				return 0
			})
		}
	}
	return out
}

// First is the rule that asks two, either of which may be nil, one after the other.
func First(x, y func(*ir.Mirror, ir.Node) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		if v := x(m, n); v != 0 {
			return v
		}
		return y(m, n)
	}
}

// Phase lowers a graph to the level of the plan.
func (p *Plan) Phase(t *target.Target, values Values) *ir.Phase {
	ops := p.Ops()
	return &ir.Phase{Name: p.Level, Rules: p.rules(t, values), Illegal: func(d *ir.OpDef) bool { return ops[d] }, Schedule: t.Schedule()}
}
