package text

import (
	"testing"
	"unicode/utf8"

	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// The tokens of any text stand in order, one after the other, with nothing but
// white space and comments between, and end at its end.
func FuzzLex(f *testing.F) {
	seeds(f)
	f.Add("\"\\")
	f.Add("@\"a\n 0x 0xg 1.e+ 1.5e- ...: :: -> - >{-# #-} !a.b<-> %-1 ^ // x")
	f.Fuzz(func(t *testing.T, src string) {
		p := &lex.Lexer{Src: src}
		end := 0
		for n := 0; ; n++ {
			tok := p.At(end)
			if tok.Start < end || tok.End < tok.Start || tok.End > len(src) || n > len(src) {
				t.Fatalf("after %d comes the token %+v", end, tok)
			}
			if got := lex.SkipSpace(src[:tok.Start], end); got != tok.Start {
				t.Fatalf("between %d and %d is more than space: %q", end, tok.Start, src[end:tok.Start])
			}
			if tok.Kind == lex.EOF {
				if tok.Start != len(src) {
					t.Fatalf("the text ends at %d of %d", tok.Start, len(src))
				}
				return
			}
			if tok.End == tok.Start {
				t.Fatalf("an empty token at %d", tok.Start)
			}
			if tok.Kind == lex.String && utf8.ValidString(src) {
				if s, ok := lex.Unescape(src[tok.Start:tok.End]); ok && len(s) > tok.End-tok.Start {
					t.Fatalf("%q becomes longer", src[tok.Start:tok.End])
				}
			}
			end = tok.End
		}
	})
}
