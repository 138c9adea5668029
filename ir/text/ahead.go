package text

// SkipRegion moves past the region that begins at the current token without
// reading it, and reports whether it ends. With At and Back a form reads regions
// in the order of the op where the text has them in another: what is made of ops,
// constants above all, may depend on what was read before.
func (p *Parser) SkipRegion() bool {
	if p.tok.kind != '{' || p.unclosed {
		return false
	}
	if _, ok := p.closing[p.tok.start]; !ok && !p.matchBraces() {
		return false
	}
	p.reset(p.closing[p.tok.start])
	p.next()
	return true
}

// Back makes the token at an offset that At gave the next one again.
func (p *Parser) Back(at int) { p.reset(at) }

// defines reports that the values at the current token are results of the next op:
// `%a, %b:2 = `. Behind an op without operands they are none of its own.
func (p *Parser) defines() bool {
	for t := p.tok; t.kind == tPct; t = p.lex(t.end) {
		t = p.lex(t.end)
		if t.kind == ':' {
			if t = p.lex(t.end); t.kind != tInt {
				return false
			}
			t = p.lex(t.end)
		}
		if t.kind != ',' {
			return t.kind == '='
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
	for t := p.tok; ; t = p.lex(t.end) {
		switch t.kind {
		case '{':
			open = append(open, t.start)
		case '}':
			n := len(open) - 1
			p.closing[open[n]] = t.start
			if open = open[:n]; n == 0 {
				return true
			}
		case tEOF:
			p.unclosed = true
			return false
		}
	}
}
