package bugs

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// maskSuffix makes the name of the array that says which elements are observed.
const maskSuffix = ".observed"

// Graph makes a module with one bugs.model @logdensity of the model. Loops stay
// loops; scalars that are data become constants.
func (m *Model) Graph(ctx *ir.Context, values ...string) (*ir.Graph, *diag.Diagnostic) {
	return m.module(ctx, func(mb *ir.Builder) *diag.Diagnostic {
		return (&emitter{m: m, b: ir.NewBuilder(ctx), needed: m.neededStatements(values, nil)}).model(mb, "logdensity", values)
	})
}

// module makes a module of what fill puts into it.
func (m *Model) module(ctx *ir.Context, fill func(mb *ir.Builder) *diag.Diagnostic) (*ir.Graph, *diag.Diagnostic) {
	mb := ir.NewBuilder(ctx)
	if d := fill(mb); d != nil {
		return nil, d
	}
	fb := ir.NewBuilder(ctx)
	fb.Must(ir.Call{Def: builtin.Module, Attr: ctx.Props([]ir.NamedAttr{{Name: "sym_name", Value: ctx.StringAttr(m.Name)}}, nil), Graphs: []*ir.Graph{mb.Finish()}})
	return fb.Finish(), nil
}

// model makes the bugs.model of a density.
func (e *emitter) model(mb *ir.Builder, name string, values []string) *diag.Diagnostic {
	ctx := mb.Ctx()
	if e.program == nil {
		e.program = e.m.Order
		if e.onto == nil {
			e.program = e.m.lowerObservations(e.m.Order)
		}
	}
	e.declare()
	if d := e.catch(func() { e.earlyNodes(); e.items(e.program, nil); e.b.Op(Yield) }); d != nil {
		return d
	}
	child := e.b.Finish()
	props := []ir.NamedAttr{{Name: "sym_name", Value: ctx.StringAttr(name)}}
	if len(values) > 0 {
		list := make([]ir.Attr, len(values))
		for i, v := range values {
			list[i] = ctx.StringAttr(v)
		}
		props = append(props, ir.NamedAttr{Name: "values", Value: ctx.ArrayAttr(list...)})
	}
	if e.form != "" {
		props = append(props, ir.NamedAttr{Name: "form", Value: ctx.StringAttr(string(e.form))})
	}
	mb.Must(ir.Call{Def: ModelOp, Attr: ctx.Props(props, nil), Graphs: []*ir.Graph{child}})
	return nil
}

