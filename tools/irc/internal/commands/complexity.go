package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A costTable is what the statements of one system cost, and all together.
type costTable struct {
	function   string
	statements []costRow
	total      costRow
}

// A costRow is the cost of a statement: its order of growth, and with -D a number.
type costRow struct {
	name, domain, growth, count string
	at                          ir.Loc // of a statement; those made of one are where it is
}

// gone stands for the cost of a statement where there is none of its name.
const gone = "-"

// complexity prints what each statement of a system costs, and all of them.
func complexity(s *session) error {
	src, kind, err := s.Input()
	if err != nil {
		return err
	}
	p, err := s.Pipeline(src)
	if err != nil {
		return err
	}
	ctx := s.NewContext()
	g, list := s.Load(ctx, src, kind)
	for _, d := range list {
		fmt.Fprintln(s.Stderr, d)
	}
	if list.Err() != nil {
		return cli.ErrSaid
	}
	before, after, err := s.costs(g, src, p)
	if err != nil {
		return err
	}
	if s.Flag("json") {
		data, err := jsontext.Encode(costsJSON(before, after))
		if err != nil {
			return err
		}
		return s.Write(append(data, '\n'))
	}
	return s.Write(costsText(before, after))
}

// costs are the tables before the passes and after them. Where a pass finds the systems
// (raise-affine), they are as it finds them before. Without passes there is none before.
func (s *session) costs(g *ir.Graph, src *diag.Source, p *pass.Pipeline) (before, after []costTable, err error) {
	m := s.Manager()
	m.Print, m.Line = s.Printer(src), cli.Lines(src)
	tables := func() (out []costTable, err error) {
		if out, err = s.costTables(g); err != nil {
			err = s.Placed(g.Ctx, src, err)
		}
		return out, err
	}
	if before, err = tables(); err != nil {
		return nil, nil, err
	}
	found := len(before) > 0
	for i, step := range p.Steps {
		next, err := m.Run(s.Context, g, &pass.Pipeline{Steps: []pass.Step{step}})
		if err != nil {
			s.KeepFailure(err)
			return nil, nil, s.Placed(g.Ctx, src, err)
		}
		g = next
		if len(before) == 0 || i == len(p.Steps)-1 {
			if after, err = tables(); err != nil {
				return nil, nil, err
			}
		}
		if len(before) == 0 {
			before = after
		}
	}
	s.Reports(m)
	if len(p.Steps) == 0 {
		before, after = nil, before
	}
	switch {
	case len(after) > 0:
		return before, after, nil
	case found || len(before) > 0:
		return nil, nil, diag.Errorf(diag.Span{}, "the passes leave no system of statements").WithFix("leave out those that make loops of it, as poly-codegen does")
	}
	return nil, nil, diag.Errorf(diag.Span{}, "the program has no system of statements").
		WithFix("`irc complexity` is about .eq files, and text IR with a poly.system; -passes=raise-affine makes one of affine loops")
}

// costTables has a table for each system of a program.
func (s *session) costTables(g *ir.Graph) (out []costTable, err error) {
	var systems []*poly.System
	var functions []string
	collect := func(function string, g *ir.Graph) {
		for _, sys := range poly.Systems(g) {
			systems, functions = append(systems, sys), append(functions, function)
		}
	}
	collect("", g)
	err = pass.Isolated(g, func(owner ir.Node, body *ir.Graph) error { collect(symbols.Of(owner), body); return nil })
	if err != nil || len(systems) == 0 {
		return nil, err
	}
	given, err := s.Params()
	if err == nil {
		err = areParameters(systems, given)
	}
	for i, sys := range systems {
		if err != nil {
			return nil, err
		}
		var t costTable
		t, err = s.costTable(sys, given)
		t.function = functions[i]
		out = append(out, t)
	}
	return out, err
}

// costTable counts the instances of a system.
func (s *session) costTable(sys *poly.System, given map[string]string) (out costTable, err error) {
	bounded := *sys
	bounded.Budget = s.Fuel()
	costs, err := bounded.Costs()
	if err != nil {
		return out, err
	}
	at, err := sizes(sys, given)
	if err != nil {
		return out, err
	}
	number := func(n func(map[string]presburger.Int) (presburger.Int, error)) string {
		if at == nil || err != nil {
			return ""
		}
		var k presburger.Int
		k, err = n(at)
		return k.String()
	}
	for _, c := range costs.Statements {
		st := c.Statement
		out.statements = append(out.statements, costRow{st.Name, st.Domain.String(), c.Growth.String(), number(c.Count.At), placeOf(st.Node)})
	}
	out.total = costRow{name: "total", growth: costs.Total.String(), count: number(costs.At)}
	if err != nil {
		err = sys.Node.Errorf("%v", err)
	}
	return out, err
}

