package text

import "strings"

// kind is the kind of a token. Punctuation of one character is its own kind;
// the others are negative.
type kind int16

const (
	tEOF     kind = 0
	tIdent   kind = -1 - iota // bare identifier, dots included
	tAt                       // @name or @"name"
	tHash                     // #name
	tBang                     // !name
	tPct                      // %name
	tCaret                    // ^name
	tInt                      // 12, 0x1F
	tFloat                    // 1.5e3
	tString                   // "..."
	tArrow                    // ->
	tColons                   // ::
	tDots                     // ...
	tMeta                     // {-#
	tMetaEnd                  // #-}
	tBad                      // nothing that begins a token, or one that does not end
)

type token struct {
	kind       kind
	start, end int
}

// next moves to the next token. Tokens are made when they are asked for: the
// shape of a type and the text of an opaque attribute are not made of them.
func (p *Parser) next() {
	p.prev = p.tok.end
	p.tok = p.lex(p.tok.end)
}

// reset makes the token at or after an offset the current one.
func (p *Parser) reset(off int) {
	p.prev = off
	p.tok = p.lex(off)
}

func (p *Parser) text() string { return p.src[p.tok.start:p.tok.end] }

// What a byte may be part of.
const (
	isSpaceByte  = 1 << iota // white space
	isDigitByte              // decimal
	isHexByte                // hexadecimal
	isLetterByte             // begins a bare identifier
	isIdentByte              // continues one
	isSuffixByte             // continues one after a sigil
	isPunctByte              // is a token by itself, whatever follows
)

var byteClass = func() (t [256]uint8) {
	set := func(bytes string, is uint8) {
		for i := range len(bytes) {
			t[bytes[i]] |= is
		}
	}
	const digits, hex, rest = "0123456789", "abcdefABCDEF", "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ_"
	set(" \n\t\r", isSpaceByte)
	set(digits, isDigitByte|isHexByte|isIdentByte|isSuffixByte)
	set(hex, isHexByte)
	set(hex+rest, isLetterByte|isIdentByte|isSuffixByte)
	set("$.", isIdentByte|isSuffixByte)
	set("-", isSuffixByte)
	set("()}[]<>,=+*?/|", isPunctByte)
	return t
}()

func isSpace(c byte) bool  { return byteClass[c]&isSpaceByte != 0 }
func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return byteClass[c]&isLetterByte != 0 }
func isHex(c byte) bool    { return byteClass[c]&isHexByte != 0 }
func isIdent(c byte) bool  { return byteClass[c]&isIdentByte != 0 }
func isSuffix(c byte) bool { return byteClass[c]&isSuffixByte != 0 }

// skipSpace skips white space and comments.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case isSpace(c):
			i++
		case c == '/' && i+1 < len(s) && s[i+1] == '/':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return len(s)
			}
			i += n + 1
		default:
			return i
		}
	}
	return i
}

func (p *Parser) lex(i int) token {
	s := p.src
	if i < len(s) && s[i] == ' ' {
		i++
	}
	if i < len(s) && (s[i] <= ' ' || s[i] == '/') {
		i = skipSpace(s, i)
	}
	if i >= len(s) {
		return token{tEOF, i, i}
	}
	c := s[i]
	switch class := byteClass[c]; {
	case class&isPunctByte != 0:
		return token{kind(c), i, i + 1}
	case class&isLetterByte != 0:
		j := i + 1
		for j < len(s) && isIdent(s[j]) {
			j++
		}
		return token{tIdent, i, j}
	case class&isDigitByte != 0:
		return lexNumber(s, i)
	}
	switch c {
	case '%':
		return lexSigil(s, i, tPct)
	case '"':
		return lexString(s, i, i, tString)
	case '#':
		if strings.HasPrefix(s[i:], "#-}") {
			return token{tMetaEnd, i, i + 3}
		}
		return lexSigil(s, i, tHash)
	case '!':
		return lexSigil(s, i, tBang)
	case '^':
		return lexSigil(s, i, tCaret)
	case '@':
		return lexSymbol(s, i)
	}
	return lexPunct(s, i)
}

