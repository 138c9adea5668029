package keyed

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A runningPlan has a table of running sums in the place of reductions of what has the same data as
// the answer has,
//
//	X[i,k] += select(doc[j] == doc[i] and Z[j] == k, e(j), 0) : j in J(i)
//
// as the counts of collapsed Gibbs samplers (Griffiths and Steyvers, "Finding scientific topics",
// PNAS 2004). What is summed depends on the answer by the keys alone. So it goes into a table by the
// keys, T[doc[j],Z[j]] += e(j), and the answer is what T[doc[i],k] has at some time: as i grows, or
// falls, what is in J(i) comes in, and goes out again where the operator has an inverse. Reductions
// into one array by the same data of the answer have one table.
type runningPlan struct {
	*runningSum               // the last of them, which reads the table
	parts       []*runningSum // all
	answers     presburger.Set
	steps
}

// A runningSum is a reduction that is guarded by equal data.
type runningSum struct {
	*guarded
	over, answer []int       // the coordinates that are summed over, and the others
	pairs        []pair      // data that has to be equal
	others       []condition // what has to hold of what is summed besides
	whole        presburger.Set
	readers      presburger.Set // the instances without what is summed over
	table        presburger.Set
}

// A pair is data of what is summed that is to be equal to data of the answer.
type pair struct{ summed, answer ir.Node }

// planRunning makes the plan of a reduction and of those before it that may have its table; nil if it
// is not of the form, a refusal if it has to stay.
func (p *Key) planRunning(sys *poly.System, st *poly.Stmt) (*runningPlan, error) {
	last, err := p.runningSum(sys, st)
	if last == nil || err != nil {
		return nil, err
	}
	x := &runningPlan{runningSum: last, parts: []*runningSum{last}, answers: last.readers}
	for _, o := range sys.Statements {
		if o == st {
			break
		}
		// Another sum shares the table if it has the target, the operator and the answers of the last
		// one.
		if o.Target != st.Target || o.Operator != st.Operator {
			continue
		}
		var no refusal
		y, err := p.runningSum(sys, o)
		if y == nil || errors.As(err, &no) {
			continue
		}
		same := false
		if err == nil {
			same, err = last.sameAnswers(y)
		}
		if err != nil {
			return nil, err
		}
		if same {
			x.parts = append(x.parts, y)
			x.answers = x.answers.Union(retupled(y.readers, last.readers.Tuple()))
		}
	}
	if len(x.parts) == 1 {
		return x, x.findSteps(sys)
	}
	if x.answers, err = x.allAnswers(sys); err != nil {
		return nil, err
	}
	err = x.findSteps(sys)
	// The union of the answers may have no steps; then the last sum has a table of its own.
	var no refusal
	if errors.As(err, &no) {
		x = &runningPlan{runningSum: last, parts: x.parts[:1], answers: last.readers}
		err = x.findSteps(sys)
	}
	return x, err
}

// runningSum reads a reduction; nil if it is not of the form, a refusal if there is no table for it.
func (p *Key) runningSum(sys *poly.System, st *poly.Stmt) (_ *runningSum, failed error) {
	defer unwind.To(&failed)
	g := matchGuards(st)
	if g == nil {
		return nil, nil
	}
	x := &runningSum{guarded: g}
	for d := range st.Domain.Tuple().Len() {
		if g.answersVary(d) {
			x.answer = append(x.answer, d)
		} else {
			x.over = append(x.over, d)
		}
	}
	if !x.sides() {
		return nil, nil
	}
	x.whole = unwind.Must(st.Domain.IntersectParams(sys.Context))
	// The statements of a table read without conditions, so each read has to exist in the whole domain.
	for r := range x.needed() {
		if all, err := x.whole.IsSubset(st.Reads[r].Map.Domain()); err != nil || !all {
			return nil, orRefusal(err, "%s is not read everywhere", st.Reads[r].Array.Name)
		}
	}
	x.readers = unwind.Must(x.whole.Apply(dropping(x.whole.Tuple(), x.over)))
	x.findTable(sys, x.whole)
	if cheap, err := p.affords(sys, x); err != nil || !cheap {
		return nil, orRefusal(err, "a table of all keys costs more than anything else")
	}
	return x, nil
}

