package scan

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// WordHere is the keyword that comes next, which may stand in quotes.
func (r *Reader) WordHere() string {
	switch r.Tok.Kind {
	case lex.Ident:
		return r.Text()
	case lex.String:
		s, _ := lex.Unescape(r.Text())
		return s
	}
	return ""
}

// Word reads one of words and returns its place.
func (r *Reader) Word(words []string) int {
	text := r.WordHere()
	if i := slices.Index(words, text); i >= 0 && text != "" {
		r.Next()
		return i
	}
	r.Errorf(r.Tok.Start, "expected one of %s, found %s", strings.Join(slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "" }), ", "), r.Found())
	return 0
}

// Peek reports that the next token is the punctuation or keyword s.
func (r *Reader) Peek(s string) bool {
	return r.Tok.End-r.Tok.Start == len(s) && r.Src[r.Tok.Start] == s[0] && r.Tok.Kind != lex.String && r.Text() == s
}

// Optional reads the punctuation or keyword s if it is there.
func (r *Reader) Optional(s string) bool {
	if !r.Peek(s) {
		return false
	}
	r.Next()
	return true
}

// Expect reads the punctuation or keyword s.
func (r *Reader) Expect(s string) {
	if !r.Optional(s) {
		r.Errorf(r.Tok.Start, "expected '%s', found %s", s, r.Found())
	}
}

// Keyword reads any bare word.
func (r *Reader) Keyword() string {
	if r.Tok.Kind != lex.Ident {
		r.Errorf(r.Tok.Start, "expected a keyword, found %s", r.Found())
	}
	s := r.Text()
	r.Next()
	return s
}

// OptionalKeywordOf reads the one of words that is there, or returns "".
func (r *Reader) OptionalKeywordOf(words ...string) string {
	if r.Tok.Kind == lex.Ident {
		for _, w := range words {
			if r.Optional(w) {
				return w
			}
		}
	}
	return ""
}

// Integer reads an integer, with a sign if there is one.
func (r *Reader) Integer() int64 {
	n, ok := r.OptionalInteger()
	if !ok {
		r.Errorf(r.Tok.Start, "expected an integer, found %s", r.Found())
	}
	return n
}

// OptionalInteger reads an integer if one is there.
func (r *Reader) OptionalInteger() (int64, bool) {
	at, neg := r.Tok, false
	if r.Tok.Kind == '-' {
		r.Next()
		neg = true
	}
	if r.Tok.Kind != lex.Int {
		if neg {
			r.Reset(at.Start)
		}
		return 0, false
	}
	u, err := strconv.ParseUint(r.Text(), 0, 64)
	if strings.HasPrefix(r.Text(), "0") && len(r.Text()) > 1 && r.Text()[1] != 'x' {
		u, err = strconv.ParseUint(r.Text(), 10, 64)
	}
	if err != nil || !neg && u > math.MaxInt64 || neg && u > 1<<63 {
		r.Errorf(r.Tok.Start, "integer is out of range: %s", r.Found())
	}
	r.Next()
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}

// String reads a quoted string and returns what it stands for.
func (r *Reader) String() string {
	if r.Tok.Kind != lex.String {
		r.Errorf(r.Tok.Start, "expected a string, found %s", r.Found())
	}
	s, ok := lex.Unescape(r.Text())
	if !ok {
		r.Errorf(r.Tok.Start, "unknown escape in string; known are \\\\ \\\" \\n \\t and two hexadecimal digits")
	}
	r.Next()
	return s
}

// Symbol reads `@name` and returns the name.
func (r *Reader) Symbol() string {
	s, ok := r.OptionalSymbol()
	if !ok {
		r.Errorf(r.Tok.Start, "expected a symbol '@name', found %s", r.Found())
	}
	return s
}

// OptionalSymbol reads `@name` if it is there.
func (r *Reader) OptionalSymbol() (string, bool) {
	if r.Tok.Kind != lex.At {
		return "", false
	}
	s := r.Text()[1:]
	if s[0] == '"' {
		var ok bool
		if s, ok = lex.Unescape(s); !ok {
			r.Errorf(r.Tok.Start, "unknown escape in symbol")
		}
	}
	if s == "" {
		r.Errorf(r.Tok.Start, "a symbol has a name")
	}
	r.Next()
	return s, true
}

// List reads what item reads, separated by commas, between brackets.
func (r *Reader) List(open, end string, item func()) {
	r.Expect(open)
	if !r.Optional(end) {
		r.Items(end, item)
	}
}

// Items reads the rest of a list that is not empty.
func (r *Reader) Items(end string, item func()) {
	for {
		item()
		if r.Optional(end) {
			return
		}
		if r.Tok.Kind != ',' {
			r.Errorf(r.Tok.Start, "expected ',' or '%s', found %s", end, r.Found())
		}
		r.Next()
	}
}

// OptionalList is List if open is there, and reports whether it was.
func (r *Reader) OptionalList(open, end string, item func()) bool {
	if !r.Peek(open) {
		return false
	}
	r.List(open, end, item)
	return true
}
