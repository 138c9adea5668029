package keyed

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A keyPlan is a reduction over the instances of a guarded one without the coordinates that have
// keys, whose place these take.
type keyPlan struct {
	*guarded
	domain    presburger.Set
	write     presburger.Map
	keyed     bool                   // the target uses such a coordinate
	kept      []int                  // the reads that need none of them
	gathered  map[int]bool           // the reads that do, which become poly.at
	low, high map[int]presburger.Map // by such a coordinate: its least and greatest value, where it is needed
	tested    []int                  // those of which the target does not tell whether they were in the domain
}

// refusal says why a reduction stays as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

// planKeys makes the plan of a guarded reduction; a refusal if there is none.
func planKeys(sys *poly.System, x *guarded) (_ *keyPlan, err error) {
	defer unwind.To(&err)
	p := &keyPlan{guarded: x, gathered: map[int]bool{}, low: map[int]presburger.Map{}, high: map[int]presburger.Map{}}
	n, dims := x.st.Domain.Tuple().Len(), x.dims()
	whole := unwind.Must(x.st.Domain.IntersectParams(sys.Context))
	drop := dropping(x.st.Domain.Tuple(), dims)
	p.domain = unwind.Must(whole.Apply(drop))
	p.write = moved(x.st.Write, whole, drop)
	for i := range x.target.Len() {
		p.keyed = p.keyed || slices.ContainsFunc(dims, func(d int) bool { return uses(x.target.At(i), d) })
	}
	uses := slices.Collect(x.needed())
	for _, r := range uses {
		p.read(sys, r, whole, drop)
	}
	// A coordinate is computed from its key only for the value, a guard or a test; else no bounds are
	// needed.
	varies := x.value != (ir.Node{}) && x.varies(x.value, dims)
	for _, c := range x.rest {
		varies = varies || x.varies(c.is, dims)
	}
	for _, d := range dims {
		if !x.told(d, dims) {
			p.tested = append(p.tested, d)
		}
	}
	if !varies && len(p.tested) == 0 {
		return p, nil
	}
	p.bounds(whole, drop, n)
	return p, nil
}

// needed are the reads that the value and its guards need.
func (x *guarded) needed() func(func(int) bool) { return x.readsOf(x.all()) }

// readsOf are the reads that values need.
func (x *guarded) readsOf(values []ir.Node) func(func(int) bool) {
	n := x.st.Domain.Tuple().Len()
	all := systems.Cone(values)
	return func(yield func(int) bool) {
		for i := range x.st.Reads {
			if all[x.params[n+i]] && !yield(i) {
				return
			}
		}
	}
}

// all are the value, its guards and the keys.
func (x *guarded) all() []ir.Node { return append(x.equalTo(), x.what()...) }

// what are the value and its guards without the keys.
func (x *guarded) what() (out []ir.Node) {
	if x.value != (ir.Node{}) {
		out = append(out, x.value)
	}
	for _, c := range x.rest {
		out = append(out, c.is)
	}
	return out
}

// read decides what becomes of a read.
func (p *keyPlan) read(sys *poly.System, r int, whole presburger.Set, drop presburger.Map) {
	a := p.st.Reads[r]
	// The new statement reads in all of its instances, so each read has to exist in the whole domain.
	if all, err := whole.IsSubset(a.Map.Domain()); err != nil || !all {
		unwind.Check(orRefusal(err, "%s is not read everywhere", a.Array.Name))
		return
	}
	if !reads(a.Map, p.dims()) {
		p.kept = append(p.kept, r)
		return
	}
	// A gather needs all of its array before any instance runs, so the array must not depend on the
	// target.
	if dependsOn(sys, a.Array, p.st.Target) {
		panic(unwind.Failed(refusal(fmt.Sprintf("all of %s would be needed, which depends on %s", a.Array.Name, p.st.Target.Name))))
	}
	p.gathered[r] = true
}

// orRefusal is the error of a test that failed, or a refusal where the test said no.
func orRefusal(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return refusal(fmt.Sprintf(format, args...))
}

// told reports a coordinate that the element says: an index of the target is a multiple of it and of
// coordinates without keys. Then the relation has the element of a key only if the domain has it.
func (x *guarded) told(d int, dims []int) bool {
	for i := range x.target.Len() {
		f := x.target.At(i)
		if !f.HasFloors() && uses(f, d) && !slices.ContainsFunc(dims, func(o int) bool { return o != d && uses(f, o) }) {
			return true
		}
	}
	return false
}

