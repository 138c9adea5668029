package lp

// A Row is an affine expression over the variables of a conjunction: the
// constant, then a coefficient each.
type Row []Int

// Clone copies.
func (r Row) Clone() Row { return append(make(Row, 0, len(r)), r...) }

// Grown returns a copy with room for n more variables at the end.
func (r Row) Grown(n int) Row {
	out := make(Row, len(r)+n)
	copy(out, r)
	return out
}

// IsZero reports that all entries from index from on are 0.
func (r Row) IsZero(from int) bool {
	for i := from; i < len(r); i++ {
		if !r[i].IsZero() {
			return false
		}
	}
	return true
}

// Equal compares entries.
func (r Row) Equal(s Row) bool {
	for i := range r {
		if !r[i].Equal(s[i]) {
			return false
		}
	}
	return true
}

// Negate changes the sign of all entries.
func (r Row) Negate() {
	for i := range r {
		r[i] = r[i].Neg()
	}
}

// Negated is a new row.
func (r Row) Negated() Row {
	out := r.Clone()
	out.Negate()
	return out
}

// Divide divides by x, which divides every entry.
func (r Row) Divide(x Int) {
	if x.IsOne() {
		return
	}
	for i := range r {
		if !r[i].IsZero() {
			r[i] = r[i].Quo(x)
		}
	}
}

// small reports that a sum of two products of such numbers does not overflow.
func (x Int) small() bool { return x.b == nil && uint64(x.v+1<<30) < 1<<31 }

// Combine makes r = x r + y s.
func (r Row) Combine(x Int, y Int, s Row) {
	s = s[:len(r):len(s)]
	if !x.small() || !y.small() {
		for i := range r {
			r[i] = r[i].Mul(x).Add(s[i].Mul(y))
		}
		return
	}
	for i := range r {
		a, b := &r[i], &s[i]
		if a.small() && b.small() {
			a.v = x.v*a.v + y.v*b.v
			continue
		}
		*a = a.Mul(x).Add(b.Mul(y))
	}
}

// Content is the greatest common divisor of the entries from index from on.
func (r Row) Content(from int) Int {
	var g Int
	for i := from; i < len(r); i++ {
		if !r[i].IsZero() {
			if g = g.GCD(r[i]); g.IsOne() {
				return g
			}
		}
	}
	return g
}

// Eliminate makes entry c of r zero by adding a multiple of eq, whose entry c is
// not 0, after scaling r by a positive number. Where eq = 0 holds, r keeps its sign.
func (r Row) Eliminate(c int, eq Row) {
	if r[c].IsZero() {
		return
	}
	p, q := eq[c], r[c]
	if p.IsUnit() {
		r.Combine(Int{v: 1}, q.Mul(p).Neg(), eq)
		return
	}
	g := p.GCD(q)
	x, y := p.Quo(g), q.Quo(g).Neg()
	if x.Sign() < 0 {
		x, y = x.Neg(), y.Neg()
	}
	r.Combine(x, y, eq)
}

// Last is the index of the last entry that is not 0, or -1.
func (r Row) Last() int {
	for i := len(r) - 1; i >= 0; i-- {
		if !r[i].IsZero() {
			return i
		}
	}
	return -1
}

// Hash mixes the entries from index from on; it is the same for the opposite row.
func (r Row) Hash(from int) uint64 {
	h := uint64(0x9E3779B97F4A7C15)
	for i := from; i < len(r); i++ {
		x := r[i]
		v := uint64(max(x.v, -x.v))
		if x.b != nil {
			for _, w := range x.b.Bits() {
				v = v*31 + uint64(w)
			}
		}
		h = (h ^ v) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// Compare orders rows of one length by their entries from index from on.
func (r Row) Compare(s Row, from int) int {
	for i := from; i < len(r); i++ {
		if c := r[i].Cmp(s[i]); c != 0 {
			return c
		}
	}
	return 0
}

// CloneRows copies rows of one length into one block.
func CloneRows(rs []Row) []Row {
	if len(rs) == 0 {
		return nil
	}
	w := len(rs[0])
	block, out := make(Row, len(rs)*w), make([]Row, len(rs), len(rs)+4)
	for i, r := range rs {
		copy(block[i*w:], r)
		out[i] = block[i*w : (i+1)*w : (i+1)*w]
	}
	return out
}

// First is the index of the first coefficient that is not 0.
func (r Row) First() int {
	for i := 1; i < len(r); i++ {
		if !r[i].IsZero() {
			return i
		}
	}
	return 0
}

// Scale multiplies in place.
func (r Row) Scale(x Int) {
	if x.IsOne() {
		return
	}
	for i := range r {
		if !r[i].IsZero() {
			r[i] = r[i].Mul(x)
		}
	}
}

// Parallel is 1 for rows with equal coefficients, -1 for opposite ones, else 0.
func Parallel(r, s Row) int {
	sign := 0
	for i := 1; i < len(r); i++ {
		a, b := r[i], s[i]
		if a.b == nil && b.b == nil {
			if a.v == 0 && b.v == 0 {
				continue
			}
			switch {
			case a.v == b.v && sign >= 0:
				sign = 1
			case a.v == -b.v && sign <= 0:
				sign = -1
			default:
				return 0
			}
			continue
		}
		switch {
		case a.Equal(b) && sign >= 0:
			sign = 1
		case a.Equal(b.Neg()) && sign <= 0:
			sign = -1
		default:
			return 0
		}
	}
	return sign
}
