package depend

import "math"

// A system is a conjunction over integer variables: eq = 0 and ge >= 0, and the
// distances, whose signs are asked for. Rows, of width entries with the constant
// first, follow each other in one slice each. Entries stay within limit, so that no
// sum of two products overflows; what would go beyond sets big.
type system struct {
	width   int
	params  int       // variables 1 to params are parameters
	mixed   columnSet // columns whose variable was replaced by a combination
	eq, ge  []int64
	dist    []int64
	big     bool
	scratch []int64
}

// limit of a coefficient: products of two do not overflow.
const limit = math.MaxInt32

// reset empties s for rows of a width.
func (s *system) reset(width, params int) {
	s.width, s.params, s.mixed, s.big = width, params, 0, false
	s.eq, s.ge, s.dist = s.eq[:0], s.ge[:0], s.dist[:0]
}

// copyFrom makes s the same as t, with buffers of its own.
func (s *system) copyFrom(t *system) {
	s.width, s.params, s.mixed, s.big = t.width, t.params, t.mixed, t.big
	s.eq, s.ge, s.dist = append(s.eq[:0], t.eq...), append(s.ge[:0], t.ge...), append(s.dist[:0], t.dist...)
}

// newRow appends a row of zeros.
func newRow(rows *[]int64, width int) []int64 {
	n := len(*rows)
	for range width {
		*rows = append(*rows, 0)
	}
	return (*rows)[n:]
}

func (s *system) row(rows []int64, i int) []int64 { return rows[i*s.width : (i+1)*s.width] }

// An answer tells whether there is an integer point.
type answer uint8

const (
	unknown answer = iota
	none
	some
)

func gcd(a, b int64) int64 {
	if a < 0 {
		a = -a
	}
	if b < 0 {
		b = -b
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// content is the greatest common divisor of the coefficients.
func content(r []int64) (g int64) {
	r = r[1:]
	for _, x := range r {
		if x == 1 || x == -1 {
			return 1
		}
	}
	for _, x := range r {
		if x != 0 {
			if g = gcd(g, x); g == 1 {
				return 1
			}
		}
	}
	return g
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// addScaled makes r += k t; big says that an entry left the limit.
func (s *system) addScaled(r []int64, k int64, t []int64) {
	if k > limit || k < -limit {
		s.big = true
		return
	}
	for i, x := range t {
		if x != 0 {
			v := r[i] + k*x
			r[i] = v
			if v > limit || v < -limit {
				s.big = true
			}
		}
	}
}

// solve uses up the equations: each gives a variable as an integer combination of
// others, after a change of variables where no coefficient is one, and is put into
// all rows. An equation that no integers solve makes it none (the GCD test).
func (s *system) solve() answer {
	for len(s.eq) > 0 && !s.big {
		e := s.row(s.eq, len(s.eq)/s.width-1)
		g := content(e)
		if g == 0 {
			if e[0] != 0 {
				return none
			}
			s.eq = s.eq[:len(s.eq)-s.width]
			continue
		}
		if g > 1 {
			if e[0]%g != 0 {
				return none
			}
			for i := range e {
				e[i] /= g
			}
		}
		col := s.pivot(e)
		for e[col] != 1 && e[col] != -1 {
			s.reduce(e, col)
			if col = s.pivot(e); s.big {
				return unknown
			}
		}
		s.scratch = append(s.scratch[:0], e...)
		s.eq = s.eq[:len(s.eq)-s.width]
		s.substitute(s.scratch, col)
	}
	if s.big {
		return unknown
	}
	return some
}

// pivot is the column of the least coefficient that is not 0, of a parameter only
// where no other has it.
func (s *system) pivot(e []int64) int {
	best, least := 0, int64(0)
	for i := len(e) - 1; i > 0; i-- {
		x := e[i]
		if x < 0 {
			x = -x
		}
		if x != 0 && (best == 0 || x < least) {
			best, least = i, x
		}
	}
	return best
}

// reduce replaces the variable of a column by it and multiples of the others, so that
// the other coefficients of e become remainders.
func (s *system) reduce(e []int64, col int) {
	s.scratch = append(s.scratch[:0], e...)
	old := s.scratch
	if col <= s.params {
		s.mixed.add(col)
	}
	for _, rows := range [][]int64{s.eq, s.ge, s.dist} {
		for at := 0; at < len(rows); at += s.width {
			r := rows[at : at+s.width]
			k := r[col]
			if k == 0 {
				continue
			}
			for i := 1; i < s.width; i++ {
				if i == col || old[i] == 0 {
					continue
				}
				q := floorDiv(old[i], old[col])
				if v := r[i] - q*k; v > limit || v < -limit {
					s.big = true
					return
				} else {
					r[i] = v
				}
			}
		}
	}
}

// substitute solves e = 0 for a column whose coefficient is 1 or -1.
func (s *system) substitute(e []int64, col int) {
	unit := e[col]
	for _, rows := range [][]int64{s.eq, s.ge, s.dist} {
		for at := 0; at < len(rows); at += s.width {
			if k := rows[at+col]; k != 0 {
				s.addScaled(rows[at:at+s.width], -k*unit, e)
			}
		}
	}
}
