package closure

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// Limits of the sums of differences.
const (
	maxDeltas = 6  // sets of differences
	maxSplits = 3  // of them that need a case without a step
	maxEnds   = 64 // pairs of conjunctions of the domain and range
)

// paths goes by what steps can add up to: the pairs (x, y) of the domain and the range
// with y - x in k1 D1 + k2 D2 + ..., where Di are the differences of conjunction i.
func paths(c *closer, r p.Map, pieces []p.Map, _ int) (t p.Map, exact, ok bool) {
	if len(r.Maps()) != 1 {
		return t, false, false
	}
	in, out := r.Tuples()
	if !in.Equal(out) {
		return t, false, false
	}
	steps := c.deltas(r, pieces)
	sums := c.sums(r, steps, in, out)
	dom, ran := c.coalesceSet(r.Domain()), c.coalesceSet(r.Range())
	if len(dom.Basics())*len(ran.Basics()) > maxEnds {
		dom, ran = c.hull(dom), c.hull(ran)
	}
	sums = c.between(sums, dom, ran)
	if c.err != nil {
		return t, false, false
	}
	t = c.coalesce(someLength(sums))
	var proved bool
	c.attempt(func() { proved = c.lengthsHold(r, sums) && c.err == nil })
	return t, proved, true
}

// deltas are the differences of the conjunctions, in one set each.
func (c *closer) deltas(r p.Map, pieces []p.Map) (out []p.Basic) {
	var all p.Set
	for _, m := range pieces {
		d := m.Deltas()
		known := try(c, func() (bool, error) { return d.WithBudget(c.steps).IsSubset(all) })
		all = all.Union(d)
		if !known {
			out = append(out, d.Basics()...)
		}
	}
	if len(out) > maxDeltas {
		out = c.hull(all).Basics()
	}
	return out
}

// hull is one conjunction that holds a set.
func (c *closer) hull(s p.Set) p.Set { return try(c, s.WithBudget(c.steps).SimpleHull) }

// A multiple is k times a set of differences, in rows over the parameters, the sum of k
// differences, variables that exist, and k in the place of the constant. What holds for
// k > 0 alone is apart.
type multiple struct {
	vars        int // the differences and what exists
	eq, ge      []scaled
	positive    []scaled // >= 0 if k > 0
	mayBeNoStep bool     // k = 0 leaves the differences 0, with eq and ge alone
}

// A scaled row is k times a number, a constant, multiples of parameters and of variables.
type scaled struct {
	k, one       p.Int
	params, vars []p.Int
}

// times returns what k steps of a set of differences satisfy. A row without parameters
// holds for the sum with k times its constant. One with parameters is a row
// f(parameters) + g(difference) >= 0, and the sum has k f + g(sum) >= 0: where f <= 0
// whenever there is a difference, k f <= f and the row stays as it is.
func (c *closer) times(r p.Map, b p.Basic) multiple {
	np := len(b.Params)
	m := multiple{vars: len(b.Divs) + b.Out.Len()}
	add := func(row []p.Int, isEq bool) {
		if isZero(row[1 : 1+np]) {
			s := scaled{k: row[0], params: row[1 : 1+np], vars: row[1+np:]}
			if isEq {
				m.eq = append(m.eq, s)
			} else {
				m.ge = append(m.ge, s)
			}
			return
		}
		s := scaled{one: row[0], params: row[1 : 1+np], vars: row[1+np:]}
		switch {
		case isZero(s.vars) && c.holds(r, row[:1+np]):
		case isZero(s.vars) || c.neverPositive(b, row[:1+np]):
			m.positive = append(m.positive, s)
		}
	}
	for _, r := range b.Eq {
		if isZero(r[1 : 1+np]) {
			add(r, true)
			continue
		}
		add(r, false)
		add(negated(r), false)
	}
	for _, r := range b.Ge {
		add(r, false)
	}
	m.mayBeNoStep = len(m.positive) == 0 && c.onlyZero(b, m)
	return m
}

// neverPositive reports that a function of the parameters is at most 0 on a set.
func (c *closer) neverPositive(b p.Basic, f []p.Int) bool {
	row := make([]p.Int, 1+len(b.Params)+b.Out.Len()+len(b.Divs))
	copy(row, f)
	row[0] = row[0].Sub(p.NewInt(1))
	b.Ge = append(slices.Clone(b.Ge), row)
	return try(c, p.SetOf(b).WithBudget(c.steps).IsEmpty)
}

// holds reports that a function of the parameters is at least 0 wherever r has a pair.
func (c *closer) holds(r p.Map, f []p.Int) bool {
	in, out := r.Tuples()
	row := make([]p.Int, len(f)+in.Len()+out.Len())
	copy(row, negated(f))
	row[0] = row[0].Sub(p.NewInt(1))
	return c.empty(c.intersect(r, p.MapOf(p.Basic{Params: r.Params(), In: in, Out: out, Ge: [][]p.Int{row}})))
}

