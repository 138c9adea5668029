package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// A cost is the order of growth of what something takes, before and after passes.
type cost struct{ name, domain, before, after string }

// complexity prints what each statement of a system costs, and all of them.
func complexity(s *session) error {
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	p, err := s.pipeline(src)
	if err != nil {
		return err
	}
	ctx := s.newContext()
	g, list := s.load(ctx, src, kind)
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return errSaid
	}
	before, total, err := costs(g)
	if err != nil {
		return diagnose(ctx, src, err)
	}
	after, totalAfter := before, total
	if len(p.Steps) > 0 {
		m := s.manager()
		if g, err = m.Run(s.ctx, g, p); err != nil {
			s.keepFailure(err)
			return s.placed(ctx, src, err)
		}
		if after, totalAfter, err = costs(g); err != nil {
			return diagnose(ctx, src, err)
		}
	}
	if len(before) == 0 {
		return diag.Errorf(diag.Span{}, "the program has no equations").WithFix("`irc complexity` is about .eq files, and text IR with a poly.system")
	}
	all := sideBySide(before, after)
	if s.flag("json") {
		return s.write(costsJSON(all, totalAfter))
	}
	all = append(all, cost{name: "total", before: total, after: totalAfter})
	return s.write(costsText(all, len(p.Steps) > 0))
}

// costs are those of the statements of all systems of a program, and of all together.
func costs(g *ir.Graph) (out []cost, total string, err error) {
	var everything presburger.Set
	graphs := []*ir.Graph{g}
	collect := func(_ ir.Node, body *ir.Graph) error { graphs = append(graphs, body); return nil }
	if err := pass.Isolated(g, collect); err != nil {
		return nil, "", err
	}
	for _, g := range graphs {
		for _, sys := range poly.Systems(g) {
			for _, st := range sys.Statements {
				d, err := st.Domain.IntersectParams(sys.Context)
				if err != nil {
					return nil, "", sys.Node.Errorf("%v", err)
				}
				d = d.AlignParams(sys.Params...)
				text, err := growth(d)
				if err != nil {
					return nil, "", st.Node.Errorf("%v", err)
				}
				out = append(out, cost{st.Name, st.Domain.String(), text, text})
				everything = everything.AlignParams(sys.Params...).Union(d)
			}
		}
	}
	if len(out) > 0 {
		total, err = growth(everything)
	}
	return out, total, err
}

// growth is the order of growth of the number of points of a set: "N^2*K + N".
func growth(s presburger.Set) (string, error) {
	n, err := s.Card()
	if err != nil {
		return "", err
	}
	c, err := n.Complexity()
	return c.String(), err
}

// sideBySide pairs what there was before and after, by name.
func sideBySide(before, after []cost) (out []cost) {
	for _, x := range before {
		x.after = "-"
		for _, y := range after {
			if y.name == x.name {
				x.after = y.before
			}
		}
		out = append(out, x)
	}
	for _, y := range after {
		is := false
		for _, x := range before {
			is = is || x.name == y.name
		}
		if !is {
			y.after, y.before = y.before, "-"
			out = append(out, y)
		}
	}
	return out
}

func costsText(all []cost, both bool) []byte {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, c := range all {
		line := c.before
		if both {
			line += " -> " + c.after
		}
		fmt.Fprintf(w, "%s\t%s\n", c.name, line)
	}
	w.Flush()
	return []byte(b.String())
}

// costsJSON has what there is after the passes.
func costsJSON(all []cost, total string) []byte {
	list := []object{}
	for _, c := range all {
		if c.after != "-" {
			list = append(list, object{{"name", c.name}, {"domain", c.domain}, {"cost", c.after}})
		}
	}
	data, err := encode(object{{"statements", list}, {"total", total}})
	if err != nil {
		panic(err) // strings alone
	}
	return append(data, '\n')
}
