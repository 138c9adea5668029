package literal

import (
	"sort"
	"strconv"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// A Writer prints types and attributes into Buf. What a type or a float is printed as is kept, once it writes a file.
type Writer struct {
	Buf     []byte      // what was printed
	ctx     *ir.Context // of types and attributes
	formats Formats     // of what dialects define

	types       []string                     // text of types, by number; nil for the text of one thing alone
	floats      map[ir.Attr]string           // text of floats
	blobs       map[string]map[string]string // data of resources that were printed, by dialect and key as written
	elide       bool                         // elements that are many are left out:
	maxElements int64                        // more than these
}

// NewWriter prints one thing alone.
func NewWriter(c *ir.Context, f Formats) *Writer { return &Writer{ctx: c, formats: f} }

// Ctx is the context of what is printed.
func (w *Writer) Ctx() *ir.Context { return w.ctx }

// NewFile prints a file, at whose end the data of resources are. With elide, elements that are more than maxElements are left
// out.
func NewFile(c *ir.Context, f Formats, elide bool, maxElements int64) *Writer {
	return &Writer{ctx: c, formats: f, types: make([]string, 64), floats: map[ir.Attr]string{}, elide: elide, maxElements: maxElements}
}

// FieldName prints a name: a word as it is, another in quotes.
func (w *Writer) FieldName(name string) {
	if isWord(name) {
		w.Str(name)
		return
	}
	w.Quoted(name)
}

// isWord reports what the lexer reads as one word: letters, digits and underscores.
func isWord(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// Comma separates what has number i from what is before it.
func (w *Writer) Comma(i int) {
	if i > 0 {
		w.Str(", ")
	}
}

// Sorted puts attributes in the order of their names.
func Sorted(list []ir.NamedAttr) []ir.NamedAttr {
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Entries prints `name = value, ...`.
func (w *Writer) Entries(list []ir.NamedAttr) {
	for i, e := range list {
		if i > 0 {
			w.Str(", ")
		}
		w.Entry(e)
	}
}

// Entry prints `name = value`, of a unit attribute the name alone.
func (w *Writer) Entry(e ir.NamedAttr) {
	if isBare(e.Name) {
		w.Str(e.Name)
	} else {
		w.Quoted(e.Name)
	}
	if w.ctx.KindOf(e.Value) != ir.AttrUnit {
		w.Str(" = ")
		w.Attr(e.Value)
	}
}

// isBare reports a name that is printed without quotes.
func isBare(s string) bool {
	if s == "" || !lex.IsLetter(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !lex.IsIdent(s[i]) {
			return false
		}
	}
	return true
}

// Quoted prints a string in quotes.
func (w *Writer) Quoted(s string) {
	const hex = "0123456789ABCDEF"
	w.Byte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			w.Str(`\\`)
		case c < ' ' || c >= 0x7F || c == '"':
			w.Buf = append(w.Buf, '\\', hex[c>>4], hex[c&15])
		default:
			w.Buf = append(w.Buf, c)
		}
	}
	w.Byte('"')
}

// Symbol prints @name.
func (w *Writer) Symbol(s string) {
	w.Byte('@')
	if isBare(s) {
		w.Str(s)
	} else {
		w.Quoted(s)
	}
}

// Byte prints a byte.
func (w *Writer) Byte(c byte) { w.Buf = append(w.Buf, c) }

// Str prints strings as they are.
func (w *Writer) Str(ss ...string) {
	for _, s := range ss {
		w.Buf = append(w.Buf, s...)
	}
}

// Int prints a number.
func (w *Writer) Int(n int64) { w.Buf = strconv.AppendInt(w.Buf, n, 10) }

// keyword prints a word, in quotes if it is none.
func (w *Writer) keyword(s string) {
	if isBare(s) {
		w.Str(s)
	} else {
		w.Quoted(s)
	}
}
