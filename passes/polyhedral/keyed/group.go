package keyed

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A groupPlan is two reductions in the place of a guarded one whose value depends on some coordinates
// by data alone: how often each value of the data occurs with each key is counted, and what is
// accumulated is taken so often. It is the form that Resnik and Hardisty, "Gibbs sampling for the
// uninitiated" (2010), give to the likelihood of documents: by the counts of their words.
type groupPlan struct {
	*guarded
	over   []int          // the coordinates that are counted
	data   []int          // reads of integers that vary with them
	counts presburger.Set // the array of the counts
	count  presburger.Set // instances that count
	domain presburger.Set // the others: coordinates that are not counted, and a value of each of the data
	inner  presburger.Map // from these to the coordinates that are not counted
	find   presburger.Map // to the counts
}

// planGroups makes the plan of a guarded reduction; a refusal if there is none.
func planGroups(sys *poly.System, x *guarded) (_ *groupPlan, failed error) {
	defer unwind.To(&failed)
	p := &groupPlan{guarded: x}
	var rest []int
	for d := range x.st.Domain.Tuple().Len() {
		if slices.ContainsFunc(x.equalTo(), func(k ir.Node) bool { return x.varies(k, []int{d}) }) {
			p.over = append(p.over, d)
		} else {
			rest = append(rest, d)
		}
	}
	if x.st.Operator == poly.Mul || len(p.over) == 0 || slices.ContainsFunc(p.over, x.answersVary) {
		return nil, refusal("there is nothing to count")
	}
	p.findData(rest)
	whole := unwind.Must(x.st.Domain.IntersectParams(sys.Context))
	for r := range x.needed() {
		if all, err := whole.IsSubset(x.st.Reads[r].Map.Domain()); err != nil || !all {
			return nil, orRefusal(err, "%s is not read everywhere", x.st.Reads[r].Array.Name)
		}
	}
	p.sets(sys, whole, rest)
	return p, nil
}

// findData finds what the value reads that varies with what is counted: integers that vary with nothing
// else. It refuses what varies otherwise.
func (p *groupPlan) findData(rest []int) {
	if slices.ContainsFunc(p.rest, func(c condition) bool { return p.varies(c.is, p.over) }) {
		panic(unwind.Failed(refusal("another condition varies with what is counted")))
	}
	if p.value == (ir.Node{}) {
		return
	}
	n := p.st.Domain.Tuple().Len()
	for y := range systems.Cone([]ir.Node{p.value}) {
		if d := y.Def(); d != nil && d.Has(ir.Partial) && d != poly.At {
			panic(unwind.Failed(refusal("the value need not be defined for data that does not occur")))
		}
		i := slices.Index(p.params, y)
		switch {
		case i < 0:
		case slices.Contains(p.over, i):
			panic(unwind.Failed(refusal("the value varies with what is counted")))
		case i >= n && reads(p.st.Reads[i-n].Map, p.over):
			if t := y.Type(); reads(p.st.Reads[i-n].Map, rest) || t != ir.Index && y.Graph().Ctx.IsFloat(t) {
				panic(unwind.Failed(refusal(fmt.Sprintf("the value varies with what is counted by %s", p.st.Reads[i-n].Array.Name))))
			}
			p.data = append(p.data, i-n)
		}
	}
	slices.Sort(p.data)
}

// values are those that a read of data may have: where an array that it is an index of has elements.
func (p *groupPlan) values(r int) (out presburger.Set) {
	found := false
	for y := range systems.Cone([]ir.Node{p.value}) {
		if y.Def() != poly.At {
			continue
		}
		for d, index := range y.Args()[1:] {
			if index.Def() == arith.IndexCast {
				index = index.Arg(0)
			}
			if index != p.params[p.st.Domain.Tuple().Len()+r] {
				continue
			}
			for _, a := range p.st.Gathers {
				if a.Node != y.Arg(0) || !a.HasExtent {
					continue
				}
				one := unwind.Must(systems.Along(a.Extent, d))
				if found {
					one = unwind.Must(one.Intersect(out))
				}
				out, found = one, true
			}
		}
	}
	if !found {
		panic(unwind.Failed(refusal(fmt.Sprintf("the values of %s have no bounds", p.st.Reads[r].Array.Name))))
	}
	return out
}

