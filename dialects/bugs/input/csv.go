package input

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/decimal"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
)

// A csvReader reads cells of CSV one after the other. Lines without anything and comments, which begin with #, are no records;
// blanks before a cell are not of it.
type csvReader struct {
	src  *diag.Source
	errs *syntax.Reporter
	pos  int
}

func newCSVReader(b *builder) *csvReader {
	return &csvReader{b.src, b.errs, len(b.src.Text) - len(trimBOM(b.src.Text))}
}

// more passes what stands before a record; false at the end.
func (c *csvReader) more() bool {
	for text := c.src.Text; c.pos < len(text); {
		switch rest := text[c.pos:]; {
		case rest[0] == '\n':
			c.pos++
		case strings.HasPrefix(rest, "\r\n"), rest == "\r":
			c.pos = min(c.pos+2, len(text))
		case rest[0] == '#':
			c.pos = c.lineEnd()
		default:
			return true
		}
	}
	return false
}

// lineEnd is where the next line begins, or the end.
func (c *csvReader) lineEnd() int {
	if n := strings.IndexByte(c.src.Text[c.pos:], '\n'); n >= 0 {
		return c.pos + n + 1
	}
	return len(c.src.Text)
}

// blanks passes those before a cell.
func (c *csvReader) blanks() {
	for text := c.src.Text; c.pos < len(text); {
		switch r := text[c.pos]; {
		case r == ' ' || r == '\t':
			c.pos++
		case r > ' ' && r < utf8.RuneSelf || r == '\n' || strings.HasPrefix(text[c.pos:], "\r\n"):
			return
		default:
			r, n := utf8.DecodeRuneInString(text[c.pos:])
			if !unicode.IsSpace(r) {
				return
			}
			c.pos += n
		}
	}
}

// A field is a cell with its place.
type field struct {
	text string
	at   int
	last bool // of its record
}

// field reads the next cell; ok is false after an error, behind which nothing is read.
func (c *csvReader) field() (f field, ok bool) {
	text := c.src.Text
	s, end, bad := table.Scan(text, c.pos)
	if bad != nil {
		c.errs.Add(diag.Errorf(c.src.Span(bad.At, bad.End), "malformed CSV: %s", bad.Msg).WithFix("%s", bad.Fix))
		c.pos = len(text)
		return f, false
	}
	f = field{s, c.pos, end == len(text) || text[end] == '\n'}
	c.pos = min(end+1, len(text))
	return f, true
}

// number reads the next cell if it is a plain one, as most are.
func (c *csvReader) number() (x float64, f field, ok bool) {
	rest := c.src.Text[c.pos:]
	x, n := decimal.Scan(rest)
	if n == 0 {
		return 0, f, false
	}
	end := n
	if end < len(rest) && rest[end] == '\r' {
		end++
	}
	last := end == len(rest) || rest[end] == '\n'
	if !last && (end > n || rest[n] != ',') {
		return 0, f, false
	}
	f = field{rest[:n], c.pos, last}
	c.pos += min(end+1, len(rest))
	return x, f, true
}

func (c *csvReader) span(f field) diag.Span {
	return c.src.Span(f.at, min(f.at+max(len(f.text), 1), len(c.src.Text)))
}

// rows counts the records that follow: an end of line ends one if an even number of quotes stands before it.
func (c *csvReader) rows() (n int) {
	defer func(pos int) { c.pos = pos }(c.pos)
	quotes := strings.Contains(c.src.Text[c.pos:], `"`)
	for ; c.more(); n++ {
		for odd := false; ; {
			end := c.lineEnd()
			odd = quotes && odd != (strings.Count(c.src.Text[c.pos:end], `"`)%2 == 1)
			if c.pos = end; !odd || end == len(c.src.Text) {
				break
			}
		}
	}
	return n
}

