package emit

import (
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// Graph makes a module with one bugs.model @logdensity of the model. Loops stay
// loops; scalars that are data become constants.
func Graph(m *model.Model, ctx *ir.Context, values ...string) (*ir.Graph, *diag.Diagnostic) {
	return Module(m, ctx, func(mb *ir.Builder) *diag.Diagnostic {
		return (&Emitter{Source: m, Builder: ir.NewBuilder(ctx), Needed: NeededStatements(m, values, nil)}).Emit(mb, "logdensity", values)
	})
}

// Module makes a module of what fill puts into it.
func Module(m *model.Model, ctx *ir.Context, fill func(mb *ir.Builder) *diag.Diagnostic) (*ir.Graph, *diag.Diagnostic) {
	mb := ir.NewBuilder(ctx)
	if d := fill(mb); d != nil {
		return nil, d
	}
	fb := ir.NewBuilder(ctx)
	fb.Must(ir.Call{Def: builtin.Module, Attr: ctx.Props([]ir.NamedAttr{{Name: "sym_name", Value: ctx.StringAttr(m.Name)}}, nil), Graphs: []*ir.Graph{mb.Finish()}})
	return fb.Finish(), nil
}

// Emit makes the bugs.model of a density.
func (e *Emitter) Emit(mb *ir.Builder, name string, values []string) *diag.Diagnostic {
	ctx := mb.Ctx()
	if e.Program == nil {
		e.Program = e.Source.Order
		if e.onto == nil {
			e.Program = LowerObservations(e.Source, e.Source.Order)
		}
	}
	e.declare()
	if d, failed := unwind.Catch[*diag.Diagnostic](func() { e.earlyNodes(); e.items(e.Program, nil); e.Builder.Op(ops.Yield) }); failed {
		return d
	}
	child := e.Builder.Finish()
	props := []ir.NamedAttr{{Name: "sym_name", Value: ctx.StringAttr(name)}}
	if len(values) > 0 {
		list := lists.Map(values, ctx.StringAttr)
		props = append(props, ir.NamedAttr{Name: "values", Value: ctx.ArrayAttr(list...)})
	}
	if e.Form != "" {
		props = append(props, ir.NamedAttr{Name: "form", Value: ctx.StringAttr(string(e.Form))})
	}
	mb.Must(ir.Call{Def: ops.ModelOp, Attr: ctx.Props(props, nil), Graphs: []*ir.Graph{child}})
	return nil
}

// NeededStatements are those that factors or wanted values depend on; u, if not nil,
// leaves factors out.
func NeededStatements(m *model.Model, values []string, u *space.Unconstrained) map[*model.Statement]bool {
	need := map[*model.Statement]bool{}
	for _, s := range m.Statements {
		if s.Sample != nil && (u == nil || !noDensity(u, s)) {
			need[s] = true
		}
		for _, v := range values {
			if s.Var.Name == v {
				need[s] = true
			}
		}
	}
	from := map[*model.Statement][]*model.Statement{}
	for _, d := range m.Deps {
		from[d.To] = append(from[d.To], d.From)
	}
	for todo := slices.Collect(maps.Keys(need)); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range from[s] {
			if !need[t] {
				need[t] = true
				todo = append(todo, t)
			}
		}
	}
	return need
}

// Emitter builds the child graph of a bugs.model. What it cannot express ends it by
// a panic with a diagnostic, which catch recovers.
type Emitter struct {
	Source  *model.Model
	Builder *ir.Builder
	masks   map[*model.Var]ir.Value
	Needed  map[*model.Statement]bool
	fits    map[*model.Statement]bool // those not needed that can be expressed
	smalls  map[*model.Var]bool       // see small
	exprs   *expressions              // once variables are declared
	onto    *unconEmitter             // of a density on the unconstrained scale

	Program []model.Item
	known   model.DataPart                          // of the statement, where it is known for the place
	Form    Form                                    // of a program on its way to sequential code
	Notes   func(s *model.Statement) []ir.NamedAttr // and the attributes of its statements
}

func loc(n syntax.Node) ir.Loc { return ir.Loc(n.Span().Start + 1) }