// sets finds the instances and the elements of the counts.
func (p *groupPlan) sets(sys *poly.System, whole presburger.Set, rest []int) {
	t := whole.Tuple()
	outer := p.split(whole, rest)
	var not []int // of those that are not counted, the ones without keys
	var names, keys []string
	for i, d := range rest {
		names = append(names, t.Dims()[d])
		if _, ok := p.keys[d]; ok {
			keys = append(keys, t.Dims()[d])
		} else {
			not = append(not, i)
		}
	}
	p.counts = unwind.Must(outer.Apply(dropping(outer.Tuple(), not)))
	p.domain = outer
	var added []int
	for _, r := range p.data {
		values := p.values(r)
		p.counts, p.domain = p.counts.FlatProduct(values), p.domain.FlatProduct(values)
		name := "a" + fmt.Sprint(len(added))
		for slices.Contains(names, name) {
			name += "_"
		}
		added = append(added, len(names))
		names, keys = append(names, name), append(keys, name)
	}
	p.count = retupled(p.count, presburger.NewTuple(unused(sys, p.st.Name+"_count"), p.count.Tuple().Dims()...))
	p.counts = retupled(p.counts, presburger.NewTuple(unused(sys, p.st.Name+"_counts"), keys...))
	p.domain = retupled(p.domain, presburger.NewTuple(t.Name(), names...))
	p.inner = dropping(p.domain.Tuple(), added)
	b := dropping(p.domain.Tuple(), not).Basics()[0]
	b.Out = p.counts.Tuple()
	p.find = presburger.MapOf(b)
}

// split sets what is counted, and returns the other coordinates of the whole, which must be the product of both.
func (p *groupPlan) split(whole presburger.Set, rest []int) (outer presburger.Set) {
	counted, others := dropping(whole.Tuple(), rest), dropping(whole.Tuple(), p.over)
	p.count = unwind.Must(whole.Apply(counted))
	outer = unwind.Must(whole.Apply(others))
	product := unwind.Must(p.count.Apply(counted.Inverse()))
	all := unwind.Must(outer.Apply(others.Inverse()))
	all = unwind.Must(all.Intersect(product))
	if full, err := all.IsSubset(whole); err != nil || !full {
		unwind.Check(orRefusal(err, "what is counted depends on the other coordinates"))
		return outer
	}
	return outer
}

// unused is a name that no statement and no array has.
func unused(sys *poly.System, name string) string {
	for sys.Statement(name) != nil || slices.ContainsFunc(sys.Arrays, func(a *poly.ArrayDecl) bool { return a.Name == name }) {
		name += "_"
	}
	return name
}

// answersVary reports a coordinate that the target has.
func (x *guarded) answersVary(d int) bool {
	for i := range x.target.Len() {
		if uses(x.target.At(i), d) {
			return true
		}
	}
	return false
}

// retupled is a set with other names.
func retupled(s presburger.Set, t presburger.Tuple) presburger.Set {
	bs := s.Basics()
	for i := range bs {
		bs[i].Out = t
	}
	return presburger.SetOf(bs...)
}

// emit makes the counts, the statement that counts and the one that takes values so often.
func (p *groupPlan) emit(m *ir.Mirror, _ map[string]ir.Value) (_ ir.Value, err error) {
	defer unwind.To(&err)
	b, n := m.B, p.st.Domain.Tuple().Len()
	var rest []int
	for d := range n {
		if !slices.Contains(p.over, d) {
			rest = append(rest, d)
		}
	}
	array := poly.NewLocal(b, p.counts.Tuple().Name(), p.counts, ir.I64)
	counting, taking := p.accesses(m, rest)
	poly.NewKeyed(b, p.count.Tuple().Name(), p.count, poly.Add, poly.NewAccess{Array: array, Map: p.count.CrossMap(p.counts)}, counting.list,
		func(coords, values []ir.Value) (ir.Value, []ir.Value) {
			args := p.arguments(b)
			setAt(args, p.over, coords, 0)
			setAt(args, counting.reads, values, n)
			p.build(m, args, p.equalTo())
			keys := lists.Map(p.equalTo(), func(k ir.Node) ir.Value { return asIndex(b, m.Of(k)) })
			for _, r := range p.data {
				keys = append(keys, asIndex(b, args[n+r]))
			}
			return one(b, ir.I64), keys
		})
	write := p.taken(p.st.Write)
	taking.list = append(taking.list, poly.NewAccess{Array: array, Map: p.find})
	return poly.NewStatement(b, p.st.Name, p.domain, p.st.Operator, poly.NewAccess{Array: m.Of(p.st.Target.Node), Map: write}, taking.list,
		func(coords, values []ir.Value) ir.Value {
			args := p.arguments(b)
			setAt(args, rest, coords, 0)
			setAt(args, taking.reads, values, n)
			for i, r := range p.data {
				args[n+r] = fromIndex(b, coords[len(rest)+i], p.params[n+r].Type())
			}
			return p.often(m, args, values[len(values)-1])
		}), nil
}