// head reads the names of the columns; ok is false if an error was reported.
func (c *csvReader) head() (cols []column, ok bool) {
	start := c.pos
	if d := otherSeparator(c.src, c.src.Text[start:], start); d != nil {
		c.errs.Add(d)
		return nil, false
	}
	if !c.more() {
		c.errs.Add(diag.Errorf(c.src.At(start), "the CSV text is empty").WithFix("begin with a line of names"))
		return nil, false
	}
	var names []field
	n := 0
	for last := false; !last; n++ {
		c.blanks()
		f, ok := c.field()
		if !ok {
			return nil, false
		}
		if last = f.last; n < maxColumns { // more of them are counted, for the message
			names = append(names, f)
		}
	}
	if n > maxColumns {
		c.errs.Add(diag.Errorf(c.src.At(start), "a table has at most %d columns, this one has %d", maxColumns, n))
		return nil, false
	}
	return c.columns(names), true
}

// columns are those of a head. The first may have no name: it holds the names of the rows.
func (c *csvReader) columns(head []field) (cols []column) {
	for i, h := range head {
		at := c.span(h)
		if i == 0 && len(head) > 1 && strings.TrimSpace(h.text) == "" {
			c.errs.Add(diag.Warningf(at, "the first column has no name and is left out, as the names of the rows").
				WithFix("write the file without them: write.csv(x, file, row.names = FALSE), in pandas to_csv(file, index=False)"))
			cols = append(cols, column{at: at, skip: true})
			continue
		}
		col, why := parseColumn(h.text, at)
		if why != "" {
			c.errs.Add(diag.Errorf(col.at, "%s", why).WithFix("write names such as x, Y[,1] or mu[2,1], with commas between them"))
		}
		cols = append(cols, col)
	}
	return fromStan(cols)
}

// otherSeparator is the error for a table whose head has semicolons, tabs or spaces for commas.
func otherSeparator(src *diag.Source, text string, base int) *diag.Diagnostic {
	rest := skipRSpace(text)
	line, next, _ := strings.Cut(rest, "\n")
	next, _, _ = strings.Cut(next, "\n")
	at := len(text) - len(rest)
	switch separator(line) {
	case ';':
		at += strings.IndexByte(line, ';')
		return diag.Errorf(src.At(base+at), "the columns are separated by semicolons, and those of CSV by commas").
			WithFix("write it so, with decimal points: in R write.csv, not write.csv2")
	case '\t':
		at += strings.IndexByte(line, '\t')
		return diag.Errorf(src.At(base+at), "the columns are separated by tabs, and those of CSV by commas").
			WithFix("write it so: in R write.csv, in pandas to_csv(file)")
	case 0:
		if words := strings.Fields(line); len(words) > 1 && len(strings.Fields(next)) > 1 && !strings.Contains(line+next, `"`) {
			at += strings.Index(line, words[0]) + len(words[0])
			d := diag.Errorf(src.At(base+at), "the columns are separated by spaces, and those of CSV by commas").
				WithFix("write it so: in R write.csv, in pandas to_csv(file)")
			if strings.Contains(line, "]") {
				d.WithFix("a table of OpenBUGS is in a file whose name ends in .txt")
			}
			return d
		}
	}
	return nil
}

// separator is what stands between the fields of a line: a comma, else a semicolon or tab,
// or 0.
func separator(line string) (sep byte) {
	if commaOutside(line) {
		return ','
	}
	for i := range len(line) {
		if c := line[i]; c == ';' || c == '\t' && strings.TrimSpace(line[i:]) != "" {
			return c
		}
	}
	return 0
}

// row reads a record, and gives each of its cells; false if an error was reported.
func (c *csvReader) row(cols []column, put func(i int, v cell)) bool {
	var first field
	var bad *diag.Diagnostic
	for i := 0; ; i++ {
		c.blanks()
		x, f, ok := c.number()
		v := cell{value: x}
		if !ok {
			if f, ok = c.field(); !ok {
				return false
			}
			v, ok = parseCell(f.text)
		}
		switch {
		case i >= len(cols):
		case !ok && !cols[i].skip && bad == nil:
			bad = diag.Errorf(c.span(f), "%q is no number", syntax.Clip(f.text)).WithFix("%s", asNumber(f.text))
		default:
			put(i, v)
		}
		if i == 0 {
			first = f
		}
		if !f.last {
			continue
		}
		if i+1 != len(cols) {
			bad = diag.Errorf(c.span(first), "the number of fields is %d here, %d in the head", i+1, len(cols)).
				WithFix("write NA, or nothing between the commas, for a missing value")
		}
		if bad != nil {
			c.errs.Add(bad)
		}
		return bad == nil
	}
}

