package text

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
	"github.com/irc-lang/irc/ir/unwind"
)

// Functions see nothing of each other, so those of a module are read on all
// processors. Where one begins is guessed: at a line that begins as the first one
// does. The guess is right if each piece, read by itself, ends where the next one
// begins. Wherever it is not, or something is to be reported, the whole source is
// read again in order, so that what is said does not depend on the pieces.

// pieceSize is about how long a piece is, in bytes. Sources of a few pieces are
// read in order.
var pieceSize = 1 << 17

// inOrder gives reading in pieces up.
type inOrder struct{}

func (inOrder) givesUp() {}

// piece is a part of a source that holds whole functions, and what was read of it.
type piece struct {
	start, end int
	calls      []ir.Call
}

// inPieces reads the whole source, functions on all processors if they are many;
// it fails where that must be done in order.
func (p *Parser) inPieces() (g *ir.Graph, ok bool) {
	if p.opts.Index == nil && runtime.GOMAXPROCS(0) > 1 && len(p.in.Src) >= 4*pieceSize {
		p.tries = 3
	}
	_, failed := unwind.Catch[inOrder](func() { g = p.source() })
	return g, !failed
}

// parallel reads functions from here on in pieces, if there are many.
func (p *Parser) parallel() bool {
	def := p.ctx.Lookup(strings.Trim(p.in.Text(), `"`))
	if def == nil || !def.Has(ir.Isolated) || p.b.Depth() > 0 || p.errs != nil {
		return false
	}
	p.tries--
	work := p.cut(p.in.Tok.Start)
	if len(work) < 2 {
		return false
	}
	p.tries = 0
	p.ahead = p.ahead || p.findMetadata(0) < 0 // no resources to look for
	var spare sync.Pool
	var wrong atomic.Bool
	ir.Parallel(len(work), func(i int) {
		if wrong.Load() {
			return
		}
		q, _ := spare.Get().(*Parser)
		if q == nil {
			q = p.another()
		}
		if q.piece(&work[i]) {
			spare.Put(q)
		} else {
			wrong.Store(true)
		}
	})
	if wrong.Load() {
		panic(inOrder{})
	}
	for i := range work {
		for _, call := range work[i].calls {
			if _, err := p.b.Make(call); err != nil {
				panic(inOrder{})
			}
		}
	}
	p.in.Reset(work[len(work)-1].end)
	return true
}

// cut guesses where functions begin.
func (p *Parser) cut(at int) (out []piece) {
	line := strings.LastIndexByte(p.in.Src[:at], '\n')
	if line < 0 || strings.TrimLeft(p.in.Src[line:at], "\n ") != "" {
		return nil
	}
	mark := p.in.Src[line:p.in.Tok.End] // the indentation and the name of the op
	for start := at; ; {
		i := min(start+pieceSize, len(p.in.Src))
		n := strings.Index(p.in.Src[i:], mark)
		if n < 0 {
			return out
		}
		end := i + n + at - line
		out = append(out, piece{start: start, end: end})
		start = end
	}
}

// another makes a parser of the same source for pieces.
func (p *Parser) another() *Parser {
	q := &Parser{ctx: p.ctx, in: lex.Lexer{Src: p.in.Src}, file: p.file, opts: p.opts, scope: symtab.NewScope(p.in.Src), aliases: map[string]alias{}, lines: p.lines,
		pending: map[string]bool{}, aliasDefs: map[string]int{}, forms: formsOf(p.ctx), dialects: p.dialects, words: map[string]ir.Type{},
		dialect: p.dialect, opened: p.opened, depth: p.depth, sub: true, ahead: p.ahead && p.blobs == nil}
	for name, a := range p.aliases {
		q.aliases[name] = a
	}
	q.b = q.newBuilder() // the ops are made in the graph of the module, later
	return q
}

// piece reads the ops of a piece, and reports whether all is well. Else the parser
// is of no further use.
func (p *Parser) piece(w *piece) (ok bool) {
	_, failed := unwind.Catch[givingUp](func() { ok = p.inPiece(w) })
	return ok && !failed
}

func (p *Parser) inPiece(w *piece) bool {
	for p.in.Reset(w.start); p.in.Tok.Start < w.end && p.in.Tok.Kind != lex.Percent; {
		p.enter()
		p.uses = p.uses[:0]
		op := p.newOp()
		call, _ := p.readOp(op)
		if !op.Def.Has(ir.Isolated) || len(call.Args) > 0 || len(call.Regions) > 0 {
			return false
		}
		w.calls = append(w.calls, call)
		p.spare = append(p.spare, op)
		p.leave()
	}
	return p.in.Tok.Start == w.end && p.errs == nil
}

// ParseOp reads the one op of a source that begins at an offset, a function above all, as Parse reads it among others; end
// is where it ends. Aliases are looked for in the whole source. The graph, which holds the op alone, is nil if the list
// holds an error.
func ParseOp(ctx *ir.Context, src *diag.Source, at int, opts Options) (g *ir.Graph, end int, list diag.List) {
	if list := tooLarge(src); list != nil {
		return nil, at, list
	}
	p := newParser(ctx, src, opts)
	p.b, p.inGraph, p.graphs = p.newBuilder(), true, 1
	unwind.Catch[abort](func() {
		p.in.Reset(at)
		if _, bailed := unwind.Catch[bail](p.operation); bailed {
			p.resync(at)
		}
		p.undefinedForwards()
	})
	if p.errs.Err() == nil {
		g = p.b.Finish()
	}
	return g, p.in.Prev, p.errs
}

// aliasLines are the lines of a source that define aliases, found once.
type aliasLines struct {
	once sync.Once
	at   map[string]int
}

// find returns where a line begins that defines the alias, or -1.
func (l *aliasLines) find(src, name string) int {
	l.once.Do(func() {
		l.at = map[string]int{}
		for i := 0; i < len(src); {
			if c := src[i]; c == '#' || c == '!' {
				t := lex.SigilAt(src, i, lex.Hash)
				if j := lex.SkipSpace(src, t.End); j < len(src) && src[j] == '=' {
					l.at[src[i:t.End]] = i
				}
			}
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
		}
	})
	if i, ok := l.at[name]; ok {
		return i
	}
	return -1
}
