package expand

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// A sentence is a statement that is to be made.
type sentence struct {
	u      *unit
	name   string
	domain presburger.Set
	write  home
	reads  []home
}

// A plan is what becomes of one system.
type plan struct {
	sys        *poly.System
	arrays     []*array
	statements []*sentence
	gone       map[ir.Value]bool // memory that becomes local arrays, and where it is given back
	rebuilt    map[ir.Value]bool // arrays of the program that are made anew
}

// plan makes sentences of units.
func (x *expansion) plan() *plan {
	p := &plan{sys: x.sys, rebuilt: map[ir.Value]bool{}, gone: map[ir.Value]bool{}}
	taken := map[string]bool{}
	for _, a := range x.sys.Arrays {
		if x.isWritten(a) || a.Role != poly.LocalRole && !a.HasExtent {
			p.rebuilt[a.Node.Old()] = true
		}
	}
	for _, u := range x.units {
		list := x.pieces(u)
		for _, q := range list {
			var name string
			if u.st != nil {
				name = u.st.Name
			} else {
				name = q.write.array.name + "_first"
			}
			for n := 1; taken[name]; n++ {
				name = fmt.Sprintf("%s_%d", u.st0(q), n)
			}
			taken[name] = true
			s := x.sentence(u, q, name)
			p.statements = append(p.statements, s)
		}
	}
	p.arrays = x.arrays
	x.inputs(p)
	return p
}

// inputs finds what is read of arrays that nothing defines.
func (x *expansion) inputs(p *plan) {
	for _, s := range p.statements {
		for _, r := range s.reads {
			// What statements define is known; of other arrays, only what is read has to exist.
			if r.array.written {
				continue
			}
			image := unwind.Must(s.domain.Apply(r.at))
			if !unwind.Must(image.IsSubset(r.array.defined)) {
				r.array.defined = unwind.Must(image.Union(r.array.defined).Coalesce())
			}
		}
	}
}

// st0 is the name that the statements of a unit begin with.
func (u *unit) st0(q piece) string {
	if u.st != nil {
		return u.st.Name
	}
	return q.write.array.name + "_first"
}

// sentence names the instances of a piece as its statement, and writes its relations as simply as they
// may be on its domain.
func (x *expansion) sentence(u *unit, q piece, name string) *sentence {
	s := &sentence{u: u, name: name}
	dims := q.domain.Tuple().Len()
	s.domain = unwind.Must(q.domain.Apply(x.renaming(u.tuple, name, dims)))
	if !unwind.Must(q.domain.IsSubset(q.write.at.Domain())) {
		panic(unwind.Failed(refuse("it is not known where all instances of %s write", u.tuple)))
	}
	back := x.renaming(name, u.tuple, dims)
	access := func(h home) home {
		m := unwind.Must(h.at.IntersectDomain(q.domain))
		m = simple(m, q.domain)
		m = unwind.Must(m.Compose(back))
		return home{h.array, m}
	}
	s.write = access(q.write)
	for _, r := range q.reads {
		h := access(r)
		s.reads = append(s.reads, h)
	}
	return s
}

// simple is a function on a domain, as one formula if it is one.
func simple(m presburger.Map, domain presburger.Set) presburger.Map {
	if unwind.Must(domain.IsSubset(m.Domain())) {
		f := unwind.Must(m.AsPwMultiAff())
		f = unwind.Must(f.Coalesce())
		// Pieces with equal functions are one, and that holds on the whole domain.
		var one []presburger.MultiAff
		for _, a := range f.Pieces() {
			if len(one) == 0 || one[0].String() != a.String() {
				one = append(one, a)
			}
		}
		if len(one) == 1 {
			return unwind.Must(one[0].AsMap())
		}
	}
	return unwind.Must(m.Coalesce())
}

