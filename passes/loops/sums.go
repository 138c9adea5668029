package loops

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A sum that a loop adds up in an inner loop gets a nest of its own, in which the two can be exchanged: what it adds to
// may be any number that is added to in between, as the order of its additions is free. The rest of the loop
// runs first. That is legal if
//
//   - nothing in the loop writes what the sum reads, and the sum writes nothing;
//   - each number that the inner loop carries on is one that the loop carries, to which nothing but additions
//     of one kind are made, each of which is read by the next alone; or it begins with none and is added to such a one;
//   - the inner loop runs over the same range in each round.
//
// What the sum and the rest need both is made in both.

// A sumNest is an inner loop's sums, in a nest of their own.
type sumNest struct {
	*nest
	order   []int
	carried []int // by a carried value of the inner loop: that of the loop
}

// sums finds the sums in a loop that run faster in nests of their own.
func (p *Interchange) sums(f *function, v ir.Value) (*change, error) {
	var found []*sumNest
	why := fmt.Errorf("has no loop in it that adds up what it carries")
	for _, w := range f.s.Body(f.body(v)) {
		if !isFor(f.g.Def(w)) {
			continue
		}
		if n, err := p.sumNest(f, v, w); err != nil {
			why = err
		} else if n != nil {
			found = append(found, n)
		} else {
			why = nil
		}
	}
	if len(found) == 0 {
		return nil, why
	}
	for _, n := range found {
		for _, l := range n.loops[1:] {
			f.changes[l] = &change{rule: without}
		}
	}
	return &change{rule: remainder{f, found}.rule, loops: found[0].loops, inside: f.g.Regions(v), what: fmt.Sprintf("has the sums of %d loops in it apart, in nests of the order %s", len(found), numbers(found[0].order))}, nil
}

// sumNest is the nest of the sums of a loop w in v; nil if it would not run faster.
func (p *Interchange) sumNest(f *function, v, w ir.Value) (*sumNest, error) {
	inner, _ := f.nestAt(w, usualLoops-1)
	n := &sumNest{nest: inner}
	n.loops, n.outer = append([]ir.Value{v}, inner.loops...), map[ir.Value]bool{}
	if err := n.needs(w); err != nil {
		return nil, err
	}
	if n.order = n.fasterOrder(cmp.Or(int64(p.Over), 8*int64(f.ctx.Target().TableEntries()))); n.order == nil {
		return nil, nil
	}
	for _, l := range n.loops {
		if _, err := f.stepOf(l); err != nil {
			return nil, err
		}
	}
	if err := n.rectangular(); err != nil {
		return nil, err
	}
	if err := n.free(); err != nil {
		return nil, err
	}
	if err := n.onlySums(); err != nil {
		return nil, err
	}
	return n, n.chains()
}

// needs collects what of the outermost loop's body the inner one needs.
func (n *sumNest) needs(w ir.Value) error {
	g, body := n.g, n.body(n.loops[0])
	l, _ := ir.As[ir.LoopLike](g.NodeOf(w))
	seen := map[ir.Value]bool{} // a value that many need is walked once
	var walk func(v ir.Value) error
	all := func(vs []ir.Value) error {
		for _, v := range vs {
			if err := walk(v); err != nil {
				return err
			}
		}
		return nil
	}
	within := func(v ir.Value) error {
		for _, r := range g.Regions(v) {
			if err := all(n.s.Body(r)); err != nil {
				return err
			}
		}
		return nil
	}
	walk = func(v ir.Value) error {
		if r, i, isParam := g.Param(v); isParam {
			if r == body && i > 0 {
				return fmt.Errorf("carries a number that %s needs", n.at(w))
			}
			return nil
		}
		if op, _, ok := g.Projection(v); ok {
			v = op
		}
		if seen[v] || n.outer[v] || v == w || n.s.Place(v) != body && !n.isIn(v, body) {
			return nil
		}
		seen[v] = true
		if n.s.Place(v) == body {
			n.outer[v] = true
		}
		if err := all(g.Args(v)); err != nil {
			return err
		}
		return within(v)
	}
	for _, a := range g.Args(w) {
		if !slices.Contains(l.Inits, a) {
			if err := walk(a); err != nil {
				return err
			}
		}
	}
	return within(w)
}