func (e *Emitter) items(items []model.Item, ivs []ir.Value) {
	for _, it := range items {
		e.exprs.ivs = ivs
		switch {
		case it.Stmt != nil:
			e.known = it.Data
			e.statement(it.Stmt)
		case !e.anyWanted(it):
		case it.Loop != nil:
			e.loop(it.Loop, ivs)
		default:
			model.EachStatement([]model.Item{it}, func(s *model.Statement) { e.Builder.Loc = ir.Loc(s.Span().Start + 1) })
			if it.Interleaving != nil {
				e.interleaving(it.Interleaving, ivs)
			} else {
				e.wavefronts(it.Wavefronts)
			}
		}
	}
}

func (e *Emitter) anyWanted(it model.Item) bool {
	any := e.Notes != nil
	model.EachStatement([]model.Item{it}, func(s *model.Statement) { any = any || e.wanted(s) })
	return any
}

func (e *Emitter) loop(l *model.Block, ivs []ir.Value) {
	node := l.Of.Loops[l.Level].Node
	r := node.Over.(*syntax.Range) // byPosition makes it one
	e.Builder.Loc, e.exprs.stmt = loc(node), nil
	var lo, hi ir.Value
	if l.Part != nil {
		lo, hi = e.Builder.Index(int64(l.Part[0])), e.Builder.Index(int64(l.Part[1]))
	} else {
		lo, hi = e.exprs.index(r.From), e.exprs.index(r.To)
	}
	e.forLoop(lo, hi, l.Reverse, func(i ir.Value) {
		e.items(l.Body, append(append([]ir.Value(nil), ivs...), i))
	})
}

// forLoop makes a bugs.for at the current place.
func (e *Emitter) forLoop(lo, hi ir.Value, reverse bool, body func(i ir.Value)) {
	at, c := e.Builder.Loc, e.Builder.Ctx()
	region := e.Builder.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		body(p[0])
		e.Builder.Op(ops.Yield)
	})
	attr := ir.Attr(0)
	if reverse {
		attr = c.Props([]ir.NamedAttr{{Name: "reverse", Value: c.UnitAttr()}}, nil)
	}
	e.Builder.Must(ir.Call{Def: ops.For, Args: []ir.Value{lo, hi}, Attr: attr, Regions: []ir.Region{region}, Loc: at})
}

func (e *Emitter) interleaving(t *model.Interleaving, ivs []ir.Value) {
	b := e.Builder
	e.forLoop(b.Index(int64(t.Lo)), b.Index(int64(t.Hi)), false, func(round ir.Value) {
		for _, x := range t.Body {
			vals := append([]ir.Value(nil), ivs...)
			if !x.Once {
				i := arith.AddI(b, arith.MulI(b, round, b.Index(int64(x.Scale))), b.Index(int64(x.Shift)))
				vals = append(vals, i)
			}
			e.items(x.Body, vals)
		}
	})
}

// wavefronts reads the loop variables of the instances from the tables of the order.
func (e *Emitter) wavefronts(w *model.Wavefronts) {
	b := e.Builder
	entry := func(v *model.Var, i ir.Value) ir.Value { return b.Op(ops.IndexOf, b.Op(ops.Read, e.exprs.mem[v], i)) }
	e.forLoop(b.Index(1), b.Index(int64(w.Levels)), false, func(level ir.Value) {
		for _, x := range w.Parts {
			if !e.wanted(x.Stmt) {
				continue
			}
			b.Loc = ir.Loc(x.Stmt.Span().Start + 1)
			lo := entry(x.Start, level)
			hi := arith.SubI(b, entry(x.Start, arith.AddI(b, level, b.Index(1))), b.Index(1))
			e.forLoop(lo, hi, false, func(i ir.Value) {
				e.exprs.ivs = nil
				for _, v := range x.At {
					e.exprs.ivs = append(e.exprs.ivs, entry(v, i))
				}
				e.known = model.SomeData
				e.statement(x.Stmt)
			})
		}
	})
}

// wanted leaves out generated quantities that this version cannot express: they do
// not touch the density. Each is tried in a graph of its own.
func (e *Emitter) wanted(s *model.Statement) bool {
	if e.onto != nil && noDensity(e.onto.u, s) {
		return e.onto.draws && e.Needed[s]
	}
	if e.Needed[s] {
		return true
	}
	ok, known := e.fits[s]
	if !known {
		t := &Emitter{Source: e.Source, Builder: ir.NewBuilder(e.Builder.Ctx()), onto: e.onto.fresh()}
		t.declare()
		for range s.Loops {
			t.exprs.ivs = append(t.exprs.ivs, t.Builder.Param(ir.Index))
		}
		_, failed := unwind.Catch[*diag.Diagnostic](func() { t.relation(s) })
		ok = !failed
		e.fits[s] = ok
	}
	return ok
}

