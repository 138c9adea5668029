package bugs

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Graph makes a module with a bugs.model @logdensity_unconstrained, and @logdensity too
// if both is set.
func (u *Unconstrained) Graph(ctx *ir.Context, both bool, values ...string) (*ir.Graph, *diag.Diagnostic) {
	m := u.Model
	return m.module(ctx, func(mb *ir.Builder) *diag.Diagnostic {
		if both {
			e := &emitter{m: m, b: ir.NewBuilder(ctx), needed: m.neededStatements(values, nil)}
			if d := e.model(mb, "logdensity", values); d != nil {
				return d
			}
		}
		e := &emitter{m: m, b: ir.NewBuilder(ctx), needed: m.neededStatements(values, u), onto: &unconEmitter{u: u}}
		return e.model(mb, unconstrainedFn, values)
	})
}

// unconEmitter is what an emitter needs besides for the unconstrained scale.
type unconEmitter struct {
	u         *Unconstrained
	vector    ir.Value
	positions map[*Var]ir.Value
	parts     map[*Var]ir.Value
	lower     map[*Var]ir.Value // limits by dinterval
	upper     map[*Var]ir.Value
}

func (e *unconEmitter) fresh() *unconEmitter {
	if e == nil {
		return nil
	}
	return &unconEmitter{u: e.u}
}

// absent reports a statement none of whose nodes has a part in the density.
func (u *Unconstrained) absent(s *Statement) bool {
	l := u.Model.lives()
	return s.Sample != nil && s.n > 0 && !l.all[s.Index] && l.some[s.Index] == nil
}

// mixed reports a statement of which some nodes have a part in the density, and some
// have not.
func (u *Unconstrained) mixed(s *Statement) bool {
	return s.Sample != nil && slices.Contains(u.Model.lives().some[s.Index], false)
}

// declareVector makes the vector, and the positions in it where they need a table.
func (e *emitter) declareVector() {
	o := e.onto
	c := e.b.Ctx()
	o.positions, o.parts = map[*Var]ir.Value{}, map[*Var]ir.Value{}
	o.lower, o.upper = map[*Var]ir.Value{}, map[*Var]ir.Value{}
	o.vector = e.b.Must(ir.Call{Def: Param, Type: c.MemRef([]int64{int64(len(o.u.Coords))}, ir.F64),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(VectorName)}}, nil)})
	for _, s := range e.m.Statements {
		pl := o.u.plans[s.Index]
		if pl != nil && o.positions[s.v] == 0 {
			if _, ok := o.u.straight(s.v); !ok || pl.joint {
				o.positions[s.v] = e.storage(Data, s.v.Name+positionSuffix, s.v)
			}
		}
		if pl != nil && pl.cuts.lower != noNode && o.lower[s.v] == 0 {
			o.lower[s.v] = e.storage(Data, s.v.Name+lowerSuffix, s.v)
		}
		if pl != nil && pl.cuts.upper != noNode && o.upper[s.v] == 0 {
			o.upper[s.v] = e.storage(Data, s.v.Name+upperSuffix, s.v)
		}
		if o.parts[s.v] == 0 && o.u.mixed(s) {
			o.parts[s.v] = e.storage(Data, s.v.Name+partsSuffix, s.v)
		}
	}
}

func (e *emitter) parts(v *Var) ir.Value { return e.onto.parts[v] }

// earlyNodes makes the nodes whose limits follow from data, and chains, in loops of
// their own.
func (e *emitter) earlyNodes() {
	if e.onto == nil {
		return
	}
	for _, pl := range e.onto.u.early {
		e.nest(pl, 0, nil)
	}
}

func (e *emitter) nest(pl *plan, level int, ivs []ir.Value) {
	e.ivs = ivs
	if level == len(pl.s.Loops) {
		e.node(pl)
		return
	}
	node := pl.s.Loops[level].Node
	r := node.Over.(*syntax.Range) // byPosition makes it one
	lo, hi := e.index(r.From), e.index(r.To)
	body := e.b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		e.nest(pl, level+1, append(append([]ir.Value(nil), ivs...), p[0]))
		e.b.Op(Yield)
	})
	e.b.Must(ir.Call{Def: For, Args: []ir.Value{lo, hi}, Regions: []ir.Region{body}, Loc: loc(node)})
}

