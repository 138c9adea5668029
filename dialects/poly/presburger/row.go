package presburger

// A row is an affine expression over the variables of a conjunction: the
// constant, then a coefficient each.
type row []Int

func (r row) clone() row { return append(make(row, 0, len(r)), r...) }

// grown returns a copy with room for n more variables at the end.
func (r row) grown(n int) row {
	out := make(row, len(r)+n)
	copy(out, r)
	return out
}

// isZero reports that all entries from index from on are 0.
func (r row) isZero(from int) bool {
	for i := from; i < len(r); i++ {
		if !r[i].isZero() {
			return false
		}
	}
	return true
}

func (r row) equal(s row) bool {
	for i := range r {
		if !r[i].equal(s[i]) {
			return false
		}
	}
	return true
}

// negate changes the sign of all entries.
func (r row) negate() {
	for i := range r {
		r[i] = r[i].Neg()
	}
}

func (r row) negated() row {
	out := r.clone()
	out.negate()
	return out
}

// divide divides by x, which divides every entry.
func (r row) divide(x Int) {
	if x.isOne() {
		return
	}
	for i := range r {
		if !r[i].isZero() {
			r[i] = r[i].quo(x)
		}
	}
}

// small reports that a sum of two products of such numbers does not overflow.
func (x Int) small() bool { return x.b == nil && uint64(x.v+1<<30) < 1<<31 }

// combine makes r = x r + y s.
func (r row) combine(x Int, y Int, s row) {
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

// content is the greatest common divisor of the entries from index from on.
func (r row) content(from int) Int {
	var g Int
	for i := from; i < len(r); i++ {
		if !r[i].isZero() {
			if g = g.GCD(r[i]); g.isOne() {
				return g
			}
		}
	}
	return g
}

// eliminate makes entry c of r zero by adding a multiple of eq, whose entry c is
// not 0, after scaling r by a positive number. Where eq = 0 holds, r keeps its sign.
func (r row) eliminate(c int, eq row) {
	if r[c].isZero() {
		return
	}
	p, q := eq[c], r[c]
	if p.isUnit() {
		r.combine(Int{v: 1}, q.Mul(p).Neg(), eq)
		return
	}
	g := p.GCD(q)
	x, y := p.quo(g), q.quo(g).Neg()
	if x.Sign() < 0 {
		x, y = x.Neg(), y.Neg()
	}
	r.combine(x, y, eq)
}

// last is the index of the last entry that is not 0, or -1.
func (r row) last() int {
	for i := len(r) - 1; i >= 0; i-- {
		if !r[i].isZero() {
			return i
		}
	}
	return -1
}

// hash mixes the entries from index from on; it is the same for the opposite row.
func (r row) hash(from int) uint64 {
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

// compare orders rows of one length by their entries from index from on.
func (r row) compare(s row, from int) int {
	for i := from; i < len(r); i++ {
		if c := r[i].Cmp(s[i]); c != 0 {
			return c
		}
	}
	return 0
}
