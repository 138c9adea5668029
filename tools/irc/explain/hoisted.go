package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Hoisted lists what the lowered log density of a model computes further out than the
// statement that it is for.
func Hoisted(lowered *ir.Graph, statements []Statement) []Hoist {
	out := []Hoist{}
	for owner := range lowered.All() {
		if owner.Def() != funcs.Func || funcs.NameOf(owner.Graph(), owner.Old()) != "logdensity" {
			continue // the functions beside it, for setup and for large counts, have parts of the same
		}
		if body := owner.Children()[0]; body.HasBlock(ir.Root) {
			h := &hoister{g: body, s: ir.ScheduleOf(body), names: map[ir.Value]string{}, depth: map[ir.Value]int{}, at: map[ir.Value][]int{}}
			h.read(owner)
			for i := range statements {
				out = append(out, h.statement(&statements[i])...)
			}
		}
	}
	return out
}

// hoister knows of each op of a lowered density how many loops are around it and
// which statements it is for.
type hoister struct {
	g     *ir.Graph
	s     *ir.Schedule
	names map[ir.Value]string // of what the function is given
	ops   []ir.Value
	depth map[ir.Value]int
	at    map[ir.Value][]int // offsets of the statements
}

func (h *hoister) read(owner ir.Node) {
	c := h.g.Ctx
	if a := owner.Attr("arg_attrs"); a != 0 {
		for i, d := range c.AttrInfo(a).List {
			for _, e := range c.AttrInfo(d).Dict {
				if e.Name == "bugs.name" {
					h.names[h.g.Params(ir.Root)[i]] = c.AttrInfo(e.Value).Str
				}
			}
		}
	}
	for v := range h.s.All() {
		h.ops = append(h.ops, v)
		for r := h.s.Place(v); r != ir.Root; r = h.s.Place(h.g.Owner(r)) {
			if h.g.KindOf(r) == ir.Loop {
				h.depth[v]++
			}
		}
		for _, l := range h.g.LocsOf(v) {
			if l&ir.LocAttr == 0 && l > 0 {
				h.at[v] = append(h.at[v], int(l)-1)
			}
		}
	}
}

// statement lists what is computed for a statement with fewer loops around than it
// has: functions and quotients, and what else is used in its loops.
func (h *hoister) statement(st *Statement) []Hoist {
	deepest := 0
	for _, v := range h.ops {
		if slices.Contains(h.at[v], st.At) {
			deepest = max(deepest, h.depth[v])
		}
	}
	needed := map[ir.Value]bool{}
	for _, v := range slices.Backward(h.ops) {
		if !slices.Contains(h.at[v], st.At) || h.depth[v] < deepest && !needed[v] {
			continue
		}
		for _, a := range h.g.Args(v) {
			if n, _, _ := h.g.Projection(a); h.g.IsOp(n) && h.depth[n] < deepest && len(h.g.Regions(n)) == 0 {
				needed[n] = true
			}
		}
	}
	var out []Hoist
	if deepest < len(st.Loops) { // loops run as one, or are unrolled: which is which is not known
		deepest = min(deepest, 1)
	}
	for d := range deepest {
		r := Hoist{Line: st.Line, Text: st.Text, When: "once", What: []string{}}
		if d > 0 && st.Leveled {
			r.When = "once for each level"
		} else if d > 0 && d <= len(st.Loops) {
			r.When = "once for each " + strings.Join(st.Loops[:d], ", ")
		}
		for _, v := range h.ops {
			_, literal := h.g.Const(v)
			if h.depth[v] != d || literal || !slices.Contains(h.at[v], st.At) {
				continue
			}
			if t := h.spell(v, 0); h.expensive(v) && !slices.Contains(r.What, t) {
				r.What = append(r.What, t)
			} else if needed[v] {
				r.Other++
			}
		}
		if len(r.What) > 0 || r.Other > 0 {
			out = append(out, r)
		}
	}
	return out
}

// expensive reports functions and quotients.
func (h *hoister) expensive(v ir.Value) bool {
	def := h.g.Def(v)
	switch h.g.Ctx.DialectOf(def) {
	case math.Dialect:
		return def != math.Absf && def != math.Floor && def != math.Fma
	case special.Dialect:
		return true
	}
	return def == arith.Divf
}

var signs = map[*ir.OpDef]string{arith.Addf: "+", arith.Subf: "-", arith.Mulf: "*", arith.Divf: "/"}

// spell writes a value as an expression in the variables of the model.
func (h *hoister) spell(v ir.Value, depth int) string {
	n, _, many := h.g.Projection(v)
	args := h.g.Args(n)
	switch {
	case h.names[v] != "":
		return h.names[v]
	case !h.g.IsOp(n) || many || depth > 3 || len(h.g.Regions(n)) > 0:
		return "…"
	}
	if c, ok := h.g.Const(v); ok && c.Ref == nil && h.g.Type(v) == ir.F64 {
		return fmt.Sprint(c.F64())
	}
	if sign := signs[h.g.Def(n)]; sign != "" {
		text := h.spell(args[0], depth+1) + " " + sign + " " + h.spell(args[1], depth+1)
		if depth > 0 {
			return "(" + text + ")"
		}
		return text
	}
	if a, ok := ir.As[ir.AccessLike](h.g.NodeOf(n)); ok && len(a.Accesses) == 1 {
		return h.names[a.Accesses[0].Memory] + "[]"
	}
	_, short, _ := strings.Cut(h.g.Def(n).Name, ".")
	parts := lists.Map(args, func(a ir.Value) string { return h.spell(a, depth+1) })
	return short + "(" + strings.Join(parts, ", ") + ")"
}
