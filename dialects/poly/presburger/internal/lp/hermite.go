package lp

import "slices"

// HermiteNormalForm returns the basis of the lattice that integer rows span, in row
// style Hermite normal form: echelon rows whose first entries, the pivots, are
// positive, with entries above a pivot at least 0 and less than it. It is the only
// one of its kind, so lattices are equal where it is (Cohen, "A Course in
// Computational Algebraic Number Theory", 2.4.2). The rows stay as they are.
func HermiteNormalForm(m [][]Int) [][]Int {
	rest := make([][]Int, len(m))
	for i, r := range m {
		rest[i] = slices.Clone(r)
	}
	var out [][]Int
	if len(m) == 0 {
		return nil
	}
	for c := range m[0] {
		at := make([]Int, len(rest))
		for i, r := range rest {
			at[i] = r[c]
		}
		p := Euclid(at, rest)
		if p < 0 {
			continue
		}
		pivot := rest[p]
		if pivot[c].Sign() < 0 {
			Row(pivot).Negate()
		}
		for _, r := range out {
			if q := r[c].FloorDiv(pivot[c]); !q.IsZero() {
				Row(r).Combine(Int{v: 1}, q.Neg(), pivot)
			}
		}
		out, rest = append(out, pivot), slices.Delete(rest, p, p+1)
	}
	return out
}

// SmithNormalForm returns unimodular u and v, and the d with u m v diagonal: d[i] is
// entry (i, i), positive as far as the rank of m goes, and divides d[i+1].
func SmithNormalForm(m [][]Int) (d []Int, u, v [][]Int) {
	if len(m) == 0 {
		return nil, nil, nil
	}
	rows, cols := len(m), len(m[0])
	s := &smith{a: make([][]Int, rows), u: IdentityMatrix(rows), vt: IdentityMatrix(cols)}
	for i := range m {
		s.a[i] = slices.Clone(m[i])
	}
	for k := range min(rows, cols) {
		if !s.corner(k) {
			break
		}
		d = append(d, s.a[k][k])
	}
	v = IdentityMatrix(cols)
	for i := range cols {
		for j := range cols {
			v[i][j] = s.vt[j][i]
		}
	}
	return d, s.u, v
}

// IdentityMatrix is a new one.
func IdentityMatrix(n int) [][]Int {
	out := make([][]Int, n)
	for i := range out {
		out[i] = make([]Int, n)
		out[i][i] = Int{v: 1}
	}
	return out
}

// smith keeps a = u m v while operations make a diagonal; vt is v transposed.
type smith struct{ a, u, vt [][]Int }

func (s *smith) addRow(to, from int, x Int) {
	Row(s.a[to]).Combine(Int{v: 1}, x, s.a[from])
	Row(s.u[to]).Combine(Int{v: 1}, x, s.u[from])
}

func (s *smith) addCol(to, from int, x Int) {
	for _, r := range s.a {
		r[to] = r[to].Add(x.Mul(r[from]))
	}
	Row(s.vt[to]).Combine(Int{v: 1}, x, s.vt[from])
}

// corner makes row and column k zero but for the diagonal, which divides all that is
// left; false if nothing is left.
func (s *smith) corner(k int) bool {
	for {
		p, q := s.smallest(k)
		if p < 0 {
			return false
		}
		s.a[k], s.a[p], s.u[k], s.u[p] = s.a[p], s.a[k], s.u[p], s.u[k]
		for _, r := range s.a {
			r[k], r[q] = r[q], r[k]
		}
		s.vt[k], s.vt[q] = s.vt[q], s.vt[k]
		if s.a[k][k].Sign() < 0 {
			Row(s.a[k]).Negate()
			Row(s.u[k]).Negate()
		}
		x, clean := s.a[k][k], true
		for i := k + 1; i < len(s.a); i++ {
			if y := s.a[i][k].FloorDiv(x); !y.IsZero() {
				s.addRow(i, k, y.Neg())
			}
			clean = clean && s.a[i][k].IsZero()
		}
		for j := k + 1; j < len(s.vt); j++ {
			if y := s.a[k][j].FloorDiv(x); !y.IsZero() {
				s.addCol(j, k, y.Neg())
			}
			clean = clean && s.a[k][j].IsZero()
		}
		if !clean {
			continue
		}
		i := s.undivided(k, x)
		if i < 0 {
			return true
		}
		s.addRow(k, i, Int{v: 1}) // brings a smaller entry into row k
	}
}

// smallest is the place of the entry with the least absolute value from (k, k) on.
func (s *smith) smallest(k int) (p, q int) {
	p = -1
	for i := k; i < len(s.a); i++ {
		for j := k; j < len(s.vt); j++ {
			if x := s.a[i][j]; !x.IsZero() && (p < 0 || x.Abs().Cmp(s.a[p][q].Abs()) < 0) {
				p, q = i, j
			}
		}
	}
	return p, q
}

// undivided is a row after k with an entry that x does not divide, or -1.
func (s *smith) undivided(k int, x Int) int {
	for i := k + 1; i < len(s.a); i++ {
		for j := k + 1; j < len(s.vt); j++ {
			if !x.Divides(s.a[i][j]) {
				return i
			}
		}
	}
	return -1
}

// Kernel is the basis, in Hermite normal form, of the integer solutions of homogeneous
// equations over n variables. Rows have a constant, which does not count; the first k
// components of solutions are kept.
func Kernel(eqs []Row, n, k int) [][]Int {
	hom := make([]Row, len(eqs))
	for i, r := range eqs {
		hom[i] = r.Clone()
		hom[i][0] = Int{}
	}
	_, gens, _ := Lattice(hom, n)
	for i := range gens {
		gens[i] = gens[i][:k]
	}
	return HermiteNormalForm(gens)
}

// MeetLattices is the intersection of two lattices of vectors of length n.
func MeetLattices(a, b [][]Int, n int) [][]Int {
	k := len(a) + len(b)
	var eqs []Row
	for c := range n { // sum x_i a_i - sum y_j b_j = 0
		r := make(Row, 1+k)
		for i := range a {
			r[1+i] = a[i][c]
		}
		for j := range b {
			r[1+len(a)+j] = b[j][c].Neg()
		}
		eqs = append(eqs, r)
	}
	var out [][]Int
	for _, x := range Kernel(eqs, k, k) {
		v := make([]Int, n)
		for i := range a {
			Row(v).Combine(Int{v: 1}, x[i], a[i])
		}
		out = append(out, v)
	}
	return HermiteNormalForm(out)
}

// Adjugate returns adj and det with m adj = det by the Faddeev-LeVerrier recursion.
func Adjugate(m [][]Int, w *Work) (adj [][]Int, det Int) {
	n := len(m)
	w.Step(n * n * n * n)
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
		c := trace.Neg().Quo(Int{v: int64(k)})
		if k == n {
			if n%2 == 0 {
				for _, r := range b {
					Row(r).Negate()
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
			if !x.IsZero() {
				Row(out[i]).Combine(Int{v: 1}, x, b[k])
			}
		}
	}
	return out
}
