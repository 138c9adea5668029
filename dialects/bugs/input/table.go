package input

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// table reads an OpenBUGS table: a line of heads such as `x[] Y[,1] Y[,2]`, rows
// of values, and END. It begins at an offset; the parser goes on behind END.
func (p *rParser) table(start int) {
	headEnd := len(p.text)
	if n := strings.IndexByte(p.text[start:], '\n'); n >= 0 {
		headEnd = start + n
	}
	cols := p.heads(start, headEnd)
	rows, end := p.rows(headEnd, len(cols))
	l := newLayout(cols, p.errs)
	if p.errs.Errors == 0 {
		for _, n := range l.names {
			p.add(n, l.shape[n].at, l.array(n, rows))
		}
	}
	p.tok = rToken{end: end}
	p.next()
}

// heads reads the columns' names.
func (p *rParser) heads(pos, end int) []column {
	var cols []column
	for {
		for pos < end && strings.IndexByte(" \t\r", p.text[pos]) >= 0 {
			pos++
		}
		if pos >= end || p.text[pos] == '#' {
			return cols
		}
		n := strings.IndexByte(p.text[pos:end], ']') + 1
		if n == 0 {
			n = end - pos
		}
		at := p.src.Span(pos, pos+n)
		c, why := parseColumn(p.text[pos:pos+n], at)
		switch {
		case why == "" && c.isElement():
			why = "a column of a table has an empty index"
		case why == "" && strings.ContainsAny(c.name, " \t"):
			why = "every column of a table has brackets"
		}
		if why != "" {
			p.fail(at, "write x[] for a vector and Y[,1] for a column of a matrix", "%s", why)
		}
		cols = append(cols, c)
		pos += n
	}
}

// rows reads lines of n values up to END.
func (p *rParser) rows(pos, n int) ([][]cell, int) {
	var rows [][]cell
	for pos < len(p.text) {
		end := len(p.text)
		if k := strings.IndexByte(p.text[pos:], '\n'); k >= 0 {
			end = pos + k + 1
		}
		line, _, _ := strings.Cut(p.text[pos:end], "#")
		words := strings.Fields(line)
		if len(words) > 0 && words[0] == "END" {
			return rows, pos + strings.Index(p.text[pos:], "END") + 3
		}
		if len(words) > 0 {
			rows = append(rows, p.row(words, pos, end, n))
		}
		pos = end
	}
	p.fail(p.src.At(len(p.text)), "end the table with a line END", "the table has no END")
	return nil, pos
}

func (p *rParser) row(words []string, pos, end, n int) []cell {
	at := p.src.Span(pos, end)
	if len(words) != n {
		p.fail(at, "write NA for a missing value", "the number of values is %d here, of columns %d", len(words), n)
	}
	row := make([]cell, n)
	for i, w := range words {
		c, ok := parseCell(w)
		if !ok {
			k := pos + strings.Index(p.text[pos:end], w)
			p.fail(p.src.Span(k, k+len(w)), "write NA for a missing value", "%q is no number", syntax.Clip(w))
		}
		row[i] = c
	}
	return row
}

// trimBOM removes a byte order mark.
func trimBOM(s string) string { return strings.TrimPrefix(s, "\ufeff") }
