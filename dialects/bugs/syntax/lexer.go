package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/diag"
)

// A lexer cuts a text into tokens. It never stops: what is no token is reported
// and left out.
type lexer struct {
	src   *diag.Source
	text  string
	pos   int
	first bool
	toks  []token
	errs  *Reporter

	slashes bool // a comment that begins with // was reported
}

// lex returns the tokens of a text; the last one is tEOF.
func lex(src *diag.Source, errs *Reporter) []token {
	l := &lexer{src: src, text: src.Text, first: true, errs: errs}
	l.pos = len(l.text) - len(strings.TrimPrefix(l.text, "\ufeff"))
	for l.skipSpace(); l.pos < len(l.text); l.skipSpace() {
		l.next()
	}
	l.emit(tEOF, l.pos, l.pos)
	return l.toks
}

func (l *lexer) emit(k kind, start, end int) {
	l.toks = append(l.toks, token{k, l.first, start, end})
	l.first = false
	l.pos = end
}

// skipSpace passes white space and comments.
func (l *lexer) skipSpace() {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch c := rest[0]; {
		case c == '\n' || c == '\r':
			l.first = true
			l.pos++
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			l.pos++
		case c == '#':
			n := strings.IndexAny(rest, "\n\r")
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				l.errs.Add(diag.Errorf(l.src.Span(l.pos, l.pos+2), "this comment is never closed").
					WithFix("end it with */"))
				l.errs.cut = true
				l.pos = len(l.text)
				return
			}
			l.first = l.first || strings.Contains(rest[:n+2], "\n")
			l.pos += n + 4
		case strings.HasPrefix(rest, "//"):
			if !l.slashes {
				l.slashes = true
				l.errs.Add(diag.Errorf(l.src.Span(l.pos, l.pos+2), "`//` begins no comment").WithFix("begin comments with #"))
			}
			n := strings.IndexAny(rest, "\n\r")
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		default:
			return
		}
	}
}

func (l *lexer) next() {
	start, rest := l.pos, l.text[l.pos:]
	c := rest[0]
	switch {
	case IsLetter(c), c == '.' && (len(rest) == 1 || !IsDigit(rest[1])):
		n := 1
		for n < len(rest) && IsNameByte(rest[n]) {
			n++
		}
		l.emit(tName, start, start+n)
		return
	case IsDigit(c), c == '.':
		l.emit(tNum, start, start+NumberLen(rest))
		return
	case c == '"':
		n := strings.IndexAny(rest[1:], "\"\n") + 2
		if n < 2 {
			n = len(rest)
		}
		l.emit(tString, start, start+n)
		return
	}
	for _, p := range punct {
		if strings.HasPrefix(rest, p.text) {
			l.emit(p.kind, start, start+len(p.text))
			return
		}
	}
	l.bad(start, rest)
}

// bad reports a run of characters that begin no token.
func (l *lexer) bad(start int, rest string) {
	r, n := utf8.DecodeRuneInString(rest)
	at := l.src.Span(start, start+n)
	switch {
	case r == '&':
		l.errs.Add(diag.Errorf(at, "`&` is no operator").WithFix("write &&"))
		l.emit(tAnd, start, start+n)
		return
	case r == '|':
		l.errs.Add(diag.Errorf(at, "`|` is no operator").WithFix("write ||"))
		l.emit(tOr, start, start+n)
		return
	case r == '%':
		if m := strings.IndexAny(rest[1:], "% \n"); m >= 0 && rest[m+1] == '%' {
			at = l.src.Span(start, start+m+2)
			l.errs.Add(diag.Errorf(at, "unknown operator `%s`", rest[:m+2]).WithFix("there are %%*%%, the matrix product, and %%%%, what a division leaves"))
			l.emit(tMatMul, start, start+m+2)
			return
		}
	case typographic(r):
		l.typographic(start)
		return
	case r == utf8.RuneError && n <= 1:
		l.errs.Add(diag.Errorf(at, "the text is not valid UTF-8 here").WithFix("save the file as UTF-8 or plain ASCII"))
		l.skipBad(start, r)
		return
	}
	d := diag.Errorf(at, "the character %q cannot stand here", r)
	if like, ok := lookalike[r]; ok {
		d.WithFix("write %s", like.fix)
		l.errs.Add(d)
		if like.kind != tEOF {
			l.emit(like.kind, start, start+n)
			return
		}
	} else {
		if r >= utf8.RuneSelf {
			d.WithFix("names are made of the letters a to z and A to Z, digits, `.` and `_`")
		}
		l.errs.Add(d)
	}
	l.skipBad(start, r)
}

// skipBad passes a run of bytes outside ASCII, or one character. As part of a
// name it is kept, so that one error is reported of the name and not several.
func (l *lexer) skipBad(start int, r rune) {
	l.pos = start + 1
	for l.text[start] >= utf8.RuneSelf && l.pos < len(l.text) && l.text[l.pos] >= utf8.RuneSelf {
		l.pos++
	}
	inName := len(l.toks) > 0 && l.toks[len(l.toks)-1].kind == tName && l.toks[len(l.toks)-1].end == start
	if !inName && !unicode.IsLetter(r) {
		return
	}
	for l.pos < len(l.text) && (IsNameByte(l.text[l.pos]) || l.text[l.pos] >= utf8.RuneSelf) {
		l.pos++
	}
	if inName {
		l.toks[len(l.toks)-1].end = l.pos
	} else {
		l.emit(tName, start, l.pos)
	}
}

// lookalike gives what was meant by characters that editors put in, and the
// token they are read as, if any.
var lookalike = map[rune]struct {
	fix  string
	kind kind
}{
	'\u00a0': {"a plain space", tEOF}, '\u2013': {"-", tMinus}, '\u2014': {"-", tMinus}, '\u2212': {"-", tMinus},
	'\u2190': {"<-", tAssign}, '\u2264': {"<=", tLe}, '\u2265': {">=", tGe}, '\u2260': {"!=", tNe},
	'\u00d7': {"*", tStar}, '\u00b7': {"*", tStar}, '\u223c': {"~", tTilde},
	'\'': {"names without quotes", tEOF}, '`': {"names without quotes", tEOF},
	'$': {"names with `.` instead", tEOF}, '@': {"names with `.` instead", tEOF},
}

func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func IsNameByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '.' || c == '_'
}

// NumberLen is the length of the longest number at the start of s: digits with
// at most one point, then an exponent if it has digits.
func NumberLen(s string) int {
	n := 0
	digits := func() {
		for n < len(s) && IsDigit(s[n]) {
			n++
		}
	}
	digits()
	if n < len(s) && s[n] == '.' {
		n++
		digits()
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if m < len(s) && IsDigit(s[m]) {
			n = m
			digits()
		}
	}
	return n
}