// bounds finds the least and the greatest values of the coordinates that have keys. For the others given
// they have to be all between these, independent of each other: then keys that are brought between
// them are those of an instance that there was, which reads nothing that is not there.
func (p *keyPlan) bounds(whole presburger.Set, drop presburger.Map, n int) {
	// The box is the domain with its keyed coordinates free, cut to what lies between their least and
	// greatest values.
	box := unwind.Must(p.domain.Apply(drop.Inverse()))
	ge, le := lessOrEqual().Inverse(), lessOrEqual()
	for _, d := range p.dims() {
		is := dimension(whole.Tuple(), d)
		to := moved(is, whole, drop)
		p.low[d] = unwind.Must(to.LexMin())
		p.high[d] = unwind.Must(to.LexMax())
		for _, side := range []struct{ end, order presburger.Map }{{p.low[d], le}, {p.high[d], ge}} {
			m := unwind.Must(side.order.Compose(side.end))
			m = unwind.Must(m.Compose(drop))
			m = unwind.Must(m.Intersect(is))
			box = unwind.Must(box.Intersect(m.Domain()))
		}
	}
	full, err := box.IsSubset(whole)
	if err != nil || !full {
		unwind.Check(orRefusal(err, "the coordinates that are compared with data are not all between a least and a greatest value"))
		return
	}
}

// lessOrEqual relates integers to those that are not less.
func lessOrEqual() presburger.Map {
	one := presburger.NewTuple("", "x")
	return presburger.MapOf(presburger.Basic{In: one, Out: one, Ge: [][]presburger.Int{{{}, presburger.NewInt(-1), presburger.NewInt(1)}}})
}

// dimension relates tuples to one of their entries.
func dimension(t presburger.Tuple, d int) presburger.Map {
	return presburger.MapOf(presburger.Basic{In: t, Out: presburger.NewTuple("", "x"), Eq: [][]presburger.Int{equal(t.Len(), 1, d, 0)}})
}

// dropping relates tuples to those without some entries.
func dropping(t presburger.Tuple, dims []int) presburger.Map {
	var names []string
	var stay []int
	for d, name := range t.Dims() {
		if !slices.Contains(dims, d) {
			names, stay = append(names, name), append(stay, d)
		}
	}
	b := presburger.Basic{In: t, Out: presburger.NewTuple(t.Name(), names...)}
	for i, d := range stay {
		b.Eq = append(b.Eq, equal(t.Len(), len(stay), d, i))
	}
	return presburger.MapOf(b)
}

// equal is the row of a relation in which entry i is entry o of the image.
func equal(in, out, i, o int) []presburger.Int {
	r := make([]presburger.Int, 1+in+out)
	r[1+i], r[1+in+o] = presburger.NewInt(-1), presburger.NewInt(1)
	return r
}

// moved is a relation of instances as one of what they are related to by another.
func moved(m presburger.Map, domain presburger.Set, to presburger.Map) presburger.Map {
	m = unwind.Must(m.IntersectDomain(domain))
	m = unwind.Must(m.Compose(to.Inverse()))
	known := unwind.Must(domain.Apply(to))
	m = unwind.Must(m.Gist(known.CrossMap(m.Range().Universe())))
	return unwind.Must(m.Coalesce())
}

// dependsOn reports an array that is computed from another.
func dependsOn(sys *poly.System, a, on *poly.ArrayDecl) bool {
	// The search goes back from an array to what its statements read; seen ends it at cycles.
	seen := map[*poly.ArrayDecl]bool{a: true}
	for list := []*poly.ArrayDecl{a}; len(list) > 0; {
		a, list = list[len(list)-1], list[:len(list)-1]
		if a == on {
			return true
		}
		for _, st := range sys.Statements {
			if st.Target != a {
				continue
			}
			from := slices.Clone(st.Gathers)
			for _, r := range st.Reads {
				from = append(from, r.Array)
			}
			for _, b := range from {
				if !seen[b] {
					seen[b] = true
					list = append(list, b)
				}
			}
		}
	}
	return false
}
