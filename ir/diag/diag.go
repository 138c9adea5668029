// Package diag is the only way an error reaches a user: a message at a place in
// a source file, shown as `file:line:col: error: message` with the line, a caret
// and, where there is one, a way out. With it one
//
//   - names a source and its places: NewSource, Source.Span;
//   - says what is wrong there and what to do: Errorf, Warningf, Diagnostic.WithFix, Diagnostic.WithNote;
//   - collects what is wrong, and finds the name that was meant: List, Nearest.
//
// A producer holds a *Source and reports byte offsets into it; everything else
// (line, column, the excerpt) is derived when the diagnostic is printed, so that
// reporting is cheap and lines are counted only for errors.
package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/lists"
)

// Severity orders diagnostics by weight.
type Severity uint8

// The severities, heaviest first.
const (
	Error Severity = iota
	Warning
	Note
	Remark
)

func (s Severity) String() string { return [...]string{"error", "warning", "note", "remark"}[s] }

// A Source is one input: its name as the user knows it and its text.
type Source struct {
	Name  string // as a path, shown before the line
	Text  string // all of it, as bytes of UTF-8
	First int    // lines of the file before the text
	// Indent is the number of characters of the text's first line that stand before it.
	Indent int
	lines  []int32 // of each block, the lines before it; made on first use
}

// NewSource makes a source of a name and a text.
func NewSource(name, text string) *Source { return &Source{Name: name, Text: text} }

// block is how many bytes of a text count their lines together: a text may have
// as many lines as bytes.
const block = 1 << 12

// Position returns the line and column, both counted from 1, of a byte offset;
// columns count characters, not bytes.
func (s *Source) Position(off int) (line, col int) {
	if s.lines == nil {
		n := 0
		for i := 0; i <= len(s.Text); i += block {
			s.lines = append(s.lines, int32(n))
			n += strings.Count(s.Text[i:min(i+block, len(s.Text))], "\n")
		}
	}
	off = min(max(off, 0), len(s.Text))
	from := off / block
	line = int(s.lines[from]) + strings.Count(s.Text[from*block:off], "\n")
	start := strings.LastIndexByte(s.Text[:off], '\n') + 1
	col = utf8.RuneCountInString(s.Text[start:off]) + 1
	if line == 0 {
		col += s.Indent
	}
	return s.First + line + 1, col
}

// A Span is a half-open range of bytes in a source. A nil Source means that no
// place is known.
type Span struct {
	Source     *Source // nil means that no place is known
	Start, End int     // offsets in its Text, in bytes; End is behind the last one
}

// At returns the span of one offset.
func (s *Source) At(off int) Span { return Span{s, off, off + 1} }

// Span returns the span [start, end) of the source.
func (s *Source) Span(start, end int) Span { return Span{s, start, end} }

// aside is how much of a line an excerpt has either side of its place: more than is shown.
const aside = 128

// Excerpts replaces spans of s by spans of sources of their own that show the same, so that a
// long text need not be kept for them. It is fast where they are in the order of the text.
func (s *Source) Excerpts(spans []Span) {
	pos, line, col := 0, 0, s.Indent
	for i, at := range spans {
		if at.Start < pos {
			pos, line, col = 0, 0, s.Indent
		}
		part := s.Text[pos:at.Start]
		if n := strings.Count(part, "\n"); n > 0 {
			line, col, part = line+n, 0, part[strings.LastIndexByte(part, '\n')+1:]
		}
		col, pos = col+utf8.RuneCountInString(part), at.Start
		from := runeStart(s.Text, max(at.Start-aside, 0))
		from += strings.LastIndexByte(s.Text[from:at.Start], '\n') + 1
		to := runeStart(s.Text, min(at.Start+aside, len(s.Text)))
		own := &Source{Name: s.Name, Text: strings.Clone(s.Text[from:to]), First: s.First + line}
		if own.Text == "" && s.Text != "" {
			own.Text = "\n" // of an empty text nothing is shown
		}
		own.Indent = col - utf8.RuneCountInString(s.Text[from:at.Start])
		spans[i] = own.Span(at.Start-from, at.End-from)
	}
}

// A Diagnostic is one message for the user. It is an error value.
type Diagnostic struct {
	Severity Severity     // Error unless said otherwise
	Span     Span         // where it is; the zero Span if nobody knows
	Message  string       // what is, and what is wanted; no full stop
	Fix      string       // a way out, shown as "help: ..."; may be empty
	Notes    []Diagnostic // further places, in order
}

// Errorf makes an error at a span.
func Errorf(at Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Span: at, Message: fmt.Sprintf(format, args...)}
}

// Warningf makes a warning at a span.
func Warningf(at Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Warning, Span: at, Message: fmt.Sprintf(format, args...)}
}

