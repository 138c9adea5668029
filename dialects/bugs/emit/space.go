package emit

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Graph makes a module with a bugs.model @logdensity_unconstrained, and @logdensity too
// if both is set.
func UnconstrainedGraph(u *space.Unconstrained, ctx *ir.Context, both bool, values ...string) (*ir.Graph, *diag.Diagnostic) {
	m := u.Model
	return Module(m, ctx, func(mb *ir.Builder) *diag.Diagnostic {
		if both {
			e := &Emitter{Source: m, Builder: ir.NewBuilder(ctx), Needed: NeededStatements(m, values, nil)}
			if d := e.Emit(mb, "logdensity", values); d != nil {
				return d
			}
		}
		e := &Emitter{Source: m, Builder: ir.NewBuilder(ctx), Needed: NeededStatements(m, values, u), onto: &unconEmitter{u: u}}
		return e.Emit(mb, ops.UnconstrainedName, values)
	})
}

// SpaceGraph makes a module with @logdensity_unconstrained, and with @constrain, the same with values of logical nodes.
// @unconstrain writes the vector of the nodes, and @generate, if there are any, generated quantities besides. @logdensity is
// there too if both is set.
func SpaceGraph(u *space.Unconstrained, ctx *ir.Context, both bool, values, generated []string) (*ir.Graph, *diag.Diagnostic) {
	return Module(u.Model, ctx, func(mb *ir.Builder) *diag.Diagnostic {
		if both {
			e := &Emitter{Source: u.Model, Builder: ir.NewBuilder(ctx), Needed: NeededStatements(u.Model, nil, nil)}
			if d := e.Emit(mb, "logdensity", nil); d != nil {
				return d
			}
		}
		for _, x := range []struct {
			name   string
			onto   unconEmitter
			values []string
			leave  bool
		}{
			{name: ops.UnconstrainedName},
			{name: ops.ConstrainName, values: values},
			{name: ops.UnconstrainName, onto: unconEmitter{inverse: true}, values: []string{ops.VectorName}},
			{name: ops.GenerateName, onto: unconEmitter{draws: true}, values: slices.Concat(values, generated), leave: len(generated) == 0},
		} {
			if x.leave {
				continue
			}
			x.onto.u = u
			e := &Emitter{Source: u.Model, Builder: ir.NewBuilder(ctx), Needed: NeededStatements(u.Model, x.values, u), onto: &x.onto}
			if d := e.Emit(mb, x.name, x.values); d != nil {
				return d
			}
		}
		return nil
	})
}

// unconEmitter is what an emitter needs besides for the unconstrained scale.
type unconEmitter struct {
	u         *space.Unconstrained
	inverse   bool // the vector is written, and there are no densities
	draws     bool // nodes without a part in the density are drawn
	random    ir.Value
	vector    ir.Value
	positions map[*model.Var]ir.Value
	parts     map[*model.Var]ir.Value
	lower     map[*model.Var]ir.Value // limits by dinterval
	upper     map[*model.Var]ir.Value
}

func (e *unconEmitter) fresh() *unconEmitter {
	if e == nil {
		return nil
	}
	return &unconEmitter{u: e.u, inverse: e.inverse, draws: e.draws}
}

// noDensity reports a statement none of whose nodes has a part in the density.
func noDensity(u *space.Unconstrained, s *model.Statement) bool {
	l := roles.Living(u.Model)
	return s.Sample != nil && s.Iterations > 0 && !l.All[s.Index] && l.Some[s.Index] == nil
}

// mixed reports a statement of which some nodes have a part in the density, and some
// have not.
func mixed(u *space.Unconstrained, s *model.Statement) bool {
	return s.Sample != nil && slices.Contains(roles.Living(u.Model).Some[s.Index], false)
}

