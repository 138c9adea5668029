package text

import (
	"math/bits"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Most of a large file are ops in the generic form, each on a line of its own, and what stands behind their operands was
// read before. Such a line is taken in one scan, without tokens: names by number, the rest as a whole.
//
// No grammar is said here a second time. What stands behind operands is known only from an op that the parser read, and is
// taken only as the very same text up to the end of the line. Wherever a line is another, or something is wrong with it,
// nothing has been done yet that the parser does not do again: it reads the line, and says what is wrong.

// lineText is what stands behind the operands of an op, up to the end of its line, and what it stands for.
type lineText struct {
	info *opInfo
	text string
	in   []ir.Type // of the operands
	attr ir.Attr
	typ  ir.Type
}

// lineTexts are those of one op that came last, as long as most of them are met again; else its texts are found by hash.
type lineTexts struct {
	list      [16]lineText
	n         int // that are there
	next      int // to be replaced
	hits      int
	misses    int
	forbidden bool // by the op's syntax, which looks at more than that
}

const (
	maxLine   = 200 // bytes of a text that is kept
	maxName   = 32  // bytes of the name of an op, quotes included
	fewMisses = 64  // before the texts are known not to come again
)

// pays reports that most of the texts are met again.
func (l *lineTexts) pays() bool { return l.misses < fewMisses+l.hits/4 }

// find returns the text that stands at an offset, or nil.
func (l *lineTexts) find(src string, at int) *lineText {
	for i := range l.n {
		t := &l.list[i]
		if end := at + len(t.text); end <= len(src) && src[at:end] == t.text {
			l.hits++
			if i > 0 { // what is met often moves to the front
				l.list[i-1], l.list[i] = *t, l.list[i-1]
				return &l.list[i-1]
			}
			return t
		}
	}
	l.misses++
	return nil
}

// lateLine is find for an op with many texts.
func (p *generics) lateLine(info *opInfo, at int) *lineText {
	n := strings.IndexByte(p.in.Src[at:min(len(p.in.Src), at+maxLine)], '\n')
	if n < 0 || len(p.infos.lines) == 0 {
		return nil
	}
	text := p.in.Src[at : at+n+1]
	if l := p.infos.lines[p.textPlace(info, text)]; l != nil && l.info == info && l.text == text {
		return l
	}
	return nil
}

// keepLine keeps what stands behind the operands of an op that was read and made.
func (p *generics) keepLine(op *Op, call *ir.Call, v ir.Value) {
	if op.sig == nil || op.known == nil && len(op.props) > 0 || len(op.Regions)+len(op.graphs)+len(op.succs) > 0 {
		return // not of a text that was met twice, or more than a line
	}
	l, end := &op.info.lines, p.in.Prev
	if l.forbidden || call.Loc != ir.Loc(op.At+1) || end >= len(p.in.Src) || p.in.Src[end] != '\n' || p.names.B.Graph().Results(v) > 1 {
		return
	}
	text := p.in.Src[op.tail : end+1]
	if len(text) > maxLine || strings.ContainsAny(text[:len(text)-1], "\"/\n") {
		return
	}
	if f := p.reg.forms.of(op.Def); f != nil && f.Check != nil {
		l.forbidden = true
		return
	}
	kept := lineText{op.info, text, op.sig.in, call.Attr, call.Type}
	if !l.pays() {
		if op.known != nil {
			p.infos.grow()
			p.infos.lines[p.textPlace(op.info, text)] = &kept
		}
		return
	}
	l.list[l.next] = kept
	l.n = max(l.n, l.next+1)
	l.next = (l.next + 1) % len(l.list)
}

// line reads the op that begins with the current token if it is a line like one that was read before.
func (p *generics) line() bool {
	in, names := p.in, p.names
	if p.tokens || !p.remembers() || names.Scope.Note != nil || p.regions.opened.flow != nil && p.regions.opened.flow.reading {
		return false
	}
	s, at := in.Src, in.Tok.Start
	if in.Tok.Kind == lex.Percent {
		if at = in.Tok.End + len(` = `); at >= len(s) || s[in.Tok.End:at] != ` = ` {
			return false
		}
	}
	info, i := p.infoAt(at)
	if info == nil || info.lines.n == 0 {
		return false
	}
	args, i := p.lineOperands(i)
	if i == 0 {
		return false
	}
	var l *lineText
	if info.lines.pays() {
		l = info.lines.find(s, i)
	} else {
		l = p.lateLine(info, i)
	}
	if l == nil || len(args) != len(l.in) || in.Tok.Kind == lex.Percent && l.typ == ir.Void {
		return false
	}
	g := names.B.Graph()
	for k, a := range args {
		if g.Type(a) != l.in[k] {
			return false
		}
	}
	next := in.At(i + len(l.text))
	if next.Kind == lex.Ident && s[next.Start:next.End] == "loc" {
		return false
	}
	v, err := names.B.Make(ir.Call{Def: info.def, Args: args, Attr: l.attr, Type: l.typ, Loc: ir.Loc(at + 1)})
	if err != nil {
		return false
	}
	p.taken++
	name := in.Tok
	in.Prev, in.Tok, p.regions.opened.last = i+len(l.text)-1, next, v
	if name.Kind == lex.Percent {
		names.Define(s[name.Start:name.End], name.Start, v)
	}
	return true
}

// infoAt returns what is known of the op whose quoted name stands at an offset, and the offset behind it; nil if none does,
// or not at hand.
func (p *generics) infoAt(at int) (*opInfo, int) {
	hash, end := nameKey(p.in.Src, at)
	if end == 0 {
		return nil, 0
	}
	if info := p.infos.ops[hash%uint64(len(p.infos.ops))]; info != nil && info.text == p.in.Src[at:end] {
		return info, end
	}
	return nil, 0
}

// nameKey hashes the quoted name at an offset, eight bytes at a time; end is behind it, or 0 where there is none or a
// long one.
func nameKey(s string, at int) (hash uint64, end int) {
	if at >= len(s) || s[at] != '"' {
		return 0, 0
	}
	const quotes, ones, tops = 0x2222222222222222, 0x0101010101010101, 0x8080808080808080
	for i := at + 1; i+8 <= len(s) && i < at+maxName; i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		x := w ^ quotes
		if q := (x - ones) &^ x & tops; q != 0 { // the lowest of its bits is in the first quote (Mycroft 1987)
			n := bits.TrailingZeros64(q) / 8
			return mixWord(hash, w&(1<<(8*n)-1)), i + n + 1
		}
		hash = mixWord(hash, w)
	}
	return 0, 0
}

func mixWord(h, w uint64) uint64 {
	h = (h ^ w) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// lineOperands reads `(%a, %b, ...)` at an offset, where each is a name that is visible and stands for one value; end is 0
// where anything else is there.
func (p *generics) lineOperands(i int) (args []ir.Value, end int) {
	s, scope := p.in.Src, p.names.Scope
	if i+1 >= len(s) || s[i] != '(' {
		return nil, 0
	}
	if i++; s[i] == ')' {
		return nil, i + 1
	}
	args = p.args[:0]
	for {
		d, j := scope.Use(i)
		if d == nil || d.N != 1 || j+1 >= len(s) {
			return nil, 0
		}
		args = append(args, d.One)
		switch {
		case s[j] == ')':
			p.args = args
			return args, j + 1
		case s[j] != ',' || s[j+1] != ' ':
			return nil, 0
		}
		i = j + 2
	}
}
