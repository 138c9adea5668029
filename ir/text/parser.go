package text

import (
	"math"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/literal"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/values"
)

// Limits of what is read.
const (
	maxRegions = math.MaxUint16 // of one op
	maxSource  = 1<<30 - 2      // bytes: an offset plus one is a location of 30 bits
)

// Parse builds the graph of a source. The graph is nil if the list holds an error.
func Parse(ctx *ir.Context, src *diag.Source, opts Options) (*ir.Graph, diag.List) {
	if list := tooLarge(src); list != nil {
		return nil, list
	}
	p := newParser(ctx, src, opts)
	g, ok := p.pieces.inPieces()
	if !ok {
		p = newParser(ctx, src, opts)
		g = p.ops.source()
	}
	if p.in.Errs.Err() != nil {
		return nil, p.in.Errs
	}
	return g, p.in.Errs
}

// A Parser reads one source. Hooks of dialects call its methods (parser_hooks.go), which are those of its parts:
//
//	in       words and punctuation, and what is wrong;
//	lit      types, attributes and locations, with what the file names and adds;
//	names    which values names stand for;
//	reg      which op and which form a name stands for;
//	ops      one op after the other, and what to do after one that is wrong;
//	gen      ops in the generic form, by texts that were read before;
//	regions  what stands in the braces of an op;
//	pieces   the functions of a large file, on all processors.
//
// A part has its own state and calls others; hooks are given the Parser.
type Parser struct {
	ctx     *ir.Context
	in      *scan.Reader
	lit     *literal.Reader
	names   *values.Names
	reg     registry
	ops     opReader
	gen     generics
	regions regions
	pieces  pieces
}

func newParser(ctx *ir.Context, src *diag.Source, opts Options) *Parser {
	dialects := map[string]bool{}
	for _, d := range ctx.Dialects() {
		dialects[d.Name] = d.Name != ir.Core.Name
	}
	p := &Parser{ctx: ctx, in: scan.New(src, opts.Index)}
	p.lit = literal.NewReader(ctx, p.in, dialects, notation{p})
	p.reg = registry{ctx: ctx, in: p.in, forms: formsOf(ctx), dialects: dialects, lenient: opts.AllowUnregistered || opts.Verbatim}
	p.regions = regions{dialect: "builtin", each: opts.Each}
	p.connect(opts.Verbatim)
	return p
}

// forPiece makes a parser of the same source for pieces, in the region that is open here.
func (p *Parser) forPiece() *Parser {
	q := &Parser{ctx: p.ctx, in: p.in.ForPiece()}
	q.lit = p.lit.ForPiece(q.in, notation{q})
	q.reg = registry{ctx: p.ctx, in: q.in, forms: formsOf(p.ctx), dialects: p.reg.dialects, lenient: p.reg.lenient}
	q.regions = regions{dialect: p.regions.dialect, each: p.regions.each, opened: p.regions.opened}
	q.connect(p.names.Verbatim)
	q.names.Order = p.names.Order
	q.names.B = q.names.NewBuilder() // the ops are made in the graph of the module, later
	return q
}

// connect makes the other parts, and tells each of those that it calls.
func (p *Parser) connect(verbatim bool) {
	p.names = values.New(p.ctx, p.in, &p.lit.Defs, verbatim)
	p.ops = opReader{host: p, ctx: p.ctx, in: p.in, lit: p.lit, names: p.names, reg: &p.reg, gen: &p.gen, regions: &p.regions, pieces: &p.pieces}
	p.gen = generics{host: p, ctx: p.ctx, in: p.in, lit: p.lit, names: p.names, reg: &p.reg, ops: &p.ops, regions: &p.regions}
	r := &p.regions
	r.host, r.ctx, r.in, r.lit, r.names, r.reg, r.ops = p, p.ctx, p.in, p.lit, p.names, &p.reg, &p.ops
	p.pieces = pieces{p: p}
}

func tooLarge(src *diag.Source) diag.List {
	if len(src.Text) <= maxSource {
		return nil
	}
	return diag.List{diag.Errorf(diag.Span{}, "%s is larger than %d bytes", src.Name, maxSource)}
}

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
