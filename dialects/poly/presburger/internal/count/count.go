package count

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// ErrInfinite is the error of counting an infinite set.
var ErrInfinite = errors.New("presburger: the set is infinite for some values of the parameters")

// A PwPolynomial is a quasi-polynomial, that is a polynomial in parameters and floors of
// affine functions of them, on each of disjoint domains; 0 elsewhere.
type PwPolynomial struct {
	Atoms  *Atoms
	Budget lp.Allowance
	Pieces []Piece
}

// A Piece is a polynomial and where it is the count.
type Piece struct {
	Domain []*conj.Conj // over the parameters, disjoint
	Value  Poly
}

// Card counts the points of a relation.
func Card(r *union.Relation) (*PwPolynomial, error) {
	infinite := false
	out, err := lp.Run(r.Budget, func(w *lp.Work) *PwPolynomial {
		k := &counter{at: &Atoms{Params: r.Params}, work: w}
		for _, p := range r.Parts {
			for _, c := range conj.Disjoint(p.Conjs, w) {
				if !c.Bounded(len(r.Params), w) {
					infinite = true
					return nil
				}
				k.conj(c, len(r.Params))
			}
		}
		return &PwPolynomial{Atoms: k.at, Pieces: k.finish(), Budget: r.Budget}
	})
	if infinite {
		return nil, ErrInfinite
	}
	return out, err
}

// counter adds up quasi-polynomials on domains.
type counter struct {
	at     *Atoms
	pieces []guarded
	work   *lp.Work
}

type guarded struct {
	c *conj.Conj
	p Poly
}

