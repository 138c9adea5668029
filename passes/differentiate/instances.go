package differentiate

import (
	"context"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// instance is the body of a statement as a function of its own: of the coordinates, of what it reads by relations, of what it reads at
// computed indices, and of values from outside.
type instance struct {
	*equations
	st     *poly.Stmt
	s      *ir.Schedule // of the function with the system
	ats    []ir.Node    // the reads at computed indices
	free   []ir.Value   // from outside, but for arrays
	arrays []ir.Value   // that are read at computed indices
	plan   *plan
	arms   *arms
}

// newInstance plans the derivatives of the body of a statement; extra is what they read beside what the statement does.
func (e *equations) newInstance(st *poly.Stmt) (x *instance, extra []typed, err error) {
	x = &instance{equations: e, st: st, s: ir.ScheduleOf(e.g)}
	switch {
	case st.Keyed:
		return nil, nil, st.Node.Errorf("accumulates at computed indices, of which the adjoint is none of these equations: differentiate before poly-key, or %s", scheduled)
	case st.HasAfter:
		return nil, nil, st.Node.Errorf("reads sums as they are before others are added: differentiate before poly-key, or %s", scheduled)
	}
	if err := x.find(); err != nil {
		return nil, nil, err
	}
	switch st.Operator {
	case poly.Mul:
		extra = x.product()
	case poly.Max, poly.Min:
		extra = x.extremum()
	}
	return x, extra, nil
}

// statement makes the adjoints of what a statement reads.
func (e *equations) statement(st *poly.Stmt) error {
	x, extra, err := e.newInstance(st)
	if err != nil {
		return err
	}
	for k, r := range st.Reads {
		if e.active[r.Array] {
			if err := x.share(k, ir.Node{}, extra); err != nil {
				return err
			}
		}
	}
	for _, at := range x.ats {
		if e.active[x.arrayOf(at)] {
			if err := x.share(-1, at, extra); err != nil {
				return err
			}
		}
	}
	return nil
}

// find plans the way back through the body.
func (x *instance) find() error {
	region, g := x.st.Node.Region(0), x.g
	outer := &plan{checked: newChecked(newActivity(g, x.s, ends{}, nil))}
	for _, v := range outer.free(x.st.Node.Old(), false) {
		if poly.Holds(g.Ctx, g.Type(v)) {
			x.arrays = append(x.arrays, v)
		} else {
			x.free = append(x.free, v)
		}
	}
	b := ir.NewBuilder(g.Ctx)
	args := lists.Map(region.ParamTypes(), b.Param)
	from := map[ir.Value]ir.Value{}
	for _, v := range x.free {
		from[v] = b.Param(g.Type(v))
	}
	for _, v := range x.arrays {
		from[v] = b.Param(g.Type(v))
	}
	var inner error
	ys := ir.Insert(b, x.s, region.Old(), from, ir.Rules{poly.At: func(_ *ir.Mirror, n ir.Node) ir.Value {
		if x.s.Place(n.Old()) != region.Old() && inner == nil {
			inner = n.Errorf("reads at a computed index within a branch: %s", scheduled)
		}
		x.ats = append(x.ats, n)
		return b.Param(n.Type())
	}}, args...)
	b.Op(funcs.Return, ys[0])
	body := b.Finish()
	var active []ir.Value
	params := body.Params(ir.Root)
	dims := len(args) - len(x.st.Reads)
	for k, r := range x.st.Reads {
		if x.active[r.Array] {
			active = append(active, params[dims+k])
		}
	}
	for i, at := range x.ats {
		if x.active[x.arrayOf(at)] {
			active = append(active, params[x.firstAt()+i])
		}
	}
	p, err := newPlan(newActivity(body, ir.NewSchedule(body, ir.ScheduleOptions{}), ends{from: active, results: body.Yields(ir.Root)}, nil), 0)
	if err != nil {
		return err
	}
	x.plan, x.arms = p, newArms(p, true, nil)
	return inner
}

// dims is how many coordinates an instance has, and firstAt the first parameter that is read at a computed index.
func (x *instance) dims() int    { return x.st.Domain.Tuple().Len() }
func (x *instance) firstAt() int { return x.dims() + len(x.st.Reads) + len(x.free) + len(x.arrays) }

// arrayOf is the array of a read at a computed index.
func (x *instance) arrayOf(at ir.Node) *poly.ArrayDecl {
	i := slices.IndexFunc(x.sys.Arrays, func(a *poly.ArrayDecl) bool { return a.Node == at.Arg(0) })
	return x.sys.Arrays[i]
}

// made is the body in a statement that is being built: what it yields, and what it reads at computed indices.
type made struct {
	b        *ir.Builder
	args     []ir.Value // of the function of its own
	value    ir.Value
	indices  map[ir.Node][]ir.Value
	extra    []ir.Value // what else the statement reads
	gathered []ir.Value // other arrays that it reads at computed indices
}

// again makes the body once more: of coordinates and values, what is free, and arrays.
func (x *instance) again(b *ir.Builder, inner, free, arrays, extra []ir.Value) *made {
	d := &made{b: b, indices: map[ir.Node][]ir.Value{}, extra: extra}
	from, at := map[ir.Value]ir.Value{}, map[ir.Node]ir.Value{}
	for i, v := range x.free {
		from[v] = free[i]
	}
	for i, v := range x.arrays {
		from[v] = arrays[i]
	}
	ys := ir.Insert(b, x.s, x.st.Node.Region(0).Old(), from, ir.Rules{poly.At: func(m *ir.Mirror, n ir.Node) ir.Value {
		at[n] = m.Copy(n)
		d.indices[n] = m.All(n.Args()[1:])
		return at[n]
	}}, inner...)
	d.value = ys[0]
	d.args = slices.Concat(inner, free, arrays, lists.Map(x.ats, func(n ir.Node) ir.Value { return at[n] }))
	return d
}

// share makes the statements that add to the adjoint of what a read takes: the k-th by a relation, or one at a computed index. There
// is one for each piece of the relation, which is affine there.
func (x *instance) share(k int, at ir.Node, extra []typed) error {
	if k < 0 {
		a := x.arrayOf(at)
		return x.piece(x.firstAt()+slices.Index(x.ats, at), at, x.adjoints[a], x.st.Domain.CrossMap(a.Extent), x.st.Domain, extra)
	}
	r := x.st.Reads[k]
	domain := x.st.Domain
	if !unwind.Must(domain.IsSubset(r.Map.Domain())) {
		domain = unwind.Must(unwind.Must(domain.Intersect(r.Map.Domain())).Coalesce())
	}
	m := systems.Simpler(r.Map, domain)
	pieces := m.Basics()
	if len(pieces) > 1 {
		pieces = unwind.Must(m.MakeDisjoint()).Basics()
	}
	for _, basic := range pieces {
		m, domain := presburger.MapOf(basic), domain
		if len(pieces) > 1 {
			domain = unwind.Must(domain.Intersect(m.Domain()))
			m = systems.Simpler(m, domain)
		}
		if err := x.piece(x.dims()+k, ir.Node{}, x.adjoints[r.Array], m, domain, extra); err != nil {
			return err
		}
	}
	return nil
}

// piece makes one of these, for a parameter of the body.
func (x *instance) piece(param int, at ir.Node, array ir.Value, m presburger.Map, domain presburger.Set, extra []typed) error {
	name := x.name(x.st.Name + "_adjoint")
	to := poly.NewAccess{Array: array, Map: x.from(m, name, nameOf(x.b, array))}
	// The adjoint of what the statement defines is read first.
	more := append([]typed{x.atTarget(x.adjoints[x.st.Target], x.st.Target.Elem)}, extra...)
	return x.newStatement(name, domain, poly.Add, to, more, nil, func(d *made) []ir.Value {
		z := d.extra[0]
		if scale := x.scale(d); scale != nil {
			z = scale(z)
		}
		out := x.partials(d, z)(param)
		if out == 0 {
			return nil
		}
		return append([]ir.Value{out}, d.indices[at]...)
	})
}

// partials goes back through the body from the adjoint of its value: to that of each parameter, 0 if it has none.
func (x *instance) partials(d *made, z ir.Value) func(param int) ir.Value {
	back := newBack(x.plan, d.b, x.arms)
	back.run(d.args)
	root := back.root()
	root.add(x.plan.g.Yields(ir.Root)[0], z)
	root.sweep()
	return func(param int) ir.Value { return root.leavesAlone(back, param) }
}

// from is a relation of the statement's instances by the names of another statement and array.
func (x *instance) from(m presburger.Map, name, array string) presburger.Map {
	in, out := m.Tuples()
	to := poly.Renaming(out.Name(), array, out.Len())
	of := poly.Renaming(in.Name(), name, in.Len()).Inverse()
	return unwind.Must(unwind.Must(to.Compose(m)).Compose(of))
}

// newStatement makes a statement of the same instances, or some of them, that reads what the statement does and more, of which no more is
// left than is used, and other arrays at computed indices. compute gives the value, and indices if they are computed; nothing, if there is no statement.
func (x *instance) newStatement(name string, domain presburger.Set, op poly.Operator, to poly.NewAccess, more []typed, gathered []ir.Value, compute func(d *made) []ir.Value) error {
	c := x.g.Ctx
	b := ir.NewBuilder(c)
	inner := lists.Map(x.st.Node.Region(0).ParamTypes(), b.Param)
	extra := lists.Map(more, func(a typed) ir.Value { return b.Param(a.elem) })
	param := func(v ir.Value) ir.Value { return b.Param(x.g.Type(v)) }
	d := x.again(b, inner, lists.Map(x.free, param), lists.Map(x.arrays, param), extra)
	d.gathered = lists.Map(gathered, func(v ir.Value) ir.Value { return b.Param(x.b.Graph().Type(v)) })
	out := compute(d)
	if out == nil {
		return nil
	}
	b.Op(funcs.Return, out...)
	g, _, _ := fixpoint.Settle(context.Background(), b.Finish(), c.Cleanups(), fixpoint.MostRebuilds)
	uses, params := ir.Uses(g), g.Params(ir.Root)
	var reads []poly.NewAccess
	var of []int // of the parameters that are read
	read := func(i int, a poly.NewAccess) {
		if len(uses.Of(params[i])) > 0 {
			reads, of = append(reads, poly.NewAccess{Array: a.Array, Map: x.from(a.Map, name, nameOf(x.b, a.Array))}), append(of, i)
		}
	}
	for k, r := range x.st.Reads {
		read(x.dims()+k, poly.NewAccess{Array: x.m.Of(r.Array.Node), Map: r.Map})
	}
	for k, a := range more {
		read(len(inner)+k, a.NewAccess)
	}
	x.given[to.Array] = true
	poly.NewKeyed(x.b, name, renamed(domain, name), op, to, reads, func(coords, values []ir.Value) (ir.Value, []ir.Value) {
		args := make([]ir.Value, len(params))
		copy(args, coords)
		for i, k := range of {
			args[k] = values[i]
		}
		old := func(v ir.Value) ir.Value { return x.m.Of(x.g.NodeOf(v)) }
		copy(args[len(inner)+len(more):], slices.Concat(lists.Map(x.free, old), lists.Map(x.arrays, old), gathered))
		for i := range args {
			if args[i] == 0 {
				args[i] = arith.Zero(x.b, g.Type(params[i]))
			}
		}
		ys := ir.Insert(x.b, ir.ScheduleOf(g), ir.Root, nil, nil, args...)
		return ys[0], ys[1:]
	})
	return nil
}

// local makes an array like the target of the statement, once for all statements that define it.
func (x *instance) local(of map[*poly.ArrayDecl]ir.Value, what string, elem ir.Type) ir.Value {
	t := x.st.Target
	if of[t] == 0 {
		name := x.name(t.Name + what)
		of[t] = poly.NewLocal(x.b, name, renamed(t.Extent, name), elem)
	}
	return of[t]
}

// beside makes a statement that puts something of each instance into another array, at the place where it puts its value.
func (x *instance) beside(array ir.Value, elem ir.Type, op poly.Operator, more []typed, compute func(d *made) ir.Value) typed {
	name := x.name(nameOf(x.b, array) + "_S")
	to := poly.NewAccess{Array: array, Map: x.from(x.st.Write, name, nameOf(x.b, array))}
	x.fail(x.newStatement(name, x.st.Domain, op, to, more, nil, func(d *made) []ir.Value { return []ir.Value{compute(d)} }))
	return x.atTarget(array, elem)
}

// typed is an access to an array of which the elements are of a type.
type typed struct {
	poly.NewAccess
	elem ir.Type
}

// atTarget is an access to the element of an array that is where the statement puts its value.
func (x *instance) atTarget(array ir.Value, elem ir.Type) typed {
	return typed{poly.NewAccess{Array: array, Map: x.st.Write}, elem}
}

// product makes the number of factors that are zero, and the product of the others.
func (x *instance) product() []typed {
	elem := x.st.Target.Elem
	is := func(d *made) ir.Value { return arith.CmpF(d.b, arith.OEQ, d.value, arith.Zero(d.b, elem)) }
	zeros := x.beside(x.local(x.zeros, "_zeros", ir.I64), ir.I64, poly.Add, nil, func(d *made) ir.Value {
		return arith.Cast(d.b, arith.Extui, is(d), ir.I64)
	})
	others := x.beside(x.local(x.others, "_others", elem), elem, poly.Mul, nil, func(d *made) ir.Value {
		return arith.Choose(d.b, is(d), arith.ConstFloat(d.b, elem, 1), d.value)
	})
	return []typed{zeros, others}
}

// extremum makes the number of values that are the greatest, or the least.
func (x *instance) extremum() []typed {
	elem := x.st.Target.Elem
	target := x.atTarget(x.m.Of(x.st.Target.Node), elem)
	ties := x.beside(x.local(x.ties, "_ties", elem), elem, poly.Add, []typed{target}, func(d *made) ir.Value {
		is := arith.CmpF(d.b, arith.OEQ, d.value, d.extra[0])
		return arith.Choose(d.b, is, arith.ConstFloat(d.b, elem, 1), arith.Zero(d.b, elem))
	})
	return []typed{target, ties}
}

// scale is what a reduction makes of the adjoint of its target for one of its values, or nil for a sum.
func (x *instance) scale(d *made) func(z ir.Value) ir.Value {
	b, elem := d.b, x.st.Target.Elem
	zero := arith.Zero(b, elem)
	switch x.st.Operator {
	case poly.Mul:
		zeros, others := d.extra[1], d.extra[2]
		none := arith.CmpI(b, arith.EQ, zeros, arith.ConstInt(b, ir.I64, 0))
		one := arith.CmpI(b, arith.EQ, zeros, arith.ConstInt(b, ir.I64, 1))
		is := arith.CmpF(b, arith.OEQ, d.value, zero)
		whole := arith.Choose(b, none, arith.Float(b, arith.Divf, real, others, arith.Choose(b, is, arith.ConstFloat(b, elem, 1), d.value)), zero)
		return func(z ir.Value) ir.Value {
			return arith.Float(b, arith.Mulf, real, z, arith.Choose(b, is, arith.Choose(b, one, others, zero), whole))
		}
	case poly.Max, poly.Min:
		is := arith.CmpF(b, arith.OEQ, d.value, d.extra[1])
		return func(z ir.Value) ir.Value {
			return arith.Choose(b, is, arith.Float(b, arith.Divf, real, z, d.extra[2]), zero)
		}
	}
	return nil
}