// sides tells what is summed from what the answer has, if each is one of these and there is a pair.
func (x *runningSum) sides() bool {
	// Coordinates with keys belong to the answer, and their keys to what is summed.
	if slices.ContainsFunc(x.dims(), func(d int) bool { return slices.Contains(x.over, d) }) {
		return false
	}
	if slices.ContainsFunc(x.equalTo(), func(k ir.Node) bool { return x.varies(k, x.answer) }) {
		return false
	}
	for _, c := range x.guarded.rest {
		if q, ok := x.equation(c); ok {
			x.pairs = append(x.pairs, q)
		} else if x.others = append(x.others, c); x.varies(c.is, x.answer) {
			return false
		}
	}
	x.guarded.rest = x.others
	// Cone does not see what a region uses, so such a value belongs to neither side.
	for n := range systems.Cone(x.all()) {
		if n.NumRegions() > 0 {
			return false
		}
	}
	return len(x.pairs) > 0 && (x.value == (ir.Node{}) || !x.varies(x.value, x.answer))
}

// equation reads a condition as one of data of either side.
func (x *runningSum) equation(c condition) (q pair, ok bool) {
	want := arith.EQ
	if c.not {
		want = arith.NE
	}
	if c.is.Def() != arith.Cmpi || arith.PredicateOfI(c.is.Graph().Ctx, c.is.Attrs()) != want {
		return q, false
	}
	// Equality is symmetric: either operand may be the summed one.
	for i := range 2 {
		q = pair{c.is.Arg(i), c.is.Arg(1 - i)}
		if !x.varies(q.summed, x.answer) && !x.varies(q.answer, x.over) {
			return q, true
		}
	}
	return q, false
}

// needed are the reads of either side.
func (x *runningSum) needed() func(func(int) bool) {
	all := x.all()
	for _, q := range x.pairs {
		all = append(all, q.summed, q.answer)
	}
	return x.readsOf(all)
}

// findTable finds the values that the keys may have.
func (x *runningSum) findTable(sys *poly.System, whole presburger.Set) {
	// The table is the product of the ranges of its keys: pairs first, then coordinates, as emit indexes
	// it.
	var table presburger.Set
	var names []string
	add := func(s presburger.Set) {
		s = ofPoints(s)
		if len(names) == 0 {
			table = s
		} else {
			table = table.FlatProduct(s)
		}
		names = append(names, fmt.Sprint("a", len(names)))
	}
	for _, q := range x.pairs {
		values := x.indexed(sys, q)
		add(values)
	}
	for _, d := range x.dims() {
		values := unwind.Must(systems.Along(whole, d))
		add(values)
	}
	x.table = retupled(table, presburger.NewTuple(unused(sys, x.st.Name+"_table"), names...))
}

// ofPoints is what a set says of its points, without what it says of the parameters alone: a table is
// there for all values of these.
func ofPoints(s presburger.Set) presburger.Set {
	bs := s.Basics()
	if len(bs) != 1 || len(bs[0].Divs) > 0 {
		return s
	}
	alone := func(r []presburger.Int) bool {
		return !slices.ContainsFunc(r[1+len(bs[0].Params):], func(v presburger.Int) bool { return v.Sign() != 0 })
	}
	bs[0].Eq, bs[0].Ge = slices.DeleteFunc(slices.Clone(bs[0].Eq), alone), slices.DeleteFunc(slices.Clone(bs[0].Ge), alone)
	return presburger.SetOf(bs...)
}

// indexed finds what the data of a pair is an index of elsewhere in the system: it is taken to be one
// of that everywhere. Data that is not ends with an error, when an answer is read.
func (x *runningSum) indexed(sys *poly.System, q pair) presburger.Set {
	n := x.st.Domain.Tuple().Len()
	for _, side := range []ir.Node{q.summed, q.answer} {
		if r := slices.Index(x.params, bareInteger(side)) - n; r >= 0 {
			s, found := indexRange(sys, x.st.Reads[r].Array)
			if found {
				return s
			}
		}
	}
	panic(unwind.Failed(refusal("the data that is compared is no index of anything, which would tell its values")))
}

