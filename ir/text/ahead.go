package text

import "github.com/irc-lang/irc/ir/text/internal/lex"

// SkipRegion moves past the region that begins at the current token without
// reading it, and reports whether it ends. With At and Back a form reads regions
// in the order of the op where the text has them in another: what is made of ops,
// constants above all, may depend on what was read before.
func (p *Parser) SkipRegion() bool {
	if p.in.Tok.Kind != '{' || p.unclosed {
		return false
	}
	if _, ok := p.closing[p.in.Tok.Start]; !ok && !p.matchBraces() {
		return false
	}
	p.in.Reset(p.closing[p.in.Tok.Start])
	p.in.Next()
	return true
}

// Back makes the token at an offset that At gave the next one again.
func (p *Parser) Back(at int) { p.in.Reset(at) }

// defines reports that the values at the current token are results of the next op:
// `%a, %b:2 = `. Behind an op without operands they are none of its own.
func (p *Parser) defines() bool {
	for t := p.in.Tok; t.Kind == lex.Percent; t = p.in.At(t.End) {
		t = p.in.At(t.End)
		if t.Kind == ':' {
			if t = p.in.At(t.End); t.Kind != lex.Int {
				return false
			}
			t = p.in.At(t.End)
		}
		if t.Kind != ',' {
			return t.Kind == '='
		}
	}
	return false
}

// matchBraces finds the closing brace of the current token and of all that open
// within, so that nested regions are looked at once.
func (p *Parser) matchBraces() bool {
	if p.closing == nil {
		p.closing = map[int]int{}
	}
	var open []int
	for t := p.in.Tok; ; t = p.in.At(t.End) {
		switch t.Kind {
		case '{':
			open = append(open, t.Start)
		case '}':
			n := len(open) - 1
			p.closing[open[n]] = t.Start
			if open = open[:n]; n == 0 {
				return true
			}
		case lex.EOF:
			p.unclosed = true
			return false
		}
	}
}
