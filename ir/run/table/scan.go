package table

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// A Fault is what is wrong at a place of a text.
type Fault struct {
	At, End  int // bytes of the text
	Msg, Fix string
}

// Scan finds the cell of a record of CSV that begins at a byte of a text: what stands in it, without quotes, and where it ends: at
// a comma, an end of line or the end of the text.
func Scan(text string, at int) (cell string, end int, bad *Fault) {
	c, end, _, bad := scan(unsafe.Slice(unsafe.StringData(text), len(text)), at)
	return view(c), end, bad
}

// scan is Scan of bytes. Text with doubled quotes is a copy.
func scan(text []byte, at int) (cell []byte, end int, quoted bool, bad *Fault) {
	end = plain(text, at)
	if end < len(text) && text[end] == '"' {
		if end > at {
			return nil, end, false, &Fault{end, end + 1, "a quote stands in a cell that does not begin with one",
				`put the whole cell between quotes and write the quote in it twice: "5"" disk"`}
		}
		return scanQuoted(text, at)
	}
	cell = text[at:end]
	if n := len(cell); n > 0 && cell[n-1] == '\r' && (end == len(text) || text[end] == '\n') {
		cell = cell[:n-1]
	}
	return cell, end, false, nil
}

// scanQuoted is scan of a cell that begins with a quote.
func scanQuoted(text []byte, at int) (cell []byte, end int, quoted bool, bad *Fault) {
	doubled := false
	for end = at + 1; ; end += 2 {
		n := bytes.IndexByte(text[end:], '"')
		if n < 0 {
			return nil, len(text), true, &Fault{at, at + 1, "the quote that begins here never ends", "a quote within a cell is written twice"}
		}
		end += n
		if end+1 == len(text) || text[end+1] != '"' {
			break
		}
		doubled = true
	}
	cell = text[at+1 : end]
	if doubled {
		cell = bytes.ReplaceAll(cell, []byte(`""`), quote)
	}
	if end++; end < len(text) && text[end] == '\r' && (end+1 == len(text) || text[end+1] == '\n') {
		end++
	}
	if end < len(text) && text[end] != ',' && text[end] != '\n' {
		return nil, end, true, &Fault{end, end + 1, "text follows the quote that ends a cell", "a quote within a cell is written twice"}
	}
	return cell, end, true, nil
}

// blank reports that a line without anything begins at a byte, and where the next one does.
func blank(text []byte, at int) (next int, ok bool) {
	if text[at] == '\r' {
		if at++; at == len(text) {
			return at, true
		}
	}
	return at + 1, text[at] == '\n'
}

// plain is where the run of bytes ends that are no comma, end of line or quote: eight at a
// time, by the test for a zero byte of Mycroft (1987); its lowest hit is right.
func plain(text []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		w := binary.LittleEndian.Uint64(text[at:])
		comma, line, quote := w^','*ones, w^'\n'*ones, w^'"'*ones
		if hit := ((comma-ones)&^comma | (line-ones)&^line | (quote-ones)&^quote) & tops; hit != 0 {
			return at + bits.TrailingZeros64(hit)/8
		}
	}
	for at < len(text) && text[at] != ',' && text[at] != '\n' && text[at] != '"' {
		at++
	}
	return at
}