// WithFix adds a way out and returns d.
func (d *Diagnostic) WithFix(format string, args ...any) *Diagnostic {
	d.Fix = fmt.Sprintf(format, args...)
	return d
}

// WithNote adds a note at a further place and returns d.
func (d *Diagnostic) WithNote(at Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Diagnostic{Severity: Note, Span: at, Message: fmt.Sprintf(format, args...)})
	return d
}

// Error returns the diagnostic as it is shown to the user, without a final newline.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	d.write(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

func (d *Diagnostic) write(b *strings.Builder) {
	if s := d.Span.Source; s != nil {
		line, col := s.Position(d.Span.Start)
		fmt.Fprintf(b, "%s:%d:%d: ", s.Name, line, col)
	}
	fmt.Fprintf(b, "%s: %s\n", d.Severity, Short(d.Message))
	d.excerpt(b)
	if d.Fix != "" {
		fmt.Fprintf(b, "help: %s\n", Short(d.Fix))
	}
	for i := range d.Notes {
		d.Notes[i].write(b)
	}
}

// MaxNesting bounds what a reader of texts reads inside one another, so that every walk over it can recurse.
const MaxNesting = 1000

// MaxShown is how many of the parts of one thing a message shows: elements of a cycle, levels of a factor.
const MaxShown = 12

// MaxNames is how many names a message lists.
const MaxNames = 20

// MaxErrors is how many errors are shown of one text; later ones are mostly the fault of the first.
const MaxErrors = 20

// maxMessage bounds a message, in bytes: it may quote what the user wrote.
const maxMessage = 800

// Short cuts the middle out of a message that is too long to be read.
func Short(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	head, tail := runeStart(s, maxMessage*3/4), runeStart(s, len(s)-maxMessage/4)
	return s[:head] + "..." + s[tail:]
}

// maxExcerpt bounds the excerpt of a very long line, in bytes either side.
const maxExcerpt = 60

// excerpt shows the line of the span's start with a caret under it.
func (d *Diagnostic) excerpt(b *strings.Builder) {
	s := d.Span.Source
	if s == nil || len(s.Text) == 0 {
		return
	}
	off := min(max(d.Span.Start, 0), len(s.Text))
	start := strings.LastIndexByte(s.Text[:off], '\n') + 1
	end := len(s.Text)
	if i := strings.IndexByte(s.Text[off:], '\n'); i >= 0 {
		end = off + i
	}
	if end > off && s.Text[end-1] == '\r' {
		end--
	}
	head, tail := "", ""
	if off-start > maxExcerpt {
		start, head = runeStart(s.Text, off-maxExcerpt), "..."
	}
	if end-off > maxExcerpt+20 {
		end, tail = runeStart(s.Text, off+maxExcerpt), "..."
	}
	clean := func(t string) string {
		return strings.Map(func(r rune) rune {
			if r == utf8.RuneError || !unicode.IsPrint(r) { // nothing that a terminal obeys
				return ' '
			}
			return r
		}, t)
	}
	before := clean(s.Text[start:off])
	stop := min(max(d.Span.End, off+1), end)
	width := 1
	if stop > off {
		width = utf8.RuneCountInString(s.Text[off:stop])
	}
	fmt.Fprintf(b, "  %s%s%s%s\n", head, before, clean(s.Text[off:end]), tail)
	pad := strings.Repeat(" ", len(head)+utf8.RuneCountInString(before))
	fmt.Fprintf(b, "  %s^%s\n", pad, strings.Repeat("~", max(width-1, 0)))
}

// runeStart moves an offset back to the start of a character. Text that is not
// UTF-8 may have none nearby: then the offset stays within a character's length.
func runeStart(s string, off int) int {
	for n := 0; n < utf8.UTFMax-1 && off > 0 && off < len(s) && !utf8.RuneStart(s[off]); n++ {
		off--
	}
	return off
}

// A List collects diagnostics of one run and is an error when it holds one.
type List []*Diagnostic

// Error returns all diagnostics, one after the other.
func (l List) Error() string {
	parts := lists.Map(l, func(d *Diagnostic) string { return d.Error() })
	return strings.Join(parts, "\n")
}

// Err returns the list as an error, or nil if no diagnostic in it is an error.
func (l List) Err() error {
	for _, d := range l {
		if d.Severity == Error {
			return l
		}
	}
	return nil
}

// Nearest returns the candidate closest to a misspelt name by edit distance, or
// "" if none is close enough to be meant. What comes before the last dot, such as
// the dialect of an op, does not count: it makes nothing more alike.
func Nearest(name string, candidates []string) string {
	own := name[strings.LastIndexByte(name, '.')+1:]
	best, bestD := "", min(max(1, len(own)/3), max(len(own)-1, 0))+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c), bestD); d < bestD {
			best, bestD = c, d
		}
	}
	return best
}

// distance is the edit distance with transpositions (optimal string alignment),
// or limit if it is at least that.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