// declareVector makes the vector, and the positions in it where they need a table.
func (e *Emitter) declareVector() {
	o := e.onto
	c := e.Builder.Ctx()
	o.positions, o.parts = map[*model.Var]ir.Value{}, map[*model.Var]ir.Value{}
	o.lower, o.upper = map[*model.Var]ir.Value{}, map[*model.Var]ir.Value{}
	def := ops.Param
	if o.inverse {
		def = ops.LogicalVar
	}
	o.vector = e.Builder.Must(ir.Call{Def: def, Type: c.MemRef([]int64{int64(o.u.Len())}, ir.F64),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(ops.VectorName)}}, nil)})
	if o.draws {
		o.random = e.Builder.Must(ir.Call{Def: ops.Param, Type: c.MemRef([]int64{2}, ir.F64),
			Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(ops.RandomName)}}, nil)})
	}
	for _, s := range e.Source.Statements {
		pl := o.u.Plans[s.Index]
		if pl != nil && o.positions[s.Var] == 0 {
			if _, ok := o.u.Contiguous(s.Var); !ok || pl.Joint {
				o.positions[s.Var] = e.storage(ops.Data, s.Var.Name+ops.PositionSuffix, s.Var)
			}
		}
		if pl != nil && pl.Cuts.Lower != space.NoNode && o.lower[s.Var] == 0 {
			o.lower[s.Var] = e.storage(ops.Data, s.Var.Name+ops.LowerSuffix, s.Var)
		}
		if pl != nil && pl.Cuts.Upper != space.NoNode && o.upper[s.Var] == 0 {
			o.upper[s.Var] = e.storage(ops.Data, s.Var.Name+ops.UpperSuffix, s.Var)
		}
		if o.parts[s.Var] == 0 && mixed(o.u, s) {
			o.parts[s.Var] = e.storage(ops.Data, s.Var.Name+ops.PartsSuffix, s.Var)
		}
	}
}

func (e *Emitter) parts(v *model.Var) ir.Value { return e.onto.parts[v] }

// earlyNodes makes the nodes whose limits follow from data, and chains, in loops of
// their own.
func (e *Emitter) earlyNodes() {
	if e.onto == nil {
		return
	}
	for _, pl := range e.onto.u.First {
		e.nest(pl, 0, nil)
	}
}

func (e *Emitter) nest(pl *space.Plan, level int, ivs []ir.Value) {
	e.exprs.ivs = ivs
	if level == len(pl.Stmt.Loops) {
		e.node(pl)
		return
	}
	node := pl.Stmt.Loops[level].Node
	r := node.Over.(*syntax.Range) // byPosition makes it one
	lo, hi := e.exprs.index(r.From), e.exprs.index(r.To)
	body := e.Builder.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		e.nest(pl, level+1, append(append([]ir.Value(nil), ivs...), p[0]))
		e.Builder.Op(ops.Yield)
	})
	e.Builder.Must(ir.Call{Def: ops.For, Args: []ir.Value{lo, hi}, Regions: []ir.Region{body}, Loc: loc(node)})
}

// node makes a node from the vector.
func (e *Emitter) node(pl *space.Plan) {
	e.Builder.Loc = ir.Loc(pl.Stmt.Span().Start + 1)
	if pl.Joint {
		e.jointNode(pl)
		return
	}
	k := kit.Ops{B: e.Builder}
	v, idx := pl.Stmt.Var, e.exprs.indices(pl.Stmt.Var, pl.Stmt.LHS)
	at, kept := e.coordinate(pl, idx)
	lo, hi := e.limits(pl, idx)
	if e.onto.inverse {
		e.inverse(pl, idx, at, kept, lo, hi)
		return
	}
	x, logJ := support.Constrained(kit.Calc[ir.Value, ir.Value](k), pl.Kind, e.Builder.Op(ops.Read, e.onto.vector, at), lo, hi)
	if kept != 0 {
		x = arith.Choose(e.Builder, kept, x, e.Builder.Op(ops.Read, append([]ir.Value{e.exprs.mem[v]}, idx...)...))
		logJ = arith.Choose(e.Builder, kept, logJ, k.Num(0))
	}
	c := e.Builder.Ctx()
	e.Builder.Must(ir.Call{Def: ops.Assign, Args: append([]ir.Value{x, e.exprs.mem[v]}, idx...), Loc: e.Builder.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(v.Name)}}, nil)})
	if pl.Kind != support.Identity {
		e.term(logJ)
	}
}

// inverse writes the number of a node into the vector.
func (e *Emitter) inverse(pl *space.Plan, idx []ir.Value, at, kept, lo, hi ir.Value) {
	b, c := e.Builder, e.Builder.Ctx()
	x := b.Op(ops.Read, append([]ir.Value{e.exprs.mem[pl.Stmt.Var]}, idx...)...)
	u := support.Inverse(kit.Calc[ir.Value, ir.Value](kit.Ops{B: b}), pl.Kind, x, lo, hi)
	if kept != 0 {
		u = arith.Choose(b, kept, u, b.Op(ops.Read, e.onto.vector, at))
	}
	b.Must(ir.Call{Def: ops.Assign, Args: []ir.Value{u, e.onto.vector, at}, Loc: b.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(ops.VectorName)}}, nil)})
}

