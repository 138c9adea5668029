package presburger

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// ErrInfinite is the error of counting an infinite set.
var ErrInfinite = errors.New("presburger: the set is infinite for some values of the parameters")

// A pwPolynomial is a quasi-polynomial, that is a polynomial in parameters and floors of
// affine functions of them, on each of disjoint domains; 0 elsewhere.
type pwPolynomial struct {
	at     *atoms
	budget allowance
	pieces []countPiece
}

type countPiece struct {
	domain []*conj // over the parameters, disjoint
	value  poly
}

// card counts the points of a relation.
func card(r *relation) (*pwPolynomial, error) {
	infinite := false
	out, err := run(r.budget, func(w *work) *pwPolynomial {
		k := &counter{at: &atoms{params: r.params}, work: w}
		for _, p := range r.parts {
			for _, c := range disjoint(p.conjs, w) {
				if !c.bounded(len(r.params), w) {
					infinite = true
					return nil
				}
				k.conj(c, len(r.params))
			}
		}
		return &pwPolynomial{at: k.at, pieces: k.finish(), budget: r.budget}
	})
	if infinite {
		return nil, ErrInfinite
	}
	return out, err
}

// counter adds up quasi-polynomials on domains.
type counter struct {
	at     *atoms
	pieces []guarded
	work   *work
}

type guarded struct {
	c *conj
	p poly
}

// conj adds the points of a conjunction; its divs, being functions of the rest, are
// counted as dimensions.
func (k *counter) conj(c *conj, np int) {
	f := &flattened{np: np, ctx: universe(np)}
	for _, r := range c.eq {
		f.eqs = append(f.eqs, r.clone())
	}
	for _, r := range c.ge {
		f.ges = append(f.ges, r.clone())
	}
	f.d = c.width() - 1 - np
	if !f.solve() {
		return
	}
	var rows []row
	for _, r := range f.ges {
		if drop, bad := normalizeGe(r); bad {
			return
		} else if drop {
			continue
		}
		if r.isZero(1 + f.params()) {
			f.ctx.ge = append(f.ctx.ge, r[:1+f.params()])
			continue
		}
		rows = append(rows, r)
	}
	read := k.reader(f.ctx)
	fam := &family{np: f.params(), d: f.d, rows: rows}
	if f.d == 0 {
		k.add(f.ctx.clone().simplify(), poly{"": {Int{v: 1}, Int{v: 1}}})
		return
	}
	var corners []vertexTerm
	var domains []*conj
	fam.vertices(k.work, func(t vertexTerm) {
		dom := f.ctx.clone()
		dom.ge = append(dom.ge, t.domain...)
		if dom = dom.clone().simplify(); dom.hasPoint(k.work) {
			corners, domains = append(corners, t), append(domains, dom)
		}
	})
	dir := direction(corners, f.d)
	var terms []guarded
next:
	for i, t := range corners {
		dom := domains[i]
		p := t.count(dir, k.at, read, k.work)
		for i := range terms {
			if terms[i].c.same(dom) {
				terms[i].p.add(p, Rat{Int{v: 1}, Int{v: 1}})
				continue next
			}
		}
		terms = append(terms, guarded{dom, p})
	}
	for _, t := range terms {
		k.add(t.c, t.p)
	}
}

// add adds a quasi-polynomial on a domain, splitting the pieces that it cuts.
func (k *counter) add(dom *conj, p poly) {
	one := Rat{Int{v: 1}, Int{v: 1}}
	rest := []*conj{dom}
	var out []guarded
	for _, q := range k.pieces {
		both := meet(q.c, dom)
		if !both.hasPoint(k.work) {
			out = append(out, q)
			continue
		}
		sum := poly{}
		sum.add(q.p, one)
		sum.add(p, one)
		out = append(out, guarded{both, sum})
		for _, c := range q.c.minusOne(dom, k.work) {
			if c.hasPoint(k.work) {
				out = append(out, guarded{c, q.p})
			}
		}
		var next []*conj
		for _, r := range rest {
			for _, c := range r.minusOne(q.c, k.work) {
				if c.hasPoint(k.work) {
					next = append(next, c)
				}
			}
		}
		rest = next
	}
	for _, c := range rest {
		out = append(out, guarded{c, p})
	}
	k.pieces = out
}

// finish joins the domains of equal values and drops those of 0.
func (k *counter) finish() []countPiece {
	var out []countPiece
	index := map[string]int{}
	for _, q := range k.pieces {
		if len(q.p) == 0 {
			continue
		}
		key := q.p.key()
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, countPiece{value: q.p})
		}
		out[i].domain = append(out[i].domain, q.c)
	}
	for i := range out {
		out[i].domain = coalesceAll(out[i].domain, k.work)
	}
	return out
}

// reader writes rows over the parameters and divs of a context by atoms.
func (k *counter) reader(ctx *conj) func(row) row {
	var divs []row // by atoms
	read := func(r row) row {
		out := make(row, 1+k.at.len())
		copy(out, r[:1+ctx.n])
		for i, x := range r[1+ctx.n:] {
			if x.isZero() {
				continue
			}
			d := divs[i]
			out = out.grown(1 + k.at.len() - len(out))
			out.combine(Int{v: 1}, x, d.grown(len(out)-len(d)))
		}
		return out
	}
	for i, d := range ctx.divs {
		divs = append(divs, k.at.floor(read(d.num[:1+ctx.n+i]), d.den))
	}
	return read
}

