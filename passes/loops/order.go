package loops

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// An order is what has to stay in order of some loops that stand one after the other.
type order struct {
	*function
	acc          *raise.Accesses
	tester       *depend.Tester
	exact, whole []*depend.Access      // by the access, made when they are asked for
	as           map[ir.Value]ir.Value // loops that are to become one with another
	found        []conflict            // so far
	next         [2]int                // the accesses to be compared next
	deep         int                   // how many loops around both of two accesses are looked at
	atOnce       bool                  // iterations may run at once, so that updates whose order is free are in conflict, too
}

// A conflict is two accesses to one element, of which one writes, and what iterations of the loops around both
// do so, the first of them before the second.
type conflict struct {
	from, to raise.Access
	i, j     int // in the list
	exact    bool
	depend.Dependence
}

// maxPairs bounds the accesses that are compared.
const maxPairs = 1 << 15

// workOfOrder is what one question of sets may take, in steps.
const workOfOrder = 200_000

// workOfOrders is what all of them about some loops may take.
const workOfOrders = 10_000_000

// mostAround bounds the loops around an access: sets have a dimension for each.
const mostAround = 24

// orderOf reads loops, or says what in them is not known. Of the loops around two accesses it will look at so many: iterations
// that differ in others alone stay in their order.
func (f *function) orderOf(deep int, loops ...ir.Value) (*order, error) {
	for _, v := range loops {
		if f.depth(v, mostAround) > mostAround {
			return nil, fmt.Errorf("has more than %d loops in one another", mostAround)
		}
	}
	acc, err := raise.ReadAccesses(f.s, loops)
	if err != nil {
		if errors.Is(err, presburger.ErrBudget) {
			return nil, fmt.Errorf("has conditions that take more work to analyse than is allowed")
		}
		if at := raise.At(err); at != 0 {
			return nil, fmt.Errorf("cannot be analysed: %v, at %s", err, f.ctx.Where(f.g, at))
		}
		return nil, err
	}
	o := &order{function: f, acc: acc, deep: deep, tester: depend.NewTester(acc.Params...), exact: make([]*depend.Access, len(acc.List)), whole: make([]*depend.Access, len(acc.List))}
	o.tester.Budget, o.tester.Total = workOfOrder, presburger.NewBudget(workOfOrders)
	_ = o.tester.Assume(acc.Known) // more than one conjunction says nothing
	// Each access is compared with itself and those before it: about n*n/2 pairs.
	if n := len(acc.List); n*n > 2*maxPairs {
		return nil, fmt.Errorf("it accesses memory in %d places, which are too many to compare", n)
	}
	return o, nil
}

// depth counts the loops in one another that a loop is the first of, up to one more than most.
func (f *function) depth(v ir.Value, most int) int {
	inner := 0
	var walk func(r ir.Region)
	walk = func(r ir.Region) {
		for _, op := range f.s.Body(r) {
			if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(op)); ok && inner <= most {
				inner = max(inner, f.depth(op, most-1))
				continue
			}
			for _, in := range f.g.Regions(op) {
				walk(in)
			}
		}
	}
	if most >= 0 {
		for _, r := range f.g.Regions(v) {
			walk(r)
		}
	}
	return 1 + inner
}

// access prepares an access for the tester, of its element or of all elements.
func (o *order) access(i int, exact bool) (*depend.Access, error) {
	list := o.whole
	if exact {
		list = o.exact
	}
	if list[i] != nil {
		return list[i], nil
	}
	a := &o.acc.List[i]
	m := a.Element
	if !exact {
		m = o.any(i)
	}
	var err error
	list[i], err = o.tester.Access(a.Domain, m)
	return list[i], err
}

// any relates the instances of an access to one thing that stands for any memory.
func (o *order) any(i int) presburger.Map {
	all, err := presburger.SetWhere(nil, presburger.PairTuple(o.acc.List[i].Domain.Tuple(), presburger.NewTuple("any")), presburger.And())
	if err != nil {
		panic(err)
	}
	m, err := all.Unwrap()
	if err != nil {
		panic(err)
	}
	return m
}