// rebuild makes the system.
func (p *plan) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	b := m.B
	loc := b.Loc
	values := map[*array]ir.Value{}
	// Copies are made before the system, which may overwrite the memory.
	copies := map[*array]ir.Value{}
	for _, a := range p.arrays {
		if a.before {
			copies[a] = copied(b, m.Of(a.decl.Node.Arg(0)))
		}
	}
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		m.BodyWithout(n.Region(0), func(x ir.Node) bool { return x.Def() == poly.Statement || p.rebuilt[x.Old()] })
		for _, a := range p.arrays {
			values[a] = p.array(m, a, copies[a])
		}
		for _, s := range p.statements {
			b.Loc = loc
			if s.u.st != nil {
				if at := s.u.st.Node.Graph().LocsOf(s.u.st.Node.Old()); len(at) > 0 {
					b.Loc = at[0]
				}
			}
			s.make(m, values)
		}
		b.Loc = loc
		b.Op(poly.Yield)
	})
	attr := b.Ctx().With(b.Ctx().With(n.Attrs(), "schedule", 0), "equations", 0)
	out := b.Must(ir.Call{Def: poly.SystemOp, Args: m.All(n.Args()), Attr: attr, Regions: []ir.Region{region}, Loc: loc})
	for _, a := range p.arrays {
		if a.before {
			b.Op(memref.Dealloc, copies[a])
		}
	}
	return out
}

// copied is new memory with what memory has.
func copied(b *ir.Builder, from ir.Value) ir.Value {
	info := b.Ctx().Info(b.Graph().Type(from))
	to := memref.BuildAlloc(b, b.Ctx().MemRef(info.Shape, info.Elem), 0, memref.OpenDims(b, from)...)
	b.Op(memref.Copy, from, to)
	return to
}

// array makes an array of the system, or finds one that stays.
func (p *plan) array(m *ir.Mirror, a *array, before ir.Value) ir.Value {
	switch {
	case a.before:
		return poly.NewBind(m.B, before, poly.Input, a.name, a.asserted(), a.decl.InBounds)
	case a.decl == nil || a.decl.Role == poly.LocalRole || a.private:
		return poly.NewLocal(m.B, a.name, a.extent(), a.elem)
	case !p.rebuilt[a.decl.Node.Old()]:
		return m.Of(a.decl.Node)
	case !a.written:
		return poly.NewBind(m.B, m.Of(a.decl.Node.Arg(0)), poly.Input, a.name, a.asserted(), a.decl.InBounds)
	}
	return poly.NewBind(m.B, m.Of(a.decl.Node.Arg(0)), poly.InOut, a.name, a.asserted(), a.decl.InBounds)
}

// asserted is the extent of memory, if it is written.
func (a *array) asserted() presburger.Set {
	if !a.hasExtent() {
		return presburger.Set{}
	}
	return a.extent()
}

// hasExtent reports an array that has its extent written: of the memory of the program around only where
// the box around it is exact, as that is asserted of memory.
func (a *array) hasExtent() bool {
	if a.decl == nil || a.decl.Role == poly.LocalRole || a.private {
		return true
	}
	list := a.defined.Basics()
	if len(list) != 1 || len(list[0].Divs) > 0 {
		return false
	}
	// Bounds with coefficients of at most 1 need no rounding.
	for _, row := range append(list[0].Eq, list[0].Ge...) {
		for _, k := range row[1+len(list[0].Params):] {
			if v, ok := k.Int64(); !ok || v < -1 || v > 1 {
				return false
			}
		}
	}
	return true
}

// extent is the elements that are defined, in the tuple of the array.
func (a *array) extent() presburger.Set {
	if len(a.defined.Basics()) > 0 {
		return a.defined
	}
	s, _ := presburger.SetWhere(nil, presburger.NewTuple(a.name, names("e", a.rank)...), presburger.Or())
	return s
}

// make makes a statement.
func (s *sentence) make(m *ir.Mirror, values map[*array]ir.Value) {
	b := m.B
	var reads []poly.NewAccess
	for _, r := range s.reads {
		reads = append(reads, poly.NewAccess{Array: values[r.array], Map: r.at})
	}
	u := s.u
	poly.NewStatement(b, s.name, s.domain, u.operator, poly.NewAccess{Array: values[s.write.array], Map: s.write.at}, reads, func(coords, read []ir.Value) ir.Value {
		switch u.body {
		case constBody:
			return b.Const(s.write.array.elem, u.same)
		case copyBody:
			return read[0]
		case onwardBody:
			// The last read of a recurrence is the value before it; the others are those of the
			// statement.
			last := len(read) - 1
			v := m.Body(u.st.Node.Region(0), append(coords, read[:last]...)...)[0]
			g := loop.Generator{Kind: loop.ReduceKind, By: u.by, Reassoc: true, Types: []ir.Type{s.write.array.elem}}
			return g.CombineNamed(b, []ir.Value{read[last]}, []ir.Value{v})[0]
		}
		return m.Body(u.st.Node.Region(0), append(coords, read...)...)[0]
	})
}