// accessesOf are accesses of a new statement, and the reads of the old one that they stand for.
type accessesOf struct {
	list  []poly.NewAccess
	reads []int
}

func (a *accessesOf) add(m *ir.Mirror, array *poly.ArrayDecl, to presburger.Map, r int) {
	a.list, a.reads = append(a.list, poly.NewAccess{Array: m.Of(array.Node), Map: to}), append(a.reads, r)
}

// accesses are the reads that keys are made of when elements are counted, and those that the
// value is made of when counts are taken. rest are the coordinates that are not counted.
func (p *groupPlan) accesses(m *ir.Mirror, rest []int) (counting, taking accessesOf) {
	n := p.st.Domain.Tuple().Len()
	inKeys := systems.Cone(p.equalTo())
	for r := range p.needed() {
		a := p.st.Reads[r]
		isData := slices.Contains(p.data, r)
		if isData || inKeys[p.params[n+r]] {
			to := moved(a.Map, p.st.Domain, retargeted(dropping(p.st.Domain.Tuple(), rest), p.count.Tuple()))
			counting.add(m, a.Array, to, r)
		}
		if !isData && !reads(a.Map, p.over) {
			to := p.taken(a.Map)
			taking.add(m, a.Array, to, r)
		}
	}
	return counting, taking
}

// setAt puts values where arguments from an index on are.
func setAt(args []ir.Value, at []int, values []ir.Value, from int) {
	for i, d := range at {
		args[from+d] = values[i]
	}
}

// taken is a relation of the reduction as one of the instances that take values.
func (p *groupPlan) taken(m presburger.Map) presburger.Map {
	to := moved(m, p.st.Domain, dropping(p.st.Domain.Tuple(), p.over))
	return unwind.Must(to.Compose(p.inner))
}

func retargeted(m presburger.Map, t presburger.Tuple) presburger.Map {
	b := m.Basics()[0]
	b.Out = t
	return presburger.MapOf(b)
}

// often is the value as often as is counted, and the identity where that is never: a value that
// does not occur need not be a number.
func (p *groupPlan) often(m *ir.Mirror, args []ir.Value, count ir.Value) ir.Value {
	b, elem := m.B, p.st.Target.Elem
	v := p.guardedValue(m, args, 0)
	if p.st.Operator == poly.Add {
		if b.Ctx().IsFloat(elem) {
			v = arith.Float(b, arith.Mulf, 0, v, arith.Cast(b, arith.Sitofp, count, elem))
		} else {
			v = arith.MulI(b, v, resized(b, count, elem))
		}
	}
	some := arith.CmpI(b, arith.NE, count, arith.Zero(b, ir.I64))
	return arith.Choose(b, some, v, p.identity(b))
}

// fromIndex makes an integer of an index.
func fromIndex(b *ir.Builder, v ir.Value, t ir.Type) ir.Value {
	if t == ir.Index {
		return v
	}
	return arith.Cast(b, arith.IndexCast, v, t)
}

// resized makes an integer of another width of one of 64 bits.
func resized(b *ir.Builder, v ir.Value, t ir.Type) ir.Value {
	switch {
	case t == ir.I64:
		return v
	case t == ir.Index:
		return arith.Cast(b, arith.IndexCast, v, t)
	}
	return arith.Cast(b, arith.Trunci, v, t)
}
