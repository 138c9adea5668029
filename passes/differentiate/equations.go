package differentiate

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// The adjoint of a system of equations is a system of equations. Where an instance reads an element, it adds to the adjoint of that
// element what its body's rule makes of the adjoint of what it defines: a reduction over the same domain, by the relation by
// which it reads. So what is known of reductions is about derivatives, too: simplify-reductions makes a sum over what follows of
// the derivative of a prefix sum, and poly-schedule finds an order.
//
// The greatest or the least of some values hands its adjoint on to all that are equal to it, in equal shares. A product gives to each
// factor the product of the others, also where one of them is zero.

// equations is the derivative of a function that is one system of equations.
type equations struct {
	*signature
	sys                 *poly.System
	args                []ir.Value                   // of the new function
	active              map[*poly.ArrayDecl]bool     // arrays with adjoints
	adjoints            map[*poly.ArrayDecl]ir.Value // their arrays
	sums                map[*poly.ArrayDecl]ir.Value // memory of the adjoints of inputs
	zeros, others, ties map[*poly.ArrayDecl]ir.Value // of reductions (product, extremum)
	given               map[ir.Value]bool            // adjoints to which statements add
	names               map[string]bool
	b                   *ir.Builder
	m                   *ir.Mirror
	err                 error
}

// scheduled is what makes loops of equations.
const scheduled = "make loops of it first: poly-schedule,poly-codegen,lower-affine,lower{to=scf}"

// systemOf is the system of equations that a function is, or nil if it has none. The error is about one with more beside it.
func systemOf(g *ir.Graph) (*poly.System, error) {
	all := poly.Systems(g)
	if len(all) == 0 {
		return nil, nil
	}
	sys := all[0]
	s, effects := ir.ScheduleOf(g), g.Effects()
	for _, v := range s.Body(ir.Root) {
		if v != sys.Node.Old() && v != g.Term(ir.Root) && len(effects(v)) > 0 && g.Def(v) != poly.Bind {
			return nil, g.NodeOf(v).Errorf("stands beside equations, which have derivatives by themselves alone: %s", scheduled)
		}
	}
	switch {
	case len(all) > 1:
		return nil, all[1].Node.Errorf("is a second system of equations, and one alone has derivatives as it is: %s", scheduled)
	case sys.Schedule != nil:
		return nil, sys.Node.Errorf("has a schedule: differentiate before poly-schedule, or %s", scheduled)
	}
	return sys, nil
}

// equationsOf begins the derivative of a function that is a system of equations; it is nil for one that has none.
func (d *Differentiate) equationsOf(f ir.Node, g *ir.Graph) (*equations, error) {
	sys, err := systemOf(g)
	if sys == nil || err != nil {
		return nil, err
	}
	sig, err := d.signature(f, g, nil)
	if err != nil {
		return nil, err
	}
	if len(sig.asked())+len(sig.seeds) > 0 {
		return nil, f.Errorf("takes or gives a float beside its memory, and its equations have derivatives by memory alone: leave it out (wrt=), or %s", scheduled)
	}
	e := &equations{signature: sig, sys: sys, adjoints: map[*poly.ArrayDecl]ir.Value{}, sums: map[*poly.ArrayDecl]ir.Value{}, names: map[string]bool{}, given: map[ir.Value]bool{},
		zeros: map[*poly.ArrayDecl]ir.Value{}, others: map[*poly.ArrayDecl]ir.Value{}, ties: map[*poly.ArrayDecl]ir.Value{}}
	for _, a := range sys.Arrays {
		e.names[a.Name] = true
	}
	for _, st := range sys.Statements {
		e.names[st.Name] = true
	}
	e.active = e.activeArrays()
	return e, nil
}

// built makes the function, with a rule for its system.
func (e *equations) built(b *ir.Builder, system func(m *ir.Mirror, n ir.Node) ir.Value) ([]ir.Value, error) {
	e.b, e.args = b, b.Params(ir.Root)
	results := ir.Insert(b, ir.ScheduleOf(e.g), ir.Root, nil, ir.Rules{poly.SystemOp: system}, e.args[:len(e.by)]...)
	return results, e.err
}

// adjointOf is the function that gives derivatives in reverse mode.
func (e *equations) adjointOf(f ir.Node) (_ ir.Call, failed error) {
	defer unwind.To(&failed)
	b, attr := e.adjoint(f)
	results, err := e.built(b, e.system)
	if err != nil {
		return ir.Call{}, err
	}
	for _, a := range e.sys.Arrays {
		k, ok := e.argument(a)
		if !ok || e.shadowOf(k) == 0 {
			continue
		}
		switch shadow := e.shadowOf(k); {
		case a.Role == poly.Output:
			writeZeros(b, shadow) // nothing of what was there before the call is used
		case e.given[e.adjoints[a]] && e.sums[a] != 0:
			copyTo(b, e.sums[a], func(z ir.Value, at []ir.Value) {
				to := append([]ir.Value{shadow}, at...)
				sum := arith.Float(b, arith.Addf, real, b.Op(memref.Load, to...), z)
				b.Op(memref.Store, append([]ir.Value{sum}, to...)...)
			})
		}
	}
	return finished(b, attr, results), nil
}

// argument is the number of the argument that an array is.
func (e *equations) argument(a *poly.ArrayDecl) (k int, ok bool) {
	if a.Node.Def() != poly.Bind {
		return 0, false
	}
	home, k, ok := e.g.Param(a.Node.Arg(0).Old())
	return k, ok && home == ir.Root
}

// shadowOf is the shadow of an argument, or 0.
func (e *equations) shadowOf(k int) ir.Value {
	i := slices.Index(e.shadows, k)
	if i < 0 {
		return 0
	}
	return e.args[len(e.by)+len(e.seeds)+i]
}

