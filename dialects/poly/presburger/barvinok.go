package presburger

import "math/rand/v2"

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
	rows  []row
}

// A vertexTerm is what one vertex adds to the count where the vertex exists.
type vertexTerm struct {
	domain []row // over 1 + parameters, at least 0
	cones  []cone
}

// cone is unimodular: sign, and for each generator the first multiple of it that is
// in the cone, floor((num) / den) + 1 or ceil: num is over 1 + parameters.
type cone struct {
	sign  int
	gens  [][]Int
	start []corner
}

type corner struct {
	num  row
	den  Int
	next bool // floor + 1, else ceil
}

// vertices lists the vertices, each a choice of d rows with an independent left side.
func (f *family) vertices(w *work, yield func(vertexTerm)) {
	chosen := make([]int, 0, f.d)
	var choose func(from int)
	choose = func(from int) {
		w.step(f.d)
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
func (f *family) vertex(chosen []int, w *work) (t vertexTerm, ok bool) {
	a := make([][]Int, f.d) // left sides, as rows
	for i, k := range chosen {
		a[i] = f.rows[k][1+f.np:]
	}
	adj, det := adjugate(a, w)
	if det.isZero() {
		return t, false
	}
	if det.Sign() < 0 {
		for _, r := range adj {
			row(r).negate()
		}
		det = det.Neg()
	}
	// y_i det = sum_k adj[i][k] (-rest_k - eps_k)
	y := make([]row, f.d)
	for i := range y {
		y[i] = make(row, 1+f.np)
		for k, c := range chosen {
			if !adj[i][k].isZero() {
				y[i].combine(Int{v: 1}, adj[i][k].Neg(), f.rows[c][:1+f.np])
			}
		}
	}
	for k, r := range f.rows {
		if !contains(chosen, k) && !t.admit(f, r, k, chosen, adj, det, y) {
			return t, false
		}
	}
	gens := make([][]Int, f.d)
	for j := range gens { // columns of adj: rays along which all chosen rows but one stay 0
		gens[j] = make([]Int, f.d)
		for i := range f.d {
			gens[j][i] = adj[i][j]
		}
		if g := row(gens[j]).content(0); !g.isOne() {
			row(gens[j]).divide(g)
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
func (t *vertexTerm) admit(f *family, r row, k int, chosen []int, adj [][]Int, det Int, y []row) bool {
	v := r[:1+f.np].clone()
	for i := range v {
		v[i] = v[i].Mul(det)
	}
	eps := make([]Int, len(chosen)) // coefficients of the infinitesimals, times det
	for i := range f.d {
		x := r[1+f.np+i]
		if x.isZero() {
			continue
		}
		v.combine(Int{v: 1}, x, y[i])
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
		v[0] = v[0].Sub(Int{v: 1})
	}
	drop, bad := normalizeGe(v)
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
func (c *cone) corners(chosen []int, adj [][]Int, det Int, y []row, w *work) {
	d := len(c.gens)
	m := make([][]Int, d)
	for i := range m {
		m[i] = make([]Int, d)
		for j := range d {
			m[i][j] = c.gens[j][i]
		}
	}
	inv, unit := adjugate(m, w) // unit is 1 or -1
	for j := range d {
		num := make(row, len(y[0]))
		eps := make([]Int, d)
		for i := range d {
			x := inv[j][i].Mul(unit)
			if x.isZero() {
				continue
			}
			num.combine(Int{v: 1}, x, y[i])
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

// adjugate returns adj and det with m adj = det by the Faddeev-LeVerrier recursion.
func adjugate(m [][]Int, w *work) (adj [][]Int, det Int) {
	n := len(m)
	w.step(n * n * n * n)
	identity := func(x Int) [][]Int {
		out := make([][]Int, n)
		for i := range out {
			out[i] = make([]Int, n)
			out[i][i] = x
		}
		return out
	}
	b := identity(Int{v: 1}) // M_1
	for k := 1; ; k++ {
		ab := multiply(m, b)
		var trace Int
		for i := range n {
			trace = trace.Add(ab[i][i])
		}
		c := trace.Neg().quo(Int{v: int64(k)})
		if k == n {
			if n%2 == 0 {
				for _, r := range b {
					row(r).negate()
				}
				return b, c
			}
			return b, c.Neg()
		}
		b = ab
		for i := range n {
			b[i][i] = b[i][i].Add(c)
		}
	}
}

func multiply(a, b [][]Int) [][]Int {
	n := len(a)
	out := make([][]Int, n)
	for i := range out {
		out[i] = make([]Int, len(b[0]))
		for k, x := range a[i] {
			if !x.isZero() {
				row(out[i]).combine(Int{v: 1}, x, b[k])
			}
		}
	}
	return out
}

// decompose writes a simplicial cone as signed unimodular ones, up to cones of
// lower dimension: a short vector w = sum alpha_i gens_i takes the place of each
// generator, which multiplies the index by |alpha_i| < 1.
func decompose(gens [][]Int, sign int, w *work) []cone {
	d := len(gens)
	m := make([][]Int, d)
	for i := range m {
		m[i] = make([]Int, d)
		for j := range d {
			m[i][j] = gens[j][i]
		}
	}
	adj, det := adjugate(m, w)
	if det.isUnit() {
		return []cone{{sign: sign, gens: gens}}
	}
	alpha := shortest(adj, det, w) // times det
	v := make([]Int, d)
	for j := range d {
		if !alpha[j].isZero() {
			row(v).combine(Int{v: 1}, alpha[j], gens[j])
		}
	}
	row(v).divide(det)
	var out []cone
	for j := range d {
		s := alpha[j].Sign() * det.Sign()
		if s == 0 {
			continue
		}
		part := append([][]Int(nil), gens...)
		part[j] = v
		out = append(out, decompose(part, sign*s, w)...)
	}
	return out
}

// shortest finds a vector of the lattice of the columns of adj, which holds det
// alpha for the integer vectors, whose largest entry is less than |det|, and which
// is not negative altogether.
func shortest(adj [][]Int, det Int, w *work) []Int {
	d := len(adj)
	basis := make([][]Int, d)
	for j := range basis {
		basis[j] = make([]Int, d)
		for i := range d {
			basis[j][i] = adj[i][j]
		}
	}
	reduceBasis(basis, w)
	best, size := []Int(nil), Int{}
	try := func(v []Int) {
		var most Int
		for _, x := range v {
			if a := x.Abs(); a.Cmp(most) > 0 {
				most = a
			}
		}
		if !most.isZero() && (best == nil || most.Cmp(size) < 0) {
			best, size = append([]Int(nil), v...), most
		}
	}
	for i, b := range basis {
		try(b)
		for _, c := range basis[:i] {
			for _, s := range []int64{1, -1} {
				v := append([]Int(nil), b...)
				row(v).combine(Int{v: 1}, Int{v: s}, c)
				try(v)
			}
		}
	}
	positive := false
	for _, x := range best {
		positive = positive || x.Sign()*det.Sign() > 0
	}
	if !positive {
		row(best).negate()
	}
	return best
}

// reduceBasis is the algorithm of Lenstra, Lenstra and Lovasz with exact rationals.
func reduceBasis(b [][]Int, w *work) {
	n := len(b)
	inner := func(x []Int, y []Rat) Rat {
		s := Rat{Den: Int{v: 1}}
		for i := range x {
			s = s.Add(Rat{x[i], Int{v: 1}}.Mul(y[i]))
		}
		return s
	}
	star := make([][]Rat, n)
	norm := make([]Rat, n)
	mu := make([][]Rat, n)
	orthogonal := func() {
		for i := range n {
			w.step(n * n)
			star[i], mu[i] = make([]Rat, len(b[i])), make([]Rat, n)
			for k, x := range b[i] {
				star[i][k] = Rat{x, Int{v: 1}}
			}
			for j := range i {
				mu[i][j] = inner(b[i], star[j]).Mul(Rat{norm[j].Den, norm[j].Num})
				for k := range star[i] {
					star[i][k] = star[i][k].Add(mu[i][j].Mul(star[j][k]).Neg())
				}
			}
			norm[i] = Rat{Den: Int{v: 1}}
			for _, x := range star[i] {
				norm[i] = norm[i].Add(x.Mul(x))
			}
		}
	}
	orthogonal()
	half := Rat{Int{v: 1}, Int{v: 2}}
	for k := 1; k < n; {
		for j := k - 1; j >= 0; j-- {
			if q := mu[k][j].Add(half).Floor(); !q.isZero() {
				row(b[k]).combine(Int{v: 1}, q.Neg(), b[j])
				orthogonal()
			}
		}
		bound := norm[k-1].Mul(Rat{Int{v: 3}, Int{v: 4}}.Add(mu[k][k-1].Mul(mu[k][k-1]).Neg()))
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
func (t vertexTerm) count(dir []Int, at *atoms, read func(row) row, w *work) poly {
	sum := poly{}
	for _, c := range t.cones {
		d := len(c.gens)
		b := make([]Int, d)
		exponent := make(row, 1+at.len())
		prod := Int{v: 1}
		for j, g := range c.gens {
			b[j] = dot(g, dir)
			prod = prod.Mul(b[j])
			s := c.start[j].value(at, read)
			exponent = exponent.grown(1 + at.len() - len(exponent))
			exponent.combine(Int{v: 1}, b[j], s)
		}
		td := todd(b)
		power, fact := poly{"": {Int{v: 1}, Int{v: 1}}}, Int{v: 1}
		a := linear(exponent)
		front := rat(Int{v: int64(c.sign)}, prod)
		if d%2 == 1 {
			front = front.Neg()
		}
		for k := range d + 1 {
			if k > 0 {
				power, fact = power.mul(a, w), fact.Mul(Int{v: int64(k)})
			}
			sum.add(power, front.Mul(td[d-k]).Mul(rat(Int{v: 1}, fact)))
		}
	}
	return sum
}

// value is the corner as an affine function of atoms.
func (c corner) value(at *atoms, read func(row) row) row {
	num := read(c.num)
	if c.next {
		r := at.floor(num, c.den)
		r[0] = r[0].Add(Int{v: 1})
		return r
	}
	r := at.floor(num.negated(), c.den) // ceil(x) = -floor(-x)
	r.negate()
	return r
}

// direction is one, of all cones, that is orthogonal to no generator: the poles of
// the cones cancel along a common one only.
func direction(terms []vertexTerm, d int) []Int {
	rnd := rand.New(rand.NewPCG(1, 2))
	good := func(l []Int) bool {
		for _, t := range terms {
			for _, c := range t.cones {
				for _, g := range c.gens {
					if dot(g, l).isZero() {
						return false
					}
				}
			}
		}
		return true
	}
	for size := int64(2); ; size++ {
		l := make([]Int, d)
		for i := range l {
			l[i] = Int{v: rnd.Int64N(2*size+1) - size}
		}
		if good(l) {
			return l
		}
	}
}

// todd lists td_k, homogeneous of degree k in b, with
// 1 / prod (1 - exp(b_j s)) = (-1)^d / (s^d prod b_j) sum_k td_k s^k.
func todd(b []Int) []Rat {
	d := len(b)
	out := make([]Rat, d+1)
	for i := range out {
		out[i] = Rat{Den: Int{v: 1}}
	}
	out[0] = Rat{Int{v: 1}, Int{v: 1}}
	coef := bernoulli(d) // of x / (e^x - 1)
	for _, x := range b {
		next := make([]Rat, d+1)
		for i := range next {
			next[i] = Rat{Den: Int{v: 1}}
		}
		power := Int{v: 1}
		for k := range d + 1 {
			for i := 0; i+k <= d; i++ {
				next[i+k] = next[i+k].Add(out[i].Mul(coef[k]).Mul(Rat{power, Int{v: 1}}))
			}
			power = power.Mul(x)
		}
		out = next
	}
	return out
}

// bernoulli lists the coefficients B_k / k! of x / (e^x - 1) up to degree n.
func bernoulli(n int) []Rat {
	out := make([]Rat, n+1)
	for k := range out { // sum_j c_j / (k - j + 1)! = [k = 0]
		s := Rat{Den: Int{v: 1}}
		if k == 0 {
			s = Rat{Int{v: 1}, Int{v: 1}}
		}
		fact := Int{v: 1}
		for j := k - 1; j >= 0; j-- {
			fact = fact.Mul(Int{v: int64(k - j + 1)})
			s = s.Add(out[j].Mul(rat(Int{v: -1}, fact)))
		}
		out[k] = s
	}
	return out
}
