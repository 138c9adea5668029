package presburger

// Orthogonal returns the integer vectors of length n that are orthogonal to rows: a basis in
// Hermite normal form. Of the orthogonal vectors it is all integer vectors in the span of the rows.
func Orthogonal(rows [][]Int, n int) [][]Int {
	eqs := make([]row, len(rows))
	for i, r := range rows {
		eqs[i] = append(make(row, 1, 1+n), r...)
	}
	return kernel(eqs, n, n)
}

// MeetLattices returns the vectors of length n that are in both of two lattices, as a basis in
// Hermite normal form.
func MeetLattices(a, b [][]Int, n int) [][]Int { return meetLattices(a, b, n) }
