package simplify

import (
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A maker makes equations of plans.
type maker struct {
	program *Program
	names   map[string]bool // of arrays and equations
	origin  *Equation
	target  *Array
	rest    []*Equation // of the given program, still to come
}

func newMaker(program *Program) *maker {
	m := &maker{program: &Program{Params: program.Params, Context: program.Context, Arrays: append([]*Array(nil), program.Arrays...)}, names: map[string]bool{}}
	for _, a := range program.Arrays {
		m.names[a.Name] = true
	}
	for _, e := range program.Equations {
		m.names[e.Name] = true
	}
	return m
}

func (m *maker) name(like string) string {
	for i := 1; ; i++ {
		if n := fmt.Sprintf("%s_%d", like, i); !m.names[n] {
			m.names[n] = true
			return n
		}
	}
}

// A sink is the array into which a plan accumulates. It is alone in it if nothing else does: then
// an element has what the plan has.
type sink struct {
	array *Array
	alone bool
}

// array makes a new one, of some elements.
func (m *maker) array(a *Array, elements p.Set) *Array {
	a.Name = m.name(m.target.Name)
	a.Extent = renamed(elements, a.Name)
	m.program.Arrays = append(m.program.Arrays, a)
	return a
}

func (m *maker) like() *Array {
	return &Array{Exact: m.target.Exact, Equal: m.target.Equal, Client: m.target.Client, New: true, from: m.origin.Body}
}

// renamed is the tuples of a set with another name.
func renamed(s p.Set, name string) p.Set {
	t := s.Tuple()
	return unwind.Must(s.Apply(rename(t, p.NewTuple(name, t.Dims()...))))
}

// rename relates tuples to those of another name.
func rename(from, to p.Tuple) p.Map {
	f := affine{in: from, out: to}
	for i := range from.Len() {
		f.rows = append(f.rows, append([]p.Int{{}}, unit(i, from.Len())...))
	}
	return f.graph()
}

// equation adds one.
func (m *maker) equation(domain p.Set, op Operator, target *Array, write p.Map, body *Expr) {
	m.program.Equations = append(m.program.Equations, &Equation{Name: m.name(m.origin.Name), Domain: domain, Op: op, Target: target, Write: write, Body: body, Origin: m.origin})
}

// writeTo is the function of a reduction, into an array.
func (r *reduction) writeTo(a *Array) p.Map {
	to := r.to
	to.out = p.NewTuple(a.Name, to.out.Dims()...)
	return to.graph()
}

// read is an element of an array at what a map from unnamed tuples has.
func read(a *Array, m p.Map) *Expr {
	_, t := m.Tuples()
	m = unwind.Must(rename(t, p.NewTuple(a.Name, t.Dims()...)).Compose(m))
	return &Expr{Kind: Read, Array: a, Map: m}
}

// unnamed is a set of elements as instances of an equation.
func unnamed(s p.Set) p.Set { return renamed(s, "") }

// emit makes the equations of a plan.
func (m *maker) emit(x *plan, to sink) {
	r := x.red
	switch x.how {
	case asItIs:
		m.equation(r.domain, r.op, to.array, r.writeTo(to.array), r.body)
	case once:
		m.equation(x.first, r.op, to.array, r.writeTo(to.array), r.body)
	case countedUp:
		for _, c := range x.counts {
			m.equation(c.where, r.op, to.array, r.writeTo(to.array), &Expr{Kind: Times, Op: r.op, Args: []*Expr{r.body}, Count: c.count})
		}
	case reuse:
		m.reuse(x, to)
		return
	case equal:
		m.equal(x, to)
		return
	case factored:
		m.factored(x, to)
		return
	case decomposed:
		m.decomposed(x, to)
		return
	case inBlocks:
		m.blocks(x, to)
		return
	default:
		for _, c := range x.children {
			m.emit(c, sink{to.array, to.alone && len(x.children) == 1})
		}
	}
}

// own is an array that a plan has alone: the sink's, or a new one, what it has being added to the
// sink.
func (m *maker) own(x *plan, to sink) *Array {
	if to.alone && !x.temporary {
		return to.array
	}
	answers := unwind.Must(x.red.answers())
	a := m.array(m.like(), answers)
	m.link(a, answers, nil, x.red.op, to.array)
	return a
}

// link adds elements of an array to those of another, that from gives, or itself.
func (m *maker) link(a *Array, elements p.Set, from *p.Map, op Operator, to *Array) {
	domain := unnamed(elements)
	at := identity(domain.Tuple())
	if from != nil {
		_, t := from.Tuples()
		bare := rename(t, domain.Tuple())
		at = unwind.Must(bare.Compose(*from))
		at = unwind.Must(at.Compose(bare.Inverse()))
	}
	body := read(a, at)
	t := domain.Tuple()
	m.equation(domain, op, to, rename(t, p.NewTuple(to.Name, t.Dims()...)), body)
}

func (m *maker) reuse(x *plan, to sink) {
	a := m.own(x, to)
	domain := unnamed(x.move.reuse)
	t := domain.Tuple()
	before := read(a, translation(t, negated(x.move.step)))
	m.equation(domain, x.red.op, a, rename(t, p.NewTuple(a.Name, t.Dims()...)), before)
	for _, c := range x.children {
		m.emit(c, sink{a, false})
	}
}

// equal keeps one of the answers that are equal.
func (m *maker) equal(x *plan, to sink) {
	elements := unwind.Must(x.red.answers())
	mv := x.move
	if to.array == m.target && to.alone {
		elements, mv = m.lines(elements, mv, x.red.to.out)
	}
	a := m.array(m.like(), mv.roots)
	m.link(a, elements, mv.root, x.red.op, to.array)
	for _, c := range x.children {
		m.emit(c, sink{a, len(x.children) == 1})
	}
}

// lines goes on to all elements of the target where the answers are whole lines of it along the
// step: those of other lines, which have the identity, are equal, too. Then one of each line is all
// that is to be kept of the array.
func (m *maker) lines(answers p.Set, mv *move, t p.Tuple) (p.Set, *move) {
	all := unwind.Must(m.target.Extent.IntersectParams(m.program.Context))
	for _, v := range [][]p.Int{mv.step, negated(mv.step)} {
		next := unwind.Must(answers.Apply(translation(t, v)))
		next = unwind.Must(next.Intersect(all))
		if !unwind.Must(next.IsSubset(answers)) {
			return answers, mv
		}
	}
	after := unwind.Must(all.Apply(translation(t, mv.step)))
	roots := unwind.Must(all.Subtract(after))
	whole := &move{step: mv.step, roots: roots, reuse: all}
	if whole.root = rootOf(whole, t); whole.root == nil {
		return answers, mv
	}
	return all, whole
}

// decomposed makes the inner reduction, once for all that have the same.
func (m *maker) decomposed(x *plan, to sink) {
	if x.inner.Name == "" {
		a := m.array(x.inner, x.inner.Extent)
		_, t := x.read.Map.Tuples()
		x.read.Map = unwind.Must(rename(t, p.NewTuple(a.Name, t.Dims()...)).Compose(x.read.Map))
		m.emit(x.children[0], sink{a, true})
	}
	m.emit(x.children[1], to)
}

func (m *maker) factored(x *plan, to sink) {
	answers := unwind.Must(x.red.answers())
	a := m.array(m.like(), answers)
	m.emit(x.children[0], sink{a, true})
	rest := &Expr{Kind: Read, Array: a, Map: x.red.writeTo(a)}
	m.equation(x.first, x.red.op, to.array, x.red.writeTo(to.array), combined(x.by, append(append([]*Expr(nil), x.factor...), rest), x.red.body.Client))
}
