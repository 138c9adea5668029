package equations

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/diag"
)

// kind tells tokens apart; a token of punctuation is known by its text.
type kind uint8

const (
	tokEnd kind = iota
	tokName
	tokInt
	tokFloat
	tokPunct
)

type token struct {
	kind       kind
	text       string
	start, end int
}

// punctuation, longer ones before their prefixes.
var punctuation = []string{"+=", "*=", "==", "!=", "<=", ">=", "&&", "||", "->", "**",
	"(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "<", ">", "+", "-", "*", "/", "%", "!", "^"}

// lex cuts a source into tokens, the last of which is tokEnd. It ends at what is no token,
// which is reported.
func lex(src *diag.Source, list *diag.List) (out []token) {
	text := src.Text
	for at := 0; ; {
		at = skipSpace(src, at, list)
		if at >= len(text) {
			return append(out, token{tokEnd, "", len(text), len(text)})
		}
		t := token{kind: tokPunct, start: at}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsLetter(r) || r == '_':
			t.kind = tokName
			t.end = at + nameLen(text[at:])
		case r >= '0' && r <= '9' || r == '.' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9':
			var float bool
			t.end, float = number(text, at)
			t.kind = tokInt
			if float {
				t.kind = tokFloat
			}
		default:
			t.end = at + size
			known := false
			for _, p := range punctuation {
				if strings.HasPrefix(text[at:], p) {
					t.end, known = at+len(p), true
					break
				}
			}
			if !known {
				*list = append(*list, diag.Errorf(src.Span(at, t.end), "%q is no character of an equation", r))
				return out
			}
		}
		t.text = text[at:t.end]
		out = append(out, t)
		at = t.end
	}
}

// skipSpace passes white space and comments: // and # to the end of the line, /* ... */.
func skipSpace(src *diag.Source, at int, list *diag.List) int {
	text := src.Text
	for at < len(text) {
		rest := text[at:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			at++
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				return len(text)
			}
			at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				*list = append(*list, diag.Errorf(src.Span(at, at+2), "this comment is never closed").WithFix("end it with */"))
				return len(text)
			}
			at += n + 2
		default:
			return at
		}
	}
	return at
}

func nameLen(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '\'' {
			return i
		}
	}
	return len(text)
}

// number ends a number, and says whether it is a float.
func number(text string, at int) (end int, float bool) {
	digits := func() {
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
	}
	digits()
	if at < len(text) && text[at] == '.' {
		float = true
		at++
		digits()
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		mark := at
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		from := at
		if digits(); at == from {
			return mark, float
		}
		float = true
	}
	return at, float
}
