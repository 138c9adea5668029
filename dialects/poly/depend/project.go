package depend

// mostProjected is the number of rows up to which variables are eliminated before the
// search.
const mostProjected = 24

// project makes the distances variables in place of others and eliminates the rest as
// far as that is exact, so that the search for signs is over few variables; false is
// a contradiction. The equations are solved.
func (t *Tester) project(s *system) bool {
	np, loops := s.params, t.ask.loops
	for l := range loops {
		if s.big {
			return true
		}
		d := s.row(s.dist, l)
		if content(d[np+loops:]) == 0 {
			continue // a function of the parameters and the distances before it
		}
		r := newRow(&s.eq, s.width)
		for i, x := range d {
			r[i] = -x
		}
		r[1+np+l] = 1
		s.solve()
	}
	if s.big {
		return true
	}
	var keep columnSet
	for col := 1; col < s.width; col++ {
		for at := col; at < len(s.dist); at += s.width {
			if s.dist[at] != 0 {
				keep.add(col)
			}
		}
	}
	if !t.elim.project(&s.ge, s.width, keep, mostProjected) {
		return false
	}
	s.compact()
	return true
}

// A columnSet has the columns up to 63, and all or none of those beyond.
type columnSet uint64

func (c *columnSet) add(col int) { *c |= 1 << min(col, 63) }

func (c columnSet) has(col int) bool { return c>>min(col, 63)&1 != 0 }

// compact removes the columns that no row uses.
func (s *system) compact() {
	to := 1
	for col := 1; col < s.width; col++ {
		if !s.uses(col) {
			continue
		}
		if to < col {
			for _, rows := range [][]int64{s.ge, s.dist} {
				for at := 0; at < len(rows); at += s.width {
					rows[at+to] = rows[at+col]
				}
			}
		}
		to++
	}
	s.ge, s.dist = narrow(s.ge, s.width, to), narrow(s.dist, s.width, to)
	s.width, s.params = to, 0
}

func (s *system) uses(col int) bool {
	for _, rows := range [][]int64{s.ge, s.dist} {
		for at := col; at < len(rows); at += s.width {
			if rows[at] != 0 {
				return true
			}
		}
	}
	return false
}

// narrow keeps the first entries of each row.
func narrow(rows []int64, width, to int) []int64 {
	n := 0
	for at := 0; at < len(rows); at += width {
		copy(rows[n:n+to], rows[at:at+to])
		n += to
	}
	return rows[:n]
}
