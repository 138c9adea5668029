package presburger

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
		p := euclid(at, rest)
		if p < 0 {
			continue
		}
		pivot := rest[p]
		if pivot[c].Sign() < 0 {
			row(pivot).negate()
		}
		for _, r := range out {
			if q := r[c].FloorDiv(pivot[c]); !q.isZero() {
				row(r).combine(Int{v: 1}, q.Neg(), pivot)
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
	s := &smith{a: make([][]Int, rows), u: identityMatrix(rows), vt: identityMatrix(cols)}
	for i := range m {
		s.a[i] = slices.Clone(m[i])
	}
	for k := range min(rows, cols) {
		if !s.corner(k) {
			break
		}
		d = append(d, s.a[k][k])
	}
	v = identityMatrix(cols)
	for i := range cols {
		for j := range cols {
			v[i][j] = s.vt[j][i]
		}
	}
	return d, s.u, v
}

func identityMatrix(n int) [][]Int {
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
	row(s.a[to]).combine(Int{v: 1}, x, s.a[from])
	row(s.u[to]).combine(Int{v: 1}, x, s.u[from])
}

func (s *smith) addCol(to, from int, x Int) {
	for _, r := range s.a {
		r[to] = r[to].Add(x.Mul(r[from]))
	}
	row(s.vt[to]).combine(Int{v: 1}, x, s.vt[from])
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
			row(s.a[k]).negate()
			row(s.u[k]).negate()
		}
		x, clean := s.a[k][k], true
		for i := k + 1; i < len(s.a); i++ {
			if y := s.a[i][k].FloorDiv(x); !y.isZero() {
				s.addRow(i, k, y.Neg())
			}
			clean = clean && s.a[i][k].isZero()
		}
		for j := k + 1; j < len(s.vt); j++ {
			if y := s.a[k][j].FloorDiv(x); !y.isZero() {
				s.addCol(j, k, y.Neg())
			}
			clean = clean && s.a[k][j].isZero()
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
			if x := s.a[i][j]; !x.isZero() && (p < 0 || x.Abs().Cmp(s.a[p][q].Abs()) < 0) {
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
			if !x.divides(s.a[i][j]) {
				return i
			}
		}
	}
	return -1
}

// kernel is the basis, in Hermite normal form, of the integer solutions of
// homogeneous equations over n variables (rows with a constant, which does not count),
// of which the first k components are kept.
func kernel(eqs []row, n, k int) [][]Int {
	hom := make([]row, len(eqs))
	for i, r := range eqs {
		hom[i] = r.clone()
		hom[i][0] = Int{}
	}
	_, gens, _ := lattice(hom, n)
	for i := range gens {
		gens[i] = gens[i][:k]
	}
	return HermiteNormalForm(gens)
}

// meetLattices is the intersection of two lattices of vectors of length n.
func meetLattices(a, b [][]Int, n int) [][]Int {
	k := len(a) + len(b)
	var eqs []row
	for c := range n { // sum x_i a_i - sum y_j b_j = 0
		r := make(row, 1+k)
		for i := range a {
			r[1+i] = a[i][c]
		}
		for j := range b {
			r[1+len(a)+j] = b[j][c].Neg()
		}
		eqs = append(eqs, r)
	}
	var out [][]Int
	for _, x := range kernel(eqs, k, k) {
		v := make([]Int, n)
		for i := range a {
			row(v).combine(Int{v: 1}, x[i], a[i])
		}
		out = append(out, v)
	}
	return HermiteNormalForm(out)
}
