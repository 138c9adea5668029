package bugs

import (
	"cmp"
	"context"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Form says how far a program is on its way to sequential code. The attribute
// `form` of a bugs.model holds it until its observations are lowered.
type Form string

// The forms.
const (
	FormSource        Form = "source"        // in the order of the text
	FormFissioned     Form = "fissioned"     // a nest of loops for each statement
	FormOrdered       Form = "ordered"       // the same, each after what it depends on
	FormFused         Form = "fused"         // statements that need each other run together
	FormReconstructed Form = "reconstructed" // neighbours share their loops
)

// A Stage is a program of a model in a form: the way from the text to sequential
// code is a number of stages, each of which is a graph. What a graph does not hold
// is taken from the model; the graph holds which statements there are, their order,
// and what was said about them.
type Stage struct {
	Model     *Model
	Form      Form
	Stmts     []*Statement // in order
	Needs     bool         // statements say what they depend on
	Distances bool         // and at which distances

	lowered bool // observations are
}

// SourceStage is the program as it is written, with all of its statements.
func (m *Model) SourceStage() *Stage {
	return &Stage{Model: m, Form: FormSource, Stmts: m.Statements}
}

// Sequential is the last stage before the observations are lowered.
func (m *Model) Sequential() *Stage {
	return &Stage{Model: m, Form: FormReconstructed, Stmts: m.running()}
}

// orderDeps are the dependences that an order respects: of a model whose stochastic
// nodes form a cycle only those on logical nodes.
func (m *Model) orderDeps() []*dep {
	if !m.cyclic {
		return m.deps
	}
	return slices.DeleteFunc(slices.Clone(m.deps), func(d *dep) bool { return d.from.Sample != nil })
}

// RemoveData drops the statements that data alone compute, and those that never run.
func (st *Stage) RemoveData() {
	st.Stmts = slices.DeleteFunc(slices.Clone(st.Stmts), func(s *Statement) bool { return !s.runs() })
}

// Fission gives each statement its own loops.
func (st *Stage) Fission() { st.Form = FormFissioned }

// Order puts each statement after those that it depends on, as far as statements do
// not need each other.
func (st *Stage) Order() {
	o, sc := st.orderer()
	cs, err := o.arrange(sc)
	if err != nil {
		panic("bugs: a model that was found to have an order has none")
	}
	st.Stmts = nil
	for _, c := range cs {
		ks := c.knots
		if ks == nil {
			if ks, err = o.linear(scope{c.stmts, 0, c.deps}); err != nil {
				panic("bugs: a loop that was found to have an order has none")
			}
		}
		for _, k := range ks {
			st.Stmts = append(st.Stmts, k.stmts...)
		}
	}
	st.Form = FormOrdered
}

// Fuse makes statements that need each other run together. They must be in order.
func (st *Stage) Fuse() *diag.Diagnostic {
	if d := st.checkOrder(); d != nil {
		return d
	}
	st.Form = FormFused
	return nil
}

// Reconstruct puts neighbours into the loops of the program as far as these respect
// the dependences. The statements must be in order.
func (st *Stage) Reconstruct() *diag.Diagnostic {
	if d := st.checkOrder(); d != nil {
		return d
	}
	st.Form = FormReconstructed
	return nil
}

// LowerObservations makes split index sets where nodes of a statement are partly
// data, and takes the annotations away.
func (st *Stage) LowerObservations() *diag.Diagnostic {
	if st.Form != FormReconstructed {
		return diag.Errorf(diag.Span{}, "the program is %s: its observations are lowered when it is in a sequential order", st.Form.text()).
			WithFix("run bugs-order, bugs-fuse and bugs-reconstruct before")
	}
	st.lowered, st.Needs, st.Distances = true, false, false
	return nil
}

func (f Form) text() string {
	switch f {
	case FormSource:
		return "in the order of its text"
	case FormFused:
		return "prob.Fused, and not reconstructed"
	}
	return string(f) + ", and not fused"
}

func (st *Stage) orderer() (*orderer, scope) {
	stmts := sorted(slices.DeleteFunc(slices.Clone(st.Stmts), func(s *Statement) bool { return !s.runs() }))
	return &orderer{b: &builder{m: st.Model}, m: st.Model}, scope{stmts, 0, st.Model.orderDeps()}
}

// places are where statements stand in the order of a stage.
func (st *Stage) places() map[*Statement]int {
	out := map[*Statement]int{}
	for i, s := range st.Stmts {
		if _, met := out[s]; !met {
			out[s] = i
		}
	}
	return out
}

// checkOrder reports a statement that reads what a later one defines, unless they
// need each other.
func (st *Stage) checkOrder() *diag.Diagnostic {
	o, sc := st.orderer()
	at := numbered(sc.stmts)
	comp := components(len(sc.stmts), func(yield func(from, to int)) {
		for _, d := range sc.deps {
			o.work++
			yield(at[d.from], at[d.to])
		}
	})
	place := st.places()
	for _, d := range sc.deps {
		if comp[at[d.from]] != comp[at[d.to]] && place[d.from] > place[d.to] {
			return diag.Errorf(d.to.Span(), "this stands before the statement that defines %s", d.via.Name).
				WithFix("run bugs-order before").WithNote(d.from.LHS.Span(), "it is defined here")
		}
	}
	return nil
}

// items are the loops of a stage.
func (st *Stage) items() []Item {
	o, sc := st.orderer()
	place := st.places()
	switch st.Form {
	case FormSource:
		return asWritten(st.Stmts, 0)
	case FormFused:
		ks, err := o.knots(sc)
		if err != nil {
			panic("bugs: a model that was found to have an order has none")
		}
		slices.SortStableFunc(ks, func(j, k *knot) int { return firstPlace(place, j.stmts) - firstPlace(place, k.stmts) })
		var out []Item
		for _, k := range ks {
			switch {
			case k.own != nil:
				out = append(out, k.own...)
			case k.cyclic:
				out = append(out, o.block(k.stmts, 0, k.deps, k.dirs))
			default:
				out = append(out, nest(k.stmts[0], 0)...)
			}
		}
		return out
	case FormReconstructed:
		cs, err := o.arrange(sc)
		if err != nil {
			panic("bugs: a model that was found to have an order has none")
		}
		return o.merge(st.sorted(cs, place), sc)
	}
	var out []Item
	for _, s := range st.Stmts {
		out = append(out, nest(s, 0)...)
	}
	return out
}

// sorted puts clusters, and what they were taken apart into, in the order of a stage.
func (st *Stage) sorted(cs []*cluster, place map[*Statement]int) []*cluster {
	slices.SortStableFunc(cs, func(c, d *cluster) int { return cmp.Compare(firstPlace(place, c.stmts), firstPlace(place, d.stmts)) })
	for _, c := range cs {
		slices.SortStableFunc(c.knots, func(j, k *knot) int { return cmp.Compare(firstPlace(place, j.stmts), firstPlace(place, k.stmts)) })
	}
	return cs
}

func firstPlace(place map[*Statement]int, stmts []*Statement) int {
	out := place[stmts[0]]
	for _, s := range stmts {
		out = min(out, place[s])
	}
	return out
}

// asWritten makes the loops of the text around statements in its order.
func asWritten(stmts []*Statement, level int) []Item {
	var out []Item
	for i := 0; i < len(stmts); {
		s, from := stmts[i], i
		if i++; level == len(s.Loops) {
			out = append(out, Item{Stmt: s})
			continue
		}
		for i < len(stmts) && level < len(stmts[i].Loops) && stmts[i].Loops[level].Node == s.Loops[level].Node {
			i++
		}
		out = append(out, Item{Loop: &Block{Level: level, Of: s, Body: asWritten(stmts[from:i], level+1)}})
	}
	return out
}

// Graph makes the graph of a stage: a module with one bugs.model.
func (st *Stage) Graph(ctx *ir.Context, values ...string) (*ir.Graph, *diag.Diagnostic) {
	m := st.Model
	items := st.items()
	return m.module(ctx, func(mb *ir.Builder) *diag.Diagnostic {
		e := &emitter{m: m, b: ir.NewBuilder(ctx), needed: m.neededStatements(values, nil), program: items}
		if st.lowered {
			e.program = m.lowerObservations(items)
		} else {
			e.notes = st.notes(ctx)
			e.form = st.Form
		}
		return e.model(mb, "logdensity", values)
	})
}

// StageOf reads the stage of a model from its graph.
func StageOf(g *ir.Graph, m *Model) (*Stage, *diag.Diagnostic) {
	none := func() *diag.Diagnostic {
		return diag.Errorf(diag.Span{}, "this is no program of the model on its way to sequential code").
			WithFix("give the pass the .bug file with its data, before passes that lower it")
	}
	in, op := findModel(g)
	if op == 0 || len(in.Children(op)) != 1 || in.Attr(op, "form") == 0 {
		return nil, none()
	}
	st := &Stage{Model: m, Form: Form(g.Ctx.AttrInfo(in.Attr(op, "form")).Str)}
	body := in.Children(op)[0]
	seen := map[*Statement]bool{}
	ir.ScheduleOf(body).Walk(func(v ir.Value) {
		a := body.Attr(v, stmtAttr)
		if a == 0 {
			return
		}
		if n := int(g.Ctx.AttrInfo(a).Int); n >= 1 && n <= len(m.Statements) && !seen[m.Statements[n-1]] {
			seen[m.Statements[n-1]] = true
			st.Stmts = append(st.Stmts, m.Statements[n-1])
		}
		st.Needs = st.Needs || body.Attr(v, needsAttr) != 0
		st.Distances = st.Distances || body.Attr(v, distancesAttr) != 0
	})
	if len(st.Stmts) == 0 && len(m.running()) > 0 {
		return nil, none()
	}
	return st, nil
}

// findModel finds the first bugs.model in a graph or its children; 0 if there is none.
func findModel(g *ir.Graph) (in *ir.Graph, op ir.Value) {
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		if op != 0 {
			return
		}
		if g.Def(v) == ModelOp {
			in, op = g, v
			return
		}
		for _, c := range g.Children(v) {
			if op == 0 {
				in, op = findModel(c)
			}
		}
	})
	return in, op
}

// FormOf is the form of the model in a graph; "" if it is sequential, or there is none.
func FormOf(g *ir.Graph) Form {
	if in, op := findModel(g); op != 0 {
		if a := in.Attr(op, "form"); a != 0 {
			return Form(g.Ctx.AttrInfo(a).Str)
		}
	}
	return ""
}

type modelKey struct{}

// WithModel gives a model to passes on its graphs.
func WithModel(ctx context.Context, m *Model) context.Context {
	return context.WithValue(ctx, modelKey{}, m)
}

// ModelOf is the model of a context, or nil.
func ModelOf(ctx context.Context) *Model {
	m, _ := ctx.Value(modelKey{}).(*Model)
	return m
}
