package text

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// What a loop writes is known when it has been read, but what may leave it depends on
// that while it is read. Where it does not look as if it wrote, it is read as if it
// wrote nothing, else as if it wrote anything; where that proves wrong it is read again
// with what it does write, as a Mirror builds it again. Without this most functions with loops would be built
// once more as a whole.
//
// Whatever is decided here depends on the text of the isolated op alone, not on how
// much of the file one parser reads.

// loopGuess is what is assumed of a loop's region that begins at a token.
type loopGuess struct {
	start   lex.Token
	prev    int
	may     bool                 // it may be read again
	assumed map[ir.Resource]bool // nil: nothing
}

// Loops nested deeper than maxGuessed are not guessed at: each may be read again with
// all that is in it. A loop of more than maxGlance bytes, or whose op is further right than maxIndent, is not
// looked at.
const (
	maxGuessed = 6
	maxGlance  = 1 << 16
	maxIndent  = 256
	slack      = 1 << 12 // bytes that may be read again however short the op is
)

// regionKind is the kind of the next region of an op.
func (p *regions) regionKind(op *Op) ir.RegionKind {
	var attr ir.Attr
	if op.Def.Kind != nil {
		defer blames(op, "Kind")
		attr = p.ctx.Props(slices.Clone(op.props), slices.Clone(op.attrs))
	}
	return op.Def.RegionKind(p.ctx, attr, len(op.Regions))
}

// openRegion opens a region that is not isolated.
func (p *regions) openRegion(op *Op, g *loopGuess) {
	kind := p.regionKind(op)
	if kind != ir.Loop || !op.Def.Has(ir.SingleRegion) || p.names.Verbatim {
		p.names.B.Open(kind)
		return
	}
	if g.assumed == nil && p.opened.loops < maxGuessed && p.again <= p.in.Tok.Start-p.opened.start+slack {
		g.may = true
		if !p.seemsToWrite(op.At) {
			g.assumed = map[ir.Resource]bool{}
		}
	}
	p.names.B.OpenLoop(g.assumed)
	p.opened.loops++
}

// closeRegion ends a region that has been read, or throws it away and goes back to its
// beginning: it writes what was assumed not to be written, or the other way round.
// What is wrong with the program was reported the first time.
func (p *regions) closeRegion(op *Op, g *loopGuess) (again bool) {
	end := p.in.Tok.End
	if !g.may || p.in.Errs != nil || g.assumed == nil || !p.names.B.Refuted(g.assumed) {
		r := p.names.B.Close()
		if g.may && p.in.Errs == nil && g.assumed == nil {
			g.assumed = p.names.B.Unwritten(r)
			again = g.assumed != nil
		}
		if !again {
			op.Regions = append(op.Regions, r)
			return false
		}
	}
	p.again += end - g.start.Start
	p.in.Tok, p.in.Prev = g.start, g.prev
	return true
}

// seemsToWrite reports that the loop of the op at an offset has a line, up to one with
// a bracket in the op's column, with an op that has effects and no results.
func (p *regions) seemsToWrite(at int) bool {
	from := max(0, at-maxIndent)
	line := from + strings.LastIndexByte(p.in.Src[from:at], '\n')
	if line < from {
		return true
	}
	indent := line + 1
	for indent < at && p.in.Src[indent] == ' ' {
		indent++
	}
	s := p.in.Src[p.in.Tok.Start:min(len(p.in.Src), p.in.Tok.Start+maxGlance)]
	end := strings.Index(s, p.in.Src[line:indent]+"}")
	if end < 0 {
		p.again += len(s) / 16
		return true
	}
	p.again += end / 16
	for s = s[:end]; ; {
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			return false
		}
		for n++; n < len(s) && s[n] == ' '; n++ {
		}
		if s = s[n:]; s != "" && (s[0] == '"' || lex.IsLetter(s[0])) && p.namesWriter(s) {
			return true
		}
	}
}

// namesWriter reports that a line begins with the name of an op that has effects of
// its own, or may have any.
func (p *regions) namesWriter(s string) bool {
	if s[0] == '"' {
		s = s[1:]
	}
	n := 0
	for n < len(s) && lex.IsIdent(s[n]) {
		n++
	}
	def := p.ctx.Lookup(s[:n])
	return def == nil || def.Effects != nil || def.Has(ir.Opaque)
}
