package systems

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// copies are the arrays of a system of which each element is a copy of one of another array: who reads
// one may read that (copy propagation). Simplified reductions leave such arrays where all answers
// along a direction are equal.
type copies struct {
	sys      *poly.System
	place    map[ir.Value]int // of arrays and statements in the body of the system
	setters  map[*poly.ArrayDecl][]*poly.Stmt
	readers  map[*poly.ArrayDecl][]read
	gathered map[*poly.ArrayDecl]bool     // by computed indices
	reads    map[*poly.Stmt][]poly.Access // as they are by now
	changed  map[ir.Node]*poly.Stmt       // statements that read something else
	gone     map[ir.Node]bool             // arrays that nobody reads any more, and the statements that copied
	seen     map[*poly.ArrayDecl]bool     // arrays that were looked at
}

// A read is one of a statement, by its number.
type read struct {
	st *poly.Stmt
	i  int
}

// Forward lets who reads copies read what they are copies of. An array comes after the one that it is a
// copy of, so that each read is followed once.
func Forward(g *ir.Graph) (_ *ir.Graph, err error) {
	defer unwind.To(&err)
	of, changed := map[ir.Node]*copies{}, map[ir.Node]*copies{}
	unwind.Check(Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		if sys.Schedule != nil {
			return nil
		}
		c := copiesOf(sys)
		for _, a := range sys.Arrays {
			c.follow(a)
		}
		if len(c.gone) > 0 {
			of[sys.Node] = c
		}
		for n := range c.changed {
			changed[n] = c
		}
		return nil
	}))
	if len(of) == 0 {
		return g, nil
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			if c := of[n]; c != nil {
				return c.rebuild(m, n)
			}
			return 0
		},
		poly.Statement: func(m *ir.Mirror, n ir.Node) ir.Value {
			if c := changed[n]; c != nil {
				return c.reader(m, n)
			}
			return 0
		},
	}, nil), nil
}

// copiesOf reads a system.
func copiesOf(sys *poly.System) *copies {
	c := &copies{sys: sys, place: map[ir.Value]int{}, setters: map[*poly.ArrayDecl][]*poly.Stmt{}, readers: map[*poly.ArrayDecl][]read{}, gathered: map[*poly.ArrayDecl]bool{},
		reads: map[*poly.Stmt][]poly.Access{}, changed: map[ir.Node]*poly.Stmt{}, gone: map[ir.Node]bool{}, seen: map[*poly.ArrayDecl]bool{}}
	for i, v := range ir.ScheduleOf(sys.Node.Graph()).Body(sys.Node.Region(0).Old()) {
		c.place[v] = i
	}
	for _, st := range sys.Statements {
		c.setters[st.Target] = append(c.setters[st.Target], st)
		c.reads[st] = slices.Clone(st.Reads)
		for i, r := range st.Reads {
			c.readers[r.Array] = append(c.readers[r.Array], read{st, i})
		}
		for _, a := range st.Gathers {
			c.gathered[a] = true
		}
	}
	return c
}

// follow lets who reads an array read what it is a copy of, if it is one.
func (c *copies) follow(a *poly.ArrayDecl) {
	if c.seen[a] {
		return
	}
	c.seen[a] = true
	by, r := c.copyOf(a)
	if by == nil {
		return
	}
	c.follow(c.reads[by][r].Array)
	from := c.reads[by][r]
	to, err := c.through(a, by, from)
	if errors.Is(err, presburger.ErrBudget) {
		return // it stays a copy
	}
	if err != nil || to == nil {
		unwind.Check(err)
		return
	}
	c.gone[a.Node], c.gone[by.Node] = true, true
	for x, m := range to {
		c.reads[x.st][x.i] = poly.Access{Array: from.Array, Map: m}
		c.changed[x.st.Node] = x.st
	}
	c.readers[from.Array] = append(c.readers[from.Array], c.readers[a]...)
}

// copyOf finds the statement that copies, if it is all that defines an array, and which of its reads is
// copied.
func (c *copies) copyOf(a *poly.ArrayDecl) (by *poly.Stmt, r int) {
	if a.Role != poly.LocalRole || c.gathered[a] || len(c.setters[a]) != 1 {
		return nil, 0
	}
	by = c.setters[a][0]
	r = by.Copies()
	if by.Keyed || r < 0 || c.reads[by][r].Array == a || by.LeavesNaN() && !c.sys.NeverNaN(c.reads[by][r].Array) {
		return nil, 0
	}
	return by, r
}

// through has for each read of a copy what it reads of the original, nil if one reads what is none.
func (c *copies) through(a *poly.ArrayDecl, by *poly.Stmt, from poly.Access) (_ map[read]presburger.Map, err error) {
	defer unwind.To(&err)
	if from.Array == a {
		return nil, nil
	}
	origin := c.origin(by, from)
	if origin == nil {
		return nil, nil
	}
	out := map[read]presburger.Map{}
	for _, x := range c.readers[a] {
		if c.gone[x.st.Node] {
			continue
		}
		if c.place[x.st.Node.Old()] < c.place[from.Array.Node.Old()] {
			return nil, nil // the original is not there yet
		}
		m := c.reads[x.st][x.i].Map
		elements := unwind.Must(x.st.Domain.IntersectParams(c.sys.Context))
		elements = unwind.Must(elements.Apply(m))
		if !unwind.Must(elements.IsSubset(origin.Domain())) {
			return nil, nil
		}
		to := unwind.Must(origin.Compose(m))
		out[x] = Simpler(to, x.st.Domain)
	}
	return out, nil
}

// origin is from elements to what they are copies of, nil if that is not one for each.
func (c *copies) origin(by *poly.Stmt, from poly.Access) *presburger.Map {
	domain := unwind.Must(by.Domain.IntersectParams(c.sys.Context))
	write := unwind.Must(by.Write.IntersectDomain(domain))
	if !unwind.Must(write.IsInjective()) {
		return nil
	}
	if !unwind.Must(domain.IsSubset(from.Map.Domain())) {
		return nil
	}
	to := unwind.Must(from.Map.Compose(write.Inverse()))
	if !unwind.Must(to.IsSingleValued()) {
		return nil
	}
	return &to
}

// rebuild makes the system without the arrays.
func (c *copies) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	at := b.Loc
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		m.BodyWithout(n.Region(0), func(x ir.Node) bool { return c.gone[x] })
		b.Op(poly.Yield)
	})
	attr := b.Ctx().WithDiscardable(n.Attrs(), DependencesAttr, 0)
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: attr, Regions: []ir.Region{region}, Loc: at})
}

// reader makes a statement that reads something else.
func (c *copies) reader(m *ir.Mirror, n ir.Node) ir.Value {
	st := c.changed[n]
	ctx := m.B.Ctx()
	args := []ir.Value{m.Of(st.Target.Node)}
	var maps []ir.Attr
	for _, r := range c.reads[st] {
		args, maps = append(args, m.Of(r.Array.Node)), append(maps, poly.MapAttr(ctx, r.Map))
	}
	at := m.B.Loc
	return m.B.Must(ir.Call{Def: poly.Statement, Args: args, Attr: ctx.With(n.Attrs(), "reads", ctx.ArrayAttr(maps...)), Regions: []ir.Region{m.Region(n.Region(0))}, Loc: at})
}

// Simpler is a relation without what a domain says, if that is not too much work.
func Simpler(m presburger.Map, domain presburger.Set) presburger.Map {
	if s, err := m.Gist(domain.CrossMap(m.Range().Universe())); err == nil {
		return s
	}
	return m
}