func (e *Emitter) term(logJ ir.Value) {
	c := e.Builder.Ctx()
	e.Builder.Must(ir.Call{Def: ops.Term, Args: []ir.Value{logJ}, Loc: e.Builder.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(ops.JacobianName)}}, nil)})
}

// coordinate is the position of a node in the vector, counted from 1; kept, unless it is
// 0, says whether the node has one.
func (e *Emitter) coordinate(pl *space.Plan, idx []ir.Value) (at, kept ir.Value) {
	k, v := kit.Ops{B: e.Builder}, pl.Stmt.Var
	if first, ok := e.onto.u.Contiguous(v); ok && e.onto.positions[v] == 0 {
		at = e.Builder.Index(0)
		for d, i := range idx {
			at = arith.AddI(e.Builder, arith.MulI(e.Builder, at, e.Builder.Index(int64(v.Dims[d]))), arith.SubI(e.Builder, i, e.Builder.Index(1)))
		}
		return arith.AddI(e.Builder, at, e.Builder.Index(int64(first+1))), 0
	}
	p := e.Builder.Op(ops.Read, append([]ir.Value{e.onto.positions[v]}, idx...)...)
	if !pl.Whole {
		kept = k.Cmp(arith.OGT, p, k.Num(0))
		p = arith.Choose(e.Builder, kept, p, k.Num(1))
	}
	return e.Builder.Op(ops.IndexOf, p), kept
}

// limits makes the limits of the node at idx; what it has not is 0.
func (e *Emitter) limits(pl *space.Plan, idx []ir.Value) (lo, hi ir.Value) {
	k := kit.Ops{B: e.Builder}
	cc := kit.Calc[ir.Value, ir.Value](k)
	arg := func(i int) ir.Value { return e.exprs.scalar(pl.Stmt.Sample.Args[i]) }
	end := func(l support.Limit, bound syntax.Expr, cut space.Nodes, table ir.Value, none float64, both func(x, y ir.Value) ir.Value) ir.Value {
		var all []ir.Value
		if l.Kind != support.NoLimit {
			all = append(all, support.LimitAt(cc, l, arg))
		}
		if bound != nil {
			all = append(all, e.exprs.scalar(bound))
		}
		if cut != space.NoNode {
			all = append(all, e.Builder.Op(ops.Read, append([]ir.Value{table}, idx...)...))
		}
		switch {
		case len(all) > 0:
			x := all[0]
			for _, y := range all[1:] {
				x = both(x, y)
			}
			return x
		case pl.Kind == support.AnyBounds:
			return k.Num(none)
		}
		return k.Num(0)
	}
	lo = end(pl.Support.Lo, pl.Lower, pl.Cuts.Lower, e.onto.lower[pl.Stmt.Var], -function.Inf, func(x, y ir.Value) ir.Value { return kit.Greater(cc, x, y) })
	hi = end(pl.Support.Hi, pl.Upper, pl.Cuts.Upper, e.onto.upper[pl.Stmt.Var], function.Inf, func(x, y ir.Value) ir.Value { return kit.Lesser(cc, x, y) })
	return lo, hi
}

// jointNode makes a node that is a vector or a matrix.
func (e *Emitter) jointNode(pl *space.Plan) {
	c, v := e.Builder.Ctx(), pl.Stmt.Var
	p := partEmitter{e: e.exprs}
	p.add(e.exprs.mem[v], v, pl.Stmt.LHS, true)
	p.add(e.onto.positions[v], v, pl.Stmt.LHS, true)
	p.args = append(p.args, e.onto.vector, e.Builder.Index(1), e.Builder.Index(int64(e.onto.u.Len())))
	p.ranges = append(p.ranges, 1)
	props := []ir.NamedAttr{{Name: "kind", Value: c.StringAttr(pl.Kind.String())}, {Name: "ranges", Value: c.DenseArray(ir.I32, p.ranges...)}}
	if e.onto.inverse {
		props = append(props, ir.NamedAttr{Name: ops.InverseAttr, Value: c.UnitAttr()})
	}
	logJ := e.Builder.Must(ir.Call{Def: ops.Constrain, Args: p.args, Loc: e.Builder.Loc, Attr: c.Props(props, nil)})
	if pl.Kind != support.Identity && !e.onto.inverse {
		e.term(logJ)
	}
}
