package text

import (
	"errors"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// resultName is one `%x` or `%x:2` left of an op.
type resultName struct {
	name string
	n    int
	at   int
}

// operation reads one op with its results and makes it.
func (p *Parser) operation() {
	p.enter()
	start := p.in.Tok.Start
	var names [4]resultName
	results, total := p.resultNames(names[:0])
	op := p.newOp()
	op.Named = total
	call, span := p.readOp(op)
	p.opts.Index.Add(Entry{Kind: OpEntry, Start: start, End: p.in.Prev, Name: op.At, Def: op.Def})
	if p.endsBlock(op) {
		p.endBlock(op, call, span)
		p.leave()
		return
	}
	v := p.make(op, call, span)
	p.last = v
	if op.info != nil {
		p.keepLine(op, &call, v)
	}
	p.bindResults(op, v, results, total, span)
	p.spare = append(p.spare, op)
	p.leave()
}

// readOp reads an op from its name on.
func (p *Parser) readOp(op *Op) (ir.Call, diag.Span) {
	op.At = p.in.Tok.Start
	switch p.in.Tok.Kind {
	case lex.String:
		p.generic(op)
	case lex.Ident:
		p.pretty(op)
	default:
		p.Errorf(p.in.Tok.Start, "expected an op name, found %s", p.found())
	}
	loc := ir.Loc(op.At + 1)
	if l, ok := p.trailingLoc(); ok {
		loc = l
	}
	args := op.assemble(p)
	p.typedForwards(op, args)
	call := ir.Call{Def: op.Def, Args: args, Attr: p.attrsOf(op), Regions: op.Regions, Graphs: op.Graphs, Loc: loc}
	if op.HasTypes {
		call.Type = p.resultType(op)
	}
	return call, p.file.Span(op.At, op.At+len(op.Def.Name))
}

// newOp takes an Op that is done with, and its lists, or makes one. (The lists are
// copied where they are kept; an op that was given up is not used again.)
func (p *Parser) newOp() *Op {
	n := len(p.spare)
	if n == 0 {
		return &Op{ctx: p.ctx}
	}
	op := p.spare[n-1]
	p.spare = p.spare[:n-1]
	*op = Op{ctx: p.ctx, Args: op.Args[:0], props: op.props[:0], attrs: op.attrs[:0]}
	return op
}

func (p *Parser) resultNames(out []resultName) ([]resultName, int) {
	if p.in.Tok.Kind != lex.Percent {
		return nil, 0
	}
	total := 0
	for {
		if p.in.Tok.Kind != lex.Percent {
			p.Errorf(p.in.Tok.Start, "expected the name of a result, found %s", p.found())
		}
		r := resultName{p.in.Text(), 1, p.in.Tok.Start}
		p.in.Next()
		if p.in.Tok.Kind == ':' {
			p.in.Next()
			at := p.in.Tok.Start
			n := p.Integer()
			if n < 1 || n > 1<<20 {
				p.Errorf(at, "expected a number of results, from 1 to %d", 1<<20)
			}
			r.n = int(n)
		}
		total += r.n
		out = append(out, r)
		if p.in.Tok.Kind != ',' {
			break
		}
		p.in.Next()
	}
	p.Expect("=")
	return out, total
}

func (p *Parser) bindResults(op *Op, v ir.Value, names []resultName, total int, span diag.Span) {
	n := p.b.Graph().Results(v)
	if total == 0 && len(names) == 0 {
		return
	}
	if n != total {
		p.Fail(diag.Errorf(span, "'%s' op has %d results, but %d are named", op.Def.Name, n, total))
	}
	if n == 1 {
		p.define(names[0].name, names[0].at, v)
		return
	}
	vals := p.b.Results(v)
	for _, r := range names {
		p.define(r.name, r.at, vals[:r.n]...)
		vals = vals[r.n:]
	}
}

// make builds the op and reports what the builder says of it, unless that may
// follow from an error in it: a region without its end.
func (p *Parser) make(op *Op, call ir.Call, span diag.Span) ir.Value {
	v, err := p.b.Make(call)
	if err == nil {
		if p.b.Graph().Type(v) == ir.NoType {
			panic("text: the syntax of " + op.Def.Name + " neither sets result types nor does Infer give them")
		}
		return v
	}
	if op.torn {
		panic(bail{}) // what is wrong in its region has been reported
	}
	msg := err.Error()
	var oe *ir.OpError
	if errors.As(err, &oe) {
		msg = "'" + op.Def.Name + "' op " + oe.Msg
		if l := oe.Loc; l != 0 && l != call.Loc && l&ir.LocAttr == 0 { // of an op inside
			span = p.file.At(int(l) - 1)
		}
	}
	d := diag.Errorf(span, "%s", msg)
	if t := p.inferred(call); t != ir.NoType && call.Type != ir.NoType && t != call.Type {
		d.Message = "'" + op.Def.Name + "' op has result type " + p.show(call.Type) + ", but its operands give " + p.show(t)
	}
	p.Fail(d)
	return 0
}

// inferred asks what the type of a wrong op should have been, or NoType.
func (p *Parser) inferred(call ir.Call) ir.Type {
	if call.Def.Infer == nil || call.Def.Has(ir.Terminator) || call.Def.Has(ir.Symbol) {
		return ir.NoType
	}
	call.Type = ir.NoType
	v, err := p.b.Make(call)
	if err != nil {
		return ir.NoType
	}
	return p.b.Graph().Type(v)
}

// defaults adds the properties that the op has anyway, and spells enumerations
// in one way.
func (p *Parser) defaults(op *Op) {
	f := p.forms.of(op.Def)
	if f == nil {
		return
	}
	for i, e := range op.props {
		if canon := f.Attrs[e.Name].canon; canon != nil {
			op.props[i].Value = canon(p.ctx, e.Value)
		}
	}
	for _, d := range f.defaults {
		if op.Prop(d.name) == 0 {
			op.props = append(op.props, ir.NamedAttr{Name: d.name, Value: d.value})
		}
	}
}

// lookup finds the definition of an op by its full name.
func (p *Parser) lookup(name string, span diag.Span) *ir.OpDef {
	if d := p.ctx.Lookup(name); d != nil && !strings.HasPrefix(name, "ir.") {
		return d
	}
	dialect, _, dotted := strings.Cut(name, ".")
	if dotted && p.dialects[dialect] {
		d := diag.Errorf(span, "unknown op '%s' of dialect '%s'", short(name), dialect)
		if near := p.nearestOp(name, dialect); near != "" {
			d.WithFix("did you mean '%s'?", near)
		}
		p.Fail(d)
	}
	if !p.opts.AllowUnregistered && !p.opts.Verbatim {
		d := diag.Errorf(span, "op '%s' is not registered", short(name))
		if near := p.nearestOp(name, ""); near != "" {
			p.Fail(d.WithFix("did you mean '%s'? Otherwise use -allow-unregistered-dialect", near))
		}
		p.Fail(d.WithFix("use -allow-unregistered-dialect to keep ops of unknown dialects as they are"))
	}
	d, err := p.ctx.Unregistered(name)
	if err != nil {
		p.Fail(diag.Errorf(span, "%v", err))
	}
	return d
}

// nearestOp returns the registered op, of one dialect or any, that a name may mean.
func (p *Parser) nearestOp(name, dialect string) string {
	if len(name) > 100 {
		return ""
	}
	var names []string
	for _, d := range p.ctx.Dialects() {
		if dialect != "" && d.Name != dialect || d == ir.Core {
			continue
		}
		for _, op := range d.Ops {
			names = append(names, op.Name)
		}
	}
	return diag.Nearest(name, names)
}

// once refuses a second attribute of a name in lists. Once there are many, seen
// has their names.
func (p *Parser) once(seen *map[string]bool, name string, at int, lists ...[]ir.NamedAttr) {
	const few = 32 // a walk over so many is as fast as a map
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	had := false
	if n > few {
		if *seen == nil {
			*seen = map[string]bool{}
			for _, l := range lists {
				for _, e := range l {
					(*seen)[e.Name] = true
				}
			}
		}
		had = (*seen)[name]
		(*seen)[name] = true
	} else {
		for _, l := range lists {
			had = had || slices.ContainsFunc(l, func(e ir.NamedAttr) bool { return e.Name == name })
		}
	}
	if had {
		p.Errorf(at, "duplicate attribute '%s'", short(name))
	}
}

// pretty reads an op in its custom syntax, from its name on.
func (p *Parser) pretty(op *Op) {
	name, span := p.in.Text(), p.here()
	full := name
	if strings.IndexByte(name, '.') < 0 {
		full = p.dialect + "." + name
		if p.dialect == "" || p.ctx.Lookup(full) == nil {
			full = "builtin." + name
		}
		if p.ctx.Lookup(full) == nil {
			p.unknownPretty(name, span)
		}
	}
	if d, _, _ := strings.Cut(full, "."); !p.dialects[d] && p.ctx.Lookup(full) == nil {
		p.unknownPretty(name, span)
	}
	op.Def = p.lookup(full, span)
	f := p.forms.of(op.Def)
	if f == nil {
		p.Fail(diag.Errorf(span, "op '%s' has no syntax of its own", full).WithFix("write it in the generic form: \"%s\"(...) : (...) -> (...)", full))
	}
	p.in.Next()
	if f.Parse != nil {
		f.Parse(p, op)
		return
	}
	f.parse(p, op)
}

// unknownPretty reports a bare name that names no op.
func (p *Parser) unknownPretty(name string, span diag.Span) {
	d := diag.Errorf(span, "custom op '%s' is unknown", short(name))
	if len(name) <= 100 {
		names := p.forms.names()
		if near := diag.Nearest(name, names); near != "" {
			p.Fail(d.WithFix("did you mean '%s'?", near))
		}
		for _, full := range names {
			if strings.HasSuffix(full, "."+name) {
				p.Fail(d.WithFix("did you mean '%s'?", full))
			}
		}
	}
	if strings.IndexByte(name, '.') >= 0 {
		d.WithFix("an op of an unknown dialect is read in the generic form: \"%s\"(...) : (...) -> (...)", short(name))
	}
	p.Fail(d)
}

// region reads `{ ... }` as the next region of an op. Params are bound to the
// arguments of its block; without them the block may have a label with some.
// bare says that `{}` has no block at all; otherwise it has an empty one.
func (p *Parser) region(op *Op, params []Param, implicit *ir.OpDef, bare bool) {
	outer, undone, dialect, open := p.b, len(p.scope.Defs), p.dialect, p.opened
	if op.Def.Has(ir.Isolated) {
		sc, before := p.scope, p.again
		p.b, p.again = p.newBuilder(), 0
		p.openScope()
		p.opened = opened{start: p.in.Tok.Start}
		p.block(op, params, implicit, bare)
		p.undefinedForwards()
		g := p.b.Finish()
		if p.opts.Each != nil && p.errs.Err() == nil {
			g = p.opts.Each(g)
		}
		op.Graphs = append(op.Graphs, g)
		p.closeScope(sc)
		p.again = before
	} else {
		guess := loopGuess{start: p.in.Tok, prev: p.in.Prev}
		mark := p.opts.Index.Mark()
		for again := true; again; {
			p.dialect, p.opened = dialect, open
			p.opts.Index.Back(mark)
			p.openRegion(op, &guess)
			p.block(op, params, implicit, bare)
			p.scope.Restore(undone)
			again = p.closeRegion(op, &guess)
		}
	}
	p.b, p.dialect, p.opened = outer, dialect, open
	p.in.Next()
}

// block reads what is in a region, from its `{` up to its `}`.
func (p *Parser) block(op *Op, params []Param, implicit *ir.OpDef, bare bool) {
	isolated, handsOn := op.Def.Has(ir.Isolated), p.handsOn
	p.handsOn, p.last = false, 0
	p.firstForward = p.scope.MadeForwards
	if p.inGraph = isGraphRegion(op.Def); p.inGraph {
		p.graphs++
	}
	p.dialect = ""
	if f := p.forms.of(op.Def); f != nil {
		p.dialect = f.DefaultDialect
	}
	p.Expect("{")
	switch {
	case p.in.Tok.Kind == '}' && bare && len(params) == 0:
		p.b.NoBlock()
	case p.in.Tok.Kind == lex.Caret:
		if len(params) > 0 {
			p.Errorf(p.in.Tok.Start, "the block of this region has its arguments already")
		}
		p.label()
	}
	p.bindParams(params)
	if isolated && op.Def.Begin != nil && !p.b.Graph().IsVerbatim() {
		op.Def.Begin(p.b, p.ctx.Props(slices.Clone(op.props), slices.Clone(op.attrs)))
	}
	if !isolated {
		var attr ir.Attr
		if op.Def.Enter != nil && len(op.Def.Attrs) > 0 {
			attr = p.ctx.Props(slices.Clone(op.props), nil)
		}
		p.b.Enter(op.Def, attr, op.Args, len(op.Regions), p.b.Params(p.b.Current()))
	}
	p.torn, p.flow = false, p.mayBranch(op)
	p.ops(false)
	op.torn = op.torn || p.torn
	if p.in.Tok.Kind == lex.Caret || p.flow != nil && p.flow.end != nil {
		p.blocks(op)
	}
	if implicit != nil {
		p.terminate(implicit, handsOn)
	}
	switch p.in.Tok.Kind {
	case '}':
	case lex.Arrow:
		p.Fail(diag.Errorf(p.here(), "the operation ends before '->'").
			WithFix("leave out '->' and the types behind it: the result of this op follows from its operands"))
	default:
		p.Errorf(p.in.Tok.Start, "expected an operation or '}', found %s", p.found())
	}
}

// terminate adds a terminator that the text leaves out; handsOn says that it has the results of the
// last op for operands.
func (p *Parser) terminate(implicit *ir.OpDef, handsOn bool) {
	b := p.b
	if b.Graph().Term(b.Current()) != 0 {
		return
	}
	var regions []ir.Region // as many as the terminator has, empty (scf.forall.in_parallel)
	for _, kind := range implicit.Bodies {
		b.Open(kind)
		regions = append(regions, b.Close())
	}
	var args []ir.Value
	if handsOn && p.last != 0 {
		args = b.Results(p.last)
	}
	if _, err := b.Make(ir.Call{Def: implicit, Args: args, Type: ir.Void, Regions: regions, Loc: ir.Loc(p.in.Tok.Start + 1)}); err != nil {
		p.Errorf(p.in.Tok.Start, "%v", err)
	}
}

func (p *Parser) bindParams(params []Param) {
	for _, a := range params {
		v := p.b.Param(a.Type)
		if a.Name != "" {
			p.define(a.Name, a.At, v)
		}
	}
}

// label reads `^name(%a: type, ...):`.
func (p *Parser) label() {
	p.in.Next()
	var params []Param
	p.OptionalList("(", ")", func() {
		a := p.Argument()
		if l, ok := p.trailingLoc(); ok {
			a.loc = l
		}
		params = append(params, a)
	})
	p.Expect(":")
	p.bindParams(params)
}
