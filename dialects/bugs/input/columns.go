package input

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A column is a head of a table: a name and indices, 0 where the index is empty.
type column struct {
	name  string
	index []int
	at    diag.Span
	skip  bool // no value: the names of rows, or what a sampler says of itself
}

// isElement says whether a column is one element, such as `x` or `mu[2,1]`.
func (c *column) isElement() bool { return c.rowAt() < 0 }

// rowAt is the position of the empty index, or -1.
func (c *column) rowAt() int {
	for i, k := range c.index {
		if k == 0 {
			return i
		}
	}
	return -1
}

// maxColumns bounds the columns of a table.
const maxColumns = 1 << 18

// parseColumn reads `x`, `x[]`, `Y[,2]` or `mu[2,1]`; why says what is wrong.
func parseColumn(s string, at diag.Span) (c column, why string) {
	c = column{at: at}
	name, rest, bracket := strings.Cut(strings.TrimSpace(s), "[")
	c.name = strings.TrimSpace(name)
	if c.name == "" {
		return c, "a column has no name"
	}
	if strings.ContainsFunc(c.name, unicode.IsControl) {
		return c, "a column's name has a line end or another control character; look for missing quotes"
	}
	if syntax.StartsTypographic(c.name) {
		return c, "a column's name is in quotes of a word processor"
	}
	if !bracket {
		return c, ""
	}
	list, tail, closed := strings.Cut(rest, "]")
	if !closed || strings.TrimSpace(tail) != "" {
		return c, "the brackets of a column's name do not close"
	}
	empty := 0
	for _, part := range strings.Split(list, ",") {
		part = strings.TrimSpace(part)
		n := 0
		if part == "" {
			empty++
		} else if v, err := strconv.ParseUint(part, 10, 31); err != nil || v == 0 || v > maxGenerated {
			return c, "indices of a column are whole numbers from 1"
		} else {
			n = int(v)
		}
		c.index = append(c.index, n)
	}
	switch {
	case len(c.index) > maxDims:
		return c, "too many indices"
	case empty > 1:
		return c, "a column has one empty index, which counts the rows"
	}
	return c, ""
}

// fromStan reads the names of a file of CmdStan, which is known by its column lp__: what ends
// with __ is of the sampler, and mu.2.1, since no name of Stan's has a point, is mu[2,1].
func fromStan(cols []column) []column {
	if !slices.ContainsFunc(cols, func(c column) bool { return c.name == "lp__" }) {
		return cols
	}
	for i := range cols {
		c := &cols[i]
		c.skip = c.skip || strings.HasSuffix(c.name, "__")
		parts := strings.Split(c.name, ".")
		if c.skip || len(parts) == 1 || c.index != nil {
			continue
		}
		of, why := parseColumn(parts[0]+"["+strings.Join(parts[1:], ",")+"]", c.at)
		if why == "" && of.isElement() {
			*c = of
		}
	}
	return cols
}

// A layout is how columns make arrays: for each name its dimensions (0 for the
// dimension that counts rows) and for each column where its element stands.
type layout struct {
	names []string
	shape map[string]*shape
}

type shape struct {
	dims  []int
	row   int // the position of the dimension that counts rows, or -1
	at    diag.Span
	parts []part
	taken map[string]int // index list -> column
}

type part struct {
	col   int
	index []int
}

// newLayout groups columns by name. Reports names whose columns disagree.
func newLayout(cols []column, errs *syntax.Reporter) *layout {
	l := &layout{shape: map[string]*shape{}}
	for k := range cols {
		c := &cols[k]
		if c.skip {
			continue
		}
		s := l.shape[c.name]
		if s == nil {
			s = &shape{dims: make([]int, len(c.index)), row: c.rowAt(), at: c.at, taken: map[string]int{}}
			l.shape[c.name] = s
			l.names = append(l.names, c.name)
		}
		key := dimString(c.index)
		if len(s.dims) != len(c.index) || s.row != c.rowAt() {
			errs.Add(diag.Errorf(c.at, "the columns of %s disagree about its dimensions", syntax.Clip(c.name)).
				WithNote(s.at, "the first one is here"))
			continue
		}
		if first, ok := s.taken[key]; ok {
			errs.Add(diag.Errorf(c.at, "the column is given twice").WithFix("remove or rename one of the two").WithNote(cols[first].at, "the first is here"))
			continue
		}
		s.taken[key] = k
		for i, n := range c.index {
			s.dims[i] = max(s.dims[i], n)
		}
		s.parts = append(s.parts, part{k, c.index})
	}
	for _, n := range l.names {
		s := l.shape[n]
		if size := ir.Elements(withRows(s, 1)); size > min(maxGenerated, 1<<16+1000*len(s.parts)) {
			errs.Add(diag.Errorf(s.at, "%s would have the dimensions %s but only %d columns", syntax.Clip(n), dimString(s.dims), len(s.parts)))
		}
	}
	return l
}

// withRows replaces the dimension that counts rows.
func withRows(s *shape, rows int) []int {
	if len(s.dims) == 0 {
		return nil
	}
	out := append([]int(nil), s.dims...)
	if s.row >= 0 {
		out[s.row] = rows
	}
	return out
}

// cell is a value of a table.
type cell struct {
	value   float64
	missing bool
}

// array makes the array of a name from rows of cells; elements without a column
// are missing. Without a counting dimension there is one row.
func (l *layout) array(name string, rows [][]cell) *Array {
	s := l.shape[name]
	a := &Array{Dims: withRows(s, len(rows))}
	n := ir.Elements(a.Dims)
	a.Values, a.Missing = make([]float64, n), make([]bool, n)
	for i := range a.Missing {
		a.Missing[i] = true
	}
	for _, pt := range s.parts {
		for r, row := range rows {
			k := 0
			for d, ix := range pt.index {
				if ix == 0 {
					ix = r + 1
				}
				k = k*a.Dims[d] + ix - 1
			}
			a.Values[k], a.Missing[k] = row[pt.col].value, row[pt.col].missing
		}
	}
	return a.finish()
}

// parseCell reads a number, TRUE, FALSE, NA, NaN, Inf, or nothing, which is missing.
func parseCell(s string) (c cell, ok bool) {
	s = strings.TrimSpace(s)
	switch strings.TrimLeft(s, "+-") {
	case "", "NA":
		return cell{math.NaN(), true}, s == "" || s == "NA"
	case "TRUE", "true":
		return cell{value: 1}, true
	case "FALSE", "false":
		return cell{}, true
	case "NaN", "nan":
		return cell{value: math.NaN()}, true
	case "Inf", "inf", "Infinity", "infinity":
		if strings.HasPrefix(s, "-") {
			return cell{value: math.Inf(-1)}, true
		}
		return cell{value: math.Inf(1)}, true
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return cell{}, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return cell{value: v}, err == nil
}
