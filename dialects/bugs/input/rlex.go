package input

import (
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// rKind is the class of a token of an R dump. Single characters stand for themselves.
type rKind byte

const (
	rEOF    rKind = 0
	rName   rKind = 'n'
	rString rKind = 's'
	rNumber rKind = '0'
	rAssign rKind = '<' // <-, <<- and =
)

// An rToken is a token with its text (of a name or string, without quotes).
type rToken struct {
	kind       rKind
	text       string
	num        float64
	start, end int
}

// An rParser reads R dumps and OpenBUGS lists: calls of a few functions on
// literals, computed as they are read. An error ends it by a panic with bailout.
type rParser struct {
	*builder
	text      string
	tok       rToken
	depth     int
	generated int  // elements made by short notations
	inList    bool // inside list(...), where OpenBUGS writes structure(.Data = .., .Dim = ..)
}

// fail reports an error at the current token and ends the parse.
func (p *rParser) fail(at diag.Span, fix, format string, args ...any) {
	d := diag.Errorf(at, format, args...)
	d.Fix = fix
	p.errs.Add(d)
	panic(syntax.GiveUp{})
}

func (p *rParser) at() diag.Span { return p.src.Span(p.tok.start, p.tok.end) }

func (p *rParser) describe() string {
	if p.tok.kind == rEOF {
		return "the end of the text"
	}
	return "`" + syntax.Clip(p.text[p.tok.start:p.tok.end]) + "`"
}

// next reads the token behind the current one.
func (p *rParser) next() {
	rest := skipRSpace(p.text[p.tok.end:])
	start := len(p.text) - len(rest)
	p.tok = rToken{start: start, end: start}
	if rest == "" {
		return
	}
	c := rest[0]
	set := func(k rKind, text string, n int) {
		p.tok.kind, p.tok.text, p.tok.end = k, text, start+n
	}
	switch {
	case syntax.IsLetter(c), c == '.' && (len(rest) == 1 || !syntax.IsDigit(rest[1])):
		n := 1
		for n < len(rest) && syntax.IsNameByte(rest[n]) {
			n++
		}
		set(rName, rest[:n], n)
	case syntax.IsDigit(c), c == '.':
		p.number(rest, start)
	case c == '"', c == '\'', c == '`':
		p.quoted(rest, start)
	case strings.HasPrefix(rest, "<<-"):
		set(rAssign, "", 3)
	case strings.HasPrefix(rest, "<-"):
		set(rAssign, "", 2)
	case c == '=' && !strings.HasPrefix(rest, "=="):
		set(rAssign, "", 1)
	case strings.IndexByte("()[]{},;:+-*/^", c) >= 0:
		set(rKind(c), "", 1)
	case syntax.StartsTypographic(rest):
		p.fail(p.src.At(start), `write "`, "these are quotes of a word processor, and R has straight ones")
	default:
		p.fail(p.src.At(start), "", "the character %q cannot stand here", []rune(rest[:min(len(rest), 4)])[0])
	}
}

// number reads digits, a hexadecimal integer, and R's suffix L.
func (p *rParser) number(rest string, start int) {
	n := syntax.NumberLen(rest)
	if len(rest) > 2 && rest[0] == '0' && rest[1]|0x20 == 'x' {
		n = 2
		for n < len(rest) && (syntax.IsDigit(rest[n]) || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'f') {
			n++
		}
		if n < len(rest) && (rest[n] == '.' || rest[n]|0x20 == 'p') { // of dump(control = "hexNumeric")
			for n++; n < len(rest) && (syntax.IsDigit(rest[n]) || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'p' || (rest[n] == '-' || rest[n] == '+') && rest[n-1]|0x20 == 'p'); {
				n++
			}
		}
		text := rest[:n]
		if !strings.ContainsAny(text, "pP") {
			text += "p0"
		}
		v, err := strconv.ParseFloat(text, 64)
		if whole := !strings.ContainsAny(rest[:n], ".pP"); err != nil || whole && v >= 1<<53 {
			p.fail(p.src.Span(start, start+n), "", "malformed number %s", syntax.Clip(rest[:n]))
		}
		p.tok.num = v
	} else {
		v, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil && !math.IsInf(v, 0) { // R, too, reads 1e999 as Inf
			p.fail(p.src.Span(start, start+n), "", "malformed number %s", syntax.Clip(rest[:n]))
		}
		p.tok.num = v
	}
	if n < len(rest) && rest[n] == 'L' {
		n++
	}
	if n < len(rest) && syntax.IsNameByte(rest[n]) {
		p.fail(p.src.Span(start, start+n+1), "", "malformed number %s", syntax.Clip(rest[:n+1]))
	}
	p.tok.kind, p.tok.end = rNumber, start+n
}

// quoted reads a string or, in back quotes, a name. A backslash keeps the
// character behind it.
func (p *rParser) quoted(rest string, start int) {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		case rest[i] == rest[0]:
			p.tok.kind, p.tok.text, p.tok.end = rString, b.String(), start+i+1
			if rest[0] == '`' {
				p.tok.kind = rName
			}
			return
		default:
			b.WriteByte(rest[i])
		}
	}
	p.fail(p.src.At(start), "close the quotes", "these quotes are never closed")
}
