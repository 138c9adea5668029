package text

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
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

// piece is a part of a source that holds whole functions, and what was read of it.
type piece struct {
	start, end int
	calls      []ir.Call
}

// pieces cuts a source and has its parts read, each by a parser of its own.
type pieces struct {
	p     *Parser
	tries int // so many times it may be looked for pieces
}

// inPieces reads the whole source, functions on all processors if they are many;
// it fails where that must be done in order.
func (ps *pieces) inPieces() (g *ir.Graph, ok bool) {
	p := ps.p
	if p.in.Index == nil && runtime.GOMAXPROCS(0) > 1 && len(p.in.Src) >= 4*pieceSize {
		ps.tries = 3
	}
	_, failed := unwind.Catch[scan.InOrder](func() { g = p.ops.source() })
	return g, !failed
}

// parallel reads functions from here on in pieces, if there are many.
func (ps *pieces) parallel() bool {
	p := ps.p
	def := p.ctx.Lookup(strings.Trim(p.in.Text(), `"`))
	if def == nil || !def.Has(ir.Isolated) || p.names.B.Depth() > 0 || p.in.Errs != nil {
		return false
	}
	ps.tries--
	work := ps.cut(p.in.Tok.Start)
	if len(work) < 2 {
		return false
	}
	ps.tries = 0
	p.lit.Resources.NoneAhead()
	var spare sync.Pool
	var wrong atomic.Bool
	ir.Parallel(len(work), func(i int) {
		if wrong.Load() {
			return
		}
		q, _ := spare.Get().(*Parser)
		if q == nil {
			q = p.forPiece()
		}
		if q.pieces.piece(&work[i]) {
			spare.Put(q)
		} else {
			wrong.Store(true)
		}
	})
	if wrong.Load() {
		panic(scan.InOrder{})
	}
	for i := range work {
		for _, call := range work[i].calls {
			if _, err := p.names.B.Make(call); err != nil {
				panic(scan.InOrder{})
			}
		}
	}
	p.in.Reset(work[len(work)-1].end)
	return true
}

// cut guesses where functions begin.
func (ps *pieces) cut(at int) (out []piece) {
	p := ps.p
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

// piece reads the ops of a piece, and reports whether all is well. Else the parser
// is of no further use.
func (ps *pieces) piece(w *piece) (ok bool) {
	_, failed := unwind.Catch[scan.GivingUp](func() { ok = ps.inPiece(w) })
	return ok && !failed
}

func (ps *pieces) inPiece(w *piece) bool {
	p := ps.p
	for p.in.Reset(w.start); p.in.Tok.Start < w.end && p.in.Tok.Kind != lex.Percent; {
		p.in.Enter()
		p.names.Uses = p.names.Uses[:0]
		op := p.ops.newOp()
		call, _ := p.ops.readOp(op)
		if !op.Def.Has(ir.Isolated) || len(call.Args) > 0 || len(call.Regions) > 0 {
			return false
		}
		w.calls = append(w.calls, call)
		p.ops.spare = append(p.ops.spare, op)
		p.in.Leave()
	}
	return p.in.Tok.Start == w.end && p.in.Errs == nil
}

// parseOp reads the one op of a source that begins at an offset, a function above all, as Parse reads it among others; end
// is where it ends. Aliases are looked for in the whole source. The graph, which holds the op alone, is nil if the list
// holds an error.
func parseOp(ctx *ir.Context, src *diag.Source, at int, opts Options) (g *ir.Graph, end int, list diag.List) {
	if list := tooLarge(src); list != nil {
		return nil, at, list
	}
	p := newParser(ctx, src, opts)
	p.names.B, p.names.Order.InGraph, p.names.Order.Graphs = p.names.NewBuilder(), true, 1
	unwind.Catch[scan.Abort](func() {
		p.in.Reset(at)
		if _, bailed := unwind.Catch[scan.Bail](p.ops.operation); bailed {
			p.ops.resync(at)
		}
		p.names.UndefinedForwards()
	})
	if p.in.Errs.Err() == nil {
		g = p.names.B.Finish()
	}
	return g, p.in.Prev, p.in.Errs
}