// onlyZero reports that no step leads nowhere but to the point itself.
func (c *closer) onlyZero(b p.Basic, m multiple) bool {
	np, n := len(b.Params), b.Out.Len()
	cone := p.Basic{Params: b.Params, Out: b.Out, Divs: unknown(len(b.Divs), 1+np+m.vars)}
	take := func(s scaled) []p.Int {
		row := make([]p.Int, 1+np+m.vars)
		copy(row[1+np:], s.vars)
		return row
	}
	for _, s := range m.eq {
		cone.Eq = append(cone.Eq, take(s))
	}
	for _, s := range m.ge {
		cone.Ge = append(cone.Ge, take(s))
	}
	zero := p.Basic{Params: b.Params, Out: b.Out}
	for i := range n {
		row := make([]p.Int, 1+np+n)
		row[1+np+i] = p.NewInt(1)
		zero.Eq = append(zero.Eq, row)
	}
	return try(c, func() (bool, error) { return p.SetOf(cone).WithBudget(c.steps).IsSubset(p.SetOf(zero)) })
}

// sums relates x to x plus the sum of any number of differences, with the number of all,
// at least 1, as the last parameter.
func (c *closer) sums(r p.Map, steps []p.Basic, in, out p.Tuple) p.Map {
	var ms []multiple
	splits := 0
	for _, b := range steps {
		m := c.times(r, b)
		if len(steps) > 1 && !m.mayBeNoStep {
			if splits++; splits > maxSplits {
				m.positive, m.mayBeNoStep = nil, true // a larger set
			}
		}
		ms = append(ms, m)
	}
	var basics []p.Basic
	for choice := range 1 << len(ms) {
		var used []multiple
		var atLeast []int64
		valid := true
		for i, m := range ms {
			skip := choice>>i&1 == 1
			switch {
			case skip && (m.mayBeNoStep || len(ms) == 1):
				valid = false // a case of the one with steps
			case skip:
			case m.mayBeNoStep:
				used, atLeast = append(used, m), append(atLeast, 0)
			default:
				used, atLeast = append(used, m), append(atLeast, 1)
			}
		}
		if valid && len(used) > 0 {
			basics = append(basics, sum(r.Params(), in, out, used, atLeast))
		}
	}
	return p.MapOf(basics...)
}

// sum is one choice of the numbers of steps: x, y and the length with y - x the sum of
// the sums of each, and the length that of their numbers.
func sum(params []string, in, out p.Tuple, ms []multiple, atLeast []int64) p.Basic {
	np, n := len(params), in.Len()
	vars := 0
	for _, m := range ms {
		vars += 1 + m.vars
	}
	x := 1 + np + 1 // the length is the last parameter
	width := x + 2*n + vars
	b := p.Basic{Params: append(params, lengthOf(params)), In: in, Out: out, Divs: unknown(vars, width)}
	row := func() []p.Int { return make([]p.Int, width) }
	moves := make([][]p.Int, n)
	for i := range n {
		moves[i] = row()
		moves[i][x+i], moves[i][x+n+i] = p.NewInt(1), p.NewInt(-1)
	}
	length := row()
	length[1+np] = p.NewInt(-1)
	at := x + 2*n
	for i, m := range ms {
		k := at
		take := func(s scaled) []p.Int {
			r := row()
			r[0], r[k] = s.one, s.k
			copy(r[1:], s.params)
			copy(r[k+1:], s.vars)
			return r
		}
		for _, s := range m.eq {
			b.Eq = append(b.Eq, take(s))
		}
		for _, s := range slices.Concat(m.ge, m.positive) {
			b.Ge = append(b.Ge, take(s))
		}
		least := row()
		least[0], least[k] = p.NewInt(-atLeast[i]), p.NewInt(1)
		b.Ge = append(b.Ge, least)
		length[k] = p.NewInt(1)
		for j := range n {
			moves[j][k+1+j] = p.NewInt(1)
		}
		at += 1 + m.vars
	}
	some := row()
	some[0], some[1+np] = p.NewInt(-1), p.NewInt(1)
	b.Ge = append(b.Ge, some)
	b.Eq = append(append(b.Eq, length), moves...)
	return b
}

// lengthOf is a name that no parameter has.
func lengthOf(params []string) string {
	name := "k"
	for slices.Contains(params, name) {
		name += "'"
	}
	return name
}

func unknown(n, width int) []p.Div {
	out := make([]p.Div, n)
	for i := range out {
		out[i].Num = make([]p.Int, width)
	}
	return out
}

func isZero(r []p.Int) bool {
	return !slices.ContainsFunc(r, func(x p.Int) bool { return x.Sign() != 0 })
}

func negated(r []p.Int) []p.Int {
	out := make([]p.Int, len(r))
	for i, x := range r {
		out[i] = x.Neg()
	}
	return out
}
