package systems

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// A forwarding is an array of which each element is a copy of one of another array: who reads it may
// read that (copy propagation). Simplified reductions leave such arrays where all answers along
// a direction are equal.
type forwarding struct {
	sys   *poly.System
	array *poly.ArrayDecl
	by    *poly.Stmt // the statement that copies
	from  poly.Access
	to    presburger.Map // from elements to what they are copies of
	reads map[read]presburger.Map
}

// A read is one of a statement, by its number.
type read struct {
	st *poly.Stmt
	i  int
}

// Forward lets who reads copies read what they are copies of, array by array.
func Forward(g *ir.Graph) (*ir.Graph, error) {
	for {
		found := map[*ir.Graph]*forwarding{}
		err := EveryGraph(g, func(g *ir.Graph) error {
			for _, sys := range poly.Systems(g) {
				if sys.Schedule != nil || found[g] != nil {
					continue
				}
				for _, a := range sys.Arrays {
					f, err := copies(sys, a)
					if errors.Is(err, presburger.ErrBudget) {
						continue // it stays a copy
					}
					if err != nil {
						return Failed(sys, err)
					}
					if f != nil {
						found[g] = f
						break
					}
				}
			}
			return nil
		})
		if err != nil || len(found) == 0 {
			return g, err
		}
		g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
			poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
				f := found[n.Graph()]
				if f == nil || f.sys.Node != n {
					return 0
				}
				return f.rebuild(m, n)
			},
			poly.Statement: func(m *ir.Mirror, n ir.Node) ir.Value {
				if f := found[n.Graph()]; f != nil {
					return f.reader(m, n)
				}
				return 0
			},
		}, nil)
	}
}

// copies finds the forwarding of an array, or nil.
func copies(sys *poly.System, a *poly.ArrayDecl) (*forwarding, error) {
	f := &forwarding{sys: sys, array: a, reads: map[read]presburger.Map{}}
	if a.Role != poly.LocalRole || !f.find() {
		return nil, nil
	}
	domain, err := f.by.Domain.IntersectParams(sys.Context)
	if err != nil {
		return nil, err
	}
	write, err := f.by.Write.IntersectDomain(domain)
	if err != nil {
		return nil, err
	}
	once, err := write.IsInjective()
	if err == nil && once {
		once, err = domain.IsSubset(f.from.Map.Domain())
	}
	if err == nil && once {
		f.to, err = f.from.Map.Compose(write.Inverse())
	}
	if err == nil && once {
		once, err = f.to.IsSingleValued()
	}
	if err != nil || !once {
		return nil, err
	}
	for _, st := range sys.Statements {
		for i, r := range st.Reads {
			if r.Array != a {
				continue
			}
			elements, err := st.Domain.IntersectParams(sys.Context)
			if err == nil {
				elements, err = elements.Apply(r.Map)
			}
			if err == nil {
				once, err = elements.IsSubset(f.to.Domain())
			}
			if err != nil || !once {
				return nil, err
			}
			to, err := f.to.Compose(r.Map)
			if err != nil {
				return nil, err
			}
			f.reads[read{st, i}] = Simpler(to, st.Domain)
		}
	}
	return f, nil
}

// find finds the statement that copies, if it is all that defines the array, and if what reads the
// array comes after what is copied.
func (f *forwarding) find() bool {
	for _, st := range f.sys.Statements {
		if slices.Contains(st.Gathers, f.array) || st.Target == f.array && f.by != nil {
			return false
		}
		if st.Target == f.array {
			f.by = st
		}
	}
	if f.by == nil || f.by.Keyed {
		return false
	}
	body := f.by.Node.Region(0)
	r := slices.Index(body.Params(), body.Yields()[0]) - f.by.Domain.Tuple().Len()
	if r < 0 || f.by.Reads[r].Array == f.array {
		return false
	}
	f.from = f.by.Reads[r]
	order := ir.ScheduleOf(f.sys.Node.Graph()).Body(f.sys.Node.Region(0).Old())
	at := slices.Index(order, f.from.Array.Node.Old())
	for _, st := range f.sys.Statements {
		reads := slices.ContainsFunc(st.Reads, func(r poly.Access) bool { return r.Array == f.array })
		if reads && slices.Index(order, st.Node.Old()) < at {
			return false
		}
	}
	return true
}

// rebuild makes the system without the array.
func (f *forwarding) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	at := b.Loc
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		m.BodyWithout(n.Region(0), func(x ir.Node) bool { return x == f.array.Node || x == f.by.Node })
		b.Op(poly.Yield)
	})
	attr := b.Ctx().WithDiscardable(n.Attrs(), DependencesAttr, 0)
	return b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: attr, Regions: []ir.Region{region}, Loc: at})
}

// reader makes a statement that reads the array, or 0 for others.
func (f *forwarding) reader(m *ir.Mirror, n ir.Node) ir.Value {
	i := slices.IndexFunc(f.sys.Statements, func(st *poly.Stmt) bool { return st.Node == n })
	if i < 0 {
		return 0
	}
	st := f.sys.Statements[i]
	if !slices.ContainsFunc(st.Reads, func(r poly.Access) bool { return r.Array == f.array }) {
		return 0
	}
	c := m.B.Ctx()
	args := []ir.Value{m.Of(st.Target.Node)}
	var maps []ir.Attr
	for i, r := range st.Reads {
		if r.Array == f.array {
			r.Array, r.Map = f.from.Array, f.reads[read{st, i}]
		}
		args, maps = append(args, m.Of(r.Array.Node)), append(maps, poly.MapAttr(c, r.Map))
	}
	at := m.B.Loc
	return m.B.Must(ir.Call{Def: poly.Statement, Args: args, Attr: c.With(n.Attrs(), "reads", c.ArrayAttr(maps...)), Regions: []ir.Region{m.Region(n.Region(0))}, Loc: at})
}

// Simpler is a relation without what a domain says, if that is not too much work.
func Simpler(m presburger.Map, domain presburger.Set) presburger.Map {
	if s, err := m.Gist(domain.CrossMap(m.Range().Universe())); err == nil {
		return s
	}
	return m
}
