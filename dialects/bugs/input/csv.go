package input

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// A csvFile is a head and its rows.
type csvFile struct {
	cols []column
	rows [][]cell
}

// A csvReader reads lines of fields.
type csvReader struct {
	*builder
	base        int
	line, start int // a line that was asked for, and where it begins
	r           *csv.Reader
}

// maxLine bounds a line of a table, in bytes.
const maxLine = 1 << 21

func newCSVReader(b *builder) *csvReader {
	c := &csvReader{builder: b, base: len(b.src.Text) - len(trimBOM(b.src.Text)), line: 1}
	c.start = c.base
	c.r = csv.NewReader(strings.NewReader(b.src.Text[c.base:]))
	c.r.FieldsPerRecord = -1
	c.r.TrimLeadingSpace = true
	c.r.Comment = '#'
	c.r.ReuseRecord = true
	return c
}

// readCSV reads a whole file; ok is false if an error was reported.
func readCSV(b *builder) (f csvFile, ok bool) {
	c := newCSVReader(b)
	text := b.src.Text[c.base:]
	for rest, at := text, c.base; rest != ""; {
		n := strings.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		if n > maxLine {
			b.errs.Add(diag.Errorf(b.src.At(at), "a line of %d bytes is too long for a table: at most %d are read", n, maxLine))
			return f, false
		}
		rest, at = rest[n:], at+n
	}
	if d := otherSeparator(b.src, text, c.base); d != nil {
		b.errs.Add(d)
		return f, false
	}
	head, ok := c.record()
	if !ok {
		if b.errs.Errors == 0 {
			b.errs.Add(diag.Errorf(b.src.At(c.base), "the CSV text is empty").WithFix("begin with a line of names"))
		}
		return f, false
	}
	if len(head) > maxColumns {
		b.errs.Add(diag.Errorf(b.src.At(c.base), "a table has at most %d columns, this one has %d", maxColumns, len(head)))
		return f, false
	}
	f.cols = c.columns(head)
	for {
		rec, ok := c.record()
		if !ok || b.errs.Full() {
			return f, b.errs.Errors == 0
		}
		if row, ok := c.row(rec, f.cols); ok {
			f.rows = append(f.rows, row)
		}
	}
}

// columns are those of a head. The first may have no name: it holds the names of the rows.
func (c *csvReader) columns(head []string) (cols []column) {
	for i, h := range head {
		at := c.field(i, h)
		if i == 0 && len(head) > 1 && strings.TrimSpace(h) == "" {
			c.errs.Add(diag.Warningf(at, "the first column has no name and is left out, as the names of the rows").
				WithFix("write the file without them: write.csv(x, file, row.names = FALSE), in pandas to_csv(file, index=False)"))
			cols = append(cols, column{at: at, skip: true})
			continue
		}
		col, why := parseColumn(h, at)
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

// record reads the next line; ok is false at the end or after an error.
func (c *csvReader) record() ([]string, bool) {
	rec, err := c.r.Read()
	if err == nil {
		return rec, true
	}
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		c.errs.Add(diag.Errorf(c.at(pe.Line, pe.Column, 1), "malformed CSV: %s", pe.Err))
	} else if !errors.Is(err, io.EOF) {
		c.errs.Add(diag.Errorf(c.src.At(0), "malformed CSV: %s", err))
	}
	return nil, false
}

// at is the span of n bytes at a line and column, counted from 1.
func (c *csvReader) at(line, col, n int) diag.Span {
	if line < c.line {
		c.line, c.start = 1, c.base
	}
	for ; c.line < line; c.line++ {
		n := strings.IndexByte(c.src.Text[c.start:], '\n')
		if n < 0 {
			break
		}
		c.start += n + 1
	}
	start := min(c.start+max(col-1, 0), len(c.src.Text))
	return c.src.Span(start, min(start+n, len(c.src.Text)))
}

// field is the place of a field of the last record.
func (c *csvReader) field(i int, text string) diag.Span {
	line, col := c.r.FieldPos(i)
	return c.at(line, col, max(len(text), 1))
}

func (c *csvReader) row(rec []string, cols []column) ([]cell, bool) {
	n := len(cols)
	if len(rec) != n {
		c.errs.Add(diag.Errorf(c.field(0, rec[0]), "the number of fields is %d here, %d in the head", len(rec), n).
			WithFix("write NA, or nothing between the commas, for a missing value"))
		return nil, false
	}
	row := make([]cell, n)
	for i, s := range rec {
		v, ok := parseCell(s)
		if !ok && !cols[i].skip {
			c.errs.Add(diag.Errorf(c.field(i, s), "%q is no number", syntax.Clip(s)).WithFix("%s", asNumber(s)))
			return nil, false
		}
		row[i] = v
	}
	return row, true
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
// mu[2,1], a single row as one value for each element.
func parseCSV(b *builder) {
	if !readPlainCSV(b) {
		parseTable(b)
	}
}

// parseTable reads whatever is a table, and finds the words for the rest.
func parseTable(b *builder) {
	f, ok := readCSV(b)
	if !ok {
		return
	}
	elements := false
	for _, c := range f.cols {
		elements = elements || c.isElement() && c.index != nil
	}
	if elements && len(f.rows) != 1 {
		b.errs.Add(diag.Errorf(b.src.At(0), "columns with full indices give one value each, so one row is wanted, found %d", len(f.rows)).
			WithFix("write Y[,1] for a column of a matrix; several draws are points, not data"))
		return
	}
	if !elements {
		for i := range f.cols {
			if f.cols[i].index == nil {
				f.cols[i].index = []int{0}
			}
		}
	}
	l := newLayout(f.cols, b.errs)
	if b.errs.Errors > 0 {
		return
	}
	for _, n := range l.names {
		b.add(n, l.shape[n].at, l.array(n, f.rows))
	}
}
