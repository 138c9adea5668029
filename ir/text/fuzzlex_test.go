package text

import (
	"testing"
	"unicode/utf8"
)

// The tokens of any text stand in order, one after the other, with nothing but
// white space and comments between, and end at its end.
func FuzzLex(f *testing.F) {
	seeds(f)
	f.Add("\"\\")
	f.Add("@\"a\n 0x 0xg 1.e+ 1.5e- ...: :: -> - >{-# #-} !a.b<-> %-1 ^ // x")
	f.Fuzz(func(t *testing.T, src string) {
		p := &Parser{src: src}
		end := 0
		for n := 0; ; n++ {
			tok := p.lex(end)
			if tok.start < end || tok.end < tok.start || tok.end > len(src) || n > len(src) {
				t.Fatalf("after %d comes the token %+v", end, tok)
			}
			if got := skipSpace(src[:tok.start], end); got != tok.start {
				t.Fatalf("between %d and %d is more than space: %q", end, tok.start, src[end:tok.start])
			}
			if tok.kind == tEOF {
				if tok.start != len(src) {
					t.Fatalf("the text ends at %d of %d", tok.start, len(src))
				}
				return
			}
			if tok.end == tok.start {
				t.Fatalf("an empty token at %d", tok.start)
			}
			if tok.kind == tString && utf8.ValidString(src) {
				if s, ok := unescape(src[tok.start:tok.end]); ok && len(s) > tok.end-tok.start {
					t.Fatalf("%q becomes longer", src[tok.start:tok.end])
				}
			}
			end = tok.end
		}
	})
}
