package text

import (
	"fmt"
	"math"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
	"github.com/irc-lang/irc/ir/unwind"
)

// Limits of what is read.
const (
	maxRegions = math.MaxUint16 // of one op
	maxSource  = 1<<30 - 2      // bytes: an offset plus one is a location of 30 bits
)

// A Parser reads one source. Hooks of dialects call its methods.
type Parser struct {
	ctx  *ir.Context
	b    *ir.Builder
	in   lex.Lexer
	file *diag.Source
	opts Options

	depth int
	errs  diag.List

	scope  *symtab.Scope   // SSA values
	scopes []*symtab.Scope // that are done with
	uses   []use           // operands of the op that is being read
	args   []ir.Value      // operands of the line that is being read
	spare  []*Op           // ops that are done with
	infos  infos
	tries  int  // pieces may be looked for so many times
	sub    bool // a piece is read
	tokens bool // no line is read as a whole: what the tests compare with
	taken  int  // lines that were

	opened

	aliases   map[string]alias
	lines     *aliasLines     // that define them, for uses before that
	aliasDefs map[string]int  // definitions that were read
	pending   map[string]bool // aliases being resolved, against cycles
	forms     *forms
	dialects  map[string]bool
	dialect   string                          // whose ops need no prefix here
	blobs     map[string]map[string]*resource // data of resources, by dialect and key
	ahead     bool                            // they were looked for ahead of their turn
	external  string                          // resources of tools
	unique    map[string]string               // what distinct attributes stand for
	words     map[string]ir.Type              // types that are one word
	sizes     sizes
	places    *ir.Places  // of the locations that are written
	closing   map[int]int // braces that SkipRegion found to match
	unclosed  bool        // one that it did not
	again     int         // bytes of the isolated op that were read again, or nearly so
}

// opened is what there is to know of the region that is open, for uses of values
// before their definition (see forward).
type opened struct {
	inGraph      bool     // it is a graph region
	graphs       int      // graph regions that are open in the scope
	firstForward int      // how many forward uses the scope had when it began
	last         ir.Value // that was made last in the region that is read
	handsOn      bool     // the terminator of the region that is read next hands on what the op before it gives
	start        int      // of the isolated op's region around it
	loops        int      // regions of loops in that which are read by guess
	torn         bool     // its last op was given up, and with it maybe its terminator
	flow         *blocks  // if it may have several
}

// use is one operand as written: from at to end, its name up to name; the name is
// defined at def.
type use struct {
	v                  ir.Value
	at, name, end, def int32
}

// alias is a #name or !name of the file.
type alias struct {
	typ  ir.Type
	attr ir.Attr
}

// bail gives the op up, abort the whole file; both unwind to the parser.
type (
	bail     struct{}
	abort    struct{}
	givingUp interface{ givesUp() } // these, and inOrder
)

func (bail) givesUp()  {}
func (abort) givesUp() {}

// Parse builds the graph of a source. The graph is nil if the list holds an error.
func Parse(ctx *ir.Context, src *diag.Source, opts Options) (*ir.Graph, diag.List) {
	if list := tooLarge(src); list != nil {
		return nil, list
	}
	p := newParser(ctx, src, opts)
	g, ok := p.inPieces()
	if !ok {
		p = newParser(ctx, src, opts)
		g = p.source()
	}
	if p.errs.Err() != nil {
		return nil, p.errs
	}
	return g, p.errs
}

func tooLarge(src *diag.Source) diag.List {
	if len(src.Text) <= maxSource {
		return nil
	}
	return diag.List{diag.Errorf(diag.Span{}, "%s is larger than %d bytes", src.Name, maxSource)}
}

