package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// sameAnswers reports that another reduction has its answers where this one has, by the same data and
// in the same table.
func (x *runningSum) sameAnswers(y *runningSum) (_ bool, err error) {
	defer unwind.To(&err)
	if len(x.answer) != len(y.answer) || len(x.pairs) != len(y.pairs) || !x.sameFunction(x.target, y, y.target) {
		return false, nil
	}
	for i, q := range x.pairs {
		if !x.sameValue(q.answer, y, y.pairs[i].answer) {
			return false, nil
		}
	}
	places := func(s *runningSum) (out []int) {
		return lists.Map(s.dims(), func(d int) int { return slices.Index(s.answer, d) })
	}
	// Keys index one table, so they have to be of the same answers in the same order.
	if !slices.Equal(places(x), places(y)) {
		return false, nil
	}
	other := retupled(y.table, x.table.Tuple())
	ok := unwind.Must(x.table.IsSubset(other))
	if ok {
		ok = unwind.Must(other.IsSubset(x.table))
	}
	return ok, nil
}

// allAnswers are those of all parts, and where these leave answers out to which nothing is added, such as
// the first where the parts are one sum with one element less each, those in between: one domain
// without cases. Each is an element that reductions alone define, and its data is there.
func (x *runningPlan) allAnswers(sys *poly.System) (_ presburger.Set, failed error) {
	defer unwind.To(&failed)
	all, err := x.answers.Coalesce()
	if err != nil || slices.ContainsFunc(sys.Statements, func(st *poly.Stmt) bool { return st.Target == x.st.Target && st.Operator != x.st.Operator }) {
		return all, err
	}
	hull, err := all.SimpleHull()
	if err == nil {
		hull, err = hull.IntersectParams(sys.Context)
	}
	reads, err2 := x.reading(x.asked(), x.over, x.st.Name)
	write, err3 := x.without(x.st.Write, x.over, x.st.Name)
	unwind.Check(errors.Join(err, err2, err3))
	// An answer in between reads its data and writes its element: both have to exist.
	for _, a := range append(reads, poly.Access{Array: x.st.Target, Map: write}) {
		if !a.Array.HasExtent || a.Array != x.st.Target && a.Array.Role != poly.Input {
			return all, nil
		}
		image := unwind.Must(hull.Apply(a.Map))
		extent := unwind.Must(a.Array.Extent.IntersectParams(sys.Context))
		if !unwind.Must(image.IsSubset(extent)) {
			return all, nil
		}
	}
	return hull, nil
}

// sameFunction reports that two functions of the coordinates of answers are the same.
func (x *runningSum) sameFunction(f presburger.MultiAff, y *runningSum, g presburger.MultiAff) bool {
	if f.Len() != g.Len() {
		return false
	}
	for i := range f.Len() {
		a, b := f.At(i), g.At(i)
		if a.HasFloors() || b.HasFloors() || a.Constant().Cmp(b.Constant()) != 0 {
			return false
		}
		for _, name := range slices.Concat(a.Params(), b.Params()) {
			if a.ParamCoefficient(name).Cmp(b.ParamCoefficient(name)) != 0 {
				return false
			}
		}
		for k, d := range x.answer {
			if a.Coefficient(d).Cmp(b.Coefficient(y.answer[k])) != 0 {
				return false
			}
		}
	}
	return true
}

// sameValue reports that two values of answers are the same.
func (x *runningSum) sameValue(v ir.Node, y *runningSum, w ir.Node) bool {
	i, j := slices.Index(x.params, v), slices.Index(y.params, w)
	n, m := x.st.Domain.Tuple().Len(), y.st.Domain.Tuple().Len()
	// Ops are compared by what they compute, parameters by the coordinate or the read that they stand
	// for.
	switch {
	case i < 0 && j < 0:
		same := v.Def() != nil && v.Def() == w.Def() && v.Attrs() == w.Attrs() && v.Type() == w.Type() && v.NumArgs() == w.NumArgs() && v.NumArgs() > 0
		for k := 0; same && k < v.NumArgs(); k++ {
			same = x.sameValue(v.Arg(k), y, w.Arg(k))
		}
		return same || v == w
	case i < 0 || j < 0 || (i < n) != (j < m):
		return false
	case i < n:
		return slices.Index(x.answer, i) == slices.Index(y.answer, j)
	}
	a, b := x.st.Reads[i-n], y.st.Reads[j-m]
	f, ok := functionOf(a.Map)
	g, also := functionOf(b.Map)
	return ok && also && a.Array == b.Array && x.sameFunction(f, y, g)
}
