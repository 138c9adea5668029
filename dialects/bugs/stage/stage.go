package stage

import (
	"cmp"
	"context"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Stage is a program of a model in a form: the way from the text to sequential
// code is a number of stages, each of which is a graph. What a graph does not hold
// is taken from the model; the graph holds which statements there are, their order,
// and what was said about them.
type Stage struct {
	Model     *model.Model
	Form      emit.Form
	Stmts     []*model.Statement // in order
	Needs     bool               // statements say what they depend on
	Distances bool               // and at which distances

	lowered bool // observations are
}

// SourceStage is the program as it is written, with all of its statements.
func SourceStage(m *model.Model) *Stage {
	return &Stage{Model: m, Form: emit.FormSource, Stmts: m.Statements}
}

// Sequential is the last stage before the observations are lowered.
func Sequential(m *model.Model) *Stage {
	return &Stage{Model: m, Form: emit.FormReconstructed, Stmts: m.Running()}
}

// RemoveData drops the statements that data alone compute, and those that never run.
func (st *Stage) RemoveData() {
	st.Stmts = slices.DeleteFunc(slices.Clone(st.Stmts), func(s *model.Statement) bool { return !s.Runs() })
}

// Fission gives each statement its own loops.
func (st *Stage) Fission() { st.Form = emit.FormFissioned }

// Order puts each statement after those that it depends on, as far as statements do
// not need each other.
func (st *Stage) Order() {
	o, sc := st.orderer()
	cs, err := o.Arrange(sc)
	if err != nil {
		panic("bugs: a model that was found to have an order has none")
	}
	st.Stmts = nil
	for _, c := range cs {
		ks := c.Components
		if ks == nil {
			if ks, err = o.Linear(order.Scope{Stmts: c.Stmts, Level: 0, Deps: c.Deps}); err != nil {
				panic("bugs: a loop that was found to have an order has none")
			}
		}
		for _, k := range ks {
			st.Stmts = append(st.Stmts, k.Stmts...)
		}
	}
	st.Form = emit.FormOrdered
}

// Fuse makes statements that need each other run together. They must be in order.
func (st *Stage) Fuse() *diag.Diagnostic {
	if d := st.checkOrder(); d != nil {
		return d
	}
	st.Form = emit.FormFused
	return nil
}

// Reconstruct puts neighbours into the loops of the program as far as these respect
// the dependences. The statements must be in order.
func (st *Stage) Reconstruct() *diag.Diagnostic {
	if d := st.checkOrder(); d != nil {
		return d
	}
	st.Form = emit.FormReconstructed
	return nil
}

// LowerObservations makes split index sets where nodes of a statement are partly
// data, and takes the annotations away.
func (st *Stage) LowerObservations() *diag.Diagnostic {
	if st.Form != emit.FormReconstructed {
		return diag.Errorf(diag.Span{}, "the program is %s: its observations are lowered when it is in a sequential order", st.Form.Text()).
			WithFix("run bugs-order, bugs-fuse and bugs-reconstruct before")
	}
	st.lowered, st.Needs, st.Distances = true, false, false
	return nil
}

func (st *Stage) orderer() (*order.Orderer, order.Scope) {
	stmts := order.Sorted(slices.DeleteFunc(slices.Clone(st.Stmts), func(s *model.Statement) bool { return !s.Runs() }))
	return &order.Orderer{Builder: &bind.Builder{Model: st.Model}, Model: st.Model}, order.Scope{Stmts: stmts, Level: 0, Deps: order.OrderDeps(st.Model)}
}

// places are where statements stand in the order of a stage.
func (st *Stage) places() map[*model.Statement]int {
	out := map[*model.Statement]int{}
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
	at := order.Numbered(sc.Stmts)
	comp := order.StronglyConnected(len(sc.Stmts), func(yield func(from, to int)) {
		for _, d := range sc.Deps {
			o.Work++
			yield(at[d.From], at[d.To])
		}
	})
	place := st.places()
	for _, d := range sc.Deps {
		if comp[at[d.From]] != comp[at[d.To]] && place[d.From] > place[d.To] {
			return diag.Errorf(d.To.Span(), "this stands before the statement that defines %s", d.Var.Name).
				WithFix("run bugs-order before").WithNote(d.From.LHS.Span(), "it is defined here")
		}
	}
	return nil
}

// items are the loops of a stage.
func (st *Stage) items() []model.Item {
	o, sc := st.orderer()
	place := st.places()
	switch st.Form {
	case emit.FormSource:
		return asWritten(st.Stmts, 0)
	case emit.FormFused:
		ks, err := o.Components(sc)
		if err != nil {
			panic("bugs: a model that was found to have an order has none")
		}
		slices.SortStableFunc(ks, func(j, k *order.Component) int { return firstPlace(place, j.Stmts) - firstPlace(place, k.Stmts) })
		var out []model.Item
		for _, k := range ks {
			switch {
			case k.Own != nil:
				out = append(out, k.Own...)
			case k.Cyclic:
				out = append(out, o.Block(k.Stmts, 0, k.Deps, k.Dirs))
			default:
				out = append(out, order.Nest(k.Stmts[0], 0)...)
			}
		}
		return out
	case emit.FormReconstructed:
		cs, err := o.Arrange(sc)
		if err != nil {
			panic("bugs: a model that was found to have an order has none")
		}
		return o.Merge(st.sorted(cs, place), sc)
	}
	var out []model.Item
	for _, s := range st.Stmts {
		out = append(out, order.Nest(s, 0)...)
	}
	return out
}

// sorted puts clusters, and what they were taken apart into, in the order of a stage.
func (st *Stage) sorted(cs []*order.Cluster, place map[*model.Statement]int) []*order.Cluster {
	slices.SortStableFunc(cs, func(c, d *order.Cluster) int {
		return cmp.Compare(firstPlace(place, c.Stmts), firstPlace(place, d.Stmts))
	})
	for _, c := range cs {
		slices.SortStableFunc(c.Components, func(j, k *order.Component) int {
			return cmp.Compare(firstPlace(place, j.Stmts), firstPlace(place, k.Stmts))
		})
	}
	return cs
}

func firstPlace(place map[*model.Statement]int, stmts []*model.Statement) int {
	out := place[stmts[0]]
	for _, s := range stmts {
		out = min(out, place[s])
	}
	return out
}

// asWritten makes the loops of the text around statements in its order.
func asWritten(stmts []*model.Statement, level int) []model.Item {
	var out []model.Item
	for i := 0; i < len(stmts); {
		s, from := stmts[i], i
		if i++; level == len(s.Loops) {
			out = append(out, model.Item{Stmt: s})
			continue
		}
		for i < len(stmts) && level < len(stmts[i].Loops) && stmts[i].Loops[level].Node == s.Loops[level].Node {
			i++
		}
		out = append(out, model.Item{Loop: &model.Block{Level: level, Of: s, Body: asWritten(stmts[from:i], level+1)}})
	}
	return out
}

// Graph makes the graph of a stage: a module with one bugs.model.
func (st *Stage) Graph(ctx *ir.Context, values ...string) (*ir.Graph, *diag.Diagnostic) {
	m := st.Model
	items := st.items()
	return emit.Module(m, ctx, func(mb *ir.Builder) *diag.Diagnostic {
		e := &emit.Emitter{Source: m, Builder: ir.NewBuilder(ctx), Needed: emit.NeededStatements(m, values, nil), Program: items}
		if st.lowered {
			e.Program = emit.LowerObservations(m, items)
		} else {
			e.Notes = st.notes(ctx)
			e.Form = st.Form
		}
		return e.Emit(mb, "logdensity", values)
	})
}

// StageOf reads the stage of a model from its graph.
func StageOf(g *ir.Graph, m *model.Model) (*Stage, *diag.Diagnostic) {
	none := func() *diag.Diagnostic {
		return diag.Errorf(diag.Span{}, "this is no program of the model on its way to sequential code").
			WithFix("give the pass the .bug file with its data, before passes that lower it")
	}
	in, op := ops.FindModel(g)
	if op == 0 || len(in.Children(op)) != 1 || in.Attr(op, "form") == 0 {
		return nil, none()
	}
	st := &Stage{Model: m, Form: emit.Form(g.Ctx.AttrInfo(in.Attr(op, "form")).Str)}
	body := in.Children(op)[0]
	seen := map[*model.Statement]bool{}
	for v := range ir.ScheduleOf(body).All() {
		a := body.Attr(v, ops.StmtAttr)
		if a == 0 {
			continue
		}
		if n := int(g.Ctx.AttrInfo(a).Int); n >= 1 && n <= len(m.Statements) && !seen[m.Statements[n-1]] {
			seen[m.Statements[n-1]] = true
			st.Stmts = append(st.Stmts, m.Statements[n-1])
		}
		st.Needs = st.Needs || body.Attr(v, ops.NeedsAttr) != 0
		st.Distances = st.Distances || body.Attr(v, ops.DistancesAttr) != 0
	}
	if len(st.Stmts) == 0 && len(m.Running()) > 0 {
		return nil, none()
	}
	return st, nil
}

type modelKey struct{}

// WithModel gives a model to passes on its graphs.
func WithModel(ctx context.Context, m *model.Model) context.Context {
	return context.WithValue(ctx, modelKey{}, m)
}

// ModelOf is the model of a context, or nil.
func ModelOf(ctx context.Context) *model.Model {
	m, _ := ctx.Value(modelKey{}).(*model.Model)
	return m
}
