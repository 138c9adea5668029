package dependence

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// queryBudget bounds the work of one question to the integer sets. What is not
// decided within it is taken to overlap.
const queryBudget = 200_000

// A query makes formulas for the integer sets. Symbols that no loop binds are parameters
// of the set; truth values are 0 or 1.
type query struct {
	params []string          // symbols, in the order in which they were met
	truth  map[string]bool   // of these, the truth values
	bound  map[string]string // symbols of loops to the variables of this access
	fresh  int
}

func newQuery() *query { return &query{truth: map[string]bool{}} }

// param names a symbol of the whole program.
func (q *query) param(s string) string {
	i := slices.Index(q.params, s)
	if i < 0 {
		i = len(q.params)
		q.params = append(q.params, s)
	}
	return fmt.Sprintf("p%d", i)
}

// new names a variable that exists.
func (q *query) new() string {
	q.fresh++
	return fmt.Sprintf("e%d", q.fresh-1)
}

func (q *query) affine(a presburger.Sum) presburger.Sum {
	s := presburger.Sum{Const: a.Const}
	for _, t := range a.Terms {
		name, ok := q.bound[t.Var]
		if !ok {
			name = q.param(t.Var)
		}
		s.Terms = append(s.Terms, presburger.Term{Times: t.Times, Var: name})
	}
	return s
}

// same is x = y, least x >= y.
func same(x, y presburger.Sum) presburger.Formula { return presburger.Zero(x.Minus(y)) }

func least(x, y presburger.Sum) presburger.Formula { return presburger.NonNeg(x.Minus(y)) }

func below(x, y presburger.Sum) presburger.Formula { return least(y.Minus(presburger.Number(1)), x) }

func (q *query) cond(c Cond) presburger.Formula {
	parts := lists.Map(c.sub, q.cond)
	switch c.op {
	case equal:
		return presburger.Zero(q.affine(c.a))
	case unequal:
		return presburger.Nonzero(q.affine(c.a))
	case atLeast:
		return presburger.NonNeg(q.affine(c.a))
	case holds, fails:
		q.truth[c.a.Terms[0].Var] = true
		return same(q.affine(c.a), presburger.Number(map[condOp]int64{holds: 1, fails: 0}[c.op]))
	case both:
		return presburger.And(parts...)
	case either:
		return presburger.Or(parts...)
	}
	return presburger.And()
}

// instance opens the loops of a domain under new names and returns their
// constraints and names. Without all, conditions that mention no loop are left out:
// they tell when something happens, not where.
func (q *query) instance(d Domain, all bool) (constraints []presburger.Formula, names []string) {
	q.bound = map[string]string{}
	for _, l := range d.Loops {
		name := q.new()
		names = append(names, name)
		if l.Lo != nil { // bounds are in the indices of the loops around
			lo := q.affine(*l.Lo)
			constraints = append(constraints, least(presburger.Variable(name), lo))
			if l.Step > 1 {
				round := q.new()
				from := presburger.Variable(name).Minus(lo).Minus(presburger.Sum{Terms: []presburger.Term{{Times: l.Step, Var: round}}})
				constraints = append(constraints, presburger.Exists([]string{round}, presburger.Zero(from)))
			}
		}
		if l.Hi != nil {
			constraints = append(constraints, below(presburger.Variable(name), q.affine(*l.Hi)))
		}
		q.bound[l.Index] = name
	}
	for _, c := range d.Conds {
		for _, x := range c.conjuncts() {
			if all || x.mentions(d.Loops) {
				constraints = append(constraints, q.cond(x))
			}
		}
	}
	return constraints, names
}

// touches says that an access, the instance of which is open, is to the element
// whose indices are called dims.
func (q *query) touches(a *Access, dims []string) (constraints []presburger.Formula) {
	for k, name := range dims {
		d := presburger.Variable(name)
		if k < len(a.Subs) && a.Subs[k].Known {
			s := a.Subs[k]
			if s.Lo.Equal(s.Hi) {
				constraints = append(constraints, same(d, q.affine(s.Lo)))
			} else {
				constraints = append(constraints, least(d, q.affine(s.Lo)), least(q.affine(s.Hi), d))
			}
		}
		if k < len(a.Var.Shape) {
			constraints = append(constraints, least(d, presburger.Number(a.Var.Base)))
			if n := a.Var.Shape[k]; n >= 0 {
				constraints = append(constraints, below(d, presburger.Number(a.Var.Base+n)))
			}
		}
	}
	if a.Except != nil && len(dims) > 0 {
		if n, ok := a.Except.literal(); ok {
			constraints = append(constraints, presburger.Nonzero(presburger.Variable(dims[0]).Minus(presburger.Number(n))))
		}
	}
	return constraints
}

// element is touches for an access with its instances: they exist.
func (q *query) element(a *Access, dims []string, all bool) presburger.Formula {
	cs, names := q.instance(a.Domain, all)
	return presburger.Exists(names, presburger.And(append(cs, q.touches(a, dims)...)...))
}