// onlySums checks that what the nest does is to read what nothing in the outermost loop writes.
func (n *sumNest) onlySums() error {
	effects := n.g.Effects()
	writes := slices.DeleteFunc(slices.Clone(n.g.EffectsOf(n.body(n.loops[0]))), func(e ir.Effect) bool { return !e.Writes() })
	check := func(v ir.Value) error {
		if !n.onlyReads(v, effects) {
			return fmt.Errorf("has a loop in it that does more than to add up and to read: %s", n.at(v))
		}
		for _, e := range effects(v) {
			if slices.ContainsFunc(writes, func(w ir.Effect) bool { return n.g.MayAlias(w.On, e.On) }) {
				return fmt.Errorf("writes what %s perhaps reads", n.at(v))
			}
		}
		return nil
	}
	for v := range n.outer {
		if err := check(v); err != nil {
			return err
		}
	}
	return check(n.loops[1])
}

// chains finds for each number that the inner loop carries the one of the loop that it is added to.
func (n *sumNest) chains() error {
	l, _ := ir.As[ir.LoopLike](n.g.NodeOf(n.loops[1]))
	o, _ := ir.As[ir.LoopLike](n.g.NodeOf(n.loops[0]))
	if len(l.Carried) == 0 {
		return fmt.Errorf("has a loop in it that adds up nothing: %s", n.at(n.loops[1]))
	}
	for i := range l.Carried {
		by, err := n.accumulates(n.loops[len(n.loops)-1], i, false)
		if err != nil {
			return err
		}
		x := addend{loop: n.loops[1], result: i, by: by}
		// A sum that begins with none is added by a later op, which has to be its only use.
		if n.isNone(l.Inits[i], by) {
			x.to, _ = n.onlyUse(x.loop, i)
		}
		k := 0
		for k < len(o.Carried) && !n.hasIn(k, x) {
			k++
		}
		if k == len(o.Carried) {
			return fmt.Errorf("has a loop in it whose sum is not only added to: %s", n.at(n.loops[1]))
		}
		n.carried = append(n.carried, k)
	}
	return nil
}

// isNone reports a constant that changes no sum by an op.
func (n *sumNest) isNone(v, by ir.Value) bool {
	x, isConst := n.g.Const(v)
	_, _, isParam := n.g.Param(by)
	if !isConst || isParam {
		return false
	}
	y, nsz := n.identity(by), n.g.Ctx.IsFloat(n.g.Type(by)) && arith.FastMathOf(n.g.Ctx, n.g.AttrsOf(by))&arith.Nsz != 0
	return y != nil && (x.Bits == y.Bits || nsz && x.F64() == 0 && n.g.Def(by) == arith.Addf && n.g.Type(by) == ir.F64)
}

// An addend is what a loop adds up by an op: to what is carried, or by itself, and then the op adds that to it.
type addend struct {
	loop   ir.Value
	result int
	by, to ir.Value
}

// hasIn goes from a number that the outermost loop carries along all that is added to it, each of which
// has one use, and reports an addend among that.
func (n *sumNest) hasIn(k int, a addend) (found bool) {
	g := n.g
	if _, _, isParam := g.Param(a.by); isParam {
		return false
	}
	same := func(v ir.Value) bool { return g.Def(v) == g.Def(a.by) && g.AttrsOf(v) == g.AttrsOf(a.by) }
	o, _ := ir.As[ir.LoopLike](g.NodeOf(n.loops[0]))
	// Each step goes to the only use: another addition, or a loop that carries the sum on. The chain ends at
	// the terminator, in the place it began with.
	for x, r := o.Carried[k], 0; ; {
		user, operand := n.onlyUse(x, r)
		switch {
		case user == 0:
			return false
		case g.Def(user).Has(ir.Terminator):
			return found && operand == k && n.s.Place(user) == o.Body
		case isFor(g.Def(user)):
			l, _ := ir.As[ir.LoopLike](g.NodeOf(user))
			i := operand - (len(g.Args(user)) - len(l.Inits))
			if i < 0 {
				return false
			}
			if op, err := n.accumulates(user, i, false); err != nil || !same(op) {
				return false
			}
			x, r = user, i
			found = found || x == a.loop && r == a.result
		case same(user):
			x, r = user, 0
			found = found || x == a.to
		default:
			return false
		}
	}
}

