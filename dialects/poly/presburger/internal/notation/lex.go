package notation

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A SyntaxError is a mistake in the text of a set or map.
type SyntaxError struct {
	Text   string // all of it
	Offset int    // in bytes
	Msg    string
}

// Error gives line, column, the line and a caret.
func (e *SyntaxError) Error() string {
	line, col := 1+strings.Count(e.Text[:e.Offset], "\n"), e.Offset-strings.LastIndexByte(e.Text[:e.Offset], '\n')
	from := e.Offset - col + 1
	to := len(e.Text)
	if i := strings.IndexByte(e.Text[e.Offset:], '\n'); i >= 0 {
		to = e.Offset + i
	}
	const around = 60
	from, to = max(from, e.Offset-around), min(to, e.Offset+around)
	return fmt.Sprintf("%d:%d: %s\n  %s\n  %*s", line, col, e.Msg, strings.ToValidUTF8(e.Text[from:to], "?"), e.Offset-from+1, "^")
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokInt
	tokSign // an operator or bracket
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// signs are the operators, longer ones first.
var signs = []string{"<<=", ">>=", "<<", ">>", "<=", ">=", "!=", "==", "->", ":=", "&&", "||", "/\\", "\\/", "//", "&", "|",
	"<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "!", "^"}

// words that are no names.
var words = map[string]bool{"and": true, "or": true, "not": true, "exists": true, "mod": true, "floor": true, "floord": true,
	"ceil": true, "ceild": true, "min": true, "max": true, "true": true, "false": true, "True": true, "False": true, "implies": true}

// scan splits a text into tokens.
func scan(text string) ([]token, error) {
	var out []token
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case isLetter(c):
			j := i
			for j < len(text) && (isLetter(text[j]) || isDigit(text[j]) || text[j] == '\'' || text[j] == '.') {
				j++
			}
			out = append(out, token{tokName, text[i:j], i})
			i = j
			continue
		case isDigit(c):
			j := i
			for j < len(text) && isDigit(text[j]) {
				j++
			}
			if j-i > maxDigits {
				return nil, &SyntaxError{text, i, fmt.Sprintf("a number of %d digits; at most %d are read", j-i, maxDigits)}
			}
			out = append(out, token{tokInt, text[i:j], i})
			i = j
			continue
		}
		s := signAt(text[i:])
		if s == "" {
			r, n := utf8.DecodeRuneInString(text[i:])
			hint := hints[r]
			if r == '.' && i > 0 && isDigit(text[i-1]) {
				hint = "; numbers are integers"
			} else if r == utf8.RuneError && n == 1 {
				hint = "; the text is not UTF-8"
			}
			return nil, &SyntaxError{text, i, fmt.Sprintf("unexpected character %q%s", r, hint)}
		}
		out = append(out, token{tokSign, s, i})
		i += len(s)
	}
	return append(out, token{kind: tokEnd, at: len(text)}), nil
}

// hints name the ASCII for what looks like it.
var hints = map[rune]string{'≥': "; write >=", '≤': "; write <=", '≠': "; write !=", '∃': "; write exists", '∧': "; write and",
	'∨': "; write or", '¬': "; write not", '→': "; write ->", '−': "; write -", '·': "; write *"}

// maxDigits bounds numbers in texts.
const maxDigits = 10_000

func signAt(s string) string {
	for _, x := range signs {
		if strings.HasPrefix(s, x) {
			return x
		}
	}
	return ""
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
