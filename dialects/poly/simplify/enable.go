package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// terms are the operands of nested combinations by one operator.
func terms(e *Expr, op Operator) (out []*Expr) {
	if e.Kind != Combine || e.Op != op {
		return []*Expr{e}
	}
	for _, a := range e.Args {
		out = append(out, terms(a, op)...)
	}
	return out
}

// combined is the operands of an operator as one expression.
func combined(op Operator, args []*Expr, client any) *Expr {
	if len(args) == 1 {
		return args[0]
	}
	return &Expr{Kind: Combine, Op: op, Args: args, Client: client}
}

// separate makes a reduction of each operand where the body is made by the operator of the
// reduction itself, and one operand shares more than all together.
func (t *trial) separate() (err error) {
	defer unwind.To(&err)
	parts := terms(t.red.body, t.red.op)
	if len(parts) < 2 {
		return nil
	}
	n := t.red.dims()
	more := false
	var reds []*reduction
	for _, e := range parts {
		k := unwind.Must(e.share(n))
		more = more || !within(k, t.share, n)
		reds = append(reds, t.red.of(e))
	}
	if !more {
		return nil
	}
	t.offer(&plan{how: separated}, nil, reds)
	return nil
}

// mostProducts bounds the products that a product of sums is multiplied out to.
const mostProducts = 16

// multiply makes a reduction of each product where the body is a product of sums, such as the square
// of one, and one product shares more than all together. Floats are not multiplied out: digits that
// the sums keep would cancel.
func (t *trial) multiply() (failed error) {
	defer unwind.To(&failed)
	if !t.target.Exact || t.red.op != Add || t.red.body.Kind != Combine || t.red.body.Op != Mul {
		return nil
	}
	factors := t.apart(terms(t.red.body, Mul))
	products := [][]*Expr{nil}
	for _, f := range factors {
		var longer [][]*Expr
		for _, x := range products {
			for _, y := range t.addends(combined(Add, f, t.red.body.Client)) {
				longer = append(longer, append(slices.Clone(x), y))
			}
		}
		if products = longer; len(products) > mostProducts {
			return nil
		}
	}
	if len(products) < 2 {
		return nil
	}
	n := t.red.dims()
	more := false
	var reds []*reduction
	for _, x := range products {
		e := combined(Mul, x, t.red.body.Client)
		k, err := e.share(n)
		if err != nil {
			return err
		}
		invariant := func(e *Expr) bool {
			k, bad := e.share(n)
			if err == nil {
				err = bad
			}
			return within(t.fibre, k, n)
		}
		more = more || !within(k, t.share, n) || slices.ContainsFunc(x, invariant)
		if err != nil {
			return err
		}
		reds = append(reds, t.red.of(e))
	}
	if !more {
		return nil
	}
	t.offer(&plan{how: multiplied}, nil, reds)
	return nil
}

// addends are the operands of nested sums and differences.
func (t *trial) addends(e *Expr) (out []*Expr) {
	switch {
	case e.Kind == Negative:
		out = append(out, lists.Map(t.addends(e.Args[0]), t.minus)...)
		return out
	case e.Kind == Combine && e.Op == Add:
		for _, a := range e.Args {
			out = append(out, t.addends(a)...)
		}
		return out
	}
	return []*Expr{e}
}

// factor takes out of a reduction what is the same for all of an answer, by an operator that
// distributes over that of the reduction. A sum does not over a maximum of integers, where one may wrap
// around and another not, nor over one that is compared with what it is the maximum of, which would be rounded in another way.
func (t *trial) factor() (err error) {
	defer unwind.To(&err)
	for _, by := range []Operator{Mul, Add, Max, Min, Maximum, Minimum, And, Or} {
		if !by.distributes(t.red.op, t.target.Exact) || by == Add && (t.target.Exact || t.target.Equal) || t.red.body.Kind != Combine || t.red.body.Op != by {
			continue
		}
		out, rest := t.invariant(by)
		if len(out) == 0 || len(rest) == 0 {
			continue
		}
		first := t.red.firsts()
		inner := t.red.of(combined(by, rest, t.red.body.Client))
		x := &plan{how: factored, factor: out, first: first, by: by}
		if len(out)+len(rest) > len(terms(t.red.body, by)) { // a weight of floats in parts: digits may cancel
			x.losses++
		}
		t.offer(x, []p.Set{first}, []*reduction{inner})
	}
	return nil
}