func newParser(ctx *ir.Context, src *diag.Source, opts Options) *Parser {
	p := &Parser{ctx: ctx, in: lex.Lexer{Src: src.Text}, file: src, opts: opts, scope: symtab.NewScope(src.Text), aliases: map[string]alias{}, lines: &aliasLines{},
		pending: map[string]bool{}, aliasDefs: map[string]int{}, forms: formsOf(ctx), dialects: map[string]bool{}, words: map[string]ir.Type{}, dialect: "builtin"}
	for _, d := range ctx.Dialects() {
		p.dialects[d.Name] = d.Name != ir.Core.Name
	}
	return p
}

// source reads the whole source.
func (p *Parser) source() (g *ir.Graph) {
	unwind.Catch[abort](func() { g = p.program() })
	return g
}

func (p *Parser) program() *ir.Graph {
	p.in.Reset(len(p.in.Src) - len(strings.TrimPrefix(p.in.Src, "\ufeff"))) // some editors begin with that mark
	body := p.newBuilder()
	p.b, p.inGraph, p.graphs = body, true, 1
	for p.in.Tok.Kind != lex.EOF {
		p.ops(true)
		if p.in.Tok.Kind != lex.EOF {
			p.report(diag.Errorf(p.here(), "expected an operation, found %s", p.found()))
			break
		}
	}
	p.undefinedForwards()
	if p.errs.Err() != nil {
		return nil
	}
	child := body.Finish()
	module := p.ctx.Lookup("builtin.module")
	if only := p.onlyOp(child); module == nil || only == module {
		child.Extra = p.external
		return child
	}
	outer := p.newBuilder()
	v, err := outer.Make(ir.Call{Def: module, Graphs: []*ir.Graph{child}, Type: ir.Void})
	if err != nil || v == 0 {
		p.report(diag.Errorf(p.file.At(0), "%v", err))
		return nil
	}
	g := outer.Finish()
	g.Extra = p.external
	return g
}