// node makes a node from the vector.
func (e *emitter) node(pl *plan) {
	e.b.Loc = ir.Loc(pl.s.Span().Start + 1)
	if pl.joint {
		e.jointNode(pl)
		return
	}
	k := prob.Kit{B: e.b}
	v, idx := pl.s.v, e.indices(pl.s.v, pl.s.LHS)
	at, kept := e.coordinate(pl, idx)
	lo, hi := e.limits(pl, idx)
	x, logJ := prob.Constrained(prob.Calc[ir.Value, ir.Value](k), pl.kind, e.b.Op(Read, e.onto.vector, at), lo, hi)
	if kept != 0 {
		x = arith.Choose(e.b, kept, x, e.b.Op(Read, append([]ir.Value{e.mem[v]}, idx...)...))
		logJ = arith.Choose(e.b, kept, logJ, k.Num(0))
	}
	c := e.b.Ctx()
	e.b.Must(ir.Call{Def: Assign, Args: append([]ir.Value{x, e.mem[v]}, idx...), Loc: e.b.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(v.Name)}}, nil)})
	if pl.kind != prob.Identity {
		e.term(logJ)
	}
}

func (e *emitter) term(logJ ir.Value) {
	c := e.b.Ctx()
	e.b.Must(ir.Call{Def: Term, Args: []ir.Value{logJ}, Loc: e.b.Loc,
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(JacobianName)}}, nil)})
}

// coordinate is the position of a node in the vector, counted from 1; kept, unless it is
// 0, says whether the node has one.
func (e *emitter) coordinate(pl *plan, idx []ir.Value) (at, kept ir.Value) {
	k, v := prob.Kit{B: e.b}, pl.s.v
	if first, ok := e.onto.u.straight(v); ok && e.onto.positions[v] == 0 {
		at = e.b.Index(0)
		for d, i := range idx {
			at = arith.AddI(e.b, arith.MulI(e.b, at, e.b.Index(int64(v.Dims[d]))), arith.SubI(e.b, i, e.b.Index(1)))
		}
		return arith.AddI(e.b, at, e.b.Index(int64(first+1))), 0
	}
	p := e.b.Op(Read, append([]ir.Value{e.onto.positions[v]}, idx...)...)
	if !pl.whole {
		kept = k.Cmp(arith.OGT, p, k.Num(0))
		p = arith.Choose(e.b, kept, p, k.Num(1))
	}
	return e.b.Op(IndexOf, p), kept
}

// limits makes the limits of the node at idx; what it has not is 0.
func (e *emitter) limits(pl *plan, idx []ir.Value) (lo, hi ir.Value) {
	k := prob.Kit{B: e.b}
	cc := prob.Calc[ir.Value, ir.Value](k)
	arg := func(i int) ir.Value { return e.scalar(pl.s.Sample.Args[i]) }
	end := func(l prob.Limit, bound syntax.Expr, cut nodes, table ir.Value, none float64, both func(x, y ir.Value) ir.Value) ir.Value {
		var all []ir.Value
		if l.Kind != prob.NoLimit {
			all = append(all, prob.LimitAt(cc, l, arg))
		}
		if bound != nil {
			all = append(all, e.scalar(bound))
		}
		if cut != noNode {
			all = append(all, e.b.Op(Read, append([]ir.Value{table}, idx...)...))
		}
		switch {
		case len(all) > 0:
			x := all[0]
			for _, y := range all[1:] {
				x = both(x, y)
			}
			return x
		case pl.kind == prob.AnyBounds:
			return k.Num(none)
		}
		return k.Num(0)
	}
	lo = end(pl.sup.Lo, pl.lower, pl.cuts.lower, e.onto.lower[pl.s.v], -inf, func(x, y ir.Value) ir.Value { return prob.Greater(cc, x, y) })
	hi = end(pl.sup.Hi, pl.upper, pl.cuts.upper, e.onto.upper[pl.s.v], inf, func(x, y ir.Value) ir.Value { return prob.Lesser(cc, x, y) })
	return lo, hi
}

// jointNode makes a node that is a vector or a matrix.
func (e *emitter) jointNode(pl *plan) {
	c, v := e.b.Ctx(), pl.s.v
	p := partEmitter{e: e}
	p.add(e.mem[v], v, pl.s.LHS, true)
	p.add(e.onto.positions[v], v, pl.s.LHS, true)
	p.args = append(p.args, e.onto.vector, e.b.Index(1), e.b.Index(int64(len(e.onto.u.Coords))))
	p.ranges = append(p.ranges, 1)
	logJ := e.b.Must(ir.Call{Def: Constrain, Args: p.args, Loc: e.b.Loc, Attr: c.Props([]ir.NamedAttr{
		{Name: "kind", Value: c.StringAttr(pl.kind.String())}, {Name: "ranges", Value: c.DenseArray(ir.I32, p.ranges...)}}, nil)})
	if pl.kind != prob.Identity {
		e.term(logJ)
	}
}