// asNumber says how to write what is no number.
func asNumber(s string) string {
	without := strings.ReplaceAll(s, ",", "")
	_, whole := parseCell(without)
	_, point := parseCell(strings.Replace(s, ",", ".", 1))
	switch {
	case !strings.Contains(s, ","):
	case thousands().MatchString(s) && point:
		return fmt.Sprintf("write %s, or with a decimal point %s", without, strings.Replace(s, ",", ".", 1))
	case thousands().MatchString(s) && whole:
		return "write " + without
	case point:
		return "write a decimal point: " + strings.Replace(s, ",", ".", 1)
	}
	if strings.ContainsFunc(s, unicode.IsLetter) {
		return "write numbers, of words their codes (in R as.integer(factor(x))), and NA for a missing value"
	}
	return "leave the field empty, or write NA, for a missing value"
}

// thousands are numbers with commas between groups of three digits.
var thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+$`) })

// parseCSV reads columns as vectors, or, if a column is an element such as
// mu[2,1], a single row as one value for each element. Its cells go straight into the arrays that its columns make.
func parseCSV(b *builder) {
	c := newCSVReader(b)
	cols, ok := c.head()
	if !ok {
		return
	}
	rows := c.rows()
	elements := slices.ContainsFunc(cols, func(c column) bool { return c.isElement() && c.index != nil })
	if !elements {
		for i := range cols {
			if cols[i].index == nil {
				cols[i].index = []int{0}
			}
		}
	}
	wrong := &syntax.Reporter{} // what is said of the columns if the rows are right
	l := newLayout(cols, wrong)
	if elements && rows != 1 {
		wrong.List = diag.List{diag.Errorf(b.src.At(0), "columns with full indices give one value each, so one row is wanted, found %d", rows).
			WithFix("write Y[,1] for a column of a matrix; several draws are points, not data")}
	}
	to, arrays := make([]place, len(cols)), map[string]*Array{}
	if len(wrong.List) == 0 {
		l.place(to, arrays, rows)
	}
	for row := 0; c.more() && !b.errs.Full(); row++ {
		c.row(cols, func(i int, v cell) { to[i].put(row, v) })
	}
	if b.errs.Errors > 0 {
		return
	}
	for _, d := range wrong.List {
		b.errs.Add(d)
	}
	if len(wrong.List) > 0 {
		return
	}
	for _, n := range l.names {
		b.add(n, l.shape[n].at, arrays[n])
	}
}

// A place is where a column's elements go: at from, from + step, ... of an array, or nowhere.
type place struct {
	a          *Array
	from, step int
}

// put takes the cell of a row.
func (p *place) put(row int, v cell) {
	if p.a == nil {
		return
	}
	k := p.from + row*p.step
	if v.missing && p.a.Missing == nil {
		p.a.Missing = make([]bool, len(p.a.Values))
	}
	if p.a.Missing != nil {
		p.a.Missing[k] = v.missing
	}
	p.a.Values[k] = v.value
}

// place makes the arrays of columns with so many rows. Elements without a column are missing.
func (l *layout) place(to []place, arrays map[string]*Array, rows int) {
	for name, s := range l.shape {
		a := &Array{Dims: withRows(s, rows)}
		n := ir.Elements(a.Dims)
		a.Values = make([]float64, n)
		if len(s.parts)*rows < n {
			a.Missing = slices.Repeat([]bool{true}, n)
		}
		arrays[name] = a
		for _, pt := range s.parts {
			p := place{a: a}
			for d, ix := range pt.index {
				p.step = ir.Times(p.step, a.Dims[d])
				if ix == 0 {
					p.step, ix = 1, 1
				}
				p.from = p.from*a.Dims[d] + ix - 1
			}
			to[pt.col] = p
		}
	}
}