func (e *Emitter) statement(s *model.Statement) {
	if e.Notes != nil && (!s.Runs() || !e.wanted(s)) {
		e.written(s)
		return
	}
	if !e.wanted(s) {
		return
	}
	if e.onto != nil && e.onto.draws && noDensity(e.onto.u, s) {
		e.draw(s)
		return
	}
	if e.onto != nil && s.Sample != nil {
		if pl := e.onto.u.Plans[s.Index]; pl != nil && !pl.First {
			e.node(pl)
		}
		if e.onto.inverse {
			return
		}
	}
	e.relation(s)
}

// declare makes the storage of every variable that is no constant.
func (e *Emitter) declare() {
	e.exprs = &expressions{model: e.Source, b: e.Builder, mem: map[*model.Var]ir.Value{}}
	e.masks, e.fits = map[*model.Var]ir.Value{}, map[*model.Statement]bool{}
	for _, v := range e.Source.Vars {
		if v.Dims == nil && !v.ShapeOnly && (v.ClassAt(0) == model.Known || v.ClassAt(0) == model.Observed && v.DrawnBy(0).Stmt == 0) {
			continue
		}
		def := ops.Data
		switch {
		case v.Has(model.Logical), e.onto != nil && !e.onto.inverse && e.onto.u.Has(v), e.onto != nil && e.onto.draws && Drawable(e.onto.u, v):
			def = ops.LogicalVar
		case v.Has(model.Parameter):
			def = ops.Param
		}
		e.exprs.mem[v] = e.storage(def, v.Name, v)
		if v.Has(model.Parameter) && v.Has(model.Observed) {
			e.masks[v] = e.storage(ops.Data, v.Name+ops.MaskSuffix, v)
		}
	}
	if e.onto != nil {
		e.declareVector()
	}
}

func (e *Emitter) storage(def *ir.OpDef, name string, v *model.Var) ir.Value {
	c := e.Builder.Ctx()
	shape := lists.Map(v.Dims, func(n int) int64 { return int64(n) })
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}}
	if def == ops.LogicalVar && v.Count(model.Logical)+v.Count(model.Undefined) < v.Len() {
		props = append(props, ir.NamedAttr{Name: "given", Value: c.UnitAttr()})
	}
	if def == ops.LogicalVar && v.Has(model.Undefined) {
		props = append(props, ir.NamedAttr{Name: "holes", Value: c.UnitAttr()})
	}
	attr := c.Props(props, nil)
	if def == ops.Data && name == v.Name && e.mayBeLinked(v) {
		attr = c.WithDiscardable(attr, ops.LinkedAttr, c.UnitAttr())
	}
	return e.Builder.Must(ir.Call{Def: def, Type: c.MemRef(shape, ir.F64), Attr: attr})
}

// mayBeLinked says whether a link, or another node as it is, makes elements of a variable of data.
func (e *Emitter) mayBeLinked(v *model.Var) bool {
	if v.Assigned.None() {
		return false
	}
	return slices.ContainsFunc(e.Source.Statements, func(s *model.Statement) bool {
		if s.Var != v || s.Assign == nil {
			return false
		}
		x := s.Assign.RHS
		if b, is := x.(*syntax.Binary); is && b.Op == syntax.OpSub {
			x = b.Y
		}
		_, another := x.(*syntax.Ref)
		call, is := x.(*syntax.Call)
		return another || s.Assign.Link != "" || is && functions.InverseLinks[tableName(call)] != functions.NoLink
	})
}

// tableName is the name of a function in the table, whose aliases programs may use.
func tableName(c *syntax.Call) string {
	if d := syntax.LookupFunction(c.Name); d != nil {
		return d.Name
	}
	return c.Name
}

