package lp

// Lattice solves equations over n integer variables: the solutions are base +
// gens y for integer y. ok is false if there are none. It is the column style
// Hermite normal form of Schrijver, Theory of Linear and Integer Programming, 4.1.
func Lattice(eqs []Row, n int) (base []Int, gens [][]Int, ok bool) {
	u := make([][]Int, n) // columns of a unimodular matrix
	for i := range u {
		u[i] = make([]Int, n)
		u[i][i] = Int{v: 1}
	}
	base = make([]Int, n)
	for _, e := range eqs {
		k := e[0] // what the equation says of the coordinates that are left
		at := make([]Int, len(u))
		for i := range n {
			if x := e[1+i]; !x.IsZero() {
				k = k.Add(x.Mul(base[i]))
			}
		}
		for j := range u {
			at[j] = Dot(e[1:], u[j])
		}
		p := Euclid(at, u)
		if p < 0 {
			if !k.IsZero() {
				return nil, nil, false
			}
			continue
		}
		if !at[p].Divides(k) {
			return nil, nil, false
		}
		y := k.Quo(at[p]).Neg()
		for i := range n {
			base[i] = base[i].Add(y.Mul(u[p][i]))
		}
		u = append(u[:p], u[p+1:]...)
	}
	return base, u, true
}

// Dot is the product of a row and a vector, which may be shorter.
func Dot(r Row, v []Int) Int {
	var s Int
	for i := range v {
		if !r[i].IsZero() && !v[i].IsZero() {
			s = s.Add(r[i].Mul(v[i]))
		}
	}
	return s
}

// Euclid makes all entries of at but one zero by column operations that it does on
// u alike, and returns that one, or -1.
func Euclid(at []Int, u [][]Int) int {
	for {
		p, more := -1, false
		for j, x := range at {
			if x.IsZero() {
				continue
			}
			more = more || p >= 0
			if p < 0 || x.Abs().Cmp(at[p].Abs()) < 0 {
				p = j
			}
		}
		if !more {
			return p
		}
		for j, x := range at {
			if j == p || x.IsZero() {
				continue
			}
			q := x.FloorDiv(at[p])
			at[j] = x.Sub(q.Mul(at[p]))
			Row(u[j]).Combine(Int{v: 1}, q.Neg(), u[p])
		}
	}
}

// Pull writes an affine expression over x = base + gens y by y.
func Pull(r Row, base []Int, gens [][]Int) Row {
	out := make(Row, 1+len(gens))
	out[0] = r[0].Add(Dot(r[1:], base))
	for j, g := range gens {
		out[1+j] = Dot(r[1:], g)
	}
	return out
}

// Point maps y back to x.
func Point(base []Int, gens [][]Int, y []Int) []Int {
	out := append([]Int(nil), base...)
	for j, g := range gens {
		if !y[j].IsZero() {
			Row(out).Combine(Int{v: 1}, y[j], g)
		}
	}
	return out
}
