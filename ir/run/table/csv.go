package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// ReadCSV reads the wanted columns of a CSV file, in the order wanted. The name is for
// diagnostics; size is how many bytes r has, as far as one knows, else 0.
func ReadCSV(ctx context.Context, name string, r io.Reader, size int64, wants []Want) (*Table, error) {
	return readCSV(ctx, name, newSplitter(r, size), size, wants)
}

func readCSV(ctx context.Context, name string, s *splitter, size int64, wants []Want) (*Table, error) {
	f := &csvFile{name: name, size: size, splitter: s, wants: wants, whole: &Table{}}
	for _, w := range wants {
		f.whole.Columns = append(f.whole.Columns, NewColumn(w))
	}
	rest, err := f.header()
	if err != nil {
		return nil, err
	}
	return f.whole, f.rows(ctx, rest)
}

// csvFile is a file that is read.
type csvFile struct {
	name string
	size int64
	*splitter
	wants []Want
	plan  []int // see part
	whole *Table
	lines int   // before the piece that is put together next
	read  int64 // bytes of the pieces that are
}

// header reads the first line, and gives what follows it in the first piece.
func (f *csvFile) header() ([]byte, error) {
	text, err := f.next()
	if err != nil && err != io.EOF {
		return nil, f.failed(err)
	}
	bom := len(text)
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	bom -= len(text)
	if len(text) == 0 {
		return nil, diag.Errorf(diag.Span{}, "%s is empty: a line with the names of its columns is wanted", f.name)
	}
	var has []string
	at := 0
	for more := true; more; at++ {
		cell, end, quoted, bad := scan(text, at)
		if bad != nil {
			return nil, f.diagnose(text, bad)
		}
		if len(cell) == 0 && !quoted && at == 0 && (end == len(text) || text[end] == '\n') {
			return nil, diag.Errorf(diag.Span{}, "%s begins with an empty line: one with the names of its columns is wanted", f.name)
		}
		has = append(has, string(cell))
		more, at = end < len(text) && text[end] == ',', end
	}
	plan, bad := Choose(f.wants, has)
	if bad != nil {
		d := bad.Diagnostic(f.name, f.span(text, &Fault{At: 0, End: 1}))
		f.advise(d, has)
		return nil, d
	}
	f.plan = plan
	at = min(at, len(text))
	f.lines, f.read = bytes.Count(text[:at], newline), int64(bom+at)
	return text[at:], nil
}

var newline = []byte{'\n'}

// advise says, of a file that lacks a column, that it has no header or other separators.
func (f *csvFile) advise(d *diag.Diagnostic, has []string) {
	if len(has) == 1 {
		for _, sep := range []string{";", "\t", "|"} {
			if strings.Contains(has[0], sep) {
				d.Fix = fmt.Sprintf("cells are separated by commas, and here by %q: convert the file", sep)
				return
			}
		}
	}
	for _, name := range has {
		if _, ok, _ := parseFloat([]byte(name), 64); !ok {
			if _, ok = parseDate([]byte(name)); !ok && name != "" {
				continue
			}
		}
		d.Fix = fmt.Sprintf("the first line is to name the columns, and %q is no name: add a header", name)
		return
	}
}

// rows reads what follows the header: pieces in order, parsed by as many goroutines as there
// are processors.
func (f *csvFile) rows(ctx context.Context, first []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan chan *part, runtime.GOMAXPROCS(0)) // in the order of the file
	var failed error                                      // of the reader; seen once parts is closed
	go func() {
		defer close(parts)
		for text := first; ; {
			done := make(chan *part, 1)
			select {
			case parts <- done:
			case <-ctx.Done():
				return
			}
			p := &part{text: text, wants: f.wants, plan: f.plan}
			go func() { p.parse(); done <- p }()
			if text, failed = f.next(); failed != nil {
				return
			}
		}
	}()
	for done := range parts {
		p := <-done
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.bad != nil {
			return f.diagnose(p.text, p.bad)
		}
		f.append(p)
	}
	if failed != io.EOF {
		return f.failed(errors.Join(failed, ctx.Err()))
	}
	return nil
}

// append puts the rows of a part at the end of the table.
func (f *csvFile) append(p *part) {
	f.whole.Rows += p.rows
	f.lines += bytes.Count(p.text, newline)
	f.read += int64(len(p.text))
	more := float64(max(f.size, f.read)) / float64(f.read) * 1.03 // of the file, than has been read
	for i, c := range f.whole.Columns {
		v := &p.columns[i]
		at := int64(len(c.Data))
		c.Data = append(Reserve(c.Data, len(v.data), int(float64(len(c.Data)+len(v.data))*more)), v.data...)
		rows := int(float64(f.whole.Rows)*more) + 1
		if c.Nullable {
			c.Valid = append(Reserve(c.Valid, len(v.valid), rows), v.valid...)
		}
		if c.Kind == String {
			if n := len(c.Offsets) + len(v.ends); n > cap(c.Offsets) {
				c.Offsets = append(make([]int64, 0, max(n, rows, 2*cap(c.Offsets))), c.Offsets...)
			}
			for _, end := range v.ends {
				c.Offsets = append(c.Offsets, at+end)
			}
		}
	}
}

// span is the place of a fault, in a source of its line alone.
func (f *csvFile) span(text []byte, bad *Fault) diag.Span {
	const shown = 256 // bytes after it
	start := bytes.LastIndexByte(text[:min(bad.At, len(text))], '\n') + 1
	end := min(bad.End+shown, len(text))
	src := diag.NewSource(f.name, string(text[start:end]))
	src.First = f.lines + bytes.Count(text[:start], newline)
	return src.Span(bad.At-start, bad.End-start)
}

func (f *csvFile) diagnose(text []byte, bad *Fault) error {
	return diag.Errorf(f.span(text, bad), "%s", bad.Msg).WithFix("%s", bad.Fix)
}

// failed says that the file cannot be read on.
func (f *csvFile) failed(err error) error {
	if ctx := context.Canceled; errors.Is(err, ctx) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return diag.Errorf(diag.Span{}, "cannot read %s: %v", f.name, err)
}