// neededStatements are those that factors or wanted values depend on; u, if not nil,
// leaves factors out.
func (m *Model) neededStatements(values []string, u *Unconstrained) map[*Statement]bool {
	need := map[*Statement]bool{}
	for _, s := range m.Statements {
		if s.Sample != nil && (u == nil || !u.absent(s)) {
			need[s] = true
		}
		for _, v := range values {
			if s.v.Name == v {
				need[s] = true
			}
		}
	}
	from := map[*Statement][]*Statement{}
	for _, d := range m.deps {
		from[d.to] = append(from[d.to], d.from)
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

// emitter builds the child graph of a bugs.model. What it cannot express ends it by
// a panic with a diagnostic, which catch recovers.
type emitter struct {
	m      *Model
	b      *ir.Builder
	mem    map[*Var]ir.Value // declarations
	masks  map[*Var]ir.Value
	needed map[*Statement]bool
	fits   map[*Statement]bool // those not needed that can be expressed
	ivs    []ir.Value          // loop variables, outermost first
	smalls map[*Var]bool       // see small
	stmt   *Statement          // whose ops are made
	onto   *unconEmitter       // of a density on the unconstrained scale

	program []Item
	known   dataPart                          // of the statement, where it is known for the place
	form    Form                              // of a program on its way to sequential code
	notes   func(s *Statement) []ir.NamedAttr // and the attributes of its statements
}

func (e *emitter) catch(f func()) (d *diag.Diagnostic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Diagnostic:
			d = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func loc(n syntax.Node) ir.Loc { return ir.Loc(n.Span().Start + 1) }

func (e *emitter) items(items []Item, ivs []ir.Value) {
	for _, it := range items {
		e.ivs = ivs
		switch {
		case it.Stmt != nil:
			e.known = it.data
			e.statement(it.Stmt)
		case !e.anyWanted(it):
		case it.Loop != nil:
			e.loop(it.Loop, ivs)
		default:
			each([]Item{it}, func(s *Statement) { e.b.Loc = ir.Loc(s.Span().Start + 1) })
			if it.Turns != nil {
				e.turns(it.Turns, ivs)
			} else {
				e.waves(it.Waves)
			}
		}
	}
}

func (e *emitter) anyWanted(it Item) bool {
	any := e.notes != nil
	each([]Item{it}, func(s *Statement) { any = any || e.wanted(s) })
	return any
}

func (e *emitter) loop(l *Block, ivs []ir.Value) {
	node := l.Of.Loops[l.Level].Node
	r := node.Over.(*syntax.Range) // byPosition makes it one
	e.b.Loc, e.stmt = loc(node), nil
	var lo, hi ir.Value
	if l.Part != nil {
		lo, hi = e.b.Index(int64(l.Part[0])), e.b.Index(int64(l.Part[1]))
	} else {
		lo, hi = e.index(r.From), e.index(r.To)
	}
	e.forLoop(lo, hi, l.Reverse, func(i ir.Value) {
		e.items(l.Body, append(append([]ir.Value(nil), ivs...), i))
	})
}

// forLoop makes a bugs.for at the current place.
func (e *emitter) forLoop(lo, hi ir.Value, reverse bool, body func(i ir.Value)) {
	at, c := e.b.Loc, e.b.Ctx()
	region := e.b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		body(p[0])
		e.b.Op(Yield)
	})
	attr := ir.Attr(0)
	if reverse {
		attr = c.Props([]ir.NamedAttr{{Name: "reverse", Value: c.UnitAttr()}}, nil)
	}
	e.b.Must(ir.Call{Def: For, Args: []ir.Value{lo, hi}, Attr: attr, Regions: []ir.Region{region}, Loc: at})
}

func (e *emitter) turns(t *Turns, ivs []ir.Value) {
	b := e.b
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

// waves reads the loop variables of the instances from the tables of the order.
func (e *emitter) waves(w *Waves) {
	b := e.b
	entry := func(v *Var, i ir.Value) ir.Value { return b.Op(IndexOf, b.Op(Read, e.mem[v], i)) }
	e.forLoop(b.Index(1), b.Index(int64(w.Levels)), false, func(level ir.Value) {
		for _, x := range w.Parts {
			if !e.wanted(x.Stmt) {
				continue
			}
			b.Loc = ir.Loc(x.Stmt.Span().Start + 1)
			lo := entry(x.Start, level)
			hi := arith.SubI(b, entry(x.Start, arith.AddI(b, level, b.Index(1))), b.Index(1))
			e.forLoop(lo, hi, false, func(i ir.Value) {
				e.ivs = nil
				for _, v := range x.At {
					e.ivs = append(e.ivs, entry(v, i))
				}
				e.known = someData
				e.statement(x.Stmt)
			})
		}
	})
}

// wanted leaves out generated quantities that this version cannot express: they do
// not touch the density. Each is tried in a graph of its own.
func (e *emitter) wanted(s *Statement) bool {
	if e.onto != nil && e.onto.u.absent(s) {
		return false
	}
	if e.needed[s] {
		return true
	}
	ok, known := e.fits[s]
	if !known {
		t := &emitter{m: e.m, b: ir.NewBuilder(e.b.Ctx()), onto: e.onto.fresh()}
		t.declare()
		for range s.Loops {
			t.ivs = append(t.ivs, t.b.Param(ir.Index))
		}
		ok = t.catch(func() { t.relation(s) }) == nil
		e.fits[s] = ok
	}
	return ok
}

func (e *emitter) statement(s *Statement) {
	if e.notes != nil && (!s.runs() || !e.wanted(s)) {
		e.written(s)
		return
	}
	if !e.wanted(s) {
		return
	}
	if e.onto != nil && s.Sample != nil {
		if pl := e.onto.u.plans[s.Index]; pl != nil && !pl.early {
			e.node(pl)
		}
	}
	e.relation(s)
}

// declare makes the storage of every variable that is no constant.
func (e *emitter) declare() {
	e.mem, e.masks, e.fits = map[*Var]ir.Value{}, map[*Var]ir.Value{}, map[*Statement]bool{}
	for _, v := range e.m.Vars {
		if v.Dims == nil && !v.abstract && (v.ClassAt(0) == Known || v.ClassAt(0) == Observed && v.drawnBy(0).stmt == 0) {
			continue
		}
		def := Data
		switch {
		case v.Has(Logical), e.onto != nil && e.onto.u.coord[v.ID] != nil:
			def = LogicalVar
		case v.Has(Parameter):
			def = Param
		}
		e.mem[v] = e.storage(def, v.Name, v)
		if v.Has(Parameter) && v.Has(Observed) {
			e.masks[v] = e.storage(Data, v.Name+maskSuffix, v)
		}
	}
	if e.onto != nil {
		e.declareVector()
	}
}

func (e *emitter) storage(def *ir.OpDef, name string, v *Var) ir.Value {
	c := e.b.Ctx()
	shape := make([]int64, len(v.Dims))
	for i, n := range v.Dims {
		shape[i] = int64(n)
	}
	return e.b.Must(ir.Call{Def: def, Type: c.MemRef(shape, ir.F64),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}}, nil)})
}

