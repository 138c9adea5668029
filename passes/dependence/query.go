package dependence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// queryBudget bounds the work of one question to the integer sets. What is not
// decided within it is taken to overlap.
const queryBudget = 200_000

// A query collects constraints in the notation of the integer sets. Symbols that no
// loop binds are parameters of the set; truth values are 0 or 1.
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

func (q *query) affine(a Affine) string {
	var b strings.Builder
	fmt.Fprint(&b, a.Const)
	for _, t := range a.Terms {
		name, ok := q.bound[t.Symbol]
		if !ok {
			name = q.param(t.Symbol)
		}
		fmt.Fprintf(&b, " + %d*%s", t.Times, name)
	}
	return "(" + b.String() + ")"
}

func (q *query) cond(c Cond) string {
	var parts []string
	for _, s := range c.sub {
		parts = append(parts, q.cond(s))
	}
	switch c.op {
	case equal:
		return q.affine(c.a) + " = 0"
	case unequal:
		return q.affine(c.a) + " != 0"
	case atLeast:
		return q.affine(c.a) + " >= 0"
	case holds, fails:
		q.truth[c.a.Terms[0].Symbol] = true
		return q.affine(c.a) + " = " + map[condOp]string{holds: "1", fails: "0"}[c.op]
	case both:
		return "(" + strings.Join(append(parts, "0 = 0"), " and ") + ")"
	case either:
		return "(" + strings.Join(append(parts, "0 = 1"), " or ") + ")"
	}
	return "0 = 0"
}

// instance opens the loops of a domain under new names and returns their
// constraints and names. Without all, conditions that mention no loop are left out:
// they tell when something happens, not where.
func (q *query) instance(d Domain, all bool) (constraints, names []string) {
	q.bound = map[string]string{}
	for _, l := range d.Loops {
		name := fmt.Sprintf("e%d", q.fresh)
		q.fresh++
		names = append(names, name)
		if l.Lo != nil { // bounds are in the indices of the loops around
			constraints = append(constraints, name+" >= "+q.affine(*l.Lo))
			if l.Step > 1 {
				step := fmt.Sprintf("e%d", q.fresh)
				q.fresh++
				constraints = append(constraints, fmt.Sprintf("(exists (%s : %s = %s + %d*%s))", step, name, q.affine(*l.Lo), l.Step, step))
			}
		}
		if l.Hi != nil {
			constraints = append(constraints, name+" < "+q.affine(*l.Hi))
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
func (q *query) touches(a *Access, dims []string) (constraints []string) {
	for k, d := range dims {
		if k < len(a.Subs) && a.Subs[k].Known {
			s := a.Subs[k]
			if s.Lo.Minus(s.Hi).isZero() {
				constraints = append(constraints, d+" = "+q.affine(s.Lo))
			} else {
				constraints = append(constraints, d+" >= "+q.affine(s.Lo), d+" <= "+q.affine(s.Hi))
			}
		}
		if k < len(a.Var.Shape) {
			constraints = append(constraints, fmt.Sprintf("%s >= %d", d, a.Var.Base))
			if n := a.Var.Shape[k]; n >= 0 {
				constraints = append(constraints, fmt.Sprintf("%s < %d", d, a.Var.Base+n))
			}
		}
	}
	if a.Except != nil && len(dims) > 0 {
		if n, ok := a.Except.literal(); ok {
			constraints = append(constraints, fmt.Sprintf("%s != %d", dims[0], n))
		}
	}
	return constraints
}

func (a Affine) isZero() bool { return a.Const == 0 && len(a.Terms) == 0 }

// element is touches for an access with its instances: they exist.
func (q *query) element(a *Access, dims []string, all bool) string {
	cs, names := q.instance(a.Domain, all)
	cs = append(cs, q.touches(a, dims)...)
	cs = append(cs, "0 = 0")
	text := strings.Join(cs, " and ")
	if len(names) == 0 {
		return "(" + text + ")"
	}
	return "(exists (" + strings.Join(names, ", ") + " : " + text + "))"
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

// set makes the set of the tuples with the given names that a formula describes.
func (q *query) set(dims []string, formula string) (presburger.Set, error) {
	for _, s := range q.params {
		if q.truth[s] {
			formula += " and 0 <= " + q.param(s) + " <= 1"
		}
	}
	var params []string
	for i := range q.params {
		params = append(params, fmt.Sprintf("p%d", i))
	}
	s, err := presburger.ParseSet("[" + strings.Join(params, ", ") + "] -> { [" + strings.Join(dims, ", ") + "] : " + formula + " }")
	return s.WithBudget(queryBudget), err
}

// some reports that there may be a tuple: where it takes too long, there may.
func some(s presburger.Set, err error) bool {
	if err != nil {
		return true
	}
	empty, err := s.IsEmpty()
	return err != nil || !empty
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

// overlap asks the integer sets.
func overlap(a, b *Access, all bool) bool {
	if a.Var != b.Var {
		return false
	}
	q := newQuery()
	dims := dimsOf(a, b)
	return some(q.set(dims, q.element(a, dims, all)+" and "+q.element(b, dims, all)))
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
	left, err := q.set(dims, fb+" and not "+fa)
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
	for _, c := range a.Domain.Conds {
		if !c.exact() {
			return false
		}
	}
	return true
}
