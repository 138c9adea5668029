package input

import (
	"encoding/csv"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/decimal"
)

// A plainCSV reads a table of numbers, NA and empty fields without quotes, which is
// what large ones are, straight into the arrays that its columns make. It gives up at
// whatever else it meets: readCSV then reads the text, or says what is wrong with it.
type plainCSV struct {
	text   string
	pos    int
	rows   int
	layout *layout
	to     []place // by column
	arrays map[string]*Array
}

// A place is where a column's elements go: at from, from + step, ...
type place struct {
	a          *Array
	from, step int
}

// readPlainCSV adds the columns as vectors; it returns false if it gave up.
func readPlainCSV(b *builder) bool {
	c := &plainCSV{text: b.src.Text, pos: len(b.src.Text) - len(trimBOM(b.src.Text))}
	cols, ok := c.head(b)
	if !ok {
		return false
	}
	quiet := &syntax.Reporter{}
	if c.layout = newLayout(cols, quiet); quiet.Errors > 0 {
		return false
	}
	body := c.text[c.pos:]
	if c.rows = strings.Count(body, "\n"); body != "" && body[len(body)-1] != '\n' {
		c.rows++
	}
	if c.rows == 0 {
		return false
	}
	c.place(len(cols))
	for row := range c.rows {
		if !c.row(row) {
			return false
		}
	}
	for _, n := range c.layout.names {
		b.add(n, c.layout.shape[n].at, c.arrays[n])
	}
	return true
}

// head reads the names, which may be in quotes. Only columns that are vectors will do.
func (c *plainCSV) head(b *builder) ([]column, bool) {
	n := strings.IndexByte(c.text[c.pos:], '\n') + 1
	line := c.text[c.pos : c.pos+n]
	if n == 0 || n > maxLine || strings.Count(line, `"`)%2 != 0 || strings.TrimSpace(line) == "" {
		return nil, false
	}
	r := &csvReader{builder: &builder{src: b.src, data: NewData(), errs: &syntax.Reporter{}}, base: c.pos, line: 1, start: c.pos}
	r.r = csv.NewReader(strings.NewReader(line))
	r.r.TrimLeadingSpace, r.r.Comment = true, '#'
	names, ok := r.record()
	if !ok || len(names) > maxColumns {
		return nil, false
	}
	cols := r.columns(names)
	if len(r.errs.List) > 0 {
		return nil, false
	}
	for i := range cols {
		if cols[i].index == nil {
			cols[i].index = []int{0}
		}
		if cols[i].skip || cols[i].isElement() {
			return nil, false
		}
	}
	c.pos += n
	return cols, true
}

// place makes the arrays. Elements without a column are missing.
func (c *plainCSV) place(cols int) {
	c.to, c.arrays = make([]place, cols), map[string]*Array{}
	for _, name := range c.layout.names {
		s := c.layout.shape[name]
		a := &Array{Dims: withRows(s, c.rows)}
		n := ir.Elements(a.Dims)
		a.Values = make([]float64, n)
		if len(s.parts)*c.rows < n {
			a.Missing = make([]bool, n)
			for i := range a.Missing {
				a.Missing[i] = true
			}
		}
		c.arrays[name] = a
		for _, pt := range s.parts {
			p := place{a: a}
			for d, ix := range pt.index {
				p.step = ir.Times(p.step, a.Dims[d])
				if ix == 0 {
					p.step, ix = 1, 1
				}
				p.from = p.from*a.Dims[d] + ix - 1
			}
			c.to[pt.col] = p
		}
	}
}

// row reads a line.
func (c *plainCSV) row(row int) bool {
	for i := range c.to {
		for c.pos < len(c.text) && (c.text[c.pos] == ' ' || c.text[c.pos] == '\t') {
			c.pos++
		}
		rest := c.text[c.pos:]
		x, n := decimal.Scan(rest)
		gap := n == 0
		if gap && strings.HasPrefix(rest, "NA") {
			n = 2
		}
		c.pos += n
		if !c.end(i == len(c.to)-1) || gap && n == 0 && len(c.to) == 1 {
			return false // an empty line is no row
		}
		p := &c.to[i]
		k := p.from + row*p.step
		switch {
		case gap:
			p.a.gap(k)
		case p.a.Missing != nil:
			p.a.Missing[k] = false
		}
		p.a.Values[k] = x
	}
	return true
}

// end passes the end of a field, that of the line if it is the last.
func (c *plainCSV) end(last bool) bool {
	for c.pos < len(c.text) && (c.text[c.pos] == ' ' || c.text[c.pos] == '\t') {
		c.pos++
	}
	if last && strings.HasPrefix(c.text[c.pos:], "\r\n") {
		c.pos++
	}
	switch {
	case c.pos == len(c.text):
		return last
	case c.text[c.pos] != ',' && !last, c.text[c.pos] != '\n' && last:
		return false
	}
	c.pos++
	return true
}

// gap marks an element missing.
func (a *Array) gap(k int) {
	if a.Missing == nil {
		a.Missing = make([]bool, len(a.Values))
	}
	a.Missing[k] = true
}
