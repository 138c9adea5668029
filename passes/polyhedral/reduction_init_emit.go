package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// beginReductions makes the statements that begin the reductions of equations without an order.
func beginReductions(g *ir.Graph) *ir.Graph {
	all := &beginnings{sys: map[ir.Node]*poly.System{}, list: map[ir.Node][]beginning{}, rest: map[ir.Node]systems.Identity{}}
	unwind.Check(systems.Each(g, func(sys *poly.System) (err error) {
		defer unwind.To(&err)
		if sys.Schedule != nil {
			return nil
		}
		all.find(sys)
		return nil
	}))
	if len(all.list) == 0 {
		return g
	}
	return all.rewrite(g)
}

// rewrite makes the statements that begin reductions.
func (all *beginnings) rewrite(g *ir.Graph) *ir.Graph {
	out := ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{poly.Statement: func(m *ir.Mirror, n ir.Node) ir.Value {
		sys := all.sys[n]
		if sys == nil {
			return 0
		}
		v := m.Of(n.Arg(0)) // nothing uses a statement by its value
		for _, x := range all.list[n] {
			s, err := x.build(m, sys)
			// The rewrite goes on; the first fault in the order of the module becomes the error.
			if err != nil {
				all.faults.Add(sys, err)
				continue
			}
			v = s
		}
		if x, ok := all.rest[n]; ok {
			v = x.Build(m)
		}
		return v
	}}, nil)
	unwind.Check(all.faults.First())
	return out
}

// build makes the statement of a beginning.
func (x beginning) build(m *ir.Mirror, sys *poly.System) (ir.Value, error) {
	first, name := x.parts[0], x.name
	renamed := poly.Renaming(name, first.Name, first.Domain.Tuple().Len())
	domain, err := x.domain(renamed)
	if err != nil {
		return 0, err
	}
	reads, err := x.reads(m, renamed)
	if err != nil {
		return 0, err
	}
	write, err := first.Write.Compose(renamed)
	if err != nil {
		return 0, err
	}
	var after presburger.Map
	if first.HasAfter {
		if after, err = first.After.Compose(renamed); err != nil {
			return 0, err
		}
	}
	params := map[string]ir.Value{}
	for k, p := range sys.Params {
		params[p] = m.Of(sys.Node.Arg(k))
	}
	var wrong error
	number := !first.LeavesNaN() || slices.ContainsFunc(x.parts, func(p part) bool { return p.readsNumber(sys) })
	body := func(coords, values []ir.Value) (sum ir.Value) {
		numbers := systems.Numbers{B: m.B, Params: params}
		for k, p := range x.parts {
			at := coords
			if k > 0 {
				if at, err = numbers.Piece(p.instance, coords); err != nil {
					wrong = err
					return sum
				}
			}
			v := m.Body(p.Node.Region(0), slices.Concat(at, values[:len(p.Reads)])...)[0]
			values = values[len(p.Reads):]
			if k == 0 {
				sum = v
			} else {
				sum = combine(m.B, p.Stmt, sum, v)
			}
		}
		if !number {
			sum = combine(m.B, first.Stmt, sum, m.B.Const(first.Target.Elem, first.Operator.Identity(m.B.Ctx(), first.Target.Elem)))
		}
		return sum
	}
	target := poly.NewAccess{Array: m.Of(first.Target.Node), Map: write}
	if first.HasAfter {
		return poly.NewAfter(m.B, name, domain, poly.Set, target, reads, after, body), wrong
	}
	return poly.NewStatement(m.B, name, domain, poly.Set, target, reads, body), wrong
}

// readsNumber reports that the value of a part is an element that is not NaN.
func (p part) readsNumber(sys *poly.System) bool {
	r := p.Copies()
	return r >= 0 && sys.NeverNaN(p.Reads[r].Array)
}

// domain is that of the new statement: the instances that write elements that are begun.
func (x beginning) domain(renamed presburger.Map) (_ presburger.Set, err error) {
	defer unwind.To(&err)
	first := x.parts[0]
	domain := unwind.Must(x.elements.Apply(first.Write.Inverse()))
	domain = unwind.Must(domain.Intersect(first.Domain))
	domain = unwind.Must(domain.Coalesce())
	return unwind.Must(domain.Apply(renamed.Inverse())), nil
}

// reads are those of all parts.
func (x beginning) reads(m *ir.Mirror, renamed presburger.Map) (reads []poly.NewAccess, err error) {
	defer unwind.To(&err)
	for k, p := range x.parts {
		to := renamed
		if k > 0 {
			to = unwind.Must(p.instance.AsMap())
			to = unwind.Must(to.Compose(renamed))
		}
		for _, r := range p.Reads {
			a := unwind.Must(r.Map.Compose(to))
			reads = append(reads, poly.NewAccess{Array: m.Of(r.Array.Node), Map: a})
		}
	}
	return reads, nil
}
