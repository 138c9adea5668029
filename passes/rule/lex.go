package rule

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/diag"
)

// kind is what a token is.
type kind uint8

const (
	end    kind = iota
	name        // of an operand, a constant or a function
	opName      // dialect.name
	number
	symbol
	wrong // a character that nothing begins with
)

// A token is a piece of the text, by its bytes.
type token struct {
	kind       kind
	text       string
	start, end int
}

// symbols, of which the longest that fits is taken; behind u those that are unsigned.
var symbols = []string{"u>>", "u<=", "u>=", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "u<", "u>", "u/", "u%",
	"(", ")", "{", "}", ",", ":", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">"}

// isLetter: names may be in any script, as long as case tells operands from constants.
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// next reads the token from an offset on.
func next(text string, at int) token {
	for {
		at += len(text[at:]) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
		if !strings.HasPrefix(text[at:], "//") {
			break
		}
		at += strings.IndexByte(text[at:]+"\n", '\n')
	}
	rest := text[at:]
	if rest == "" {
		return token{end, "", at, at}
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			return token{symbol, s, at, at + len(s)}
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isLetter(r):
		n := wordLen(rest, func(r rune) bool { return isLetter(r) || unicode.IsDigit(r) || r == '.' })
		k := name
		if strings.Contains(rest[:n], ".") {
			k = opName
		}
		return token{k, rest[:n], at, at + n}
	case unicode.IsDigit(r):
		n := wordLen(rest, func(r rune) bool { return isLetter(r) || unicode.IsDigit(r) || r == '.' })
		if k := strings.TrimRight(rest[:n], "e"); len(k) == n-1 && strings.Contains(k, ".") && len(rest) > n && (rest[n] == '-' || rest[n] == '+') {
			n++ // 1.5e-3
			n += wordLen(rest[n:], unicode.IsDigit)
		}
		return token{number, rest[:n], at, at + n}
	}
	return token{wrong, rest[:size], at, at + size}
}

// wordLen is how many bytes at the beginning are of runes of a kind.
func wordLen(s string, in func(rune) bool) int {
	return len(s) - len(strings.TrimLeftFunc(s, in))
}

// span is the place of a token.
func (p *parser) span(t token) diag.Span { return p.src.Span(t.start, max(t.end, t.start+1)) }