// relation makes the op of a statement.
func (e *emitter) relation(s *Statement) {
	e.b.Loc, e.stmt = ir.Loc(s.Span().Start+1), s
	if s.Sample != nil {
		if j := s.Dist.Law.Joint; j != nil {
			e.multivariate(s, j)
			return
		}
	}
	for _, x := range s.LHS.Indices {
		if !single(x) && s.Sample != nil {
			panic(unsupported(s.Sample.DistAt, "the multivariate distribution "+s.Sample.Dist))
		}
		if !single(x) {
			e.assignArray(s)
			return
		}
	}
	if s.Sample != nil {
		e.stochastic(s)
		return
	}
	c := e.b.Ctx()
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.v.Name)}}
	if s.Assign.Link != "" {
		props = append(props, ir.NamedAttr{Name: "link", Value: c.StringAttr(s.Assign.Link)})
	}
	x := e.scalar(s.Assign.RHS)
	args := append([]ir.Value{x, e.mem[s.v]}, e.indices(s.v, s.LHS)...)
	e.b.Must(ir.Call{Def: Assign, Attr: e.props(props), Args: args, Loc: ir.Loc(s.Span().Start + 1)})
}

func (e *emitter) stochastic(s *Statement) {
	c := e.b.Ctx()
	idx := e.indices(s.v, s.LHS)
	args := append([]ir.Value{e.mem[s.v]}, idx...)
	for _, a := range s.Sample.Args {
		args = append(args, e.scalar(a))
	}
	sizes := []int64{1, int64(len(idx)), int64(len(s.Sample.Args)), 0, 0, 0}
	truncated := false
	if bd := s.Sample.Bound; bd != nil {
		t, d := e.m.truncates(s)
		if d != nil {
			panic(d)
		}
		truncated = t
		for i, x := range []syntax.Expr{bd.Lower, bd.Upper} {
			if x != nil {
				args = append(args, e.scalar(x))
				sizes[segLower+i] = 1
			}
		}
	}
	obs, mask := e.observed(s)
	if mask != 0 {
		args = append(args, mask)
		sizes[segMask] = 1
	}
	props := []ir.NamedAttr{{Name: "dist", Value: c.StringAttr(s.Dist.Name)}, {Name: "name", Value: c.StringAttr(s.v.Name)},
		{Name: "observed", Value: c.StringAttr(obs)}, {Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, sizes...)}}
	if truncated {
		props = append(props, ir.NamedAttr{Name: "truncated", Value: c.UnitAttr()})
	}
	if obs == "all" && s.Dist.Law.Counts && e.small(s.v) {
		props = append(props, ir.NamedAttr{Name: smallAttr, Value: c.UnitAttr()})
	}
	e.b.Must(ir.Call{Def: Stochastic, Args: args, Loc: ir.Loc(s.Span().Start + 1), Attr: e.props(props)})
}

// observed says whether the nodes of a statement are data, by which array if not all
// are alike.
func (e *emitter) observed(s *Statement) (string, ir.Value) {
	if e.onto != nil && e.onto.u.mixed(s) {
		return "parts", e.parts(s.v)
	}
	known := e.known
	if known == someData {
		known = s.observed()
	}
	switch known {
	case someData:
		return "mask", e.masks[s.v]
	case allData:
		return "all", 0
	}
	return "none", 0
}