// relation makes the op of a statement.
func (e *Emitter) relation(s *model.Statement) {
	e.Builder.Loc, e.exprs.stmt = ir.Loc(s.Span().Start+1), s
	if s.Sample != nil {
		if j := s.Dist.Law.Joint; j != nil {
			e.multivariate(s, j)
			return
		}
	}
	for _, x := range s.LHS.Indices {
		if !model.Single(x) && s.Sample != nil {
			panic(function.Unsupported(s.Sample.DistAt, "the multivariate distribution "+s.Sample.Dist))
		}
		if !model.Single(x) {
			e.assignArray(s)
			return
		}
	}
	if s.Sample != nil {
		e.stochastic(s)
		return
	}
	c := e.Builder.Ctx()
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.Var.Name)}}
	if s.Assign.Link != "" {
		props = append(props, ir.NamedAttr{Name: "link", Value: c.StringAttr(s.Assign.Link)})
	}
	x := e.exprs.scalar(s.Assign.RHS)
	args := append([]ir.Value{x, e.exprs.mem[s.Var]}, e.exprs.indices(s.Var, s.LHS)...)
	e.Builder.Must(ir.Call{Def: ops.Assign, Attr: e.props(props), Args: args, Loc: ir.Loc(s.Span().Start + 1)})
}

func (e *Emitter) stochastic(s *model.Statement) {
	c := e.Builder.Ctx()
	idx := e.exprs.indices(s.Var, s.LHS)
	args := append([]ir.Value{e.exprs.mem[s.Var]}, idx...)
	args = append(args, lists.Map(s.Sample.Args, e.exprs.scalar)...)
	sizes := []int64{1, int64(len(idx)), int64(len(s.Sample.Args)), 0, 0, 0}
	truncated := false
	if bd := s.Sample.Bound; bd != nil {
		t, d := eval.Truncates(e.Source, s)
		if d != nil {
			panic(d)
		}
		truncated = t
		for i, x := range []syntax.Expr{bd.Lower, bd.Upper} {
			if x != nil {
				args = append(args, e.exprs.scalar(x))
				sizes[ops.SegLower+i] = 1
			}
		}
	}
	obs, mask := e.observed(s)
	if mask != 0 {
		args = append(args, mask)
		sizes[ops.SegMask] = 1
	}
	props := []ir.NamedAttr{{Name: "dist", Value: c.StringAttr(s.Dist.Name)}, {Name: "name", Value: c.StringAttr(s.Var.Name)},
		{Name: "observed", Value: c.StringAttr(obs)}, {Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, sizes...)}}
	if truncated {
		props = append(props, ir.NamedAttr{Name: "truncated", Value: c.UnitAttr()})
	}
	if obs == "all" && s.Dist.Law.Counts && e.small(s.Var) {
		props = append(props, ir.NamedAttr{Name: ops.SmallAttr, Value: c.UnitAttr()})
	}
	e.Builder.Must(ir.Call{Def: ops.Stochastic, Args: args, Loc: ir.Loc(s.Span().Start + 1), Attr: e.props(props)})
}

// observed says whether the nodes of a statement are data, by which array if not all
// are alike.
func (e *Emitter) observed(s *model.Statement) (string, ir.Value) {
	if e.onto != nil && mixed(e.onto.u, s) {
		return "parts", e.parts(s.Var)
	}
	known := e.known
	if known == model.SomeData {
		known = observed(s)
	}
	switch known {
	case model.SomeData:
		return "mask", e.masks[s.Var]
	case model.AllData:
		return "all", 0
	}
	return "none", 0
}

// small reports that no value of a variable is large; what has none is NaN or 0.
func (e *Emitter) small(v *model.Var) bool {
	known, ok := e.smalls[v]
	if !ok {
		known = !slices.ContainsFunc(v.Value, func(x float64) bool { return x > kit.Large })
		if e.smalls == nil {
			e.smalls = map[*model.Var]bool{}
		}
		e.smalls[v] = known
	}
	return known
}

// MaskOf finds the variable whose elements' being observed the array of a name
// tells, as bugs.stochastic reads it; nil if it is no such name.
func MaskOf(m *model.Model, name string) *model.Var {
	if base, ok := strings.CutSuffix(name, ops.MaskSuffix); ok {
		return m.ByName[base]
	}
	return nil
}

// MaskValues are 1 for each element of a variable that the data give, else 0.
func MaskValues(v *model.Var) []float64 {
	out := make([]float64, v.Len())
	for k := range out {
		if v.ClassAt(k) == model.Observed {
			out[k] = 1
		}
	}
	return out
}