// conj adds the points of a conjunction; its divs, being functions of the rest, are
// counted as dimensions.
func (k *counter) conj(c *conj.Conj, np int) {
	f := &flattened{np: np, ctx: conj.Universe(np)}
	for _, r := range c.Eq {
		f.eqs = append(f.eqs, r.Clone())
	}
	for _, r := range c.Ge {
		f.ges = append(f.ges, r.Clone())
	}
	f.d = c.Width() - 1 - np
	if !f.solve() {
		return
	}
	var rows []lp.Row
	for _, r := range f.ges {
		if drop, bad := conj.NormalizeGe(r); bad {
			return
		} else if drop {
			continue
		}
		if r.IsZero(1 + f.params()) {
			f.ctx.Ge = append(f.ctx.Ge, r[:1+f.params()])
			continue
		}
		rows = append(rows, r)
	}
	read := k.reader(f.ctx)
	fam := &family{np: f.params(), d: f.d, rows: rows}
	if f.d == 0 {
		k.add(f.ctx.Clone().Simplify(), Poly{"": {Num: lp.NewInt(1), Den: lp.NewInt(1)}})
		return
	}
	var corners []vertexTerm
	var domains []*conj.Conj
	fam.vertices(k.work, func(t vertexTerm) {
		dom := f.ctx.Clone()
		dom.Ge = append(dom.Ge, t.domain...)
		if dom = dom.Clone().Simplify(); dom.HasPoint(k.work) {
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
			if terms[i].c.Same(dom) {
				terms[i].p.add(p, lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(1)})
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
func (k *counter) add(dom *conj.Conj, p Poly) {
	one := lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(1)}
	rest := []*conj.Conj{dom}
	var out []guarded
	for _, q := range k.pieces {
		both := conj.Meet(q.c, dom)
		if !both.HasPoint(k.work) {
			out = append(out, q)
			continue
		}
		sum := Poly{}
		sum.add(q.p, one)
		sum.add(p, one)
		out = append(out, guarded{both, sum})
		for _, c := range conj.MinusOne(q.c, dom, k.work) {
			if c.HasPoint(k.work) {
				out = append(out, guarded{c, q.p})
			}
		}
		var next []*conj.Conj
		for _, r := range rest {
			for _, c := range conj.MinusOne(r, q.c, k.work) {
				if c.HasPoint(k.work) {
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
func (k *counter) finish() []Piece {
	var out []Piece
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
			out = append(out, Piece{Value: q.p})
		}
		out[i].Domain = append(out[i].Domain, q.c)
	}
	for i := range out {
		out[i].Domain = conj.CoalesceAll(out[i].Domain, k.work)
	}
	return out
}

// reader writes rows over the parameters and divs of a context by atoms.
func (k *counter) reader(ctx *conj.Conj) func(lp.Row) lp.Row {
	var divs []lp.Row // by atoms
	read := func(r lp.Row) lp.Row {
		out := make(lp.Row, 1+k.at.len())
		copy(out, r[:1+ctx.N])
		for i, x := range r[1+ctx.N:] {
			if x.IsZero() {
				continue
			}
			d := divs[i]
			out = out.Grown(1 + k.at.len() - len(out))
			out.Combine(lp.NewInt(1), x, d.Grown(len(out)-len(d)))
		}
		return out
	}
	for i, d := range ctx.Divs {
		divs = append(divs, k.at.floor(read(d.Num[:1+ctx.N+i]), d.Den))
	}
	return read
}

// flattened is a conjunction whose equations are being solved: rows over 1, the
// parameters and divs of a context, and d dimensions.
type flattened struct {
	np, d    int
	ctx      *conj.Conj
	eqs, ges []lp.Row
}

func (f *flattened) params() int { return f.np + len(f.ctx.Divs) }

// solve removes the equations: each gives a dimension, perhaps only for parameters
// of a certain remainder, which goes into the context. false: no points.
func (f *flattened) solve() bool {
	for len(f.eqs) > 0 {
		e := f.eqs[0]
		f.eqs = f.eqs[1:]
		if drop, bad := conj.NormalizeEq(e); bad {
			return false
		} else if drop {
			continue
		}
		j := f.euclid(e)
		if j < 0 { // a condition on the parameters
			f.ctx.Eq = append(f.ctx.Eq, e[:1+f.params()].Clone())
			continue
		}
		if !f.give(e, j) {
			return false
		}
	}
	return true
}

func (f *flattened) everyRow(g func(r lp.Row) lp.Row) {
	for i, r := range f.eqs {
		f.eqs[i] = g(r)
	}
	for i, r := range f.ges {
		f.ges[i] = g(r)
	}
}

// euclid leaves one dimension in an equation by a unimodular change of dimensions.
func (f *flattened) euclid(e lp.Row) int {
	from := 1 + f.params()
	for {
		p, more := -1, false
		for j := from; j < len(e); j++ {
			if e[j].IsZero() {
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
			if j == p || e[j].IsZero() {
				continue
			}
			q := e[j].FloorDiv(e[p])
			change := func(r lp.Row) lp.Row {
				if !r[p].IsZero() {
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
func (f *flattened) give(e lp.Row, j int) bool {
	g, from := e[j], 1+f.params()
	value := e[:from].Clone() // times -1 / g
	if g.Sign() > 0 {
		value.Negate()
	}
	if !g.IsUnit() {
		n := len(f.ctx.Divs)
		q := f.ctx.AddDiv(value, g.Abs())
		if k := len(f.ctx.Divs) - n; k > 0 { // a column for it
			insert := func(r lp.Row) lp.Row {
				out := make(lp.Row, len(r)+k)
				copy(out, r[:from])
				copy(out[from+k:], r[from:])
				return out
			}
			f.everyRow(insert)
			j += k
			from += k
		}
		exact := value.Grown(from - len(value))
		exact[q] = exact[q].Sub(g.Abs())
		f.ctx.Eq = append(f.ctx.Eq, exact)
		value = make(lp.Row, from)
		value[q] = lp.NewInt(1)
	}
	f.everyRow(func(r lp.Row) lp.Row {
		if x := r[j]; !x.IsZero() {
			r[:from].Combine(lp.NewInt(1), x, value)
		}
		copy(r[j:], r[j+1:])
		return r[:len(r)-1]
	})
	f.d--
	return true
}

// ValueAt evaluates the count.
func (c *PwPolynomial) ValueAt(params map[string]lp.Int) (lp.Int, error) {
	x := make([]lp.Int, len(c.Atoms.Params))
	for i, name := range c.Atoms.Params {
		v, ok := params[name]
		if !ok {
			return lp.Int{}, fmt.Errorf("presburger: no value for the parameter %s", name)
		}
		x[i] = v
	}
	return lp.Run(c.Budget, func(w *lp.Work) lp.Int {
		for _, p := range c.Pieces {
			for _, d := range p.Domain {
				if d.At(x).HasPoint(w) {
					return p.Value.eval(c.Atoms.values(x)).Num
				}
			}
		}
		return lp.Int{}
	})
}

// String writes [N] -> { value : domain; ... }, or the number alone where nothing
// depends on parameters.
func (c *PwPolynomial) String() string {
	if len(c.Pieces) == 0 {
		return "0"
	}
	if len(c.Atoms.Params) == 0 && len(c.Pieces) == 1 {
		return c.Pieces[0].Value.Text(c.Atoms)
	}
	r := &union.Relation{Params: c.Atoms.Params}
	var parts []string
	for _, p := range c.Pieces {
		var b strings.Builder
		notation.Condition(r, &b, union.Part{Conjs: p.Domain})
		dom := strings.TrimPrefix(b.String(), " : ")
		if dom == "(true)" {
			parts = append(parts, p.Value.Text(c.Atoms))
			continue
		}
		if len(p.Domain) == 1 {
			dom = strings.TrimSuffix(strings.TrimPrefix(dom, "("), ")")
		}
		parts = append(parts, p.Value.Text(c.Atoms)+" : "+dom)
	}
	sort.Strings(parts)
	return fmt.Sprintf("[%s] -> { %s }", strings.Join(c.Atoms.Params, ", "), strings.Join(parts, "; "))
}