// bareInteger is what an integer was before it was made wider, or frozen.
func bareInteger(v ir.Node) ir.Node {
	for v.Def() == arith.IndexCast || v.Def() == arith.Extsi || v.Def() == ub.Freeze {
		v = v.Arg(0)
	}
	return v
}

// indexRange finds a dimension whose index is what an array holds.
func indexRange(sys *poly.System, a *poly.ArrayDecl) (out presburger.Set, found bool) {
	for _, st := range sys.Statements {
		body, n := st.Node.Region(0), st.Domain.Tuple().Len()
		holds := func(v ir.Node) bool {
			r := slices.Index(body.Params(), bareInteger(v)) - n
			return r >= 0 && st.Reads[r].Array == a
		}
		// A keyed statement indexes its target by what its body yields behind the value.
		if st.Keyed && st.Target.HasExtent {
			for d, k := range body.Yields()[1:] {
				if holds(k) {
					out = unwind.Must(systems.Along(st.Target.Extent, d))
					return out, true
				}
			}
		}
		for v := range systems.Cone(body.Yields()) {
			// A gather indexes its array by the arguments of poly.at.
			if v.Def() != poly.At {
				continue
			}
			for _, g := range st.Gathers {
				for d, k := range v.Args()[1:] {
					if g.Node == v.Arg(0) && g.HasExtent && holds(k) {
						out = unwind.Must(systems.Along(g.Extent, d))
						return out, true
					}
				}
			}
		}
		if g := matchGuards(st); g != nil {
			// A key that is compared with a coordinate has the range of that.
			for d, k := range g.keys {
				if holds(k) {
					out = unwind.Must(systems.Along(st.Domain, d))
					return out, true
				}
			}
		}
	}
	return out, false
}

// affords reports a table that costs no more than what there is: a statement, or an array that the
// system gives to the program around.
func (p *Key) affords(sys *poly.System, x *runningSum) (_ bool, err error) {
	defer unwind.To(&err)
	if p.Group == "always" {
		return true, nil
	}
	there := costsBut(sys, nil)
	for _, a := range sys.Arrays {
		if a.HasExtent && a.Role != poly.LocalRole {
			c := costOf(sys, a.Extent)
			there = append(there, c...)
		}
	}
	return dominated(sys, x.table, there), nil
}

// summed are the values that what is summed needs, asked those that the answer does.
func (x *runningSum) summed() []ir.Node {
	list := x.all()
	for _, q := range x.pairs {
		list = append(list, q.summed)
	}
	return list
}

// asked are the values of an answer that summed data is compared with.
func (x *runningSum) asked() (list []ir.Node) {
	return lists.Map(x.pairs, func(q pair) ir.Node { return q.answer })
}

// reading are the reads that values need, of instances of a name and without some coordinates: each
// has a function of the others, by which it reads wherever it does.
func (x *runningSum) reading(values []ir.Node, without []int, name string) (out []poly.Access, err error) {
	defer unwind.To(&err)
	for r := range x.readsOf(values) {
		a := x.st.Reads[r]
		a.Map = unwind.Must(x.without(a.Map, without, name))
		out = append(out, a)
	}
	return out, nil
}

// without is a relation of instances as one of those without some coordinates, which it does not use.
func (x *runningSum) without(m presburger.Map, dims []int, name string) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	drop := dropping(x.st.Domain.Tuple(), dims)
	drop = named(drop, presburger.NewTuple(name, drop.Range().Tuple().Dims()...))
	// A function without cases holds beyond the domain, so it can be composed as it is.
	if f, ok := functionOf(m); ok {
		is := unwind.Must(f.AsMap())
		return is.Compose(drop.Inverse())
	}
	return moved(m, x.st.Domain, drop), nil
}

// functionOf is a relation as a function without cases.
func functionOf(m presburger.Map) (f presburger.MultiAff, ok bool) {
	p, err := m.AsPwMultiAff()
	if err != nil {
		return f, false
	}
	return p.AsMultiAff()
}
