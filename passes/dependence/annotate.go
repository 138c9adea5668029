package dependence

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// writer writes results as attributes.
type writer struct {
	info  map[*ir.Graph]map[ir.Value]ir.Attr
	rules ir.Rules
}

func (w *writer) unit(u *Unit, r *Result) {
	c := u.Graph.Ctx
	at := map[ir.Value]ir.Attr{}
	w.info[u.Graph] = at
	rows := r.Rows() // the statements first
	for k, i := range r.Infos {
		at[u.Ops[i.Statement]] = rowAttr(c, &rows[k])
		w.rules[u.Graph.Def(u.Ops[i.Statement])] = w.annotate
	}
	if u.Outer == nil {
		return
	}
	var dummies []ir.Attr
	for _, row := range rows {
		if row.Dummy {
			dummies = append(dummies, rowAttr(c, &row))
		}
	}
	if dummies != nil || u.Outer.Attr(u.Op, InfoAttr) != 0 {
		if w.info[u.Outer] == nil {
			w.info[u.Outer] = map[ir.Value]ir.Attr{}
		}
		w.info[u.Outer][u.Op] = dict(c, map[string]ir.Attr{"dummies": c.ArrayAttr(dummies...)})
		w.rules[u.Outer.Def(u.Op)] = w.annotate
	}
}

// annotate copies an op with what is known of it.
func (w *writer) annotate(m *ir.Mirror, n ir.Node) ir.Value {
	a, ok := w.info[n.Graph()][n.Old()]
	if !ok {
		return 0
	}
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: m.B.Ctx().WithDiscardable(n.Attrs(), InfoAttr, a), Type: n.Type(), Graphs: m.Children(n)}
	for i := range n.NumRegions() {
		if len(n.Children()) == 0 {
			call.Regions = append(call.Regions, m.Region(n.Region(i)))
		}
	}
	return m.B.Must(call)
}

// rowAttr is a row as a dictionary; what is empty is left out.
func rowAttr(c *ir.Context, r *Row) ir.Attr {
	out := map[string]ir.Attr{"id": c.StringAttr(r.ID)}
	if r.Dummy {
		out["part"] = c.StringAttr(r.Text)
	} else {
		out["class"] = c.StringAttr(r.class())
	}
	for _, k := range Kinds() {
		if list := *r.on(k); len(list) > 0 {
			out[k.String()] = stringsAttr(c, list)
		}
	}
	if r.Output {
		out["output"] = c.UnitAttr()
	}
	if r.Uniform {
		out["uniform"] = c.UnitAttr()
	}
	if r.Offsets != nil {
		offsets := map[string]ir.Attr{}
		for on, text := range r.Offsets {
			offsets[on] = c.StringAttr(text)
		}
		out["offsets"] = dict(c, offsets)
	}
	return dict(c, out)
}

func stringsAttr(c *ir.Context, list []string) ir.Attr {
	out := lists.Map(list, c.StringAttr)
	return c.ArrayAttr(out...)
}

func dict(c *ir.Context, entries map[string]ir.Attr) ir.Attr {
	var out []ir.NamedAttr
	for name, a := range entries {
		out = append(out, ir.NamedAttr{Name: name, Value: a})
	}
	slices.SortFunc(out, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	return c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: out})
}
