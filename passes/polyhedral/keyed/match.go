package keyed

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A guarded is a reduction whose value is the identity but where data is equal to coordinates.
type guarded struct {
	st     *poly.Stmt
	params []ir.Node       // of the body: the coordinates, and what is read
	keys   map[int]ir.Node // by coordinate: what it is equal to
	rest   []condition     // what has to hold besides
	value  ir.Node         // then this is accumulated, zero for 1,
	minus  bool            // or what is as much less
	target presburger.MultiAff
}

// A condition is a truth value, or its opposite.
type condition struct {
	is  ir.Node
	not bool
}

// match finds the equations between coordinates and data that guard a reduction; nil if there are
// none.
func match(st *poly.Stmt) *guarded {
	if x := matchGuards(st); x != nil && len(x.keys) > 0 {
		return x
	}
	return nil
}

// matchGuards takes a reduction apart that has guards; nil if it has none.
func matchGuards(st *poly.Stmt) *guarded {
	if st.Operator == poly.Set || st.Keyed {
		return nil
	}
	f, err := st.Write.AsPwMultiAff()
	if err != nil {
		return nil
	}
	x := &guarded{st: st, params: st.Node.Region(0).Params(), keys: map[int]ir.Node{}}
	var ok bool
	if x.target, ok = f.AsMultiAff(); !ok {
		return nil
	}
	x.value = st.Node.Region(0).Yields()[0]
	// A sum accumulates -select(c, v, 0) as select(c, v, 0) with the opposite sign.
	if v, ok := negation(x.value); ok && st.Operator == poly.Add {
		x.value, x.minus = v, true
	}
	n := 0
	for ; x.value != (ir.Node{}); n++ { // choices within choices
		guard, ok := x.split(x.value)
		if !ok {
			break
		}
		for _, c := range conjuncts(guard) {
			if !x.key(c) {
				x.rest = append(x.rest, c)
			}
		}
	}
	if n == 0 {
		return nil
	}
	return x
}

// negation reports a value that is another with the opposite sign.
func negation(v ir.Node) (of ir.Node, ok bool) {
	switch v.Def() {
	case arith.Negf:
		return v.Arg(0), true
	case arith.Subi:
		zero, ok := v.Arg(0).Const()
		return v.Arg(1), ok && zero == ir.IntVal(0, v.Graph().Ctx.Info(v.Type()).Width)
	}
	return v, false
}

// split takes a value apart that is the identity of the reduction where a guard does not hold.
func (x *guarded) split(v ir.Node) (guard condition, ok bool) {
	switch v.Def() {
	case arith.Select:
		if x.isIdentity(v.Arg(2)) {
			x.value = v.Arg(1)
			return condition{v.Arg(0), false}, true
		}
		if x.isIdentity(v.Arg(1)) {
			x.value = v.Arg(2)
			return condition{v.Arg(0), true}, true
		}
	case arith.Extui, arith.Uitofp: // a truth value that is counted
		if v.Arg(0).Type() == ir.I1 && x.st.Operator == poly.Add {
			x.value = ir.Node{}
			return condition{v.Arg(0), false}, true
		}
	}
	return guard, false
}

// isIdentity reports a constant that changes nothing when the operator accumulates it.
func (x *guarded) isIdentity(v ir.Node) bool {
	have, ok := v.Const()
	return ok && have == x.st.Operator.Identity(v.Graph().Ctx, v.Type())
}

// conjuncts are the conditions that hold where one does.
func conjuncts(c condition) []condition {
	// By De Morgan, the opposite of a disjunction is the conjunction of the opposites.
	switch d := c.is.Def(); {
	case d == arith.Andi && !c.not, d == arith.Ori && c.not:
		return append(conjuncts(condition{c.is.Arg(0), c.not}), conjuncts(condition{c.is.Arg(1), c.not})...)
	}
	return []condition{c}
}

// key notes an equation between a coordinate and what does not vary with it.
func (x *guarded) key(c condition) bool {
	if c.is.Def() != arith.Cmpi {
		return false
	}
	want := arith.EQ
	if c.not {
		want = arith.NE
	}
	if arith.PredicateOfI(c.is.Graph().Ctx, c.is.Attrs()) != want {
		return false
	}
	for i := range 2 {
		d, ok := x.coordinate(c.is.Arg(i))
		k := c.is.Arg(1 - i)
		if !ok || x.keys[d] != (ir.Node{}) {
			continue
		}
		// Keys are computed before the coordinates that they replace, so none may vary with any of these.
		all := append(slices.Collect(keysOf(x.keys)), d)
		if x.varies(k, all) || slices.ContainsFunc(x.equalTo(), func(n ir.Node) bool { return x.varies(n, all) }) {
			continue
		}
		if _, affine := x.coordinate(k); affine {
			continue // of two coordinates: the domain says that
		}
		x.keys[d] = k
		return true
	}
	return false
}

// keysOf has the keys of a map in no order; dims sorts them.
func keysOf(m map[int]ir.Node) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// equalTo are the values of all keys.
func (x *guarded) equalTo() (out []ir.Node) {
	return lists.Map(x.dims(), func(d int) ir.Node { return x.keys[d] })
}

// dims are the coordinates that have keys, in their order.
func (x *guarded) dims() []int { return slices.Sorted(keysOf(x.keys)) }

// coordinate reports a value that is a coordinate.
func (x *guarded) coordinate(v ir.Node) (int, bool) {
	if v.Def() == arith.IndexCast {
		v = v.Arg(0)
	}
	d := slices.Index(x.params, v)
	return d, d >= 0 && d < x.st.Domain.Tuple().Len()
}

// varies reports a value that is not the same for all values of some coordinates, or of which that is
// not known.
func (x *guarded) varies(v ir.Node, dims []int) bool {
	n := x.st.Domain.Tuple().Len()
	for y := range systems.Cone([]ir.Node{v}) {
		// What a region uses is no argument of its op, so Cone misses it.
		if y.NumRegions() > 0 {
			return true
		}
		p := slices.Index(x.params, y)
		if p >= 0 && p < n && slices.Contains(dims, p) {
			return true
		}
		if p >= n && reads(x.st.Reads[p-n].Map, dims) {
			return true
		}
	}
	return false
}

// reads reports a relation that is not the same for all values of some coordinates.
func reads(m presburger.Map, dims []int) bool {
	f, err := m.AsPwMultiAff()
	if err != nil {
		return true
	}
	a, ok := f.AsMultiAff()
	if !ok {
		return true
	}
	for i := range a.Len() {
		if slices.ContainsFunc(dims, func(d int) bool { return uses(a.At(i), d) }) {
			return true
		}
	}
	return false
}

// uses reports a quasi-affine function of a coordinate.
func uses(a presburger.Aff, d int) bool {
	row, _, divs := a.Floors()
	at := 1 + len(a.Params()) + d
	return row[at].Sign() != 0 || slices.ContainsFunc(divs, func(v presburger.Div) bool { return v.Num[at].Sign() != 0 })
}