// onlyOp returns the definition of the only op of a graph's root, or nil.
func (p *Parser) onlyOp(g *ir.Graph) (d *ir.OpDef) {
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

func (p *Parser) newBuilder() *ir.Builder {
	if p.opts.Verbatim {
		return ir.NewBuilder(p.ctx, ir.Verbatim)
	}
	return ir.NewBuilder(p.ctx)
}

// ops reads operations, and at the top level aliases, until something else
// begins. An op that is wrong is reported and skipped.
func (p *Parser) ops(top bool) {
	for !p.someOps(top) {
	}
}

// someOps reads operations until the end (true) or an error (false).
func (p *Parser) someOps(top bool) (done bool) {
	start := p.in.Tok.Start
	depth, regions, builder, undone := p.depth, p.b.Depth(), p.b, len(p.scope.Defs)
	waiting := p.scope.MadeForwards // by ops that are right
	scope, dialect, open := p.scope, p.dialect, p.opened
	_, bailed := unwind.Catch[bail](func() {
		for !done {
			p.uses = p.uses[:0]
			start, undone, waiting = p.in.Tok.Start, len(p.scope.Defs), p.scope.MadeForwards
			done = p.someOp(top)
		}
	})
	if bailed {
		p.b, p.scope, p.dialect, p.opened = builder, scope, dialect, open
		for p.b.Depth() > regions {
			p.b.Close()
		}
		p.depth = depth
		p.dropForwards(waiting)
		p.scope.Restore(undone)
		p.resync(start)
	}
	return done
}

// someOp reads an operation, or several in pieces; at the end there is none, which it reports.
func (p *Parser) someOp(top bool) (done bool) {
	switch p.in.Tok.Kind {
	case lex.Ident, lex.String, lex.Percent:
		if !(p.tries > 0 && p.parallel()) && !p.line() {
			p.operation()
		}
	case lex.Hash, lex.Bang:
		if !top {
			return true
		}
		p.aliasDef()
	case lex.Meta:
		if !top {
			return true
		}
		p.metadata()
	default:
		return true
	}
	return false
}

// resync moves to the next op after the one at start, which was wrong, and
// marks its results as known to be wrong.
func (p *Parser) resync(start int) {
	p.in.Reset(start)
	if p.in.Tok.Kind == lex.Meta {
		for p.in.Tok.Kind != lex.EOF && p.in.Tok.Kind != lex.MetaEnd {
			p.in.Next()
		}
		p.in.Next()
		return
	}
	for n, more := 0, true; p.in.Tok.Kind == lex.Percent && more && n < maxRegions; n++ {
		p.define(p.in.Text(), p.in.Tok.Start)
		more = false
		for p.in.Next(); p.in.Tok.Kind == ':' || p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == ','; p.in.Next() {
			more = more || p.in.Tok.Kind == ','
		}
	}
	if p.in.Tok.Kind == '=' {
		p.in.Next()
	}
	name := p.in.Tok
	if !p.skipOp(name, -1) && !p.skipOp(name, p.column(start)) {
		panic(abort{})
	}
	p.torn = p.in.Tok.Kind == '}' || p.in.Tok.Kind == lex.Caret
}

func (p *Parser) column(off int) int { return off - strings.LastIndexByte(p.in.Src[:off], '\n') - 1 }

// skipOp skips from the name of an op to the first token of a line that may
// begin another, outside of any brackets that the op opened; with a column, to
// one that does not stand further right, as brackets may be what is wrong. It
// fails at the end of the file, unless all brackets were closed before it.
func (p *Parser) skipOp(name lex.Token, column int) bool {
	p.in.Reset(name.End)
	nest := 0
	for ; p.in.Tok.Kind != lex.EOF; p.in.Next() {
		switch p.in.Tok.Kind {
		case '(', '[', '{', lex.Meta:
			nest++
		case ')', ']', lex.MetaEnd:
			nest--
		case '}':
			if nest--; nest < 0 {
				return true
			}
		case lex.Ident, lex.Percent, lex.String, lex.Caret, lex.Bang, lex.Hash:
			if column < 0 && nest > 0 || strings.IndexByte(p.in.Src[p.in.Prev:p.in.Tok.Start], '\n') < 0 {
				continue
			}
			if column < 0 || p.in.Tok.Kind != lex.Caret && p.column(p.in.Tok.Start) <= column {
				return true
			}
		}
	}
	return column < 0 && nest == 0
}

func (p *Parser) here() diag.Span {
	return p.file.Span(p.in.Tok.Start, max(p.in.Tok.End, p.in.Tok.Start+1))
}

// found says what the current token is.
func (p *Parser) found() string {
	switch p.in.Tok.Kind {
	case lex.EOF:
		return "the end of the file"
	case lex.Bad:
		if p.in.Src[p.in.Tok.Start] == '"' || strings.HasPrefix(p.in.Text(), "@\"") {
			return "a string that does not end on its line"
		}
		return fmt.Sprintf("%q", short(p.in.Text()))
	}
	return "'" + short(p.in.Text()) + "'"
}

func short(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// report adds a diagnostic, and stops the reading once there are many.
func (p *Parser) report(d *diag.Diagnostic) {
	p.errs = append(p.errs, d)
	if len(p.errs) >= diag.MaxErrors {
		panic(abort{})
	}
}

// Fail reports d and gives up the op that is being read.
func (p *Parser) Fail(d *diag.Diagnostic) {
	p.report(d)
	panic(bail{})
}

// Errorf reports an error at an offset and gives up the op that is being read.
// At the current token the error covers the whole of it, before it all that was
// read from there.
func (p *Parser) Errorf(at int, format string, args ...any) {
	span := p.file.At(at)
	switch {
	case at == p.in.Tok.Start && p.isMissing(format):
		span = p.file.At(p.in.Prev)
	case at == p.in.Tok.Start:
		span = p.here()
	case at < p.in.Prev: // what was read just now
		span.End = p.in.Prev
	}
	p.Fail(diag.Errorf(span, format, args...))
}

// isMissing reports that something should have stood before the line of the
// current token: the place to show is the end of the token before.
func (p *Parser) isMissing(format string) bool {
	if p.in.Tok.Kind != lex.EOF && !strings.HasPrefix(format, "expected '") {
		return false
	}
	return strings.IndexByte(p.in.Src[p.in.Prev:p.in.Tok.Start], '\n') >= 0
}

func (p *Parser) enter() {
	if p.depth++; p.depth > diag.MaxNesting {
		p.report(diag.Errorf(p.here(), "nested more than %d levels deep", diag.MaxNesting))
		panic(abort{})
	}
}

func (p *Parser) leave() { p.depth-- }

// aliasDef reads `#name = attribute` or `!name = type`.
func (p *Parser) aliasDef() {
	name := p.in.Text()
	p.opts.Index.Add(Entry{Kind: DefinitionEntry, Start: p.in.Tok.Start, End: p.in.Tok.End})
	if strings.IndexByte(name, '.') >= 0 {
		p.Errorf(p.in.Tok.Start, "an alias name has no dots: %s", short(name))
	}
	at := p.in.Tok.Start
	p.in.Next()
	p.Expect("=")
	a := p.aliasValue(name)
	if first, ok := p.aliasDefs[name]; ok {
		p.Fail(diag.Errorf(p.file.Span(at, at+len(name)), "redefinition of alias %s", short(name)).
			WithNote(p.file.Span(first, first+len(name)), "previously defined here"))
	}
	p.aliasDefs[name] = at
	p.aliases[name] = a
}

func (p *Parser) aliasValue(name string) (a alias) {
	at := p.in.Tok.Start
	if name[0] == '!' {
		a.typ = p.Type()
	} else {
		a.attr = p.Attr()
	}
	p.checkAlias(a, at)
	return a
}

// alias reads the use of an alias.
func (p *Parser) alias() alias {
	name := p.in.Text()
	if p.opts.Index != nil {
		p.opts.Index.Add(Entry{Kind: UseEntry, Start: p.in.Tok.Start, End: p.in.Tok.End, Name: p.findAlias(name)})
	}
	a := p.aliasOf(name)
	p.in.Next()
	return a
}

// aliasOf looks an alias up. Locations are defined at the end of what mlir-opt
// prints, so an unknown one is searched for.
func (p *Parser) aliasOf(name string) alias {
	if a, ok := p.aliases[name]; ok {
		return a
	}
	if p.pending[name] {
		p.Errorf(p.in.Tok.Start, "alias %s is defined by itself", short(name))
	}
	off := p.findAlias(name)
	if off < 0 {
		p.Fail(diag.Errorf(p.here(), "undefined alias '%s'", short(name)).
			WithFix("define it before its use: %s = ...", short(name)))
	}
	p.pending[name] = true
	p.enter()
	tok, prev, mark := p.in.Tok, p.in.Prev, p.opts.Index.Mark()
	p.in.Reset(off)
	p.in.Next()
	p.Expect("=")
	a := p.aliasValue(name)
	p.in.Tok, p.in.Prev = tok, prev
	p.opts.Index.Back(mark) // its line has its turn
	p.leave()
	delete(p.pending, name)
	p.aliases[name] = a
	return a
}

// findAlias returns where a line begins that defines the alias, or -1.
func (p *Parser) findAlias(name string) int { return p.lines.find(p.in.Src, name) }

// SplitMarker is the line between the parts of a file that are files of their own,
// unless another one is asked for.
const SplitMarker = "// -----"

// Split cuts a source at the lines that are a marker. Each part keeps the lines of
// the whole.
func Split(src *diag.Source, mark string) []*diag.Source {
	var out []*diag.Source
	text, line := src.Text, 0
	start, startLine := 0, 0
	add := func(end int) {
		part := diag.NewSource(src.Name, text[start:end])
		part.First = startLine
		out = append(out, part)
	}
	for i := 0; i < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n + 1
		}
		line++
		if strings.TrimSpace(text[i:end]) == strings.TrimSpace(mark) {
			add(i)
			start, startLine = end, line
		}
		i = end
	}
	add(len(text))
	return out
}
