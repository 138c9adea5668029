package count

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// A Complexity is the order of growth of a count: a sum of monomials in the
// parameters, of which none can be left out.
//
// Parameters are sizes: values of at least 1 count. On a conjunction of a count's
// domains a parameter grows if it has no upper bound there; the others are constants.
// What counts are the conjunctions on which as many grow together as can: those whose
// growing parameters are not some of another's. There a floor is its argument less a
// bounded fraction, so the count is a polynomial in the growing parameters whose
// coefficients are bounded; its monomials are those whose coefficient is not 0
// everywhere. A monomial m is O(n) on a conjunction if it is so by p = O(q) for pairs
// of parameters, which linear programs decide: in no direction of the conjunction p
// grows and q does not. The complexity is a set of monomials such that each monomial
// of each conjunction is O of one of the set there, and that is so for no subset. Of
// monomials that can stand for one another the first stays, by powers of the
// parameters in order. So the count is at most a constant times their sum.
type Complexity struct {
	params []string
	terms  [][]int // exponents
}

// Monomials lists the exponents of the parameters in each monomial; none is a count of
// 0, one without any exponent a constant.
func (c Complexity) Monomials() [][]int {
	out := make([][]int, len(c.terms))
	for i, t := range c.terms {
		out[i] = slices.Clone(t)
	}
	return out
}

// Degree is the largest sum of exponents of a monomial; of no monomials it is -1.
func (c Complexity) Degree() int {
	d := -1
	for _, t := range c.terms {
		d = max(d, total(t))
	}
	return d
}

func total(exps []int) (n int) {
	for _, e := range exps {
		n += e
	}
	return n
}

// String writes N^2 + N*K, 1 for a constant and 0 for nothing.
func (c Complexity) String() string {
	if len(c.terms) == 0 {
		return "0"
	}
	var sum []string
	for _, t := range c.terms {
		var prod []string
		for i, e := range t {
			switch {
			case e == 1:
				prod = append(prod, c.params[i])
			case e > 1:
				prod = append(prod, fmt.Sprintf("%s^%d", c.params[i], e))
			}
		}
		if len(prod) == 0 {
			prod = []string{"1"}
		}
		sum = append(sum, strings.Join(prod, "*"))
	}
	return strings.Join(sum, " + ")
}

// SumComplexity is the order of growth of a sum. The conjunctions of the domains stay as
// they are, and may overlap: to cut them into disjoint ones takes exponentially many.
func SumComplexity(counts []*PwPolynomial) (Complexity, error) {
	if len(counts) == 0 {
		return Complexity{}, nil
	}
	params := counts[0].Atoms.Params
	for _, c := range counts {
		if !slices.Equal(c.Atoms.Params, params) {
			return Complexity{}, fmt.Errorf("presburger: counts have the parameters %v and %v", params, c.Atoms.Params)
		}
	}
	return lp.Run(counts[0].Budget, func(w *lp.Work) Complexity {
		var regions []*region
		for _, c := range counts {
			regions = append(regions, c.regions(w)...)
		}
		var needs []need
		for _, g := range largest(regions) {
			for _, m := range g.monomials() {
				needs = append(needs, need{g, m})
			}
		}
		return Complexity{params: params, terms: cover(needs)}
	})
}

// regions are the conjunctions of the domains of a count that have a point.
func (c *PwPolynomial) regions(w *lp.Work) (out []*region) {
	for _, p := range c.Pieces {
		for _, d := range p.Domain {
			if g := newRegion(c.Atoms, d, w); g != nil {
				g.value = p.Value
				out = append(out, g)
			}
		}
	}
	return out
}

// region is one conjunction of a domain.
type region struct {
	at    *Atoms
	c     *conj.Conj // with all parameters at least 1
	grows []bool
	under [][]bool // under[i][j]: parameter i is O(parameter j)
	value Poly
	work  *lp.Work
}

// need is a monomial that a region has.
type need struct {
	at   *region
	exps []int
}

