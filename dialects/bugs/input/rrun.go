package input

import (
	"math"
	"strings"

	"github.com/irc-lang/irc/ir/decimal"
)

// run reads decimal numbers and NA, each with a comma behind it, from the current
// token on: the bulk of large data, without a token each. It returns nil if there
// are none; what it does not take is the current token then.
func (p *rParser) run() *rValue {
	v := &rValue{}
	pos := p.tok.start
	for {
		rest := p.text[pos:]
		x, n := decimal.Scan(rest)
		gap := n == 0 && strings.HasPrefix(rest, "NA")
		if gap {
			x, n = math.NaN(), 2
		}
		if n == 0 {
			break
		}
		end := skipBlanks(p.text, pos+n)
		if end >= len(p.text) || p.text[end] != ',' {
			break
		}
		if v.vals == nil {
			v.vals = make([]float64, 0, p.commas(pos)+1)
		}
		v.vals = append(v.vals, x)
		if gap && v.miss == nil {
			v.miss = make([]bool, len(v.vals)-1, cap(v.vals))
		}
		if v.miss != nil {
			v.miss = append(v.miss, gap)
		}
		pos = skipBlanks(p.text, end+1)
	}
	if v.vals == nil {
		return nil
	}
	p.tok = rToken{end: pos}
	p.next()
	return v
}

// commas counts those up to the next closing parenthesis.
func (p *rParser) commas(pos int) int {
	rest := p.text[pos:]
	if n := strings.IndexByte(rest, ')'); n >= 0 {
		rest = rest[:n]
	}
	return strings.Count(rest, ",")
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// join adds numbers behind others.
func (v *rValue) join(w *rValue) {
	if w.miss != nil && v.miss == nil {
		v.miss = make([]bool, len(v.vals), cap(v.vals))
	}
	v.vals = append(v.vals, w.vals...)
	if v.miss != nil {
		miss := w.miss
		if miss == nil {
			miss = make([]bool, len(w.vals))
		}
		v.miss = append(v.miss, miss...)
	}
	v.scalar = false
}
