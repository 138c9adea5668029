package syntax

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/diag"
)

// WideText is the error for a text in UTF-16, which some editors and shells save; nil for
// another. Its place is shown in the text as it would be read.
func WideText(src *diag.Source) *diag.Diagnostic {
	t := src.Text
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(t) < 2:
		return nil
	case t[:2] == "\xff\xfe":
		t = t[2:]
	case t[:2] == "\xfe\xff":
		t, order = t[2:], binary.BigEndian
	case len(t) > 3 && t[0] != 0 && t[1] == 0 && t[2] != 0 && t[3] == 0:
	case len(t) > 3 && t[0] == 0 && t[1] != 0 && t[2] == 0 && t[3] != 0:
		order = binary.BigEndian
	default:
		return nil
	}
	var units []uint16
	for head := []byte(t[:min(len(t), 512)]); len(head) > 1; head = head[2:] {
		units = append(units, order.Uint16(head))
	}
	return diag.Errorf(diag.NewSource(src.Name, string(utf16.Decode(units))).At(0), "the file is in UTF-16").
		WithFix("save it as UTF-8: `iconv -f UTF-16 -t UTF-8`, in PowerShell `-Encoding utf8`")
}

// typographic reports a quote as word processors write them.
func typographic(r rune) bool {
	return strings.ContainsRune("\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb", r)
}

// StartsTypographic reports such a quote at the start of a text.
func StartsTypographic(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return typographic(r)
}

// typographic reports what stands in such quotes, and reads a name in them as the name.
func (l *lexer) typographic(start int) {
	rest := l.text[start:]
	if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
		rest = rest[:n]
	}
	_, open := utf8.DecodeRuneInString(rest)
	n := strings.IndexFunc(rest[open:], func(r rune) bool { return typographic(r) || r == '"' || r == '\'' })
	end, inside := start+open, ""
	if n >= 0 {
		_, size := utf8.DecodeRuneInString(rest[open+n:])
		inside, end = rest[open:open+n], start+open+n+size
	}
	d := diag.Errorf(l.src.Span(start, end), "names have no quotes, and these are those of a word processor")
	if inside == "" || !IsLetter(inside[0]) || strings.ContainsFunc(inside, func(r rune) bool { return r >= utf8.RuneSelf || !IsNameByte(byte(r)) }) {
		if n := NumberLen(inside); n > 0 && n == len(inside) {
			d.Message = "numbers have no quotes, and these are those of a word processor"
			l.errs.Add(d.WithFix("write %s", inside))
			l.emit(tNum, start+open, start+open+len(inside))
			l.pos = end
			return
		}
		l.errs.Add(d.WithFix("write the name alone"))
		l.pos = end
		return
	}
	l.errs.Add(d.WithFix("write %s", inside))
	l.emit(tName, start+open, start+open+n)
	l.pos = end
}
