package sparse

import "slices"

// A Pattern says which entries of a matrix may be other than 0.
type Pattern struct {
	Columns int
	Rows    [][]int32 // the columns of each row, ascending
}

// Entries is the number of those that may be other than 0.
func (p *Pattern) Entries() (n int) {
	for _, r := range p.Rows {
		n += len(r)
	}
	return n
}

// Symmetric is the pattern with each entry on both sides of the diagonal, of a matrix with as many rows as columns.
func (p *Pattern) Symmetric() *Pattern {
	out := &Pattern{Columns: p.Columns, Rows: make([][]int32, len(p.Rows))}
	for i, r := range p.Rows {
		out.Rows[i] = append(out.Rows[i], r...)
		for _, j := range r {
			out.Rows[j] = append(out.Rows[j], int32(i))
		}
	}
	for i, r := range out.Rows {
		slices.Sort(r)
		out.Rows[i] = slices.Compact(r)
	}
	return out
}

// byColumn lists the rows of each column that are not left out.
func (p *Pattern) byColumn(leftOut func(row int) bool) [][]int32 {
	out := make([][]int32, p.Columns)
	for i, r := range p.Rows {
		if leftOut(i) {
			continue
		}
		for _, j := range r {
			out[j] = append(out[j], int32(i))
		}
	}
	return out
}
