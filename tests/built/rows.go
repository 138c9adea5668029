package built

import (
	"fmt"
	"strings"
)

// Rows is a random program whose rows are computed each by itself, in local arrays, but for statements at one row: its
// boundary, and what is copied out of it. times is a schedule of it, as a user would write one: the row, the place of the
// statement in the program, the column. What is at one row is at the time of that row: the first, the last or one in the
// middle; what copies out may be later. args are sizes, data and outputs.
func Rows(seed uint64) (text, times, args string) {
	r := &rows{Writer: NewWriter(seed, 31)}
	n, k := 1+r.IntN(6), 1+r.IntN(4)
	r.down = r.IntN(3) == 0
	r.WriteString("program p(N, K) : N >= 1 and K >= 1 {\n")
	r.Line("input m[N,K] : i64;")
	r.Line("output Y[N,K] : i64;")
	out := []string{Zeros(Made{"Y", []string{"N", "K"}}, n, k)}
	for range 1 + r.IntN(3) {
		if r.local() {
			out = append(out, "0")
		}
	}
	last := r.locals[len(r.locals)-1]
	r.each("Y[i,j] = "+last+"[i,"+r.column()+"]", "0 <= i < N", "0 <= j < K")
	for range r.IntN(3) {
		r.copied()
		out = append(out, "0")
	}
	r.WriteString("}\n")
	var data []string
	for range n {
		var row []string
		for range k {
			row = append(row, fmt.Sprint(r.IntN(20)-10))
		}
		data = append(data, "["+strings.Join(row, ",")+"]")
	}
	all := append([]string{fmt.Sprint(n), fmt.Sprint(k), "[" + strings.Join(data, ",") + "]"}, out...)
	return r.String(), "[N,K] -> { " + strings.Join(r.times, "; ") + " }", "[" + strings.Join(all, ",") + "]"
}

type rows struct {
	*Writer
	down   bool // from the last row to the first
	locals []string
	outs   int
	times  []string // of the statements, in their order
}

// local writes a local array; ok says that what is in one row is copied out at once.
func (r *rows) local() (ok bool) {
	p := fmt.Sprintf("P%d", len(r.locals))
	r.Line("local %s[N,K] : i64;", p)
	from := "m[i," + r.column() + "]"
	if n := len(r.locals); n > 0 {
		from = fmt.Sprintf("%s[i,%s]", r.locals[r.IntN(n)], r.column())
	}
	r.locals = append(r.locals, p)
	rest := "0 <= i < N"
	switch row := r.row(); r.IntN(3) {
	case 0: // one row is computed otherwise
		r.at(p+"["+row+",j] = "+strings.ReplaceAll(from, "[i,", "["+row+",")+" - i64(j)", row, "0 <= j < K")
		rest += " and not (i = " + row + ")"
	case 1: // in two parts of it
		r.at(p+"["+row+",0] = i64(7)", row)
		r.at(p+"["+row+",j] = i64(3) + m["+row+",j]", row, "1 <= j < K")
		rest += " and not (i = " + row + ")"
	}
	if r.IntN(3) == 0 {
		r.each(p+"[i,j] = "+from+" * i64(2) + i64(i)", rest, "0 <= j < K")
	} else {
		r.each(p+"[i,0] = "+strings.ReplaceAll(from, "j", "0")+" + i64(i)", rest)
		r.each(p+"[i,j] = 3 * "+p+"[i,j-1] - "+from, rest, "1 <= j < K")
	}
	if r.IntN(3) == 0 {
		r.copied()
		return true
	}
	return false
}

// copied writes that an element of a row is copied out.
func (r *rows) copied() {
	c, row := fmt.Sprintf("c%d", r.outs), r.row()
	r.outs++
	r.Line("output %s : i64;", c)
	time := row
	if r.IntN(3) == 0 {
		time = "N - 1" // when all rows are done, or in the last
		if r.down {
			time = "0"
		}
	}
	r.at(fmt.Sprintf("%s = %s[%s,%s]", c, r.locals[r.IntN(len(r.locals))], row, r.One("0", "K - 1")), time)
}

func (r *rows) row() string    { return r.One("0", "N - 1", "floor(N / 2)") }
func (r *rows) column() string { return r.One("j", "j", "K - 1 - j") }

// each writes a statement of all rows.
func (r *rows) each(equation, rows string, columns ...string) {
	r.statement(equation, "i", append([]string{"i"}, make([]string, len(columns))...), append([]string{rows}, columns...))
}

// at writes a statement of one row.
func (r *rows) at(equation, row string, columns ...string) {
	r.statement(equation, row, make([]string, len(columns)), columns)
}

func (r *rows) statement(equation, row string, coords, conditions []string) {
	name, column := fmt.Sprintf("S%d", len(r.times)), "0"
	if n := len(coords) - 1; n >= 0 && coords[n] == "" {
		coords[n], column = "j", "j"
	}
	list := strings.Join(coords, ",")
	if domain := ""; len(conditions) > 0 {
		domain = strings.Join(conditions, " and ")
		r.Line("%s: %s : { [%s] : %s };", name, equation, list, domain)
	} else {
		r.Line("%s: %s;", name, equation)
	}
	if r.down {
		row = "-(" + row + ")"
	}
	r.times = append(r.times, fmt.Sprintf("%s[%s] -> [%s, %d, %s]", name, list, row, len(r.times), column))
}