// onlyUse is the op that uses result r of an op, and as which operand; 0 if there are others.
func (n *sumNest) onlyUse(v ir.Value, r int) (user ir.Value, operand int) {
	for _, u := range n.g.NodeOf(v).Users() {
		for i, a := range n.g.Args(u.Old()) {
			switch op, k, _ := n.g.Projection(a); {
			case op != v || k != r:
			case user != 0:
				return 0, 0
			default:
				user, operand = u.Old(), i
			}
		}
	}
	return user, operand
}

// fasterOrder is the order of the loops in which those that access memory with large strides are outside, if the innermost
// gets fewer of them, in memory that is not known to take so few bytes; nil if that is not so.
func (n *sumNest) fasterOrder(few int64) []int {
	var ops []ir.Value
	var walk func(v ir.Value)
	walk = func(v ir.Value) {
		if _, ok := ir.As[ir.AccessLike](n.g.NodeOf(v)); ok {
			ops = append(ops, v)
		}
		for _, r := range n.g.Regions(v) {
			for _, in := range n.s.Body(r) {
				walk(in)
			}
		}
	}
	walk(n.loops[1])
	for _, v := range n.s.Body(n.body(n.loops[0])) {
		if n.outer[v] {
			walk(v)
		}
	}
	cost, last := n.strides(ops), len(n.loops)-1
	order := make([]int, len(n.loops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cost[j] - cost[i] })
	// An innermost loop of the same cost gains nothing, whatever the loops around it cost.
	if cost[order[last]] == cost[last] || !n.takes(ops, few) {
		return nil
	}
	return order
}

// takes reports ops that access memory of more than so many bytes in all, or of which it is not known how large it is.
func (n *sumNest) takes(ops []ir.Value, few int64) bool {
	seen, total := map[ir.Value]bool{}, int64(0)
	for _, v := range ops {
		a, _ := ir.As[ir.AccessLike](n.g.NodeOf(v))
		for _, x := range a.Accesses {
			info := n.g.Ctx.Info(n.g.Type(x.Memory))
			bytes, ok := n.g.Ctx.MemBytes(info.Elem)
			for _, d := range info.Shape {
				ok = ok && d != ir.Dynamic && bytes <= few
				bytes = ir.Times(bytes, d)
			}
			if !ok {
				return true
			}
			if !seen[x.Memory] {
				total += bytes
			}
			seen[x.Memory] = true
		}
	}
	return total > few
}

// A remainder is what a loop does beside its sums in nests of their own.
type remainder struct {
	f    *function
	sums []*sumNest
}

// without stands for an inner loop whose sums are added elsewhere: for what it adds to.
func without(m *ir.Mirror, old ir.Node) ir.Value { return m.B.Pack(inits(m, old)...) }

// rule makes the loop without its sums, and these behind it.
func (r remainder) rule(m *ir.Mirror, old ir.Node) ir.Value {
	values := inits(m, old)
	all := makeLoop(m, old, old.Attrs(), (&nest{function: r.f, loops: []ir.Value{old.Old()}}).span(m, 0), values, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return m.Body(old.Region(0), append([]ir.Value{iv}, carried...)...)
	})
	// The nests go on with what the rest of the loop has added up: the order of additions is free.
	copy(values, all)
	for _, n := range r.sums {
		into := lists.Map(n.carried, func(k int) ir.Value { return values[k] })
		for i, x := range n.inOrder(m, n.order, nil, into) {
			values[n.carried[i]] = x
		}
	}
	return m.B.Pack(values...)
}