// invariant divides the factors of the body into those that are the same for all of an answer and
// the others.
func (t *trial) invariant(by Operator) (out, rest []*Expr) {
	n := t.red.dims()
	list := terms(t.red.body, by)
	if by == Add {
		parts := t.apart(list)
		list = slices.Concat(parts...)
	}
	for _, e := range list {
		k := unwind.Must(e.share(n))
		if within(t.fibre, k, n) {
			out = append(out, e)
		} else {
			rest = append(rest, e)
		}
	}
	return out, rest
}

// mostKernels bounds the decompositions that are tried.
const mostKernels = 24

// decompose makes an inner reduction, of what differs by vectors of a space, and an outer one of
// its answers. The spaces are those that can help: along which a part of the body has one value (it
// can be taken out), that lie in a facet (which does not vary within an inner answer, and so gives
// nothing to subtract), and those of some of the coordinates.
func (t *trial) decompose() (err error) {
	defer unwind.To(&err)
	n := t.red.dims()
	if len(t.fibre) < 2 {
		return nil
	}
	var spaces [][][]p.Int
	add := func(k [][]p.Int) {
		k = p.Orthogonal(p.Orthogonal(p.MeetLattices(k, t.fibre, n), n), n) // all integer vectors of its span
		if len(k) > 0 && len(k) < len(t.fibre) && len(spaces) < mostKernels && !slices.ContainsFunc(spaces, func(o [][]p.Int) bool { return same(o, k) }) {
			spaces = append(spaces, k)
		}
	}
	t.spaces(add)
	for _, k := range spaces {
		if t.done() {
			return nil
		}
		t.by(k)
	}
	return nil
}

func same(a, b [][]p.Int) bool {
	return slices.EqualFunc(a, b, func(x, y []p.Int) bool { return compareInts(x, y) == 0 })
}

// spaces calls add with the spaces of decompositions, those of the body first.
func (t *trial) spaces(add func([][]p.Int)) {
	n := t.red.dims()
	var err error
	var walk func(e *Expr)
	walk = func(e *Expr) {
		k, bad := e.share(n)
		if bad != nil {
			err = bad
			return
		}
		add(k)
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(t.red.body)
	for _, f := range t.shape.facets {
		add(p.Orthogonal([][]p.Int{f}, n))
	}
	for i, f := range t.shape.facets {
		for _, g := range t.shape.facets[:i] {
			add(p.Orthogonal([][]p.Int{f, g}, n))
		}
	}
	for i := range n {
		add(p.Orthogonal([][]p.Int{unit(i, n)}, n))
		add([][]p.Int{unit(i, n)})
	}
	unwind.Check(err)
}

// by decomposes by a space: inner answers are instances up to its vectors.
func (t *trial) by(kernel [][]p.Int) {
	names := t.red.domain.Tuple().Dims()
	inner := quotient(t.red.domain.Tuple(), t.red.to.params, kernel, func(row []p.Int, i int) string {
		if c := pivot(row); length(row).Cmp(p.NewInt(1)) == 0 && row[c].Sign() > 0 {
			return names[c]
		}
		return ""
	})
	answers := unwind.Must(t.red.domain.Apply(inner.graph()))
	cs := unwind.Must(conjunctions(answers))
	if len(cs) != 1 {
		return // an image with strides is not taken apart
	}
	c := t.costOf(cs[0])
	if t.order.compare(c, t.best.cost) >= 0 && t.order.compare(c, t.whole.cost) >= 0 {
		return
	}
	first := t.red.into(inner)
	outer := t.red.to.through(inner)
	up := outer.graph()
	if t.red.up != nil {
		up = unwind.Must(t.red.up.Compose(up))
	}
	first.up = &up
	array := &Array{Extent: answers, Exact: t.target.Exact, Equal: t.target.Equal, Client: t.target.Client, New: true, from: t.red.body}
	read := &Expr{Kind: Read, Map: identity(inner.out), Array: array}
	second := newReduction(t.red.op, cs[0], outer, read)
	second.up, second.splits, second.own = t.red.up, t.red.splits, t.red.own
	t.offer(&plan{how: decomposed, inner: array, read: read}, nil, []*reduction{first, second})
}
