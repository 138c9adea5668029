package expand

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// An array is one of the equations: one that the program has, or a new one.
type array struct {
	decl    *poly.ArrayDecl // that it is, or whose elements before the program it has
	before  bool            // it has what memory had before the program
	name    string
	elem    ir.Type
	rank    int
	written bool
	private bool           // memory that nothing but the program has
	defined presburger.Set // elements that statements define, or read of an input
}

// An expansion makes equations of lives.
type expansion struct {
	*lifetimes
	arrays []*array
	kept   map[*poly.ArrayDecl]*array
	olds   map[*poly.ArrayDecl]*array
	units  []*unit
}

// keep is the array of the equations that stands for one of the program, made when first asked for.
func (x *expansion) keep(a *poly.ArrayDecl) *array {
	if x.kept[a] == nil {
		x.kept[a] = &array{decl: a, name: a.Name, elem: a.Elem, rank: a.Rank, private: x.dies[a]}
		x.arrays = append(x.arrays, x.kept[a])
	}
	return x.kept[a]
}

// add makes a new array of the system alone.
func (x *expansion) add(name string, rank int, elem ir.Type) *array {
	taken := func(a *array) bool { return a.name == name }
	for slices.ContainsFunc(x.arrays, taken) || slices.ContainsFunc(x.sys.Arrays, func(a *poly.ArrayDecl) bool { return a.Name == name }) {
		name += "_"
	}
	out := &array{name: name, elem: elem, rank: rank}
	x.arrays = append(x.arrays, out)
	return out
}

// house gives each life an element.
func (x *expansion) house() {
	// Memory that has lives in the end is their home first, which saves a copy.
	for _, b := range x.bases {
		if b.st == nil || len(b.live.Basics()) == 0 {
			continue
		}
		x.final(b, b.live)
	}
	for _, b := range x.bases {
		if b.st == nil && len(b.live.Basics()) > 0 {
			x.old(b)
		}
	}
	for _, a := range x.sys.Arrays {
		x.local(a)
	}
	x.before()
}

// final gives lives the elements that have them in the end, if that is true of all of them.
func (x *expansion) final(b *base, live presburger.Set) {
	var at *sink
	for _, s := range x.sinks {
		if s.kind == endSink && len(s.from[b].Basics()) > 0 {
			// Lives that two arrays have in the end have no single home.
			if at != nil {
				return
			}
			at = s
		}
	}
	if at == nil {
		return
	}
	m := unwind.Must(at.from[b].IntersectDomain(live))
	if !unwind.Must(m.IsSingleValued()) {
		return
	}
	if !unwind.Must(live.IsSubset(m.Domain())) {
		return
	}
	x.settle(b, x.keep(at.array), x.renaming(at.name, at.array.Name, at.array.Rank), m)
}

// settle adds a home; m leads to what to renames.
func (x *expansion) settle(b *base, a *array, to, m presburger.Map) {
	at := unwind.Must(to.Compose(m))
	at = unwind.Must(at.Coalesce())
	a.written = true
	a.defined = at.Range().Union(a.defined)
	b.homes = append(b.homes, home{a, at})
}

// old gives what an array had before and is updated an element; the rest stays in memory.
func (x *expansion) old(b *base) {
	if x.dies[b.array] {
		panic(unwind.Failed(refuse("elements of %s are read that nothing has set", b.array.Name)))
	}
	updated := unwind.Must(b.live.Intersect(b.isUpdated()))
	if len(updated.Basics()) == 0 {
		return
	}
	if x.final(b, updated); len(b.homes) > 0 {
		return
	}
	a := x.add(b.array.Name+"_first", b.array.Rank, b.array.Elem)
	m := unwind.Must(x.renaming(b.name, a.name, a.rank).IntersectDomain(updated))
	x.settle(b, a, x.renaming(a.name, a.name, a.rank), m)
}

// local gives the other lives of an array elements of the system alone: those that they were in, if each has
// one life, else new ones at the coordinates of their bases.
func (x *expansion) local(a *poly.ArrayDecl) {
	all := x.noMap()
	var list []*base
	for _, b := range x.bases {
		if b.st == nil || b.array != a || len(b.homes) > 0 || len(b.live.Basics()) == 0 {
			continue
		}
		m := unwind.Must(b.begins.IntersectDomain(b.live))
		all, list = all.Union(m), append(list, b)
	}
	// Lives may stay at their old indices if each element has one and nothing needs the array afterwards.
	one := false
	if x.dies[a] && x.kept[a] == nil {
		one = unwind.Must(all.IsInjective())
	}
	for _, b := range list {
		to, name := x.keep, a.Name+"_"+b.name
		if one {
			m := unwind.Must(b.begins.IntersectDomain(b.live))
			x.settle(b, to(a), x.renaming(a.Name, a.Name, a.Rank), m)
			continue
		}
		dims := b.live.Tuple().Len()
		n := x.add(name, dims, a.Elem)
		m := unwind.Must(b.live.Identity().Coalesce())
		x.settle(b, n, x.renaming(b.name, n.name, dims), m)
	}
}

// before says where reads find what memory had before the program, of lives that are not updated: there, or in
// a copy, if equations define elements of it.
func (x *expansion) before() {
	for _, s := range x.sinks {
		if s.kind != endSink {
			continue
		}
		for _, b := range x.origins(s) { // what memory has in the end and is somewhere else, is copied there
			if b.st != nil && !x.isAt(b, s.array) {
				x.keep(s.array).written = true
			}
			if b.st == nil && len(b.homes) > 0 && !x.isAt(b, s.array) {
				x.keep(s.array).written = true
			}
		}
	}
	for _, b := range x.bases {
		if b.st != nil {
			continue
		}
		plain := unwind.Must(b.live.Subtract(b.isUpdated()))
		// Who updates it reads it, too.
		if len(plain.Basics()) == 0 && len(b.homes) == 0 {
			continue
		}
		a := x.keep(b.array)
		if a.written {
			a = x.add(b.array.Name+"_before", a.rank, a.elem)
			a.decl, a.before = b.array, true
		}
		x.olds[b.array] = a
		m := unwind.Must(x.renaming(b.name, a.name, a.rank).IntersectDomain(plain))
		if len(plain.Basics()) > 0 {
			b.homes = append(b.homes, home{a, m})
		}
	}
}

// isAt reports a base some of whose elements are where the program had them: in the array itself,
// and not in what it had before.
func (x *expansion) isAt(b *base, a *poly.ArrayDecl) bool {
	return slices.ContainsFunc(b.homes, func(h home) bool { return h.array.decl == a && !h.array.before })
}