// newRegion is nil where there is no point.
func newRegion(at *Atoms, d *conj.Conj, w *lp.Work) *region {
	np := len(at.Params)
	c := d.Clone()
	for i := range np {
		r := c.Row()
		r[0], r[1+i] = lp.NewInt(-1), lp.NewInt(1)
		c.Ge = append(c.Ge, r)
	}
	if c.Simplify(); !c.HasPoint(w) {
		return nil
	}
	g := &region{at: at, c: c, grows: make([]bool, np), under: make([][]bool, np), work: w}
	cone := c.Cone(0)
	// goes reports a direction in which i grows and stays, if it is not -1, does not.
	goes := func(i, stays int) bool {
		k := cone.Clone()
		k.Ge = append(k.Ge, k.Row())
		k.Ge[len(k.Ge)-1][0], k.Ge[len(k.Ge)-1][1+i] = lp.NewInt(-1), lp.NewInt(1)
		if stays >= 0 {
			r := k.Row()
			r[1+stays] = lp.NewInt(1)
			k.Eq = append(k.Eq, r)
		}
		return !k.Tableau(w).Empty
	}
	for i := range np {
		g.grows[i] = goes(i, -1)
	}
	for i := range np {
		g.under[i] = make([]bool, np)
		for j := range np {
			g.under[i][j] = i == j || g.grows[i] && g.grows[j] && !goes(i, j)
		}
	}
	return g
}

// largest keeps the regions whose growing parameters are not some of another's.
func largest(gs []*region) (out []*region) {
	for _, g := range gs {
		less := func(h *region) bool {
			more := false
			for i := range g.grows {
				if g.grows[i] && !h.grows[i] {
					return false
				}
				more = more || h.grows[i] && !g.grows[i]
			}
			return more
		}
		if !slices.ContainsFunc(gs, less) {
			out = append(out, g)
		}
	}
	return out
}

// monomials lists the exponents of growing parameters with a coefficient that is not
// 0 at all points.
func (g *region) monomials() (out [][]int) {
	np := len(g.at.Params)
	coefs := map[string]Poly{}
	for m, k := range g.fractions(g.value) {
		var grow, rest []Factor
		for _, f := range Decode(m) {
			if f.Atom < np && g.grows[f.Atom] {
				grow = append(grow, f)
			} else {
				rest = append(rest, f)
			}
		}
		key := encode(grow)
		if coefs[key] == nil {
			coefs[key] = Poly{}
		}
		coefs[key].addTerm(encode(rest), k)
	}
	for key, p := range coefs {
		if len(p) == 0 || !g.nonzero(p) {
			continue
		}
		exps := make([]int, np)
		for _, f := range Decode(key) {
			exps[f.Atom] = f.Exp
		}
		out = append(out, exps)
	}
	return out
}

// fractions writes a polynomial in parameters and floors as one in parameters and
// fractions, which take the places of the floors: floor(x / d) is x / d less one.
func (g *region) fractions(p Poly) Poly {
	np := len(g.at.Params)
	one := lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(1)}
	atoms := make([]Poly, g.at.len())
	for i := range atoms {
		atoms[i] = Poly{encode([]Factor{{i, 1}}): one}
		if i < np {
			continue
		}
		f := g.at.Floors[i-np]
		x := Poly{encode([]Factor{{i, 1}}): one.Neg()}
		for k, a := range f.Num {
			if a.IsZero() {
				continue
			}
			part := Poly{"": one}
			if k > 0 {
				part = atoms[k-1]
			}
			x.add(part, lp.NewRat(a, f.Den))
		}
		atoms[i] = x
	}
	out := Poly{}
	for m, k := range p {
		term := Poly{"": k}
		for _, f := range Decode(m) {
			for range f.Exp {
				term = term.mul(atoms[f.Atom], g.work)
			}
		}
		out.add(term, one)
	}
	return out
}

