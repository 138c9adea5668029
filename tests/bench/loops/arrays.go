package loops

import "fmt"

// Points is two columns, x and y, of numbers in [-1, 1).
func Points(rows int) *Table {
	x, y := make([]float64, rows), make([]float64, rows)
	xs, ys := newDraw("x"), newDraw("y")
	for i := range rows {
		x[i], y[i] = 2*xs.unit(i)-1, 2*ys.unit(i)-1
	}
	return &Table{Name: "points", Rows: rows, Columns: []Column{{"x", x}, {"y", y}}}
}

// Groups are the numbers of keys of Rows.
var Groups = []int{10, 10_000, 1_000_000}

// Rows is a column v of numbers in [0, 100) and keys to group it by, uniformly drawn from
// 1 to each of Groups: kN is the number and sN its name, of ten digits, or of three where
// there are few (as in the db-benchmark of H2O.ai).
func Rows(rows int) *Table {
	v, values := make([]float64, rows), newDraw("v")
	for i := range rows {
		v[i] = 100 * values.unit(i)
	}
	t := &Table{Name: "rows", Rows: rows, Columns: []Column{{"v", v}}}
	for _, n := range Groups {
		format := "id%010d"
		if n < 1000 {
			format = "id%03d"
		}
		numbers, names := make([]int64, rows), Strings{Offsets: make([]int64, 1, rows+1)}
		keys := newDraw(fmt.Sprint("key", n))
		for i := range rows {
			k := keys.between(i, 1, n)
			numbers[i] = int64(k)
			names.Bytes = fmt.Appendf(names.Bytes, format, k)
			names.Offsets = append(names.Offsets, int64(len(names.Bytes)))
		}
		t.Columns = append(t.Columns, Column{fmt.Sprint("k", n), numbers}, Column{fmt.Sprint("s", n), names})
	}
	return t
}
