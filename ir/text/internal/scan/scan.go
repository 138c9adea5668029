package scan

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// A Reader is a place in a source, and what was wrong before it.
//
// Its methods return no errors: what is wrong is reported at its place. Then a panic with one of the types below unwinds to
// whoever can go on from there.
type Reader struct {
	lex.Lexer
	File  *diag.Source
	Errs  diag.List
	Index *index.Index // is told what stands where; or nil
	Depth int          // of nesting, see Enter
	Piece bool         // a piece of the source is read, others at the same time

	closing  map[int]int // braces that SkipRegion found to match
	unclosed bool        // one that it did not
}

// New is a Reader at no token yet: Reset makes the first.
func New(src *diag.Source, x *index.Index) *Reader {
	return &Reader{Lexer: lex.Lexer{Src: src.Text}, File: src, Index: x}
}

// ForPiece is a Reader of the same source for one of its pieces, as deep.
func (r *Reader) ForPiece() *Reader {
	return &Reader{Lexer: lex.Lexer{Src: r.Src}, File: r.File, Index: r.Index, Depth: r.Depth, Piece: true}
}

// What gives up: the op, the whole file, the reading in pieces.
type (
	Bail    struct{}
	Abort   struct{}
	InOrder struct{}
	// GivingUp is any of them.
	GivingUp interface{ givesUp() }
)

func (Bail) givesUp()    {}
func (Abort) givesUp()   {}
func (InOrder) givesUp() {}

// Here covers the current token.
func (r *Reader) Here() diag.Span {
	return r.File.Span(r.Tok.Start, max(r.Tok.End, r.Tok.Start+1))
}

// Found says what the current token is.
func (r *Reader) Found() string {
	switch r.Tok.Kind {
	case lex.EOF:
		return "the end of the file"
	case lex.Bad:
		if r.Src[r.Tok.Start] == '"' || strings.HasPrefix(r.Text(), "@\"") {
			return "a string that does not end on its line"
		}
		return fmt.Sprintf("%q", Short(r.Text()))
	}
	return "'" + Short(r.Text()) + "'"
}

// Short cuts what a message quotes.
func Short(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// Report adds a diagnostic, and stops the reading once there are many.
func (r *Reader) Report(d *diag.Diagnostic) {
	r.Errs = append(r.Errs, d)
	if len(r.Errs) >= diag.MaxErrors {
		panic(Abort{})
	}
}

// Fail reports d and gives up the op that is being read.
func (r *Reader) Fail(d *diag.Diagnostic) {
	r.Report(d)
	panic(Bail{})
}

// Errorf reports an error at an offset and gives up the op that is being read.
// At the current token the error covers the whole of it, before it all that was
// read from there.
func (r *Reader) Errorf(at int, format string, args ...any) {
	span := r.File.At(at)
	switch {
	case at == r.Tok.Start && r.isMissing(format):
		span = r.File.At(r.Prev)
	case at == r.Tok.Start:
		span = r.Here()
	case at < r.Prev: // what was read just now
		span.End = r.Prev
	}
	r.Fail(diag.Errorf(span, format, args...))
}

// isMissing reports that something should have stood before the line of the
// current token: the place to show is the end of the token before.
func (r *Reader) isMissing(format string) bool {
	if r.Tok.Kind != lex.EOF && !strings.HasPrefix(format, "expected '") {
		return false
	}
	return strings.IndexByte(r.Src[r.Prev:r.Tok.Start], '\n') >= 0
}

// Enter counts a level of nesting, of which the stack of a reader allows so many.
func (r *Reader) Enter() {
	if r.Depth++; r.Depth > diag.MaxNesting {
		r.Report(diag.Errorf(r.Here(), "nested more than %d levels deep", diag.MaxNesting))
		panic(Abort{})
	}
}

// Leave ends a level.
func (r *Reader) Leave() { r.Depth-- }