// costsText has a line a statement: the name, the cost, with -D the number, the domain.
// Several systems are tables of their own.
func costsText(before, after []costTable) []byte {
	var b strings.Builder
	for i, t := range after {
		if len(after) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "@%s\n", t.function)
		}
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		if before == nil {
			for _, r := range append(slices.Clip(t.statements), t.total) {
				r.write(w)
			}
		} else {
			was := tableBefore(before, after, i)
			for _, r := range append(sideBySide(was.statements, t.statements), arrow(was.total, t.total)) {
				r.write(w)
			}
		}
		w.Flush()
	}
	return []byte(b.String())
}

// write writes a line; of the domain what comes after the parameters.
func (r costRow) write(w *tabwriter.Writer) {
	cells := []string{r.name, r.growth}
	if r.count != "" {
		cells = append(cells, r.count)
	}
	if i := strings.Index(r.domain, "{"); i >= 0 {
		cells = append(cells, r.domain[i:])
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}

// tableBefore is what the system of a table was: the one in the same place of its function.
func tableBefore(before, after []costTable, i int) costTable {
	place := 0
	for _, t := range after[:i] {
		if t.function == after[i].function {
			place++
		}
	}
	for _, t := range before {
		if t.function == after[i].function {
			if place == 0 {
				return t
			}
			place--
		}
	}
	return costTable{total: costRow{growth: gone}}
}

// sideBySide pairs what there was with what there is, by name. What is new comes after the last of
// those in its place, of which it was made.
func sideBySide(before, after []costRow) (out []costRow) {
	now, was := map[string]costRow{}, map[string]bool{}
	last := map[ir.Loc]string{}
	for _, r := range before {
		was[r.name], last[r.at] = true, r.name
	}
	made := map[string][]costRow{} // by the statement that it comes after; "" is the last
	for _, r := range after {
		if now[r.name] = r; !was[r.name] {
			made[last[r.at]] = append(made[last[r.at]], arrow(costRow{name: r.name, growth: gone}, r))
		}
	}
	for _, r := range before {
		n, ok := now[r.name]
		if !ok {
			n = costRow{growth: gone, domain: r.domain}
		}
		out = append(append(out, arrow(r, n)), made[r.name]...)
	}
	return append(out, made[""]...)
}

// placeOf is where a node comes from first, or 0.
func placeOf(n ir.Node) ir.Loc {
	if at := n.Graph().LocsOf(n.Old()); len(at) > 0 {
		return at[0]
	}
	return 0
}

// arrow is a row with both costs, and the domain that is now.
func arrow(was, now costRow) costRow {
	r := costRow{name: was.name, domain: now.domain, growth: was.growth + " -> " + now.growth}
	if was.count == "" {
		was.count = gone
	}
	if now.count == "" {
		now.count = gone
	}
	if was.count != gone || now.count != gone {
		r.count = was.count + " -> " + now.count
	}
	return r
}

// costsJSON is what there is after the passes, and in "before" what there was; of several
// systems a list.
func costsJSON(before, after []costTable) jsontext.Object {
	var systems []jsontext.Object
	for i, t := range after {
		o := t.json()
		if before != nil {
			o = append(o, jsontext.Fields("before", tableBefore(before, after, i).json())...)
		}
		if len(after) == 1 {
			return o
		}
		systems = append(systems, append(jsontext.Fields("function", t.function), o...))
	}
	return jsontext.Fields("systems", systems)
}

func (t costTable) json() jsontext.Object {
	list := []jsontext.Object{}
	for _, r := range t.statements {
		list = append(list, r.withCount(jsontext.Fields("name", r.name, "domain", r.domain, "cost", r.growth)))
	}
	return t.total.withCount(jsontext.Fields("statements", list, "total", t.total.growth))
}

func (r costRow) withCount(o jsontext.Object) jsontext.Object {
	if r.count != "" {
		o = append(o, jsontext.Fields("count", json.RawMessage(r.count))...)
	}
	return o
}