// dimsOf names the indices of an element of a variable that accesses subscript.
func dimsOf(as ...*Access) []string {
	n := len(as[0].Var.Shape)
	for _, a := range as {
		n = max(n, len(a.Subs))
	}
	out := make([]string, n)
	for k := range out {
		out[k] = fmt.Sprintf("d%d", k)
	}
	return out
}

// set makes the set of the points of a tuple that all of some formulas describe.
func (q *query) set(of presburger.Tuple, fs ...presburger.Formula) (presburger.Set, error) {
	for _, s := range q.params {
		if name := presburger.Variable(q.param(s)); q.truth[s] {
			fs = append(slices.Clip(fs), least(name, presburger.Number(0)), least(presburger.Number(1), name))
		}
	}
	s, err := presburger.SetWhere(lists.Map(q.params, q.param), of, presburger.And(fs...))
	return s.WithBudget(queryBudget), err
}

// A pair is two accesses, prepared to be compared.
type pair struct {
	*depend.Tester
	a, b *depend.Access
}

// pairOf prepares two accesses of one variable.
func pairOf(a, b *Access, all bool) (p pair, err error) {
	q, elements := newQuery(), presburger.NewTuple("", dimsOf(a, b)...)
	var instances [2]presburger.Tuple
	var constraints [2][]presburger.Formula // of both first: they say which parameters there are
	for i, x := range []*Access{a, b} {
		cs, names := q.instance(x.Domain, all)
		instances[i], constraints[i] = presburger.NewTuple("", names...), append(cs, q.touches(x, elements.Dims())...)
	}
	p.Tester = depend.NewTester(lists.Map(q.params, q.param)...)
	p.Budget = queryBudget
	for i, to := range []**depend.Access{&p.a, &p.b} {
		s, err := q.set(presburger.PairTuple(instances[i], elements), constraints[i]...)
		if err != nil {
			return p, err
		}
		m, err := s.Unwrap()
		if err != nil {
			return p, err
		}
		if *to, err = p.Access(presburger.SetOf(presburger.Basic{Out: instances[i]}), m); err != nil {
			return p, err
		}
	}
	return p, nil
}

// answers remembers which accesses overlap: those that are written alike are asked
// about once.
type answers map[[2]string]bool

// overlap reports that two accesses may touch one element. With all, what is done
// under conditions that exclude each other does not overlap.
func (m answers) overlap(a, b *Access, all bool) bool {
	if a.Var != b.Var || literallyApart(a, b) {
		return false
	}
	key := [2]string{a.written(all), b.written(all)}
	if key[0] > key[1] {
		key[0], key[1] = key[1], key[0]
	}
	out, ok := m[key]
	if !ok {
		out = overlap(a, b, all)
		m[key] = out
	}
	return out
}

// written spells an access so that equal ones touch equal elements; they are of one
// variable.
func (a *Access) written(all bool) string {
	i := 0
	if all {
		i = 1
	}
	if a.spelt[i] == "" {
		a.spelt[i] = fmt.Sprint(all, a.Subs, a.Except != nil, a.Domain.Conds)
		if a.Except != nil {
			a.spelt[i] += fmt.Sprint(*a.Except)
		}
		for _, l := range a.Domain.Loops {
			a.spelt[i] += fmt.Sprintf(" %p", l)
		}
	}
	return a.spelt[i]
}

func literallyApart(a, b *Access) bool {
	for k := range min(len(a.Subs), len(b.Subs)) {
		x, ok := a.Subs[k].literal()
		y, both := b.Subs[k].literal()
		if ok && both && x != y {
			return true
		}
	}
	return false
}

// overlap asks for the instances of accesses to one element; what takes too long may be.
func overlap(a, b *Access, all bool) bool {
	p, err := pairOf(a, b, all)
	if err != nil {
		return true
	}
	exists, err := p.Exists(p.a, p.b)
	return exists || err != nil
}

// covers reports for certain that what b touches, a touches, whatever the
// parameters are.
func covers(a, b *Access) bool {
	if a.Var != b.Var || !a.exact() {
		return false
	}
	q := newQuery()
	dims := dimsOf(a, b)
	fa, fb := q.element(a, dims, true), q.element(b, dims, true)
	left, err := q.set(presburger.NewTuple("", dims...), fb, presburger.Not(fa))
	if err != nil {
		return false
	}
	empty, err := left.IsEmpty()
	return err == nil && empty
}

// exact reports that all of an access is known: subscripts, bounds and conditions.
func (a *Access) exact() bool {
	for _, s := range a.Subs {
		if !s.Known {
			return false
		}
	}
	for _, l := range a.Domain.Loops {
		if l.Lo == nil || l.Hi == nil {
			return false
		}
	}
	return lists.All(a.Domain.Conds, func(c Cond) bool { return c.exact() })
}