// nonzero looks for a point of the region at which a polynomial in constants and
// fractions is not 0. Its value depends on the constants and the remainders of the
// parameters by a period, so a point at which it is 0 excludes its like.
func (g *region) nonzero(p Poly) bool {
	np := len(g.at.Params)
	period, used := lp.NewInt(1), make([]bool, np)
	for m := range p {
		for _, f := range Decode(m) {
			if f.Atom < np {
				used[f.Atom] = true
			} else {
				period = period.LCM(g.period(f.Atom-np, used))
			}
		}
	}
	rest := []*conj.Conj{g.c}
	for len(rest) > 0 {
		x, ok := rest[0].Sample(g.work)
		if !ok {
			rest = rest[1:]
			continue
		}
		x = x[:np]
		if p.evalRat(g.fractionsAt(x)).Sign() != 0 {
			return true
		}
		like := conj.Universe(np)
		for i := range np {
			e := like.Row()
			e[0], e[1+i] = x[i].Neg(), lp.NewInt(1)
			if used[i] && g.grows[i] && !period.IsOne() { // a multiple of the period
				k := like.AddDiv(e, period)
				e = e.Grown(like.Width() - len(e))
				e[k] = period.Neg()
			}
			if used[i] {
				like.Eq = append(like.Eq, e)
			}
		}
		for i := range like.Eq {
			like.Eq[i] = like.Eq[i].Grown(like.Width() - len(like.Eq[i]))
		}
		like.Simplify()
		var next []*conj.Conj
		for _, c := range rest {
			next = append(next, conj.MinusOne(c, like, g.work)...)
		}
		rest = next
	}
	return false
}

// period is a number of steps of all parameters after which the fraction of a floor
// comes back; it marks the parameters that the floor uses.
func (g *region) period(k int, used []bool) lp.Int {
	f, np := g.at.Floors[k], len(g.at.Params)
	inner := lp.NewInt(1)
	for i, x := range f.Num[1:] {
		switch {
		case x.IsZero():
		case i < np:
			used[i] = true
		default:
			inner = inner.LCM(g.period(i-np, used))
		}
	}
	return inner.Mul(f.Den)
}

// evalRat is eval at rational values.
func (p Poly) evalRat(x []lp.Rat) lp.Rat {
	sum := lp.Rat{Den: lp.NewInt(1)}
	for m, t := range p {
		for _, f := range Decode(m) {
			for range f.Exp {
				t = t.Mul(x[1+f.Atom])
			}
		}
		sum = sum.Add(t)
	}
	return sum
}

// fractionsAt are the values of the parameters and fractions, 1 in front.
func (g *region) fractionsAt(x []lp.Int) []lp.Rat {
	values := g.at.values(x)
	out := make([]lp.Rat, len(values))
	for i, v := range values {
		out[i] = lp.Rat{Num: v, Den: lp.NewInt(1)}
		if k := i - 1 - len(x); k >= 0 {
			f := g.at.Floors[k]
			n := lp.Dot(f.Num, values[:len(f.Num)])
			out[i] = lp.NewRat(n.Sub(f.Den.Mul(v)), f.Den)
		}
	}
	return out
}

// bounds reports m = O(n) on the region: for every set of parameters that holds with
// one all that it is O of, n has as many of them as m.
func (g *region) bounds(m, n []int) bool {
	g.work.Step(len(m))
	var grow []int
	for i, b := range g.grows {
		if b {
			grow = append(grow, i)
		}
	}
	if len(grow) > 12 { // too many sets: m divides n
		for _, i := range grow {
			if m[i] > n[i] {
				return false
			}
		}
		return true
	}
next:
	for set := 1; set < 1<<len(grow); set++ {
		g.work.Step(len(grow))
		sum := 0
		for a, i := range grow {
			if set>>a&1 == 0 {
				continue
			}
			for b, j := range grow {
				if g.under[i][j] && set>>b&1 == 0 {
					continue next
				}
			}
			sum += n[i] - m[i]
		}
		if sum < 0 {
			return false
		}
	}
	return true
}

// cover takes monomials away as long as every need has one that bounds it.
func cover(needs []need) [][]int {
	var terms [][]int
	for _, n := range needs {
		if !slices.ContainsFunc(terms, func(t []int) bool { return slices.Equal(t, n.exps) }) {
			terms = append(terms, n.exps)
		}
	}
	slices.SortFunc(terms, func(a, b []int) int { // those to be kept last
		return cmp.Or(cmp.Compare(total(a), total(b)), slices.Compare(a, b))
	})
	for i := 0; i < len(terms); {
		rest := slices.Concat(terms[:i], terms[i+1:])
		all := true
		for _, n := range needs {
			all = all && slices.ContainsFunc(rest, func(t []int) bool { return n.at.bounds(n.exps, t) })
		}
		if all {
			terms = rest
		} else {
			i++
		}
	}
	slices.Reverse(terms)
	return terms
}
