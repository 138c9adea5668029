package cli

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// explained is the report of `irc explain`. It compares the program as written
// (read verbatim) with the schedule of its graph, by the places in the source
// that ops come from.
type explained struct {
	Functions []explainedGraph `json:"functions"`
	Removed   []explainedOp    `json:"removed"`
	Order     []string         `json:"order,omitempty"` // of the statements of a model
	Remarks   []remark         `json:"remarks"`
}

type explainedGraph struct {
	Name string        `json:"name"`
	Ops  []explainedOp `json:"ops"`
}

type explainedOp struct {
	Op     string `json:"op"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Depth  int    `json:"depth"`            // regions around it in its function
	Was    int    `json:"was_depth"`        // as it was written
	Shared []int  `json:"shared,omitempty"` // lines of the other ops that it stands for
	Why    string `json:"why"`
}

type remark struct {
	Pass string `json:"pass"`
	Text string `json:"text"`
}

// explain says where each op stands and why.
func explain(s *session) error {
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	p, err := s.pipeline(src)
	if err != nil {
		return err
	}
	ctx := s.newContext()
	folds := traceFolds(ctx, src)
	out := explained{Functions: []explainedGraph{}, Removed: []explainedOp{}, Remarks: []remark{}}
	var g *ir.Graph
	var list diag.List
	written := map[int]writtenOp{}
	if kind == kindBUGS {
		m, err := s.model(ctx, src)
		if err != nil {
			return err
		}
		g, out.Order = m.Graph(), m.Facts().Order
	} else {
		if g, list = s.parseIR(ctx, src); g != nil {
			raw, _ := text.Parse(s.newContext(), src, text.Options{Verbatim: true, AllowUnregistered: s.flag("allow-unregistered-dialect")})
			if raw != nil {
				asWritten(raw, "", written)
			}
		}
	}
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return errSaid
	}
	m := s.manager()
	m.Print = func(g *ir.Graph, generic bool) string { t, _ := s.printIR(g, src, generic); return t }
	m.Remark = func(name, text string) { out.Remarks = append(out.Remarks, remark{name, text}) }
	if g, err = m.Run(s.ctx, g, p); err != nil {
		return s.placed(ctx, src, err)
	}
	seen := map[int]bool{}
	x := &explainer{src: src, written: written, seen: seen}
	x.graph(g, "", &out)
	ctx.OnFold = nil
	out.Removed = x.removed(folds)
	if s.flag("json") {
		return s.writeJSON(out)
	}
	return s.write([]byte(out.text()))
}

// writtenOp is an op as it stands in the source.
type writtenOp struct {
	name     string
	function string
	depth    int
	loops    int
	def      *ir.OpDef
}

// asWritten maps offsets in the source to the ops that begin there.
func asWritten(g *ir.Graph, function string, out map[int]writtenOp) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	s.Walk(func(v ir.Value) {
		if ls := g.LocsOf(v); len(ls) > 0 && ls[0]&ir.LocAttr == 0 {
			out[int(ls[0])-1] = writtenOp{g.Def(v).Name, function, s.Depth(s.Place(v)), loopsAround(g, s, v), g.Def(v)}
		}
		for _, c := range g.Children(v) {
			asWritten(c, nameOf(g.NodeOf(v)), out)
		}
	})
}

// loopsAround counts the loops that an op stands in.
func loopsAround(g *ir.Graph, s *ir.Schedule, v ir.Value) (n int) {
	for r := s.Place(v); r != ir.Root; r = s.Place(g.Owner(r)) {
		if g.KindOf(r) == ir.Loop {
			n++
		}
	}
	return n
}

// nameOf is how the report calls the graph of an isolated op; a module has none.
func nameOf(n ir.Node) string {
	if sym := pass.SymbolOf(n); sym != "" || n.Def().Name == "builtin.module" {
		return sym
	}
	return n.Def().Name
}

type explainer struct {
	src     *diag.Source
	written map[int]writtenOp
	seen    map[int]bool
}

func (x *explainer) graph(g *ir.Graph, name string, out *explained) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	e := explainedGraph{Name: name, Ops: []explainedOp{}}
	at := -1
	if name != "" {
		at = len(out.Functions)
		out.Functions = append(out.Functions, e)
	}
	s.Walk(func(v ir.Value) {
		n := g.NodeOf(v)
		op := x.op(g, s, v, name)
		if at >= 0 {
			out.Functions[at].Ops = append(out.Functions[at].Ops, op)
		}
		for _, c := range g.Children(v) {
			x.graph(c, nameOf(n), out)
		}
	})
}

// op explains one op: where it stands, compared with where it was written.
func (x *explainer) op(g *ir.Graph, s *ir.Schedule, v ir.Value, function string) explainedOp {
	o := explainedOp{Op: g.Def(v).Name, Depth: s.Depth(s.Place(v)), Was: -1}
	var notes []string
	for i, l := range g.LocsOf(v) {
		if l&ir.LocAttr != 0 {
			continue
		}
		off := int(l) - 1
		x.seen[off] = true
		line, col := x.src.Position(off)
		if i == 0 {
			o.Line, o.Column = line, col
			if w, ok := x.written[off]; ok {
				o.Was = w.depth
				notes = append(notes, moved(w, o, loopsAround(g, s, v), function)...)
			}
		} else {
			o.Shared = append(o.Shared, line)
		}
	}
	if len(o.Shared) > 0 {
		notes = append(notes, "also what lines "+strings.Trim(fmt.Sprint(o.Shared), "[]")+" came to")
	}
	if o.Was < 0 {
		o.Was = o.Depth
		if len(x.written) > 0 { // else the source is no IR: all is made from it
			notes = append(notes, "made by a rule or pass")
		}
	}
	o.Why = strings.Join(append(notes, pinned(g, v)), "; ")
	return o
}

func moved(w writtenOp, o explainedOp, loops int, function string) []string {
	switch {
	case w.function != function && w.function != "":
		return []string{"came from @" + w.function}
	case w.name != o.Op:
		return []string{"made from " + w.name}
	case loops < w.loops:
		return []string{fmt.Sprintf("moved out of %d of %d loops: it needs nothing of them", w.loops-loops, w.loops)}
	case o.Depth < w.depth:
		return []string{"moved out: it is used further out or needs nothing in there"}
	case o.Depth > w.depth:
		return []string{"moved into the branch that alone needs it"}
	}
	return nil
}

// pinned says what keeps a node where it is.
func pinned(g *ir.Graph, v ir.Value) string {
	switch {
	case g.Def(v).Has(ir.Terminator):
		return "ends its region"
	case g.Def(v).Has(ir.Opaque):
		return "unknown effects: stays in order"
	case g.HasEffect(v):
		return "writes: stays in order"
	case g.Def(v).Has(ir.Unique):
		return "allocates: stays in its region"
	case g.IsPartial(v):
		return "may trap: does not move to where it would run more often"
	case len(g.Hard(v)) > 0:
		return "reads: stays after the last write that it sees"
	}
	return "pure: stands where it runs least"
}

// removed lists the ops of the source that no op of the schedule comes from.
func (x *explainer) removed(folds *foldTrace) []explainedOp {
	out := []explainedOp{}
	for off, w := range x.written {
		if x.seen[off] {
			continue
		}
		line, col := x.src.Position(off)
		out = append(out, explainedOp{Op: w.name, Line: line, Column: col, Depth: w.depth, Was: w.depth, Why: folds.why(off, w)})
	}
	sort.Slice(out, func(i, j int) bool {
		return slices.Compare([]int{out[i].Line, out[i].Column}, []int{out[j].Line, out[j].Column}) < 0
	})
	return out
}

func (e *explained) text() string {
	var b strings.Builder
	if len(e.Order) > 0 {
		b.WriteString("order of the statements\n")
		for i, st := range e.Order {
			fmt.Fprintf(&b, "  %3d  %s\n", i+1, st)
		}
	}
	for _, f := range e.Functions {
		fmt.Fprintf(&b, "@%s\n", f.Name)
		for _, o := range f.Ops {
			place := "-"
			if o.Line > 0 {
				place = fmt.Sprintf("%d:%d", o.Line, o.Column)
			}
			fmt.Fprintf(&b, "  %7s  %s%-*s  %s\n", place, strings.Repeat("  ", o.Depth), max(1, 28-2*o.Depth), o.Op, o.Why)
		}
	}
	if len(e.Removed) > 0 {
		b.WriteString("removed\n")
		for _, o := range e.Removed {
			fmt.Fprintf(&b, "  %7s  %-28s  %s\n", fmt.Sprintf("%d:%d", o.Line, o.Column), o.Op, o.Why)
		}
	}
	if len(e.Remarks) > 0 {
		b.WriteString("passes\n")
		for _, r := range e.Remarks {
			fmt.Fprintf(&b, "  %s: %s\n", r.Pass, r.Text)
		}
	}
	return b.String()
}