// activeArrays are those that vary and are useful.
func (e *equations) activeArrays() map[*poly.ArrayDecl]bool {
	varied, useful := map[*poly.ArrayDecl]bool{}, map[*poly.ArrayDecl]bool{}
	isFloat := func(a *poly.ArrayDecl) bool { return e.g.Ctx.IsFloat(a.Elem) }
	for _, a := range e.sys.Arrays {
		if k, ok := e.argument(a); ok && isFloat(a) {
			varied[a] = a.Role == poly.Input && e.by[k]
			useful[a] = a.Role == poly.Output && slices.Contains(e.shadows, k)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, st := range e.sys.Statements {
			for _, a := range readsOf(st) {
				if varied[a] && isFloat(st.Target) && !varied[st.Target] {
					varied[st.Target], changed = true, true
				}
				if useful[st.Target] && isFloat(a) && !useful[a] {
					useful[a], changed = true, true
				}
			}
		}
	}
	for a := range varied {
		varied[a] = varied[a] && useful[a]
	}
	return varied
}

// readsOf lists the arrays that a statement reads.
func readsOf(st *poly.Stmt) []*poly.ArrayDecl {
	return append(lists.Map(st.Reads, func(r poly.Access) *poly.ArrayDecl { return r.Array }), st.Gathers...)
}

// system is the system with the adjoints of its equations.
func (e *equations) system(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	e.m = m
	if e.refuses() {
		return n.Old()
	}
	for _, a := range e.sys.Arrays {
		if e.active[a] && a.Role == poly.Input {
			e.sums[a] = roomLike(b, m.Of(a.Node.Arg(0)))
		}
	}
	return e.extended(m, n, func() {
		for _, a := range e.sys.Arrays {
			if e.active[a] {
				e.newAdjoint(a)
			}
		}
		for _, st := range e.sys.Statements {
			if e.active[st.Target] && e.err == nil {
				e.fail(e.statement(st))
			}
		}
		e.zeroRest(func(a *poly.ArrayDecl) bool { return e.active[a] && a.Role != poly.Input })
	})
}

// refuses fails for arrays of which there is no derivative.
func (e *equations) refuses() bool {
	for _, a := range e.sys.Arrays {
		switch {
		case !e.active[a]:
		case !a.HasExtent:
			e.fail(a.Node.Errorf("has no extent, and its derivatives would have none: give it one, or %s", scheduled))
		case a.Role == poly.InOut:
			e.fail(a.Node.Errorf("has elements before and after the equations, whose derivatives are not the same: %s", scheduled))
		}
	}
	return e.err != nil
}

// extended is a system as it is, with more in it.
func (e *equations) extended(m *ir.Mirror, n ir.Node, more func()) ir.Value {
	b, at := m.B, m.B.Loc
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		m.BodyWithout(n.Region(0), func(ir.Node) bool { return false })
		more()
		b.Op(poly.Yield)
	})
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: n.Attrs(), Regions: []ir.Region{region}, Loc: at})
}

// zeroRest defines the derivatives of some arrays, where no statement does.
func (e *equations) zeroRest(of func(a *poly.ArrayDecl) bool) {
	for _, a := range e.sys.Arrays {
		if !of(a) || e.given[e.adjoints[a]] {
			continue
		}
		name := e.name(a.Name + "_zero")
		to := poly.NewAccess{Array: e.adjoints[a], Map: poly.Renaming(name, nameOf(e.b, e.adjoints[a]), a.Rank)}
		poly.NewStatement(e.b, name, renamed(a.Extent, name), poly.Add, to, nil, func(_, _ []ir.Value) ir.Value { return arith.Zero(e.b, a.Elem) })
	}
}

// nameOf is the name of an array of the new system.
func nameOf(b *ir.Builder, array ir.Value) string {
	g := b.Graph()
	return g.Ctx.AttrInfo(g.Ctx.Get(g.AttrsOf(array), "name")).Str
}

// fail keeps the first error.
func (e *equations) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// name is one that nothing has.
func (e *equations) name(like string) string {
	name := like
	for i := 2; e.names[name]; i++ {
		name = fmt.Sprintf("%s%d", like, i)
	}
	e.names[name] = true
	return name
}

// renamed is a set of tuples by another name.
func renamed(s presburger.Set, name string) presburger.Set {
	t := s.Tuple()
	return unwind.Must(s.Apply(poly.Renaming(t.Name(), name, t.Len())))
}

// newAdjoint makes the array of the adjoints of one. That of an output begins with what is asked for.
func (e *equations) newAdjoint(a *poly.ArrayDecl) {
	name := e.name(a.Name + "_adjoint")
	extent := renamed(a.Extent, name)
	if sum := e.sums[a]; sum != 0 {
		e.adjoints[a] = poly.NewBind(e.b, sum, poly.Output, name, extent, false)
		return
	}
	e.adjoints[a] = poly.NewLocal(e.b, name, extent, a.Elem)
	k, ok := e.argument(a)
	if !ok || !slices.Contains(e.shadows, k) {
		return
	}
	seed, by := e.name(a.Name+"_seed"), e.name("S_"+a.Name+"_seed")
	domain := renamed(a.Extent, by)
	n := a.Rank
	array := poly.NewBind(e.b, e.shadowOf(k), poly.Input, seed, renamed(a.Extent, seed), false)
	e.given[e.adjoints[a]] = true
	poly.NewStatement(e.b, by, domain, poly.Add, poly.NewAccess{Array: e.adjoints[a], Map: poly.Renaming(by, name, n)},
		[]poly.NewAccess{{Array: array, Map: poly.Renaming(by, seed, n)}}, func(_, values []ir.Value) ir.Value { return values[0] })
}
