package lex

import "strings"

// Kind is the kind of a token. Punctuation of one character is its own kind;
// the others are negative.
type Kind int16

const (
	EOF     Kind = 0
	Ident   Kind = -1 - iota // bare identifier, dots included
	At                       // @name or @"name"
	Hash                     // #name
	Bang                     // !name
	Percent                  // %name
	Caret                    // ^name
	Int                      // 12, 0x1F
	Float                    // 1.5e3
	String                   // "..."
	Arrow                    // ->
	Colons                   // ::
	Dots                     // ...
	Meta                     // {-#
	MetaEnd                  // #-}
	Bad                      // nothing that begins a token, or one that does not end
)

type Token struct {
	Kind       Kind
	Start, End int
}

// Lexer is a place in a source.
type Lexer struct {
	Src  string
	Tok  Token // the current one
	Prev int   // end of the token before it
}

// Next moves to the next token. Tokens are made when they are asked for: the
// shape of a type and the text of an opaque attribute are not made of them.
func (l *Lexer) Next() {
	l.Prev = l.Tok.End
	l.Tok = l.At(l.Tok.End)
}

// Reset makes the token at or after an offset the current one.
func (l *Lexer) Reset(off int) {
	l.Prev = off
	l.Tok = l.At(off)
}

// Text is that of the current token.
func (l *Lexer) Text() string { return l.Src[l.Tok.Start:l.Tok.End] }

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

func IsSpace(c byte) bool  { return byteClass[c]&isSpaceByte != 0 }
func IsDigit(c byte) bool  { return c-'0' < 10 }
func IsLetter(c byte) bool { return byteClass[c]&isLetterByte != 0 }
func IsHex(c byte) bool    { return byteClass[c]&isHexByte != 0 }
func IsIdent(c byte) bool  { return byteClass[c]&isIdentByte != 0 }
func IsSuffix(c byte) bool { return byteClass[c]&isSuffixByte != 0 }

// SkipSpace skips white space and comments.
func SkipSpace(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case IsSpace(c):
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

// At makes the token at or after an offset.
func (l *Lexer) At(i int) Token {
	s := l.Src
	if i < len(s) && s[i] == ' ' {
		i++
	}
	if i < len(s) && (s[i] <= ' ' || s[i] == '/') {
		i = SkipSpace(s, i)
	}
	if i >= len(s) {
		return Token{EOF, i, i}
	}
	c := s[i]
	switch class := byteClass[c]; {
	case class&isPunctByte != 0:
		return Token{Kind(c), i, i + 1}
	case class&isLetterByte != 0:
		j := i + 1
		for j < len(s) && IsIdent(s[j]) {
			j++
		}
		return Token{Ident, i, j}
	case class&isDigitByte != 0:
		return lexNumber(s, i)
	}
	switch c {
	case '%':
		return SigilAt(s, i, Percent)
	case '"':
		return StringAt(s, i, i, String)
	case '#':
		if strings.HasPrefix(s[i:], "#-}") {
			return Token{MetaEnd, i, i + 3}
		}
		return SigilAt(s, i, Hash)
	case '!':
		return SigilAt(s, i, Bang)
	case '^':
		return SigilAt(s, i, Caret)
	case '@':
		return lexSymbol(s, i)
	}
	return lexPunct(s, i)
}

// lexPunct reads punctuation that may be of several characters.
func lexPunct(s string, i int) Token {
	two := func(t string, k Kind) (Token, bool) {
		return Token{k, i, i + len(t)}, strings.HasPrefix(s[i:], t)
	}
	switch s[i] {
	case '-':
		if t, ok := two("->", Arrow); ok {
			return t
		}
	case ':':
		if t, ok := two("::", Colons); ok {
			return t
		}
	case '.':
		if t, ok := two("...", Dots); ok {
			return t
		}
		return Token{Bad, i, i + 1}
	case '{':
		if t, ok := two("{-#", Meta); ok {
			return t
		}
	default:
		return Token{Bad, i, i + 1}
	}
	return Token{Kind(s[i]), i, i + 1}
}

func lexNumber(s string, i int) Token {
	j := i + 1
	if s[i] == '0' && i+2 < len(s) && s[j] == 'x' && IsHex(s[i+2]) {
		for j += 2; j < len(s) && IsHex(s[j]); j++ {
		}
		return Token{Int, i, j}
	}
	for j < len(s) && IsDigit(s[j]) {
		j++
	}
	if j >= len(s) || s[j] != '.' {
		return Token{Int, i, j}
	}
	for j++; j < len(s) && IsDigit(s[j]); j++ {
	}
	if j < len(s) && s[j]|0x20 == 'e' {
		k := j + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && IsDigit(s[k]) {
			for j = k; j < len(s) && IsDigit(s[j]); j++ {
			}
		}
	}
	return Token{Float, i, j}
}

func SigilAt(s string, i int, k Kind) Token {
	j := i + 1
	if j < len(s) && IsDigit(s[j]) {
		for j < len(s) && IsDigit(s[j]) {
			j++
		}
		return Token{k, i, j}
	}
	for j < len(s) && IsSuffix(s[j]) {
		j++
	}
	if j == i+1 {
		return Token{Bad, i, j}
	}
	return Token{k, i, j}
}

func lexSymbol(s string, i int) Token {
	j := i + 1
	if j < len(s) && s[j] == '"' {
		return StringAt(s, i, j, At)
	}
	if j >= len(s) || !IsLetter(s[j]) {
		return Token{Bad, i, j}
	}
	for j < len(s) && IsIdent(s[j]) {
		j++
	}
	return Token{At, i, j}
}

// StringAt reads a string whose quote is at q.
func StringAt(s string, i, q int, k Kind) Token {
	for j := q + 1; j < len(s); j++ {
		switch s[j] {
		case '"':
			return Token{k, i, j + 1}
		case '\n':
			return Token{Bad, i, j}
		case '\\':
			j++
		}
	}
	return Token{Bad, i, len(s)}
}

// Unescape returns the bytes of a string token, quotes included in s.
func Unescape(s string) (string, bool) {
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
		case i+1 < len(s) && IsHex(s[i]) && IsHex(s[i+1]):
			out = append(out, HexDigit(s[i])<<4|HexDigit(s[i+1]))
			i++
		default:
			return "", false
		}
	}
	return string(out), true
}

func HexDigit(c byte) byte {
	if IsDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// Balanced returns the end of the bracketed text that begins at i with one of
// <([{, or -1 if it does not end; bad is where a wrong bracket stands.
func Balanced(s string, i int) (end, bad int) {
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
			t := StringAt(s, i, i, String)
			if t.Kind == Bad {
				return -1, i
			}
			i = t.End - 1
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

// Tidy collapses white space outside of strings, and drops it beside brackets
// and before commas.
func Tidy(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			t := StringAt(s, i, i, String)
			out = append(out, s[i:t.End]...)
			i = t.End - 1
			continue
		}
		if !IsSpace(c) {
			out = append(out, c)
			continue
		}
		for i+1 < len(s) && IsSpace(s[i+1]) {
			i++
		}
		if i+1 >= len(s) || len(out) == 0 || strings.IndexByte("<([{", out[len(out)-1]) >= 0 || strings.IndexByte(">)]},", s[i+1]) >= 0 {
			continue
		}
		out = append(out, ' ')
	}
	return string(out)
}