// lexPunct reads punctuation that may be of several characters.
func lexPunct(s string, i int) token {
	two := func(t string, k kind) (token, bool) {
		return token{k, i, i + len(t)}, strings.HasPrefix(s[i:], t)
	}
	switch s[i] {
	case '-':
		if t, ok := two("->", tArrow); ok {
			return t
		}
	case ':':
		if t, ok := two("::", tColons); ok {
			return t
		}
	case '.':
		if t, ok := two("...", tDots); ok {
			return t
		}
		return token{tBad, i, i + 1}
	case '{':
		if t, ok := two("{-#", tMeta); ok {
			return t
		}
	default:
		return token{tBad, i, i + 1}
	}
	return token{kind(s[i]), i, i + 1}
}

func lexNumber(s string, i int) token {
	j := i + 1
	if s[i] == '0' && i+2 < len(s) && s[j] == 'x' && isHex(s[i+2]) {
		for j += 2; j < len(s) && isHex(s[j]); j++ {
		}
		return token{tInt, i, j}
	}
	for j < len(s) && isDigit(s[j]) {
		j++
	}
	if j >= len(s) || s[j] != '.' {
		return token{tInt, i, j}
	}
	for j++; j < len(s) && isDigit(s[j]); j++ {
	}
	if j < len(s) && s[j]|0x20 == 'e' {
		k := j + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && isDigit(s[k]) {
			for j = k; j < len(s) && isDigit(s[j]); j++ {
			}
		}
	}
	return token{tFloat, i, j}
}

func lexSigil(s string, i int, k kind) token {
	j := i + 1
	if j < len(s) && isDigit(s[j]) {
		for j < len(s) && isDigit(s[j]) {
			j++
		}
		return token{k, i, j}
	}
	for j < len(s) && isSuffix(s[j]) {
		j++
	}
	if j == i+1 {
		return token{tBad, i, j}
	}
	return token{k, i, j}
}

func lexSymbol(s string, i int) token {
	j := i + 1
	if j < len(s) && s[j] == '"' {
		return lexString(s, i, j, tAt)
	}
	if j >= len(s) || !isLetter(s[j]) {
		return token{tBad, i, j}
	}
	for j < len(s) && isIdent(s[j]) {
		j++
	}
	return token{tAt, i, j}
}

// lexString reads a string whose quote is at q.
func lexString(s string, i, q int, k kind) token {
	for j := q + 1; j < len(s); j++ {
		switch s[j] {
		case '"':
			return token{k, i, j + 1}
		case '\n':
			return token{tBad, i, j}
		case '\\':
			j++
		}
	}
	return token{tBad, i, len(s)}
}

// unescape returns the bytes of a string token, quotes included in s.
func unescape(s string) (string, bool) {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++
		switch {
		case i >= len(s):
			return "", false
		case s[i] == '"' || s[i] == '\\':
			out = append(out, s[i])
		case s[i] == 'n':
			out = append(out, '\n')
		case s[i] == 't':
			out = append(out, '\t')
		case i+1 < len(s) && isHex(s[i]) && isHex(s[i+1]):
			out = append(out, hexDigit(s[i])<<4|hexDigit(s[i+1]))
			i++
		default:
			return "", false
		}
	}
	return string(out), true
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// balanced returns the end of the bracketed text that begins at i with one of
// <([{, or -1 if it does not end; bad is where a wrong bracket stands.
func balanced(s string, i int) (end, bad int) {
	var stack []byte
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case '<', '(', '[', '{':
			stack = append(stack, c)
		case '-':
			if i+1 < len(s) && s[i+1] == '>' {
				i++
			}
		case '"':
			t := lexString(s, i, i, tString)
			if t.kind == tBad {
				return -1, i
			}
			i = t.end - 1
		case '>', ')', ']', '}':
			top := stack[len(stack)-1]
			if c != closing(top) {
				return -1, i
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return i + 1, 0
			}
		}
	}
	return -1, i
}

func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return '>'
}

// tidy collapses white space outside of strings, and drops it beside brackets
// and before commas.
func tidy(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			t := lexString(s, i, i, tString)
			out = append(out, s[i:t.end]...)
			i = t.end - 1
			continue
		}
		if !isSpace(c) {
			out = append(out, c)
			continue
		}
		for i+1 < len(s) && isSpace(s[i+1]) {
			i++
		}
		if i+1 >= len(s) || len(out) == 0 || strings.IndexByte("<([{", out[len(out)-1]) >= 0 || strings.IndexByte(">)]},", s[i+1]) >= 0 {
			continue
		}
		out = append(out, ' ')
	}
	return string(out)
}
