package input

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/diag"
)

// maxLine bounds a line of a table, in bytes.
const maxLine = 1 << 21

// A pointInput is what has been read of a stream and not passed yet, and where that is.
type pointInput struct {
	name      string
	r         io.Reader
	buf       []byte // from pos on it is not passed
	pos       int
	counted   int // up to here lines and columns are counted
	line0     int // lines before counted
	col       int // characters of its line before counted
	exhausted bool
}

// blockOfPoints is how much is read at a time.
const blockOfPoints = 1 << 16

// fill reads more; what is passed makes room.
func (in *pointInput) fill() error {
	if in.exhausted {
		return io.EOF
	}
	if in.pos > 0 && len(in.buf) == cap(in.buf) {
		in.count(in.pos)
		in.buf = in.buf[:copy(in.buf, in.buf[in.pos:])]
		in.counted, in.pos = 0, 0
	}
	if n := len(in.buf); n == cap(in.buf) {
		in.buf = append(make([]byte, 0, max(2*n, blockOfPoints)), in.buf...)
	}
	for {
		n, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
		in.buf = in.buf[:len(in.buf)+n]
		switch {
		case err == io.EOF:
			in.exhausted = true
			if n == 0 {
				return io.EOF
			}
			return nil
		case err != nil || n > 0:
			return err
		}
	}
}

// head reads until the first line that says something is there, or JSON begins, and
// passes a byte order mark.
func (in *pointInput) head() error {
	for {
		err := in.fill()
		if err != nil && err != io.EOF {
			return err
		}
		rest := skipRSpace(trimBOM(string(in.buf)))
		if err == io.EOF || len(rest) >= blockOfPoints || strings.IndexByte(rest, '\n') >= 0 || rest != "" && strings.IndexByte("[{", rest[0]) >= 0 {
			break
		}
	}
	in.pos = len(in.buf) - len(bytes.TrimPrefix(in.buf, []byte("\ufeff")))
	in.counted = in.pos
	return nil
}

// count finds the line and the column of an offset.
func (in *pointInput) count(to int) {
	part := in.buf[in.counted:to]
	if n := bytes.Count(part, []byte{'\n'}); n > 0 {
		in.line0 += n
		in.col, part = 0, part[bytes.LastIndexByte(part, '\n')+1:]
	}
	in.col += utf8.RuneCount(part)
	in.counted = to
}

// source is a part of the stream that begins at pos, as a source of its own.
func (in *pointInput) source(from, to int) *diag.Source {
	in.count(from)
	return &diag.Source{Name: in.name, Text: string(in.buf[from:to]), First: in.line0, Indent: in.col}
}

func (in *pointInput) pass(to int) { in.pos = to }

// peek is the next byte, or 0 at the end.
func (in *pointInput) peek() byte {
	if in.pos < len(in.buf) {
		return in.buf[in.pos]
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// space passes blanks; the error is io.EOF at the end.
func (in *pointInput) space() error {
	for {
		for in.pos < len(in.buf) && isBlank(in.buf[in.pos]) {
			in.pos++
		}
		if in.pos < len(in.buf) {
			return nil
		}
		if err := in.fill(); err != nil {
			return err
		}
	}
}

// marks are the bytes within brackets that say where they close.
var marks = [256]bool{'"': true, '[': true, ']': true, '{': true, '}': true}

// value is the end of the JSON value at pos: where its brackets close, or do not
// match, or, if it has none, where a blank, comma or bracket follows. What is wrong
// with it, its reader says.
func (in *pointInput) value() (int, error) {
	var open []byte
	quoted, escaped := false, false
	for k := 0; ; k++ { // from pos, which fill moves
		for in.pos+k >= len(in.buf) {
			if err := in.fill(); err == io.EOF {
				return len(in.buf), nil
			} else if err != nil {
				return 0, err
			}
		}
		if len(open) > 0 && !quoted { // numbers are most of it
			rest, n := in.buf[in.pos+k:], 0
			for n < len(rest) && !marks[rest[n]] {
				n++
			}
			if n > 0 {
				k += n - 1
				continue
			}
		}
		c := in.buf[in.pos+k]
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			open = append(open, c+2) // the closing one, in ASCII
		case c == ']' || c == '}':
			if len(open) == 0 {
				return in.pos + max(k, 1), nil
			}
			if open[len(open)-1] != c || len(open) == 1 {
				return in.pos + k + 1, nil
			}
			open = open[:len(open)-1]
		case len(open) == 0 && k > 0 && (isBlank(c) || c == ','):
			return in.pos + k, nil
		}
	}
}

// line is the next line that is neither blank nor a comment.
func (in *pointInput) line() (*diag.Source, error) {
	for {
		n := bytes.IndexByte(in.buf[in.pos:], '\n') + 1
		for n == 0 {
			had := len(in.buf) - in.pos
			if had > maxLine {
				return nil, diag.Errorf(in.source(in.pos, in.pos+1).At(0), "a line is too long for a table: at most %d bytes are read", maxLine)
			}
			if err := in.fill(); err == io.EOF && had > 0 {
				n = had
				break
			} else if err != nil {
				return nil, err
			}
			if m := bytes.IndexByte(in.buf[in.pos+had:], '\n'); m >= 0 {
				n = had + m + 1
			}
		}
		src := in.source(in.pos, in.pos+n)
		in.pass(in.pos + n)
		if t := strings.TrimLeft(src.Text, " \t\r\n"); t != "" && t[0] != '#' {
			return src, nil
		}
	}
}