// each calls f with all conflicts, until it says why one stands in the way. They are found as they are asked for, and kept.
func (o *order) each(f func(c conflict) error) error {
	keep := func(c conflict) error { o.found = append(o.found, c); return nil }
	for k := 0; ; k++ {
		for k >= len(o.found) && o.next[1] < len(o.acc.List) {
			if err := o.pair(o.next[0], o.next[1], keep); err != nil {
				return o.plain(err)
			}
			// Pairs come by their second access: next[0] is never greater than next[1].
			if o.next[0]++; o.next[0] > o.next[1] {
				o.next = [2]int{0, o.next[1] + 1}
			}
		}
		if k >= len(o.found) {
			return nil
		}
		if err := f(o.found[k]); err != nil {
			return err
		}
	}
}

// plain says of an error of the analysis what it is.
func (o *order) plain(err error) error {
	if errors.Is(err, presburger.ErrBudget) {
		return errors.New("to compare its accesses takes more work than is allowed")
	}
	return err
}

// pair looks at two accesses, of which the first stands before the second.
func (o *order) pair(i, j int, f func(c conflict) error) error {
	a, b := o.acc.List[i], o.acc.List[j]
	same := a.Memory == b.Memory
	if !a.Writes && !b.Writes || !same && !o.g.MayAlias(a.On, b.On) {
		return nil
	}
	if same && a.Update != poly.Set && a.Update == b.Update && !o.atOnce {
		return nil // in whatever order
	}
	d, exact, err := o.test(i, j, o.common(a, b))
	if err != nil {
		return err
	}
	// Two accesses of one op have no order within an iteration: only different iterations count.
	if forward := d.Forward(i != j && a.Op != b.Op); forward.Exists() {
		if err := f(conflict{a, b, i, j, exact, forward}); err != nil {
			return err
		}
	}
	if i == j {
		return nil
	}
	// The second access stands behind the first: to come before it takes an earlier iteration.
	if back := d.Reverse().Forward(false); back.Exists() {
		return f(conflict{b, a, j, i, exact, back})
	}
	return nil
}

// test compares two accesses in the directions of so many loops, by their elements if those are known.
func (o *order) test(i, j, loops int) (d depend.Dependence, exact bool, err error) {
	a, b := o.acc.List[i], o.acc.List[j]
	exact = a.Memory == b.Memory && !a.Whole && !b.Whole
	x, err := o.access(i, exact)
	if err != nil {
		return d, exact, err
	}
	y, err := o.access(j, exact)
	if err != nil {
		return d, exact, err
	}
	d, err = o.tester.Test(x, y, loops)
	return d, exact, err
}

// common counts the loops around both of two accesses.
func (o *order) common(a, b raise.Access) int {
	n := 0
	for n < min(len(a.Loops), len(b.Loops), o.deep) && o.loop(a.Loops[n]) == o.loop(b.Loops[n]) {
		n++
	}
	return n
}

// loop is the loop that another one is to become one with, or the loop itself: accesses in both then share
// it.
func (o *order) loop(v ir.Value) ir.Value {
	if w := o.as[v]; w != 0 {
		return w
	}
	return v
}

// signs are those of a direction vector in so many loops; in one that is around one access alone it may be any.
func signs(v depend.Vector, n int) []depend.Sign {
	out := make([]depend.Sign, n)
	for l := range out {
		if out[l] = depend.Mixed; l < v.Len() {
			out[l] = v.At(l)
		}
	}
	return out
}

// mayBeBackward reports signs of which the first that is not zero may be negative.
func mayBeBackward(signs []depend.Sign) bool {
	for _, s := range signs {
		if s&depend.Negative != 0 {
			return true
		}
		if s&depend.Zero == 0 {
			return false
		}
	}
	return false
}