// flattened is a conjunction whose equations are being solved: rows over 1, the
// parameters and divs of a context, and d dimensions.
type flattened struct {
	np, d    int
	ctx      *conj
	eqs, ges []row
}

func (f *flattened) params() int { return f.np + len(f.ctx.divs) }

// solve removes the equations: each gives a dimension, perhaps only for parameters
// of a certain remainder, which goes into the context. false: no points.
func (f *flattened) solve() bool {
	for len(f.eqs) > 0 {
		e := f.eqs[0]
		f.eqs = f.eqs[1:]
		if drop, bad := normalizeEq(e); bad {
			return false
		} else if drop {
			continue
		}
		j := f.euclid(e)
		if j < 0 { // a condition on the parameters
			f.ctx.eq = append(f.ctx.eq, e[:1+f.params()].clone())
			continue
		}
		if !f.give(e, j) {
			return false
		}
	}
	return true
}

func (f *flattened) everyRow(g func(r row) row) {
	for i, r := range f.eqs {
		f.eqs[i] = g(r)
	}
	for i, r := range f.ges {
		f.ges[i] = g(r)
	}
}

// euclid leaves one dimension in an equation by a unimodular change of dimensions.
func (f *flattened) euclid(e row) int {
	from := 1 + f.params()
	for {
		p, more := -1, false
		for j := from; j < len(e); j++ {
			if e[j].isZero() {
				continue
			}
			more = more || p >= 0
			if p < 0 || e[j].Abs().Cmp(e[p].Abs()) < 0 {
				p = j
			}
		}
		if !more {
			return p
		}
		for j := from; j < len(e); j++ {
			if j == p || e[j].isZero() {
				continue
			}
			q := e[j].FloorDiv(e[p])
			change := func(r row) row {
				if !r[p].isZero() {
					r[j] = r[j].Sub(q.Mul(r[p]))
				}
				return r
			}
			change(e)
			f.everyRow(change)
		}
	}
}

// give replaces dimension column j, the only one in e, by its value.
func (f *flattened) give(e row, j int) bool {
	g, from := e[j], 1+f.params()
	value := e[:from].clone() // times -1 / g
	if g.Sign() > 0 {
		value.negate()
	}
	if !g.isUnit() {
		n := len(f.ctx.divs)
		q := f.ctx.addDiv(value, g.Abs())
		if k := len(f.ctx.divs) - n; k > 0 { // a column for it
			insert := func(r row) row {
				out := make(row, len(r)+k)
				copy(out, r[:from])
				copy(out[from+k:], r[from:])
				return out
			}
			f.everyRow(insert)
			j += k
			from += k
		}
		exact := value.grown(from - len(value))
		exact[q] = exact[q].Sub(g.Abs())
		f.ctx.eq = append(f.ctx.eq, exact)
		value = make(row, from)
		value[q] = Int{v: 1}
	}
	f.everyRow(func(r row) row {
		if x := r[j]; !x.isZero() {
			r[:from].combine(Int{v: 1}, x, value)
		}
		copy(r[j:], r[j+1:])
		return r[:len(r)-1]
	})
	f.d--
	return true
}

// valueAt evaluates the count.
func (c *pwPolynomial) valueAt(params map[string]Int) (Int, error) {
	x := make([]Int, len(c.at.params))
	for i, name := range c.at.params {
		v, ok := params[name]
		if !ok {
			return Int{}, fmt.Errorf("presburger: no value for the parameter %s", name)
		}
		x[i] = v
	}
	return run(c.budget, func(w *work) Int {
		for _, p := range c.pieces {
			for _, d := range p.domain {
				if d.at(x).hasPoint(w) {
					return p.value.eval(c.at.values(x)).Num
				}
			}
		}
		return Int{}
	})
}

// String writes [N] -> { value : domain; ... }, or the number alone where nothing
// depends on parameters.
func (c *pwPolynomial) String() string {
	if len(c.pieces) == 0 {
		return "0"
	}
	if len(c.at.params) == 0 && len(c.pieces) == 1 {
		return c.pieces[0].value.text(c.at)
	}
	r := &relation{params: c.at.params}
	var parts []string
	for _, p := range c.pieces {
		var b strings.Builder
		r.condition(&b, part{conjs: p.domain})
		dom := strings.TrimPrefix(b.String(), " : ")
		if dom == "(true)" {
			parts = append(parts, p.value.text(c.at))
			continue
		}
		if len(p.domain) == 1 {
			dom = strings.TrimSuffix(strings.TrimPrefix(dom, "("), ")")
		}
		parts = append(parts, p.value.text(c.at)+" : "+dom)
	}
	sort.Strings(parts)
	return fmt.Sprintf("[%s] -> { %s }", strings.Join(c.at.params, ", "), strings.Join(parts, "; "))
}
