package text

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/values"
	"github.com/irc-lang/irc/ir/unwind"
)

// opReader reads ops one after the other. An op that is wrong is given up as a whole, and its results are known to be wrong: what
// uses them is not reported.
type opReader struct {
	host    *Parser
	ctx     *ir.Context
	in      *scan.Reader
	lit     *literal.Reader
	names   *values.Names
	reg     *registry
	gen     *generics
	regions *regions
	pieces  *pieces

	spare []*Op // ops that are done with
}

// source reads the whole source.
func (p *opReader) source() (g *ir.Graph) {
	unwind.Catch[scan.Abort](func() { g = p.program() })
	return g
}

func (p *opReader) program() *ir.Graph {
	p.in.Reset(len(p.in.Src) - len(strings.TrimPrefix(p.in.Src, "\ufeff"))) // some editors begin with that mark
	body := p.names.NewBuilder()
	p.names.B, p.names.Order.InGraph, p.names.Order.Graphs = body, true, 1
	for p.in.Tok.Kind != lex.EOF {
		p.list(true)
		if p.in.Tok.Kind != lex.EOF {
			p.in.Report(diag.Errorf(p.in.Here(), "expected an operation, found %s", p.in.Found()))
			break
		}
	}
	p.names.UndefinedForwards()
	if p.in.Errs.Err() != nil {
		return nil
	}
	child := body.Finish()
	module := p.ctx.Lookup("builtin.module")
	if only := p.onlyOp(child); module == nil || only == module {
		child.Extra = p.lit.Resources.External
		return child
	}
	outer := p.names.NewBuilder()
	v, err := outer.Make(ir.Call{Def: module, Graphs: []*ir.Graph{child}, Type: ir.Void})
	if err != nil || v == 0 {
		p.in.Report(diag.Errorf(p.in.File.At(0), "%v", err))
		return nil
	}
	g := outer.Finish()
	g.Extra = p.lit.Resources.External
	return g
}

// onlyOp returns the definition of the only op of a graph's root, or nil.
func (p *opReader) onlyOp(g *ir.Graph) (d *ir.OpDef) {
	for _, v := range g.Members(ir.Root) {
		if !g.IsOp(v) {
			continue
		}
		if d != nil {
			return nil
		}
		d = g.Def(v)
	}
	return d
}

// list reads operations, and at the top level aliases, until something else
// begins. An op that is wrong is reported and skipped.
func (p *opReader) list(top bool) {
	for !p.someOps(top) {
	}
}

// someOps reads operations until the end (true) or an error (false).
func (p *opReader) someOps(top bool) (done bool) {
	start := p.in.Tok.Start
	depth, regions, builder, undone := p.in.Depth, p.names.B.Depth(), p.names.B, len(p.names.Scope.Defs)
	waiting := p.names.Scope.MadeForwards // by ops that are right
	scope, dialect, open, order := p.names.Scope, p.regions.dialect, p.regions.opened, p.names.Order
	_, bailed := unwind.Catch[scan.Bail](func() {
		for !done {
			p.names.Uses = p.names.Uses[:0]
			start, undone, waiting = p.in.Tok.Start, len(p.names.Scope.Defs), p.names.Scope.MadeForwards
			done = p.someOp(top)
		}
	})
	if bailed {
		p.names.B, p.names.Scope, p.regions.dialect, p.regions.opened, p.names.Order = builder, scope, dialect, open, order
		for p.names.B.Depth() > regions {
			p.names.B.Close()
		}
		p.in.Depth = depth
		p.names.DropForwards(waiting)
		p.names.Scope.Restore(undone)
		p.resync(start)
	}
	return done
}

// someOp reads an operation, or several in pieces; at the end there is none, which it reports.
func (p *opReader) someOp(top bool) (done bool) {
	switch p.in.Tok.Kind {
	case lex.Ident, lex.String, lex.Percent:
		if !(p.pieces.tries > 0 && p.pieces.parallel()) && !p.gen.line() {
			p.operation()
		}
	case lex.Hash, lex.Bang:
		if !top {
			return true
		}
		p.lit.Aliases.Define()
	case lex.Meta:
		if !top {
			return true
		}
		p.lit.Resources.Metadata()
	default:
		return true
	}
	return false
}

// resync moves to the next op after the one at start, which was wrong, and
// marks its results as known to be wrong.
func (p *opReader) resync(start int) {
	p.in.Reset(start)
	if p.in.Tok.Kind == lex.Meta {
		for p.in.Tok.Kind != lex.EOF && p.in.Tok.Kind != lex.MetaEnd {
			p.in.Next()
		}
		p.in.Next()
		return
	}
	for n, more := 0, true; p.in.Tok.Kind == lex.Percent && more && n < maxRegions; n++ {
		p.names.Define(p.in.Text(), p.in.Tok.Start)
		more = false
		for p.in.Next(); p.in.Tok.Kind == ':' || p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == ','; p.in.Next() {
			more = more || p.in.Tok.Kind == ','
		}
	}
	if p.in.Tok.Kind == '=' {
		p.in.Next()
	}
	name := p.in.Tok
	if !p.in.SkipOp(name, -1) && !p.in.SkipOp(name, p.in.Column(start)) {
		panic(scan.Abort{})
	}
	p.regions.opened.torn = p.in.Tok.Kind == '}' || p.in.Tok.Kind == lex.Caret
}
