package count

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Counting by generating functions: Barvinok, "A polynomial time algorithm for
// counting integral points in polyhedra when the dimension is fixed", 1994, with
// parametric vertices (Clauss and Loechner 1998; Verdoolaege and others 2007). Each
// inequality, which is integral, is loosened by an infinitesimal of its own, the
// first ones larger than the later ones. That adds no integer point, makes every
// vertex simple and keeps all lattice points off the boundaries of the cones, so
// neither chambers of degenerate vertices nor half-open cones are needed.

// family is a parametric polytope: rows over 1, np parameters and d dimensions.
type family struct {
	np, d int
	rows  []lp.Row
}

// A vertexTerm is what one vertex adds to the count where the vertex exists.
type vertexTerm struct {
	domain []lp.Row // over 1 + parameters, at least 0
	cones  []cone
}

// cone is unimodular: sign, and for each generator the first multiple of it that is
// in the cone, floor((num) / den) + 1 or ceil: num is over 1 + parameters.
type cone struct {
	sign  int
	gens  [][]lp.Int
	start []corner
}

type corner struct {
	num  lp.Row
	den  lp.Int
	next bool // floor + 1, else ceil
}

// vertices lists the vertices, each a choice of d rows with an independent left side.
func (f *family) vertices(w *lp.Work, yield func(vertexTerm)) {
	chosen := make([]int, 0, f.d)
	var choose func(from int)
	choose = func(from int) {
		w.Step(f.d)
		if len(chosen) == f.d {
			if t, ok := f.vertex(chosen, w); ok {
				yield(t)
			}
			return
		}
		for i := from; i <= len(f.rows)-(f.d-len(chosen)); i++ {
			chosen = append(chosen, i)
			choose(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose(0)
}

// vertex solves the chosen rows: y = adj (-B p - c) / det, with the infinitesimals
// taking part as -epsilon on the right side.
func (f *family) vertex(chosen []int, w *lp.Work) (t vertexTerm, ok bool) {
	a := make([][]lp.Int, f.d) // left sides, as rows
	for i, k := range chosen {
		a[i] = f.rows[k][1+f.np:]
	}
	adj, det := lp.Adjugate(a, w)
	if det.IsZero() {
		return t, false
	}
	if det.Sign() < 0 {
		for _, r := range adj {
			lp.Row(r).Negate()
		}
		det = det.Neg()
	}
	// y_i det = sum_k adj[i][k] (-rest_k - eps_k)
	y := make([]lp.Row, f.d)
	for i := range y {
		y[i] = make(lp.Row, 1+f.np)
		for k, c := range chosen {
			if !adj[i][k].IsZero() {
				y[i].Combine(lp.NewInt(1), adj[i][k].Neg(), f.rows[c][:1+f.np])
			}
		}
	}
	for k, r := range f.rows {
		if !contains(chosen, k) && !t.admit(f, r, k, chosen, adj, det, y) {
			return t, false
		}
	}
	gens := make([][]lp.Int, f.d)
	for j := range gens { // columns of adj: rays along which all chosen rows but one stay 0
		gens[j] = make([]lp.Int, f.d)
		for i := range f.d {
			gens[j][i] = adj[i][j]
		}
		if g := lp.Row(gens[j]).Content(0); !g.IsOne() {
			lp.Row(gens[j]).Divide(g)
		}
	}
	for _, c := range decompose(gens, 1, w) {
		c.corners(chosen, adj, det, y, w)
		t.cones = append(t.cones, c)
	}
	return t, true
}

func contains(xs []int, x int) bool {
	for _, y := range xs {
		if x == y {
			return true
		}
	}
	return false
}

// admit adds to the domain that row k, not chosen, holds at the vertex; false if it
// never does. The infinitesimals decide between at least and more than 0.
func (t *vertexTerm) admit(f *family, r lp.Row, k int, chosen []int, adj [][]lp.Int, det lp.Int, y []lp.Row) bool {
	v := r[:1+f.np].Clone()
	for i := range v {
		v[i] = v[i].Mul(det)
	}
	eps := make([]lp.Int, len(chosen)) // coefficients of the infinitesimals, times det
	for i := range f.d {
		x := r[1+f.np+i]
		if x.IsZero() {
			continue
		}
		v.Combine(lp.NewInt(1), x, y[i])
		for j := range chosen {
			eps[j] = eps[j].Sub(x.Mul(adj[i][j]))
		}
	}
	strict := false
	for j, c := range chosen {
		if c > k {
			break // its own infinitesimal, which is positive, is larger
		}
		if s := eps[j].Sign(); s != 0 {
			strict = s < 0
			break
		}
	}
	if strict {
		v[0] = v[0].Sub(lp.NewInt(1))
	}
	drop, bad := conj.NormalizeGe(v)
	if bad {
		return false
	}
	if !drop {
		t.domain = append(t.domain, v)
	}
	return true
}

// corners finds where the lattice points of a unimodular cone start: the vertex is
// a sum of lambda_j gens_j, and multiples start at the next integer.
func (c *cone) corners(chosen []int, adj [][]lp.Int, det lp.Int, y []lp.Row, w *lp.Work) {
	d := len(c.gens)
	m := make([][]lp.Int, d)
	for i := range m {
		m[i] = make([]lp.Int, d)
		for j := range d {
			m[i][j] = c.gens[j][i]
		}
	}
	inv, unit := lp.Adjugate(m, w) // unit is 1 or -1
	for j := range d {
		num := make(lp.Row, len(y[0]))
		eps := make([]lp.Int, d)
		for i := range d {
			x := inv[j][i].Mul(unit)
			if x.IsZero() {
				continue
			}
			num.Combine(lp.NewInt(1), x, y[i])
			for k := range d {
				eps[k] = eps[k].Sub(x.Mul(adj[i][k]))
			}
		}
		next := false
		for k := range d {
			if s := eps[k].Sign(); s != 0 {
				next = s > 0
				break
			}
		}
		c.start = append(c.start, corner{num, det, next})
	}
}

// decompose writes a simplicial cone as signed unimodular ones, up to cones of
// lower dimension: a short vector w = sum alpha_i gens_i takes the place of each
// generator, which multiplies the index by |alpha_i| < 1.
func decompose(gens [][]lp.Int, sign int, w *lp.Work) []cone {
	d := len(gens)
	m := make([][]lp.Int, d)
	for i := range m {
		m[i] = make([]lp.Int, d)
		for j := range d {
			m[i][j] = gens[j][i]
		}
	}
	adj, det := lp.Adjugate(m, w)
	if det.IsUnit() {
		return []cone{{sign: sign, gens: gens}}
	}
	alpha := shortest(adj, det, w) // times det
	v := make([]lp.Int, d)
	for j := range d {
		if !alpha[j].IsZero() {
			lp.Row(v).Combine(lp.NewInt(1), alpha[j], gens[j])
		}
	}
	lp.Row(v).Divide(det)
	var out []cone
	for j := range d {
		s := alpha[j].Sign() * det.Sign()
		if s == 0 {
			continue
		}
		part := append([][]lp.Int(nil), gens...)
		part[j] = v
		out = append(out, decompose(part, sign*s, w)...)
	}
	return out
}

// shortest finds a vector of the lattice of the columns of adj, which holds det
// alpha for the integer vectors, whose largest entry is less than |det|, and which
// is not negative altogether.
func shortest(adj [][]lp.Int, det lp.Int, w *lp.Work) []lp.Int {
	d := len(adj)
	basis := make([][]lp.Int, d)
	for j := range basis {
		basis[j] = make([]lp.Int, d)
		for i := range d {
			basis[j][i] = adj[i][j]
		}
	}
	reduceBasis(basis, w)
	best, size := []lp.Int(nil), lp.Int{}
	try := func(v []lp.Int) {
		var most lp.Int
		for _, x := range v {
			if a := x.Abs(); a.Cmp(most) > 0 {
				most = a
			}
		}
		if !most.IsZero() && (best == nil || most.Cmp(size) < 0) {
			best, size = append([]lp.Int(nil), v...), most
		}
	}
	for i, b := range basis {
		try(b)
		for _, c := range basis[:i] {
			for _, s := range []int64{1, -1} {
				v := append([]lp.Int(nil), b...)
				lp.Row(v).Combine(lp.NewInt(1), lp.NewInt(s), c)
				try(v)
			}
		}
	}
	positive := false
	for _, x := range best {
		positive = positive || x.Sign()*det.Sign() > 0
	}
	if !positive {
		lp.Row(best).Negate()
	}
	return best
}

// reduceBasis is the algorithm of Lenstra, Lenstra and Lovasz with exact rationals.
func reduceBasis(b [][]lp.Int, w *lp.Work) {
	n := len(b)
	inner := func(x []lp.Int, y []lp.Rat) lp.Rat {
		s := lp.Rat{Den: lp.NewInt(1)}
		for i := range x {
			s = s.Add(lp.Rat{Num: x[i], Den: lp.NewInt(1)}.Mul(y[i]))
		}
		return s
	}
	star := make([][]lp.Rat, n)
	norm := make([]lp.Rat, n)
	mu := make([][]lp.Rat, n)
	orthogonal := func() {
		for i := range n {
			w.Step(n * n)
			star[i], mu[i] = make([]lp.Rat, len(b[i])), make([]lp.Rat, n)
			for k, x := range b[i] {
				star[i][k] = lp.Rat{Num: x, Den: lp.NewInt(1)}
			}
			for j := range i {
				mu[i][j] = inner(b[i], star[j]).Mul(lp.Rat{Num: norm[j].Den, Den: norm[j].Num})
				for k := range star[i] {
					star[i][k] = star[i][k].Add(mu[i][j].Mul(star[j][k]).Neg())
				}
			}
			norm[i] = lp.Rat{Den: lp.NewInt(1)}
			for _, x := range star[i] {
				norm[i] = norm[i].Add(x.Mul(x))
			}
		}
	}
	orthogonal()
	half := lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(2)}
	for k := 1; k < n; {
		for j := k - 1; j >= 0; j-- {
			if q := mu[k][j].Add(half).Floor(); !q.IsZero() {
				lp.Row(b[k]).Combine(lp.NewInt(1), q.Neg(), b[j])
				orthogonal()
			}
		}
		bound := norm[k-1].Mul(lp.Rat{Num: lp.NewInt(3), Den: lp.NewInt(4)}.Add(mu[k][k-1].Mul(mu[k][k-1]).Neg()))
		if norm[k].Cmp(bound) >= 0 {
			k++
			continue
		}
		b[k], b[k-1] = b[k-1], b[k]
		orthogonal()
		k = max(k-1, 1)
	}
}

// count adds up the cones of a vertex; read writes an affine function of the
// family's parameters by atoms. With x = exp(s l) for a direction l that is
// orthogonal to no generator, the constant term in s of x^start / prod (1 - x^gen).
func (t vertexTerm) count(dir []lp.Int, at *Atoms, read func(lp.Row) lp.Row, w *lp.Work) Poly {
	sum := Poly{}
	for _, c := range t.cones {
		d := len(c.gens)
		b := make([]lp.Int, d)
		exponent := make(lp.Row, 1+at.len())
		prod := lp.NewInt(1)
		for j, g := range c.gens {
			b[j] = lp.Dot(g, dir)
			prod = prod.Mul(b[j])
			s := c.start[j].value(at, read)
			exponent = exponent.Grown(1 + at.len() - len(exponent))
			exponent.Combine(lp.NewInt(1), b[j], s)
		}
		td := todd(b)
		power, fact := Poly{"": {Num: lp.NewInt(1), Den: lp.NewInt(1)}}, lp.NewInt(1)
		a := linear(exponent)
		front := lp.NewRat(lp.NewInt(int64(c.sign)), prod)
		if d%2 == 1 {
			front = front.Neg()
		}
		for k := range d + 1 {
			if k > 0 {
				power, fact = power.mul(a, w), fact.Mul(lp.NewInt(int64(k)))
			}
			sum.add(power, front.Mul(td[d-k]).Mul(lp.NewRat(lp.NewInt(1), fact)))
		}
	}
	return sum
}

// value is the corner as an affine function of atoms.
func (c corner) value(at *Atoms, read func(lp.Row) lp.Row) lp.Row {
	num := read(c.num)
	if c.next {
		r := at.floor(num, c.den)
		r[0] = r[0].Add(lp.NewInt(1))
		return r
	}
	r := at.floor(num.Negated(), c.den) // ceil(x) = -floor(-x)
	r.Negate()
	return r
}

// direction is one, of all cones, that is orthogonal to no generator: the poles of
// the cones cancel along a common one only.
func direction(terms []vertexTerm, d int) []lp.Int {
	rnd := rand.New(rand.NewPCG(1, 2))
	good := func(l []lp.Int) bool {
		for _, t := range terms {
			for _, c := range t.cones {
				for _, g := range c.gens {
					if lp.Dot(g, l).IsZero() {
						return false
					}
				}
			}
		}
		return true
	}
	for size := int64(2); ; size++ {
		l := make([]lp.Int, d)
		for i := range l {
			l[i] = lp.NewInt(rnd.Int64N(2*size+1) - size)
		}
		if good(l) {
			return l
		}
	}
}

// todd lists td_k, homogeneous of degree k in b, with
// 1 / prod (1 - exp(b_j s)) = (-1)^d / (s^d prod b_j) sum_k td_k s^k.
func todd(b []lp.Int) []lp.Rat {
	d := len(b)
	out := make([]lp.Rat, d+1)
	for i := range out {
		out[i] = lp.Rat{Den: lp.NewInt(1)}
	}
	out[0] = lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(1)}
	coef := bernoulli(d) // of x / (e^x - 1)
	for _, x := range b {
		next := make([]lp.Rat, d+1)
		for i := range next {
			next[i] = lp.Rat{Den: lp.NewInt(1)}
		}
		power := lp.NewInt(1)
		for k := range d + 1 {
			for i := 0; i+k <= d; i++ {
				next[i+k] = next[i+k].Add(out[i].Mul(coef[k]).Mul(lp.Rat{Num: power, Den: lp.NewInt(1)}))
			}
			power = power.Mul(x)
		}
		out = next
	}
	return out
}

// bernoulli lists the coefficients B_k / k! of x / (e^x - 1) up to degree n.
func bernoulli(n int) []lp.Rat {
	out := make([]lp.Rat, n+1)
	for k := range out { // sum_j c_j / (k - j + 1)! = [k = 0]
		s := lp.Rat{Den: lp.NewInt(1)}
		if k == 0 {
			s = lp.Rat{Num: lp.NewInt(1), Den: lp.NewInt(1)}
		}
		fact := lp.NewInt(1)
		for j := k - 1; j >= 0; j-- {
			fact = fact.Mul(lp.NewInt(int64(k - j + 1)))
			s = s.Add(out[j].Mul(lp.NewRat(lp.NewInt(-1), fact)))
		}
		out[k] = s
	}
	return out
}
