package scan

import (
	"strings"

	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// LabelEnd gives the place after `^name(...):`, if the token begins that.
func (r *Reader) LabelEnd(t lex.Token) (int, bool) {
	t = r.At(t.End)
	if t.Kind == '(' {
		for nest := 0; t.Kind != lex.EOF; t = r.At(t.End) {
			if t.Kind == '(' {
				nest++
			} else if t.Kind == ')' {
				if nest--; nest == 0 {
					break
				}
			}
		}
		t = r.At(t.End)
	}
	return t.End, t.Kind == ':'
}

// SkipRegion moves past the region that begins at the current token without
// reading it, and reports whether it ends. With At and Back a form reads regions
// in the order of the op where the text has them in another: what is made of ops,
// constants above all, may depend on what was read before.
func (r *Reader) SkipRegion() bool {
	if r.Tok.Kind != '{' || r.unclosed {
		return false
	}
	if _, ok := r.closing[r.Tok.Start]; !ok && !r.matchBraces() {
		return false
	}
	r.Reset(r.closing[r.Tok.Start])
	r.Next()
	return true
}

// Back makes the token at an offset that At gave the next one again.
func (r *Reader) Back(at int) { r.Reset(at) }

// Defines reports that the values at the current token are results of the next op:
// `%a, %b:2 = `. Behind an op without operands they are none of its own.
func (r *Reader) Defines() bool {
	for t := r.Tok; t.Kind == lex.Percent; t = r.At(t.End) {
		t = r.At(t.End)
		if t.Kind == ':' {
			if t = r.At(t.End); t.Kind != lex.Int {
				return false
			}
			t = r.At(t.End)
		}
		if t.Kind != ',' {
			return t.Kind == '='
		}
	}
	return false
}

// matchBraces finds the closing brace of the current token and of all that open
// within, so that nested regions are looked at once.
func (r *Reader) matchBraces() bool {
	if r.closing == nil {
		r.closing = map[int]int{}
	}
	var open []int
	for t := r.Tok; ; t = r.At(t.End) {
		switch t.Kind {
		case '{':
			open = append(open, t.Start)
		case '}':
			n := len(open) - 1
			r.closing[open[n]] = t.Start
			if open = open[:n]; n == 0 {
				return true
			}
		case lex.EOF:
			r.unclosed = true
			return false
		}
	}
}

// Column counts the bytes before an offset on its line.
func (r *Reader) Column(off int) int { return off - strings.LastIndexByte(r.Src[:off], '\n') - 1 }

// SkipOp skips from the name of an op to the first token of a line that may
// begin another, outside of any brackets that the op opened; with a column, to
// one that does not stand further right, as brackets may be what is wrong. It
// fails at the end of the file, unless all brackets were closed before it.
func (r *Reader) SkipOp(name lex.Token, column int) bool {
	r.Reset(name.End)
	nest := 0
	for ; r.Tok.Kind != lex.EOF; r.Next() {
		switch r.Tok.Kind {
		case '(', '[', '{', lex.Meta:
			nest++
		case ')', ']', lex.MetaEnd:
			nest--
		case '}':
			if nest--; nest < 0 {
				return true
			}
		case lex.Ident, lex.Percent, lex.String, lex.Caret, lex.Bang, lex.Hash:
			if column < 0 && nest > 0 || strings.IndexByte(r.Src[r.Prev:r.Tok.Start], '\n') < 0 {
				continue
			}
			if column < 0 || r.Tok.Kind != lex.Caret && r.Column(r.Tok.Start) <= column {
				return true
			}
		}
	}
	return column < 0 && nest == 0
}

// PeekLabel reports that a region begins here whose block has a label.
func (r *Reader) PeekLabel() bool {
	return r.Tok.Kind == '{' && r.At(r.Tok.End).Kind == lex.Caret
}

// OpaqueBody reports that `<` follows the current token without a space.
func (r *Reader) OpaqueBody() bool {
	return r.Tok.End < len(r.Src) && r.Src[r.Tok.End] == '<'
}

// SkipBalanced gives the end of the bracketed text that begins at an offset.
func (r *Reader) SkipBalanced(i int) int {
	end, bad := lex.Balanced(r.Src, i)
	if end < 0 {
		if bad >= len(r.Src) {
			r.Errorf(i, "'%c' is not closed", r.Src[i])
		}
		r.Reset(bad)
		r.Errorf(bad, "unbalanced brackets: found %s", r.Found())
	}
	return end
}
