package text

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
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
func (p *Parser) regionKind(op *Op) ir.RegionKind {
	var attr ir.Attr
	if op.Def.Kind != nil {
		attr = p.ctx.Props(slices.Clone(op.props), slices.Clone(op.attrs))
	}
	return op.Def.RegionKind(p.ctx, attr, len(op.Regions))
}

// openRegion opens a region that is not isolated.
func (p *Parser) openRegion(op *Op, g *loopGuess) {
	kind := p.regionKind(op)
	if kind != ir.Loop || !op.Def.Has(ir.SingleRegion) || p.opts.Verbatim {
		p.b.Open(kind)
		return
	}
	if g.assumed == nil && p.loops < maxGuessed && p.again <= p.in.Tok.Start-p.opened.start+slack {
		g.may = true
		if !p.seemsToWrite(op.At) {
			g.assumed = map[ir.Resource]bool{}
		}
	}
	p.b.OpenLoop(g.assumed)
	p.loops++
}

// closeRegion ends a region that has been read, or throws it away and goes back to its
// beginning: it writes what was assumed not to be written, or the other way round.
// What is wrong with the program was reported the first time.
func (p *Parser) closeRegion(op *Op, g *loopGuess) (again bool) {
	end := p.in.Tok.End
	if !g.may || p.errs != nil || g.assumed == nil || !p.b.Refuted(g.assumed) {
		r := p.b.Close()
		if g.may && p.errs == nil && g.assumed == nil {
			g.assumed = p.b.Unwritten(r)
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
func (p *Parser) seemsToWrite(at int) bool {
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
func (p *Parser) namesWriter(s string) bool {
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

// In a graph region a value may be used before its definition. A verbatim graph
// keeps that: the use is a stand-in until the definition is met. Graph regions are
// those of modules and of ops that are not registered, and all regions inside of
// them that are not isolated may look out.

// isGraphRegion reports that the order of the ops of a region of an op says nothing.
func isGraphRegion(op *ir.OpDef) bool {
	return !op.Registered() || op.Name == "builtin.module"
}

// forward makes a stand-in for a name that is not defined yet, if it may be later.
func (p *Parser) forward(name string, u use) (ir.Value, bool) {
	if !p.opts.Verbatim || p.graphs == 0 {
		return 0, false
	}
	p.in.Next()
	f := symtab.Forward{Name: name, V: p.b.Forward(ir.NoType), Seq: p.scope.MadeForwards}
	p.scope.MadeForwards++
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		f.Index = p.resultIndex(1 << 20)
		p.in.Next()
	}
	u.v, u.end, u.def = f.V, int32(p.in.Prev), u.at
	f.Span = p.file.Span(int(u.at), int(u.end))
	if p.scope.Forwards == nil {
		p.scope.Forwards = map[string][]symtab.Forward{}
	}
	p.scope.Forwards[name] = append(p.scope.Forwards[name], f)
	p.used(u)
	return f.V, true
}

// defineForwards resolves the uses of a name that were waiting for it, those made
// since the open region began. In one that is no graph region they stay wrong.
func (p *Parser) defineForwards(name string, d symtab.Def) {
	waiting := p.scope.Forwards[name]
	if len(waiting) == 0 || !p.inGraph && !d.Wrong() {
		return
	}
	kept := waiting[:0:0]
	for _, f := range waiting {
		switch {
		case f.Seq < p.firstForward:
			kept = append(kept, f)
		case !d.Wrong():
			p.defineForward(f, d)
		}
	}
	if p.scope.Forwards[name] = kept; len(kept) == 0 {
		delete(p.scope.Forwards, name)
	}
}

func (p *Parser) defineForward(f symtab.Forward, d symtab.Def) {
	v, n := p.scope.Value(&d, f.Index)
	there := p.file.Span(int(d.At), int(d.At)+len(f.Name))
	if f.Index < 0 || f.Index >= n {
		p.Fail(diag.Errorf(f.Span, "'%s' has %d results, numbered from 0", short(f.Name), n).WithNote(there, "defined here"))
	}
	g := p.b.Graph()
	if have, used := g.Type(v), g.Type(f.V); used != have {
		p.Fail(diag.Errorf(f.Span, "'%s' is used as %s, but its type is %s", short(f.Name), p.show(used), p.show(have)).WithNote(there, "defined here"))
	}
	p.b.DefineForward(f.V, v)
	p.opts.Index.DefinedAt(f.Span.Start, int(d.At))
}

// typedForwards refuses an op whose text does not tell the type of an operand that
// is defined later.
func (p *Parser) typedForwards(op *Op, args []ir.Value) {
	if len(p.scope.Forwards) == 0 {
		return
	}
	g := p.b.Graph()
	for _, a := range args {
		if !g.IsForward(a) || g.Type(a) != ir.NoType {
			continue
		}
		for _, list := range p.scope.Forwards {
			for _, f := range list {
				if f.V == a {
					p.Fail(diag.Errorf(f.Span, "'%s' is used before its definition, and nothing here tells its type", short(f.Name)).
						WithFix("write '%s' in the generic form", op.Def.Name))
				}
			}
		}
	}
}

// dropForwards forgets the uses made since a number of them were: their op was wrong.
func (p *Parser) dropForwards(from int) {
	if p.scope.MadeForwards == from {
		return
	}
	for name, list := range p.scope.Forwards {
		p.scope.Forwards[name] = slices.DeleteFunc(list, func(f symtab.Forward) bool { return f.Seq >= from })
	}
}

// undefinedForwards reports the uses that nothing defined, in their order.
func (p *Parser) undefinedForwards() {
	var left []symtab.Forward
	for _, list := range p.scope.Forwards {
		left = append(left, list...)
	}
	slices.SortFunc(left, func(a, b symtab.Forward) int { return a.Seq - b.Seq })
	p.scope.Forwards = nil
	for _, f := range left {
		p.report(p.undefined(f.Name, f.Span))
	}
}

// openScope begins the names of an isolated op.
func (p *Parser) openScope() {
	if n := len(p.scopes); n > 0 {
		p.scope, p.scopes = p.scopes[n-1], p.scopes[:n-1]
	} else {
		p.scope = symtab.NewScope(p.in.Src)
	}
}

// closeScope ends them and goes back to those of the op around it.
func (p *Parser) closeScope(outer *symtab.Scope) {
	p.scope.Clear()
	p.scopes = append(p.scopes, p.scope)
	p.scope = outer
}

// define binds a name, which stands at an offset, to values; none if its op was
// wrong.
func (p *Parser) define(name string, at int, vals ...ir.Value) {
	if p.in.Src[at:min(at+len(name), len(p.in.Src))] != name {
		panic("text: " + short(name) + " does not stand where it is said to be defined")
	}
	d, old := p.scope.Define(name, at, vals)
	if old != nil {
		before := int(old.At)
		p.Fail(diag.Errorf(p.file.Span(at, at+len(name)), "redefinition of value '%s'", short(name)).
			WithNote(p.file.Span(before, before+len(name)), "previously defined here"))
	}
	if p.opts.Index != nil && !d.Wrong() {
		p.opts.Index.Add(Entry{Kind: DefinitionEntry, Start: at, End: at + len(name), Type: p.typeOf(vals...)})
	}
	if len(p.scope.Forwards) > 0 {
		p.defineForwards(name, d)
	}
}

// typeOf is the type of the one value that a name stands for, or NoType.
func (p *Parser) typeOf(vals ...ir.Value) ir.Type {
	if len(vals) != 1 {
		return ir.NoType
	}
	return p.b.Graph().Type(vals[0])
}

// used keeps the use of a value.
func (p *Parser) used(u use) {
	p.uses = append(p.uses, u)
	if p.opts.Index == nil {
		return
	}
	def := int(u.def)
	if u.def == u.at { // there is none yet
		def = -1
	}
	p.opts.Index.Add(Entry{Kind: UseEntry, Start: int(u.at), End: int(u.end), Name: def, Type: p.typeOf(u.v)})
}
