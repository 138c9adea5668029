package index

import (
	"iter"
	"strings"

	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// A Class is what a token looks like, for colours.
type Class uint8

const (
	Word Class = iota
	Punctuation
	Number
	String
	Value     // %name
	Symbol    // @name
	Label     // ^name
	Attribute // #name
	TypeName  // !name
	Comment
	Wrong // what begins no token
)

var classes = map[lex.Kind]Class{lex.Ident: Word, lex.Int: Number, lex.Float: Number, lex.String: String, lex.Percent: Value,
	lex.At: Symbol, lex.Caret: Label, lex.Hash: Attribute, lex.Bang: TypeName, lex.Bad: Wrong}

// A Token is the bytes from Start to End.
type Token struct {
	Class      Class
	Start, End int
}

// Tokens are those of a text, comments too, in order.
func Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		in := lex.Lexer{Src: text}
		for in.Reset(0); ; in.Next() {
			for i := in.Prev; ; {
				n := strings.Index(text[i:in.Tok.Start], "//")
				if n < 0 {
					break
				}
				start := i + n
				if i = in.Tok.Start; strings.IndexByte(text[start:i], '\n') >= 0 {
					i = start + strings.IndexByte(text[start:i], '\n')
				}
				if !yield(Token{Comment, start, i}) {
					return
				}
			}
			if in.Tok.Kind == lex.EOF {
				return
			}
			c, ok := classes[in.Tok.Kind]
			if !ok {
				c = Punctuation
			}
			if !yield(Token{c, in.Tok.Start, in.Tok.End}) {
				return
			}
		}
	}
}
